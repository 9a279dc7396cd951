/* SPDX-License-Identifier: MIT */
#ifndef UNS_PAYLOAD_H
#define UNS_PAYLOAD_H

/* The words in which the tables of the dialects and the scanner speak: kinds
 * of payload, marks, slots; and who may want the payload itself. */

#include <stddef.h>

/* The text payload kinds. */
enum uns_kind {
    UNS_KIND_TEXT,
    UNS_KIND_REASONING,
    UNS_KIND_TOOL_ARGS,
    UNS_KIND_REFUSAL,
    UNS_KIND_AUDIO,
    UNS_KIND_OTHER, /* images, code that was run and its output */
    UNS_KIND_COUNT  /* as an argument: no payload at all */
};

/* What an event can say without payload; bits of uns_scan.marks. */
enum uns_leaf_mark {
    UNS_LEAF_STRUCTURAL = 1 << 0,
    UNS_LEAF_FINISH = 1 << 1, /* finished, whether or not with a reason */
    UNS_LEAF_ERROR = 1 << 2,
    UNS_LEAF_DONE = 1 << 3 /* the document is `[DONE]` */
};

/* Short values that are kept. */
enum uns_slot {
    UNS_SLOT_TYPE, /* of the event */
    UNS_SLOT_ITEM, /* of what the event is about */
    UNS_SLOT_FINISH,
    UNS_SLOT_BLOCKED, /* why the prompt was refused */
    UNS_SLOT_ERROR_TYPE,
    UNS_SLOT_ERROR_STATUS,
    UNS_SLOT_ERROR_CODE,
    UNS_SLOT_INDEX, /* of a choice, or of an item of output */
    UNS_SLOT_TOKENS_IN,
    UNS_SLOT_TOKENS_OUT,
    UNS_SLOT_TOKENS_HIDDEN, /* output tokens that TOKENS_OUT leaves out */
    UNS_SLOT_MODEL,
    UNS_SLOT_COUNT
};

/* Longer values are cut. */
enum {
    UNS_SLOT_BYTES = 54
};

struct uns_event;

/* Who wants the payload itself, not only its presence.  Any may be NULL. */
struct uns_sink {
    void *ctx;

    /* Payload bytes, unescaped; borrowed during the call.  In pieces: a
     * UTF-8 sequence may be split where the input was. */
    void (*text)(void *ctx, const char *bytes, size_t len);

    /* All text since the last call was of `kind`; UNS_KIND_COUNT: it was no
     * payload after all.  (The kind can come after the text.) */
    void (*kind)(void *ctx, enum uns_kind kind);

    /* An event has ended: what it was.  Unless it has kinds, no text since
     * the event before counts.  Comments are told, too, as keepalives
     * without UNS_NEWS_EVENT. */
    void (*event)(void *ctx, const struct uns_event *event);
};

#endif
