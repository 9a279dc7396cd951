/* SPDX-License-Identifier: MIT */
/*
 * doctor_gap - the functions that the preload stands in front of, against the
 * ways in which a program comes to libcurl.
 */
#include "doctor.h"

#include <elf.h>
#include <string.h>

/* clang-format off */
static const struct {
    const char *symbol, *without;
} fronts[] = {
    {"curl_easy_perform",
     "this libunstall.so does not stand in front of curl_easy_perform"},
    {"curl_multi_add_handle",
     "it drives libcurl's multi interface, in front of which this "
     "libunstall.so does not stand"},
    {"dlopen",
     "it may be opened with RTLD_DEEPBIND, and this libunstall.so does not "
     "stand in front of dlopen"},
    {"dlsym",
     "it asks for libcurl's functions by dlsym, in front of which this "
     "libunstall.so does not stand"},
};

/* clang-format on */

const char *uns_doctor_gap(const struct uns_doctor *doctor, const char *symbol)
{
    if (doctor->preload.file.len == 0 ||
        uns_elf_symbol(&doctor->preload.elf, symbol) == UNS_ELF_DEFINED)
        return NULL;
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
        if (strcmp(fronts[i].symbol, symbol) == 0)
            return fronts[i].without;
    return "this libunstall.so does not take part";
}

static bool links_libcurl(const struct uns_elf *elf)
{
    const char *name;

    for (unsigned i = 0; (name = uns_elf_dynamic(elf, DT_NEEDED, i)) != NULL;
         i++)
        if (uns_image_is_libcurl(name))
            return true;
    return false;
}

/* For one file: NULL if a way is open, or if it takes none that we know. */
static const char *gap_of(const struct uns_doctor *doctor,
                          const struct uns_elf *elf)
{
    static const char *const ways[] = {"curl_easy_perform",
                                       "curl_multi_add_handle"};
    const char *gap = NULL;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (uns_elf_symbol(elf, ways[i]) != UNS_ELF_IMPORTED)
            continue;
        gap = uns_doctor_gap(doctor, ways[i]);
        if (gap == NULL)
            return NULL;
    }
    return gap;
}

const char *uns_doctor_curl_gap(const struct uns_doctor *doctor,
                                const struct uns_closure *closure)
{
    const char *gap = NULL;

    for (size_t i = 0; i < closure->count; i++) {
        const struct uns_elf *elf = &closure->list[i].image.elf;

        if (!links_libcurl(elf))
            continue;
        gap = gap_of(doctor, elf);
        if (gap == NULL)
            return NULL;
    }
    return gap;
}
