/* SPDX-License-Identifier: MIT */

/*
 * symbol - reads the hash tables of an ELF object.  Either of the two kinds
 * may be missing.  Source: gABI 4.1, chapter 5, and for the GNU kind
 * https://flapenguin.me/elf-dt-gnu-hash (its Bloom filter only saves time and
 * is skipped).  Versions are ignored: a function has one address in all that
 * glibc gives it.
 */

#include "symbol.h"

#include "text.h"

#include <stddef.h>

struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu;
    const uint32_t *sysv;
};

/* glibc turns the addresses in a dynamic section into real ones, musl and the
 * kernel's vDSO leave them relative. */
static const void *address_of(uintptr_t base, uintptr_t value)
{
    return (const void *)(value < base ? base + value : value);
}

static struct tables read_tables(uintptr_t base, const ElfW(Dyn) * dynamic)
{
    struct tables tables = {NULL, NULL, NULL, NULL};

    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const void *address = address_of(base, dynamic->d_un.d_ptr);

        if (dynamic->d_tag == DT_SYMTAB)
            tables.symbols = address;
        else if (dynamic->d_tag == DT_STRTAB)
            tables.strings = address;
        else if (dynamic->d_tag == DT_GNU_HASH)
            tables.gnu = address;
        else if (dynamic->d_tag == DT_HASH)
            tables.sysv = address;
    }
    return tables;
}

static uintptr_t match(const struct tables *tables, uint32_t index,
                       const char *name)
{
    const ElfW(Sym) *symbol = &tables->symbols[index];

    if (symbol->st_shndx == SHN_UNDEF || (symbol->st_info & 0xf) != STT_FUNC ||
        !uns_text_same(tables->strings + symbol->st_name, name))
        return 0;
    return symbol->st_value;
}

/* count, first symbol, Bloom words, shift | Bloom | buckets | chains, whose
 * values are hashes with the lowest bit for the last of a bucket. */
static uintptr_t find_gnu(const struct tables *tables, const char *name)
{
    const uint32_t *head = tables->gnu;
    const uint32_t *buckets =
        head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof(*head));
    const uint32_t *chains = buckets + head[0];
    uint32_t hash = 5381, index;
    uintptr_t found = 0;

    for (const char *c = name; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    index = buckets[hash % head[0]];
    if (index < head[1])
        return 0;
    for (chains -= head[1]; !found; index++) {
        if ((chains[index] | 1) == (hash | 1))
            found = match(tables, index, name);
        if (chains[index] & 1)
            break;
    }
    return found;
}

/* buckets, symbols | first of each bucket | next of each symbol */
static uintptr_t find_sysv(const struct tables *tables, const char *name)
{
    const uint32_t *buckets = tables->sysv + 2;
    const uint32_t *next = buckets + tables->sysv[0];
    uint32_t hash = 0;
    uintptr_t found = 0;

    for (const char *c = name; *c; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    for (uint32_t index = buckets[hash % tables->sysv[0]]; index && !found;
         index = next[index])
        found = match(tables, index, name);
    return found;
}

uintptr_t uns_symbol_find(uintptr_t base, const ElfW(Dyn) * dynamic,
                          const char *name)
{
    struct tables tables = read_tables(base, dynamic);
    uintptr_t found = 0;

    if (!tables.symbols || !tables.strings)
        return 0;
    if (tables.gnu && tables.gnu[0])
        found = find_gnu(&tables, name);
    else if (tables.sysv && tables.sysv[0])
        found = find_sysv(&tables, name);
    return found ? base + found : 0;
}
