/* SPDX-License-Identifier: MIT */
/* How bodies are cut into events: each case whole, cut in two at every byte,
 * and byte by byte. */
#include "check.h"
#include "core/frame.h"

#include <stdio.h>

/* Tokens as text: L a line, its data as it is, E an event with its name, C a
 * comment, A again.  What a reader of unframed JSON would do is done, too. */
struct script {
    char text[2000];
    size_t len;
    int depth; /* of unframed JSON, without strings */
};

static void say(struct script *script, const char *text, size_t len)
{
    assert_true(script->len + len < sizeof script->text);
    memcpy(script->text + script->len, text, len);
    script->len += len;
    script->text[script->len] = '\0';
}

static bool unframed(const struct uns_frame *frame)
{
    return frame->bare || frame->framing == UNS_FRAMING_ARRAY ||
           frame->framing == UNS_FRAMING_DOCUMENT;
}

/* Find the end of the JSON, and give back what follows. */
static void read_json(struct uns_frame *frame, struct script *script,
                      struct uns_slice *input, struct uns_slice data)
{
    for (size_t i = 0; i < data.len; i++) {
        script->depth += data.data[i] == '{';
        script->depth -= data.data[i] == '}';
        if (data.data[i] != '}' || script->depth != 0)
            continue;
        say(script, data.data, i + 1);
        say(script, ";", 1);
        uns_frame_close(frame);
        input->data = data.data + i + 1;
        input->len += data.len - i - 1;
        return;
    }
    say(script, data.data, data.len);
}

static void on_token(struct uns_frame *frame, struct script *script,
                     enum uns_token token, struct uns_slice *input,
                     struct uns_slice data)
{
    switch (token) {
    case UNS_TOKEN_LINE:
        say(script, "L", 1);
        break;
    case UNS_TOKEN_DATA:
        if (unframed(frame))
            read_json(frame, script, input, data);
        else
            say(script, data.data, data.len);
        break;
    case UNS_TOKEN_EVENT:
        say(script, "E", 1);
        say(script, frame->name, frame->name_len);
        say(script, ";", 1);
        uns_frame_break(frame);
        break;
    case UNS_TOKEN_COMMENT:
        say(script, "C", 1);
        break;
    case UNS_TOKEN_AGAIN:
        say(script, "A", 1);
        break;
    default:
        break;
    }
}

static void feed(struct uns_frame *frame, struct script *script,
                 const char *bytes, size_t len)
{
    struct uns_slice input = {bytes, len}, data = {bytes, 0};

    while (input.len != 0) {
        enum uns_token token = uns_frame_next(frame, &input, &data);
        on_token(frame, script, token, &input, data);
    }
}

enum told {
    TOLD_NOT,
    TOLD_SSE,
    TOLD_LINES
};

static void begin(struct uns_frame *frame, struct script *script,
                  enum told told)
{
    *script = (struct script){.len = 0};
    uns_frame_init(frame, told == TOLD_SSE,
                   told == TOLD_LINES ? UNS_FRAMING_NDJSON
                                      : UNS_FRAMING_DOCUMENT,
                   UNS_FRAMING_ARRAY);
}

static void check(const char *name, const char *body, enum told told,
                  const char *want)
{
    struct uns_frame frame;
    struct script script;
    size_t len = strlen(body);

    for (size_t cut = 0; cut <= len; cut++) {
        begin(&frame, &script, told);
        feed(&frame, &script, body, cut);
        feed(&frame, &script, body + cut, len - cut);
        CHECK_TEXT(name, script.text, want);
    }
    begin(&frame, &script, told);
    for (size_t at = 0; at < len; at++)
        feed(&frame, &script, body + at, 1);
    CHECK_TEXT(name, script.text, want);
}

struct row {
    const char *name, *body, *want;
};

static void check_rows(const struct row *rows, size_t count, enum told told)
{
    for (size_t i = 0; i < count; i++)
        check(rows[i].name, rows[i].body, told, rows[i].want);
}

