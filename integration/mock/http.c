/* SPDX-License-Identifier: MIT */
/*
 * http - requests of HTTP/1.1 and HTTP/1.0.  Not a general parser: no
 * trailers are kept, no folded lines are joined.  Invariant: nothing outside
 * the bytes given is read, and DONE is said only of a whole request.
 */
#include "http.h"

#include <stdlib.h>
#include <string.h>

/* Cuts one line off; false when its end has not come. */
static bool take_line(struct mock_str *rest, struct mock_str *ret_line)
{
    if (rest->len == 0 || !memchr(rest->at, '\n', rest->len))
        return false;
    struct mock_str line = mock_str_cut(rest, '\n');

    if (line.len > 0 && line.at[line.len - 1] == '\r')
        line.len--;
    *ret_line = line;
    return true;
}

static struct mock_str trimmed(struct mock_str str)
{
    while (str.len > 0 && (*str.at == ' ' || *str.at == '\t')) {
        str.at++;
        str.len--;
    }
    while (str.len > 0 && str.at[str.len - 1] == ' ')
        str.len--;
    return str;
}

static bool parse_request_line(struct mock_request *request,
                               struct mock_str line)
{
    request->method = mock_str_cut(&line, ' ');
    request->target = mock_str_cut(&line, ' ');
    if (mock_str_is(line, "HTTP/1.1"))
        request->minor = 1;
    else if (mock_str_is(line, "HTTP/1.0"))
        request->minor = 0;
    else
        return false;

    struct mock_str rest = request->target;

    request->path = mock_str_cut(&rest, '?');
    request->query = rest;
    return true;
}

static enum mock_http parse_head(struct mock_request *request,
                                 struct mock_str *rest)
{
    struct mock_str line;

    if (!take_line(rest, &line))
        return MOCK_HTTP_HEAD;
    if (!parse_request_line(request, line))
        return MOCK_HTTP_BAD;
    request->header_count = 0;
    while (take_line(rest, &line)) {
        if (line.len == 0)
            return MOCK_HTTP_BODY;
        if (request->header_count == MOCK_HTTP_HEADERS)
            return MOCK_HTTP_BAD;

        struct mock_header *header = &request->headers[request->header_count++];

        header->name = mock_str_cut(&line, ':');
        header->value = trimmed(line);
    }
    return MOCK_HTTP_HEAD;
}

static enum mock_http parse_chunks(struct mock_request *request,
                                   struct mock_str *rest)
{
    struct mock_str line;

    mock_buf_clear(&request->chunks);
    while (take_line(rest, &line)) {
        size_t size = strtoul(line.at, NULL, 16);

        if (size == 0)
            break;
        if (size > rest->len)
            return MOCK_HTTP_BODY;
        mock_buf_put(&request->chunks, rest->at, size);
        rest->at += size;
        rest->len -= size;
        if (!take_line(rest, &line))
            return MOCK_HTTP_BODY;
    }
    while (take_line(rest, &line))
        if (line.len == 0)
            return MOCK_HTTP_DONE;
    return MOCK_HTTP_BODY;
}

static enum mock_http parse_body(struct mock_request *request,
                                 struct mock_str *rest)
{
    struct mock_str length = mock_http_header(request, "content-length");
    size_t size = length.len > 0 ? strtoul(length.at, NULL, 10) : 0;

    if (mock_str_has(mock_http_header(request, "transfer-encoding"),
                     "chunked")) {
        enum mock_http state = parse_chunks(request, rest);

        request->body = mock_buf_view(&request->chunks);
        return state;
    }
    if (rest->len < size)
        return MOCK_HTTP_BODY;
    request->body = (struct mock_str){rest->at, size};
    rest->len -= size;
    return MOCK_HTTP_DONE;
}

enum mock_http mock_http_parse(struct mock_request *request,
                               struct mock_str bytes)
{
    struct mock_str rest = bytes;
    enum mock_http state = parse_head(request, &rest);

    if (state == MOCK_HTTP_BODY)
        state = parse_body(request, &rest);
    request->size = bytes.len - rest.len;
    return state;
}

struct mock_str mock_http_header(const struct mock_request *request,
                                 const char *name)
{
    struct mock_str wanted = mock_str_of(name);

    for (size_t i = 0; i < request->header_count; i++)
        if (mock_str_like(request->headers[i].name, wanted))
            return request->headers[i].value;
    return (struct mock_str){NULL, 0};
}

static void put_decoded(struct mock_buf *out, struct mock_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '%' && i + 2 < text.len) {
            char hex[3] = {text.at[i + 1], text.at[i + 2], '\0'};

            c = (char)strtoul(hex, NULL, 16);
            i += 2;
        }
        mock_buf_put(out, &c, 1);
    }
}

bool mock_http_query(const struct mock_request *request, const char *name,
                     struct mock_buf *out)
{
    struct mock_str rest = request->query;

    while (rest.len > 0) {
        struct mock_str value = mock_str_cut(&rest, '&');
        struct mock_str key = mock_str_cut(&value, '=');

        if (!mock_str_is(key, name))
            continue;
        put_decoded(out, value);
        return true;
    }
    return false;
}

bool mock_http_keeps_alive(const struct mock_request *request)
{
    return request->minor == 1 &&
           !mock_str_has(mock_http_header(request, "connection"), "close");
}

const char *mock_http_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } rows[] = {
        {200, "OK"},
        {307, "Temporary Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {402, "Payment Required"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {413, "Content Too Large"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
        {529, "Overloaded"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].status == status)
            return rows[i].reason;
    return "Status";
}
