/* SPDX-License-Identifier: MIT */
/*
 * words - the text that an answer is made of.  Not language.  Invariant: the
 * same name, voice and position give the same bytes, in every process.
 */
#include "words.h"

#include "json.h"

#include <string.h>

/* Escaped for JSON; a power of two of them, so that a mask picks one. */
static const char *const words[64] = {
    " the",
    " tide",
    " comes",
    " in",
    " slowly",
    " over",
    " grey",
    " sand",
    " and",
    " every",
    " pool",
    " keeps",
    " a",
    " small",
    " sky.",
    " Gulls",
    " wheel",
    " above",
    " \\ud83c\\udf0a",
    " walls;",
    " \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
    " wait",
    " for",
    " wind",
    " na\xc3\xafve",
    " \xe6\xb5\xb7\xe8\xbe\xba",
    " \xf0\x9f\xa6\x80",
    " caf\xc3\xa9",
    " \\\"so\\\"",
    ".\\n\\n",
    " \\u00fcber",
    " \xce\xb1\xce\xb2\xce\xb3",
    " salt",
    " rope",
    " lamp",
    " bell",
    " north",
    " of",
    " an",
    " island",
    " where",
    " nobody",
    " counts",
    " waves",
    " twice.",
    " Then",
    " rain,",
    " then",
    " e\xcc\x81te\xcc\x81",
    " again,",
    " as",
    " if",
    " nothing",
    " had",
    " been",
    " said",
    " at",
    " all.",
    " We",
    " row",
    " home",
    " past",
    " low",
    " rocks",
};

static uint64_t seed_of(struct mock_str name, enum mock_voice voice)
{
    uint64_t seed = 14695981039346656037u + (uint64_t)voice; /* FNV-1a */

    for (size_t i = 0; i < name.len; i++)
        seed = (seed ^ (unsigned char)name.at[i]) * 1099511628211u;
    return seed;
}

void mock_words_put(struct mock_buf *out, struct mock_str name,
                    enum mock_voice voice, uint64_t at)
{
    uint64_t mix = (seed_of(name, voice) + at) * 0x9e3779b97f4a7c15u;

    if (at % 16 == 0) {
        mock_buf_put(out, " ", at > 0 ? 1 : 0);
        mock_buf_put(out, name.at, name.len);
        return;
    }
    mock_buf_text(out, words[mix >> 58]);
}

static void put_plain(struct mock_buf *out, struct mock_str name, uint64_t at)
{
    struct mock_buf escaped = {0};

    mock_words_put(&escaped, name, MOCK_VOICE_TEXT, at);
    mock_json_decode(out, mock_buf_view(&escaped));
    mock_buf_free(&escaped);
}

uint64_t mock_words_match(struct mock_str name, struct mock_str text,
                          struct mock_buf *ret_rest)
{
    struct mock_buf plain = {0};
    struct mock_buf token = {0};
    uint64_t at = 0;

    mock_json_decode(&plain, text);
    for (struct mock_str left; (left = mock_buf_view(&plain)).len > 0; at++) {
        mock_buf_clear(&token);
        put_plain(&token, name, at);
        size_t same = token.len < left.len ? token.len : left.len;

        if (memcmp(token.at, left.at, same) != 0)
            break;
        mock_buf_drop(&plain, same);
        mock_buf_drop(&token, same);
        mock_json_put(ret_rest, mock_buf_view(&token));
    }
    mock_buf_free(&plain);
    mock_buf_free(&token);
    return at;
}
