/* SPDX-License-Identifier: MIT */
/* An attempt's row says why it ended: its own word before libcurl's, libcurl's
 * before the status. */
#include "cli/show.h"

#include "check.h"

static void test_error_is_told_from_what_is_known(void **state)
{
    static const struct {
        const char *name, *error;
        int64_t code, status;
        const char *want;
    } rows[] = {
        {"all is well", "", 0, 200, ""},
        {"stopped before its end", "", UNS_NULL, 200, ""},
        {"nothing is known", "", UNS_NULL, UNS_NULL, ""},
        {"no connection", "", 7, UNS_NULL, "cannot connect (curl 7)"},
        {"timed out", "", 28, 200, "timed out (curl 28)"},
        {"the last of the table", "", 92, 200, "HTTP/2 stream broke (curl 92)"},
        {"a rare code", "", 61, 200, "transfer failed (curl 61)"},
        {"a status alone", "", 0, 503, "HTTP 503"},
        {"just below a failure", "", 0, 399, ""},
        {"a failed transfer with a status", "", 56, 503,
         "connection lost (curl 56)"},
        {"its own word", "overloaded_error", 56, 529, "overloaded_error"},
    };
    struct uns_attempt_record attempt = {0};
    char room[UNS_SHOW_ERROR];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        strcpy(attempt.error, rows[i].error);
        attempt.curl_code = rows[i].code;
        attempt.http_status = rows[i].status;
        CHECK_TEXT(rows[i].name, uns_show_error(&attempt, room), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_told_from_what_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
