/* SPDX-License-Identifier: MIT */
/* What a plan says of a call. */
#include "plan_file.h"

/* --- sources --------------------------------------------------------------*/

static void lose_key(void)
{
    unsetenv("KEY_ONE");
}

static void want_no_key(void)
{
    bench.source[0].auth = UNS_AUTH_NONE;
}

static void list_models(void)
{
    static const struct uns_pair models[] = {{"gpt-5", "gpt-5"}};

    bench.source[0].models = models;
    bench.source[0].model_count = 1;
}

static void speak_otherwise(void)
{
    bench.source[0].dialects = 1u << UNS_DIALECT_ANTHROPIC;
}

static void name_a_file(void)
{
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"m\",\"messages\":[],\"file_id\":\"f\"}");
}

static void carry_a_secret(void)
{
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"m\",\"messages\":[],\"api_key\":\"f\"}");
}

static void sign(void)
{
    bench_set(CURLOPT_AWS_SIGV4, "aws:amz");
}

static void do_nothing(void)
{
}

static void test_plan_tells_which_sources_could_be_asked(void **state)
{
    static const struct {
        const char *name;
        void (*make)(void);
        const char *key, *because;
    } rows[] = {
        {"fine", do_nothing, "there", NULL},
        {"no key", lose_key, "missing", "its key is not there"},
        {"none wanted", want_no_key, "none wanted", NULL},
        {"model", list_models, "there", "it has no name for the model"},
        {"dialect", speak_otherwise, "there", "it speaks another dialect"},
        {"bound", name_a_file, "there",
         "the request refers to what lies at its own origin"},
        {"secret", carry_a_secret, "there", "there is a secret in the body"},
        {"signed", sign, "there", "the request is signed for its host"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        cJSON *facts;

        open_plan(*state);
        rows[i].make();
        bench_run(NULL, 0);
        facts = line(0);
        CHECK_TEXT(rows[i].name, source_text(facts, 0, "key"), rows[i].key);
        CHECK_TEXT(rows[i].name, source_text(facts, 0, "because"),
                   rows[i].because);
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

/* --- resume and limits ----------------------------------------------------*/

#define SURE                                                             \
    "{\"model\":\"m\",\"stream\":true,\"temperature\":0,\"messages\":[{" \
    "\"role\":\"user\",\"content\":\"x\"}]}"

static void test_plan_tells_how_an_answer_could_go_on(void **state)
{
    static const struct {
        const char *name, *body;
        enum uns_prefill prefill;
        enum uns_resume resume;
        const char *want;
    } rows[] = {
        {"off", SURE, UNS_PREFILL_PREFIX, UNS_RESUME_OFF, "off"},
        {"auto, prefill", UNSURE, UNS_PREFILL_PREFIX, UNS_RESUME_AUTO,
         "prefill"},
        {"auto, sure", SURE, UNS_PREFILL_NONE, UNS_RESUME_AUTO, "verify"},
        {"auto, unsure", UNSURE, UNS_PREFILL_NONE, UNS_RESUME_AUTO,
         "verify_when_lost"},
        {"verify", UNSURE, UNS_PREFILL_PREFIX, UNS_RESUME_VERIFY, "verify"},
        {"prefill, undeclared", UNSURE, UNS_PREFILL_NONE, UNS_RESUME_PREFILL,
         "off"},
        {"no stream", "{\"model\":\"m\",\"messages\":[]}", UNS_PREFILL_NONE,
         UNS_RESUME_AUTO, "off"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        cJSON *facts;

        open_plan(*state);
        bench.policy.hedge.stall_after_ns = 5 * UNS_S;
        bench.policy.hedge.resume = rows[i].resume;
        bench.source[0].prefill = rows[i].prefill;
        bench_set(CURLOPT_POSTFIELDS, rows[i].body);
        bench_run(NULL, 0);
        facts = line(0);
        CHECK_TEXT(rows[i].name, source_text(facts, 0, "resume"), rows[i].want);
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

static void test_plan_compares_with_the_programs_own_limits(void **state)
{
    static const struct {
        const char *name;

        struct {
            CURLoption id;
            long value;
        } set[2];

        const char *note; /* NULL: none */
    } rows[] = {
        {"none", {{0}}, NULL},
        {"shorter",
         {{CURLOPT_TIMEOUT, 3}},
         "hedge.after_s (3 s) can never act: the program gives up after 3 s "
         "(CURLOPT_TIMEOUT)|"},
        {"longer", {{CURLOPT_TIMEOUT_MS, 3001}}, NULL},
        {"low speed",
         {{CURLOPT_LOW_SPEED_LIMIT, 10}, {CURLOPT_LOW_SPEED_TIME, 2}},
         "hedge.after_s (3 s) can never act: the program ends a transfer under "
         "10 bytes/s after 2 s (CURLOPT_LOW_SPEED_TIME)|"},
        {"half a low speed", {{CURLOPT_LOW_SPEED_TIME, 2}}, NULL},
        {"connecting",
         {{CURLOPT_CONNECTTIMEOUT_MS, 1500}},
         "who cannot be connected to fails after 1.5 s "
         "(CURLOPT_CONNECTTIMEOUT), before hedge.after_s (3 s)|"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        open_plan(*state);
        for (size_t n = 0; n < 2 && rows[i].set[n].id; n++)
            bench_set(rows[i].set[n].id, rows[i].set[n].value);
        bench_run(NULL, 0);
        CHECK_TEXT(rows[i].name, notes(), rows[i].note ? rows[i].note : "");
        close_multi(rows[i].name);
    }
}

static void test_plan_tells_what_a_stall_would_do(void **state)
{
    static const struct {
        const char *name, *body;
        uns_ns hold_ns;
        const char *note;
        enum uns_resume resume;
    } rows[] = {
        {"given at once, at any temperature", UNSURE, 0,
         "a stall after the first content stays, unless the stream breaks: "
         "nothing is held (hedge.hold_s), the request has neither temperature "
         "0 nor a seed, and no source declares prefill|",
         UNS_RESUME_AUTO},
        {"given at once, and to be written anew", UNSURE, 0, "",
         UNS_RESUME_VERIFY},
        {"given at once", UNSURE, 0,
         "a stall after the first content stays: nothing is held "
         "(hedge.hold_s) and the answer cannot be resumed|",
         UNS_RESUME_OFF},
        {"held", UNSURE, 2 * UNS_S,
         "the first 2 s of the answer are kept back, and can be replaced "
         "(hedge.hold_s)|",
         UNS_RESUME_OFF},
        {"all held", UNSURE, UNS_NEVER,
         "the program gets the answer when it is whole (hedge.hold_s "
         "\"all\"): until then it can be replaced|",
         UNS_RESUME_OFF},
        {"no stream", "{\"model\":\"m\",\"messages\":[]}", 0,
         "hedge.stall_after_s does nothing for it: it does not stream, so "
         "nothing is seen until the answer is whole|",
         UNS_RESUME_OFF},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        open_plan(*state);
        bench.policy.hedge.stall_after_ns = 5 * UNS_S;
        bench.policy.hedge.hold_ns = rows[i].hold_ns;
        bench.policy.hedge.resume = rows[i].resume;
        bench_set(CURLOPT_POSTFIELDS, rows[i].body);
        bench_run(NULL, 0);
        CHECK_TEXT(rows[i].name, notes(), rows[i].note);
        close_multi(rows[i].name);
    }
}

/* DashScope asks for a stream by a header. */
static void test_plan_sees_a_stream_that_a_header_asks_for(void **state)
{
    static const struct {
        const char *name, *header;
        enum uns_dialect dialect;
        bool streams;
    } rows[] = {
        {"none", "Accept: */*", UNS_DIALECT_DASHSCOPE, false},
        {"enable", "X-DashScope-SSE: enable", UNS_DIALECT_DASHSCOPE, true},
        {"spelled", "x-dashscope-sse:ENABLE", UNS_DIALECT_DASHSCOPE, true},
        {"disable", "X-DashScope-SSE: disable", UNS_DIALECT_DASHSCOPE, false},
        {"another", "X-DashScope-SSE2: enable", UNS_DIALECT_DASHSCOPE, false},
        {"another's", "X-DashScope-SSE: enable", UNS_DIALECT_CHAT, false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        cJSON *facts;

        open_plan(*state);
        bench.app->dialect = rows[i].dialect;
        bench_set(CURLOPT_POSTFIELDS,
                  "{\"model\":\"q\",\"input\":{},\"messages\":[]}");
        bench_headers(&rows[i].header, 1);
        bench_run(NULL, 0);
        facts = line(0);
        CHECK_INT(rows[i].name, cJSON_IsTrue(get(facts, "streaming")),
                  rows[i].streams);
        cJSON_Delete(facts);
        close_multi(rows[i].name);
    }
}

/* --- experiments ----------------------------------------------------------*/

#define SHADOWED                                                         \
    "a second request is read beside it and dropped (mode \"shadow\"): " \
    "to the first of the sources that can be used|"
#define TRIED "experiment e: 0 % are treated so, the others are only observed|"

/* R12: what a treated call gets; nobody is drawn. */
static void test_plan_tells_of_shadows_and_experiments(void **state)
{
    static const struct {
        const char *name, *experiment;
        enum uns_mode mode;
        const char *note;
    } rows[] = {
        {"shadow", NULL, UNS_MODE_SHADOW, SHADOWED},
        {"shadows for a share", "e", UNS_MODE_SHADOW, SHADOWED TRIED},
        {"hedges for a share", "e", UNS_MODE_HEDGE, TRIED},
        {"nothing to compare", "e", UNS_MODE_OBSERVE, ""},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        open_plan(*state);
        bench.policy.mode = rows[i].mode;
        bench.experiment.name = rows[i].experiment;
        bench_run(NULL, 0);
        CHECK_TEXT(rows[i].name, notes(), rows[i].note);
        close_multi(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plan_tells_which_sources_could_be_asked),
        TEST(test_plan_tells_how_an_answer_could_go_on),
        TEST(test_plan_compares_with_the_programs_own_limits),
        TEST(test_plan_tells_what_a_stall_would_do),
        TEST(test_plan_sees_a_stream_that_a_header_asks_for),
        TEST(test_plan_tells_of_shadows_and_experiments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
