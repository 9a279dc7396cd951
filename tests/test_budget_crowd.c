/* SPDX-License-Identifier: MIT */
/* R11, P5: one bucket under many processes. */
#include "budget_fixture.h"

#include <sys/mman.h>

static struct shared {
    atomic_int extra, finished, broken, go;
} * shared;

static struct place *crowd_place;
static struct uns_policy crowd_policy;

/* Hedges whenever it may, a call after the other. */
static int hedge_often(void *arg)
{
    int calls = *(const int *)arg;

    while (!shared->go)
        usleep(1000);
    for (int i = 0; i < calls; i++) {
        const char *none =
            uns_budget_take(crowd_place->db, &crowd_policy, WAIT_MS);

        if (none == NULL)
            shared->extra++;
        else if (strcmp(none, "budget_exhausted") != 0)
            shared->broken++;
        finish(crowd_place->db, &crowd_policy, 1);
        shared->finished++;
    }
    return 0;
}

static void crowd(int processes, int calls)
{
    pid_t pid[64];

    for (int i = 0; i < processes; i++) {
        pid[i] = fork();
        if (pid[i] == 0)
            _exit(hedge_often(&calls));
        assert_true(pid[i] > 0);
    }
    shared->go = 1;
    for (int i = 0; i < processes; i++) {
        int status = -1;

        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        CHECK_INT("exit status", status, 0);
    }
}

/* Exactly what the bucket allows: not one more, not one less. */
static void test_budget_is_one_for_many_processes(void **state)
{
    static const struct row {
        const char *name;
        int processes, calls;
        double burst, ratio;
    } rows[] = {
        {"8", 8, 20, 10, 0.1},
        {"64", 64, 4, 10, 0.1},
        {"64, no more", 64, 2, 7, 0},
    };

    crowd_place = *state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        int total = rows[i].processes * rows[i].calls;
        double most = rows[i].burst + rows[i].ratio * total;
        int64_t before;

        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(shared != MAP_FAILED);
        crowd_policy = policy_of(rows[i].name, rows[i].burst, rows[i].ratio);
        finish(crowd_place->db, &crowd_policy, 1); /* the file is there */
        before = spent(crowd_place->db);
        crowd(rows[i].processes, rows[i].calls);
        CHECK_INT(rows[i].name, shared->broken, 0);
        CHECK_INT(rows[i].name, shared->finished, total);
        CHECK_INT(rows[i].name, spent(crowd_place->db) - before, shared->extra);
        CHECK_INT(rows[i].name, shared->extra <= (int)(most + 1e-6), true);
        /* The last token may have come after the last who asked. */
        CHECK_INT(rows[i].name,
                  shared->extra + take_all(crowd_place->db, &crowd_policy, 99),
                  (int)(most + 1e-6));
        munmap(shared, sizeof *shared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_budget_is_one_for_many_processes,
                                        place_setup, place_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
