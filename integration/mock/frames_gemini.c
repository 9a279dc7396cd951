/* SPDX-License-Identifier: MIT */
/*
 * frames_gemini - Gemini's generateContent, as templates: as events that end
 * in CR LF, and as one JSON array, pretty-printed.  Neither has an end mark.
 */
#include "dialect.h"

/* clang-format off */

#define REPLY(part, finish)                                                   \
    "{'candidates': [{'content': {'parts': [" part "], 'role': 'model'}"      \
    finish ", 'index': 0}], 'usageMetadata': {'promptTokenCount': $in, "      \
    "'candidatesTokenCount': $out, 'totalTokenCount': $sum}, "                \
    "'modelVersion': '$model', 'responseId': 'resp-$name'}"
#define EVENT(part, finish) "data: " REPLY(part, finish) "\r\n\r\n"
#define FINISH ", 'finishReason': '$stop'"
#define CALL "{'functionCall': {'name': 'tide_at', 'args': $object}}"
#define FAULT                                                                 \
    "{'error': {'code': $status, 'message': '$name was asked to fail', "      \
    "'status': '$gstatus'}}"

struct mock_dialect mock_dialect_gemini = {
    .name = "gemini",
    .content_type = "text/event-stream",
    .stop = "STOP",
    .stop_tool = "STOP",
    .arg_pieces = 1,
    .text = {
        [MOCK_FRAME_THINK] =
            EVENT("{'text': '$token', 'thought': true}", ""),
        [MOCK_FRAME_TEXT] = EVENT("{'text': '$token'}", ""),
        [MOCK_FRAME_TOOL_ARGS] = EVENT(CALL, ""),
        [MOCK_FRAME_FINISH] = EVENT("{'text': ''}", FINISH),
        [MOCK_FRAME_ERROR] = "data: " FAULT "\r\n\r\n",
        [MOCK_FRAME_WHOLE] =
            REPLY("$thought{'text': '$text'}$call", FINISH) "\n",
        [MOCK_FRAME_THOUGHT] = "{'text': '$think', 'thought': true}, ",
        [MOCK_FRAME_CALL] = ", " CALL,
        [MOCK_FRAME_REFUSAL] = FAULT "\n",
        [MOCK_FRAME_COMMENT] = ": keep-alive\r\n\r\n",
        [MOCK_FRAME_PING] = "data: : keepalive\r\n\r\n",
        [MOCK_FRAME_EMPTY] = EVENT("{'text': ''}", ""),
        [MOCK_FRAME_ROLE] = EVENT("{'text': ''}", ""),
        [MOCK_FRAME_MALFORMED] =
            "data: {'candidates': [{'content': {'parts': [{'text': 'bro"
            "\r\n\r\n",
    },
};

#define ELEMENT(part, finish)                                                 \
    "$sep{\n"                                                                 \
    "  'candidates': [\n"                                                     \
    "    {\n"                                                                 \
    "      'content': {\n"                                                    \
    "        'parts': [\n"                                                    \
    "          {\n"                                                           \
    "            " part "\n"                                                  \
    "          }\n"                                                           \
    "        ],\n"                                                            \
    "        'role': 'model'\n"                                               \
    "      },\n" finish                                                       \
    "      'index': 0\n"                                                      \
    "    }\n"                                                                 \
    "  ],\n"                                                                  \
    "  'usageMetadata': {\n"                                                  \
    "    'promptTokenCount': $in,\n"                                          \
    "    'candidatesTokenCount': $out,\n"                                     \
    "    'totalTokenCount': $sum\n"                                           \
    "  },\n"                                                                  \
    "  'modelVersion': '$model',\n"                                           \
    "  'responseId': 'resp-$name'\n"                                          \
    "}\n"

struct mock_dialect mock_dialect_gemini_array = {
    .name = "gemini-array",
    .content_type = "application/json; charset=UTF-8",
    .stop = "STOP",
    .stop_tool = "STOP",
    .arg_pieces = 1,
    .text = {
        [MOCK_FRAME_THINK] =
            ELEMENT("'text': '$token',\n            'thought': true", ""),
        [MOCK_FRAME_TEXT] = ELEMENT("'text': '$token'", ""),
        [MOCK_FRAME_TOOL_ARGS] =
            ELEMENT("'functionCall': {\n"
                    "              'name': 'tide_at',\n"
                    "              'args': $object\n"
                    "            }", ""),
        [MOCK_FRAME_FINISH] =
            ELEMENT("'text': ''", "      'finishReason': '$stop',\n"),
        [MOCK_FRAME_END] = "]",
        [MOCK_FRAME_ERROR] = "$sep" FAULT "\n]",
        [MOCK_FRAME_REFUSAL] = "[" FAULT "\n]",
        [MOCK_FRAME_COMMENT] = "\n",
        [MOCK_FRAME_PING] = "\r\n",
        [MOCK_FRAME_EMPTY] = ELEMENT("'text': ''", ""),
        [MOCK_FRAME_ROLE] = ELEMENT("'text': ''", ""),
        [MOCK_FRAME_MALFORMED] = "$sep{'candidates': [{'content': \n",
    },
};

/* clang-format on */
