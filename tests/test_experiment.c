/* SPDX-License-Identifier: MIT */
/* R12: what a call's unit is, and what its arm means for it. */
#include "bench.h"

#include "check.h"

#include <stdio.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat late[] = {HEAD(10, OK_HEAD), BODY(5000, HI),
                                        END(5000, CURLE_OK)};
static const struct fake_beat quick[] = {HEAD(10, OK_HEAD), BODY(20, HI),
                                         END(40, CURLE_OK)};

static void open_with(enum uns_mode mode, double treatment, enum uns_unit unit)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = UNS_S};
    bench.experiment = (struct uns_experiment){"e", treatment, unit};
}

struct row {
    const char *name;
    enum uns_mode mode;
    double treatment; /* 0: all are in control; 1: all in treatment */
    unsigned requests;
    const char *arm, *experiment, *recorded, *reason;
    bool pays, driven;
};

static const struct row rows[] = {
    {"control of hedge", UNS_MODE_HEDGE, 0, 1, "control", "e", "observe", "",
     false, true},
    {"treatment of hedge", UNS_MODE_HEDGE, 1, 2, "treatment", "e", "hedge",
     "first_token", true, true},
    {"control of shadow", UNS_MODE_SHADOW, 0, 1, "control", "e", "observe", "",
     false, true},
    {"treatment of shadow", UNS_MODE_SHADOW, 1, 2, "treatment", "e", "shadow",
     "", true, true},
    {"nothing to compare", UNS_MODE_OBSERVE, 1, 1, "", "", "observe", "", false,
     false},
};

/* R12: the control is observed, in the same lane as the treatment: there are
 * no connections that only one of them reuses. */
static void test_experiment_treats_a_share(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];
        const struct uns_call_record *call;

        open_with(row->mode, row->treatment, UNS_UNIT_CALL);
        BENCH_RUN(late, quick);
        call = &bench.entry->call;
        CHECK_INT(row->name, fake.requests, row->requests);
        CHECK_TEXT(row->name, bench.body, HI);
        CHECK_TEXT(row->name, call->arm, row->arm);
        CHECK_TEXT(row->name, call->experiment, row->experiment);
        CHECK_TEXT(row->name, call->mode, row->recorded);
        CHECK_TEXT(row->name, call->hedge_reason, row->reason);
        CHECK_INT(row->name, bench.entry->pays != NULL, row->pays);
        CHECK_INT(row->name, fake.multis > 0, row->driven);
        bench_close(row->name);
    }
}

/* So is a call that could not be hedged. */
static void test_experiment_drives_all_calls_alike(void **state)
{
    (void)state;
    for (int treatment = 0; treatment <= 1; treatment++) {
        open_with(UNS_MODE_HEDGE, treatment, UNS_UNIT_CALL);
        bench_set(CURLOPT_POSTFIELDS,
                  "{\"model\":\"m\",\"messages\":[],\"background\":true}");
        BENCH_RUN(late);
        CHECK_INT("requests", fake.requests, 1);
        CHECK_INT("lane", fake.multis, 1);
        bench_close("alike");
    }
}

static const char *arm_of_call(void)
{
    static char arm[24];

    BENCH_RUN(quick, quick);
    (void)snprintf(arm, sizeof arm, "%s", bench.entry->call.arm);
    return arm;
}

/* Each call is drawn anew, a process or a key once.  (All of 64 calls in one
 * arm: 2^-63.) */
static void test_experiment_draws_units(void **state)
{
    static const struct {
        const char *name;
        enum uns_unit unit;
        bool mixed;
    } units[] = {
        {"call", UNS_UNIT_CALL, true},
        {"process", UNS_UNIT_PROCESS, false},
        {"key", UNS_UNIT_KEY, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(units); i++) {
        int treated = 0;

        for (int n = 0; n < 64; n++) {
            open_with(UNS_MODE_HEDGE, 0.5, units[i].unit);
            treated += !strcmp(arm_of_call(), "treatment");
            bench_close(units[i].name);
        }
        CHECK_INT(units[i].name, treated > 0 && treated < 64, units[i].mixed);
    }
}

enum place {
    HEADER,
    BEARER,
    USERPWD,
    QUERY,
    NOWHERE
};

static void show_key(enum place place, const char *text)
{
    static const char *lines[2] = {"Content-Type: application/json"};

    lines[1] = text;
    switch (place) {
    case HEADER:
        bench_headers(lines, ROWS(lines));
        break;
    case BEARER:
        bench_set(CURLOPT_XOAUTH2_BEARER, text);
        break;
    case USERPWD:
        bench_set(CURLOPT_USERPWD, text);
        break;
    case QUERY:
        bench_set(CURLOPT_URL, text);
        break;
    case NOWHERE:
        bench_headers(lines, 1);
        break;
    }
}

/* The arm that such a unit has is core/arm's answer to these texts. */
static void test_experiment_knows_a_key_where_it_stands(void **state)
{
    static const struct {
        enum place place;
        const char *text, *unit;
    } keys[] = {
        {HEADER, "Authorization: Bearer k1", "Authorization: Bearer k1"},
        {HEADER, "authorization: Bearer k2", "authorization: Bearer k2"},
        {HEADER, "x-api-key: k3", "x-api-key: k3"},
        {HEADER, "api-key: k4", "api-key: k4"},
        {HEADER, "X-Goog-Api-Key: k5", "X-Goog-Api-Key: k5"},
        {HEADER, "X-Api-Key-Id: k6", ""},
        {BEARER, "k7", "k7"},
        {USERPWD, "user:k8", "user:k8"},
        {QUERY, "https://a.example/v1/chat/completions?alt=sse&key=k9", "k9"},
        {QUERY, "https://a.example/v1/chat/completions?key=k10&alt=x", "k10"},
        {QUERY, "https://a.example/v1/chat/completions?monkey=k11", ""},
        {QUERY, "https://a.example/v1/chat/completions?alt=key=k12", ""},
        {QUERY, "https://a.example/v1/chat/completions", ""},
    };

    (void)state;
    /* One share would be met by half of them by chance: nine are not. */
    for (int tenth = 1; tenth < 10; tenth++)
        for (size_t i = 0; i < ROWS(keys); i++) {
            const char *want;

            open_with(UNS_MODE_HEDGE, tenth / 10.0, UNS_UNIT_KEY);
            bench_set(CURLOPT_URL, "https://a.example/v1/chat/completions");
            show_key(NOWHERE, "");
            show_key(keys[i].place, keys[i].text);
            want = uns_arm_name(uns_arm_of(
                &bench.experiment,
                (struct uns_slice){keys[i].unit, strlen(keys[i].unit)}));
            CHECK_TEXT(keys[i].text, arm_of_call(), want);
            bench_close(keys[i].text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_experiment_treats_a_share),
        cmocka_unit_test(test_experiment_drives_all_calls_alike),
        cmocka_unit_test(test_experiment_draws_units),
        cmocka_unit_test(test_experiment_knows_a_key_where_it_stands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
