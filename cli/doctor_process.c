/* SPDX-License-Identifier: MIT */
/* doctor_process - a running process: is the preload live in it, what has it
 * recorded, and what would its program be if it were started anew? */
#include "doctor.h"

#include "engine/config.h"
#include "engine/store.h"
#include "proc.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_process(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "process");

    uns_findings_say(&row->found, "%ld: %s", (long)proc->pid,
                     *proc->exe_name ? proc->exe_name : proc->name);
    if (proc->owner != geteuid())
        uns_findings_say(&row->means,
                         "It is user %ld's: its calls are in "
                         "that user's store.",
                         (long)proc->owner);
    if (proc->environment == NULL) {
        row = uns_findings_add(&doctor->findings, UNS_LEVEL_WARN, "environ");
        uns_findings_say(&row->found, "its environment cannot be read");
    }
    if (!proc->other_root)
        return;
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_WARN, "root");
    uns_findings_say(&row->found, "another root directory, a container's");
    uns_findings_say(&row->means, "Libraries are looked for in this one.");
}

static bool is_asked_for(const struct uns_doctor *doctor)
{
    const char *list = uns_doctor_getenv(doctor, "LD_PRELOAD");

    return list != NULL && strstr(list, "libunstall.so") != NULL;
}

static void add_preload(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    struct uns_finding *row = uns_findings_add(
        &doctor->findings, proc->preload ? UNS_LEVEL_GOOD : UNS_LEVEL_BAD,
        "preload");

    uns_findings_say(&row->found, "libunstall.so is %smapped",
                     proc->preload ? "" : "not ");
    if (proc->preload && proc->replaced) {
        row->level = UNS_LEVEL_WARN;
        uns_findings_say(&row->means, "Its file was replaced since.");
        uns_findings_say(&row->todo, "Restart the program to use the new one.");
    } else if (!proc->preload && is_asked_for(doctor)) {
        uns_findings_say(&row->means, "LD_PRELOAD names it, but the loader "
                                      "did not take it.");
    }
}

static void add_engine(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    struct uns_finding *row = uns_findings_add(
        &doctor->findings, proc->engine ? UNS_LEVEL_GOOD : UNS_LEVEL_NOTE,
        "engine");

    uns_findings_say(&row->found, proc->engine
                                      ? "mapped: it has made an LLM call"
                                      : "not mapped: no LLM call so far");
}

static void add_libcurls(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    for (size_t i = 0; i < proc->libcurls; i++) {
        char version[UNS_IMAGE_VERSION] = "version unknown";
        struct uns_image image;
        struct uns_finding *row =
            uns_findings_add(&doctor->findings, UNS_LEVEL_GOOD, "libcurl");

        if (uns_image_open(proc->libcurl[i], &image) == UNS_OK)
            (void)uns_image_curl(&image, version);
        uns_image_close(&image);
        uns_findings_say(&row->found, "%s: %s", proc->libcurl[i], version);
    }
}

static void count_calls(struct uns_doctor *doctor, const struct uns_proc *proc,
                        sqlite3 *db)
{
    static const char sql[] =
        "SELECT count(*), (SELECT outcome FROM calls WHERE pid = ?1"
        " AND started_at >= ?2 ORDER BY started_at DESC, id DESC LIMIT 1)"
        " FROM calls WHERE pid = ?1 AND started_at >= ?2";
    sqlite3_stmt *stmt = NULL;
    struct uns_finding *row;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_bind_int64(stmt, 1, proc->pid) == SQLITE_OK &&
        sqlite3_bind_int64(stmt, 2, proc->started_us) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW) {
        const char *last = (const char *)sqlite3_column_text(stmt, 1);

        row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "calls");
        uns_findings_say(&row->found, "%lld recorded%s%s",
                         (long long)sqlite3_column_int64(stmt, 0),
                         last ? ", the last one: " : "", last ? last : "");
    }
    sqlite3_finalize(stmt);
}

/* Its store is where its own environment puts it. */
static void add_calls(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    struct uns_config_where where = {.path = doctor->common.config,
                                     .environment = doctor->environment};
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;
    const char *path = doctor->common.db;
    sqlite3 *db = NULL;

    if (path == NULL && uns_config_load(&where, &messages, &config) == UNS_OK)
        path = uns_config_store_path(config);
    uns_messages_clear(&messages);
    if (path != NULL && uns_store_open(path, &db) == UNS_OK)
        count_calls(doctor, proc, db);
    sqlite3_close(db);
    uns_config_free(config);
}

/* Its program's file says what could be, were it started as it should. */
static void examine_program(struct uns_doctor *doctor,
                            const struct uns_proc *proc)
{
    struct uns_target target = {0};

    snprintf(target.name, sizeof target.name, "%s", proc->name);
    snprintf(target.called, sizeof target.called, "%s", proc->name);
    snprintf(target.path, sizeof target.path, "%s", proc->exe);
    snprintf(target.real, sizeof target.real, "%s", proc->exe_name);
    uns_doctor_program(doctor, &target);
    if (doctor->verdict != UNS_DOCTOR_HELPED &&
        doctor->verdict != UNS_DOCTOR_POSSIBLE)
        return;
    if (proc->preload)
        uns_doctor_judge(doctor, UNS_DOCTOR_POSSIBLE,
                         "the preload is live, and libcurl not loaded so far");
    else
        uns_doctor_judge(doctor, UNS_DOCTOR_IDLE,
                         "it was started without the preload");
}

/* It has libcurl, however it came to it. */
static void examine_libcurls(struct uns_doctor *doctor,
                             const struct uns_proc *proc)
{
    struct uns_finding *row;

    add_libcurls(doctor, proc);
    if (proc->preload) {
        uns_doctor_judge(doctor, UNS_DOCTOR_LIVE, "the preload is live");
        return;
    }
    uns_doctor_judge(doctor, UNS_DOCTOR_IDLE,
                     "it was started without the preload");
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "start");
    uns_findings_say(&row->found, "unstall run --after 3 --backup URL -- %s",
                     proc->name);
}

static void examine(struct uns_doctor *doctor, const struct uns_proc *proc)
{
    const char *off = uns_doctor_switch(doctor, proc->name, proc->exe_name);

    add_process(doctor, proc);
    if (!proc->maps_known) {
        uns_doctor_judge(doctor, UNS_DOCTOR_UNKNOWN,
                         "/proc/%ld/maps cannot be read; ask as its user, or "
                         "as root",
                         (long)proc->pid);
        return;
    }
    add_preload(doctor, proc);
    if (proc->preload)
        add_engine(doctor, proc);
    if (proc->libcurls > 0 && off == NULL &&
        (proc->preload || !is_asked_for(doctor)))
        examine_libcurls(doctor, proc);
    else
        examine_program(doctor, proc);
    add_calls(doctor, proc);
}

bool uns_doctor_process(struct uns_doctor *doctor, pid_t pid)
{
    struct uns_proc proc;
    bool there = uns_proc_open(&proc, pid);

    if (there) {
        snprintf(doctor->subject, sizeof doctor->subject,
                 "%.200s (process %ld)", proc.name, (long)pid);
        doctor->environment = proc.environment;
        examine(doctor, &proc);
        doctor->environment = NULL;
    } else {
        fprintf(stderr, "unstall doctor: no process %ld\n", (long)pid);
    }
    uns_proc_close(&proc);
    return there;
}
