/* SPDX-License-Identifier: MIT */
/*
 * frames_openai - chat completions and the older completions, as templates:
 * events of data alone, [DONE] last.
 */
#include "dialect.h"

/* clang-format off */

#define CHAT(delta, finish)                                                   \
    "data: {'id':'chatcmpl-$name','object':'chat.completion.chunk',"          \
    "'created':1750000000,'model':'$model','choices':[{'index':0,"            \
    "'delta':" delta ",'logprobs':null,'finish_reason':" finish "}]}\n\n"
#define CHAT_CALL(call) CHAT("{'tool_calls':[{'index':0," call "}]}", "null")
#define USAGE                                                                 \
    "'usage':{'prompt_tokens':$in,'completion_tokens':$out,"                  \
    "'total_tokens':$sum}"
#define ERROR                                                                 \
    "{'error':{'message':'$name was asked to fail',"                          \
    "'type':'$type','param':null,'code':'$code'}}"
#define COMMENT ": keep-alive\n\n"
#define PING    "data: : keepalive\n\n"

struct mock_dialect mock_dialect_chat = {
    .name = "chat",
    .content_type = "text/event-stream; charset=utf-8",
    .id_header = "x-request-id",
    .stop = "stop",
    .stop_tool = "tool_calls",
    .arg_pieces = 4,
    .text = {
        [MOCK_FRAME_OPEN] =
            CHAT("{'role':'assistant','content':'','refusal':null}", "null"),
        [MOCK_FRAME_THINK] = CHAT("{'reasoning_content':'$token'}", "null"),
        [MOCK_FRAME_TEXT] = CHAT("{'content':'$token'}", "null"),
        [MOCK_FRAME_TOOL_OPEN] =
            CHAT_CALL("'id':'call_$name','type':'function',"
                      "'function':{'name':'tide_at','arguments':''}"),
        [MOCK_FRAME_TOOL_ARGS] =
            CHAT_CALL("'function':{'arguments':'$piece'}"),
        [MOCK_FRAME_FINISH] = CHAT("{}", "'$stop'"),
        [MOCK_FRAME_USAGE] =
            "data: {'id':'chatcmpl-$name','object':'chat.completion.chunk',"
            "'created':1750000000,'model':'$model','choices':[]," USAGE
            "}\n\n",
        [MOCK_FRAME_END] = "data: [DONE]\n\n",
        [MOCK_FRAME_ERROR] = "data: " ERROR "\n\n",
        [MOCK_FRAME_WHOLE] =
            "{'id':'chatcmpl-$name','object':'chat.completion',"
            "'created':1750000000,'model':'$model','choices':[{'index':0,"
            "'message':{'role':'assistant','content':'$text'$thought$call,"
            "'refusal':null},'logprobs':null,'finish_reason':'$stop'}],"
            USAGE "}\n",
        [MOCK_FRAME_THOUGHT] = ",'reasoning_content':'$think'",
        [MOCK_FRAME_CALL] =
            ",'tool_calls':[{'id':'call_$name','type':'function',"
            "'function':{'name':'tide_at','arguments':'$args'}}]",
        [MOCK_FRAME_REFUSAL] = ERROR "\n",
        [MOCK_FRAME_COMMENT] = COMMENT,
        [MOCK_FRAME_PING] = PING,
        [MOCK_FRAME_EMPTY] = CHAT("{'content':''}", "null"),
        [MOCK_FRAME_ROLE] =
            CHAT("{'role':'assistant','content':''}", "null"),
        [MOCK_FRAME_MALFORMED] =
            "data: {'id':'chatcmpl-$name','choices':[{'index':0,"
            "'delta':{'content':'bro\n\n",
    },
};

#define LEGACY(text, finish)                                                  \
    "{'id':'cmpl-$name','object':'text_completion','created':1750000000,"     \
    "'choices':[{'text':'" text "','index':0,'logprobs':null,"                \
    "'finish_reason':" finish "}],'model':'$model'"

struct mock_dialect mock_dialect_completions = {
    .name = "completions",
    .content_type = "text/event-stream; charset=utf-8",
    .id_header = "x-request-id",
    .stop = "stop",
    .stop_tool = "stop",
    .text = {
        [MOCK_FRAME_TEXT] = "data: " LEGACY("$token", "null") "}\n\n",
        [MOCK_FRAME_FINISH] = "data: " LEGACY("", "'$stop'") "}\n\n",
        [MOCK_FRAME_USAGE] =
            "data: {'id':'cmpl-$name','object':'text_completion',"
            "'created':1750000000,'choices':[],'model':'$model'," USAGE
            "}\n\n",
        [MOCK_FRAME_END] = "data: [DONE]\n\n",
        [MOCK_FRAME_ERROR] = "data: " ERROR "\n\n",
        [MOCK_FRAME_WHOLE] = LEGACY("$text", "'$stop'") "," USAGE "}\n",
        [MOCK_FRAME_REFUSAL] = ERROR "\n",
        [MOCK_FRAME_COMMENT] = COMMENT,
        [MOCK_FRAME_PING] = PING,
        [MOCK_FRAME_EMPTY] = "data: " LEGACY("", "null") "}\n\n",
        [MOCK_FRAME_ROLE] = "data: " LEGACY("", "null") "}\n\n",
        [MOCK_FRAME_MALFORMED] =
            "data: {'id':'cmpl-$name','choices':[{'text':'bro\n\n",
    },
};

/* clang-format on */
