/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_GUARD_H
#define UNS_TESTS_GUARD_H

/* guard - bytes that end at a page which cannot be read: a parser that looks
 * beyond them is killed. */

#include "check.h"

#include <sys/mman.h>

#define GUARD_PAGE ((size_t)4096)
#define GUARD_ROOM (16 * GUARD_PAGE)

/* The room, made once. */
static inline char *guard_room(void)
{
    static char *room;

    if (room != NULL)
        return room;
    room = mmap(NULL, GUARD_ROOM + GUARD_PAGE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED);
    assert_int_equal(mprotect(room + GUARD_ROOM, GUARD_PAGE, PROT_NONE), 0);
    return room;
}

/* A copy of the bytes, valid until the next. */
static inline struct uns_slice guard_copy(const void *bytes, size_t size)
{
    char *copy = guard_room() + GUARD_ROOM - size;

    assert_true(size <= GUARD_ROOM);
    memcpy(copy, bytes, size);
    return (struct uns_slice){copy, size};
}

#endif
