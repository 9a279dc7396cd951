/* SPDX-License-Identifier: MIT */
/* select - parses the filters' values and binds them. */
#include "select.h"

#include "text.h"
#include "when.h"

#include <stdio.h>
#include <string.h>

static const char *command_of(const void *into)
{
    return ((const struct uns_common *)into)->command;
}

bool uns_select_take_when(void *into, const struct uns_cli_option *option,
                          const char *value)
{
    int64_t at_us;

    if (!uns_when_parse(value, uns_when_now(), &at_us))
        return uns_args_fail(command_of(into),
                             "--%s %s: neither a span (90s, 15m, 2h, 7d) nor "
                             "a time (2026-07-30, \"2026-07-30 14:03\", 14:03)",
                             option->name, value),
               false;
    memcpy((char *)into + option->offset, &at_us, sizeof at_us);
    return true;
}

/* The options that take one of a few words. */
static const struct {
    const char *option, *words[8];
} choices[] = {
    {"outcome",
     {"ok", "refused", "failed", "truncated", "timeout", "aborted", "killed"}},
    {"mode",    {"observe", "shadow", "hedge"}                               },
    {"arm",     {"control", "treatment"}                                     },
};

static const char *const *words_of(const char *option)
{
    size_t i = 0;

    while (strcmp(choices[i].option, option) != 0)
        i++;
    return choices[i].words;
}

bool uns_select_take_word(void *into, const struct uns_cli_option *option,
                          const char *value)
{
    const char *const *words = words_of(option->name);
    char list[128] = "";

    for (size_t i = 0; words[i] != NULL; i++) {
        size_t used = strlen(list);

        if (strcmp(value, words[i]) == 0) {
            memcpy((char *)into + option->offset, &words[i], sizeof words[i]);
            return true;
        }
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                 words[i]);
    }
    return uns_args_fail(command_of(into), "--%s %s: it is one of %s",
                         option->name, value, list),
           false;
}

/* A parameter that the statement does not have is index 0: refused, no harm. */
static int index_of(sqlite3_stmt *stmt, const char *name)
{
    return sqlite3_bind_parameter_index(stmt, name);
}

static void bind_texts(sqlite3_stmt *stmt, const struct uns_select *select)
{
    const struct {
        const char *name, *text;
    } texts[] = {
        {":program",    select->program   },
        {":host",       select->host      },
        {":model",      select->model     },
        {":outcome",    select->outcome   },
        {":mode",       select->mode      },
        {":experiment", select->experiment},
        {":arm",        select->arm       },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sqlite3_bind_text(stmt, index_of(stmt, texts[i].name), texts[i].text,
                          -1, SQLITE_STATIC);
}

bool uns_select_is_all(const struct uns_select *select)
{
    const char *const texts[] = {
        select->program, select->host,       select->model, select->outcome,
        select->mode,    select->experiment, select->arm,
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] != NULL)
            return false;
    return select->since_us == UNS_NULL && select->until_us == UNS_NULL &&
           select->after_id == 0 && !select->stalled && !select->hedged &&
           !select->truncated && !select->killed;
}

static void add_word(char words[UNS_SELECT_WORDS], const char *option,
                     const char *value)
{
    size_t used = strlen(words);

    snprintf(words + used, UNS_SELECT_WORDS - used, "%s--%s%s%s",
             used ? " " : "", option, *value ? " " : "", value);
}

static void add_moment(char words[UNS_SELECT_WORDS], const char *option,
                       int64_t at_us)
{
    char moment[UNS_TEXT_TIME];

    if (at_us != UNS_NULL)
        add_word(words, option, uns_text_moment(moment, at_us));
}

void uns_select_terms(const struct uns_select *select,
                      struct uns_select_term ret_terms[UNS_SELECT_TERMS])
{
    const struct uns_select_term terms[UNS_SELECT_TERMS] = {
        {"program",    select->program              },
        {"host",       select->host                 },
        {"model",      select->model                },
        {"outcome",    select->outcome              },
        {"mode",       select->mode                 },
        {"experiment", select->experiment           },
        {"arm",        select->arm                  },
        {"stalled",    select->stalled ? "" : NULL  },
        {"hedged",     select->hedged ? "" : NULL   },
        {"truncated",  select->truncated ? "" : NULL},
        {"killed",     select->killed ? "" : NULL   },
    };

    memcpy(ret_terms, terms, sizeof terms);
}

const char *uns_select_words(const struct uns_select *select,
                             char ret_words[UNS_SELECT_WORDS])
{
    struct uns_select_term terms[UNS_SELECT_TERMS];

    uns_select_terms(select, terms);
    ret_words[0] = '\0';
    add_moment(ret_words, "since", select->since_us);
    add_moment(ret_words, "until", select->until_us);
    for (size_t i = 0; i < UNS_SELECT_TERMS; i++)
        if (terms[i].value != NULL)
            add_word(ret_words, terms[i].option, terms[i].value);
    return ret_words;
}

sqlite3_stmt *uns_select_prepare(sqlite3 *db, const char *sql,
                                 const struct uns_select *select)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return NULL;
    if (select->since_us != UNS_NULL)
        sqlite3_bind_int64(stmt, index_of(stmt, ":since_us"), select->since_us);
    if (select->until_us != UNS_NULL)
        sqlite3_bind_int64(stmt, index_of(stmt, ":until_us"), select->until_us);
    sqlite3_bind_int64(stmt, index_of(stmt, ":after_id"), select->after_id);
    bind_texts(stmt, select);
    sqlite3_bind_int(stmt, index_of(stmt, ":stalled"), select->stalled);
    sqlite3_bind_int(stmt, index_of(stmt, ":hedged"), select->hedged);
    sqlite3_bind_int(stmt, index_of(stmt, ":truncated"), select->truncated);
    sqlite3_bind_int(stmt, index_of(stmt, ":killed"), select->killed);
    return stmt;
}
