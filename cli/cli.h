/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_H
#define UNS_CLI_H

/*
 * cli - the frame of the program `unstall`: its table of subcommands, and the
 * one parser of options that all of them use.  A command is a row in
 * commands.def, a file cli/NAME.c, a struct that begins with uns_common, and a
 * table of options that write into it.
 *
 * Exit codes: 0 done; 1 it could not be done; 2 a wrong command line or
 * configuration.
 */

#include <stdbool.h>
#include <stddef.h>

#define UNS_EXIT_OK     0
#define UNS_EXIT_FAILED 1
#define UNS_EXIT_USAGE  2

/* int uns_cmd_NAME(int argc, char **argv), argv[0] being the command's name.
 * Returns the exit code. */
#define COMMAND(name, summary) int uns_cmd_##name(int argc, char **argv);
#include "commands.def"
#undef COMMAND

/* What every command takes; the first member of its struct of options. */
struct uns_common {
    const char *command; /* its name, from uns_args_parse() on */
    bool json;           /* --json: for programs instead of people */
    const char *db;      /* --db FILE; NULL: as configured */
    const char *config;  /* --config FILE; NULL: the documented places */
};

/* One option.  A flag sets the bool at `offset` of the command's struct, one
 * with an argument the `const char *` there (borrowed from argv; the last one
 * wins), unless `take` is given, which then gets each value in turn. */
struct uns_cli_option {
    const char *name;     /* "after" is --after */
    const char *argument; /* what its value is called; NULL: a flag */
    const char *help;     /* a sentence; it is wrapped when printed */
    size_t offset;

    /* False: the value is wrong, and it has told so (uns_args_fail). */
    bool (*take)(void *into, const struct uns_cli_option *option,
                 const char *value);
};

/* How a command is called: makes its --help. */
struct uns_usage {
    const char *command;  /* "run" */
    const char *operands; /* "[options] -- PROGRAM [ARGUMENT...]" */
    const char *about;    /* a paragraph, wrapped when printed; or NULL */
    const char *example;  /* a command line; or NULL */
    const struct uns_cli_option *options;
    size_t option_count;
    bool program; /* the first operand ends the options: the rest is a
                     program's command line */
};

/* Parse argv into the struct `into`.  Returns how many operands there are:
 * they have become argv[1]... (NULL-terminated).  -1: the command ends here
 * with *ret_exit, after --help or a mistake that has been told. */
int uns_args_parse(const struct uns_usage *usage, int argc, char **argv,
                   void *into, int *ret_exit);

/* The same for a command that takes no operands. */
bool uns_args_options(const struct uns_usage *usage, int argc, char **argv,
                      void *into, int *ret_exit);

/* "unstall COMMAND: message" and where to find help, on stderr.  Returns
 * UNS_EXIT_USAGE. */
int uns_args_fail(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print `text` wrapped to 78 columns; all lines start in column `indent`, the
 * first being there already. */
void uns_cli_wrap(const char *text, int indent);

/* The same for a list: its lines end behind commas where they can, so that no
 * number is apart from its unit. */
void uns_cli_wrap_list(const char *text, int indent);

#endif
