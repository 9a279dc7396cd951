/* SPDX-License-Identifier: MIT */

/*
 * stubs - see slot.h: for each exported function, one entry for each slot, 32
 * bytes apart.  It leaves the slot's number and jumps, so that the arguments,
 * the count of vector registers and the return address stay as they are.
 * Functions are weak, because a test may bring a libcurl that lacks some.
 */

#ifdef __CET__
#include <cet.h>
#endif
#ifndef _CET_ENDBR
#define _CET_ENDBR
#endif

#if defined(__x86_64__)

.macro stub function slot
    .balign 32
    .cfi_startproc
    _CET_ENDBR
    movq uns_slot_entered@gottpoff(%rip), %r11
    movl $\slot, %fs:(%r11)
    jmp \function@PLT
    .cfi_endproc
.endm

#elif defined(__aarch64__)

.macro stub function slot
    .balign 32
    .cfi_startproc
    hint #34 /* bti c */
    adrp x16, :gottprel:uns_slot_entered
    ldr x16, [x16, :gottprel_lo12:uns_slot_entered]
    mrs x17, tpidr_el0
    add x16, x16, x17
    mov w17, #\slot
    str w17, [x16]
    b \function
    .cfi_endproc
.endm

#endif

#if defined(__x86_64__) || defined(__aarch64__)

.macro stubs function
    .weak \function
    .irp slot, 1, 2, 3, 4, 5, 6, 7, 8
    stub \function, \slot
    .endr
.endm

#define EXPORT(name) stubs name

    .text
    .balign 32
    .globl uns_stubs
    .hidden uns_stubs
    .hidden uns_slot_entered
    .type uns_stubs, %function
uns_stubs:
#include "exports.def"
    .size uns_stubs, . - uns_stubs

#endif

    .section .note.GNU-stack, "", %progbits
