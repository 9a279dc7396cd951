/* SPDX-License-Identifier: MIT */
/* With a plan a call is described once, and not sent. */
#include "plan_file.h"

/* P3: nothing reaches the real library, and no secret the file. */
static void test_plan_describes_and_sends_nothing(void **state)
{
    cJSON *facts;
    char *all;

    open_plan(*state);
    bench_run(NULL, 0);
    CHECK_INT("ours", bench.ours, true);
    CHECK_INT("code", bench.code, CURLE_COULDNT_CONNECT);
    CHECK_INT("sent", fake.requests, 0);
    CHECK_INT("performs", fake.performs, 0);
    CHECK_INT("recorded", bench.entries, 0);
    CHECK_INT("tokens", bench.asked, 0);
    CHECK_TEXT("error", bench.error,
               "unstall plan: the call was described and not sent");
    facts = line(0);
    CHECK_TEXT("url", text_of(facts, "url"),
               "https://app.example:8443/v1/chat/completions");
    CHECK_TEXT("model", text_of(facts, "model"), "gpt-4o");
    CHECK_INT("streams", cJSON_IsTrue(get(facts, "streaming")), true);
    CHECK_INT("after", get(facts, "after_s")->valuedouble, 3);
    CHECK_INT("budget", get(facts, "budget_left")->valuedouble, 7);
    CHECK_TEXT("key", source_text(facts, 0, "key"), "there");
    CHECK_TEXT("there", source_text(facts, 0, "url"),
               "https://one.example/v1/chat/completions");
    all = cJSON_Print(facts);
    assert_null(strstr(all, "app-url-secret"));
    assert_null(strstr(all, "user:pass"));
    assert_null(strstr(all, "sk-one"));
    free(all);
    cJSON_Delete(facts);
    close_multi("easy");
}

/* P6: as any call that nobody answers; one DONE. */
static void test_plan_ends_a_call_in_a_multi(void **state)
{
    cJSON *facts;

    open_plan(*state);
    add_call(bench.app);
    CHECK_INT("not yet", line(0) == NULL, true);
    loop_of_poll();
    CHECK_INT("messages", seen.messages, 1);
    CHECK_INT("code", seen.code, CURLE_COULDNT_CONNECT);
    assert_ptr_equal(seen.easy, bench.app->easy);
    CHECK_INT("running", seen.running, 0);
    CHECK_INT("sent", fake.requests, 0);
    CHECK_INT("recorded", bench.entries, 0);
    facts = line(0);
    CHECK_TEXT("dialect", text_of(facts, "dialect"), "chat");
    cJSON_Delete(facts);
    close_multi("multi");
}

/* P6: taken away before it was over, it is not described. */
static void test_plan_forgets_a_call_that_is_taken_away(void **state)
{
    open_plan(*state);
    add_call(bench.app);
    CHECK_INT("removed", engine->remove(&multi, bench.app, bench.app->easy),
              CURLM_OK);
    CHECK_INT("described", line(0) != NULL, false);
    CHECK_INT("recorded", bench.entries, 0);
    close_multi("removed");
}

static void leave_alone(void)
{
    bench.has_policy = false;
}

static void be_no_call(void)
{
    bench.app->dialect = UNS_DIALECT_NONE;
    bench_set(CURLOPT_HTTPGET, 1);
}

static void have_another_path(void)
{
    bench.app->dialect = UNS_DIALECT_NONE;
    bench_set(CURLOPT_URL, "https://app.example/other");
}

static void be_a_file(void)
{
    bench.app->dialect = UNS_DIALECT_NONE;
    bench_set(CURLOPT_URL, "ftp://app.example/other");
}

static void ask_nothing(void)
{
    bench_set(CURLOPT_POSTFIELDS, "{\"model\":\"m\"}");
}

static void be_unreadable(void)
{
    bench_set(CURLOPT_POSTFIELDS, "\x1f\x8b not JSON");
}

