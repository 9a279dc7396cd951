/* SPDX-License-Identifier: MIT */
#include "hold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 4096

struct frame {
    uint32_t len;
    uint32_t kind;
};

static enum uns_err reserve(struct uns_hold *hold, size_t more)
{
    size_t cap = hold->cap ? hold->cap : FIRST_CAP;
    char *data;

    if (more <= hold->cap - hold->len)
        return UNS_OK;
    while (cap - hold->len < more) {
        if (cap > SIZE_MAX / 2)
            return UNS_NOMEM;
        cap *= 2;
    }
    data = realloc(hold->data, cap);
    if (!data)
        return UNS_NOMEM;
    hold->data = data;
    hold->cap = cap;
    return UNS_OK;
}

enum uns_err uns_hold_add(struct uns_hold *hold, enum uns_piece_kind kind,
                          const char *bytes, size_t len)
{
    struct frame frame = {(uint32_t)len, kind};
    enum uns_err err;

    if (len > UINT32_MAX)
        return UNS_NOMEM;
    err = reserve(hold, sizeof frame + len);
    if (err)
        return err;
    memcpy(hold->data + hold->len, &frame, sizeof frame);
    if (len)
        memcpy(hold->data + hold->len + sizeof frame, bytes, len);
    hold->len += sizeof frame + len;
    hold->bytes += len;
    return UNS_OK;
}

bool uns_hold_peek(const struct uns_hold *hold, struct uns_piece *ret_piece)
{
    struct frame frame;

    if (hold->at == hold->len)
        return false;
    memcpy(&frame, hold->data + hold->at, sizeof frame);
    *ret_piece = (struct uns_piece){
        .kind = (enum uns_piece_kind)frame.kind,
        .len = frame.len,
        .bytes = hold->data + hold->at + sizeof frame,
    };
    return true;
}

void uns_hold_pop(struct uns_hold *hold)
{
    struct uns_piece piece;

    if (!uns_hold_peek(hold, &piece))
        return;
    hold->at += sizeof(struct frame) + piece.len;
    hold->bytes -= piece.len;
    if (hold->at == hold->len)
        uns_hold_clear(hold);
}

void uns_hold_clear(struct uns_hold *hold)
{
    if (!hold)
        return;
    free(hold->data);
    *hold = (struct uns_hold){0};
}
