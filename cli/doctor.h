/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DOCTOR_H
#define UNS_CLI_DOCTOR_H

/*
 * doctor - the parts of `unstall doctor`, private to them.
 *
 *   doctor            the command: which of three examinations?
 *     doctor_setup      the installation, settings and keys
 *     doctor_store        its database
 *     doctor_process    a running process, then its program:
 *     doctor_program    can this file be helped?
 *       doctor_target     which file is it?  PATH, #! lines
 *       doctor_obstacle   what stands in the way of any help
 *       doctor_curl       how it comes to libcurl
 *       doctor_hosts        interpreters, and their bindings of it
 *     doctor_gap        what the preload does not stand in front of
 *     doctor_verdict    what it comes to
 *
 * Each adds rows to the findings; whoever knows the verdict says it.
 */

#include "cli.h"
#include "closure.h"
#include "findings.h"

#include <limits.h>
#include <sys/types.h>

enum uns_doctor_verdict {
    UNS_DOCTOR_HELPED,
    UNS_DOCTOR_POSSIBLE,
    UNS_DOCTOR_CANNOT,
    UNS_DOCTOR_UNKNOWN, /* what would tell cannot be read */
    UNS_DOCTOR_LIVE,    /* a process: it is helped, */
    UNS_DOCTOR_IDLE,    /* or not, as it was started */
    UNS_DOCTOR_READY,   /* the installation: all is well, */
    UNS_DOCTOR_BROKEN,  /* or something has to be mended */
    UNS_DOCTOR_COUNT
};

struct uns_doctor {
    struct uns_common common;
    bool brief;                  /* the store is not read through */
    bool unpaid;                 /* it cannot be used: none is hedged */
    char subject[NAME_MAX + 32]; /* whom the sentence is about */
    char *const *environment;    /* as the program will have it, or has it */
    struct uns_image preload;    /* libunstall.so; empty: not to be found */
    char preload_path[PATH_MAX];
    enum uns_doctor_verdict verdict;
    struct uns_findings findings;
};

/* What would be executed. */
struct uns_target {
    char name[NAME_MAX + 1];   /* what was asked for, without directory */
    char called[NAME_MAX + 1]; /* the binary, as it is called */
    char script[PATH_MAX];     /* "": it is none */
    char path[PATH_MAX];       /* the binary file, to be opened */
    char real[PATH_MAX];       /* the same without links */
};

/* A program under examination. */
struct uns_patient {
    struct uns_doctor *doctor;
    const struct uns_target *target;
    struct uns_closure closure;
    bool foreign; /* it is known to have an HTTP client of its own */
};

/* An interpreter or another program known by name (doctor_hosts.c). */
struct uns_host_program;

/* doctor_verdict */

/* A variable of the program's environment, or NULL. */
const char *uns_doctor_getenv(const struct uns_doctor *doctor,
                              const char *name);

/* The verdict, and the sentence: "NAME will be helped: ...". */
void uns_doctor_judge(struct uns_doctor *doctor,
                      enum uns_doctor_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Its word for --json; the command's exit code. */
const char *uns_doctor_word(enum uns_doctor_verdict verdict);
int uns_doctor_code(enum uns_doctor_verdict verdict);

/* doctor_gap */

/* NULL: the preload stands in front of that function (or is not there to be
 * asked).  Else what comes of it that it does not, to end a sentence. */
const char *uns_doctor_gap(const struct uns_doctor *doctor, const char *symbol);

/* The same for the calls of libcurl that the files in `closure` make: NULL if
 * a way is open. */
const char *uns_doctor_curl_gap(const struct uns_doctor *doctor,
                                const struct uns_closure *closure);

/* doctor_setup, doctor_store */
void uns_doctor_setup(struct uns_doctor *doctor);
void uns_doctor_store(struct uns_doctor *doctor, const char *path);

/* doctor_process.  False: there is no such process; told. */
bool uns_doctor_process(struct uns_doctor *doctor, pid_t pid);

/* doctor_program */
void uns_doctor_program(struct uns_doctor *doctor,
                        const struct uns_target *target);

/* doctor_target: follow `name`.  NULL, or why not, to follow it in a message
 * ("not found in PATH"). */
const char *uns_doctor_target(const char *name, struct uns_target *ret_target);

/* doctor_obstacle: rows for what stands in the way.  Returns the first of it
 * as the end of the sentence "cannot be helped: ..."; NULL: nothing does. */
const char *uns_doctor_obstacle(struct uns_patient *patient);

/* UNSTALL, UNSTALL_ONLY or UNSTALL_EXCEPT keep us out of the program that was
 * `called` so and is the file `real`: which ("UNSTALL=off"), or NULL. */
const char *uns_doctor_switch(const struct uns_doctor *doctor,
                              const char *called, const char *real);

/* doctor_curl: how does it come to libcurl?  Rows and verdict. */
void uns_doctor_curl(struct uns_patient *patient);

/* doctor_hosts: the row of the table for a program of that file name, or
 * NULL. */
const struct uns_host_program *uns_doctor_host(const char *name);

/* Its bindings: rows and verdict. */
void uns_doctor_host_examine(struct uns_patient *patient,
                             const struct uns_host_program *host);

#endif
