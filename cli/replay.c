/* SPDX-License-Identifier: MIT */
/* replay - `unstall replay`: a stall from the field, again in the lab. */
#include "replay.h"

#include "capture.h"
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPEED_MOST 1e6

struct options {
    struct uns_common common;
    unsigned port;
    double speed;
    bool once;
};

static bool take_port(void *into, const struct uns_cli_option *option,
                      const char *value)
{
    char *end;
    unsigned long port;

    errno = 0;
    port = strtoul(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || port > 65535)
        return uns_args_fail("replay", "--%s %s: not a port", option->name,
                             value),
               false;
    ((struct options *)into)->port = (unsigned)port;
    return true;
}

static bool take_speed(void *into, const struct uns_cli_option *option,
                       const char *value)
{
    char *end;
    double speed = strtod(value, &end);

    if (end == value || *end != '\0' || !isfinite(speed) ||
        speed < 1 / SPEED_MOST || speed > SPEED_MOST)
        return uns_args_fail("replay",
                             "--%s %s: not a factor such as 10 or "
                             "0.5",
                             option->name, value),
               false;
    ((struct options *)into)->speed = speed;
    return true;
}

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"port",  "N",  "Listen there; without it, where there is room.",
     0, take_port},
    {"speed", "X",  "So many times as fast as it was: 10, or 0.5.",
     0, take_speed},
    {"once",  NULL, "End after one answer.",
     offsetof(struct options, once), NULL},
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "replay",
    .operands = "[options] FILE",
    .about = "Serves an answer that 'unstall run --capture' has kept, with "
             "the same pieces at the same times, to every GET and POST at "
             "127.0.0.1. Its URL is printed first. What was silent when its "
             "program gave up is silent until the client does.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

static int replay(const char *path, const struct options *options)
{
    struct uns_text text = {0};
    struct uns_tape_text tape;
    int error = uns_capture_load(&text, path), code;
    const char *wrong;

    if (error != 0) {
        fprintf(stderr, "unstall replay: %s: %s\n", path, strerror(error));
        return UNS_EXIT_FAILED;
    }
    wrong = uns_tape_read((struct uns_slice){text.data, text.len}, &tape);
    if (wrong != NULL) {
        fprintf(stderr, "unstall replay: %s: %s\n", path, wrong);
        free(text.data);
        return UNS_EXIT_FAILED;
    }
    code =
        uns_replay_serve(&tape, options->port, options->speed, options->once);
    uns_tape_read_done(&tape);
    free(text.data);
    return code;
}

int uns_cmd_replay(int argc, char **argv)
{
    struct options options = {.speed = 1};
    int code;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);

    if (count < 0)
        return code;
    if (count != 1)
        return uns_args_fail("replay", "one FILE is expected, or -");
    return replay(argv[1], &options);
}
