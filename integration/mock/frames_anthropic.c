/* SPDX-License-Identifier: MIT */
/*
 * frames_anthropic - Messages, as templates: events with names, numbered
 * blocks, pings, and JSON padded with spaces before its last brace.
 */
#include "dialect.h"

/* clang-format off */

#define EVENT(type, fields)                                                   \
    "event: " type "\ndata: {'type':'" type "'" fields "$pad}\n\n"
#define BLOCK(fields)                                                         \
    EVENT("content_block_start", ",'index':$block,'content_block':{" fields "}")
#define DELTA(fields)                                                         \
    EVENT("content_block_delta", ",'index':$block,'delta':{" fields "}")
#define BLOCK_STOP EVENT("content_block_stop", ",'index':$block")
#define PING "event: ping\ndata: {'type': 'ping'}\n\n"
#define HEAD                                                                  \
    "'id':'msg_$name','type':'message','role':'assistant','model':'$model'"
#define FAULT                                                                 \
    "{'type':'error','error':{'details':null,'type':'$atype',"                \
    "'message':'$name was asked to fail'},'request_id':'req_$name'}"

struct mock_dialect mock_dialect_anthropic = {
    .name = "anthropic",
    .content_type = "text/event-stream; charset=utf-8",
    .id_header = "request-id",
    .stop = "end_turn",
    .stop_tool = "tool_use",
    .arg_pieces = 4,
    .text = {
        [MOCK_FRAME_OPEN] =
            EVENT("message_start",
                  ",'message':{" HEAD ",'content':[],'stop_reason':null,"
                  "'stop_sequence':null,'usage':{'input_tokens':$in,"
                  "'output_tokens':1}}")
            PING,
        [MOCK_FRAME_THINK_OPEN] =
            BLOCK("'type':'thinking','thinking':'','signature':''"),
        [MOCK_FRAME_THINK] =
            DELTA("'type':'thinking_delta','thinking':'$token'"),
        [MOCK_FRAME_THINK_CLOSE] =
            DELTA("'type':'thinking_delta','thinking':''")
            DELTA("'type':'signature_delta','signature':'bW9jaw=='")
            BLOCK_STOP,
        [MOCK_FRAME_TEXT_OPEN] = BLOCK("'type':'text','text':''"),
        [MOCK_FRAME_TEXT] = DELTA("'type':'text_delta','text':'$token'"),
        [MOCK_FRAME_TEXT_CLOSE] = PING BLOCK_STOP,
        [MOCK_FRAME_TOOL_OPEN] =
            BLOCK("'type':'tool_use','id':'toolu_$name','name':'tide_at',"
                  "'input':{}")
            DELTA("'type':'input_json_delta','partial_json':''"),
        [MOCK_FRAME_TOOL_ARGS] =
            DELTA("'type':'input_json_delta','partial_json':'$piece'"),
        [MOCK_FRAME_TOOL_CLOSE] = BLOCK_STOP,
        [MOCK_FRAME_FINISH] =
            EVENT("message_delta",
                  ",'delta':{'stop_reason':'$stop','stop_sequence':null},"
                  "'usage':{'output_tokens':$out}"),
        [MOCK_FRAME_END] = EVENT("message_stop", ""),
        [MOCK_FRAME_ERROR] = "event: error\ndata: " FAULT "\n\n",
        [MOCK_FRAME_WHOLE] =
            "{" HEAD ",'content':[$thought{'type':'text','text':'$text'}"
            "$call],'stop_reason':'$stop','stop_sequence':null,"
            "'usage':{'input_tokens':$in,'output_tokens':$out}}\n",
        [MOCK_FRAME_THOUGHT] =
            "{'type':'thinking','thinking':'$think',"
            "'signature':'bW9jaw=='},",
        [MOCK_FRAME_CALL] =
            ",{'type':'tool_use','id':'toolu_$name','name':'tide_at',"
            "'input':$object}",
        [MOCK_FRAME_REFUSAL] = FAULT "\n",
        [MOCK_FRAME_COMMENT] = ": keep-alive\n\n",
        [MOCK_FRAME_PING] = PING,
        [MOCK_FRAME_EMPTY] = DELTA("'type':'text_delta','text':''"),
        [MOCK_FRAME_ROLE] = PING,
        [MOCK_FRAME_EARLY] = PING,
        [MOCK_FRAME_MALFORMED] =
            "event: content_block_delta\ndata: {'type':'content_block_delta',"
            "'index':$block,'delta':{'type':'text_delta','text':'bro\n\n",
    },
};

/* clang-format on */
