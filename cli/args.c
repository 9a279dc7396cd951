/* SPDX-License-Identifier: MIT */
/*
 * args - options of a command, from its table: parsing, --help and mistakes.
 * `--name value` and `--name=value` are the same; options and operands mix,
 * unless the operands are a program's command line; `--` ends the options.
 */
#include "cli.h"
#include "core/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  78
#define COLUMN 26 /* where the help of an option starts */

static const struct uns_cli_option common[] = {
    {"json",   NULL,   "Print JSON, for programs.",
     offsetof(struct uns_common, json),   NULL},
    {"db",     "FILE", "The database, instead of the configured one.",
     offsetof(struct uns_common, db),     NULL},
    {"config", "FILE", "The configuration, instead of the usual places.",
     offsetof(struct uns_common, config), NULL},
};

#define COMMON (sizeof common / sizeof *common)

/* What is being parsed, and where in it. */
struct parse {
    const struct uns_usage *usage;
    void *into;
    char **argv; /* rest, NULL-terminated */
};

static const struct uns_cli_option *option_at(const struct uns_usage *usage,
                                              size_t i)
{
    return i < usage->option_count ? &usage->options[i]
                                   : &common[i - usage->option_count];
}

static const char *option_name(const void *usage, size_t i)
{
    return option_at(usage, i)->name;
}

static const struct uns_cli_option *find(const struct uns_usage *usage,
                                         struct uns_slice name)
{
    for (size_t i = 0; i < usage->option_count + COMMON; i++) {
        const struct uns_cli_option *option = option_at(usage, i);

        if (strlen(option->name) == name.len &&
            memcmp(option->name, name.data, name.len) == 0)
            return option;
    }
    return NULL;
}

/* Up to the next blank. */
static size_t next_word(const char *text, size_t room)
{
    (void)room;
    return strcspn(text, " ");
}

/* Up to the next comma, with it, if there is room for that. */
static size_t next_item(const char *text, size_t room)
{
    const char *comma = strstr(text, ", ");
    size_t len = comma ? (size_t)(comma - text) + 1 : strlen(text);

    return len <= room ? len : next_word(text, room);
}

static void wrap(const char *text, int indent,
                 size_t (*next)(const char *text, size_t room))
{
    int column = indent;

    while (*text != '\0') {
        int word = (int)next(text, (size_t)(WIDTH - indent));

        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

void uns_cli_wrap(const char *text, int indent)
{
    wrap(text, indent, next_word);
}

void uns_cli_wrap_list(const char *text, int indent)
{
    wrap(text, indent, next_item);
}

static void print_option(const struct uns_cli_option *option)
{
    int used = printf("  --%s%s%s", option->name, option->argument ? " " : "",
                      option->argument ? option->argument : "");

    if (used > COLUMN - 2) {
        putchar('\n');
        used = 0;
    }
    printf("%*s", COLUMN - used, "");
    uns_cli_wrap(option->help, COLUMN);
}

static void print_help(const struct uns_usage *usage)
{
    printf("Usage: unstall %s %s\n\n", usage->command, usage->operands);
    if (usage->about != NULL) {
        uns_cli_wrap(usage->about, 0);
        putchar('\n');
    }
    for (size_t i = 0; i < usage->option_count + COMMON; i++)
        print_option(option_at(usage, i));
    if (usage->example != NULL)
        printf("\nExample:\n  %s\n", usage->example);
}

int uns_args_fail(const char *command, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "unstall %s: ", command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'unstall help %s'.\n", command);
    return UNS_EXIT_USAGE;
}

static int unknown(const struct uns_usage *usage, struct uns_slice name)
{
    const char *near =
        uns_nearest(name, usage->option_count + COMMON, usage, option_name);

    if (near != NULL)
        return uns_args_fail(usage->command,
                             "no option --%.*s; did you mean --%s?",
                             (int)name.len, name.data, near);
    return uns_args_fail(usage->command, "no option --%.*s", (int)name.len,
                         name.data);
}

static bool store(struct parse *parse, const struct uns_cli_option *option,
                  const char *value)
{
    char *at = (char *)parse->into + option->offset;

    if (option->take != NULL)
        return option->take(parse->into, option, value);
    if (option->argument != NULL)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(bool){true}, sizeof(bool));
    return true;
}

/* The option in argv[0], whose value may be in argv[1].  False: a mistake. */
static bool take_option(struct parse *parse)
{
    const char *text = *parse->argv++ + 2;
    const char *equals = strchr(text, '=');
    struct uns_slice name = {text, strcspn(text, "=")};
    const struct uns_cli_option *option = find(parse->usage, name);
    const char *value = equals ? equals + 1 : NULL;

    if (option == NULL)
        return unknown(parse->usage, name), false;
    if (option->argument == NULL && value != NULL)
        return uns_args_fail(parse->usage->command, "--%s takes no value",
                             option->name),
               false;
    if (option->argument != NULL && value == NULL) {
        value = *parse->argv;
        if (value == NULL)
            return uns_args_fail(parse->usage->command, "--%s needs %s",
                                 option->name, option->argument),
                   false;
        parse->argv++;
    }
    return store(parse, option, value);
}

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

/* Neither option nor mistake: "-" alone is an operand (standard input). */
static bool is_operand(const char *text)
{
    return text[0] != '-' || text[1] == '\0';
}

/* One word of the command line that is no operand.  False: end, with
 * *ret_exit. */
static bool take_word(struct parse *parse, int *ret_exit)
{
    const char *word = *parse->argv;

    if (is_help(word)) {
        print_help(parse->usage);
        *ret_exit = UNS_EXIT_OK;
        return false;
    }
    if (strncmp(word, "--", 2) == 0 && take_option(parse))
        return true;
    *ret_exit = UNS_EXIT_USAGE;
    if (strncmp(word, "--", 2) != 0)
        uns_args_fail(parse->usage->command, "no option %s", word);
    return false;
}

int uns_args_parse(const struct uns_usage *usage, int argc, char **argv,
                   void *into, int *ret_exit)
{
    struct parse parse = {usage, into, argv + (argc > 0)};
    int count = 0;

    ((struct uns_common *)into)->command = usage->command;
    while (*parse.argv != NULL && strcmp(*parse.argv, "--") != 0) {
        if (!is_operand(*parse.argv)) {
            if (!take_word(&parse, ret_exit))
                return -1;
            continue;
        }
        if (usage->program)
            break;
        argv[++count] = *parse.argv++;
    }
    if (*parse.argv != NULL && strcmp(*parse.argv, "--") == 0)
        parse.argv++;
    while (*parse.argv != NULL)
        argv[++count] = *parse.argv++;
    argv[count + 1] = NULL;
    return count;
}

bool uns_args_options(const struct uns_usage *usage, int argc, char **argv,
                      void *into, int *ret_exit)
{
    int count = uns_args_parse(usage, argc, argv, into, ret_exit);

    if (count > 0)
        *ret_exit = uns_args_fail(usage->command, "what is '%s'?", argv[1]);
    return count == 0;
}
