/* SPDX-License-Identifier: MIT */
/*
 * log - what happened, one JSON object a line.  Invariant: a line is written
 * by one system call, so that a reader never sees half of one.
 */
#include "log.h"

#include "json.h"

#include <ctype.h>
#include <unistd.h>

static double seconds(const struct mock_log *log, int64_t time_ns)
{
    return (double)(time_ns - log->epoch_ns) / 1e9;
}

static void begin_line(struct mock_log *log, const char *event,
                       const struct mock_log_id *id, int64_t now_ns)
{
    mock_buf_clear(&log->line);
    mock_buf_fmt(&log->line, "{\"event\":\"%s\",\"id\":%llu,\"t\":%.6f", event,
                 (unsigned long long)id->request, seconds(log, now_ns));
}

static void put_member(struct mock_log *log, const char *name,
                       struct mock_str value)
{
    mock_buf_fmt(&log->line, ",\"%s\":\"", name);
    mock_json_put(&log->line, value);
    mock_buf_text(&log->line, "\"");
}

static void end_line(struct mock_log *log)
{
    mock_buf_text(&log->line, "}\n");
    for (struct mock_str rest = mock_buf_view(&log->line); rest.len > 0;) {
        ssize_t n = write(log->fd, rest.at, rest.len);

        if (n <= 0)
            return;
        rest.at += n;
        rest.len -= (size_t)n;
    }
}

/* The values of all headers of this name, joined as RFC 9110, 5.3 has it. */
static void put_values(struct mock_log *log, const struct mock_request *request,
                       size_t first)
{
    struct mock_str name = request->headers[first].name;

    for (size_t i = first; i < request->header_count; i++) {
        if (!mock_str_like(request->headers[i].name, name))
            continue;
        mock_buf_text(&log->line, i == first ? "" : ", ");
        mock_json_put(&log->line, request->headers[i].value);
    }
}

static bool is_first(const struct mock_request *request, size_t header)
{
    for (size_t i = 0; i < header; i++)
        if (mock_str_like(request->headers[i].name,
                          request->headers[header].name))
            return false;
    return true;
}

static void put_headers(struct mock_log *log,
                        const struct mock_request *request)
{
    const char *comma = "";

    mock_buf_text(&log->line, ",\"headers\":{");
    for (size_t i = 0; i < request->header_count; i++) {
        struct mock_str name = request->headers[i].name;

        if (!is_first(request, i))
            continue;
        mock_buf_fmt(&log->line, "%s\"", comma);
        for (size_t c = 0; c < name.len; c++) {
            char lower = (char)tolower((unsigned char)name.at[c]);

            mock_json_put(&log->line, (struct mock_str){&lower, 1});
        }
        mock_buf_text(&log->line, "\":\"");
        put_values(log, request, i);
        mock_buf_text(&log->line, "\"");
        comma = ",";
    }
    mock_buf_text(&log->line, "}");
}

void mock_log_request(struct mock_log *log, const struct mock_exchange *x,
                      const struct mock_log_id *id)
{
    if (log->fd < 0)
        return;
    begin_line(log, "request", id, id->time_ns);
    put_member(log, "name", x->stream.name);
    mock_buf_fmt(&log->line, ",\"conn\":%llu",
                 (unsigned long long)id->connection);
    put_member(log, "method", x->request.method);
    put_member(log, "target", x->request.target);
    put_member(log, "http", mock_str_of(x->request.minor ? "1.1" : "1.0"));
    put_member(log, "dialect", mock_str_of(x->stream.dialect->name));
    put_member(log, "fault", mock_buf_view(&x->faults));
    mock_buf_fmt(&log->line, ",\"status\":%d", x->stream.status);
    put_headers(log, &x->request);
    put_member(log, "body", x->request.body);
    end_line(log);
}

void mock_log_end(struct mock_log *log, const struct mock_exchange *x,
                  const struct mock_log_id *id, int64_t now_ns,
                  const struct mock_log_outcome *outcome)
{
    if (log->fd < 0)
        return;
    begin_line(log, "end", id, now_ns);
    put_member(log, "name", x->stream.name);
    mock_buf_fmt(&log->line,
                 ",\"conn\":%llu,\"how\":\"%s\",\"sent_tokens\":%llu,"
                 "\"sent_bytes\":%llu,\"t_request\":%.6f",
                 (unsigned long long)id->connection, outcome->how,
                 (unsigned long long)x->stream.sent,
                 (unsigned long long)outcome->sent_bytes,
                 seconds(log, id->time_ns));
    end_line(log);
}
