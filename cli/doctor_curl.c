/* SPDX-License-Identifier: MIT */
/*
 * doctor_curl - the ways to libcurl, the surest first: linked; through the
 * bindings of an interpreter; opened by name; linked in statically; none.
 */
#include "doctor.h"

#include <elf.h>
#include <string.h>

static const char *lacks(const struct uns_image *libcurl)
{
    static const char *const needed[] = {
#define NEED(name) #name,
#define REAL(name)
#include "shim/real.def"
#undef REAL
#undef NEED
    };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (uns_elf_symbol(&libcurl->elf, needed[i]) != UNS_ELF_DEFINED)
            return needed[i];
    return NULL;
}

static void add_row(struct uns_doctor *doctor,
                    const struct uns_closure *closure, size_t index)
{
    const struct uns_library *library = &closure->list[index];
    const char *missing = library->path ? lacks(&library->image) : NULL;
    struct uns_finding *row = uns_findings_add(
        &doctor->findings, missing ? UNS_LEVEL_BAD : UNS_LEVEL_GOOD, "libcurl");
    char version[UNS_IMAGE_VERSION] = "of unknown version";

    (void)uns_image_curl(&library->image, version);
    uns_findings_say(&row->found, "%s: %s",
                     library->path ? library->path : library->name,
                     library->path ? version : "not to be found");
    if (library->by > 0)
        uns_findings_say(&row->means, "Brought by %s.",
                         uns_image_base(closure->list[library->by].name));
    if (missing == NULL)
        return;
    uns_findings_say(&row->means,
                     "It lacks %s: too old, its calls go on as "
                     "without unstall.",
                     missing);
    uns_findings_say(&row->todo, "Install a newer libcurl.");
}

static void linked(struct uns_patient *patient, size_t index)
{
    struct uns_doctor *doctor = patient->doctor;
    const struct uns_library *library = &patient->closure.list[index];
    const char *gap = uns_doctor_curl_gap(doctor, &patient->closure);

    for (size_t i = index; i > 0;
         i = uns_closure_libcurl(&patient->closure, i + 1))
        add_row(doctor, &patient->closure, i);
    if (gap == NULL && library->path && lacks(&library->image) != NULL)
        gap = "its libcurl is too old";
    if (gap != NULL)
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT, "%s", gap);
    else if (library->by == 0)
        uns_doctor_judge(doctor, UNS_DOCTOR_HELPED, "it is linked with %s",
                         library->name);
    else
        uns_doctor_judge(
            doctor, UNS_DOCTOR_HELPED, "%s, which it is linked with, uses %s",
            uns_image_base(patient->closure.list[library->by].name),
            library->name);
}

/* A file that could open libcurl by name, or NULL. */
static const struct uns_library *opener(const struct uns_closure *closure)
{
    for (size_t i = 0; i < closure->count; i++) {
        const struct uns_library *library = &closure->list[i];

        if (uns_elf_symbol(&library->image.elf, "dlopen") == UNS_ELF_IMPORTED &&
            (uns_image_find(&library->image, "libcurl.so") != NULL ||
             uns_image_find(&library->image, "libcurl-gnutls.so") != NULL))
            return library;
    }
    return NULL;
}

static void opened(struct uns_patient *patient,
                   const struct uns_library *library)
{
    struct uns_doctor *doctor = patient->doctor;
    const char *gap = uns_doctor_gap(doctor, "dlsym");
    struct uns_finding *row = uns_findings_add(
        &doctor->findings, gap ? UNS_LEVEL_BAD : UNS_LEVEL_NOTE, "libcurl");

    uns_findings_say(&row->found, "named in %s, which calls dlopen",
                     library->path);
    if (gap != NULL) {
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT, "%s", gap);
        return;
    }
    uns_findings_say(&row->means, "When it asks for libcurl's functions by "
                                  "dlsym, it gets those of libunstall.so.");
    uns_doctor_judge(doctor, UNS_DOCTOR_POSSIBLE,
                     "it can open libcurl when it needs it");
}

/* Those who bring an HTTP client of their own, by what is in their files. */
static const struct {
    const char *marker; /* NULL: the note of Go's linker */
    const char *what, *found, *uses;
} clients[] = {
    {NULL,          "language", "Go",      "Go's own HTTP client"    },
    {"oven-sh/bun", "runtime",  "Bun",     "Bun's own fetch"         },
    {"undici",      "runtime",  "Node.js", "Node's own fetch"        },
    {"/rustc/",     "language", "Rust",    "an HTTP client of Rust's"},
};

static bool is_client(const struct uns_image *image, const char *marker)
{
    if (marker != NULL)
        return uns_image_find(image, marker) != NULL;
    return uns_elf_has_note(&image->elf, "Go", 4) ||
           uns_image_find(image, "\xff Go buildinf:") != NULL;
}

static void without(struct uns_patient *patient)
{
    struct uns_doctor *doctor = patient->doctor;
    const struct uns_image *image = &patient->closure.list[0].image;
    struct uns_finding *row;

    uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT, "it does not use libcurl");
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        if (!is_client(image, clients[i].marker))
            continue;
        row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE,
                               clients[i].what);
        uns_findings_say(&row->found, "%s", clients[i].found);
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT,
                         "it does not use libcurl, but %s", clients[i].uses);
        patient->foreign = true;
        return;
    }
}

static void linked_in(struct uns_doctor *doctor, const char *version)
{
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_BAD, "libcurl");

    uns_findings_say(&row->found, "%s, linked into it statically", version);
    uns_findings_say(&row->means, "Nothing can be put in front of functions "
                                  "that are linked into the program.");
    uns_findings_say(&row->todo,
                     "Use a build of it that links the shared libcurl.");
    uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT,
                     "libcurl is linked into it statically");
}

/* The name that it was called by may say more than its file's: R is a script
 * for sh. */
static const struct uns_host_program *host_of(const struct uns_target *target)
{
    const struct uns_host_program *host = uns_doctor_host(target->name);

    return host ? host : uns_doctor_host(uns_image_base(target->real));
}

void uns_doctor_curl(struct uns_patient *patient)
{
    const struct uns_closure *closure = &patient->closure;
    size_t index = uns_closure_libcurl(closure, 0);
    const struct uns_host_program *host = host_of(patient->target);
    const struct uns_library *library = opener(closure);
    char version[UNS_IMAGE_VERSION];

    if (index > 0)
        linked(patient, index);
    else if (host != NULL)
        uns_doctor_host_examine(patient, host);
    else if (library != NULL)
        opened(patient, library);
    else if (uns_image_curl(&closure->list[0].image, version))
        linked_in(patient->doctor, version);
    else
        without(patient);
}
