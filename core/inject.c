/* SPDX-License-Identifier: MIT */
/* inject - a table of the words, each with the parts that it has to have. */
#include "inject.h"

#include "span.h"

#include <string.h>

/* A word in its parts: NAME[@K][=VALUE]. */
struct word {
    struct uns_slice name, count, value;
};

static bool set_late(struct uns_inject *inject, int64_t at, uns_ns value)
{
    (void)at;
    inject->late_ns = value;
    return value > 0 && value <= UNS_INJECT_LONGEST;
}

static bool set_drip(struct uns_inject *inject, int64_t at, uns_ns value)
{
    (void)at;
    inject->drip_ns = value;
    return value > 0 && value <= UNS_INJECT_LONGEST;
}

static bool set_stall(struct uns_inject *inject, int64_t at, uns_ns value)
{
    if (inject->stalls == UNS_INJECT_STALLS || value <= 0 ||
        value > UNS_INJECT_LONGEST)
        return false;
    inject->stall[inject->stalls].at = at;
    inject->stall[inject->stalls++].span_ns = value;
    return true;
}

static bool set_cut(struct uns_inject *inject, int64_t at, uns_ns value)
{
    (void)value;
    inject->cut_at = at;
    return true;
}

static bool set_status(struct uns_inject *inject, int64_t at, uns_ns value)
{
    (void)at;
    inject->status = (int)(value / UNS_S);
    return value % UNS_S == 0 && value >= 400 * UNS_S && value < 600 * UNS_S;
}

static const struct row {
    const char *name;
    bool counts, valued;
    bool (*set)(struct uns_inject *inject, int64_t at, uns_ns value);
    const char *wrong;
} rows[] = {
  /* clang-format off */
    {"late", false, true, set_late,
     "is not like late=20, seconds up to an hour"},
    {"drip", false, true, set_drip,
     "is not like drip=0.5, seconds up to an hour"},
    {"stall", true, true, set_stall,
     "is not like stall@20=30, chunks and seconds up to an hour, eight times "
     "at most"},
    {"cut", true, false, set_cut, "is not like cut@40, chunks"},
    {"status", false, true, set_status,
     "is not like status=429, from 400 to 599"},
  /* clang-format on */
};

static struct uns_slice rest(struct uns_slice text, size_t from)
{
    return (struct uns_slice){text.data + from, text.len - from};
}

/* What stands before `mark`; *ret_after: what stands behind it, NULL data when
 * it is not there. */
static struct uns_slice before(struct uns_slice text, char mark,
                               struct uns_slice *ret_after)
{
    const char *at = text.len ? memchr(text.data, mark, text.len) : NULL;
    size_t len = at ? (size_t)(at - text.data) : text.len;

    *ret_after = at ? rest(text, len + 1) : (struct uns_slice){NULL, 0};
    return (struct uns_slice){text.data, len};
}

static struct word split(struct uns_slice text)
{
    struct word word;
    struct uns_slice head = before(text, '=', &word.value);

    word.name = before(head, '@', &word.count);
    return word;
}

static bool read_count(struct uns_slice text, int64_t *ret_count)
{
    int64_t count = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        count = count * 10 + (text.data[i] - '0');
    }
    *ret_count = count;
    return text.len > 0 && text.len <= 9;
}

static bool take(const struct row *row, const struct word *word,
                 struct uns_inject *inject)
{
    int64_t at = 0;
    uns_ns value = 0;

    if ((word->count.data != NULL) != row->counts ||
        (word->value.data != NULL) != row->valued)
        return false;
    if (row->counts && !read_count(word->count, &at))
        return false;
    if (row->valued && !uns_span_number(word->value, UNS_S, &value))
        return false;
    return row->set(inject, at, value);
}

static const struct row *find(struct uns_slice name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == name.len &&
            memcmp(rows[i].name, name.data, name.len) == 0)
            return &rows[i];
    return NULL;
}

static bool is_lonely(const struct uns_inject *inject)
{
    return inject->status &&
           (inject->stalls || inject->drip_ns || inject->cut_at != UNS_NULL);
}

const char *uns_inject_read(struct uns_slice text, struct uns_inject *ret,
                            struct uns_slice *ret_word)
{
    struct uns_inject inject = {.cut_at = UNS_NULL};

    *ret_word = text;
    do {
        struct uns_slice one = before(text, ',', &text);
        const struct word word = split(one);
        const struct row *row = find(word.name);

        *ret_word = one;
        if (!row)
            return "is none of late=S, stall@K=S, cut@K, status=C, drip=S";
        if (!take(row, &word, &inject))
            return row->wrong;
        if (is_lonely(&inject))
            return "does not go together with status";
    } while (text.data);
    *ret = inject;
    return NULL;
}

uns_ns uns_inject_silence(const struct uns_inject *inject, int64_t chunks)
{
    uns_ns span = chunks ? inject->drip_ns : 0;

    for (unsigned i = 0; i < inject->stalls; i++)
        if (inject->stall[i].at == chunks)
            span += inject->stall[i].span_ns;
    return span;
}
