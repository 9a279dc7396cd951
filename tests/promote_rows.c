/* SPDX-License-Identifier: MIT */
#include "promote_rows.h"

/* clang-format off */
#define CHAT(delta, finish)                                                   \
    "data: {'id':'c-1','object':'chat.completion.chunk','choices':"           \
    "[{'index':0,'delta':" delta ",'finish_reason':" finish "}]}\n\n"
#define DONE       "data: [DONE]\n\n"
#define WHOLE(message, finish)                                                \
    "{'id':'c-1','object':'chat.completion','choices':[{'index':0,"           \
    "'message':" message ",'finish_reason':" finish "}]}"
#define CALL(more) "{'tool_calls':[{" more "}]}"
#define EVENT(type, rest)                                                     \
    "event: " type "\ndata: {'type':'" type "'" rest "}\n\n"
#define START                                                                 \
    EVENT("message_start", ",'message':{'id':'m','content':[],"               \
          "'stop_reason':null,'usage':{'input_tokens':3,'output_tokens':1}}")
#define BLOCK(n, block)                                                       \
    EVENT("content_block_start", ",'index':" n ",'content_block':{" block "}")
#define DELTA(n, delta)                                                       \
    EVENT("content_block_delta", ",'index':" n ",'delta':{" delta "}")
#define STOP(why)                                                             \
    EVENT("message_delta", ",'delta':{'stop_reason':'" why "'},"              \
          "'usage':{'output_tokens':9}")                                      \
    EVENT("message_stop", "")
#define MESSAGE(content, why)                                                 \
    "{'id':'m','content':" content ",'stop_reason':'" why "',"                \
    "'usage':{'input_tokens':3,'output_tokens':9}}"
#define TOOL "'type':'tool_use','id':'t','name':'f','input':{}"
#define JSON_PIECE(text) "'type':'input_json_delta','partial_json':'" text "'"
#define PARTS(parts) "data: {'candidates':[{'content':{'parts':[" parts       \
    "],'role':'model'}}]}\r\n\r\n"
#define ONE(parts) "{'candidates':[{'content':{'parts':[" parts               \
    "],'role':'model'}}]}"
#define ITEM(n, id)                                                           \
    EVENT("response.output_item.done", ",'output_index':" n                   \
          ",'item':{'id':'" id "'}")
#define COMPLETED(output)                                                     \
    EVENT("response.completed", ",'response':{'id':'r','output':" output "}")

