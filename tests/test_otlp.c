/* SPDX-License-Identifier: MIT */
/* Spans as protobuf's JSON has them, with OTLP's exceptions; the same call is
 * the same trace each time. */
#include "cli/otlp.h"

#include "export_fixture.h"

static struct uns_otlp_batch batch_after(const struct place *place,
                                         int64_t after_id, unsigned limit)
{
    struct uns_select select = UNS_SELECT_ALL;
    struct uns_otlp_batch batch = {0};
    sqlite3 *db = open_store(place);

    select.after_id = after_id;
    CHECK_INT("batch", uns_otlp_next(db, &select, limit, &batch), SQLITE_ROW);
    sqlite3_close(db);
    return batch;
}

static cJSON *document_of(const struct place *place)
{
    struct uns_otlp_batch batch = batch_after(place, 0, UNS_OTLP_CALLS);
    cJSON *json = cJSON_Parse(batch.text);

    if (json == NULL)
        print_error("%s\n", batch.text);
    assert_non_null(json);
    assert_null(strchr(batch.text, '\n'));
    CHECK_INT("length", batch.len, strlen(batch.text));
    free(batch.text);
    return json;
}

static const cJSON *resource_of(const cJSON *document, int i)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(document, "resourceSpans"),
                              i);
}

static const cJSON *span_of(const cJSON *document, int resource, int i)
{
    const cJSON *scope = cJSON_GetArrayItem(
        cJSON_GetObjectItem(resource_of(document, resource), "scopeSpans"), 0);

    return cJSON_GetArrayItem(cJSON_GetObjectItem(scope, "spans"), i);
}

static const char *text_of(const cJSON *thing, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(thing, key));
}

/* An attribute's value, which is a string whatever it is; NULL: none. */
static const char *attribute(const cJSON *thing, const char *key)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, cJSON_GetObjectItem(thing, "attributes"))
    {
        if (strcmp(text_of(item, "key"), key) == 0)
            return cJSON_GetStringValue(
                cJSON_GetObjectItem(item, "value")->child);
    }
    return NULL;
}

static void test_otlp_span_has_the_conventions_names(void **state)
{
    static const struct {
        const char *key, *value;
    } rows[] = {
        {"gen_ai.operation.name", "chat"},
        {"gen_ai.provider.name", "openai"},
        {"gen_ai.request.model", "m1"},
        {"gen_ai.response.model", "m1-0601"},
        {"gen_ai.usage.input_tokens", "11"},
        {"gen_ai.usage.output_tokens", "22"},
        {"server.address", "a.test"},
        {"server.port", "8443"},
        {"http.response.status_code", "200"},
        {"error.type", NULL},
        {"unstall.uuid", "a"},
        {"unstall.ttft_us", "700900"},
        {"unstall.arm", NULL},
        {"unstall.delivered_ms", NULL},
    };
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    cJSON *document;

    strcpy(entry->call.model_served, "m1-0601");
    entry->call.tokens_in = 11;
    entry->call.tokens_out = 22;
    write_ok(place->db, entry);
    document = document_of(place);
    CHECK_TEXT("name", text_of(span_of(document, 0, 0), "name"), "chat m1");
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].key, attribute(span_of(document, 0, 0), rows[i].key),
                   rows[i].value);
    cJSON_Delete(document);
}

static void test_otlp_times_are_strings_of_nanoseconds(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    const cJSON *span, *event;
    cJSON *document;

    write_ok(place->db, entry);
    document = document_of(place);
    span = span_of(document, 0, 0);
    CHECK_TEXT("start", text_of(span, "startTimeUnixNano"),
               "1785412525000000000");
    CHECK_TEXT("end", text_of(span, "endTimeUnixNano"), "1785412534000000000");
    event = cJSON_GetArrayItem(cJSON_GetObjectItem(span, "events"), 0);
    CHECK_TEXT("event", text_of(event, "name"), "first_token");
    CHECK_TEXT("at", text_of(event, "timeUnixNano"), "1785412525700900000");
    CHECK_INT("kind", cJSON_GetObjectItem(span, "kind")->valueint, 3);
    cJSON_Delete(document);
}

/* Milliseconds are cut off: 700 of an attempt of 700.9. */
static void test_otlp_span_does_not_end_before_its_first_token(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    cJSON *document;

    entry->call.wall_ms = 700;
    write_ok(place->db, entry);
    document = document_of(place);
    CHECK_TEXT("end", text_of(span_of(document, 0, 0), "endTimeUnixNano"),
               "1785412525700900000");
    cJSON_Delete(document);
}

