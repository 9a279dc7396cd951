/* SPDX-License-Identifier: MIT */
/*
 * mock-llm - an LLM server that misbehaves on request, for tests and for
 * trying one's own program.  Not a model and not a proxy.  Invariant: the same
 * request to the same name is answered with the same bytes.
 */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    int port;
    const char *port_file;
    const char *log;
    struct mock_settings settings;
};

static const char usage[] =
    "usage: mock-llm [option...]\n"
    "  --port N         listen on 127.0.0.1:N; 0, the default: any free port\n"
    "  --port-file F    write the port there once it listens\n"
    "  --log F          append what happens, one JSON object a line\n"
    "  --name NAME      in texts, ids and the x-mock header (mock)\n"
    "  --tokens N       tokens of an answer (20)\n"
    "  --interval-ms N  between two of them (0)\n"
    "  --fault LIST     what goes wrong in a request that does not say\n"
    "Faults are described in docs/mock.md.\n";

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "mock-llm: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static double number_of(const char *name, const char *text)
{
    char *end;
    double number = strtod(text, &end);

    if (end == text || *end != '\0' || !(number >= 0))
        fail(name, "wants a number");
    return number;
}

static void check_name(struct mock_str name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    if (name.len == 0 || strspn(name.at, good) != name.len)
        fail("--name", "wants letters, digits, '.', '_' and '-'");
}

static void check_faults(struct mock_str faults)
{
    struct mock_plan plan = {0};
    struct mock_str bad;
    char word[64];

    if (mock_plan_read(&plan, faults, 0, &bad))
        return;
    snprintf(word, sizeof(word), "%.*s", (int)bad.len, bad.at);
    fail("--fault does not know", word);
}

static void apply_option(struct options *options, int c, const char *value)
{
    struct mock_settings *settings = &options->settings;

    switch (c) {
    case 'p':
        options->port = (int)number_of("--port", value);
        break;
    case 'P':
        options->port_file = value;
        break;
    case 'l':
        options->log = value;
        break;
    case 'n':
        settings->name = mock_str_of(value);
        break;
    case 'f':
        settings->faults = mock_str_of(value);
        break;
    case 't':
        settings->tokens = number_of("--tokens", value);
        break;
    case 'i':
        settings->interval_s = number_of("--interval-ms", value) / 1e3;
        break;
    default:
        (void)fputs(usage, c == 'h' ? stdout : stderr);
        exit(c == 'h' ? EXIT_SUCCESS : EXIT_FAILURE);
    }
}

static void parse_options(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'},
        {"port-file", required_argument, NULL, 'P'},
        {"log", required_argument, NULL, 'l'},
        {"name", required_argument, NULL, 'n'},
        {"fault", required_argument, NULL, 'f'},
        {"tokens", required_argument, NULL, 't'},
        {"interval-ms", required_argument, NULL, 'i'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };

    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) >= 0;)
        apply_option(options, c, optarg);
    if (optind < argc)
        fail(argv[optind], "is one argument too many");
    check_name(options->settings.name);
    check_faults(options->settings.faults);
}

/* Under its name only when it is whole: others wait for it. */
static void write_port(const char *path, int port)
{
    char part[4096];
    int len = snprintf(part, sizeof(part), "%s.part", path);
    FILE *file = len < (int)sizeof(part) ? fopen(part, "we") : NULL;

    if (!file || fprintf(file, "%d\n", port) < 0 || fclose(file) != 0 ||
        rename(part, path) != 0)
        fail(path, strerror(errno));
}

int main(int argc, char **argv)
{
    struct options options = {
        .settings = {.name = {"mock", 4}, .tokens = 20},
    };
    struct mock_shared shared = {.log = {.fd = -1}};
    int port;

    parse_options(&options, argc, argv);
    shared.settings = options.settings;
    shared.log.epoch_ns = mock_timer_now();
    if (options.log) {
        shared.log.fd =
            open(options.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (shared.log.fd < 0)
            fail(options.log, strerror(errno));
    }
    mock_dialect_init();
    int listener = mock_server_listen(options.port, &port);

    if (listener < 0)
        fail("cannot listen", strerror(errno));
    printf("listening on 127.0.0.1:%d\n", port);
    fflush(stdout);
    if (options.port_file)
        write_port(options.port_file, port);
    if (mock_server_run(&shared, listener) != 0)
        fail("cannot serve", strerror(errno));
    close(listener);
    mock_buf_free(&shared.log.line);
    mock_dialect_done();
    return EXIT_SUCCESS;
}
