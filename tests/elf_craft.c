/* SPDX-License-Identifier: MIT */
#include "elf_craft.h"

#include <stdio.h>
#include <string.h>

static void craft_put(struct craft *craft, size_t at, uint64_t value,
                      unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        craft->bytes[at + i] =
            (unsigned char)(value >> 8 * (craft->big ? width - 1 - i : i));
}

static size_t craft_add(struct craft *craft, uint64_t value, unsigned width)
{
    size_t at = craft->size;

    craft_put(craft, at, value, width);
    craft->size += width;
    return at;
}

static size_t craft_word(struct craft *craft, uint64_t value)
{
    return craft_add(craft, value, craft->wide ? 8 : 4);
}

static size_t craft_text(struct craft *craft, const char *text)
{
    size_t at = craft->size;

    memcpy(craft->bytes + at, text, strlen(text) + 1);
    craft->size += strlen(text) + 1;
    return at;
}

static void craft_align(struct craft *craft)
{
    craft->size = (craft->size + 7) & ~(size_t)7;
}

/* One program header, in its place behind the file's. */
static void craft_segment(struct craft *craft, unsigned i, uint32_t type,
                          size_t at, size_t bytes)
{
    size_t header = craft->wide ? 64 + i * 56 : 52 + i * 32;
    unsigned w = craft->wide ? 8 : 4;

    craft_put(craft, header, type, 4);
    craft_put(craft, header + w, at, w);
    craft_put(craft, header + (size_t)2 * w, CRAFT_BASE + at, w);
    craft_put(craft, header + (size_t)4 * w, bytes, w);
}

static void craft_symbol(struct craft *craft, size_t name, bool defined)
{
    size_t at = craft->size;
    size_t section = craft->wide ? 6 : 14;

    craft->size += craft->wide ? 24 : 16;
    craft_put(craft, at, name, 4);
    craft_put(craft, at + section, defined, 2);
}

/* Symbols, imported first, and the table that tells how many there are. */
static void craft_symbols(struct craft *craft, size_t names, uint64_t ret_at[2])
{
    size_t at[8], count = 0, imported = 0;

    for (; imported < 4 && craft->imported[imported]; imported++)
        at[count++] = craft_text(craft, craft->imported[imported]);
    for (size_t i = 0; i < 4 && craft->defined[i]; i++)
        at[count++] = craft_text(craft, craft->defined[i]);
    craft_align(craft);
    ret_at[0] = craft->size;
    craft_symbol(craft, 0, false);
    for (size_t i = 0; i < count; i++)
        craft_symbol(craft, at[i] - names, i >= imported);
    ret_at[1] = craft->size;
    craft_add(craft, 1, 4); /* one bucket */
    if (!craft->gnu_hash) {
        craft_add(craft, count + 1, 4);
        return;
    }
    craft_add(craft, imported + 1, 4); /* the first that is defined */
    craft_add(craft, 1, 4);
    craft_add(craft, 0, 4);
    craft_word(craft, 0); /* the filter */
    craft_add(craft, count > imported ? imported + 1 : 0, 4);
    for (size_t i = imported; i < count; i++)
        craft_add(craft, i + 1 == count, 4);
}

static void craft_entry(struct craft *craft, uint64_t tag, uint64_t value)
{
    craft_word(craft, tag);
    craft_word(craft, value);
}

/* Names, symbols, then the section that leads to them. */
static void craft_dynamic(struct craft *craft, unsigned segment)
{
    size_t names = craft_text(craft, "");
    size_t needed[4], rpath = 0, runpath = 0, count = 0, at;
    uint64_t tables[2];

    for (; count < 4 && craft->needed[count]; count++)
        needed[count] = craft_text(craft, craft->needed[count]);
    if (craft->rpath)
        rpath = craft_text(craft, craft->rpath);
    if (craft->runpath)
        runpath = craft_text(craft, craft->runpath);
    craft_symbols(craft, names, tables);
    craft_align(craft);
    at = craft->size;
    for (size_t i = 0; i < count; i++)
        craft_entry(craft, DT_NEEDED, needed[i] - names);
    if (craft->rpath)
        craft_entry(craft, DT_RPATH, rpath - names);
    if (craft->runpath)
        craft_entry(craft, DT_RUNPATH, runpath - names);
    craft_entry(craft, DT_STRTAB, CRAFT_BASE + names);
    craft_entry(craft, DT_SYMTAB, CRAFT_BASE + tables[0]);
    craft_entry(craft, craft->gnu_hash ? DT_GNU_HASH : DT_HASH,
                CRAFT_BASE + tables[1]);
    craft_entry(craft, DT_NULL, 0);
    craft_segment(craft, segment, PT_DYNAMIC, at, craft->size - at);
}

static void craft_note(struct craft *craft, unsigned segment)
{
    size_t at = craft->size;

    craft_add(craft, strlen(craft->note) + 1, 4);
    craft_add(craft, 3, 4);
    craft_add(craft, 4, 4);
    craft_text(craft, craft->note);
    craft->size = (craft->size + 3) & ~(size_t)3;
    craft_text(craft, "abc");
    craft_segment(craft, segment, PT_NOTE, at, craft->size - at);
}

void craft_build(struct craft *craft)
{
    unsigned i = 1;
    size_t at;

    memset(craft->bytes, 0, sizeof craft->bytes);
    memcpy(craft->bytes, ELFMAG, SELFMAG);
    craft->bytes[EI_CLASS] = craft->wide ? ELFCLASS64 : ELFCLASS32;
    craft->bytes[EI_DATA] = craft->big ? ELFDATA2MSB : ELFDATA2LSB;
    craft_put(craft, 16, craft->type ? craft->type : ET_EXEC, 2);
    craft_put(craft, 18, craft->machine, 2);
    craft_put(craft, craft->wide ? 32 : 28, craft->wide ? 64 : 52,
              craft->wide ? 8 : 4);
    craft->size = craft->wide ? 64 + 4 * 56 : 52 + 4 * 32;
    if (craft->interpreter) {
        at = craft_text(craft, craft->interpreter);
        craft_segment(craft, i++, PT_INTERP, at, craft->size - at);
        craft_align(craft);
    }
    if (craft->needed[0] || craft->imported[0] || craft->defined[0])
        craft_dynamic(craft, i++);
    craft_align(craft);
    if (craft->note)
        craft_note(craft, i++);
    if (craft->text)
        craft_text(craft, craft->text);
    craft_segment(craft, 0, PT_LOAD, 0, craft->size);
    craft_put(craft, craft->wide ? 56 : 44, i, 2);
}

int craft_write(const struct craft *craft, const char *path)
{
    FILE *out = fopen(path, "w");
    size_t written = out ? fwrite(craft->bytes, 1, craft->size, out) : 0;

    if (out && fclose(out) != 0)
        return -1;
    return written == craft->size ? 0 : -1;
}
