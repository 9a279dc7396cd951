/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_CHILD_H
#define UNS_TESTS_CHILD_H

/* child - a part of a test in a process of its own.  A failed assert does not
 * reach the test from there: NEED makes an exit code of it. */

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

/* AddressSanitizer's allocator takes locks that fork() does not wait for: a
 * child of a process with threads may hang in its malloc. */
#if defined __SANITIZE_ADDRESS__
#    define FORKS_BESIDE_THREADS 0
#elif defined __has_feature
#    if __has_feature(address_sanitizer)
#        define FORKS_BESIDE_THREADS 0
#    endif
#endif
#ifndef FORKS_BESIDE_THREADS
#    define FORKS_BESIDE_THREADS 1
#endif

#define NEED(condition)                                         \
    do {                                                        \
        if (!(condition)) {                                     \
            print_error("line %d: %s\n", __LINE__, #condition); \
            return 1;                                           \
        }                                                       \
    } while (0)

/* The child's function returns its exit code; asserts do not reach us. */
static inline int in_child(int (*run)(void *arg), void *arg)
{
    pid_t pid = fork();
    int status = -1;

    if (pid == 0)
        _exit(run(arg));
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

#endif
