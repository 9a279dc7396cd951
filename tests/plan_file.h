/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_PLAN_FILE_H
#define UNS_TESTS_PLAN_FILE_H

/* plan_file - the bench's application with a plan made of what it does, and
 * what the plan's file says. */

#include "multi_bench.h"
#include "scratch.h"

#include "engine/plan.h"

#include <cjson/cJSON.h>

/* A request that streams, and could be answered in many ways. */
#define UNSURE                                                           \
    "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\"," \
    "\"content\":\"x\"}]}"

static char plan_file[PATH_MAX];

static inline void open_plan(struct scratch *scratch)
{
    scratch_write(scratch, "plan", "", 0600);
    memcpy(plan_file, scratch->path, sizeof plan_file);
    open_multi(3 * UNS_S);
    bench.plan = plan_file;
    bench.left = 7;
}

/* The n-th line of the file; the caller frees it. */
static inline cJSON *line(int n)
{
    char text[32768] = "";
    const char *at = text;
    FILE *in = fopen(plan_file, "r");

    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    while (n-- > 0 && *at)
        at += strcspn(at, "\n") + 1;
    return *at ? cJSON_Parse(at) : NULL;
}

static inline const cJSON *get(const cJSON *facts, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(facts, name);
}

static inline const char *text_of(const cJSON *facts, const char *name)
{
    return cJSON_GetStringValue(get(facts, name));
}

static inline const char *source_text(const cJSON *facts, int at,
                                      const char *name)
{
    return text_of(cJSON_GetArrayItem(get(facts, "sources"), at), name);
}

/* All notes of the first line, one after the other. */
static inline const char *notes(void)
{
    static char all[2048];
    cJSON *facts = line(0);
    const cJSON *note;

    all[0] = '\0';
    cJSON_ArrayForEach(note, get(facts, "notes"))
    {
        strncat(all, cJSON_GetStringValue(note), sizeof all / 4);
        strncat(all, "|", 2);
    }
    cJSON_Delete(facts);
    return all;
}

/* Each on a directory of its own. */
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)

#endif
