/* SPDX-License-Identifier: MIT */
/* findings - keeps the rows, and prints them in one column of names and one of
 * wrapped text: four columns side by side would leave none wide enough. */
#include "findings.h"

#include "cli.h"
#include "json.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 17 /* where the texts begin: 4 for the mark, 13 for the name */

static const struct {
    const char *name;
    const char *mark, *ascii;
    enum uns_hue hue;
} levels[UNS_LEVEL_COUNT] = {
    [UNS_LEVEL_NOTE] = {"note", " ",   " ", UNS_HUE_PLAIN},
    [UNS_LEVEL_GOOD] = {"good", "✓", "+", UNS_HUE_GOOD },
    [UNS_LEVEL_WARN] = {"warn", "!",   "!", UNS_HUE_WARN },
    [UNS_LEVEL_BAD] = {"bad",  "✗", "x", UNS_HUE_BAD  },
};

static void clear(struct uns_finding *finding)
{
    free(finding->found);
    free(finding->means);
    free(finding->todo);
    *finding = (struct uns_finding){0};
}

struct uns_finding *uns_findings_add(struct uns_findings *findings,
                                     enum uns_level level, const char *what)
{
    struct uns_finding *row = &findings->list[findings->count];

    if (findings->count < UNS_FINDINGS)
        findings->count++;
    else
        clear(row);
    row->level = level;
    row->what = what;
    return row;
}

void uns_findings_say(char **text, const char *format, ...)
{
    va_list args;

    free(*text);
    va_start(args, format);
    if (vasprintf(text, format, args) < 0)
        *text = NULL;
    va_end(args);
}

void uns_findings_clear(struct uns_findings *findings)
{
    free(findings->sentence);
    for (size_t i = 0; i <= UNS_FINDINGS; i++)
        clear(&findings->list[i]);
    *findings = (struct uns_findings){0};
}

/* Wrapped, and safe for a terminal: file names are anybody's. */
static void print_text(const char *text, int indent, bool utf8)
{
    size_t cap = UNS_TEXT_CLEAN_BYTES(strlen(text));
    char *clean = malloc(cap);

    if (clean == NULL)
        return;
    uns_cli_wrap(uns_text_clean(clean, cap, text, utf8), indent);
    free(clean);
}

static void hue(const struct uns_term *term, enum uns_hue hue)
{
    if (term->color)
        fputs(uns_term_hue(hue), stdout);
}

static void print_line(const char *lead, const char *text,
                       const struct uns_term *term)
{
    int indent = INDENT + uns_text_columns(lead);

    if (text == NULL)
        return;
    printf("%*s%s", INDENT, "", lead);
    print_text(text, indent, term->utf8);
}

static void print_row(const struct uns_finding *row,
                      const struct uns_term *term)
{
    hue(term, levels[row->level].hue);
    printf("  %s ",
           term->utf8 ? levels[row->level].mark : levels[row->level].ascii);
    hue(term, UNS_HUE_PLAIN);
    printf("%-13s", row->what);
    print_text(row->found ? row->found : "", INDENT, term->utf8);
    print_line("", row->means, term);
    print_line(term->utf8 ? "→ " : "> ", row->todo, term);
}

void uns_findings_print(const struct uns_findings *findings,
                        const struct uns_term *term)
{
    hue(term, UNS_HUE_BOLD);
    print_text(findings->sentence ? findings->sentence : "", 0, term->utf8);
    hue(term, UNS_HUE_PLAIN);
    putchar('\n');
    for (size_t i = 0; i < findings->count; i++)
        print_row(&findings->list[i], term);
}

static void put_member(const char *before, const char *name, const char *text)
{
    printf("%s\"%s\": ", before, name);
    if (text != NULL)
        uns_json_text(stdout, text);
    else
        fputs("null", stdout);
}

void uns_findings_json(const struct uns_findings *findings, const char *verdict)
{
    put_member("{", "verdict", verdict);
    put_member(", ", "sentence", findings->sentence);
    fputs(", \"findings\": [", stdout);
    for (size_t i = 0; i < findings->count; i++) {
        const struct uns_finding *row = &findings->list[i];

        put_member(i ? ",\n  {" : "\n  {", "what", row->what);
        put_member(", ", "level", levels[row->level].name);
        put_member(", ", "found", row->found);
        put_member(", ", "means", row->means);
        put_member(", ", "do", row->todo);
        putchar('}');
    }
    fputs("]}\n", stdout);
}
