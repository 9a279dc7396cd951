/* SPDX-License-Identifier: MIT */
/*
 * plan - the table of faults, and the reader of lists of them.  It decides
 * nothing about bytes on the wire.  Invariant: a word has one meaning,
 * wherever the list was found.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

enum form {
    FORM_FLAG,   /* name */
    FORM_NUMBER, /* name=2.5 */
    FORM_TEXT,   /* name=text */
    FORM_CHOICE, /* name=one of the words */
    FORM_POINT   /* name@tokens or name@tokens=2.5 */
};

/* Whether a healthy request keeps it. */
enum use {
    USE_FAULT,
    USE_SHAPE
};

struct row {
    const char *name;
    enum form form;
    enum use use;
    size_t at;           /* in struct mock_plan; FORM_POINT: the kind */
    const char *choices; /* FORM_CHOICE, in the order of their enum */
};

#define AT(field) offsetof(struct mock_plan, field)

static const char chatters[] = "none,comment,ping,empty,role";
static const char prefills[] = "ignore,accept,echo,refuse";

/* clang-format off */
static const struct row rows[] = {
    {"tokens",         FORM_NUMBER, USE_SHAPE, AT(tokens), NULL},
    {"interval",       FORM_NUMBER, USE_SHAPE, AT(interval_s), NULL},
    {"reasoning",      FORM_NUMBER, USE_SHAPE, AT(reasoning), NULL},
    {"tools",          FORM_FLAG,   USE_SHAPE, AT(tools), NULL},
    {"gzip",           FORM_FLAG,   USE_SHAPE, AT(gzip), NULL},
    {"no-stream",      FORM_FLAG,   USE_SHAPE, AT(no_stream), NULL},
    {"text-of",        FORM_TEXT,   USE_SHAPE, AT(text_of), NULL},
    {"prefill",        FORM_CHOICE, USE_SHAPE, AT(prefill), prefills},
    {"times",          FORM_NUMBER, USE_SHAPE, AT(times), NULL},
    {"every",          FORM_NUMBER, USE_SHAPE, AT(every), NULL},
    {"silent",         FORM_FLAG,   USE_FAULT, AT(silent), NULL},
    {"reset",          FORM_FLAG,   USE_FAULT, AT(reset), NULL},
    {"headers-late",   FORM_NUMBER, USE_FAULT, AT(headers_late_s), NULL},
    {"first-late",     FORM_NUMBER, USE_FAULT, AT(first_late_s), NULL},
    {"silent-after-headers",
                       FORM_FLAG,   USE_FAULT, AT(silent_after_headers), NULL},
    {"status",         FORM_NUMBER, USE_FAULT, AT(status), NULL},
    {"retry-after",    FORM_NUMBER, USE_FAULT, AT(retry_after_s), NULL},
    {"retry-after-ms", FORM_NUMBER, USE_FAULT, AT(retry_after_ms), NULL},
    {"code",           FORM_TEXT,   USE_FAULT, AT(code), NULL},
    {"redirect",       FORM_TEXT,   USE_FAULT, AT(redirect), NULL},
    {"http100",        FORM_FLAG,   USE_FAULT, AT(early_hints), NULL},
    {"error-first",    FORM_FLAG,   USE_FAULT, AT(error_first), NULL},
    {"drip",           FORM_NUMBER, USE_FAULT, AT(drip_s), NULL},
    {"chatter",        FORM_CHOICE, USE_FAULT, AT(chatter), chatters},
    {"no-end",         FORM_FLAG,   USE_FAULT, AT(no_end), NULL},
    {"no-done",        FORM_FLAG,   USE_FAULT, AT(no_done), NULL},
    {"hang-after-done",
                       FORM_FLAG,   USE_FAULT, AT(hang), NULL},
    {"stall",          FORM_POINT,  USE_FAULT, MOCK_POINT_STALL, NULL},
    {"cut",            FORM_POINT,  USE_FAULT, MOCK_POINT_CUT, NULL},
    {"reset",          FORM_POINT,  USE_FAULT, MOCK_POINT_RESET, NULL},
    {"error",          FORM_POINT,  USE_FAULT, MOCK_POINT_ERROR, NULL},
    {"malformed",      FORM_POINT,  USE_FAULT, MOCK_POINT_MALFORMED, NULL},
    {"huge",           FORM_POINT,  USE_FAULT, MOCK_POINT_HUGE, NULL},
    {"split",          FORM_NUMBER, USE_FAULT, AT(split), NULL},
    {"chunk-split",    FORM_FLAG,   USE_FAULT, AT(chunk_split), NULL},
    {"close",          FORM_FLAG,   USE_FAULT, AT(close), NULL},
    {"trailer",        FORM_FLAG,   USE_FAULT, AT(trailer), NULL},
};

