/* SPDX-License-Identifier: MIT */
/* What a plan says of a call, and that the call is not sent. */
#include "multi_bench.h"
#include "scratch.h"

#include "engine/plan.h"
#include "engine/plan_facts.h"

#include <fcntl.h>

static char plan_file[PATH_MAX];

static void open_plan(struct scratch *scratch)
{
    scratch_write(scratch, "plan", "", 0600);
    memcpy(plan_file, scratch->path, sizeof plan_file);
    open_multi(3 * UNS_S);
    bench.plan = plan_file;
    bench.left = 7;
}

/* The n-th line of the file; the caller frees it. */
static cJSON *line(int n)
{
    char text[32768] = "";
    const char *at = text;
    FILE *in = fopen(plan_file, "r");

    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    while (n-- > 0 && *at)
        at += strcspn(at, "\n") + 1;
    return *at ? cJSON_Parse(at) : NULL;
}

static const cJSON *get(const cJSON *facts, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(facts, name);
}

static const char *text_of(const cJSON *facts, const char *name)
{
    return cJSON_GetStringValue(get(facts, name));
}

static const char *source_text(const cJSON *facts, int at, const char *name)
{
    return text_of(cJSON_GetArrayItem(get(facts, "sources"), at), name);
}

/* All notes of the first line, one after the other. */
static const char *notes(void)
{
    static char all[2048];
    cJSON *facts = line(0);
    const cJSON *note;

    all[0] = '\0';
    cJSON_ArrayForEach(note, get(facts, "notes"))
    {
        strncat(all, cJSON_GetStringValue(note), sizeof all / 4);
        strncat(all, "|", 2);
    }
    cJSON_Delete(facts);
    return all;
}

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
#define UNSURE                                                           \
    "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\"," \
    "\"content\":\"x\"}]}"

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
    } rows[] = {
        {"given at once", UNSURE, 0,
         "a stall after the first content stays: nothing is held "
         "(hedge.hold_s) and the answer cannot be resumed|"},
        {"held", UNSURE, 2 * UNS_S,
         "the first 2 s of the answer are kept back, and can be replaced "
         "(hedge.hold_s)|"},
        {"all held", UNSURE, UNS_NEVER,
         "the program gets the answer when it is whole (hedge.hold_s "
         "\"all\"): until then it can be replaced|"},
        {"no stream", "{\"model\":\"m\",\"messages\":[]}", 0,
         "hedge.stall_after_s does nothing for it: it does not stream, so "
         "nothing is seen until the answer is whole|"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        open_plan(*state);
        bench.policy.hedge.stall_after_ns = 5 * UNS_S;
        bench.policy.hedge.hold_ns = rows[i].hold_ns;
        bench.policy.hedge.resume = UNS_RESUME_OFF;
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
        bench_fail_memory(n, true);
        bench_run(NULL, 0);
        bench_fail_memory(0, false);
        CHECK_INT("sent", fake.requests, 0);
        CHECK_INT("code", bench.code, CURLE_COULDNT_CONNECT);
        close_multi("no memory");
    }
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plan_describes_and_sends_nothing),
        TEST(test_plan_ends_a_call_in_a_multi),
        TEST(test_plan_forgets_a_call_that_is_taken_away),
        TEST(test_plan_tells_why_it_is_none),
        TEST(test_plan_tells_which_sources_could_be_asked),
        TEST(test_plan_tells_how_an_answer_could_go_on),
        TEST(test_plan_compares_with_the_programs_own_limits),
        TEST(test_plan_tells_what_a_stall_would_do),
        TEST(test_plan_tells_of_shadows_and_experiments),
        TEST(test_plan_sees_a_stream_that_a_header_asks_for),
        TEST(test_plan_reads_the_body),
        TEST(test_plan_appends_to_the_file_that_is_there),
        TEST(test_plan_sends_nothing_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
