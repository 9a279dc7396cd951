/* SPDX-License-Identifier: MIT */
#include "info.h"

#include "fault.h"
#include "keep.h"
#include "promotion.h"

#include <strings.h>

/* How the answer of a rival's handle becomes the application's. */
enum turn {
    SHIFTED,   /* a time since the transfer began, in seconds (double) */
    SHIFTED_T, /* the same in microseconds (curl_off_t) */
    SPEED,     /* bytes per second over the whole time (double) */
    SPEED_T,   /* the same (curl_off_t) */
    OWN        /* of the application's handle, whoever answers */
};

static const struct {
    CURLINFO info;
    enum turn turn;
    CURLINFO size; /* of a speed: the bytes */
} turned[] = {
    {CURLINFO_NAMELOOKUP_TIME,      SHIFTED,   0                       },
    {CURLINFO_CONNECT_TIME,         SHIFTED,   0                       },
    {CURLINFO_APPCONNECT_TIME,      SHIFTED,   0                       },
    {CURLINFO_PRETRANSFER_TIME,     SHIFTED,   0                       },
    {CURLINFO_STARTTRANSFER_TIME,   SHIFTED,   0                       },
    {CURLINFO_TOTAL_TIME,           SHIFTED,   0                       },
    {CURLINFO_NAMELOOKUP_TIME_T,    SHIFTED_T, 0                       },
    {CURLINFO_CONNECT_TIME_T,       SHIFTED_T, 0                       },
    {CURLINFO_APPCONNECT_TIME_T,    SHIFTED_T, 0                       },
    {CURLINFO_PRETRANSFER_TIME_T,   SHIFTED_T, 0                       },
    {CURLINFO_STARTTRANSFER_TIME_T, SHIFTED_T, 0                       },
    {CURLINFO_TOTAL_TIME_T,         SHIFTED_T, 0                       },
    {CURLINFO_SPEED_DOWNLOAD,       SPEED,     CURLINFO_SIZE_DOWNLOAD_T},
    {CURLINFO_SPEED_UPLOAD,         SPEED,     CURLINFO_SIZE_UPLOAD_T  },
    {CURLINFO_SPEED_DOWNLOAD_T,     SPEED_T,   CURLINFO_SIZE_DOWNLOAD_T},
    {CURLINFO_SPEED_UPLOAD_T,       SPEED_T,   CURLINFO_SIZE_UPLOAD_T  },
    {CURLINFO_PRIVATE,              OWN,       0                       },
};

/* Who answers: a handle of ours that speaks, or spoke in the last call; else
 * NULL, and the application's own handle has the answer. */
static const struct uns_attempt *answering(const struct uns_app *app,
                                           uns_ns *ret_offset)
{
    const struct uns_keep *keep = app->call;
    const struct uns_attempt *a;

    if (!keep)
        return NULL;
    if (!keep->call) {
        *ret_offset = keep->kept_offset_ns;
        return keep->kept;
    }
    a = keep->call->voice;
    if (!a || a->easy == app->easy)
        return NULL;
    *ret_offset = a->start_ns - keep->call->begin_ns;
    return a;
}

static double seconds(uns_ns span)
{
    return (double)span / (double)UNS_S;
}

/* Bytes per second since the application's call. */
static double speed(const struct uns_app *app, CURL *easy, CURLINFO size,
                    uns_ns offset)
{
    curl_off_t bytes = 0, total_us = 0;
    double total;

    app->real->curl_easy_getinfo(easy, size, &bytes);
    app->real->curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &total_us);
    total = (double)total_us / 1e6 + seconds(offset);
    return total > 0 ? (double)bytes / total : 0;
}

/* What libcurl cannot know of an answer that was made or spoilt here. */
static bool tell(const struct uns_app *app, const struct uns_attempt *rival,
                 CURLINFO info, void *out)
{
    return uns_promotion_info(app, info, out) ||
           (!rival && uns_fault_info(app, info, out));
}

CURLcode uns_info_get(struct uns_app *app, CURLINFO info, void *out)
{
    uns_ns offset = 0;
    const struct uns_attempt *a = answering(app, &offset);
    CURL *easy = a ? a->easy : app->easy;
    size_t i = 0;
    CURLcode code;

    if (tell(app, a, info, out))
        return CURLE_OK;
    while (i < sizeof turned / sizeof *turned && turned[i].info != info)
        i++;
    if (a && i < sizeof turned / sizeof *turned && turned[i].turn == OWN)
        easy = app->easy;
    code = app->real->curl_easy_getinfo(easy, info, out);
    if (code == CURLE_OK && info == CURLINFO_HEADER_SIZE)
        *(long *)out += uns_promotion_headers(app);
    if (!a || code != CURLE_OK || i == sizeof turned / sizeof *turned)
        return code;
    switch (turned[i].turn) {
    case SHIFTED: /* zero stays zero: it did not happen */
        *(double *)out += *(double *)out > 0 ? seconds(offset) : 0;
        break;
    case SHIFTED_T:
        *(curl_off_t *)out += *(curl_off_t *)out > 0 ? offset / 1000 : 0;
        break;
    case SPEED:
        *(double *)out = speed(app, easy, turned[i].size, offset);
        break;
    case SPEED_T:
        *(curl_off_t *)out =
            (curl_off_t)speed(app, easy, turned[i].size, offset);
        break;
    case OWN:
        break;
    }
    return code;
}

static CURL *header_handle(const struct uns_app *app)
{
    uns_ns offset;
    const struct uns_attempt *a = answering(app, &offset);

    return a ? a->easy : app->easy;
}

/* NOLINTNEXTLINE(readability-function-size): the signature is libcurl's */
CURLHcode uns_info_header(struct uns_app *app, const char *name, size_t index,
                          unsigned origin, int request,
                          struct curl_header **ret_header)
{
    struct curl_header *length = NULL;
    CURLHcode code;

    if (origin & CURLH_HEADER && !strcasecmp(name, "content-length"))
        length = uns_promotion_length(app, NULL);
    if (length) {
        *ret_header = length;
        return index ? CURLHE_BADINDEX : CURLHE_OK;
    }
    code = app->real->curl_easy_header(header_handle(app), name, index, origin,
                                       request, ret_header);
    if (code != CURLHE_OK)
        return code;
    *ret_header = uns_promotion_header(app, *ret_header);
    return *ret_header ? CURLHE_OK : CURLHE_MISSING;
}

struct curl_header *uns_info_nextheader(struct uns_app *app, unsigned origin,
                                        int request, struct curl_header *prev)
{
    CURL *easy = header_handle(app);
    struct curl_header *next = prev;
    struct curl_header *mine;

    do {
        next = app->real->curl_easy_nextheader(easy, origin, request, next);
        mine = uns_promotion_header(app, next);
    } while (next && !mine);
    return mine || !(origin & CURLH_HEADER) ? mine
                                            : uns_promotion_length(app, prev);
}
