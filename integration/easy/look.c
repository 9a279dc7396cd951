/* SPDX-License-Identifier: MIT */
/* look - questions to a handle, while it runs and after. */
#include "easy.h"

#include "integration/older.h"

#include <stdlib.h>

void easy_look(struct run *run)
{
    long status = 0, version = 0, redirects = 0;
    curl_off_t length = 0, sent = 0;
    void *mine = NULL;
    const char *type = NULL, *url = NULL, *method = NULL;

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(run->curl, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(run->curl, CURLINFO_REDIRECT_COUNT, &redirects);
    curl_easy_getinfo(run->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    curl_easy_getinfo(run->curl, CURLINFO_SIZE_UPLOAD_T, &sent);
    curl_easy_getinfo(run->curl, CURLINFO_PRIVATE, &mine);
    curl_easy_getinfo(run->curl, CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(run->curl, CURLINFO_EFFECTIVE_URL, &url);
    curl_easy_getinfo(run->curl, CURLINFO_EFFECTIVE_METHOD, &method);
    fprintf(stderr,
            "info %ld http %ld redirects %ld length %ld sent %ld "
            "private %s type %s method %s url %s\n",
            status, version, redirects, (long)length, (long)sent,
            mine == run ? "yes" : "no", type ? type : "-",
            method ? method : "-", url ? url : "-");
}

void easy_look_at_fields(struct run *run)
{
    struct curl_header *field = NULL;
    CURLHcode code = curl_easy_header(run->curl, "content-type", 0,
                                      CURLH_HEADER, -1, &field);

    fprintf(stderr, "field %d %s\n", code, code ? "-" : field->value);
    for (field = NULL;
         (field = curl_easy_nextheader(run->curl, CURLH_HEADER | CURLH_TRAILER,
                                       -1, field));)
        fprintf(stderr, "field %s: %s (%u)\n", field->name, field->value,
                field->origin);
}

void easy_look_at_clock(const struct run *run)
{
    double total = 0, first = 0, transfer = 0, connect = 0;
    double measured = easy_ms_since(&run->begun_at) / 1000;
    curl_off_t total_us = 0;

    curl_easy_getinfo(run->curl, CURLINFO_TOTAL_TIME, &total);
    curl_easy_getinfo(run->curl, CURLINFO_TOTAL_TIME_T, &total_us);
    curl_easy_getinfo(run->curl, CURLINFO_STARTTRANSFER_TIME, &first);
    curl_easy_getinfo(run->curl, CURLINFO_PRETRANSFER_TIME, &transfer);
    curl_easy_getinfo(run->curl, CURLINFO_CONNECT_TIME, &connect);
    fprintf(stderr, "clock %s first %s order %s\n",
            total > measured - 0.1 && total < measured + 0.1 &&
                    (double)total_us / 1e6 - total < 0.01
                ? "right"
                : "wrong",
            first >= 0.25 ? "late" : "early",
            connect <= transfer && transfer <= first && first <= total
                ? "right"
                : "wrong");
}

/* The copy goes another way: an ordinary page, with the same callbacks. */
void easy_use_copy(struct run *run, CURL *copy)
{
    CURLcode code;

    curl_easy_setopt(copy, CURLOPT_URL, getenv("EASY_PLAIN_URL"));
    curl_easy_setopt(copy, CURLOPT_HTTPGET, 1L);
    code = curl_easy_perform(copy);
    easy_tell(run, "copy", code);
    curl_easy_cleanup(copy);
}

void easy_nest(struct run *run)
{
    CURLcode code = curl_easy_perform(run->curl);

    fprintf(stderr, "nested %d '%s'\n", code, run->error);
}
