/* SPDX-License-Identifier: MIT */
#ifndef MOCK_WIRE_H
#define MOCK_WIRE_H

/*
 * wire - how the bytes of a body travel: in chunks, in oddly cut chunks, as
 * gzip of stored blocks, or as they are.
 */

#include "buf.h"

/* All zero: bytes as they are. */
struct mock_wire {
    bool chunked;
    bool odd; /* chunks end where nothing ends */
    bool gzip;
    bool trailer; /* after the last chunk */
    bool begun;
    uint32_t crc;
    uint32_t size;
    size_t turn;
    struct mock_buf packed; /* owned */
};

/* Appends one piece of the body as it travels. */
void mock_wire_put(struct mock_wire *wire, struct mock_str bytes,
                   struct mock_buf *out);

/* Appends the first half of a piece, announced as a whole one. */
void mock_wire_cut(struct mock_wire *wire, struct mock_str bytes,
                   struct mock_buf *out);

/* Appends the end of the body. */
void mock_wire_end(struct mock_wire *wire, struct mock_buf *out);

void mock_wire_done(struct mock_wire *wire);

#endif
