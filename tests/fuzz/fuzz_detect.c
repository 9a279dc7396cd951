/* SPDX-License-Identifier: MIT */
/*
 * URLs and UNSTALL_MATCH from anybody: "URL NUL extra NUL".  Pieces lie within
 * the input and in order, every URL has its own origin, and '*' matches all.
 */
#include "core/detect.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_pieces(const struct uns_url *url, const char *text,
                         size_t len)
{
    const struct uns_slice piece[] = {url->userinfo, url->host, url->path,
                                      url->query};
    const char *at = text;

    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
        if (piece[i].len == 0)
            continue;
        check(piece[i].data >= at);
        at = piece[i].data + piece[i].len;
        check(at <= text + len);
    }
    check(url->host.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t len = 0;
    char *text = malloc(size + 1);
    struct uns_url url;

    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    len = strlen(text);
    if (uns_url_split(text, len, &url)) {
        enum uns_dialect dialect = uns_detect(&url, NULL);

        check_pieces(&url, text, len);
        check(uns_url_same_origin(&url, &url));
        check(uns_url_matches((struct uns_slice){"*", 1}, &url));
        check(uns_detect(&url, "") == dialect);
        check(uns_detect(&url, "!*") == UNS_DIALECT_NONE);
        if (len < size)
            (void)uns_detect(&url, text + len + 1);
        (void)uns_detect_url_streams(&url, dialect);
        (void)uns_detect_provider(&url);
    }
    free(text);
    return 0;
}