/* clang-format on */

/* One word of a list, taken apart. */
struct word {
    struct mock_str name;
    struct mock_str after; /* behind '@' */
    struct mock_str value; /* behind '=' */
};

static struct word word_of(struct mock_str text)
{
    struct word word = {0};

    word.after = mock_str_cut(&text, '=');
    word.value = text;
    word.name = mock_str_cut(&word.after, '@');
    return word;
}

static const struct row *row_of(const struct word *word)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (mock_str_is(word->name, rows[i].name) &&
            (rows[i].form == FORM_POINT) == (word->after.at != NULL))
            return &rows[i];
    return NULL;
}

static bool number_of(struct mock_str text, double *ret_number)
{
    char copy[32] = "";
    char *end;

    if (text.len == 0 || text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.at, text.len);
    double number = strtod(copy, &end);

    if (*end != '\0' || !(number >= 0))
        return false;
    *ret_number = number;
    return true;
}

static bool choice_of(struct mock_str text, const char *choices,
                      int *ret_choice)
{
    struct mock_str rest = mock_str_of(choices);

    for (int i = 0; rest.len > 0; i++) {
        struct mock_str choice = mock_str_cut(&rest, ',');

        if (choice.len == text.len &&
            memcmp(choice.at, text.at, text.len) == 0) {
            *ret_choice = i;
            return true;
        }
    }
    return false;
}

static bool add_point(struct mock_plan *plan, enum mock_point_kind kind,
                      const struct word *word)
{
    struct mock_point point = {.kind = kind};
    double after;

    if (plan->point_count == MOCK_PLAN_POINTS ||
        !number_of(word->after, &after))
        return false;
    if (word->value.at && !number_of(word->value, &point.value))
        return false;
    point.after = (int64_t)after;
    plan->points[plan->point_count++] = point;
    return true;
}

static bool apply(struct mock_plan *plan, const struct row *row,
                  const struct word *word)
{
    char *field = (char *)plan + row->at;

    switch (row->form) {
    case FORM_FLAG:
        *(bool *)(void *)field = true;
        return word->value.at == NULL;
    case FORM_NUMBER:
        return number_of(word->value, (double *)(void *)field);
    case FORM_TEXT:
        *(struct mock_str *)(void *)field = word->value;
        return word->value.len > 0;
    case FORM_CHOICE:
        return choice_of(word->value, row->choices, (int *)(void *)field);
    case FORM_POINT:
        return add_point(plan, (enum mock_point_kind)row->at, word);
    }
    return false;
}

/* The words that are short for others, or say nothing. */
static bool apply_alias(struct mock_plan *plan, const struct word *word)
{
    if (mock_str_is(word->name, "once"))
        plan->times = 1;
    return mock_str_is(word->name, "once") || mock_str_is(word->name, "none") ||
           word->name.len == 0;
}

static bool read_words(struct mock_plan *plan, struct mock_str list,
                       bool healthy, struct mock_str *ret_bad)
{
    while (list.len > 0) {
        struct mock_str text = mock_str_cut(&list, ',');
        struct word word = word_of(text);
        const struct row *row = row_of(&word);

        if (row && healthy && row->use == USE_FAULT)
            continue;
        if (row ? apply(plan, row, &word) : apply_alias(plan, &word))
            continue;
        *ret_bad = text;
        return false;
    }
    return true;
}

static bool is_spared(const struct mock_plan *plan, uint64_t nth)
{
    if (plan->times > 0 && nth > (uint64_t)plan->times)
        return true;
    return plan->every >= 1 && nth % (uint64_t)plan->every != 0;
}

bool mock_plan_read(struct mock_plan *plan, struct mock_str list, uint64_t nth,
                    struct mock_str *ret_bad)
{
    struct mock_plan before = *plan;

    if (!read_words(plan, list, false, ret_bad))
        return false;
    if (!is_spared(plan, nth))
        return true;
    *plan = before;
    return read_words(plan, list, true, ret_bad);
}

bool mock_plan_is_counted(struct mock_str list)
{
    struct mock_plan plan = {0};
    struct mock_str bad;

    return read_words(&plan, list, false, &bad) &&
           (plan.times > 0 || plan.every > 0);
}
