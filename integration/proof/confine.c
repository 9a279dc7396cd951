/* SPDX-License-Identifier: MIT */
/*
 * confine - a sandbox that forbids one system call and allows the others:
 *
 *     confine CALL ERRNO PROGRAM ARGUMENT...
 *     confine --list
 *
 * CALL is a name below; some stand for one use of a call.  The kernel answers
 * with ERRNO (a number).  Only calls that curl can do without are here.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A call, and bits of its argument number `arg` that have to be set; none: in
 * all its uses. */
static const struct ban {
    const char *name;
    unsigned number, arg, bits;
} bans[] = {

#define BAN(name)               \
    {                           \
#        name, SYS_##name, 0, 0 \
    }
    BAN(access),
    BAN(clock_nanosleep),
    BAN(eventfd2),
    BAN(fallocate),
    BAN(fchmod),
    BAN(fchown),
    BAN(fdatasync),
    BAN(flock),
    BAN(fstatfs),
    BAN(fsync),
    BAN(ftruncate),
    BAN(getdents64),
    BAN(geteuid),
    BAN(getpid),
    BAN(getrandom),
    BAN(getuid),
    BAN(link),
    BAN(madvise),
    BAN(memfd_create),
    BAN(mkdir),
    BAN(mkdirat),
    BAN(mremap),
    BAN(pread64),
    BAN(prlimit64),
    BAN(pwrite64),
    BAN(readlink),
    BAN(readlinkat),
    BAN(rename),
    BAN(renameat2),
    BAN(rt_sigpending),
    BAN(rt_sigprocmask),
    BAN(rt_sigtimedwait),
    BAN(sched_getaffinity),
    BAN(socketpair),
    BAN(statx),
    BAN(sysinfo),
    BAN(timerfd_create),
    BAN(timerfd_settime),
    BAN(uname),
    BAN(unlink),
    {"mmap-shared", SYS_mmap, 3, MAP_SHARED},
    {"open-create", SYS_openat, 2, O_CREAT},
    {"open-write", SYS_openat, 2, O_RDWR},
    {"fcntl-lock", SYS_fcntl, 1, 4}, /* F_SETLK is 6, F_GETLK is 5 */
};

#define BANS (sizeof bans / sizeof *bans)

static const struct ban *find(const char *name)
{
    for (size_t i = 0; i < BANS; i++)
        if (strcmp(bans[i].name, name) == 0)
            return &bans[i];
    return NULL;
}

static int forbid(const struct ban *ban, unsigned error)
{
    const unsigned at =
        (unsigned)offsetof(struct seccomp_data, args) + 8 * ban->arg;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ban->number, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ban->bits),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ban->bits, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int argc, char **argv)
{
    const struct ban *ban;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < BANS; i++)
            puts(bans[i].name);
        return 0;
    }
    ban = argc > 3 ? find(argv[1]) : NULL;
    if (!ban)
        return 125;
    if (forbid(ban, (unsigned)atoi(argv[2])) != 0)
        return 126;
    execvp(argv[3], argv + 3);
    return 127;
}
