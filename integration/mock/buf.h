/* SPDX-License-Identifier: MIT */
#ifndef MOCK_BUF_H
#define MOCK_BUF_H

/*
 * buf - a byte queue that grows, and borrowed slices of bytes.
 *
 * Bytes go in at the end and leave at the front.  There is no out-of-memory
 * path: a test server that has none left ends.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrowed bytes, not terminated; { NULL, 0 } means there are none. */
struct mock_str {
    const char *at;
    size_t len;
};

/* All zero is a valid empty queue. */
struct mock_buf {
    char *at;
    size_t len;
    size_t cap;
    size_t head; /* bytes at the front that have left */
};

/* Makes room for `more` bytes and returns where they go; the caller adds what
 * it wrote to `len`. */
char *mock_buf_room(struct mock_buf *buf, size_t more);

void mock_buf_put(struct mock_buf *buf, const void *bytes, size_t len);

/* Appends a C string. */
void mock_buf_text(struct mock_buf *buf, const char *text);

/* Appends a number in decimal digits. */
void mock_buf_num(struct mock_buf *buf, uint64_t value);

/* Appends formatted text of at most 1023 bytes. */
void mock_buf_fmt(struct mock_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The bytes in the queue; valid until it changes. */
struct mock_str mock_buf_view(const struct mock_buf *buf);

/* Removes bytes at the front. */
void mock_buf_drop(struct mock_buf *buf, size_t len);

/* Empties the queue and keeps its memory. */
void mock_buf_clear(struct mock_buf *buf);

/* Gives the memory back; the queue is empty and usable again. */
void mock_buf_free(struct mock_buf *buf);

/* A slice of a C string, NULL giving none. */
struct mock_str mock_str_of(const char *text);

/* Whether it holds the bytes of a C string. */
bool mock_str_is(struct mock_str str, const char *text);

/* The same for ASCII letters of either case. */
bool mock_str_like(struct mock_str str, struct mock_str other);

bool mock_str_ends(struct mock_str str, const char *tail);

/* Whether `part` occurs in it, ASCII case aside. */
bool mock_str_has(struct mock_str str, const char *part);

/* Cuts the part before `sep` off and returns it; the whole when there is no
 * `sep` in it. */
struct mock_str mock_str_cut(struct mock_str *rest, char sep);

#endif
