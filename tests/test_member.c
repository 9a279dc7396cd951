/* SPDX-License-Identifier: MIT */
/* Which handles are in a multi, by the application's own account. */
#include "check.h"
#include "engine/member.h"

#define MEMBERS 4

static struct uns_app apps[MEMBERS];
static struct uns_member members[MEMBERS];
static struct uns_member *list, *other;

static int set_up(void **state)
{
    (void)state;
    memset(apps, 0, sizeof apps);
    memset(members, 0, sizeof members);
    list = other = NULL;
    return 0;
}

static void join_all(void)
{
    for (size_t i = 0; i < MEMBERS; i++)
        uns_member_join(&list, &members[i], &apps[i]);
}

static size_t count(const struct uns_member *member)
{
    size_t n = 0;

    for (; member; member = member->next) {
        assert_ptr_equal(*member->link, member);
        n++;
    }
    return n;
}

static void test_member_is_inside_until_it_leaves(void **state)
{
    (void)state;
    for (size_t i = 0; i < MEMBERS; i++) {
        set_up(NULL);
        join_all();
        CHECK_INT("all", count(list), MEMBERS);
        uns_member_leave(&members[i]);
        CHECK_INT("left", count(list), MEMBERS - 1);
        for (size_t j = 0; j < MEMBERS; j++)
            CHECK_INT("inside", apps[j].inside, j != i);
    }
}

/* A handle that ends in its multi, and one that was never in any. */
static void test_member_may_leave_twice(void **state)
{
    struct uns_member stranger = {0};

    (void)state;
    join_all();
    uns_member_leave(&members[1]);
    uns_member_leave(&members[1]);
    uns_member_leave(&stranger);
    CHECK_INT("left", count(list), MEMBERS - 1);
}

static void test_member_is_in_one_list(void **state)
{
    (void)state;
    join_all();
    uns_member_join(&other, &members[2], &apps[2]);
    CHECK_INT("here", count(list), MEMBERS - 1);
    CHECK_INT("there", count(other), 1);
    CHECK_INT("inside", apps[2].inside, true);
}

static void test_member_leaves_with_the_multi(void **state)
{
    (void)state;
    join_all();
    uns_member_leave_all(&list);
    assert_null(list);
    for (size_t i = 0; i < MEMBERS; i++)
        CHECK_INT("inside", apps[i].inside, false);
    uns_member_leave_all(&list);
    uns_member_join(&list, &members[0], &apps[0]);
    CHECK_INT("again", count(list), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_member_is_inside_until_it_leaves, set_up),
        cmocka_unit_test_setup(test_member_may_leave_twice, set_up),
        cmocka_unit_test_setup(test_member_is_in_one_list, set_up),
        cmocka_unit_test_setup(test_member_leaves_with_the_multi, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
