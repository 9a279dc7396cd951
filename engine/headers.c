/* SPDX-License-Identifier: MIT */
#include "headers.h"

#include "key.h"
#include "notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* All that an application's header may be, to travel to another origin. */
static const char *const allowed[] = {
    "accept",       "anthropic-beta", "anthropic-version",
    "content-type", "openai-beta",    "x-dashscope-sse",
};

static bool is_named(const char *line, const char *name)
{
    size_t len = strcspn(line, ":;");

    return strlen(name) == len && !strncasecmp(name, line, len);
}

/* The source's own go before the application's of the same name: two of a
 * kind would be read as a list. */
static bool is_allowed(const char *line, const struct uns_source *source)
{
    bool found = false;

    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        found |= is_named(line, allowed[i]);
    for (size_t i = 0; i < source->header_count; i++)
        found &= !is_named(line, source->headers[i].key);
    return found;
}

/* Own nodes: the list is freed with its keys wiped, which libcurl does not
 * do.  Up to a line break: libcurl sends what follows it, and that would be a
 * header that nobody has looked at (P3). */
static bool append(struct curl_slist ***tail, const char *line)
{
    struct curl_slist *node = calloc(1, sizeof *node);

    if (!node)
        return false;
    node->data = strndup(line, strcspn(line, "\r\n"));
    **tail = node;
    *tail = &node->next;
    return node->data != NULL;
}

static bool append_allowed(struct curl_slist ***tail,
                           const struct uns_attempt *rival)
{
    const struct curl_slist *theirs =
        uns_notes_pointer(rival->call->app, CURLOPT_HTTPHEADER, NULL);
    bool ok = true;

    for (; ok && theirs; theirs = theirs->next)
        if (theirs->data && is_allowed(theirs->data, rival->source))
            ok = append(tail, theirs->data);
    return ok;
}

static bool append_pairs(struct curl_slist ***tail,
                         const struct uns_source *source)
{
    bool ok = true;

    for (size_t i = 0; ok && i < source->header_count; i++) {
        char line[1024];
        int len = snprintf(line, sizeof line, "%s: %s", source->headers[i].key,
                           source->headers[i].value);

        ok = len > 0 && (size_t)len < sizeof line && append(tail, line);
    }
    return ok;
}

static bool append_key(struct curl_slist ***tail,
                       const struct uns_source *source,
                       enum uns_dialect dialect)
{
    char line[UNS_KEY_BYTES];
    bool ok = uns_key_header(source, dialect, line) == UNS_OK;

    if (ok && line[0])
        ok = append(tail, line);
    uns_key_wipe(line);
    return ok;
}

struct curl_slist *uns_headers_for(const struct uns_attempt *rival)
{
    struct curl_slist *list = NULL;
    struct curl_slist **tail = &list;

    if (append_allowed(&tail, rival) && append_pairs(&tail, rival->source) &&
        append_key(&tail, rival->source, rival->call->request.dialect) &&
        /* a body over 1 MiB would wait a second for 100 Continue */
        append(&tail, "Expect:"))
        return list;
    uns_headers_free(list);
    return NULL;
}

bool uns_headers_bind_body(const struct uns_app *app)
{
    static const char *const binding[] = {
        "content-length", "content-md5",
        "content-digest", "repr-digest",
        "digest",         "signature",
        "x-amz-date",     "x-amz-content-sha256",
    };
    const struct curl_slist *line =
        uns_notes_pointer(app, CURLOPT_HTTPHEADER, NULL);
    bool found = false;

    for (; line; line = line->next)
        for (size_t i = 0; i < sizeof binding / sizeof *binding; i++)
            found |= line->data && is_named(line->data, binding[i]);
    return found;
}

void uns_headers_free(struct curl_slist *list)
{
    while (list) {
        struct curl_slist *next = list->next;

        if (list->data)
            explicit_bzero(list->data, strlen(list->data));
        free(list->data);
        free(list);
        list = next;
    }
}
