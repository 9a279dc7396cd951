/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a captured answer: `unstall inspect` says what it sees, in each
 * of its forms, or that it cannot tell.  What it prints goes nowhere.
 */
#include "cli/cli.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* The messages go as well; libFuzzer has a stream of its own. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    must(freopen("/dev/null", "w", stdout) != NULL);
    return 0;
}

static char *file_of(const uint8_t *data, size_t size)
{
    static char path[40];
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("capture", 0);
    must(fd >= 0 && ftruncate(fd, 0) == 0);
    must(pwrite(fd, data, size, 0) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *const forms[] = {NULL, "--json", "--text", "--dialect=chat"};
    const size_t count = sizeof forms / sizeof *forms;

    if (size < 1)
        return 0;
    char *path = file_of(data + 1, size - 1);
    char *form = forms[data[0] % count];
    char *args[] = {"inspect", path, form, NULL};
    int code = uns_cmd_inspect(form != NULL ? 3 : 2, args);
    must(code == UNS_EXIT_OK || code == UNS_EXIT_FAILED);
    return 0;
}
