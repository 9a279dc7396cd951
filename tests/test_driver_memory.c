/* SPDX-License-Identifier: MIT */
/* Fail open: whichever allocation of a call fails, the application gets what
 * one source sent, whole or cut at its end, or what libcurl alone would have
 * given it. */
#include "bench.h"

#include "check.h"

#include <stdio.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),     BODY(200, ROLE), BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")), BODY(500, STOP), BODY(500, DONE),
    END(600, CURLE_OK),
};
/* Comes back after a rival was asked. */
static const struct fake_beat slow[] = {
    HEAD(10, OK_HEAD),       BODY(20, ROLE),   BODY(30, DELTA("Al")),
    BODY(9000, DELTA("so")), BODY(9100, STOP), BODY(9100, DONE),
    END(9200, CURLE_OK),
};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 400 Bad Request\r\nx: y\r\n\r\n"),
    BODY(20, "{\"error\":{\"code\":\"context_length_exceeded\"}}"),
    BODY(30, "\n"),
    END(40, CURLE_OK),
};

/* More than one allocation holds; told apart by their letters. */
static char pieces[3][3001];

static const struct fake_beat long_failure[] = {
    HEAD(10, "HTTP/1.1 500 Internal Server Error\r\n\r\n"),
    BODY(20, pieces[0]),
    BODY(30, pieces[1]),
    BODY(40, pieces[2]),
    END(50, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(500, CURLE_RECV_ERROR)};

static const struct scene {
    const char *name;
    const struct fake_beat *first, *second;
    uns_ns hold_ns;
} scenes[] = {
    {"healthy", healthy, silent, 0},
    {"healthy, held", healthy, silent, UNS_NEVER},
    {"hedged", silent, healthy, 0},
    {"hedged, held", silent, healthy, UNS_NEVER},
    {"slow, held", slow, silent, UNS_NEVER},
    {"slow, a while", slow, healthy, 4 * UNS_S},
    {"stalled, held", stalls, healthy, UNS_NEVER},
    {"both stall", stalls, stalls, UNS_NEVER},
    {"refused for long", refuses, healthy, 0},
    {"rival refused", silent, refuses, 0},
    {"failed for long", long_failure, breaks, 0},
};

/* What the request's source had to say, up to a point. */
static bool is_prefix(const struct fake_beat *beat, const char *got)
{
    for (; *got; beat++) {
        size_t len;

        if (beat->deed == FAKE_SILENCE || beat->deed == FAKE_END)
            return false;
        if (beat->deed != FAKE_BODY)
            continue;
        len = strlen(beat->text);
        if (strncmp(beat->text, got, len) != 0)
            return false;
        got += len;
    }
    return true;
}

static size_t whole(const struct fake_beat *beat)
{
    size_t len = 0;

    for (; beat->deed != FAKE_SILENCE && beat->deed != FAKE_END; beat++)
        if (beat->deed == FAKE_BODY)
            len += strlen(beat->text);
    return len;
}

static const char *head_of(const struct fake_beat *beat)
{
    return beat->deed == FAKE_HEAD ? beat->text : "";
}

static bool is_complete(const struct fake_beat *beat)
{
    while (beat->deed != FAKE_SILENCE && beat->deed != FAKE_END)
        beat++;
    return beat->deed == FAKE_END;
}

static void open_scene(const struct scene *scene)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.stall_after_ns = 2 * UNS_S;
    bench.policy.hedge.hold_ns = scene->hold_ns;
    bench.policy.hedge.failover.status[500] = true;
    bench.policy.hedge.failover.code[0] = "context_length_exceeded";
    bench_set(CURLOPT_TIMEOUT, 60L);
    bench_headers((const char *const[]){"Accept: a", "Content-Type: b"}, 2);
}