const struct promote_row promote_rows[PROMOTE_ROWS] = {
    {"text", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':''}", "null")
     CHAT("{'content':'Ti'}", "null") CHAT("{'content':'de'}", "null")
     CHAT("{}", "'stop'") DONE,
     WHOLE("{'role':'assistant','content':'Tide'}", "'stop'")},
    {"escapes stay as they are", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':'\\ud83d'}", "null")
     CHAT("{'content':'\\ude00\\n\\/'}", "'stop'"),
     WHOLE("{'role':'assistant','content':'\\ud83d\\ude00\\n\\/'}", "'stop'")},
    {"numbers stay as they are", UNS_DIALECT_CHAT,
     "data: {'created':1.750e9,'big':12345678901234567890,'choices':[]}\n\n",
     "{'created':1.750e9,'big':12345678901234567890,'choices':[]}"},
    {"reasoning and refusal", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':null,'refusal':null,"
          "'reasoning_content':'So'}", "null")
     CHAT("{'reasoning_content':' it'}", "null")
     CHAT("{'refusal':'No'}", "null") CHAT("{'refusal':'.'}", "'stop'"),
     WHOLE("{'role':'assistant','content':null,'refusal':'No.',"
           "'reasoning_content':'So it'}", "'stop'")},
    {"a tool call in pieces", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':null}", "null")
     CHAT(CALL("'index':0,'id':'a','type':'function',"
               "'function':{'name':'f','arguments':''}"), "null")
     CHAT(CALL("'index':0,'id':'','function':{'arguments':'{\\\"a'}"), "null")
     CHAT(CALL("'index':0,'function':{'arguments':'\\\":1}'}"),
          "'tool_calls'"),
     WHOLE("{'role':'assistant','content':null,'tool_calls':[{'id':'a',"
           "'type':'function','function':{'name':'f',"
           "'arguments':'{\\\"a\\\":1}'}}]}", "'tool_calls'")},
    {"tool calls side by side", UNS_DIALECT_CHAT,
     CHAT(CALL("'index':1,'id':'b','function':{'arguments':'2'}"), "null")
     CHAT(CALL("'index':0,'id':'a','function':{'arguments':'1'}"), "null")
     CHAT(CALL("'index':1,'function':{'arguments':'2'}"), "null"),
     WHOLE("{'tool_calls':[{'id':'a','function':{'arguments':'1'}},"
           "{'id':'b','function':{'arguments':'22'}}],"
           "'role':'assistant','content':null}", "null")},
    {"tool calls that share an index", UNS_DIALECT_CHAT,
     CHAT(CALL("'index':0,'id':'a','function':{'arguments':'1'}"), "null")
     CHAT(CALL("'index':0,'id':'b','function':{'arguments':'2'}"), "null"),
     WHOLE("{'tool_calls':[{'id':'a','function':{'arguments':'1'}},"
           "{'id':'b','function':{'arguments':'2'}}],"
           "'role':'assistant','content':null}", "null")},
    {"tool calls without an index", UNS_DIALECT_CHAT,
     CHAT(CALL("'id':'a','function':{'arguments':'1'}"), "null")
     CHAT(CALL("'id':'b','function':{'arguments':'2'}"), "null"),
     WHOLE("{'tool_calls':[{'id':'a','function':{'arguments':'1'}},"
           "{'id':'b','function':{'arguments':'2'}}],"
           "'role':'assistant','content':null}", "null")},
    {"an old function call", UNS_DIALECT_CHAT,
     CHAT("{'function_call':{'name':'f','arguments':'{'}}", "null")
     CHAT("{'function_call':{'arguments':'}'}}", "'function_call'"),
     WHOLE("{'function_call':{'name':'f','arguments':'{}'},"
           "'role':'assistant','content':null}", "'function_call'")},
    {"several choices", UNS_DIALECT_CHAT,
     "data: {'choices':[{'index':1,'delta':{'role':'assistant',"
     "'content':'b'}}]}\n\n"
     "data: {'choices':[{'index':0,'delta':{'role':'assistant',"
     "'content':'a'},'finish_reason':'stop'},{'index':1,'delta':"
     "{'content':'B'},'finish_reason':'length'}]}\n\n",
     "{'choices':[{'index':0,'message':{'role':'assistant','content':'a'},"
     "'finish_reason':'stop'},{'index':1,'message':{'role':'assistant',"
     "'content':'bB'},'finish_reason':'length'}]}"},
    {"log probabilities", UNS_DIALECT_CHAT,
     "data: {'choices':[{'index':0,'logprobs':{'content':[{'t':1}],"
     "'refusal':null},'finish_reason':null}]}\n\n"
     "data: {'choices':[{'index':0,'logprobs':{'content':[{'t':2.0}],"
     "'refusal':null},'finish_reason':'stop'}]}\n\n"
     "data: {'choices':[{'index':0,'logprobs':null}]}\n\n",
     "{'choices':[{'index':0,'logprobs':{'content':[{'t':1},{'t':2.0}],"
     "'refusal':null},'finish_reason':'stop'}]}"},
    {"usage last, and what nobody knows", UNS_DIALECT_CHAT,
     "data: {'id':'','usage':null,'x':{'a':1}}\n\n"
     "data: {'id':'c','choices':[],'usage':{'n':2},'obfuscation':'aa',"
     "'x':{'b':2}}\n\n",
     "{'id':'c','usage':{'n':2},'x':{'b':2},'choices':[]}"},
    {"content in parts", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':[{'type':'thinking','thinking':"
          "[{'type':'text','text':'So'}]}]}", "null")
     CHAT("{'content':[{'type':'thinking','thinking':"
          "[{'type':'text','text':' on'}]}]}", "null")
     CHAT("{'content':''}", "null") CHAT("{'content':'Ti'}", "null")
     CHAT("{'content':'de'}", "'stop'"),
     WHOLE("{'role':'assistant','content':[{'type':'thinking','thinking':"
           "[{'type':'text','text':'So on'}]},{'type':'text',"
           "'text':'Tide'}]}", "'stop'")},
    {"reasoning details", UNS_DIALECT_CHAT,
     CHAT("{'role':'assistant','content':null,'reasoning_details':[{'type':"
          "'r.text','text':'a','index':0}]}", "null")
     CHAT("{'reasoning_details':[{'type':'r.text','text':'b','index':0},"
          "{'type':'r.data','data':'x','index':0}]}", "'stop'"),
     WHOLE("{'role':'assistant','content':null,'reasoning_details':[{'type':"
           "'r.text','text':'ab','index':0},{'type':'r.data','data':'x',"
           "'index':0}]}", "'stop'")},
    {"legacy completions", UNS_DIALECT_COMPLETIONS,
     "data: {'object':'text_completion','choices':[{'text':'Ti','index':0,"
     "'logprobs':{'tokens':['Ti']},'finish_reason':null}]}\n\n"
     "data: {'object':'text_completion','choices':[{'text':'de','index':0,"
     "'logprobs':{'tokens':['de']},'finish_reason':'stop'}]}\n\n" DONE,
     "{'object':'text_completion','choices':[{'text':'Tide','index':0,"
     "'logprobs':{'tokens':['Ti','de']},'finish_reason':'stop'}]}"},

    {"anthropic text", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", "'type':'text','text':''") EVENT("ping", "")
     DELTA("0", "'type':'text_delta','text':'Ti'")
     DELTA("0", "'type':'text_delta','text':'de'") STOP("end_turn"),
     MESSAGE("[{'type':'text','text':'Tide'}]", "end_turn")},
    {"anthropic thinking, signed", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", "'type':'thinking','thinking':'','signature':''")
     DELTA("0", "'type':'thinking_delta','thinking':'So'")
     DELTA("0", "'type':'signature_delta','signature':'c2ln'")
     BLOCK("1", "'type':'text','text':''")
     DELTA("1", "'type':'text_delta','text':'x'") STOP("end_turn"),
     MESSAGE("[{'type':'thinking','thinking':'So','signature':'c2ln'},"
             "{'type':'text','text':'x'}]", "end_turn")},
    {"anthropic tools", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", TOOL) DELTA("0", JSON_PIECE(""))
     DELTA("0", JSON_PIECE("{\\\"a\\\": [1.0")) DELTA("0", JSON_PIECE("]}"))
     BLOCK("1", TOOL) DELTA("1", JSON_PIECE("")) STOP("tool_use"),
     MESSAGE("[{'type':'tool_use','id':'t','name':'f','input':{'a': [1.0]}},"
             "{'type':'tool_use','id':'t','name':'f','input':{}}]",
             "tool_use")},
    {"anthropic tool, cut by its limit", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", TOOL) DELTA("0", JSON_PIECE("{\\\"a\\\": [1"))
     STOP("max_tokens"),
     MESSAGE("[{" TOOL "}]", "max_tokens")},
    {"anthropic citations", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", "'type':'text','text':'','citations':[]")
     DELTA("0", "'type':'citations_delta','citation':{'n':1}")
     DELTA("0", "'type':'citations_delta','citation':{'n':2}")
     DELTA("0", "'type':'text_delta','text':'x'") STOP("end_turn"),
     MESSAGE("[{'type':'text','text':'x','citations':[{'n':1},{'n':2}]}]",
             "end_turn")},
    {"anthropic, begun twice", UNS_DIALECT_ANTHROPIC,
     START BLOCK("0", "'type':'text','text':''")
     DELTA("0", "'type':'text_delta','text':'old'")
     START BLOCK("0", "'type':'text','text':''")
     DELTA("0", "'type':'text_delta','text':'new'") STOP("end_turn"),
     MESSAGE("[{'type':'text','text':'new'}]", "end_turn")},

    {"responses", UNS_DIALECT_RESPONSES,
     EVENT("response.created", ",'response':{'id':'r','output':[]}")
     EVENT("response.output_text.delta", ",'delta':'Tide'")
     COMPLETED("[{'id':'i','n':1.0}]"),
     "{'id':'r','output':[{'id':'i','n':1.0}]}"},
    {"responses, not complete", UNS_DIALECT_RESPONSES,
     EVENT("response.incomplete", ",'response':{'status':'incomplete'}"),
     "{'status':'incomplete'}"},
    {"responses that are told in items", UNS_DIALECT_RESPONSES,
     EVENT("response.output_text.delta", ",'delta':'Tide'")
     ITEM("0", "a") ITEM("1", "b") COMPLETED("[ ]"),
     "{'output':[{'id':'a'},{'id':'b'}],'id':'r'}"},

    {"gemini", UNS_DIALECT_GEMINI,
     PARTS("{'text':'So','thought':true}") PARTS("{'text':'!','thought':true}")
     PARTS("{'text':'Ti'}") PARTS("{'text':'de'}")
     PARTS("{'text':'','thoughtSignature':'s'}") PARTS("{'text':''}")
     PARTS("{'functionCall':{'name':'f','args':{'a':1.0}}}")
     PARTS("{'text':''}"),
     ONE("{'text':'So!','thought':true},{'text':'Tide','thoughtSignature':"
         "'s'},{'functionCall':{'name':'f','args':{'a':1.0}}}")},
    {"gemini, behind a signature", UNS_DIALECT_GEMINI,
     PARTS("{'text':'a','thoughtSignature':'s'}") PARTS("{'text':'b'}"),
     ONE("{'text':'a','thoughtSignature':'s'},{'text':'b'}")},
    {"gemini's pictures", UNS_DIALECT_GEMINI,
     PARTS("{'inlineData':{'data':'eA'}}") PARTS("{'text':'a'}"),
     ONE("{'inlineData':{'data':'eA'}},{'text':'a'}")},
    {"gemini, an array", UNS_DIALECT_GEMINI,
     "[{'candidates':[{'content':{'parts':[{'text':'a]'}]},'index':0}],\n"
     "'usageMetadata':{'n':1}}\n,\r\n{'candidates':[{'content':{'parts':"
     "[{'text':'b'}]},'finishReason':'STOP','index':0}],'usageMetadata':"
     "{'n':2}}\n]",
     "{'candidates':[{'content':{'parts':[{'text':'a]b'}]},'index':0,"
     "'finishReason':'STOP'}],'usageMetadata':{'n':2}}"},

    {"ollama", UNS_DIALECT_OLLAMA,
     "{'message':{'role':'assistant','content':'','thinking':'So'},"
     "'done':false}\n{'message':{'role':'assistant','content':'Ti'},"
     "'done':false}\n\n{'message':{'role':'assistant','content':'de',"
     "'tool_calls':[{'n':1}]},'done':true,'eval_count':2}\n",
     "{'message':{'role':'assistant','content':'Tide','thinking':'So',"
     "'tool_calls':[{'n':1}]},'done':true,'eval_count':2}"},
    {"ollama generates", UNS_DIALECT_OLLAMA,
     "{'response':'Ti','done':false}\n"
     "{'response':'de','done':true,'context':[1,2]}",
     "{'response':'Tide','done':true,'context':[1,2]}"},

    {"comments, pings and carriage returns", UNS_DIALECT_CHAT,
     "\xef\xbb\xbf: hi\r\rdata: : keepalive\r\rid: 7\r"
     "data:{'choices':\rdata: []}\r\revent: ping\r\rdata:\r\r",
     "{'choices':[]}"},
    {"no blank line between two", UNS_DIALECT_CHAT,
     "data: {'choices':[{'text':'a'}]}\ndata: {'choices':[{'text':'b'}]}\n",
     "{'choices':[{'text':'ab','finish_reason':null}]}"},
};

