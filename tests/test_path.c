/* SPDX-License-Identifier: MIT */
/* Rows of paths become a tree; the dialects' tables fit into it. */
#include "check.h"
#include "core/wire.h"

#include <stdio.h>

static struct uns_trie trie;

static unsigned child(unsigned node, const char *key)
{
    size_t len = strlen(key);

    return uns_trie_width(&trie, node, len)
               ? uns_trie_child(&trie, node, key, len, key + len)
               : UNS_TRIE_NONE;
}

/* The node of a path written with dots alone. */
static unsigned find(const char *path)
{
    unsigned node = UNS_TRIE_ROOT;
    char key[64];

    while (*path != '\0') {
        size_t len = strcspn(path, ".[");
        memcpy(key, path, len);
        key[len] = '\0';
        node = child(node, key);
        path += len;
        path += strspn(path, ".[]");
    }
    return node;
}

static void test_trie_finds_what_was_put_in(void **state)
{
    static const struct uns_path paths[] = {
        {"a", UNS_OP_MARK, 1, 0, false},
        {"a.b[]", UNS_OP_TEXT, 2, 0, false},
        {"a.b[].cccccccccccc", UNS_OP_SAVE, 3, 0, false},
        {"a.b[].cccccccccccd", UNS_OP_SAVE, 4, 0, false},
        {"a.b[].cccccccc", UNS_OP_SAVE, 5, 0, false},
        {"only", UNS_OP_SAVE, 6, 0, true},
    };

    (void)state;
    for (int document = 0; document < 2; document++) {
        uns_trie_init(&trie, paths, ROWS(paths), document);
        for (size_t i = 0; i < ROWS(paths) - !document; i++)
            CHECK_INT(paths[i].path, trie.node[find(paths[i].path)].arg,
                      paths[i].arg);
        CHECK_INT("only", find("only") != UNS_TRIE_NONE, document);
    }
    CHECK_INT("x", find("x"), UNS_TRIE_NONE);
    CHECK_INT("b", find("b"), UNS_TRIE_NONE);
    CHECK_INT("a.b.ccccccccc", find("a.b.ccccccccc"), UNS_TRIE_NONE);
    CHECK_INT("a.b.cccccccccccx", find("a.b.cccccccccccx"), UNS_TRIE_NONE);
}

static void test_trie_that_is_full_takes_no_more(void **state)
{
    static char names[100][8];
    static struct uns_path paths[100];

    (void)state;
    for (int i = 0; i < 100; i++) {
        sprintf(names[i], "k%d.x", i);
        paths[i] = (struct uns_path){names[i], UNS_OP_MARK, 1, 0, false};
    }
    uns_trie_init(&trie, paths, ROWS(paths), false);
    CHECK_INT("count", trie.count, UNS_TRIE_NODES);
    CHECK_INT("first", find("k0.x") != UNS_TRIE_NONE, true);
    CHECK_INT("last", find("k99.x"), UNS_TRIE_NONE);
    CHECK_INT("nothing", trie.node[UNS_TRIE_NONE].child, 0);
}

static void test_tables_fit_into_the_tree(void **state)
{
    (void)state;
    for (unsigned d = 0; d < UNS_DIALECT_COUNT; d++) {
        const struct uns_wire *wire = uns_wire((enum uns_dialect)d);
        const char *name = uns_dialect_name((enum uns_dialect)d);

        uns_trie_init(&trie, wire->paths, wire->path_count, true);
        CHECK_INT(name, trie.count < UNS_TRIE_NODES, true);
        for (unsigned i = 0; i < wire->path_count; i++) {
            CHECK_INT(wire->paths[i].path,
                      find(wire->paths[i].path) != UNS_TRIE_NONE, true);
            CHECK_INT(wire->paths[i].path, strlen(wire->paths[i].path) > 0,
                      true);
        }
    }
}

/* A rule below one that fits all it fits could never decide. */
static void test_rules_are_all_reached(void **state)
{
    (void)state;
    for (unsigned d = 0; d < UNS_DIALECT_COUNT; d++) {
        const struct uns_wire *wire = uns_wire((enum uns_dialect)d);
        for (unsigned i = 0; i < wire->rule_count; i++) {
            const struct uns_rule *rule = &wire->rules[i];
            char type[80], item[80];
            snprintf(type, sizeof type, "%s", rule->type.data);
            snprintf(item, sizeof item, "%s", rule->item.data);
            for (char *p = type; *p; p++)
                *p = *p == '*' ? '~' : *p;
            for (char *p = item; *p; p++)
                *p = *p == '*' ? '~' : *p;
            CHECK_INT(
                rule->type.data,
                uns_wire_rule(wire, (struct uns_slice){type, strlen(type)},
                              (struct uns_slice){item, strlen(item)}) == rule,
                true);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trie_finds_what_was_put_in),
        cmocka_unit_test(test_trie_that_is_full_takes_no_more),
        cmocka_unit_test(test_tables_fit_into_the_tree),
        cmocka_unit_test(test_rules_are_all_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