/* P1 whatever happens; and nothing less than whole unless it is said. */
static void check_answer(const char *name, const struct scene *scene)
{
    bool first = is_prefix(scene->first, bench.body);
    bool second = is_prefix(scene->second, bench.body) &&
                  strstr(head_of(scene->second), " 200 ");
    const struct fake_beat *whose = first ? scene->first : scene->second;

    CHECK_INT(name, first || second, true);
    if (bench.body[0])
        CHECK_TEXT(name, bench.head, head_of(whose));
    CHECK_INT(name, fake.requests >= 1 && fake.requests <= 2, true);
    if (bench.code != CURLE_OK)
        return;
    CHECK_INT(name, is_complete(whose), true);
    CHECK_INT(name, strlen(bench.body), whole(whose));
}

/* An answer that was on its way comes, whatever could not be had beside it. */
static bool is_safe(const struct scene *scene)
{
    return scene->first == healthy || scene->first == slow;
}

static unsigned run(const struct scene *scene, unsigned n, bool all)
{
    char name[80];
    unsigned asked;

    snprintf(name, sizeof name, "%s, allocation %u%s", scene->name, n,
             all ? " and all later" : "");
    open_scene(scene);
    fake_memory_fail(n, all);
    BENCH_RUN(scene->first, scene->second);
    asked = fake_memory_asked();
    check_answer(name, scene);
    if (is_safe(scene))
        CHECK_INT(name, bench.code, CURLE_OK);
    bench_close(name);
    return asked;
}

static void fail_each(bool all)
{
    for (size_t i = 0; i < ROWS(scenes); i++) {
        unsigned count = run(&scenes[i], 0, false);

        CHECK_INT(scenes[i].name, count >= 3, true);
        for (unsigned n = 1; n <= count; n++)
            run(&scenes[i], n, all);
    }
}

static void test_driver_survives_any_failed_allocation(void **state)
{
    (void)state;
    fail_each(false);
}

static void test_driver_survives_the_end_of_memory(void **state)
{
    (void)state;
    fail_each(true);
}

/* Nothing was sent yet: the real function, once. */
static void test_driver_leaves_it_to_libcurl(void **state)
{
    static const struct row {
        const char *name;
        unsigned add;
        bool multi, setopt, policy;
    } rows[] = {
        {"no multi", 0, true, false, true},
        {"not settable", 0, false, true, true},
        {"not added", 1, false, false, true},
        {"excluded", 0, false, false, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_scene(&scenes[0]);
        fake.fail_add = rows[i].add;
        fake.fail_multi_init = rows[i].multi;
        fake.fail_multi_setopt = rows[i].setopt;
        bench.has_policy = rows[i].policy;
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, bench.ours, false);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_INT(rows[i].name, bench.entries, 0);
        CHECK_INT(rows[i].name, strlen(bench.body), whole(healthy));
        bench_close(rows[i].name);
    }
}

/* libcurl's own multi fails under us: as curl_easy_perform would say it. */
static void test_driver_tells_a_broken_multi(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        open_scene(&scenes[0]);
        if (i == 0)
            fake.fail_perform = 4;
        else
            fake.fail_wait = 2;
        BENCH_RUN(healthy, silent);
        CHECK_INT("code", bench.code, CURLE_BAD_FUNCTION_ARGUMENT);
        CHECK_INT("requests", fake.requests, 1);
        CHECK_TEXT("outcome", bench.entry->call.outcome, "failed");
        bench_close("broken");
    }
}

/* A call is made without a place to record it, too. */
static void test_driver_needs_no_store(void **state)
{
    (void)state;
    open_scene(&scenes[2]);
    bench.has_store = false;
    BENCH_RUN(silent, healthy);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_INT("entries", bench.entries, 0);
    bench_close("no store");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_survives_any_failed_allocation),
        cmocka_unit_test(test_driver_survives_the_end_of_memory),
        cmocka_unit_test(test_driver_leaves_it_to_libcurl),
        cmocka_unit_test(test_driver_tells_a_broken_multi),
        cmocka_unit_test(test_driver_needs_no_store),
    };

    for (size_t i = 0; i < ROWS(pieces); i++)
        memset(pieces[i], 'a' + (int)i, sizeof pieces[i] - 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
