/* SPDX-License-Identifier: MIT */
/* Drawings of calls of every shape, as people see them.  P7: silence is drawn
 * as a stall only where the record has one. */
#include "draw_fixture.h"

/* Both character sets of one call. */
static void check_drawing(const char *row, struct uns_entry *entry,
                          const char *want_utf8, const char *want_ascii)
{
    CHECK_TEXT(row, draw(entry, 60, true, false), want_utf8);
    CHECK_TEXT(row, draw(entry, 60, false, false), want_ascii);
    uns_entry_free(entry);
}

static const struct attempt healthy[] = {
    {"self",
     "won",
     0,
     4000,
     1000,
     2900,
     {
         {UNS_MARK_CHUNK, 1000, 0, 900, 10},
         {UNS_MARK_CHUNK, 2000, 100, 900, 20},
         {UNS_MARK_CHUNK, 3000, 100, 900, 40},
     }},
};

static void test_draw_shows_density_of_a_healthy_call(void **state)
{
    (void)state;
    check_drawing(
        "healthy", make(0, healthy, 1),
        "                0 s       1 s        2 s       3 s\n"
        "                └─────────┴──────────┴─────────┴──────────┴─\n"
        "* 0 self        ├─────────▃▃▃▃▃▃▃▃▃▃─▅▅▅▅▅▅▅▅▅▅██████████─┤\n"
        "                ▅ content\n",
        "                0 s       1 s        2 s       3 s\n"
        "                +---------+----------+---------+----------+-\n"
        "* 0 self        [---------++++++++++-**********##########-]\n"
        "                + content\n");
}

static void test_draw_shows_stall_silence_launch_and_cancel(void **state)
{
    (void)state;
    check_drawing(
        "hedged", make(1, hedged, 2),
        "                0 s      2 s       4 s      6 s       8 s\n"
        "                └────────┴─────────┴────────┴─────────┴─────\n"
        "  0 self        ├˙███~~~~~~ 4.50 s ~~~~~~~▃·············✕\n"
        "* 1 backup                                         ├───███┤\n"
        "                ▅ content   ˙ keepalive   ~ stall\n"
        "                · silent to the end   ✕ cancelled\n",
        "                0 s      2 s       4 s      6 s       8 s\n"
        "                +--------+---------+--------+---------+-----\n"
        "  0 self        ['###~~~~~~ 4.50 s ~~~~~~~+.............x\n"
        "* 1 backup                                         [---###]\n"
        "                + content   ' keepalive   ~ stall\n"
        "                . silent to the end   x cancelled\n");
}

static const struct attempt silent[] = {
    {"self", "hedge_cancelled", 0, 3700, NONE, NONE, {{0, 0, 0, 0, 0}}},
    {"backup",
     "won",
     3000,
     1000,
     700,
     200,
     {
         {UNS_MARK_CHUNK, 700, 0, 200, 10},
     }},
};

/* Waiting for the first token is no stall. */
static void test_draw_shows_no_stall_before_the_first_token(void **state)
{
    (void)state;
    check_drawing(
        "silent", make(1, silent, 2),
        "                0 s       1 s        2 s       3 s\n"
        "                └─────────┴──────────┴─────────┴──────────┴─\n"
        "  0 self        ├─────────────────────────────────────✕\n"
        "* 1 backup                                     ├──────███─┤\n"
        "                ▅ content   ✕ cancelled\n",
        "                0 s       1 s        2 s       3 s\n"
        "                +---------+----------+---------+----------+-\n"
        "  0 self        [-------------------------------------x\n"
        "* 1 backup                                     [------###-]\n"
        "                + content   x cancelled\n");
}

static const struct attempt failed[] = {
    {"self", "failed", 0, 120, NONE, NONE, {{0, 0, 0, 0, 0}}},
    {"a", "failed", 130, 300, NONE, NONE, {{UNS_MARK_OTHER, 200, 0, 0, 1}}},
    {"b", "won", 440, 560, 260, 300, {{UNS_MARK_CHUNK, 260, 0, 300, 7}}},
};

static void test_draw_shows_failures_in_a_row(void **state)
{
    (void)state;
    check_drawing(
        "failed", make(2, failed, 3),
        "                0.0 s                0.5 s\n"
        "                └────────────────────┴────────────────────┴─\n"
        "  0 self        ├────!\n"
        "  1 a                ├───────˙────!\n"
        "* 2 b                             ├──────────▅▅▅▅▅▅▅▅▅▅▅▅▅▅┤\n"
        "                ▅ content   ˙ keepalive   ! failed\n",
        "                0.0 s                0.5 s\n"
        "                +--------------------+--------------------+-\n"
        "  0 self        [----!\n"
        "  1 a                [-------'----!\n"
        "* 2 b                             [----------**************]\n"
        "                + content   ' keepalive   ! failed\n");
}

