/* SPDX-License-Identifier: MIT */
/*
 * promotion_info - what the application asks about an answer that was put
 * together: libcurl knows the stream's type and length.
 */
#include "promotion.h"

#include "keep.h"

#include <string.h>
#include <strings.h>

static char json[] = "application/json";

static const struct uns_promoted *promoted_of(const struct uns_app *app)
{
    const struct uns_keep *keep = app->call;

    return keep && keep->promoted.on ? &keep->promoted : NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is libcurl's */
static void put_number(CURLINFO info, int64_t number, void *out)
{
    if ((info & CURLINFO_TYPEMASK) == CURLINFO_DOUBLE)
        *(double *)out = (double)number;
    else
        *(curl_off_t *)out = number;
}

long uns_promotion_headers(const struct uns_app *app)
{
    const struct uns_promoted *promoted = promoted_of(app);

    return promoted ? promoted->headers : 0;
}

bool uns_promotion_info(const struct uns_app *app, CURLINFO info, void *out)
{
    static const struct {
        CURLINFO info;
        bool length; /* -1 where it is not known */
    } sizes[] = {
        {(CURLINFO)(CURLINFO_DOUBLE + 15),   true },
        {CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, true },
        {(CURLINFO)(CURLINFO_DOUBLE + 8),    false},
        {CURLINFO_SIZE_DOWNLOAD_T,           false},
    };
    const struct uns_promoted *promoted = promoted_of(app);

    if (!promoted)
        return false;
    if (info == CURLINFO_CONTENT_TYPE) {
        *(char **)out = json;
        return true;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].info != info)
            continue;
        put_number(info,
                   sizes[i].length && !promoted->whole ? -1 : promoted->size,
                   out);
        return true;
    }
    return false;
}

struct curl_header *uns_promotion_header(const struct uns_app *app,
                                         struct curl_header *header)
{
    static const char *const gone[] = {"content-encoding", "content-length",
                                       "transfer-encoding"};
    struct uns_keep *keep = app->call;

    if (!promoted_of(app) || !header || !(header->origin & CURLH_HEADER))
        return header;
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (!strcasecmp(header->name, gone[i]))
            return NULL;
    if (strcasecmp(header->name, "content-type") != 0)
        return header;
    keep->promoted.type = *header; /* its anchor finds the next one */
    keep->promoted.type.value = json;
    return &keep->promoted.type;
}

struct curl_header *uns_promotion_length(const struct uns_app *app,
                                         const struct curl_header *like)
{
    static char name[] = "content-length";
    struct uns_keep *keep = app->call;

    if (!promoted_of(app) || !keep->promoted.whole)
        return NULL;
    if (like && like->name == name)
        return NULL; /* it was the last one */
    keep->promoted.length = (struct curl_header){
        .name = name,
        .value = keep->promoted.digits,
        .amount = 1,
        .origin = CURLH_HEADER,
    };
    return &keep->promoted.length;
}
