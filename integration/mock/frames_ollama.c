/* SPDX-License-Identifier: MIT */
/*
 * frames_ollama - Ollama's own API, as templates: one object a line, the last
 * one `done`.  And the plain answers that belong to no provider.
 */
#include "dialect.h"

/* clang-format off */

#define LINE(fields, done)                                                    \
    "{'model':'$model','created_at':'2025-06-15T15:06:40.000001Z'," fields    \
    ",'done':" done "}\n"
#define MESSAGE(content, more)                                                \
    "'message':{'role':'assistant','content':'" content "'" more "}"
#define DONE                                                                  \
    "true,'done_reason':'$stop','total_duration':5000000,"                    \
    "'load_duration':1000,'prompt_eval_count':$in,'eval_count':$out,"         \
    "'eval_duration':4000000"
#define CALL                                                                  \
    ",'tool_calls':[{'function':{'name':'tide_at','arguments':$object}}]"
#define FAULT "{'error':'$name was asked to fail ($code)'}\n"

struct mock_dialect mock_dialect_ollama_chat = {
    .name = "ollama",
    .content_type = "application/x-ndjson",
    .stop = "stop",
    .stop_tool = "stop",
    .arg_pieces = 1,
    .text = {
        [MOCK_FRAME_THINK] =
            LINE(MESSAGE("", ",'thinking':'$token'"), "false"),
        [MOCK_FRAME_TEXT] = LINE(MESSAGE("$token", ""), "false"),
        [MOCK_FRAME_TOOL_ARGS] = LINE(MESSAGE("", CALL), "false"),
        [MOCK_FRAME_FINISH] = LINE(MESSAGE("", ""), DONE),
        [MOCK_FRAME_ERROR] = FAULT,
        [MOCK_FRAME_WHOLE] = LINE(MESSAGE("$text", "$thought$call"), DONE),
        [MOCK_FRAME_THOUGHT] = ",'thinking':'$think'",
        [MOCK_FRAME_CALL] = CALL,
        [MOCK_FRAME_REFUSAL] = FAULT,
        [MOCK_FRAME_COMMENT] = "\n",
        [MOCK_FRAME_PING] = "\n",
        [MOCK_FRAME_EMPTY] = LINE(MESSAGE("", ""), "false"),
        [MOCK_FRAME_ROLE] = LINE(MESSAGE("", ""), "false"),
        [MOCK_FRAME_MALFORMED] = "{'model':'$model','message':{'rol\n",
    },
};

struct mock_dialect mock_dialect_ollama_generate = {
    .name = "ollama",
    .content_type = "application/x-ndjson",
    .stop = "stop",
    .stop_tool = "stop",
    .text = {
        [MOCK_FRAME_THINK] =
            LINE("'response':'','thinking':'$token'", "false"),
        [MOCK_FRAME_TEXT] = LINE("'response':'$token'", "false"),
        [MOCK_FRAME_FINISH] = LINE("'response':''", DONE),
        [MOCK_FRAME_ERROR] = FAULT,
        [MOCK_FRAME_WHOLE] = LINE("'response':'$text'$thought", DONE),
        [MOCK_FRAME_THOUGHT] = ",'thinking':'$think'",
        [MOCK_FRAME_REFUSAL] = FAULT,
        [MOCK_FRAME_COMMENT] = "\n",
        [MOCK_FRAME_PING] = "\n",
        [MOCK_FRAME_EMPTY] = LINE("'response':''", "false"),
        [MOCK_FRAME_ROLE] = LINE("'response':''", "false"),
        [MOCK_FRAME_MALFORMED] = "{'model':'$model','response':'bro\n",
    },
};

struct mock_dialect mock_dialect_plain = {
    .name = "plain",
    .content_type = "text/plain",
    .text = {[MOCK_FRAME_REFUSAL] = "$name: $status $why\n"},
};

/* clang-format on */
