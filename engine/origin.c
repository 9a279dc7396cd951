/* SPDX-License-Identifier: MIT */
#include "origin.h"

#include <stdio.h>
#include <string.h>

struct uns_origin uns_origin_print(const struct uns_url *url)
{
    struct uns_origin origin;
    bool ipv6 = memchr(url->host.data, ':', url->host.len) != NULL;
    bool tls = url->scheme.len == 5;
    size_t size = sizeof origin.text;
    int len = snprintf(origin.text, size, "%s://%s%.*s%s",
                       tls ? "https" : "http", ipv6 ? "[" : "",
                       (int)url->host.len, url->host.data, ipv6 ? "]" : "");

    if (url->port != (tls ? 443 : 80) && len > 0 && (size_t)len < size)
        (void)snprintf(origin.text + len, size - (size_t)len, ":%u", url->port);
    return origin;
}

struct uns_url uns_origin_url(const struct uns_call *call,
                              const struct uns_source *source)
{
    struct uns_url url = call->url;

    if (source && source->base_url)
        (void)uns_url_split(source->base_url, strlen(source->base_url), &url);
    return url;
}

struct uns_origin uns_origin_of(const struct uns_call *call,
                                const struct uns_source *source)
{
    struct uns_url url = uns_origin_url(call, source);

    return uns_origin_print(&url);
}
