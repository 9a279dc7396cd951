/* SPDX-License-Identifier: MIT */
#ifndef MOCK_WORDS_H
#define MOCK_WORDS_H

/*
 * words - the text that an answer is made of.  A function of the name and the
 * position alone, so that two answers can be compared byte for byte, and an
 * answer can be continued anywhere.
 */

#include "buf.h"

/* Two texts that differ. */
enum mock_voice {
    MOCK_VOICE_TEXT,
    MOCK_VOICE_THINKING
};

/* Appends token `at` (from 0) of somebody's text, escaped for JSON.  The
 * first, and each sixteenth, is the name itself; about one in eight has more
 * than ASCII in it. */
void mock_words_put(struct mock_buf *out, struct mock_str name,
                    enum mock_voice voice, uint64_t at);

/* How many tokens of the text were needed to write what the inside of a JSON
 * string begins with.  The rest of the last of them, when that string ended
 * within it, is appended to `ret_rest`, escaped. */
uint64_t mock_words_match(struct mock_str name, struct mock_str text,
                          struct mock_buf *ret_rest);

#endif
