/* SPDX-License-Identifier: MIT */
#ifndef UNS_WIRE_ROW_H
#define UNS_WIRE_ROW_H

/* wire_row - how the rows of the dialects' tables are written; for wire.c and
 * wire_chat.c alone. */

#include "wire.h"

/* clang-format off */
#define GO(path, group, arg) {path, UNS_OP_NONE, arg, UNS_GROUP_##group, false}
#define ROW(path, op, arg)   {path, UNS_OP_##op, arg, UNS_GROUP_NONE, false}
#define DOC(path, op, arg)   {path, UNS_OP_##op, arg, UNS_GROUP_NONE, true}
#define TEXT(path, kind)     ROW(path, TEXT, UNS_KIND_##kind)
#define TWIN(path, kind)     ROW(path, TWIN, UNS_KIND_##kind)
#define SAVE(path, slot)     ROW(path, SAVE, UNS_SLOT_##slot)
#define MARK(path, mark)     ROW(path, MARK, UNS_LEAF_##mark)
#define COUNTED(path, kind)  ROW(path, COUNT, UNS_KIND_##kind)
#define ARGS(path)           ROW(path, RAW, UNS_KIND_TOOL_ARGS)

#define ERROR_OBJECT \
    MARK("error", ERROR), \
    SAVE("error.type", ERROR_TYPE), \
    SAVE("error.status", ERROR_STATUS), \
    SAVE("error.code", ERROR_CODE)

#define SLICE(text) {text, sizeof(text) - 1}
#define RULE(type, item, class, kind, word) \
    {SLICE(type), SLICE(item), UNS_CLASS_##class, kind, word}

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define TABLES(paths, rules) paths, rules, ROWS(paths), ROWS(rules)
/* clang-format on */

/* Chat and completions of OpenAI, and of all who say that they are the same. */
extern const struct uns_wire uns_wire_chat;

#endif
