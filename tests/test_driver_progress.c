/* SPDX-License-Identifier: MIT */
/* P4, P6: a call that is only watched gives signs of life by libcurl's
 * progress, and the application's own callback is called as without us. */
#include "bench.h"

#include "check.h"
#include "core/flight.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "shim/note.h"

#include <stdlib.h>

#define CONTINUES 0x074400
#define ABORTS    0x074300

static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),
    BODY(300, DELTA("Hi") STOP DONE),
    END(9600, CURLE_OK),
};

/* The application's: how often, which, what it was told last. */
static struct {
    unsigned newer, older;
    unsigned slow; /* which call of the newer lasts for 3 s; 0: none */
    curl_off_t bytes;
    int answer;
} told;

static int on_newer(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                    curl_off_t ultotal, curl_off_t ulnow)
{
    assert_ptr_equal(arg, &told);
    assert_true(dltotal == 0 && ultotal == 0 && ulnow == 0);
    told.newer++;
    told.bytes = dlnow;
    fake_pass_ms(told.newer == told.slow ? 3000 : 0);
    return told.answer;
}

static int on_older(void *arg, double dltotal, double dlnow, double ultotal,
                    double ulnow)
{
    assert_ptr_equal(arg, &told);
    assert_true(dltotal == 0 && ultotal == 0 && ulnow == 0);
    told.older++;
    told.bytes = (curl_off_t)dlnow;
    return told.answer;
}

/* What the application sets, in order. */
struct sets {
    bool newer, older; /* to a function */
    bool wants;        /* NOPROGRESS 0 */
};

static void set(const struct sets *sets)
{
    if (sets->newer)
        bench_set(CURLOPT_XFERINFOFUNCTION, on_newer);
    if (sets->older)
        bench_set(CURLOPT_PROGRESSFUNCTION, on_older);
    bench_set(CURLOPT_XFERINFODATA, &told);
    if (sets->wants)
        bench_set(CURLOPT_NOPROGRESS, 0L);
}

static void open_with(const struct sets *sets, unsigned version)
{
    bench_open();
    bench.policy.mode = UNS_MODE_OBSERVE;
    bench.slot = calloc(1, sizeof *bench.slot);
    assert_non_null(bench.slot);
    fake.version = version;
    memset(&told, 0, sizeof told);
    set(sets);
}

static void close_with(const char *row)
{
    struct uns_flight_slot *slot = bench.slot;

    bench_close(row);
    free(slot);
}

/* Each time that libcurl tells its progress is a sign of life, and every one
 * of them is the application's where it wants to know, or the meter's. */
static void test_progress_is_told_as_libcurl_tells_it(void **state)
{
    static const struct row {
        const char *name;
        struct sets sets;
        unsigned version;
        bool listened;
        char who; /* is told: newer, older, the meter, or nobody */
    } rows[] = {
        {"nothing set", {0}, ABORTS, true, '-'},
        {"the newer", {.newer = true, .wants = true}, ABORTS, true, 'n'},
        {"the older", {.older = true, .wants = true}, ABORTS, true, 'o'},
        {"both", {true, true, true}, ABORTS, true, 'n'},
        {"set, not wanted", {true, true, false}, ABORTS, true, '-'},
        {"a meter", {.wants = true}, CONTINUES, true, 'm'},
        {"a meter of old", {.wants = true}, ABORTS, false, 'm'},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];

        open_with(&row->sets, row->version);
        BENCH_RUN(healthy);
        CHECK_INT(row->name, bench.code, CURLE_OK);
        CHECK_INT(row->name, fake.progress >= 3, true);
        CHECK_INT(row->name, told.newer, row->who == 'n' ? fake.progress : 0);
        CHECK_INT(row->name, told.older, row->who == 'o' ? fake.progress : 0);
        CHECK_INT(row->name, fake.meters, row->who == 'm' ? fake.progress : 0);
        if (row->who == 'n' || row->who == 'o')
            CHECK_INT(row->name, told.bytes, fake.easy[0].received);
        CHECK_INT(row->name, bench.slot->alive_ns > fake.now_ns - 2 * UNS_S,
                  row->listened);
        close_with(row->name);
    }
}

/* P7: what it takes is its own, as is what the process was stopped. */
static void test_progress_is_the_applications_time(void **state)
{
    static const struct fake_beat steady[] = {
        HEAD(100, OK_HEAD),     BODY(200, DELTA("a")),  BODY(700, DELTA("b")),
        BODY(1200, DELTA("c")), BODY(1700, DELTA("d")), BODY(2200, STOP DONE),
        END(2300, CURLE_OK),
    };
    static const struct sets sets = {.newer = true, .wants = true};

    (void)state;
    open_with(&sets, ABORTS);
    bench.policy.stream.stall_threshold_ns = UNS_S;
    told.slow = 3;
    BENCH_RUN(steady);
    CHECK_INT("its time", bench.entry->call.app_ms, 3000);
    CHECK_INT("no stall", bench.entry->call.stall_count, 0);
    close_with("slow");
}

/* It aborts the call, or asks for the meter, as it could without us. */
static void test_progress_hears_the_applications_answer(void **state)
{
    static const struct sets sets = {.newer = true, .wants = true};

    (void)state;
    open_with(&sets, ABORTS);
    told.answer = 1;
    BENCH_RUN(healthy);
    CHECK_INT("aborted", bench.code, CURLE_ABORTED_BY_CALLBACK);
    CHECK_INT("at once", told.newer, 1);
    close_with("aborted");
    open_with(&sets, CONTINUES);
    told.answer = CURL_PROGRESSFUNC_CONTINUE;
    BENCH_RUN(healthy);
    CHECK_INT("goes on", bench.code, CURLE_OK);
    CHECK_INT("meter", fake.meters, told.newer);
    close_with("goes on");
}

static struct uns_app *guest;

static size_t take(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes;
    (void)arg;
    return size * count;
}

static void set_guest(CURLoption id, const void *value)
{
    void *slot = (void *)(uintptr_t)value;

    fake_real.curl_easy_setopt(guest->easy, id, slot);
    uns_note(guest, id, slot);
}

/* A call in a call: afterwards the first one's callback is called again. */
static size_t perform_another(enum uns_piece_kind kind, const char *bytes,
                              size_t len)
{
    CURLcode code = CURLE_FAILED_INIT;

    (void)bytes;
    if (kind != UNS_PIECE_BODY || guest->order)
        return len;
    guest->dialect = UNS_DIALECT_CHAT;
    set_guest(CURLOPT_URL, APP_URL);
    set_guest(CURLOPT_POSTFIELDS, APP_BODY);
    set_guest(CURLOPT_WRITEFUNCTION, (const void *)(intptr_t)take);
    assert_true(uns_easy_perform(guest, &code));
    CHECK_INT("guest", code, CURLE_OK);
    return len;
}

static void test_progress_of_a_call_in_a_call(void **state)
{
    static const struct sets sets = {.newer = true, .wants = true};

    (void)state;
    open_with(&sets, ABORTS);
    guest = uns_app_new(fake_real.curl_easy_init(), &fake_real);
    assert_non_null(guest);
    bench.taker = perform_another;
    BENCH_RUN(healthy, healthy);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_INT("each time", told.newer, fake.progress);
    uns_grip_release(guest, true);
    fake_real.curl_easy_cleanup(guest->easy);
    uns_app_free(guest);
    close_with("nested");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_is_told_as_libcurl_tells_it),
        cmocka_unit_test(test_progress_is_the_applications_time),
        cmocka_unit_test(test_progress_hears_the_applications_answer),
        cmocka_unit_test(test_progress_of_a_call_in_a_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