static const struct attempt paused[] = {
    {"self",
     "won",
     0,
     10000,
     1000,
     8000,
     {
         {UNS_MARK_CHUNK, 1000, 0, 1000, 9},
         {UNS_MARK_PAUSE, 2500, 0, 3000, 1},
         {UNS_MARK_CHUNK, 6000, 500, 3000, 27},
     }},
};

/* P7: what the application took is not the network's. */
static void test_draw_tells_a_pause_from_a_stall(void **state)
{
    (void)state;
    check_drawing(
        "paused", make(0, paused, 1),
        "                0 s                  5 s\n"
        "                └────────────────────┴────────────────────┴─\n"
        "* 0 self        ├───▇▇▇▇▇─‖‖‖‖‖‖‖‖‖‖‖‖‖‖─█████████████────┤\n"
        "                ▅ content   ‖ paused by the program\n",
        "                0 s                  5 s\n"
        "                +--------------------+--------------------+-\n"
        "* 0 self        "
        "[---#####-\"\"\"\"\"\"\"\"\"\"\"\"\"\"-#############----]\n"
        "                + content   \" paused by the program\n");
}

static const struct attempt unseen[] = {
    {"self", "won", 0, 10000, 2000, 6000, {{0, 0, 0, 0, 0}}},
};

static void test_draw_says_when_no_moments_were_kept(void **state)
{
    (void)state;
    check_drawing(
        "unseen", make(0, unseen, 1),
        "                0 s                  5 s\n"
        "                └────────────────────┴────────────────────┴─\n"
        "* 0 self        ├───────▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒────────┤\n"
        "                ▒ content, moments not kept\n",
        "                0 s                  5 s\n"
        "                +--------------------+--------------------+-\n"
        "* 0 self        [-------%%%%%%%%%%%%%%%%%%%%%%%%%%--------]\n"
        "                % content, moments not kept\n");
}

static const struct attempt killed[] = {
    {"self",
     "",
     0,
     NONE,
     NONE,
     NONE,
     {
         {UNS_MARK_CHUNK, 1000, 0, 2000, 9},
     }},
};

static void test_draw_does_not_invent_an_end(void **state)
{
    (void)state;
    check_drawing(
        "killed", make(NONE, killed, 1),
        "                0 s           1 s           2 s\n"
        "                └─────────────┴─────────────┴─────────────┴─\n"
        "  0 self        ├─────────────▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃?\n"
        "                ▅ content   ? end not known\n",
        "                0 s           1 s           2 s\n"
        "                +-------------+-------------+-------------+-\n"
        "  0 self        [-------------+++++++++++++++++++++++++++++?\n"
        "                + content   ? end not known\n");
}

static const struct attempt brief[] = {
    {"self",
     "won",
     0,
     60000,
     1000,
     58000,
     {
         {UNS_MARK_CHUNK, 1000, 0, 20600, 100},
         {UNS_MARK_CHUNK, 23700, 2100, 0, 1},
         {UNS_MARK_CHUNK, 23800, 100, 35200, 200},
     }},
};

/* Not two columns wide, and still there. */
static void test_draw_never_hides_a_short_stall(void **state)
{
    (void)state;
    check_drawing(
        "brief", make(0, brief, 1),
        "                0 s           20 s          40 s\n"
        "                └─────────────┴─────────────┴─────────────┴─\n"
        "* 0 self        ├▆▆▆▆▆▆▆▆▆▆▆▆▆▆~██████████████████████████┤\n"
        "                ▅ content   ~ stall\n",
        "                0 s           20 s          40 s\n"
        "                +-------------+-------------+-------------+-\n"
        "* 0 self        [**************~##########################]\n"
        "                + content   ~ stall\n");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw_shows_density_of_a_healthy_call),
        cmocka_unit_test(test_draw_shows_stall_silence_launch_and_cancel),
        cmocka_unit_test(test_draw_shows_no_stall_before_the_first_token),
        cmocka_unit_test(test_draw_shows_failures_in_a_row),
        cmocka_unit_test(test_draw_tells_a_pause_from_a_stall),
        cmocka_unit_test(test_draw_says_when_no_moments_were_kept),
        cmocka_unit_test(test_draw_does_not_invent_an_end),
        cmocka_unit_test(test_draw_never_hides_a_short_stall),
    };

    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
