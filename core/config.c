/* SPDX-License-Identifier: MIT */
/* config - the question that is asked per request: has a source this model? */
#include "config.h"

#include "ascii.h"
#include "walk.h"

#define MODEL_MAX 256

bool uns_source_model(const struct uns_source *source, struct uns_slice model,
                      const char **ret_model)
{
    char name[MODEL_MAX];

    if (source->models == NULL || source->base_url == NULL) {
        *ret_model = NULL;
        return true;
    }
    if (!uns_walk_decode(model, name, sizeof name))
        return false;
    for (size_t i = 0; i < source->model_count; i++) {
        if (strcmp(source->models[i].key, name) != 0 &&
            strcmp(source->models[i].key, "*") != 0)
            continue;
        *ret_model = source->models[i].value;
        return true;
    }
    return false;
}

enum uns_prefill uns_source_prefill(const struct uns_policy *policy,
                                    const struct uns_source *source)
{
    return source->base_url ? source->prefill : policy->hedge.self_prefill;
}
