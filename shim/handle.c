/* SPDX-License-Identifier: MIT */
#include "handle.h"

#include "registry.h"

static struct uns_registry easies, multis;

struct uns_app *uns_handle_get(CURL *easy)
{
    return uns_registry_get(&easies, easy);
}

bool uns_handle_put(struct uns_app *app)
{
    return uns_registry_put(&easies, app->easy, app);
}

struct uns_app *uns_handle_take(CURL *easy)
{
    return uns_registry_take(&easies, easy);
}

struct uns_multi *uns_handle_get_multi(CURLM *multi)
{
    return uns_registry_get(&multis, multi);
}

bool uns_handle_put_multi(struct uns_multi *multi)
{
    return uns_registry_put(&multis, multi->multi, multi);
}

struct uns_multi *uns_handle_take_multi(CURLM *multi)
{
    return uns_registry_take(&multis, multi);
}
