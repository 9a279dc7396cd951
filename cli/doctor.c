/* SPDX-License-Identifier: MIT */
/* doctor - `unstall doctor [PROGRAM|PID]`: picks the examination, and prints
 * what it found. */
#include "doctor.h"

#include "run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct uns_usage usage = {
    .command = "doctor",
    .operands = "[PROGRAM|PID] [options]",
    .about = "Can this program be helped? Reads the program's file without "
             "running it: whether and how it uses libcurl, and what stands in "
             "the way. A number is a running process: whether the preload is "
             "live in it, and what it has recorded. Without an argument: is "
             "the installation sound, are settings, keys and store? The exit "
             "code is 0 if it can be helped, or perhaps, and if all is well.",
};

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

/* clang-format off */
static const struct {
    const char *symbol, *without;
} fronts[] = {
    {"curl_easy_perform",
     "this libunstall.so does not stand in front of curl_easy_perform"},
    {"curl_multi_add_handle",
     "it drives libcurl's multi interface, in front of which this "
     "libunstall.so does not stand"},
    {"dlopen",
     "it may be opened with RTLD_DEEPBIND, and this libunstall.so does not "
     "stand in front of dlopen"},
    {"dlsym",
     "it asks for libcurl's functions by dlsym, in front of which this "
     "libunstall.so does not stand"},
};

/* clang-format on */

const char *uns_doctor_gap(const struct uns_doctor *doctor, const char *symbol)
{
    if (doctor->preload.file.len == 0 ||
        uns_elf_symbol(&doctor->preload.elf, symbol) == UNS_ELF_DEFINED)
        return NULL;
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
        if (strcmp(fronts[i].symbol, symbol) == 0)
            return fronts[i].without;
    return "this libunstall.so does not take part";
}

/* A process, if it is all digits. */
static bool parse_pid(const char *text, pid_t *ret_pid)
{
    char *end;
    long number;

    errno = 0;
    number = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
        number <= 0 || number > INT_MAX)
        return false;
    *ret_pid = (pid_t)number;
    return true;
}

/* False: there is no such thing; told. */
static bool examine(struct uns_doctor *doctor, const char *asked)
{
    struct uns_target target;
    const char *wrong;
    pid_t pid;

    if (asked == NULL) {
        uns_doctor_setup(doctor);
        return true;
    }
    if (parse_pid(asked, &pid))
        return uns_doctor_process(doctor, pid);
    wrong = uns_doctor_target(asked, &target);
    if (wrong != NULL) {
        fprintf(stderr, "unstall doctor: %s: %s\n", asked, wrong);
        return false;
    }
    memcpy(doctor->subject, target.name, sizeof target.name);
    uns_doctor_program(doctor, &target);
    return true;
}

static void print(const struct uns_doctor *doctor)
{
    struct uns_term term = uns_term_stdout();

    if (doctor->common.json)
        uns_findings_json(&doctor->findings, verdicts[doctor->verdict].word);
    else
        uns_findings_print(&doctor->findings, &term);
}

static int doctor_main(struct uns_doctor *doctor, const char *asked)
{
    int code = UNS_EXIT_USAGE;

    doctor->environment = environ;
    if (uns_run_preload_find(doctor->preload_path) &&
        uns_image_open(doctor->preload_path, &doctor->preload) != UNS_OK)
        uns_image_close(&doctor->preload);
    if (examine(doctor, asked)) {
        print(doctor);
        code = verdicts[doctor->verdict].code;
    }
    uns_image_close(&doctor->preload);
    uns_findings_clear(&doctor->findings);
    return code;
}

int uns_cmd_doctor(int argc, char **argv)
{
    struct uns_doctor doctor = {0};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &doctor, &code);

    if (count < 0)
        return code;
    if (count > 1)
        return uns_args_fail("doctor", "one program or process at a time");
    return doctor_main(&doctor, count == 1 ? argv[1] : NULL);
}
