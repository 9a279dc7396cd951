/* SPDX-License-Identifier: MIT */
/*
 * elf - every number is read through number(), every text through text_at():
 * the two places that know where the file ends.  A number from beyond is 0,
 * so no loop may wait for another value.  Layouts: System V ABI, chapters 4
 * and 5; DT_GNU_HASH as glibc's elf/dl-lookup.c reads it.
 */
#include "elf.h"

#include <elf.h>
#include <string.h>

#define GNU_HASH_HEADER 16 /* buckets, first symbol, words, shift */

/* Where a field lies in 32 bit and 64 bit files. */
struct field {
    uint8_t narrow, narrow_width, wide, wide_width;
};

#define PLACE(type, name) offsetof(type, name), sizeof(((type *)NULL)->name)
#define FIELD(of, name)                                  \
    {                                                    \
        PLACE(Elf32_##of, name), PLACE(Elf64_##of, name) \
    }

static const struct field e_type = FIELD(Ehdr, e_type);
static const struct field e_machine = FIELD(Ehdr, e_machine);
static const struct field e_phoff = FIELD(Ehdr, e_phoff);
static const struct field e_phnum = FIELD(Ehdr, e_phnum);
static const struct field p_type = FIELD(Phdr, p_type);
static const struct field p_offset = FIELD(Phdr, p_offset);
static const struct field p_vaddr = FIELD(Phdr, p_vaddr);
static const struct field p_filesz = FIELD(Phdr, p_filesz);
static const struct field d_tag = FIELD(Dyn, d_tag);
static const struct field d_val = FIELD(Dyn, d_un);
static const struct field st_name = FIELD(Sym, st_name);
static const struct field st_shndx = FIELD(Sym, st_shndx);

#define SIZE_OF(elf, type) \
    ((elf)->wide ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

static bool has(const struct uns_elf *elf, uint64_t at, uint64_t bytes)
{
    return at <= elf->file.len && bytes <= elf->file.len - at;
}

static uint64_t number(const struct uns_elf *elf, uint64_t at, unsigned width)
{
    const unsigned char *bytes = (const unsigned char *)elf->file.data;
    uint64_t value = 0;

    if (!has(elf, at, width))
        return 0;
    bytes += at;
    for (unsigned i = 0; i < width; i++)
        value = value << 8 | bytes[elf->big ? i : width - 1 - i];
    return value;
}

static uint64_t field(const struct uns_elf *elf, uint64_t at, struct field of)
{
    return elf->wide ? number(elf, at + of.wide, of.wide_width)
                     : number(elf, at + of.narrow, of.narrow_width);
}

static const char *text_at(const struct uns_elf *elf, uint64_t at)
{
    uint64_t most = at < elf->file.len ? elf->file.len - at : 0;

    if (most > UNS_ELF_TEXT)
        most = UNS_ELF_TEXT;
    if (most == 0 || memchr(elf->file.data + at, '\0', most) == NULL)
        return NULL;
    return elf->file.data + at;
}

/* A segment's place in the file, cut off where that ends. */
struct part {
    uint64_t type, at, bytes, address;
};

static struct part segment(const struct uns_elf *elf, unsigned i)
{
    uint64_t header = elf->segment_at + i * SIZE_OF(elf, Phdr);
    struct part part = {
        .type = field(elf, header, p_type),
        .at = field(elf, header, p_offset),
        .bytes = field(elf, header, p_filesz),
        .address = field(elf, header, p_vaddr),
    };

    if (part.at > elf->file.len)
        part.at = elf->file.len;
    if (part.bytes > elf->file.len - part.at)
        part.bytes = elf->file.len - part.at;
    return part;
}

/* The first segment of that type from number *i on, which moves on behind it.
 * False: there is no other. */
static bool next_segment(const struct uns_elf *elf, uint32_t type, unsigned *i,
                         struct part *ret_part)
{
    while (*i < elf->segments) {
        *ret_part = segment(elf, (*i)++);
        if (ret_part->type == type)
            return true;
    }
    return false;
}

/* The dynamic section speaks of addresses.  0: none of the file's. */
static uint64_t offset_of(const struct uns_elf *elf, uint64_t address)
{
    struct part part;

    for (unsigned i = 0; next_segment(elf, PT_LOAD, &i, &part);)
        if (address - part.address < part.bytes)
            return part.at + (address - part.address);
    return 0;
}

/* Index-th entry with the tag.  False: there is none. */
static bool find_entry(const struct uns_elf *elf, uint64_t tag, unsigned index,
                       uint64_t *ret_value)
{
    uint64_t size = SIZE_OF(elf, Dyn);
    uint64_t count = elf->dynamic_bytes / size;

    if (count > UNS_ELF_DYNAMIC)
        count = UNS_ELF_DYNAMIC;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = elf->dynamic_at + i * size;
        uint64_t found = field(elf, at, d_tag);

        if (found == DT_NULL)
            return false;
        if (found != tag || index-- > 0)
            continue;
        *ret_value = field(elf, at, d_val);
        return true;
    }
    return false;
}

static uint64_t table_at(const struct uns_elf *elf, uint64_t tag)
{
    uint64_t address;

    return find_entry(elf, tag, 0, &address) ? offset_of(elf, address) : 0;
}

/* The chains of the table hold the defined symbols, in order; the last one of
 * the last chain is the last symbol. */
static uint64_t count_by_gnu_hash(const struct uns_elf *elf, uint64_t hash)
{
    uint64_t buckets = number(elf, hash, 4);
    uint64_t first = number(elf, hash + 4, 4);
    uint64_t words = number(elf, hash + 8, 4);
    uint64_t bucket = hash + GNU_HASH_HEADER + words * (elf->wide ? 8 : 4);
    uint64_t chains = bucket + buckets * 4;
    uint64_t last = 0;

    for (uint64_t i = 0; i < buckets && has(elf, bucket + i * 4, 4); i++)
        if (number(elf, bucket + i * 4, 4) > last)
            last = number(elf, bucket + i * 4, 4);
    if (last < first)
        return first;
    while (has(elf, chains + (last - first) * 4, 4) &&
           (number(elf, chains + (last - first) * 4, 4) & 1) == 0)
        last++;
    return last + 1;
}

static uint64_t count_symbols(const struct uns_elf *elf)
{
    uint64_t most = (elf->file.len - elf->symbol_at) / SIZE_OF(elf, Sym);
    uint64_t hash = table_at(elf, DT_HASH);
    uint64_t gnu = table_at(elf, DT_GNU_HASH);
    uint64_t count = 0;

    if (hash != 0)
        count = number(elf, hash + 4, 4);
    else if (gnu != 0)
        count = count_by_gnu_hash(elf, gnu);
    return count < most ? count : most;
}

static void find_tables(struct uns_elf *elf)
{
    struct part dynamic;
    unsigned i = 0;

    if (!next_segment(elf, PT_DYNAMIC, &i, &dynamic))
        return;
    elf->dynamic_at = dynamic.at;
    elf->dynamic_bytes = dynamic.bytes;
    elf->string_at = table_at(elf, DT_STRTAB);
    elf->symbol_at = table_at(elf, DT_SYMTAB);
    if (elf->symbol_at != 0)
        elf->symbols = count_symbols(elf);
}

enum uns_err uns_elf_open(struct uns_elf *elf, const void *data, size_t size)
{
    const unsigned char *ident = data;

    *elf = (struct uns_elf){
        .file = {data, size}
    };
    if (size < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG) != 0)
        return UNS_SYNTAX;
    if ((ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
        (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB))
        return UNS_SYNTAX;
    elf->wide = ident[EI_CLASS] == ELFCLASS64;
    elf->big = ident[EI_DATA] == ELFDATA2MSB;
    if (!has(elf, 0, SIZE_OF(elf, Ehdr)))
        return UNS_SYNTAX;
    elf->type = (uint16_t)field(elf, 0, e_type);
    elf->machine = (uint16_t)field(elf, 0, e_machine);
    elf->segment_at = field(elf, 0, e_phoff);
    if (elf->segment_at < elf->file.len)
        elf->segments = (uint16_t)field(elf, 0, e_phnum);
    find_tables(elf);
    return UNS_OK;
}

const char *uns_elf_interpreter(const struct uns_elf *elf)
{
    struct part part;
    unsigned i = 0;

    if (!next_segment(elf, PT_INTERP, &i, &part) || part.bytes == 0)
        return NULL;
    return text_at(elf, part.at);
}

const char *uns_elf_dynamic(const struct uns_elf *elf, uint64_t tag,
                            unsigned index)
{
    uint64_t at;

    if (elf->string_at == 0 || !find_entry(elf, tag, index, &at) ||
        at > elf->file.len)
        return NULL;
    return text_at(elf, elf->string_at + at);
}

enum uns_elf_symbol uns_elf_symbol(const struct uns_elf *elf, const char *name)
{
    size_t bytes = strlen(name) + 1;

    for (uint64_t i = 1; i < elf->symbols; i++) {
        uint64_t symbol = elf->symbol_at + i * SIZE_OF(elf, Sym);
        uint64_t at = elf->string_at + field(elf, symbol, st_name);

        if (elf->string_at == 0 || !has(elf, at, bytes) ||
            memcmp(elf->file.data + at, name, bytes) != 0)
            continue;
        return field(elf, symbol, st_shndx) == SHN_UNDEF ? UNS_ELF_IMPORTED
                                                         : UNS_ELF_DEFINED;
    }
    return UNS_ELF_ABSENT;
}

static uint64_t padded(uint64_t bytes)
{
    return (bytes + 3) & ~UINT64_C(3);
}

static bool is_in_notes(const struct uns_elf *elf, struct part notes,
                        struct uns_slice owner, uint32_t type)
{
    uint64_t end = notes.at + notes.bytes;
    uint64_t at = notes.at;

    while (at < end && has(elf, at, sizeof(Elf64_Nhdr))) {
        uint64_t name_bytes = number(elf, at, 4);
        uint64_t text_bytes = number(elf, at + 4, 4);
        uint64_t name = at + sizeof(Elf64_Nhdr);

        if (number(elf, at + 8, 4) == type && name_bytes == owner.len &&
            has(elf, name, owner.len) &&
            memcmp(elf->file.data + name, owner.data, owner.len) == 0)
            return true;
        at = name + padded(name_bytes) + padded(text_bytes);
    }
    return false;
}

bool uns_elf_has_note(const struct uns_elf *elf, const char *owner,
                      uint32_t type)
{
    struct uns_slice name = {owner, strlen(owner) + 1}; /* its NUL counts */
    struct part part;

    for (unsigned i = 0; next_segment(elf, PT_NOTE, &i, &part);)
        if (is_in_notes(elf, part, name, type))
            return true;
    return false;
}
