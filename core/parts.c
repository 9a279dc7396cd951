/* SPDX-License-Identifier: MIT */

/*
 * In dialects that name the types and places of their frames these may stand
 * last, so such a frame is read for them first, and then for the rest.
 */

#include "parts_table.h"

#include "ascii.h"
#include "cut.h"

/* What the values that are being read are about. */
struct about {
    const struct uns_parts_table *table;
    struct uns_slice frame;
    uint64_t type;
    unsigned place[2]; /* in the answer; in the item there */
    bool placed;
    unsigned item;  /* elements of the list so far */
    unsigned first; /* part of the element */
    bool aside;     /* the element is reasoning */
};

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(struct uns_slice text)
{
    uint64_t hash = text.len;

    for (size_t i = 0; i < text.len; i++)
        hash = mix(hash, (unsigned char)text.data[i]);
    return hash;
}

/* --- the frame's own lines ------------------------------------------------ */

/* What follows the field's colon, and one space; data NULL: it is another. */
static struct uns_slice field(struct uns_slice line, const char *name)
{
    size_t len = strlen(name);

    if (line.len < len || memcmp(line.data, name, len) != 0)
        return (struct uns_slice){0};
    len += line.len > len && line.data[len] == ' ';
    return (struct uns_slice){line.data + len, line.len - len};
}

static void read_lines(struct uns_parts *parts, struct about *about)
{
    struct uns_slice rest = about->frame;

    while (rest.len) {
        struct uns_slice line = uns_cut_line(&rest);
        struct uns_slice data = field(line, "data:");
        struct uns_slice name = field(line, "event:");

        if (name.data)
            about->type = hash_of(name);
        if (!data.data)
            continue;
        parts->opaque |= parts->data;
        parts->data = true;
        parts->at = (size_t)(data.data - about->frame.data);
        parts->len = data.len;
    }
}

/* JSON that no line frames: from its first brace on. */
static void read_bare(struct uns_parts *parts, struct uns_slice frame)
{
    const char *brace = memchr(frame.data, '{', frame.len);

    if (!brace)
        return;
    parts->data = true;
    parts->at = (size_t)(brace - frame.data);
    parts->len = frame.len - parts->at;
}

/* What a line begins with that is no server-sent event. */
static bool is_bare(struct uns_slice frame)
{
    for (size_t i = 0; i < frame.len; i++) {
        char c = frame.data[i];

        if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ',' &&
            c != '[')
            return c == '{';
    }
    return false;
}

/* --- type and place ------------------------------------------------------- */

static unsigned number_of(struct uns_slice text)
{
    unsigned number = 0;

    for (size_t i = 0; i < text.len && i < 6; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            break;
        number = number * 10 + (unsigned)(text.data[i] - '0');
    }
    return number;
}

static void take_place(struct about *about, unsigned level,
                       struct uns_slice digits)
{
    about->place[level] = number_of(digits);
    about->placed |= level == 0;
}

static const struct {
    const char *key;
    unsigned place;
} places[] = {
    {"index",         0},
    {"output_index",  0},
    {"content_index", 1},
    {"summary_index", 1},
};

static void read_place(struct uns_parts *parts, struct about *about,
                       const struct uns_walk_value *value)
{
    if (value->depth != 1)
        return;
    if (uns_slice_is(value->key, "type") && value->kind == UNS_WALK_STRING) {
        about->type = hash_of(value->text);
        parts->opens = uns_slice_is(value->text, "content_block_start");
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (value->kind == UNS_WALK_NUMBER &&
            uns_slice_is(value->key, places[i].key))
            take_place(about, places[i].place, value->text);
}

static bool names_place(struct uns_slice key)
{
    bool found = uns_slice_is(key, "type");

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        found |= uns_slice_is(key, places[i].key);
    return found;
}

static void read_places(struct uns_parts *parts, struct about *about)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, about->frame.data + parts->at, parts->len, false);
    while (uns_walk_next(&walk, &value))
        read_place(parts, about, &value);
}

/* --- values --------------------------------------------------------------- */

static uint64_t key_of(const struct about *about, enum uns_part_about group)
{
    uint64_t key = mix(mix(1, group), about->place[0]);

    if (group == UNS_ABOUT_DELTA)
        key = mix(key, about->type);
    return mix(key, about->place[1]);
}

static bool holds_others(const struct uns_walk_value *value)
{
    return value->kind == UNS_WALK_OBJECT || value->kind == UNS_WALK_ARRAY;
}

static void place_value(struct uns_part *part, struct uns_slice frame,
                        const struct uns_walk_value *value)
{
    part->at = (size_t)(value->text.data - frame.data);
    part->len = value->text.len;
    if (value->kind == UNS_WALK_STRING) {
        part->at--;
        part->len += 2;
    } else if (holds_others(value)) {
        part->len = uns_walk_behind(frame, part->at) - part->at;
    }
    part->key_at =
        value->key.data ? (size_t)(value->key.data - frame.data) - 1 : SIZE_MAX;
}

static bool is_empty(const struct uns_walk_value *value)
{
    return value->kind == UNS_WALK_NULL ||
           (value->kind == UNS_WALK_STRING && value->text.len == 0);
}

