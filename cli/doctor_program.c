/* SPDX-License-Identifier: MIT */
/* doctor_program - one program's file, read and never run: what it is, what is
 * in the way, how it comes to libcurl, how to start it. */
#include "doctor.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
    uint16_t number;
    const char *name;
} machines[] = {
    {EM_X86_64,  "x86-64"},
    {EM_386,     "x86"   },
    {EM_AARCH64, "arm64" },
    {EM_ARM,     "arm"   },
    {EM_RISCV,   "RISC-V"},
    {EM_PPC64,   "ppc64" },
    {EM_S390,    "s390x" },
    {EM_MIPS,    "mips"  },
};

static const char *machine_name(uint16_t number)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].number == number)
            return machines[i].name;
    return "another machine";
}

static void add_program(struct uns_patient *patient)
{
    const struct uns_elf *elf = &patient->closure.list[0].image.elf;
    const struct uns_target *target = patient->target;
    struct uns_findings *findings = &patient->doctor->findings;

    if (*target->script != '\0')
        uns_findings_say(
            &uns_findings_add(findings, UNS_LEVEL_NOTE, "script")->found, "%s",
            target->script);
    uns_findings_say(&uns_findings_add(findings, UNS_LEVEL_NOTE,
                                       *target->script ? "run by" : "program")
                          ->found,
                     "%s: ELF, %d bit, %s", target->real, elf->wide ? 64 : 32,
                     machine_name(elf->machine));
}

/* Without them it does not even start. */
static void add_missing_libraries(struct uns_patient *patient)
{
    const struct uns_closure *closure = &patient->closure;

    for (size_t i = 1; i < closure->count; i++) {
        struct uns_finding *row;

        if (closure->list[i].path != NULL)
            continue;
        row = uns_findings_add(&patient->doctor->findings, UNS_LEVEL_WARN,
                               "library");
        uns_findings_say(&row->found, "%s: not found, and %s needs it",
                         closure->list[i].name,
                         closure->list[closure->list[i].by].name);
    }
}

/* Ways to start another program, which inherits the environment. */
static bool starts_others(const struct uns_elf *elf)
{
    static const char *const calls[] = {
        "execve", "execv",       "execvp",       "execl",  "execlp", "popen",
        "system", "posix_spawn", "posix_spawnp", "execle", "execvpe"};

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (uns_elf_symbol(elf, calls[i]) == UNS_ELF_IMPORTED)
            return true;
    return false;
}

static void add_start(struct uns_doctor *doctor, const char *name)
{
    struct uns_finding *row;

    if (doctor->verdict != UNS_DOCTOR_HELPED &&
        doctor->verdict != UNS_DOCTOR_POSSIBLE)
        return;
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "start");
    uns_findings_say(&row->found, "unstall run --after 3 --backup URL -- %s",
                     name);
    uns_findings_say(&row->means,
                     "Without options its calls are recorded only.");
    if (doctor->preload.file.len > 0)
        return;
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_BAD, "preload");
    uns_findings_say(&row->found, "libunstall.so: not found");
    uns_findings_say(&row->todo, "unstall doctor");
}

static void examine(struct uns_patient *patient)
{
    struct uns_doctor *doctor = patient->doctor;
    const char *because;
    struct uns_finding *row;

    add_program(patient);
    because = uns_doctor_obstacle(patient);
    add_missing_libraries(patient);
    uns_doctor_curl(patient);
    if (because != NULL && !patient->foreign)
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT, "%s", because);
    if (doctor->verdict == UNS_DOCTOR_CANNOT && because == NULL &&
        starts_others(&patient->closure.list[0].image.elf)) {
        row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "children");
        uns_findings_say(&row->found, "it can start other programs");
        uns_findings_say(&row->means, "They inherit LD_PRELOAD: one that uses "
                                      "libcurl, such as curl, is helped.");
    }
    add_start(doctor, patient->target->name);
}

void uns_doctor_program(struct uns_doctor *doctor,
                        const struct uns_target *target)
{
    struct uns_patient patient = {.doctor = doctor, .target = target};
    enum uns_err err =
        uns_closure_open(&patient.closure, target->path,
                         uns_doctor_getenv(doctor, "LD_LIBRARY_PATH"));

    if (err == UNS_OK)
        examine(&patient);
    else if (err == UNS_SYNTAX)
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT,
                         "it is neither an ELF file nor a script");
    else
        uns_doctor_judge(doctor, UNS_DOCTOR_UNKNOWN, "%s: %s", target->path,
                         err == UNS_IO ? strerror(errno) : uns_err_str(err));
    uns_closure_close(&patient.closure);
}
