/* SPDX-License-Identifier: MIT */
#ifndef OLDER_H
#define OLDER_H

/*
 * older - a libcurl before 7.83 has no functions for the answer's headers: the
 * programs that ask for them get the same answer with and without the preload.
 */

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075300

#    define CURLH_HEADER  1
#    define CURLH_TRAILER 2

typedef int CURLHcode;

struct curl_header {
    char *name, *value;
    unsigned origin;
};

/* CURLHE_NOT_BUILT_IN. */
static inline CURLHcode curl_easy_header(CURL *easy, const char *name,
                                         size_t index, unsigned origin,
                                         int request,
                                         struct curl_header **field)
{
    (void)easy, (void)name, (void)index, (void)origin, (void)request;
    (void)field;
    return 7;
}

static inline struct curl_header *
curl_easy_nextheader(CURL *easy, unsigned origin, int request,
                     const struct curl_header *field)
{
    (void)easy, (void)origin, (void)request, (void)field;
    return NULL;
}

#endif

#endif
