/* SPDX-License-Identifier: MIT */
/*
 * Files from anybody: an ELF file, and a cache of the loader.  Whatever is in
 * them, every answer lies in the file and ends there.
 */
#include "cli/elf.h"
#include "cli/ldcache.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text, const char *file, size_t size)
{
    if (text != NULL && (text < file || text + strlen(text) >= file + size))
        abort();
}

static void ask(const struct uns_elf *elf, const char *file, size_t size)
{
    static const uint64_t tags[] = {DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME};

    check_text(uns_elf_interpreter(elf), file, size);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        for (unsigned n = 0; n < 4; n++)
            check_text(uns_elf_dynamic(elf, tags[i], n), file, size);
    (void)uns_elf_symbol(elf, "curl_easy_perform");
    (void)uns_elf_has_note(elf, "Go", 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size + (size == 0));
    struct uns_ldcache_entry entry;
    struct uns_elf elf;

    if (exact == NULL)
        return 0;
    memcpy(exact, data, size);
    if (uns_elf_open(&elf, exact, size) == UNS_OK)
        ask(&elf, exact, size);
    for (size_t at = 0;
         uns_ldcache_next((struct uns_slice){exact, size}, &at, &entry);) {
        check_text(entry.name, exact, size);
        check_text(entry.path, exact, size);
    }
    free(exact);
    return 0;
}