static void test_otlp_status_tells_failures_alone(void **state)
{
    static const struct {
        const char *outcome;
        int64_t http_status;
        int code;
        const char *type;
    } rows[] = {
        {"ok", 200, 0, NULL},           {"aborted", 200, 0, NULL},
        {"refused", 401, 2, "401"},     {"failed", 529, 2, "529"},
        {"timeout", 200, 2, "timeout"}, {"failed", UNS_NULL, 2, "failed"},
        {"killed", 200, 2, "killed"},   {"truncated", 200, 2, "truncated"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct place *place = NULL;
        struct uns_entry *entry = call_named("a");
        const cJSON *span, *code;
        cJSON *document;

        assert_int_equal(place_setup((void **)&place), 0);
        strcpy(entry->call.outcome, rows[i].outcome);
        entry->call.http_status = rows[i].http_status;
        write_ok(place->db, entry);
        document = document_of(place);
        span = span_of(document, 0, 0);
        code = cJSON_GetObjectItem(cJSON_GetObjectItem(span, "status"), "code");
        CHECK_INT(rows[i].outcome, code ? code->valueint : 0, rows[i].code);
        CHECK_TEXT(rows[i].outcome, attribute(span, "error.type"),
                   rows[i].type);
        cJSON_Delete(document);
        assert_int_equal(place_teardown((void **)&place), 0);
    }
    (void)state;
}

static void test_otlp_attempts_are_children(void **state)
{
    static const int64_t at_ms[] = {700, 3700, 3800};
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    const cJSON *parent, *child, *stall;
    cJSON *document;

    entry->attempt[1] = entry->attempt[0];
    entry->attempt[1].seq = entry->call.winner = 1;
    entry->attempt[1].started_ms = 3000;
    entry->attempt[1].tokens_in = 11;
    strcpy(entry->attempt[1].source, "backup");
    strcpy(entry->attempt[0].outcome, "failed");
    strcpy(entry->attempt[0].error, "overloaded_error");
    entry->attempts = 2;
    give_timeline(entry, 1, at_ms, ROWS(at_ms));
    write_ok(place->db, entry);
    document = document_of(place);
    parent = span_of(document, 0, 0);
    child = span_of(document, 0, 1);
    CHECK_TEXT("failed", attribute(child, "error.type"), "overloaded_error");
    child = span_of(document, 0, 2);
    CHECK_TEXT("name", text_of(child, "name"), "attempt backup");
    CHECK_TEXT("trace", text_of(child, "traceId"), text_of(parent, "traceId"));
    CHECK_TEXT("parent", text_of(child, "parentSpanId"),
               text_of(parent, "spanId"));
    CHECK_TEXT("start", text_of(child, "startTimeUnixNano"),
               "1785412528000000000");
    CHECK_TEXT("of it", attribute(child, "unstall.attempt.tokens_in"), "11");
    assert_null(attribute(child, "gen_ai.usage.input_tokens"));
    /* The winner's stall is the call's, at the same moment. */
    for (int i = 0; i < 2; i++) {
        stall = cJSON_GetArrayItem(
            cJSON_GetObjectItem(i ? child : parent, "events"), 1);
        CHECK_TEXT("stall", text_of(stall, "name"), "stall");
        CHECK_TEXT("at", text_of(stall, "timeUnixNano"), "1785412528700000000");
        CHECK_TEXT("length", attribute(stall, "unstall.stall.duration_ms"),
                   "3000");
    }
    cJSON_Delete(document);
}

static bool is_hex(const char *text, size_t len)
{
    return strlen(text) == len && strspn(text, "0123456789abcdef") == len &&
           strspn(text, "0") < len;
}

static void test_otlp_ids_are_hex_and_the_uuids(void **state)
{
    struct place *place = *state;
    cJSON *one, *two;
    const char *trace;

    write_ok(place->db, call_named("a"));
    write_ok(place->db, call_named("b"));
    one = document_of(place);
    do_sql(place->db, "UPDATE calls SET wall_ms = 1, model = 'x'");
    two = document_of(place);
    trace = text_of(span_of(one, 0, 0), "traceId");
    assert_true(is_hex(trace, 32));
    assert_true(is_hex(text_of(span_of(one, 0, 0), "spanId"), 16));
    for (int i = 0; i < 4; i++) {
        CHECK_TEXT("same", text_of(span_of(one, 0, i), "spanId"),
                   text_of(span_of(two, 0, i), "spanId"));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(text_of(span_of(one, 0, i), "spanId"),
                                    text_of(span_of(one, 0, k), "spanId"));
    }
    CHECK_TEXT("same", trace, text_of(span_of(two, 0, 0), "traceId"));
    assert_string_not_equal(trace, text_of(span_of(one, 0, 2), "traceId"));
    cJSON_Delete(one);
    cJSON_Delete(two);
}

static void test_otlp_calls_of_a_process_share_a_resource(void **state)
{
    struct place *place = *state;
    struct uns_entry *other = call_named("c");
    const cJSON *resource;
    cJSON *document;

    strcpy(other->call.program, "php");
    write_ok(place->db, call_named("a"));
    write_ok(place->db, call_named("b"));
    write_ok(place->db, other);
    document = document_of(place);
    assert_non_null(span_of(document, 0, 3));
    assert_null(span_of(document, 0, 4));
    resource = cJSON_GetObjectItem(resource_of(document, 0), "resource");
    CHECK_TEXT("program", attribute(resource, "service.name"), "curl");
    CHECK_TEXT("pid", attribute(resource, "process.pid"), "7");
    resource = cJSON_GetObjectItem(resource_of(document, 1), "resource");
    CHECK_TEXT("program", attribute(resource, "service.name"), "php");
    assert_null(resource_of(document, 2));
    cJSON_Delete(document);
}

static void test_otlp_batches_go_on_where_the_last_one_ended(void **state)
{
    struct place *place = *state;
    struct uns_select select = UNS_SELECT_ALL;
    struct uns_otlp_batch batch;
    sqlite3 *db;

    for (const char *name = "a\0b\0c\0"; *name != '\0'; name += 2)
        write_ok(place->db, call_named(name));
    batch = batch_after(place, 0, 2);
    CHECK_INT("calls", batch.calls, 2);
    CHECK_INT("spans", batch.spans, 4);
    CHECK_INT("last", batch.last_id, 2);
    CHECK_TEXT("last", batch.last_uuid, "b");
    free(batch.text);
    batch = batch_after(place, 2, 2);
    CHECK_INT("calls", batch.calls, 1);
    CHECK_TEXT("last", batch.last_uuid, "c");
    free(batch.text);
    db = open_store(place);
    select.after_id = 3;
    CHECK_INT("end", uns_otlp_next(db, &select, 2, &batch), SQLITE_DONE);
    sqlite3_close(db);
}

/* Long names fill it before there are 64 calls. */
static void test_otlp_batches_are_bounded_in_bytes(void **state)
{
    struct place *place = *state;
    struct uns_otlp_batch batch;
    int64_t calls = 0, after_id = 0;

    for (int i = 0; i < 90; i++) {
        char uuid[8];
        struct uns_entry *entry;

        snprintf(uuid, sizeof uuid, "%d", i);
        entry = call_named(uuid);
        memset(entry->call.route, '\x01', sizeof entry->call.route - 1);
        memset(entry->call.model, '\x01', sizeof entry->call.model - 1);
        for (unsigned k = 1; k < UNS_RACE_ATTEMPTS; k++)
            entry->attempt[k] = entry->attempt[0];
        entry->attempts = UNS_RACE_ATTEMPTS;
        write_ok(place->db, entry);
    }
    while (calls < 90) {
        batch = batch_after(place, after_id, UNS_OTLP_CALLS);
        assert_true(batch.len < UNS_OTLP_BYTES + 32 * 1024);
        assert_true(batch.calls < UNS_OTLP_CALLS);
        calls += batch.calls;
        after_id = batch.last_id;
        free(batch.text);
    }
    CHECK_INT("calls", calls, 90);
}

static void test_otlp_names_of_operations_and_providers(void **state)
{
    static const struct {
        const char *endpoint, *dialect, *operation, *provider;
    } rows[] = {
        {"https://api.openai.com/v1/chat/completions", "chat", "chat",
         "openai"},
        {"https://x.openai.azure.com/openai/v1/chat/completions", "chat",
         "chat", "azure.ai.openai"},
        {"https://api.mistral.ai/v1/chat/completions", "chat", "chat",
         "mistral_ai"},
        {"https://openrouter.ai/api/v1/chat/completions", "chat", "chat",
         "openrouter"},
        {"https://generativelanguage.googleapis.com/v1beta/x", "gemini",
         "generate_content", "gcp.gemini"},
        {"http://a.test/v1/messages", "anthropic", "chat", "anthropic"},
        {"http://a.test/v1/completions", "completions", "text_completion",
         "openai"},
        {"http://127.0.0.1:11434/api/chat", "ollama", "chat", "ollama"},
        {"http://a.test/completion", "llamacpp", "text_completion", "llamacpp"},
        {"no url", "cohere", "chat", "cohere"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_call_record call;

        uns_call_record_clear(&call);
        strcpy(call.endpoint, rows[i].endpoint);
        strcpy(call.dialect, rows[i].dialect);
        CHECK_TEXT(rows[i].endpoint, uns_otlp_operation(&call),
                   rows[i].operation);
        CHECK_TEXT(rows[i].endpoint, uns_otlp_provider(&call),
                   rows[i].provider);
    }
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_otlp_span_has_the_conventions_names),
        TEST(test_otlp_times_are_strings_of_nanoseconds),
        TEST(test_otlp_span_does_not_end_before_its_first_token),
        cmocka_unit_test(test_otlp_status_tells_failures_alone),
        TEST(test_otlp_attempts_are_children),
        TEST(test_otlp_ids_are_hex_and_the_uuids),
        TEST(test_otlp_calls_of_a_process_share_a_resource),
        TEST(test_otlp_batches_go_on_where_the_last_one_ended),
        TEST(test_otlp_batches_are_bounded_in_bytes),
        cmocka_unit_test(test_otlp_names_of_operations_and_providers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