const struct promote_failure promote_failures[PROMOTE_FAILURES] = {
    {"nothing", UNS_DIALECT_CHAT, UNS_NOTFOUND, ""},
    {"an end alone", UNS_DIALECT_CHAT, UNS_NOTFOUND, DONE},
    {"broken JSON", UNS_DIALECT_CHAT, UNS_SYNTAX,
     CHAT("{'content':'a'}", "null") "data: {'choices':[{'delta\n\n" DONE},
    {"cut in the middle", UNS_DIALECT_CHAT, UNS_SYNTAX,
     CHAT("{'content':'a'}", "null") "data: {'choices':[{'de"},
    {"JSON without a field", UNS_DIALECT_CHAT, UNS_SYNTAX,
     CHAT("{'content':'a'}", "null") "{'choices':[]}\n\n"},
    {"an error", UNS_DIALECT_CHAT, UNS_UNSUPPORTED,
     CHAT("{'content':'a'}", "null") "data: {'error':{'code':1}}\n\n" DONE},
    {"sound in pieces", UNS_DIALECT_CHAT, UNS_UNSUPPORTED,
     CHAT("{'audio':{'data':'eA=='}}", "null")},
    {"text, then a list", UNS_DIALECT_CHAT, UNS_UNSUPPORTED,
     CHAT("{'content':'a'}", "null")
     CHAT("{'content':[{'text':'b'}]}", "null")},
    {"an Anthropic error", UNS_DIALECT_ANTHROPIC, UNS_UNSUPPORTED,
     START EVENT("error", ",'error':{'type':'overloaded_error'}")},
    {"broken arguments", UNS_DIALECT_ANTHROPIC, UNS_SYNTAX,
     START BLOCK("0", TOOL) DELTA("0", JSON_PIECE("{\\\"a")) STOP("tool_use")},
    {"a failed response", UNS_DIALECT_RESPONSES, UNS_UNSUPPORTED,
     EVENT("response.failed", ",'response':{}")},
    {"a hollow response", UNS_DIALECT_RESPONSES, UNS_UNSUPPORTED,
     EVENT("response.output_text.delta", ",'delta':'a'") COMPLETED("[]")},
    {"arguments in pieces", UNS_DIALECT_GEMINI, UNS_UNSUPPORTED,
     PARTS("{'functionCall':{'name':'f','willContinue':true}}")},
    {"a Gemini error", UNS_DIALECT_GEMINI, UNS_UNSUPPORTED,
     "data: {'error':{'code':503}}\r\n\r\n"},
    {"an Ollama error", UNS_DIALECT_OLLAMA, UNS_UNSUPPORTED,
     "{'response':'a','done':false}\n{'error':'out of memory'}\n"},
    {"a line that is none", UNS_DIALECT_OLLAMA, UNS_SYNTAX,
     "{'response':'a','done':false}\nhello\n"},
    {"a dialect without events", UNS_DIALECT_TGI, UNS_UNSUPPORTED,
     "data: {'token':{}}\n\n"},
};

/* clang-format on */
