/* SPDX-License-Identifier: MIT */
/* doctor_obstacle - what stands in the way whatever the program does: a table,
 * the most fundamental first. */
#include "doctor.h"

#include <elf.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static const struct uns_image *image_of(const struct uns_patient *patient)
{
    return &patient->closure.list[0].image;
}

static bool is_other_machine(struct uns_patient *patient, char **found)
{
    const struct uns_elf *theirs = &image_of(patient)->elf;
    const struct uns_elf *ours = &patient->doctor->preload.elf;

    if (ours->file.len == 0 ||
        (ours->wide == theirs->wide && ours->big == theirs->big &&
         ours->machine == theirs->machine))
        return false;
    uns_findings_say(found, "not that of libunstall.so");
    return true;
}

static bool is_static(struct uns_patient *patient, char **found)
{
    const struct uns_elf *elf = &image_of(patient)->elf;

    if (uns_elf_interpreter(elf) != NULL ||
        uns_elf_dynamic(elf, DT_NEEDED, 0) != NULL)
        return false;
    uns_findings_say(found, "static: no dynamic loader, no libraries");
    return true;
}

/* A set-user-id bit for the one who runs it anyway changes nothing. */
static bool is_privileged(struct uns_patient *patient, char **found)
{
    const char *path = patient->target->real;
    const struct stat *st = &image_of(patient)->st;
    struct statvfs fs;

    if (statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID) != 0)
        return false;
    if ((st->st_mode & S_ISUID) != 0 && st->st_uid != getuid())
        uns_findings_say(found, "setuid: it runs as user %ld",
                         (long)st->st_uid);
    else if ((st->st_mode & S_ISGID) != 0 && (st->st_mode & S_IXGRP) != 0 &&
             st->st_gid != getgid())
        uns_findings_say(found, "setgid: it runs as group %ld",
                         (long)st->st_gid);
    else if (getuid() != 0 &&
             getxattr(path, "security.capability", NULL, 0) > 0)
        uns_findings_say(found, "file capabilities (see getcap)");
    return *found != NULL;
}

static bool is_musl(struct uns_patient *patient, char **found)
{
    const char *loader = uns_elf_interpreter(&image_of(patient)->elf);

    if (loader == NULL || strstr(loader, "ld-musl") == NULL)
        return false;
    uns_findings_say(found, "musl (%s)", loader);
    return true;
}

static bool is_switched_off(struct uns_patient *patient, char **found)
{
    const char *which = uns_doctor_switch(
        patient->doctor, patient->target->called, patient->target->real);

    if (which == NULL)
        return false;
    uns_findings_say(found, "%s", which);
    return true;
}

/* clang-format off */
static const struct {
    const char *what;
    bool (*stands)(struct uns_patient *patient, char **found);
    const char *because; /* "cannot be helped: ..." */
    const char *means, *todo;
} obstacles[] = {
    {"machine", is_other_machine,
     "it is for another machine than libunstall.so",
     "The dynamic loader refuses to preload it, and says so on stderr.",
     "Build unstall for that machine, too, and preload it as "
     "/usr/$LIB/unstall/libunstall.so."},
    {"linking", is_static,
     "it is statically linked",
     "Nothing can be put in front of functions that are linked into it. "
     "Dynamic programs that it starts, such as curl, inherit the preload.",
     NULL},
    {"privileges", is_privileged,
     "it runs with privileges of its own",
     "The kernel sets AT_SECURE, and the dynamic loader ignores LD_PRELOAD.",
     "Use a copy without them, if it does its work without."},
    {"libc", is_musl,
     "it uses musl, and unstall's engine is built for glibc",
     "It starts with the preload and works as before, unhedged and "
     "unrecorded.",
     "Use a build for glibc."},
    {"switch", is_switched_off,
     "the environment switches unstall off for it",
     NULL, "Change or unset that variable."},
};

/* clang-format on */

const char *uns_doctor_obstacle(struct uns_patient *patient)
{
    const char *first = NULL;

    for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++) {
        struct uns_finding *row;
        char *found = NULL;

        if (!obstacles[i].stands(patient, &found))
            continue;
        row = uns_findings_add(&patient->doctor->findings, UNS_LEVEL_BAD,
                               obstacles[i].what);
        row->found = found;
        if (obstacles[i].means != NULL)
            uns_findings_say(&row->means, "%s", obstacles[i].means);
        if (obstacles[i].todo != NULL)
            uns_findings_say(&row->todo, "%s", obstacles[i].todo);
        if (first == NULL)
            first = obstacles[i].because;
    }
    return first;
}

/* The rule is the preload's own (shim/settings.c), for another process. */
static bool lists(const char *list, const char *called, const char *real)
{
    const char *base = uns_image_base(real);

    while (*list != '\0') {
        size_t len = strcspn(list, ",");

        if ((strlen(called) == len && memcmp(list, called, len) == 0) ||
            (strlen(base) == len && memcmp(list, base, len) == 0))
            return true;
        list += len;
        list += *list == ',';
    }
    return false;
}

const char *uns_doctor_switch(const struct uns_doctor *doctor,
                              const char *called, const char *real)
{
    const char *unstall = uns_doctor_getenv(doctor, "UNSTALL");
    const char *only = uns_doctor_getenv(doctor, "UNSTALL_ONLY");
    const char *except = uns_doctor_getenv(doctor, "UNSTALL_EXCEPT");

    if (unstall != NULL && strcmp(unstall, "off") == 0)
        return "UNSTALL=off";
    if (only != NULL && *only != '\0' && !lists(only, called, real))
        return "UNSTALL_ONLY does not name it";
    if (except != NULL && lists(except, called, real))
        return "UNSTALL_EXCEPT names it";
    return NULL;
}
