/* SPDX-License-Identifier: MIT */
#include "play_server.h"

#include "check.h"
#include "core/ascii.h"
#include "core/chars.h"

#include <stdio.h>

/* clang-format off */
#define PLAY_CHAT(delta, finish)                                              \
    "data: {'id':'chatcmpl-$N','object':'chat.completion.chunk','created':17,"\
    "'model':'m-$N','system_fingerprint':'fp_$N','choices':[{'index':0,"      \
    "'delta':" delta ",'finish_reason':" finish "}]}\n\n"
#define PLAY_LEGACY(text, finish)                                             \
    "data: {'id':'cmpl-$N','choices':[{'text':" text ",'index':0,"            \
    "'finish_reason':" finish "}],'model':'m-$N'}\n\n"
#define PLAY_NAMED(type, rest) \
    "event: " type "\ndata: {'type':'" type "'" rest "}\n\n"
#define PLAY_GEMINI(part, more)                                               \
    "{'candidates': [{'content': {'parts': [" part "],'role': 'model'}" more  \
    "}],'usageMetadata': {'promptTokenCount': 7},'modelVersion': 'm-$N',"     \
    "'responseId': 'resp-$N'}"
#define PLAY_OLLAMA(rest)                                                     \
    "{'model':'m-$N','created_at':'2026-01-01T00:00:$SZ'," rest "}\n"
#define PLAY_ITEM "'item':{'id':'msg-$N','type':'message','content':[]}"
#define PLAY_AT   ",'item_id':'msg-$N','output_index':0,'content_index':0"
#define PLAY_SEQ  ",'sequence_number':$S"

const struct play_dialect play_dialects[PLAY_DIALECTS] = {
    {"chat", UNS_DIALECT_CHAT,
     {PLAY_CHAT("{'role':'assistant','content':''}", "null"),
      PLAY_CHAT("{'content':'$T'}", "null"),
      PLAY_CHAT("{}", "'stop'")
      "data: {'id':'chatcmpl-$N','choices':[],'usage':"
      "{'prompt_tokens':7,'completion_tokens':60}}\n\n"
      "data: [DONE]\n\n"}, true},
    {"chat, role everywhere", UNS_DIALECT_CHAT,
     {"",
      PLAY_CHAT("{'role':'assistant','content':'$T'}", "null"),
      PLAY_CHAT("{'role':'assistant','content':''}", "'stop'")
      "data: [DONE]\n\n"}, true},
    {"completions", UNS_DIALECT_COMPLETIONS,
     {"", PLAY_LEGACY("'$T'", "null"),
      PLAY_LEGACY("''", "'stop'") "data: [DONE]\n\n"}, true},
    {"anthropic", UNS_DIALECT_ANTHROPIC,
     {PLAY_NAMED("message_start", ",'message':{'id':'msg_$N','model':'m-$N',"
                 "'usage':{'input_tokens':7,'output_tokens':1}}")
      PLAY_NAMED("content_block_start", ",'index':0,'content_block':"
                 "{'type':'text','text':''}")
      PLAY_NAMED("ping", ""),
      PLAY_NAMED("content_block_delta", ",'index':0,'delta':"
                 "{'type':'text_delta','text':'$T'}"),
      PLAY_NAMED("content_block_stop", ",'index':0")
      PLAY_NAMED("message_delta", ",'delta':{'stop_reason':'end_turn'},"
                 "'usage':{'output_tokens':60}")
      PLAY_NAMED("message_stop", "")}, true},
    {"responses", UNS_DIALECT_RESPONSES,
     {PLAY_NAMED("response.created", PLAY_SEQ ",'response':{'id':'resp-$N',"
                 "'created_at':17,'model':'m-$N','output':[]}")
      PLAY_NAMED("response.output_item.added", PLAY_SEQ ",'output_index':0,"
                 PLAY_ITEM)
      PLAY_NAMED("response.content_part.added", PLAY_SEQ PLAY_AT),
      PLAY_NAMED("response.output_text.delta", PLAY_AT PLAY_SEQ
                 ",'delta':'$T'"),
      PLAY_NAMED("response.output_text.done", PLAY_AT PLAY_SEQ)
      PLAY_NAMED("response.content_part.done", PLAY_AT PLAY_SEQ)
      PLAY_NAMED("response.output_item.done", PLAY_SEQ ",'output_index':0,"
                 PLAY_ITEM)
      PLAY_NAMED("response.completed", PLAY_SEQ ",'response':{'id':'resp-$N',"
                 "'created_at':17,'model':'m-$N','output':[{'type':'message',"
                 "'id':'msg-$N'}],'usage':{'output_tokens':60}}")}, true},
    {"gemini", UNS_DIALECT_GEMINI,
     {"", "data: " PLAY_GEMINI("{'text': '$T'}", "") "\r\n\r\n",
      "data: " PLAY_GEMINI("{'text': ''}", ",'finishReason': 'STOP'")
      "\r\n\r\n"}, true},
    {"gemini array", UNS_DIALECT_GEMINI,
     {"[", PLAY_GEMINI("{'text': '$T'}", "") "\n,\r\n",
      PLAY_GEMINI("{'text': ''}", ",'finishReason': 'STOP'") "\n]"}, true},
    {"ollama", UNS_DIALECT_OLLAMA,
     {"", PLAY_OLLAMA("'message':{'role':'assistant','content':'$T'},"
                      "'done':false"),
      PLAY_OLLAMA("'message':{'role':'assistant','content':''},'done':true,"
                  "'done_reason':'stop','eval_count':60")}, true},
    {"ollama generate", UNS_DIALECT_OLLAMA,
     {"", PLAY_OLLAMA("'response':'$T','done':false"),
      PLAY_OLLAMA("'response':'','done':true,'done_reason':'stop'")}, true},
};

