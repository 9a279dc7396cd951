/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_PROC_H
#define UNS_CLI_PROC_H

/*
 * proc - what /proc says of a process.  Nothing is sent to it and nothing of
 * it is stopped; it may end at any moment, and what cannot be read any more is
 * then not known.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define UNS_PROC_LIBCURLS 4

struct uns_proc {
    pid_t pid;
    uid_t owner;
    char name[NAME_MAX + 1]; /* it was called by */
    char exe[PATH_MAX];      /* its file: where it is open, */
    char exe_name[PATH_MAX]; /* and where it was; "": not known */
    char **environment;      /* as it began; NULL: not known */
    char *block;             /* the texts of that */
    bool maps_known;
    bool preload;  /* libunstall.so is mapped, */
    bool replaced; /* from a file that is gone */
    bool engine;
    bool other_root; /* it looks up files in another root directory */
    char libcurl[UNS_PROC_LIBCURLS][PATH_MAX];
    size_t libcurls;
    int64_t started_us; /* since 1970 */
};

/* False: there is no such process.  To be closed in any case. */
bool uns_proc_open(struct uns_proc *proc, pid_t pid);
void uns_proc_close(struct uns_proc *proc);

#endif
