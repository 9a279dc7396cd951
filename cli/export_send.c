/* SPDX-License-Identifier: MIT */
/*
 * export_send - batch after batch: read, post, and only when the collector has
 * said yes move the cursor.  What happens in between can at worst send a batch
 * twice, with the same ids.
 */
#include "export_send.h"

#include "core/detect.h"
#include "cursor.h"
#include "otlp.h"
#include "post.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LARGE 413
#define MESSAGE   200 /* characters of an answer that are told */

struct sending {
    sqlite3 *db;
    const struct uns_export *export;
    struct uns_select select;
    struct uns_cursor cursor;
    struct uns_url url;
    char *where; /* the URL that is asked */
    char *shown; /* that without its secrets */
    char *name;  /* of the cursor */
    unsigned limit;
    int64_t calls, requests, rejected;
};

/* --- where -----------------------------------------------------------------
 */

/* scheme://host:port/path; a collector's root gets the path of traces. */
static char *print_url(const struct uns_url *url, bool query)
{
    bool six = memchr(url->host.data, ':', url->host.len) != NULL;
    bool root = url->path.len <= 1;

    query = query && url->query.len > 0;
    return sqlite3_mprintf(
        "%.*s://%s%.*s%s:%d%.*s%s%s%.*s", (int)url->scheme.len,
        url->scheme.data, six ? "[" : "", (int)url->host.len, url->host.data,
        six ? "]" : "", (int)url->port, root ? 0 : (int)url->path.len,
        url->path.data, root ? "/v1/traces" : "", query ? "?" : "",
        query ? (int)url->query.len : 0, url->query.data);
}

/* Returns the exit code. */
static int take_url(struct sending *sending)
{
    const char *to = sending->export->to;
    struct uns_url *url = &sending->url;

    if (strstr(to, "://") == NULL || !uns_url_split(to, strlen(to), url))
        return uns_args_fail("export", "--to: otlp needs http://HOST:PORT, or "
                                       "https");
    if (url->userinfo.len > 0)
        return uns_args_fail("export", "--to: no user name in the URL; a "
                                       "secret comes by --header-env");
    sending->where = print_url(url, true);
    sending->shown = print_url(url, false);
    sending->name = sending->shown
                        ? uns_cursor_name(sending->shown, &sending->select)
                        : NULL;
    if (sending->where != NULL && sending->name != NULL)
        return UNS_EXIT_OK;
    fprintf(stderr, "unstall export: %s\n", uns_err_str(UNS_NOMEM));
    return UNS_EXIT_FAILED;
}

/* --- what the collector says -----------------------------------------------
 */

static int fail(const struct sending *sending, const char *why)
{
    fprintf(stderr, "unstall export: %s: %s; the next run goes on here\n",
            sending->shown, why);
    return UNS_EXIT_FAILED;
}

/* How much of it is told. */
static int line_of(const char *message)
{
    size_t len = strcspn(message, "\r\n");

    return (int)(len < MESSAGE ? len : MESSAGE);
}

/* "message" of an error (google.rpc.Status), or the text itself. */
static int refused(const struct sending *sending,
                   const struct uns_answer *answer)
{
    cJSON *json = cJSON_Parse(answer->body ? answer->body : "");
    const char *message =
        cJSON_GetStringValue(cJSON_GetObjectItem(json, "message"));
    char why[MESSAGE + 64];

    if (message == NULL)
        message = answer->body ? answer->body : "";
    snprintf(why, sizeof why, "status %d%s%.*s", answer->status,
             *message ? ": " : "", line_of(message), message);
    cJSON_Delete(json);
    return fail(sending, why);
}

/* Spans that the collector took the request without: they are not to be sent
 * again.  A 64-bit number is a string in this JSON, and is often none. */
static void take_partial(struct sending *sending,
                         const struct uns_answer *answer)
{
    cJSON *json = cJSON_Parse(answer->body ? answer->body : "");
    cJSON *partial = cJSON_GetObjectItem(json, "partialSuccess");
    cJSON *number = cJSON_GetObjectItem(partial, "rejectedSpans");
    const char *digits = cJSON_GetStringValue(number);
    const char *message =
        cJSON_GetStringValue(cJSON_GetObjectItem(partial, "errorMessage"));
    int64_t rejected = digits ? strtoll(digits, NULL, 10)
                              : (cJSON_IsNumber(number) ? number->valueint : 0);

    if (rejected > 0 || (message != NULL && *message != '\0'))
        fprintf(stderr,
                "unstall export: %s: %" PRId64 " spans were rejected%s%.*s\n",
                sending->shown, rejected, message ? ": " : "",
                message ? line_of(message) : 0, message ? message : "");
    if (rejected > 0)
        sending->rejected += rejected;
    cJSON_Delete(json);
}