static void add(struct uns_parts *parts, const struct about *about,
                const struct uns_parts_row *row,
                const struct uns_walk_value *value)
{
    struct uns_part part = {.verb = row->verb,
                            .key = key_of(about, row->about),
                            .answer = row->about == UNS_ABOUT_TEXT};

    if (is_empty(value) ||
        (row->verb == UNS_PART_TEXT && value->kind == UNS_WALK_ARRAY))
        return; /* the texts in an array have rows of their own */
    place_value(&part, about->frame, value);
    if (row->verb == UNS_PART_TEXT && value->kind != UNS_WALK_STRING)
        part.verb = UNS_PART_OPAQUE;
    if (row->verb == UNS_PART_TEXT && about->aside) {
        part.key = key_of(about, UNS_ABOUT_REASONING);
        part.answer = false;
    }
    parts->opaque |= part.verb == UNS_PART_OPAQUE;
    if (parts->count == UNS_PARTS)
        parts->opaque = true;
    else
        parts->part[parts->count++] = part;
}

/* The member that says so may follow the text. */
static void turn_aside(struct uns_parts *parts, struct about *about)
{
    about->aside = true;
    for (unsigned i = about->first; i < parts->count; i++)
        if (parts->part[i].verb == UNS_PART_TEXT) {
            parts->part[i].key = key_of(about, UNS_ABOUT_REASONING);
            parts->part[i].answer = false;
        }
}

/* An element's place is its number where it says one, else its position;
 * Gemini's parts have none that would outlast their frame. */
static void begin_item(const struct uns_parts *parts, struct about *about,
                       const struct uns_parts_row *row)
{
    about->first = parts->count;
    about->aside = false;
    if (row[1].verb == UNS_PART_SCOPE || about->table->typed)
        about->place[0] = about->item++;
}

static void apply(struct uns_parts *parts, struct about *about,
                  const struct uns_parts_row *row,
                  const struct uns_walk_value *value)
{
    switch (row->verb) {
    case UNS_PART_ITEM:
        begin_item(parts, about, row);
        break;
    case UNS_PART_SCOPE:
        about->place[0] = number_of(value->text);
        break;
    case UNS_PART_AFTER:
        if (value->kind == UNS_WALK_TRUE)
            turn_aside(parts, about);
        break;
    default:
        add(parts, about, row, value);
        break;
    }
}

/* Most rows do not end in this key, and their paths need no look. */
static bool ends_in(const struct uns_parts_row *row, struct uns_slice key)
{
    const char *end = row->path + row->len;

    return end[-1] == '*' || (key.len && key.len <= row->len &&
                              end[-1] == key.data[key.len - 1] &&
                              memcmp(end - key.len, key.data, key.len) == 0);
}

static bool is_at(const struct uns_parts_row *row, const struct uns_walk *walk,
                  const struct uns_walk_value *value)
{
    return ends_in(row, value->key) && uns_walk_is_at(walk, value, row->path);
}

static void read_value(struct uns_parts *parts, struct about *about,
                       const struct uns_walk *walk,
                       const struct uns_walk_value *value)
{
    const struct uns_parts_table *table = about->table;

    parts->json |= value->depth == 0 && value->kind == UNS_WALK_OBJECT;
    for (size_t i = 0; i < table->count; i++)
        if (is_at(&table->rows[i], walk, value))
            apply(parts, about, &table->rows[i], value);
}

/* What is no JSON object has no values. */
static void read_values(struct uns_parts *parts, struct about *about)
{
    bool opaque = parts->opaque;
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, about->frame.data + parts->at, parts->len, false);
    while (uns_walk_next(&walk, &value))
        read_value(parts, about, &walk, &value);
    parts->json = parts->json && walk.ok;
    if (parts->json)
        return;
    parts->count = 0;
    parts->opaque = opaque;
}

void uns_parts_read(struct uns_parts *parts, enum uns_dialect dialect,
                    struct uns_slice frame, unsigned shift)
{
    struct about about = {.table = uns_parts_table(dialect), .frame = frame};

    parts->count = 0;
    parts->data = parts->json = parts->opaque = parts->opens = false;
    parts->at = parts->len = 0;
    parts->mark = 0;
    if (is_bare(frame))
        read_bare(parts, frame);
    else
        read_lines(parts, &about);
    if (parts->data && about.table->typed)
        read_places(parts, &about);
    about.place[0] += about.placed ? shift : 0;
    parts->block = about.place[0];
    if (about.table->typed && about.type)
        parts->mark = key_of(&about, UNS_ABOUT_DELTA);
    if (parts->data)
        read_values(parts, &about);
}

/* --- what frames have in common ------------------------------------------- */

bool uns_parts_may_vary(enum uns_dialect dialect, const struct uns_walk *walk,
                        const struct uns_walk_value *value)
{
    const struct uns_parts_table *table = uns_parts_table(dialect);

    if (value->text.len == 0 || (value->depth == 1 && names_place(value->key)))
        return false;
    for (size_t i = 0; i < table->count; i++)
        if (is_at(&table->rows[i], walk, value) &&
            table->rows[i].verb != UNS_PART_SWAP)
            return false;
    return true;
}

const struct uns_part *uns_parts_only_text(const struct uns_parts *parts)
{
    const struct uns_part *text = NULL;

    for (unsigned i = 0; i < parts->count; i++) {
        enum uns_part_verb verb = parts->part[i].verb;

        if (verb == UNS_PART_RAW || (verb == UNS_PART_TEXT && text))
            return NULL;
        if (verb == UNS_PART_TEXT)
            text = &parts->part[i];
    }
    return text;
}

bool uns_parts_are_marked(const struct uns_parts *parts)
{
    return parts->mark && (parts->opens || !uns_parts_only_text(parts));
}
