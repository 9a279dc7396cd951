/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_NOTES_H
#define UNS_ENGINE_NOTES_H

/* Reading what the application has set on its handle, with libcurl's default
 * where it has set nothing. */

#include "shim/abi.h"

static inline bool uns_notes_set(const struct uns_app *app, CURLoption id)
{
    return uns_app_opt(app, id)->order != 0;
}

static inline long uns_notes_long(const struct uns_app *app, CURLoption id,
                                  long unset)
{
    const struct uns_opt *opt = uns_app_opt(app, id);

    return opt->order ? opt->value.l : unset;
}

static inline void *uns_notes_pointer(const struct uns_app *app, CURLoption id,
                                      void *unset)
{
    const struct uns_opt *opt = uns_app_opt(app, id);

    return opt->order ? opt->value.p : unset;
}

/* A callback; cast to its type by the caller.  NULL: unset, or set to NULL. */
static inline void (*uns_notes_function(const struct uns_app *app,
                                        CURLoption id))(void)
{
    const struct uns_opt *opt = uns_app_opt(app, id);

    return opt->order ? opt->value.f : NULL;
}

/* The one of two options that was set last; both unset: `a`. */
static inline CURLoption uns_notes_later(const struct uns_app *app,
                                         CURLoption a, CURLoption b)
{
    return uns_app_opt(app, b)->order > uns_app_opt(app, a)->order ? b : a;
}

#endif
