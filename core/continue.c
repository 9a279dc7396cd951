/* SPDX-License-Identifier: MIT */

/*
 * A conversation that ends with the assistant already is the application's own
 * prefill: a second turn behind it would be another conversation.
 */

#include "continue.h"

#include "ascii.h"
#include "chars.h"
#include "walk.h"

/* Where a dialect has its turns, and what one of the assistant's is there. */
static const struct shape {
    const char *list; /* NULL: there are no turns */
    const char *role; /* of each turn */
    const char *ours;
    const char *before, *after; /* around the text */
} shapes[UNS_DIALECT_COUNT] = {

  /* clang-format off */
#define MESSAGES                            \
    {                                       \
        "messages", "messages.*.role", "assistant", \
        ",{\"role\":\"assistant\",\"content\":\"", "\"}" \
    }
    [UNS_DIALECT_CHAT] = MESSAGES,
    [UNS_DIALECT_ANTHROPIC] = MESSAGES,
    [UNS_DIALECT_OLLAMA] = MESSAGES,
    [UNS_DIALECT_GEMINI] = {
        "contents", "contents.*.role", "model",
        ",{\"role\":\"model\",\"parts\":[{\"text\":\"", "\"}]}"
    },
  /* clang-format on */
};

/* What ends the turn, and what stands at the request's end. */
static const struct {
    const char *after, *flags; /* NULL: nothing of its own */
} ways[UNS_PREFILL_COUNT] = {
  /* clang-format off */
    [UNS_PREFILL_PREFIX] = {"\",\"prefix\":true}", NULL},
    [UNS_PREFILL_PARTIAL] = {"\",\"partial\":true}", NULL},
    [UNS_PREFILL_FINAL_MESSAGE] = {
        NULL,
        ",\"add_generation_prompt\":false,\"continue_final_message\":true"
    },
  /* clang-format on */
};

/* What the walk through a request finds. */
struct search {
    const struct shape *shape;
    const char *text;
    size_t list;    /* its bracket; SIZE_MAX: none */
    unsigned turns; /* in it */
    bool ours;      /* the last one is the assistant's */
    bool flagged;   /* it says already how it is to be continued */
    size_t prompt;  /* behind the prompt's text; SIZE_MAX: none */
};

static size_t offset(const struct search *search, struct uns_slice text)
{
    return (size_t)(text.data - search->text);
}

static void look_at_top(struct search *search,
                        const struct uns_walk_value *value)
{
    bool string = value->kind == UNS_WALK_STRING;

    if (uns_slice_is(value->key, "prompt") && string)
        search->prompt = offset(search, value->text) + value->text.len;
    if (search->shape->list && value->kind == UNS_WALK_ARRAY &&
        uns_slice_is(value->key, search->shape->list))
        search->list = offset(search, value->text);
    search->flagged |= uns_slice_is(value->key, "continue_final_message") ||
                       uns_slice_is(value->key, "add_generation_prompt");
}

static void look_at(struct search *search, const struct uns_walk *walk,
                    const struct uns_walk_value *value)
{
    if (value->depth == 1)
        look_at_top(search, value);
    if (!search->shape->list || value->depth < 2)
        return;
    if (value->depth == 2 && uns_walk_is_at(walk, value, "*.*") &&
        uns_slice_is(walk->key[0], search->shape->list)) {
        search->turns++;
        search->ours = false;
    }
    if (value->kind == UNS_WALK_STRING &&
        uns_walk_is_at(walk, value, search->shape->role))
        search->ours = uns_slice_is(value->text, search->shape->ours);
}

static bool search_body(struct search *search, struct uns_slice body)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, body.data, body.len, false);
    while (uns_walk_next(&walk, &value))
        look_at(search, &walk, &value);
    return walk.ok;
}

/* Keeps the places in order. */
static void add(struct uns_continue *plan, struct uns_continue_edit edit)
{
    unsigned i = plan->edits++;

    for (; i > 0 && plan->edit[i - 1].at > edit.at; i--)
        plan->edit[i] = plan->edit[i - 1];
    plan->edit[i] = edit;
}

static bool add_turn(struct uns_continue *plan, const struct search *search,
                     enum uns_prefill how, struct uns_slice answer)
{
    const struct shape *shape = search->shape;
    const char *brace = memchr(plan->body.data, '{', plan->body.len);

    if (search->list == SIZE_MAX || !search->turns || search->ours || !brace ||
        (ways[how].flags && search->flagged))
        return false;
    add(plan,
        (struct uns_continue_edit){
            uns_walk_behind(plan->body, search->list) - 1, 0, shape->before,
            answer, ways[how].after ? ways[how].after : shape->after});
    if (ways[how].flags)
        add(plan,
            (struct uns_continue_edit){
                uns_walk_behind(plan->body, (size_t)(brace - plan->body.data)) -
                    1,
                0,
                ways[how].flags,
                {"", 0},
                ""
        });
    return true;
}

/* Turns of other dialects than chat have no such members. */
static bool fits(enum uns_dialect dialect, enum uns_prefill how)
{
    return how == UNS_PREFILL_ASSISTANT || dialect == UNS_DIALECT_CHAT;
}

bool uns_continue_plan(struct uns_continue *plan,
                       const struct uns_request *request, struct uns_slice body,
                       enum uns_prefill how, struct uns_slice answer)
{
    struct search search = {.shape = &shapes[request->dialect],
                            .text = body.data,
                            .list = SIZE_MAX,
                            .prompt = SIZE_MAX};

    *plan = (struct uns_continue){.body = body};
    if (how == UNS_PREFILL_NONE || how >= UNS_PREFILL_COUNT || !request->json ||
        !search_body(&search, body))
        return false;
    if (request->dialect != UNS_DIALECT_COMPLETIONS)
        return fits(request->dialect, how) &&
               add_turn(plan, &search, how, answer);
    if (search.prompt == SIZE_MAX)
        return false;
    add(plan, (struct uns_continue_edit){search.prompt, 0, "", answer, ""});
    return true;
}

void uns_continue_model(struct uns_continue *plan,
                        const struct uns_request *request, const char *model)
{
    if (model && request->model_at != SIZE_MAX)
        add(plan,
            (struct uns_continue_edit){request->model_at, request->model.len,
                                       "", uns_slice_of(model), ""});
}

size_t uns_continue_size(const struct uns_continue *plan)
{
    size_t size = plan->body.len;

    for (unsigned i = 0; i < plan->edits; i++) {
        const struct uns_continue_edit *edit = &plan->edit[i];

        size += strlen(edit->before) + strlen(edit->after) +
                uns_chars_escape_all(edit->text, NULL) - edit->len;
    }
    return size;
}

static char *copy(char *out, const char *bytes, size_t len)
{
    memcpy(out, bytes, len);
    return out + len;
}

void uns_continue_write(const struct uns_continue *plan, char *out)
{
    size_t done = 0;

    for (unsigned i = 0; i < plan->edits; i++) {
        const struct uns_continue_edit *edit = &plan->edit[i];

        out = copy(out, plan->body.data + done, edit->at - done);
        out = copy(out, edit->before, strlen(edit->before));
        out += uns_chars_escape_all(edit->text, out);
        out = copy(out, edit->after, strlen(edit->after));
        done = edit->at + edit->len;
    }
    copy(out, plan->body.data + done, plan->body.len - done);
}
