/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_ELF_CRAFT_H
#define UNS_TESTS_ELF_CRAFT_H

/*
 * elf_craft - writes small ELF files, field by field, of either class and byte
 * order: an interpreter, a dynamic section, symbols with a hash table, a note.
 * Addresses are offsets plus CRAFT_BASE.
 */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRAFT_BASE  UINT64_C(0x10000)
#define CRAFT_BYTES 8192

struct craft {
    bool wide, big;
    bool gnu_hash; /* else DT_HASH */
    uint16_t machine, type;
    const char *interpreter; /* NULL: none */
    const char *needed[4];   /* up to the first NULL */
    const char *rpath;       /* NULL: none */
    const char *runpath;     /* NULL: none */
    const char *imported[4]; /* up to the first NULL */
    const char *defined[4];  /* the same */
    const char *note;        /* owner of a note of type 4; NULL: none */
    const char *text;        /* somewhere in the file; NULL: none */
    unsigned char bytes[CRAFT_BYTES];
    size_t size; /* so far */
};

/* Write what the members ask for into its bytes. */
void craft_build(struct craft *craft);

/* Those into a file.  0, or -1. */
int craft_write(const struct craft *craft, const char *path);

#endif
