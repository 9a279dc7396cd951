/* SPDX-License-Identifier: MIT */
#include "head.h"

#include "clock.h"
#include "core/span.h"

#include <string.h>
#include <strings.h>

static void read_type(struct uns_head *head, struct uns_slice value)
{
    size_t len =
        value.len < sizeof head->type ? value.len : sizeof head->type - 1;

    memcpy(head->type, value.data, len);
    head->type[len] = '\0';
}

static void read_encoding(struct uns_head *head, struct uns_slice value)
{
    head->encoded = value.len != strlen("identity") ||
                    strncasecmp(value.data, "identity", value.len) != 0;
}

static void read_location(struct uns_head *head, struct uns_slice value)
{
    head->location = value.len > 0;
}

static void read_retry(struct uns_head *head, struct uns_slice value)
{
    if (!head->retry_is_ms)
        (void)uns_span_read(value, uns_clock_wall_us(), &head->retry_ns);
}

static void read_retry_ms(struct uns_head *head, struct uns_slice value)
{
    if (uns_span_number(value, UNS_MS, &head->retry_ns))
        head->retry_is_ms = true;
}

static void read_should_retry(struct uns_head *head, struct uns_slice value)
{
    head->no_retry = value.len == strlen("false") &&
                     strncasecmp(value.data, "false", value.len) == 0;
}

static void read_count(struct uns_slice value, int64_t *ret_count)
{
    uns_ns count;

    if (uns_span_number(value, 1, &count))
        *ret_count = count;
}

static void read_left(struct uns_head *head, struct uns_slice value)
{
    read_count(value, &head->left);
}

static void read_limit(struct uns_head *head, struct uns_slice value)
{
    read_count(value, &head->limit);
}

static void read_reset(struct uns_head *head, struct uns_slice value)
{
    (void)uns_span_read(value, uns_clock_wall_us(), &head->reset_ns);
}

static const struct {
    const char *name;
    void (*read)(struct uns_head *head, struct uns_slice value);
} fields[] = {
    {"content-type",                           read_type        },
    {"content-encoding",                       read_encoding    },
    {"location",                               read_location    },
    {"retry-after",                            read_retry       },
    {"retry-after-ms",                         read_retry_ms    },
    {"x-should-retry",                         read_should_retry},
    {"x-ratelimit-remaining-requests",         read_left        },
    {"x-ratelimit-limit-requests",             read_limit       },
    {"x-ratelimit-reset-requests",             read_reset       },
    {"anthropic-ratelimit-requests-remaining", read_left        },
    {"anthropic-ratelimit-requests-limit",     read_limit       },
    {"anthropic-ratelimit-requests-reset",     read_reset       },
};

/* "HTTP/1.1 200 OK" and "HTTP/2 200": three digits after the first space. */
static int status_of(const char *line, size_t len)
{
    const char *space = memchr(line, ' ', len);
    int status = 0;

    if (!space || (size_t)(line + len - space) < 4)
        return 0;
    for (int i = 1; i <= 3; i++) {
        if (space[i] < '0' || space[i] > '9')
            return 0;
        status = status * 10 + (space[i] - '0');
    }
    return status;
}

static struct uns_slice trimmed(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    while (end > text && (unsigned char)end[-1] <= ' ')
        end--;
    return (struct uns_slice){text, (size_t)(end - text)};
}

static void read_field(struct uns_head *head, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);

    if (!colon)
        return;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i].name) == (size_t)(colon - line) &&
            !strncasecmp(fields[i].name, line, (size_t)(colon - line)))
            fields[i].read(head, trimmed(colon + 1, line + len));
}

void uns_head_line(struct uns_head *head, const char *line, size_t len)
{
    if (len >= 5 && !memcmp(line, "HTTP/", 5))
        *head = (struct uns_head){.status = status_of(line, len),
                                  .left = UNS_NULL,
                                  .limit = UNS_NULL};
    else if (head->complete)
        return; /* a trailer */
    else if (trimmed(line, line + len).len == 0)
        head->complete = true;
    else
        read_field(head, line, len);
}
