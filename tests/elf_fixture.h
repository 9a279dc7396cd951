/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_ELF_FIXTURE_H
#define UNS_TESTS_ELF_FIXTURE_H

/* elf_fixture - the file of a library that says what it needs, and nothing
 * else. */

#include "check.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct elf_fixture {
    ElfW(Ehdr) head;
    ElfW(Phdr) segments[2];
    ElfW(Dyn) dynamic[4];
    char strings[64];
};

/* Where the fixture is to be mapped; its file begins elsewhere. */
#define FIXTURE_ADDRESS 0x10000

static inline void elf_fixture_init(struct elf_fixture *elf, const char *needed)
{
    size_t strings = offsetof(struct elf_fixture, strings);

    memset(elf, 0, sizeof(*elf));
    memcpy(elf->head.e_ident, ELFMAG, SELFMAG);
    elf->head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    elf->head.e_phoff = offsetof(struct elf_fixture, segments);
    elf->head.e_phentsize = sizeof(elf->segments[0]);
    elf->head.e_phnum = 2;
    elf->segments[0].p_type = PT_LOAD;
    elf->segments[0].p_vaddr = FIXTURE_ADDRESS;
    elf->segments[0].p_filesz = sizeof(*elf);
    elf->segments[1].p_type = PT_DYNAMIC;
    elf->segments[1].p_offset = offsetof(struct elf_fixture, dynamic);
    elf->segments[1].p_filesz = sizeof(elf->dynamic);
    elf->dynamic[0] = (ElfW(Dyn)){DT_NEEDED, {1}};
    elf->dynamic[1] = (ElfW(Dyn)){DT_NEEDED, {12}};
    elf->dynamic[2] = (ElfW(Dyn)){DT_STRTAB, {FIXTURE_ADDRESS + strings}};
    memcpy(elf->strings + 1, "libc.so.6", sizeof("libc.so.6"));
    memcpy(elf->strings + 12, needed, strlen(needed) + 1);
}

/* Writes `size` bytes of it to a new file and puts the path in `path`. */
static inline void elf_fixture_write(const struct elf_fixture *elf, size_t size,
                                     char path[32])
{
    int fd;

    memcpy(path, "/tmp/uns-elf-XXXXXX", sizeof("/tmp/uns-elf-XXXXXX"));
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, elf, size), size);
    close(fd);
}

#endif
