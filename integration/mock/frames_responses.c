/* SPDX-License-Identifier: MIT */
/*
 * frames_responses - OpenAI's Responses, as templates: events with names and
 * sequence numbers; what was streamed is said again at each end.
 */
#include "dialect.h"

/* clang-format off */

#define EVENT(type, fields)                                                   \
    "event: " type "\ndata: {'type':'" type "'," fields                       \
    ",'sequence_number':$seq}\n\n"
#define ITEM_ADDED(item)                                                      \
    EVENT("response.output_item.added", "'output_index':$block,'item':" item)
#define ITEM_DONE(item)                                                       \
    EVENT("response.output_item.done", "'output_index':$block,'item':" item)

#define RESPONSE(status, error, output, usage)                                \
    "{'id':'resp_$name','object':'response','created_at':1750000000,"         \
    "'status':'" status "','error':" error ",'incomplete_details':null,"      \
    "'model':'$model','output':" output ",'usage':" usage "}"
#define BEGUN "'response':" RESPONSE("in_progress", "null", "[]", "null")
#define USAGE                                                                 \
    "{'input_tokens':$in,'output_tokens':$out,'total_tokens':$sum}"
#define FAULT                                                                 \
    "{'type':'$type','code':'$code','message':'$name was asked to fail',"     \
    "'param':null}"

#define AT_TEXT "'item_id':'msg_$name','output_index':$block,'content_index':0"
#define AT_THINK "'item_id':'rs_$name','output_index':$block,'summary_index':0"
#define AT_CALL "'item_id':'fc_$name','output_index':$block"

#define PART(text) "{'type':'output_text','text':'" text "','annotations':[]}"
#define SUMMARY(text) "{'type':'summary_text','text':'" text "'}"
#define MESSAGE(status, content)                                              \
    "{'id':'msg_$name','type':'message','status':'" status "',"               \
    "'role':'assistant','content':[" content "]}"
#define THOUGHT(summary)                                                      \
    "{'id':'rs_$name','type':'reasoning','summary':[" summary "]}"
#define CALL(status, args)                                                    \
    "{'id':'fc_$name','type':'function_call','status':'" status "',"          \
    "'call_id':'call_$name','name':'tide_at','arguments':'" args "'}"
#define ALL "[$thought" MESSAGE("completed", PART("$text")) "$call]"

struct mock_dialect mock_dialect_responses = {
    .name = "responses",
    .content_type = "text/event-stream; charset=utf-8",
    .id_header = "x-request-id",
    .stop = "completed",
    .stop_tool = "completed",
    .arg_pieces = 4,
    .text = {
        [MOCK_FRAME_OPEN] =
            EVENT("response.created", BEGUN)
            EVENT("response.in_progress", BEGUN),
        [MOCK_FRAME_THINK_OPEN] =
            ITEM_ADDED(THOUGHT(""))
            EVENT("response.reasoning_summary_part.added",
                  AT_THINK ",'part':" SUMMARY("")),
        [MOCK_FRAME_THINK] =
            EVENT("response.reasoning_summary_text.delta",
                  AT_THINK ",'delta':'$token'"),
        [MOCK_FRAME_THINK_CLOSE] =
            EVENT("response.reasoning_summary_text.done",
                  AT_THINK ",'text':'$think'")
            EVENT("response.reasoning_summary_part.done",
                  AT_THINK ",'part':" SUMMARY("$think"))
            ITEM_DONE(THOUGHT(SUMMARY("$think"))),
        [MOCK_FRAME_TEXT_OPEN] =
            ITEM_ADDED(MESSAGE("in_progress", ""))
            EVENT("response.content_part.added", AT_TEXT ",'part':" PART("")),
        [MOCK_FRAME_TEXT] =
            EVENT("response.output_text.delta",
                  AT_TEXT ",'delta':'$token','logprobs':[]"),
        [MOCK_FRAME_TEXT_CLOSE] =
            EVENT("response.output_text.done",
                  AT_TEXT ",'text':'$text','logprobs':[]")
            EVENT("response.content_part.done",
                  AT_TEXT ",'part':" PART("$text"))
            ITEM_DONE(MESSAGE("completed", PART("$text"))),
        [MOCK_FRAME_TOOL_OPEN] = ITEM_ADDED(CALL("in_progress", "")),
        [MOCK_FRAME_TOOL_ARGS] =
            EVENT("response.function_call_arguments.delta",
                  AT_CALL ",'delta':'$piece'"),
        [MOCK_FRAME_TOOL_CLOSE] =
            EVENT("response.function_call_arguments.done",
                  AT_CALL ",'arguments':'$args'")
            ITEM_DONE(CALL("completed", "$args")),
        [MOCK_FRAME_FINISH] =
            EVENT("response.completed",
                  "'response':" RESPONSE("completed", "null", ALL, USAGE)),
        [MOCK_FRAME_ERROR] =
            EVENT("error", "'error':" FAULT)
            EVENT("response.failed",
                  "'response':" RESPONSE("failed", FAULT, "[]", "null")),
        [MOCK_FRAME_WHOLE] = RESPONSE("completed", "null", ALL, USAGE) "\n",
        [MOCK_FRAME_THOUGHT] = THOUGHT(SUMMARY("$think")) ",",
        [MOCK_FRAME_CALL] = "," CALL("completed", "$args"),
        [MOCK_FRAME_REFUSAL] = "{'error':" FAULT "}\n",
        [MOCK_FRAME_COMMENT] = ": keep-alive\n\n",
        [MOCK_FRAME_PING] =
            "event: keepalive\n"
            "data: {'type':'keepalive','sequence_number':$seq}\n\n",
        [MOCK_FRAME_EMPTY] =
            EVENT("response.output_text.delta",
                  AT_TEXT ",'delta':'','logprobs':[]"),
        [MOCK_FRAME_ROLE] = EVENT("response.in_progress", BEGUN),
        [MOCK_FRAME_EARLY] = EVENT("response.in_progress", BEGUN),
        [MOCK_FRAME_MALFORMED] =
            "event: response.output_text.delta\n"
            "data: {'type':'response.output_text.delta','delta':'bro\n\n",
    },
};

/* clang-format on */
