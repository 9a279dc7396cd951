/* SPDX-License-Identifier: MIT */

/*
 * entry - the exported dlsym and dlopen.  The real ones look at the address
 * they return to: dlsym(RTLD_NEXT) searches behind that module, dlopen takes
 * its $ORIGIN and RUNPATH.  So they are jumped to, with the stack as it was.
 * Before that hook.c is asked, in C: it returns where to jump and the second
 * argument for there, or nowhere and the answer.
 */

#ifdef __CET__
#include <cet.h>
#endif
#ifndef _CET_ENDBR
#define _CET_ENDBR
#endif

#if defined(__x86_64__)

.macro entry name hook
    .globl \name
    .type \name, %function
    .balign 16
\name:
    .cfi_startproc
    _CET_ENDBR
    movq (%rsp), %rdx /* the caller */
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    subq $16, %rsp
    .cfi_adjust_cfa_offset 16
    call \hook
    addq $16, %rsp
    .cfi_adjust_cfa_offset -16
    popq %rdi
    .cfi_adjust_cfa_offset -8
    testq %rax, %rax
    jz 1f
    movq %rdx, %rsi
    jmp *%rax
1:  movq %rdx, %rax
    ret
    .cfi_endproc
    .size \name, . - \name
.endm

#elif defined(__aarch64__)

.macro entry name hook
    .globl \name
    .type \name, %function
    .balign 16
\name:
    .cfi_startproc
    hint #34 /* bti c */
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    mov x29, sp
    str x0, [sp, #16]
    mov x2, x30 /* the caller */
    bl \hook
    mov x16, x0
    mov x17, x1
    ldr x0, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    cbz x16, 1f
    mov x1, x17
    br x16
1:  mov x0, x17
    ret
    .cfi_endproc
    .size \name, . - \name
.endm

#endif

#if defined(__x86_64__) || defined(__aarch64__)
    .text
    .hidden uns_hook_dlsym
    .hidden uns_hook_dlopen
    entry dlsym uns_hook_dlsym
    entry dlopen uns_hook_dlopen
#endif

    .section .note.GNU-stack, "", %progbits
