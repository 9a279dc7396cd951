/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_WIRE_ROWS_H
#define UNS_TESTS_WIRE_ROWS_H

/* Rows of "this body means that", each tried whole and cut at every byte. */

#include "wire_watch.h"

struct wire_row {
    const char *name;
    const char *body;
    int content, structural, keepalives;
    const char *finish, *error, *end; /* "" for none */
    const char *text[UNS_KIND_COUNT]; /* NULL: none */
};

/* Shorthands of the tables: one event of server-sent events. */
#define EV(json)          "data: " json "\n\n"
#define NAMED(name, json) "event: " name "\ndata: " json "\n\n"
#define DONE              EV("[DONE]")

static inline void wire_row_cuts(const struct wire_row *row,
                                 const struct watch_body *body,
                                 const struct watch *whole)
{
    static struct watch cut;

    for (size_t at = 0; at <= body->len; at++) {
        watch_pieces(&cut, body, at, body->len);
        watch_same(row->name, &cut, whole);
    }
    watch_pieces(&cut, body, 0, 1);
    watch_same(row->name, &cut, whole);
}

static inline void wire_row_check(const struct wire_row *row,
                                  struct watch_body body)
{
    static struct watch got;

    body.bytes = row->body;
    body.len = strlen(row->body);
    watch_whole(&got, &body);
    CHECK_INT(row->name, got.stream.content, row->content);
    CHECK_INT(row->name, got.stream.structural, row->structural);
    CHECK_INT(row->name, got.stream.keepalives, row->keepalives);
    CHECK_TEXT(row->name, got.stream.finish, row->finish);
    CHECK_TEXT(row->name, watch_error(&got), row->error);
    CHECK_TEXT(row->name, watch_end_word(&got), row->end);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++)
        CHECK_TEXT(row->name, got.text[kind],
                   row->text[kind] ? row->text[kind] : "");
    wire_row_cuts(row, &body, &got);
}

static inline void wire_rows_check(const struct wire_row *rows, size_t count,
                                   enum uns_dialect dialect)
{
    for (size_t i = 0; i < count; i++)
        wire_row_check(&rows[i], (struct watch_body){.dialect = dialect});
}

#endif
