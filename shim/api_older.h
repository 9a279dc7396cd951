/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_API_OLDER_H
#define UNS_SHIM_API_OLDER_H

/*
 * api_older - what the header of libcurl 7.74 (Debian 11), or of 7.81 (Ubuntu
 * 22.04), does not have yet and this code names.  The libcurl that runs may be
 * newer than the header or as old: whether a function is there is asked of
 * the table of real functions, and an option that libcurl does not know is
 * refused by it.
 */

#include <curl/curl.h>

/* Until 7.87 the newest of them came. */
#if LIBCURL_VERSION_NUM < 0x075700

#    define CURLOPT_DOH_SSL_VERIFYPEER         ((CURLoption)306)
#    define CURLOPT_DOH_SSL_VERIFYHOST         ((CURLoption)307)
#    define CURLOPT_DOH_SSL_VERIFYSTATUS       ((CURLoption)308)
#    define CURLOPT_MAXLIFETIME_CONN           ((CURLoption)314)
#    define CURLOPT_MIME_OPTIONS               ((CURLoption)315)
#    define CURLOPT_WS_OPTIONS                 ((CURLoption)320)
#    define CURLOPT_CA_CACHE_TIMEOUT           ((CURLoption)321)
#    define CURLOPT_QUICK_EXIT                 ((CURLoption)322)
#    define CURLOPT_AWS_SIGV4                  ((CURLoption)10305)
#    define CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256 ((CURLoption)10311)
#    define CURLOPT_PREREQDATA                 ((CURLoption)10313)
#    define CURLOPT_SSH_HOSTKEYDATA            ((CURLoption)10317)
#    define CURLOPT_PROTOCOLS_STR              ((CURLoption)10318)
#    define CURLOPT_REDIR_PROTOCOLS_STR        ((CURLoption)10319)
#    define CURLOPT_PREREQFUNCTION             ((CURLoption)20312)
#    define CURLOPT_SSH_HOSTKEYFUNCTION        ((CURLoption)20316)
#    define CURLOPT_CAINFO_BLOB                ((CURLoption)40309)
#    define CURLOPT_PROXY_CAINFO_BLOB          ((CURLoption)40310)

#    ifndef CURL_WRITEFUNC_ERROR
#        define CURL_WRITEFUNC_ERROR 0xFFFFFFFF
#    endif

#endif

/* The headers of an answer. */
#if LIBCURL_VERSION_NUM < 0x075300

#    define CURLH_HEADER  (1 << 0)
#    define CURLH_TRAILER (1 << 1)

struct curl_header {
    char *name, *value;
    size_t amount, index; /* of that name in all, and which of them */
    unsigned origin;      /* bits CURLH_* */
    void *anchor;         /* libcurl's own */
};

typedef enum {
    CURLHE_OK,
    CURLHE_BADINDEX,
    CURLHE_MISSING,
    CURLHE_NOHEADERS,
    CURLHE_NOREQUEST,
    CURLHE_OUT_OF_MEMORY,
    CURLHE_BAD_ARGUMENT,
    CURLHE_NOT_BUILT_IN
} CURLHcode;

CURL_EXTERN CURLHcode curl_easy_header(CURL *easy, const char *name,
                                       size_t index, unsigned origin,
                                       int request, struct curl_header **hout);
CURL_EXTERN struct curl_header *curl_easy_nextheader(CURL *easy,
                                                     unsigned origin,
                                                     int request,
                                                     struct curl_header *prev);

#endif

#endif