/* --- sending ---------------------------------------------------------------
 */

static int taken(struct sending *sending, const struct uns_otlp_batch *batch,
                 const struct uns_answer *answer)
{
    enum uns_err err;

    take_partial(sending, answer);
    sending->calls += batch->calls;
    sending->requests++;
    err = uns_cursor_save(&sending->cursor, batch->last_id, batch->last_uuid);
    if (err == UNS_OK)
        return UNS_EXIT_OK;
    fprintf(stderr,
            "unstall export: how far it got could not be noted (%s): the next "
            "run sends some calls twice\n",
            uns_err_str(err));
    return UNS_EXIT_FAILED;
}

static int judge(struct sending *sending, const struct uns_otlp_batch *batch,
                 const struct uns_answer *answer)
{
    if (answer->status == 0)
        return fail(sending, answer->error);
    if (answer->status / 100 == 2)
        return taken(sending, batch, answer);
    if (answer->status != TOO_LARGE || batch->calls == 1)
        return refused(sending, answer);
    sending->limit = batch->calls / 2;
    return UNS_EXIT_OK;
}

static int post(struct sending *sending, const struct uns_otlp_batch *batch)
{
    const struct uns_post request = {
        .url = sending->where,
        .header = sending->export->header,
        .headers = sending->export->headers,
        .body = batch->text,
        .len = batch->len,
    };
    struct uns_answer answer;
    int code;

    uns_post_send(&request, &answer);
    code = judge(sending, batch, &answer);
    free(answer.body);
    return code;
}

static int send_all(struct sending *sending)
{
    struct uns_otlp_batch batch;
    int code = UNS_EXIT_OK;
    int rc = SQLITE_ROW;

    while (code == UNS_EXIT_OK) {
        sending->select.after_id = sending->cursor.after_id;
        rc = uns_otlp_next(sending->db, &sending->select, sending->limit,
                           &batch);
        if (rc != SQLITE_ROW)
            break;
        code = post(sending, &batch);
        free(batch.text);
    }
    if (rc == SQLITE_ROW || rc == SQLITE_DONE)
        return code;
    fprintf(stderr, "unstall export: the database cannot be read: %s\n",
            sqlite3_errmsg(sending->db));
    return UNS_EXIT_FAILED;
}

static void tell(const struct sending *sending)
{
    if (sending->export->common.json)
        printf("[{\"calls\": %" PRId64 ", \"requests\": %" PRId64
               ", \"rejected_spans\": %" PRId64 "}]\n",
               sending->calls, sending->requests, sending->rejected);
    else
        printf("%" PRId64 " calls sent in %" PRId64 " requests\n",
               sending->calls, sending->requests);
}

static int run(struct sending *sending)
{
    enum uns_err err;
    int code;

    sending->cursor.store = sqlite3_db_filename(sending->db, "main");
    sending->cursor.destination = sending->name;
    if (sending->cursor.store == NULL || *sending->cursor.store == '\0') {
        tell(sending); /* nothing was recorded yet */
        return UNS_EXIT_OK;
    }
    err = uns_cursor_load(&sending->cursor);
    if (err != UNS_OK) {
        fprintf(stderr,
                "unstall export: %s: how far it got cannot be noted: "
                "%s\n",
                sending->cursor.store, uns_err_str(err));
        return UNS_EXIT_FAILED;
    }
    if (sending->export->again)
        sending->cursor.after_id = 0;
    code = send_all(sending);
    tell(sending);
    return code == UNS_EXIT_OK && sending->rejected > 0 ? UNS_EXIT_FAILED
                                                        : code;
}

int uns_export_send(sqlite3 *db, const struct uns_export *export)
{
    struct sending sending = {
        .db = db,
        .export = export,
        .select = export->select,
        .limit = UNS_OTLP_CALLS,
    };
    int code = take_url(&sending);

    if (code == UNS_EXIT_OK)
        code = run(&sending);
    sqlite3_free(sending.where);
    sqlite3_free(sending.shown);
    sqlite3_free(sending.name);
    sqlite3_close(db);
    return code;
}
