/* SPDX-License-Identifier: MIT */
/* The messages that wait for the application's curl_multi_info_read. */
#include "check.h"
#include "engine/inbox.h"

#define MANY 100

static struct uns_multi host;
static struct uns_inbox inbox;
static struct uns_lane lane;
static CURLMsg messages[MANY];
static void *holders[MANY];
static char handles[MANY];

static int set_up(void **state)
{
    (void)state;
    inbox = (struct uns_inbox){0};
    lane = (struct uns_lane){.host = &host, .inbox = &inbox};
    memset(holders, 0, sizeof holders);
    for (size_t i = 0; i < MANY; i++)
        messages[i].easy_handle = &handles[i];
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    uns_inbox_done(&inbox);
    return 0;
}

static void put(size_t i)
{
    assert_true(uns_inbox_has_room(&lane));
    uns_inbox_put(&lane, &messages[i], &holders[i]);
    assert_ptr_equal(holders[i], &inbox);
}

static void take(size_t i, int left_after)
{
    int left = -1;

    assert_ptr_equal(uns_inbox_take(&inbox, &left), &messages[i]);
    CHECK_INT("left", left, left_after);
    assert_null(holders[i]);
}

static void take_none(void)
{
    int left = -1;

    assert_null(uns_inbox_take(&inbox, &left));
    CHECK_INT("left", left, 0);
}

static void test_inbox_gives_the_oldest_first(void **state)
{
    (void)state;
    take_none();
    for (size_t i = 0; i < MANY; i++)
        put(i);
    for (size_t i = 0; i < MANY; i++)
        take(i, MANY - 1 - (int)i);
    take_none();
}

/* Read while it fills: what was taken makes room. */
static void test_inbox_goes_round_in_little_room(void **state)
{
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        put(i);
        if (i > 0)
            take(i - 1, 1);
    }
    take(MANY - 1, 0);
    assert_true(inbox.cap < MANY);
}

static void test_inbox_forgets_a_handle(void **state)
{
    static const struct {
        const char *name;
        size_t gone;
    } rows[] = {{"first", 0}, {"middle", 2}, {"last", 4}};

    for (size_t row = 0; row < ROWS(rows); row++) {
        set_up(state);
        for (size_t i = 0; i < 5; i++)
            put(i);
        uns_inbox_purge(&inbox, &handles[rows[row].gone]);
        assert_null(holders[rows[row].gone]);
        for (size_t i = 0, left = 4; i < 5; i++)
            if (i != rows[row].gone)
                take(i, (int)--left);
        take_none();
        tear_down(state);
    }
}

static void test_inbox_forgets_after_some_were_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        put(i);
    take(0, 3);
    uns_inbox_purge(&inbox, &handles[0]); /* not in there any more */
    uns_inbox_purge(&inbox, &handles[2]);
    uns_inbox_purge(NULL, &handles[1]);
    take(1, 1);
    take(3, 0);
}

/* Nobody keeps a pointer to an inbox that is no more. */
static void test_inbox_lets_go_at_its_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        put(i);
    uns_inbox_put(&lane, &messages[3], NULL);
    uns_inbox_done(&inbox);
    for (size_t i = 0; i < 3; i++)
        assert_null(holders[i]);
}

static void test_inbox_is_not_for_private_lanes(void **state)
{
    struct uns_lane private = {0};

    (void)state;
    assert_true(uns_inbox_has_room(&private));
    uns_inbox_put(&private, &messages[0], &holders[0]);
    assert_null(holders[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_inbox_gives_the_oldest_first,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inbox_goes_round_in_little_room,
                                        set_up, tear_down),
        cmocka_unit_test(test_inbox_forgets_a_handle),
        cmocka_unit_test_setup_teardown(
            test_inbox_forgets_after_some_were_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inbox_lets_go_at_its_end, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_inbox_is_not_for_private_lanes,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