/* clang-format on */

static const char *const play_words[] = {
    "The ",        "tide ",
    "at ",         "Troms\xc3\xb8 ",
    "is \"high\"", ",\n",
    "a\\b ",       "\xf0\x9f\x8c\x8a ",
    "\t",          "\xe6\xbd\xae\xe6\xb1\x90",
    " and ",       "/ ",
    "\x01",
};

static const char *play_token(unsigned i, const struct play_server *s)
{
    if (s && s->odd && i == s->odd_at)
        return s->odd;
    return play_words[(i * 7 + i / 13) % ROWS(play_words)];
}

void play_answer(char *out, unsigned from, unsigned to)
{
    *out = '\0';
    for (unsigned i = from; i < to; i++)
        strcat(out, play_token(i, NULL));
}

static void play_ascii(char *to, const char *from)
{
    while (*from) {
        unsigned char lead = (unsigned char)*from;
        unsigned more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        unsigned code = more ? lead & (0x3fu >> more) : lead;
        char c[UNS_CHARS_ESCAPED];

        for (unsigned i = 1; i <= more; i++)
            code = code << 6 | ((unsigned char)from[i] & 0x3f);
        from += more + 1;
        if (more == 3)
            to +=
                sprintf(to, "\\ud8%02x\\ud%03x", (code - 0x10000) >> 10 & 0xff,
                        0xc00 | (code & 0x3ff));
        else if (more)
            to += sprintf(to, "\\u%04X", code);
        else
            to += sprintf(to, "%.*s", (int)uns_chars_escape((char)code, c), c);
    }
    *to = '\0';
}

void play_escape(char *to, const char *from, bool ascii)
{
    if (ascii)
        play_ascii(to, from);
    else
        to[uns_chars_escape_all(uns_slice_of(from), to)] = '\0';
}

void play_frame(char *out, const char *text, const char *name,
                const char *token, unsigned *serial)
{
    size_t at = strlen(out);

    for (; *text; text++) {
        if (*text == '\'')
            out[at++] = '"';
        else if (*text != '$')
            out[at++] = *text;
        else if (*++text == 'S')
            at += (size_t)sprintf(out + at, "%u", (*serial)++);
        else
            at += (size_t)sprintf(out + at, "%s", *text == 'N' ? name : token);
    }
    out[at] = '\0';
}

unsigned play_begun(char *out, const struct play_dialect *d,
                    const struct play_server *s, unsigned from, unsigned to)
{
    unsigned serial = 0, merge = s->merge ? s->merge : 1;

    *out = '\0';
    play_frame(out, d->part[PLAY_OPEN], s->name, "", &serial);
    for (unsigned i = from; i < to; i += merge) {
        char text[512] = "", raw[2048];

        for (unsigned j = i; j < i + merge && j < to; j++)
            strcat(text, play_token(j, s));
        play_escape(raw, text, s->ascii);
        play_frame(out, d->part[PLAY_TEXT], s->name, raw, &serial);
    }
    return serial;
}

void play_stream(char *out, const struct play_dialect *d,
                 const struct play_server *s, unsigned from, unsigned to)
{
    unsigned serial = play_begun(out, d, s, from, to);

    play_frame(out, d->part[PLAY_CLOSE], s->name, "", &serial);
}
