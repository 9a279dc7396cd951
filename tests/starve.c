/* SPDX-License-Identifier: MIT */
/* starve - see the header. */
#include "starve.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST 60 /* each of them fails, and as many of the others */

/* SQLite's, since they are nearer than libc's: nobody needs to wait for a
 * disk here. */
int fsync(int fd)
{
    (void)fd;
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

static void once(const struct operation *op, unsigned n, bool all)
{
    enum uns_err err;
    char row[96];
    long live;

    snprintf(row, sizeof row, "%s, allocation %u%s", op->name, n,
             all ? " and all later" : "");
    op->ready();
    live = fake_memory_live();
    fake_memory_fail(n, all);
    fake_memory_count(true);
    err = op->run();
    fake_memory_count(false);
    fake_memory_fail(0, false);
    CHECK_INT(row, fake_memory_live() - live, 0);
    if (err != UNS_OK)
        CHECK_TEXT(row, uns_err_name(err), "NOMEM");
    op->check(row, err);
    CHECK_TEXT(row, uns_err_name(op->run()), "OK");
    op->check(row, UNS_OK);
}

/* How many allocations it asks for, once all that is made once per process is
 * there. */
static unsigned asked_by(const struct operation *op)
{
    for (int i = 0; i < 2; i++) {
        op->ready();
        fake_memory_fail(0, false);
        fake_memory_count(true);
        CHECK_TEXT(op->name, uns_err_name(op->run()), "OK");
        fake_memory_count(false);
    }
    CHECK_INT(op->name, fake_memory_asked() > 0, true);
    return fake_memory_asked();
}

unsigned starve_next(unsigned n, unsigned asked)
{
    const char *how = getenv("STARVE");

    if (n < FIRST || (how && strcmp(how, "all") == 0))
        return n + 1;
    return n + 1 + asked / FIRST;
}

void starve_each(const struct operation *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned asked = asked_by(&ops[i]);

        for (unsigned n = 1; n <= asked; n = starve_next(n, asked)) {
            once(&ops[i], n, false);
            once(&ops[i], n, true);
        }
    }
}
