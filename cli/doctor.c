/* SPDX-License-Identifier: MIT */
/* doctor - `unstall doctor [PROGRAM|PID]`: picks the examination, and prints
 * what it found. */
#include "doctor.h"

#include "run.h"

#include <errno.h>
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
        uns_findings_json(&doctor->findings, uns_doctor_word(doctor->verdict));
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
        code = uns_doctor_code(doctor->verdict);
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
