/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_ELF_H
#define UNS_CLI_ELF_H

/*
 * elf - reads an ELF file that lies in memory: both classes, both byte orders,
 * any machine.  It calls mem* alone and allocates nothing.  The file is not
 * trusted: what leads out of it is not there, and is never read.
 */

#include "core/err.h"
#include "core/units.h"

#include <stdbool.h>
#include <stdint.h>

/* Entries of the dynamic section that are looked at. */
#define UNS_ELF_DYNAMIC 4096

/* Longest text that is one, with its NUL. */
#define UNS_ELF_TEXT 4096

struct uns_elf {
    struct uns_slice file; /* borrowed */
    bool wide;             /* 64 bit */
    bool big;              /* the most significant byte comes first */
    uint16_t type;         /* ET_EXEC, ET_DYN, ... */
    uint16_t machine;      /* EM_X86_64, ... */
    uint16_t segments;     /* how many */
    uint64_t segment_at;
    uint64_t dynamic_at; /* file offset; 0: there is none */
    uint64_t dynamic_bytes;
    uint64_t symbol_at; /* dynamic symbols */
    uint64_t symbols;   /* how many, by its hash table */
    uint64_t string_at; /* the names of all these */
};

enum uns_elf_symbol {
    UNS_ELF_ABSENT,
    UNS_ELF_IMPORTED, /* somebody else has to define it */
    UNS_ELF_DEFINED
};

/* SYNTAX: no ELF file, or cut off within its header. */
UNS_MUST_USE enum uns_err uns_elf_open(struct uns_elf *elf, const void *data,
                                       size_t size);

/* The dynamic loader that it asks for, or NULL. */
const char *uns_elf_interpreter(const struct uns_elf *elf);

/* The text of the index-th (from 0) entry with that tag of the dynamic
 * section, DT_NEEDED say.  NULL: there is none. */
const char *uns_elf_dynamic(const struct uns_elf *elf, uint64_t tag,
                            unsigned index);

/* What it says of the function `name`. */
enum uns_elf_symbol uns_elf_symbol(const struct uns_elf *elf, const char *name);

/* It has a note of that owner and type. */
bool uns_elf_has_note(const struct uns_elf *elf, const char *owner,
                      uint32_t type);

#endif