/* P2: what is none is sent as ever; an LLM call never is. */
static void test_plan_tells_why_it_is_none(void **state)
{
    static const struct {
        const char *name;
        void (*make)(void);
        bool sent;
        const char *because;
    } rows[] = {
        {"GET", be_no_call, true, "it is no POST with a body of its own"},
        {"path", have_another_path, true,
         "neither its path nor its host is an LLM's, and no route names it"},
        {"scheme", be_a_file, true, "it has no http URL"},
        {"body", ask_nothing, true,
         "its path is an LLM's, but its body asks nothing"},
        {"excluded", leave_alone, false,
         "a route excludes it; it was not sent all the same"},
        {"no JSON", be_unreadable, false,
         "its path is an LLM's, but its body is no JSON that could be read: "
         "run would leave it alone; it was not sent"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        static const struct fake_beat *const plays[] = {healthy};
        cJSON *facts;

        open_plan(*state);
        rows[i].make();
        bench_run(plays, 1);
        CHECK_INT(rows[i].name, bench.ours, !rows[i].sent);
        CHECK_INT(rows[i].name, bench.code,
                  rows[i].sent ? CURLE_OK : CURLE_COULDNT_CONNECT);
        CHECK_INT(rows[i].name, fake.requests, rows[i].sent);
        CHECK_INT(rows[i].name, bench.app->dialect == UNS_DIALECT_NONE,
                  rows[i].sent);
        facts = line(0);
        CHECK_TEXT(rows[i].name, text_of(facts, "because"), rows[i].because);
        CHECK_INT(rows[i].name, cJSON_IsTrue(get(facts, "sent")), rows[i].sent);
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

/* --- the file -------------------------------------------------------------*/

static size_t read_body(char *out, size_t size, size_t count, void *arg)
{
    const char **rest = arg;
    size_t len = strlen(*rest);

    if (len > 5)
        len = 5;
    assert_true(len <= size * count);
    memcpy(out, *rest, len);
    *rest += len;
    return len;
}

/* A body that comes piece by piece is read, as libcurl would. */
static void test_plan_reads_the_body(void **state)
{
    const char *rest = UNSURE;
    cJSON *facts;

    open_plan(*state);
    bench_set(CURLOPT_POSTFIELDS, NULL);
    bench_set(CURLOPT_READFUNCTION, read_body);
    bench_set(CURLOPT_READDATA, &rest);
    add_call(bench.app);
    CHECK_TEXT("not inside add", rest, UNSURE);
    loop_of_poll();
    facts = line(0);
    CHECK_TEXT("model", text_of(facts, "model"), "m");
    cJSON_Delete(facts);
    close_multi("read");
}

/* Nothing is left open in between, and nothing is made that was removed. */
static void test_plan_appends_to_the_file_that_is_there(void **state)
{
    int lowest = dup(0);
    int after;

    close(lowest);
    open_plan(*state);
    bench_run(NULL, 0);
    bench_run(NULL, 0);
    after = dup(0);
    close(after);
    CHECK_INT("descriptors", after, lowest);
    CHECK_INT("lines", line(1) != NULL && line(2) == NULL, true);
    assert_int_equal(unlink(plan_file), 0);
    bench_run(NULL, 0);
    CHECK_INT("code", bench.code, CURLE_COULDNT_CONNECT);
    CHECK_INT("made again", access(plan_file, F_OK) == 0, false);
    close_multi("appended");
}

/* Whatever fails, the call is not sent. */
static void test_plan_sends_nothing_without_memory(void **state)
{
    for (unsigned n = 1; n < 400; n++) {
        open_plan(*state);
        fake_memory_fail(n, true);
        bench_run(NULL, 0);
        fake_memory_fail(0, false);
        CHECK_INT("sent", fake.requests, 0);
        CHECK_INT("code", bench.code, CURLE_COULDNT_CONNECT);
        close_multi("no memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plan_describes_and_sends_nothing),
        TEST(test_plan_ends_a_call_in_a_multi),
        TEST(test_plan_forgets_a_call_that_is_taken_away),
        TEST(test_plan_tells_why_it_is_none),
        TEST(test_plan_reads_the_body),
        TEST(test_plan_appends_to_the_file_that_is_there),
        TEST(test_plan_sends_nothing_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
