/* SPDX-License-Identifier: MIT */
/* A capture comes from somebody else: it is read as far as it is whole, and
 * not a byte beyond its end. */
#include "check.h"
#include "core/ascii.h"

#include "cli/tape_read.h"

#include <stdlib.h>

#define HEADER                                             \
    "{\"unstall_capture\":1,\"status\":200,\"head_ns\":5," \
    "\"path\":\"/v1/x\",\"headers\":{\"content-type\":\"t/e\"}}\n"

static void test_tape_read_gives_pieces_times_and_end(void **state)
{
    static const struct {
        const char *name, *text;
        size_t pieces;
        enum uns_tape_how how;
        uns_ns end_ns;
    } rows[] = {
        {"a header alone", HEADER, 0, UNS_TAPE_OPEN, 5},
        {"one piece", HEADER "@9 3\nabc\n", 1, UNS_TAPE_OPEN, 9},
        {"a line end in it", HEADER "@9 4\na\n@7\n", 1, UNS_TAPE_OPEN, 9},
        {"an empty one", HEADER "@9 0\n\n@10 1\nx\n", 2, UNS_TAPE_OPEN, 10},
        {"whole", HEADER "@9 3\nabc\n@12 end whole\n", 1, UNS_TAPE_WHOLE, 12},
        {"lost", HEADER "@12 end lost 56\n", 0, UNS_TAPE_LOST, 12},
        {"left", HEADER "@12 end left -1\n", 0, UNS_TAPE_LEFT, 12},
        {"full", HEADER "@12 end full\n", 0, UNS_TAPE_FULL, 12},
        {"behind the end", HEADER "@12 end full\n@99 1\nx\n", 0, UNS_TAPE_FULL,
         12},
        {"cut in a piece", HEADER "@9 3\nabc\n@10 5\nab", 1, UNS_TAPE_OPEN, 10},
        {"cut behind a piece", HEADER "@9 3\nabc\n@10 2\nab", 1, UNS_TAPE_OPEN,
         10},
        {"cut in a line", HEADER "@9 3\nabc\n@1", 1, UNS_TAPE_OPEN, 9},
        {"time runs back", HEADER "@9 1\na\n@2 1\nb\n", 2, UNS_TAPE_OPEN, 9},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_tape_text tape;

        CHECK_TEXT(rows[i].name,
                   uns_tape_read(uns_slice_of(rows[i].text), &tape), NULL);
        CHECK_INT(rows[i].name, tape.pieces, rows[i].pieces);
        CHECK_INT(rows[i].name, tape.how, rows[i].how);
        CHECK_INT(rows[i].name, tape.end_ns, rows[i].end_ns);
        CHECK_INT(rows[i].name, tape.status, 200);
        CHECK_TEXT(rows[i].name, uns_tape_read_word(&tape, "path"), "/v1/x");
        CHECK_TEXT(rows[i].name, uns_tape_read_word(&tape, "none"), NULL);
        CHECK_TEXT(rows[i].name, uns_tape_read_header(&tape, "content-type"),
                   "t/e");
        uns_tape_read_done(&tape);
    }
}

static void test_tape_read_refuses_what_is_none(void **state)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"nothing", ""},
        {"a stream", "data: {}\n\n"},
        {"no line end", "{\"unstall_capture\":1}"},
        {"no JSON", "{\"unstall_capture\":1,\n"},
        {"a later format", "{\"unstall_capture\":2}\n"},
        {"a wild status", "{\"unstall_capture\":1,\"status\":1e99}\n"},
        {"a negative one", "{\"unstall_capture\":1,\"status\":-200}\n"},
        {"no time", HEADER "abc\n"},
        {"an empty time", HEADER "@ 3\nabc\n"},
        {"a negative time", HEADER "@-1 3\nabc\n"},
        {"a time too far", HEADER "@99999999999999999999 3\nabc\n"},
        {"no length", HEADER "@1\nabc\n"},
        {"a wild length", HEADER "@1 3x\nabc\n"},
        {"a length too far", HEADER "@1 99999999999999999999\nabc\n"},
        {"an unknown end", HEADER "@1 end well\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_tape_text tape;

        if (uns_tape_read(uns_slice_of(rows[i].text), &tape) == NULL)
            fail_msg("%s: it was read", rows[i].name);
    }
}

/* Every beginning of a file, at the end of its memory. */
static void test_tape_read_stays_inside_its_text(void **state)
{
    static const char text[] = HEADER "@9 3\nabc\n@10 0\n\n@12 end lost 56\n";

    (void)state;
    for (size_t len = 0; len < sizeof text; len++) {
        char *copy = malloc(len + (len == 0));
        struct uns_tape_text tape;

        assert_non_null(copy);
        memcpy(copy, text, len);
        if (uns_tape_read((struct uns_slice){copy, len}, &tape) == NULL) {
            for (size_t i = 0; i < tape.pieces; i++) {
                const struct uns_slice *bytes = &tape.piece[i].bytes;

                assert_true(bytes->data + bytes->len <= copy + len);
            }
            uns_tape_read_done(&tape);
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tape_read_gives_pieces_times_and_end),
        cmocka_unit_test(test_tape_read_refuses_what_is_none),
        cmocka_unit_test(test_tape_read_stays_inside_its_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
