/* SPDX-License-Identifier: MIT */
#ifndef UNS_WIRE_H
#define UNS_WIRE_H

/*
 * wire - what each dialect says, as data: the paths that mean something, and
 * the classes of its events by type.
 *
 * An event's type is the member `type` of its data or, where the table knows
 * no such type, the name in its `event:` line.  An event that no rule fits is
 * PLAIN: its paths alone speak.
 */

#include "dialect.h"
#include "scan.h"

enum uns_class {
    UNS_CLASS_PLAIN,      /* what its paths say */
    UNS_CLASS_CONTENT,    /* PLAIN; open payload is of the rule's kind */
    UNS_CLASS_ONCE,       /* CONTENT, unless its item has had some before */
    UNS_CLASS_STRUCTURAL, /* PLAIN, and progress if it has no payload */
    UNS_CLASS_ITEM,       /* a new item of output begins; nothing else */
    UNS_CLASS_START,      /* the answer begins, or begins again */
    UNS_CLASS_NOISE,      /* payload repeated from earlier events */
    UNS_CLASS_KEEPALIVE,
    UNS_CLASS_FINISH, /* finish, with `word` if no reason is told, and end */
    UNS_CLASS_END,
    UNS_CLASS_ERROR
};

/* The class of the events of one type; the first rule that fits decides. */
struct uns_rule {
    struct uns_slice type; /* exact, "*end" or "begin*" */
    struct uns_slice item; /* what UNS_SLOT_ITEM must be; "*": anything */
    uint8_t class;
    uint8_t kind; /* of open payload */
    const char *word;
};

struct uns_wire {
    const struct uns_path *paths;
    const struct uns_rule *rules;
    uint8_t path_count, rule_count;
    bool finish_ends; /* a finish reason is the end marker as well */
    bool code_fails;  /* a root member `code` alone is an error */
};

/* The tables of a dialect; empty ones for UNS_DIALECT_NONE. */
const struct uns_wire *uns_wire(enum uns_dialect dialect);

/* The rule for an event type, whose slot ITEM is `item`; NULL: none. */
const struct uns_rule *uns_wire_rule(const struct uns_wire *wire,
                                     struct uns_slice type,
                                     struct uns_slice item);

#endif
