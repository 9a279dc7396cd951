/* SPDX-License-Identifier: MIT */
/*
 * wire - how the bytes of a body travel.  It compresses nothing: its gzip is
 * made of stored blocks (RFC 1951, 3.2.4), enough for a client to have to
 * decode.  Invariant: after each piece, all of it can be decoded.
 */
#include "wire.h"

#include <string.h>

#define STORED_MOST 65535

static uint32_t crc_of(uint32_t crc, struct mock_str bytes)
{
    crc = ~crc;
    for (size_t i = 0; i < bytes.len; i++) {
        crc ^= (unsigned char)bytes.at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static void put_le(struct mock_buf *out, uint32_t value, int bytes)
{
    for (; bytes > 0; bytes--, value >>= 8) {
        char byte = (char)(value & 0xff);

        mock_buf_put(out, &byte, 1);
    }
}

static void put_stored(struct mock_buf *out, struct mock_str bytes, bool last)
{
    put_le(out, last, 1);
    put_le(out, (uint32_t)bytes.len, 2);
    put_le(out, (uint32_t)~bytes.len & 0xffff, 2);
    mock_buf_put(out, bytes.at, bytes.len);
}

static void begin_gzip(struct mock_wire *wire)
{
    static const char head[10] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, 3};

    mock_buf_clear(&wire->packed);
    if (!wire->begun)
        mock_buf_put(&wire->packed, head, sizeof(head));
    wire->begun = true;
}

static struct mock_str pack(struct mock_wire *wire, struct mock_str bytes)
{
    begin_gzip(wire);
    wire->crc = crc_of(wire->crc, bytes);
    wire->size += (uint32_t)bytes.len;
    while (bytes.len > 0) {
        struct mock_str part = bytes;

        if (part.len > STORED_MOST)
            part.len = STORED_MOST;
        put_stored(&wire->packed, part, false);
        bytes.at += part.len;
        bytes.len -= part.len;
    }
    return mock_buf_view(&wire->packed);
}

static struct mock_str pack_end(struct mock_wire *wire)
{
    begin_gzip(wire);
    put_stored(&wire->packed, (struct mock_str){NULL, 0}, true);
    put_le(&wire->packed, wire->crc, 4);
    put_le(&wire->packed, wire->size, 4);
    return mock_buf_view(&wire->packed);
}

static void put_size(struct mock_buf *out, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    char digits[18] = {[16] = '\r', [17] = '\n'};
    size_t n = 16;

    do {
        digits[--n] = hex[size & 15];
        size >>= 4;
    } while (size > 0);
    mock_buf_put(out, digits + n, sizeof(digits) - n);
}

static void put_chunk(struct mock_buf *out, struct mock_str bytes)
{
    put_size(out, bytes.len);
    mock_buf_put(out, bytes.at, bytes.len);
    mock_buf_put(out, "\r\n", 2);
}

static void put_odd_chunks(struct mock_wire *wire, struct mock_str bytes,
                           struct mock_buf *out)
{
    static const unsigned char sizes[] = {1, 7, 2, 13, 3, 31, 1, 1, 5, 64, 17};

    while (bytes.len > 0) {
        struct mock_str part = {bytes.at, sizes[wire->turn % sizeof(sizes)]};

        wire->turn++;
        if (part.len > bytes.len)
            part.len = bytes.len;
        put_chunk(out, part);
        bytes.at += part.len;
        bytes.len -= part.len;
    }
}

static void put_travelling(struct mock_wire *wire, struct mock_str bytes,
                           struct mock_buf *out)
{
    if (bytes.len == 0) /* a chunk of nothing would be the end */
        return;
    if (!wire->chunked)
        mock_buf_put(out, bytes.at, bytes.len);
    else if (wire->odd)
        put_odd_chunks(wire, bytes, out);
    else
        put_chunk(out, bytes);
}

void mock_wire_put(struct mock_wire *wire, struct mock_str bytes,
                   struct mock_buf *out)
{
    put_travelling(wire, wire->gzip ? pack(wire, bytes) : bytes, out);
}

void mock_wire_cut(struct mock_wire *wire, struct mock_str bytes,
                   struct mock_buf *out)
{
    if (wire->gzip)
        bytes = pack(wire, bytes);
    if (wire->chunked)
        put_size(out, bytes.len);
    mock_buf_put(out, bytes.at, bytes.len / 2);
}

void mock_wire_end(struct mock_wire *wire, struct mock_buf *out)
{
    if (wire->gzip)
        put_travelling(wire, pack_end(wire), out);
    if (!wire->chunked)
        return;
    mock_buf_text(out, "0\r\n");
    if (wire->trailer)
        mock_buf_text(out, "x-mock-trailer: complete\r\n");
    mock_buf_text(out, "\r\n");
}

void mock_wire_done(struct mock_wire *wire)
{
    mock_buf_free(&wire->packed);
}
