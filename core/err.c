/* SPDX-License-Identifier: MIT */
#include "err.h"

static const struct {
    const char *name;
    const char *text;
} errors[] = {

#define X(name, text) [UNS_##name] = {#name, text},
    UNS_ERR_MAP(X)
#undef X
};

_Static_assert(sizeof errors / sizeof *errors == UNS_ERR_COUNT,
               "every error has a name and a text");

const char *uns_err_name(enum uns_err err)
{
    return (unsigned)err < UNS_ERR_COUNT ? errors[err].name : "?";
}

const char *uns_err_str(enum uns_err err)
{
    return (unsigned)err < UNS_ERR_COUNT ? errors[err].text : "?";
}