static void test_frame_follows_the_standard(void **state)
{
    static const struct row rows[] = {
        {"LF", "data: a\n\ndata: b\n\n", "LaE;LbE;"},
        {"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "LaE;LbE;"},
        {"CR", "data: a\r\rdata: b\r\r", "LaE;LbE;"},
        {"mixed ends", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", "LaE;LbE;LcE;"},
        {"CR, then LF LF", "data: a\r\n\ndata: b\n\n", "LaE;LbE;"},
        {"CR ends a line at once", "data: a\r\r", "LaE;"},
        {"only CR and LF end lines", "data: a\xE2\x80\xA8\xC2\x85\v\f b\n\n",
         "La\xE2\x80\xA8\xC2\x85\v\f bE;"},
        {"no space", "data:a\n\n", "LaE;"},
        {"one space is dropped", "data:  a\n\n", "L aE;"},
        {"a tab is not", "data:\ta\n\n", "L\taE;"},
        {"lines", "data: a\ndata: b\n\n", "LaLbE;"},
        {"lines with CRLF", "data: a\r\ndata: b\r\n\r\n", "LaLbE;"},
        {"name", "event: x\ndata: a\n\ndata: b\n\n", "LaEx;LbE;"},
        {"name after data", "data: a\nevent: x\n\ndata: b\n\n", "LaEx;LbE;"},
        {"last name", "event: x\nevent: y\ndata: a\n\n", "LaEy;"},
        {"name without data", "event: x\n\ndata: a\n\n", "LaE;"},
        {"empty name", "event\ndata: a\n\n", "LaE;"},
        {"name with a colon", "event:x:y\ndata:a\n\n", "LaEx:y;"},
        {"comment", ": c\n\ndata: a\n\n:\n", "CLaE;C"},
        {"comment inside an event", "event: x\n: c\ndata: a\n: d\n\n", "LaEx;"},
        {"comments in a row", ":a\n:b\n\n", "CC"},
        {"other fields",
         "id: 1\nretry: 5\nfoo: bar\nid\nDATA: x\n\ndata: a\n\n", "LaE;"},
        {"field names are exact", "data : a\n data: b\ndatum: c\ndat: d\n\n",
         ""},
        {"field without a colon", "data\n\n", "LE;"},
        {"empty data", "data:\n\n", "LE;"},
        {"empty lines of data", "data:\ndata:\n\n", "LLE;"},
        {"blank lines", "\n\n\r\n\ndata: a\n\n\n\n", "LaE;"},
        {"no end", "data: a\n\ndata: b", "LaE;Lb"},
        {"byte order mark",
         "\xEF\xBB\xBF"
         "data: a\n\n",
         "LaE;"},
        {"a second mark",
         "\xEF\xBB\xBF\xEF\xBB\xBF"
         "data: a\n\ndata: b\n\n",
         "LbE;"},
        {"a mark inside",
         "data: a\n\n\xEF\xBB\xBF"
         "data: b\n\ndata: c\n\n",
         "LaE;LcE;"},
        {"data: in data", "data: data: a\n\n", "Ldata: aE;"},
    };

    (void)state;
    check_rows(rows, ROWS(rows), TOLD_NOT);
    check_rows(rows, ROWS(rows), TOLD_SSE);
}

static void test_frame_bears_what_servers_get_wrong(void **state)
{
    static const struct row rows[] = {
        {"error field", "data: a\n\nerror: {x}\n\ndata: b\n\n",
         "LaE;L{x}Eerror;LbE;"},
        {"event again", "event: x\ndata: a\nevent: y\ndata: b\n\n", "LaALbEy;"},
        {"bare JSON", "data: a\n\n{\n \"x\": {}\n}\ndata: b\n\n",
         "LaE;L{L \"x\": {}L};LbE;"},
        {"bare JSON, rest of its line", "data: a\n\n{}, junk\ndata: b\n\n",
         "LaE;L{};LbE;"},
        {"bare, then comment", "data: a\n\n{}\n: c\n", "LaE;L{};C"},
        {"no blank line", "data: a\n{x}\n\n", "LaE;"},
    };

    (void)state;
    check_rows(rows, ROWS(rows), TOLD_NOT);
    check_rows(rows, ROWS(rows), TOLD_SSE);
}

static void test_frame_cuts_lines_of_json(void **state)
{
    static const struct row rows[] = {
        {"lines", "{a}\n{b}\n", "L{a}E;L{b}E;"},
        {"CRLF", "{a}\r\n{b}\r\n", "L{a}E;L{b}E;"},
        {"blank lines", "\n{a}\n\n\r\n{b}\n", "L{a}E;L{b}E;"},
        {"no end", "{a}\n{b}", "L{a}E;L{b}"},
        {"not JSON", "{a}\noops\n", "L{a}E;LoopsE;"},
    };

    (void)state;
    check_rows(rows, ROWS(rows), TOLD_LINES);
}

static void test_frame_cuts_arrays_and_documents(void **state)
{
    static const struct row rows[] = {
        {"array", "[{a{}}\n,\r\n{b}]\n", "L{a{}};L{b};"},
        {"array, tight", "[{a},{b}]", "L{a};L{b};"},
        {"array of nothing", "[]", ""},
        {"document", "\n {a{}}\n{b}\n", "L{a{}};"},
    };

    (void)state;
    check_rows(rows, ROWS(rows), TOLD_NOT);
}

static void test_frame_gives_up_what_it_does_not_know(void **state)
{
    static const struct row rows[] = {
        {"HTML", "<html>\ndata: a\n\n", ""},
        {"prose", "Bad gateway\n: c\n{x}\n", ""},
        {"prose, then a stream", "hello\ndata: a\n\n: c\n", "LaE;C"},
        {"nothing", "", ""},
    };

    (void)state;
    check_rows(rows, ROWS(rows), TOLD_NOT);
}

static void test_frame_cuts_a_long_name_but_no_data(void **state)
{
    static char body[40000];
    struct uns_frame frame;
    struct uns_slice input = {body, 0}, data = {body, 0};
    size_t seen = 0;

    (void)state;
    memset(body, 'x', sizeof body);
    memcpy(body, "event: ", 7);
    memcpy(body + 9000, "\ndata: ", 7);
    memcpy(body + sizeof body - 2, "\n\n", 2);
    input.len = sizeof body;
    uns_frame_init(&frame, false, UNS_FRAMING_DOCUMENT, UNS_FRAMING_ARRAY);
    for (enum uns_token token = UNS_TOKEN_MORE; token != UNS_TOKEN_EVENT;) {
        token = uns_frame_next(&frame, &input, &data);
        seen += token == UNS_TOKEN_DATA ? data.len : 0;
    }
    CHECK_INT("name", frame.name_len, UNS_FRAME_NAME_BYTES);
    CHECK_INT("data", seen, sizeof body - 9000 - 7 - 2);
}

/* `told` bodies may begin with an error field; others could be prose. */
static void test_frame_is_unsure_of_an_error_field_alone(void **state)
{
    struct uns_frame frame;
    struct script script;

    (void)state;
    begin(&frame, &script, TOLD_NOT);
    feed(&frame, &script, "error: x\n", 9);
    CHECK_INT("not told", frame.sure, false);
    begin(&frame, &script, TOLD_SSE);
    feed(&frame, &script, "error: x\n", 9);
    CHECK_INT("told", frame.sure, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_follows_the_standard),
        cmocka_unit_test(test_frame_bears_what_servers_get_wrong),
        cmocka_unit_test(test_frame_cuts_lines_of_json),
        cmocka_unit_test(test_frame_cuts_arrays_and_documents),
        cmocka_unit_test(test_frame_gives_up_what_it_does_not_know),
        cmocka_unit_test(test_frame_cuts_a_long_name_but_no_data),
        cmocka_unit_test(test_frame_is_unsure_of_an_error_field_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
