/* SPDX-License-Identifier: MIT */
/*
 * main - picks the subcommand.  What the commands are stands in commands.def;
 * nothing is known here about any of them but its name and its summary.
 */
#include "cli.h"
#include "core/nearest.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} commands[] = {

#define COMMAND(name, summary) {#name, summary, uns_cmd_##name},
#include "commands.def"
#undef COMMAND
};

#define COMMANDS (sizeof commands / sizeof *commands)

static const char *command_name(const void *table, size_t i)
{
    return ((const struct command *)table)[i].name;
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    const char *near = uns_nearest((struct uns_slice){name, strlen(name)},
                                   COMMANDS, commands, command_name);

    fprintf(stderr, "unstall: no command '%s'", name);
    if (near != NULL)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputs("\nTry 'unstall help'.\n", stderr);
    return UNS_EXIT_USAGE;
}

static int list(void)
{
    fputs("unstall " UNS_VERSION
          " - survive slow and stalled LLM streams under any libcurl program\n"
          "\n"
          "Usage: unstall COMMAND [options] [ARGUMENT...]\n\n",
          stdout);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].summary);
    puts("\n'unstall help COMMAND' tells more. The files docs/NAME.md that it "
         "names lie\nin ../share/doc/unstall beside an installed program.");
    return UNS_EXIT_OK;
}

int uns_cmd_help(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2 || argv[1][0] == '-' || strcmp(argv[1], "help") == 0)
        return list();
    command = find(argv[1]);
    if (command == NULL)
        return unknown(argv[1]);
    return command->run(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
}

static int run(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return list();
    if (strcmp(argv[1], "--version") == 0)
        return puts("unstall " UNS_VERSION) < 0;
    command = find(argv[1]);
    if (command == NULL)
        return unknown(argv[1]);
    return command->run(argc - 1, argv + 1);
}

/* That is no fault: it had enough. */
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

static bool output_is_whole(void)
{
    bool whole = !ferror(stdout);

    errno = 0;
    whole = fflush(stdout) == 0 && whole;
    if (whole || errno == EPIPE || reader_left())
        return true;
    fprintf(stderr, "unstall: cannot write the output: %s\n",
            errno != 0 ? strerror(errno) : "some of it is lost");
    return false;
}

int main(int argc, char **argv)
{
    int code = run(argc, argv);

    return output_is_whole() || code != UNS_EXIT_OK ? code : UNS_EXIT_FAILED;
}
