/* SPDX-License-Identifier: MIT */
/* What a plan says of the requests that would be sent: in another form than
 * the program's, and once more. */
#include "plan_file.h"

static void do_nothing(void)
{
}

/* --- retries --------------------------------------------------------------*/

static void observe(void)
{
    bench.policy.mode = UNS_MODE_OBSERVE;
}

static void want_none(void)
{
    bench.policy.retry.max = 0;
}

static void allow_more(void)
{
    bench.policy.hedge.max_attempts = 5;
}

static void hurry(void)
{
    bench.policy.hedge.after = (struct uns_delay){.how = UNS_DELAY_OFF};
    bench.policy.hedge.failover.status[0] = 1;
}

static void lose_track(void)
{
    bench.app->unknown = true;
}

static void count_tries(void)
{
    static const char *const lines[] = {"x-stainless-retry-count: 1"};

    bench_headers(lines, 1);
}

#define TWICE \
    "the program has sent it before, and in vain: it retries by itself"

/* R10 */
static void test_plan_tells_of_retries(void **state)
{
    static const struct {
        const char *name;
        void (*make)(void);
        int most;
        double patience_s;
        const char *because;
    } rows[] = {
        {"no room for the second", do_nothing, 1, 3, NULL},
        {"both", allow_more, 2, 3, NULL},
        {"without after_s", hurry, 1, 2, NULL},
        {"none", want_none, 0, 3, "retry.max is 0"},
        {"observed", observe, 0, 2, "the mode is not hedge"},
        {"not known", lose_track, 0, 3,
         "an option of the program cannot be repeated"},
        {"counted", count_tries, 0, 3, TWICE},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        cJSON *facts;

        open_plan(*state);
        bench.policy.retry.max = 2;
        bench.policy.retry.backoff_ns = 500 * UNS_MS;
        rows[i].make();
        bench_run(NULL, 0);
        facts = line(0);
        CHECK_INT(rows[i].name, cJSON_GetNumberValue(get(facts, "retries")),
                  rows[i].most);
        CHECK_INT(rows[i].name,
                  1000 * cJSON_GetNumberValue(get(facts, "retry_patience_s")),
                  1000 * rows[i].patience_s);
        CHECK_INT(rows[i].name,
                  1000 * cJSON_GetNumberValue(get(facts, "retry_backoff_s")),
                  500);
        CHECK_TEXT(rows[i].name, text_of(facts, "unretried_because"),
                   rows[i].because);
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

/* R10: as in a real run, the same request once more is the program's own. */
static void test_plan_sees_a_program_that_retries(void **state)
{
    cJSON *facts;

    open_plan(*state);
    bench.policy.retry.max = 1;
    bench_run(NULL, 0);
    bench_run(NULL, 0);
    facts = line(0);
    CHECK_TEXT("first", text_of(facts, "unretried_because"), NULL);
    cJSON_Delete(facts);
    facts = line(1);
    CHECK_TEXT("second", text_of(facts, "unretried_because"), TWICE);
    cJSON_Delete(facts);
    close_multi("again");
}

/* --- promotion ------------------------------------------------------------*/

#define WHOLE  "{\"model\":\"m\",\"messages\":[{}]}"
#define GEMINI "https://g.example/v1beta/models/m:"
#define DEPENDENT \
    "a header or an option of the program depends on how the answer comes"

static void ask_gemini(void)
{
    bench.app->dialect = UNS_DIALECT_GEMINI;
    bench_set(CURLOPT_URL, GEMINI "generateContent");
    bench_set(CURLOPT_POSTFIELDS, "{\"contents\":[{}]}");
}

static void stream(void)
{
    bench_set(CURLOPT_POSTFIELDS, UNSURE);
}

static void ask_for_two(void)
{
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"m\",\"n\":2,\"messages\":[{}]}");
}

static void ask_for_sound(void)
{
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"m\",\"audio\":{},\"messages\":[{}]}");
}

static void bound_its_size(void)
{
    bench_set(CURLOPT_MAXFILESIZE, 4096L);
}

static void leave_it(void)
{
    bench.policy.stream.promote = false;
}

static void send_one(void)
{
    bench.policy.hedge.max_attempts = 1;
}

static void test_plan_tells_of_promotion(void **state)
{
    static const struct {
        const char *name;
        void (*make)(void);
        const char *because; /* NULL: it is promoted */
    } rows[] = {
        {"chat", do_nothing, NULL},
        {"by its URL", ask_gemini, NULL},
        {"a stream", stream, "it asks for a stream itself"},
        {"off", leave_it, "stream.promote is off"},
        {"observed", observe, "the mode is not hedge"},
        {"alone", send_one,
         "a refusal could not be met with the request as it was "
         "(hedge.max_attempts, hedge.failover_on)"},
        {"several", ask_for_two, "it asks for several answers"},
        {"sound", ask_for_sound, "what it asks for cannot be put together"},
        {"an option", bound_its_size, DEPENDENT},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        cJSON *facts;

        open_plan(*state);
        bench.policy.stream.promote = true;
        bench.policy.hedge.failover.status[500] = true;
        bench_set(CURLOPT_POSTFIELDS, WHOLE);
        rows[i].make();
        bench_run(NULL, 0);
        facts = line(0);
        CHECK_TEXT(rows[i].name, text_of(facts, "unpromoted_because"),
                   rows[i].because);
        CHECK_INT(rows[i].name, cJSON_IsTrue(get(facts, "promoted")),
                  !rows[i].because);
        CHECK_INT(rows[i].name, cJSON_IsTrue(get(facts, "streaming")),
                  rows[i].make == stream);
        if (rows[i].make == ask_gemini)
            CHECK_TEXT("as asked", text_of(facts, "url"),
                       GEMINI "generateContent");
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

/* Nothing of it is given before the end: no stall stays, nothing is resumed. */
static void test_plan_tells_of_stalls_of_a_promoted_answer(void **state)
{
    cJSON *facts;

    open_plan(*state);
    bench.policy.stream.promote = true;
    bench.policy.hedge.failover.status[500] = true;
    bench.policy.hedge.stall_after_ns = 5 * UNS_S;
    bench.policy.hedge.resume = UNS_RESUME_VERIFY;
    bench_set(CURLOPT_POSTFIELDS, WHOLE);
    bench_run(NULL, 0);
    facts = line(0);
    CHECK_TEXT("notes", notes(), "");
    CHECK_TEXT("resume", source_text(facts, 0, "resume"), "off");
    cJSON_Delete(facts);
    close_multi("promoted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plan_tells_of_retries),
        TEST(test_plan_sees_a_program_that_retries),
        TEST(test_plan_tells_of_promotion),
        TEST(test_plan_tells_of_stalls_of_a_promoted_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
