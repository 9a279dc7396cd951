/* SPDX-License-Identifier: MIT */
/* run - what happens is told, and where bytes go. */
#include "easy.h"

double easy_ms_since(const struct timespec *from)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from->tv_sec) * 1e3 +
           (double)(now.tv_nsec - from->tv_nsec) / 1e6;
}

void easy_tell(const struct run *run, const char *what, long number)
{
    if (!run->verbs->quiet)
        fprintf(stderr, "%s %ld\n", what, number);
}

size_t easy_put(struct run *run, const char *bytes, size_t len)
{
    run->bytes += len;
    for (size_t i = 0; i < len; i++)
        run->sum = run->sum * 31 + (unsigned char)bytes[i];
    return fwrite(bytes, 1, len, run->out);
}
