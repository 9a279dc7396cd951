/* SPDX-License-Identifier: MIT */
/* doctor_verdict - what an examination comes to, in words and exit codes. */
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;   /* for --json */
    const char *phrase; /* "NAME will be helped: ..." */
    int code;
} verdicts[UNS_DOCTOR_COUNT] = {
  /* clang-format off */
    [UNS_DOCTOR_HELPED] =
        {"helped",   " will be helped: ",   UNS_EXIT_OK},
    [UNS_DOCTOR_POSSIBLE] =
        {"possible", " may be helped: ",    UNS_EXIT_OK},
    [UNS_DOCTOR_CANNOT] =
        {"cannot",   " cannot be helped: ", UNS_EXIT_FAILED},
    [UNS_DOCTOR_UNKNOWN] =
        {"unknown",  ": whether it can be helped is unknown: ",
         UNS_EXIT_FAILED},
    [UNS_DOCTOR_LIVE] =
        {"live",     " is helped: ",        UNS_EXIT_OK},
    [UNS_DOCTOR_IDLE] =
        {"idle",     " is not helped: ",    UNS_EXIT_FAILED},
    [UNS_DOCTOR_READY] =
        {"ready",    "",                    UNS_EXIT_OK},
    [UNS_DOCTOR_BROKEN] =
        {"broken",   "",                    UNS_EXIT_FAILED},
  /* clang-format on */
};

const char *uns_doctor_word(enum uns_doctor_verdict verdict)
{
    return verdicts[verdict].word;
}

int uns_doctor_code(enum uns_doctor_verdict verdict)
{
    return verdicts[verdict].code;
}

const char *uns_doctor_getenv(const struct uns_doctor *doctor, const char *name)
{
    size_t len = strlen(name);

    for (char *const *at = doctor->environment; at && *at; at++)
        if (strncmp(*at, name, len) == 0 && (*at)[len] == '=')
            return *at + len + 1;
    return NULL;
}

void uns_doctor_judge(struct uns_doctor *doctor,
                      enum uns_doctor_verdict verdict, const char *format, ...)
{
    char *because = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&because, format, args) < 0)
        because = NULL;
    va_end(args);
    doctor->verdict = verdict;
    uns_findings_say(&doctor->findings.sentence, "%s%s%s.", doctor->subject,
                     verdicts[verdict].phrase, because ? because : "");
    free(because);
}
