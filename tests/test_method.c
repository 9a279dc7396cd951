/* SPDX-License-Identifier: MIT */
#include "shim/method.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ON  ((void *)1)
#define OFF NULL

struct setting {
    CURLoption id;
    void *value;
};

static char text[] = "POST";
static char lower[] = "post";
static char patch[] = "PATCH";

struct method_case {
    const char *name;
    enum uns_method method;
    struct setting set[3];
};

/* clang-format off */
static const struct method_case cases[] = {
    {"nothing set", UNS_METHOD_OTHER, {{0}}},
    {"fields", UNS_METHOD_FIELDS, {{CURLOPT_POSTFIELDS, text}}},
    {"copied fields", UNS_METHOD_FIELDS, {{CURLOPT_COPYPOSTFIELDS, text}}},
    {"fields set to nothing", UNS_METHOD_FIELDS, {{CURLOPT_POSTFIELDS, OFF}}},
    {"a POST", UNS_METHOD_FIELDS, {{CURLOPT_POST, ON}}},
    {"a POST taken back", UNS_METHOD_OTHER,
     {{CURLOPT_POST, ON}, {CURLOPT_POST, OFF}}},
    {"back to GET", UNS_METHOD_OTHER,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_HTTPGET, ON}}},
    {"GET, then fields", UNS_METHOD_FIELDS,
     {{CURLOPT_HTTPGET, ON}, {CURLOPT_POSTFIELDS, text}}},
    {"GET switched off changes nothing", UNS_METHOD_FIELDS,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_HTTPGET, OFF}}},
    {"HEAD", UNS_METHOD_OTHER,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_NOBODY, ON}}},
    {"HEAD switched off changes nothing", UNS_METHOD_FIELDS,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_NOBODY, OFF}}},
    {"an upload is a PUT", UNS_METHOD_OTHER, {{CURLOPT_UPLOAD, ON}}},
    {"an upload called POST", UNS_METHOD_UPLOAD,
     {{CURLOPT_CUSTOMREQUEST, text}, {CURLOPT_UPLOAD, ON}}},
    {"an upload called post is another method", UNS_METHOD_OTHER,
     {{CURLOPT_CUSTOMREQUEST, lower}, {CURLOPT_UPLOAD, ON}}},
    {"fields called POST", UNS_METHOD_FIELDS,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_CUSTOMREQUEST, text}}},
    {"fields called otherwise", UNS_METHOD_OTHER,
     {{CURLOPT_POSTFIELDS, text}, {CURLOPT_CUSTOMREQUEST, patch}}},
    {"the other name taken back", UNS_METHOD_FIELDS,
     {{CURLOPT_CUSTOMREQUEST, OFF}, {CURLOPT_POSTFIELDS, text}}},
    {"a form", UNS_METHOD_FORM, {{CURLOPT_MIMEPOST, ON}}},
    {"an old form", UNS_METHOD_FORM, {{CURLOPT_HTTPPOST, ON}}},
    {"fields after a form", UNS_METHOD_FIELDS,
     {{CURLOPT_MIMEPOST, ON}, {CURLOPT_POSTFIELDS, text}}},
};

/* clang-format on */

static void test_method_is_decided_by_what_was_set_last(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct method_case *c = &cases[i];
        struct uns_app app = {0};

        for (size_t s = 0; s < 3 && c->set[s].id; s++) {
            struct uns_opt *opt = &app.opt[(unsigned)c->set[s].id % 10000];

            opt->value.p = c->set[s].value;
            opt->order = ++app.order;
        }
        if (uns_method_of(&app) != c->method)
            fail_msg("%s: %d", c->name, uns_method_of(&app));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_method_is_decided_by_what_was_set_last),
    };

    return cmocka_run_group_tests_name("method", tests, NULL, NULL);
}
