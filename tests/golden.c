/* SPDX-License-Identifier: MIT */
#include "golden.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#define GOLDEN "tests/golden/"

char *golden_read(const char *name, size_t *ret_len)
{
    char path[256];
    snprintf(path, sizeof path, GOLDEN "%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    fclose(file);
    bytes[size] = '\0';
    *ret_len = (size_t)size;
    return bytes;
}

const char *golden_text(const cJSON *want, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(want, key);

    return cJSON_IsNull(item) ? "" : cJSON_GetStringValue(item);
}

long long golden_number(const cJSON *want, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(want, key);

    return cJSON_IsNull(item) ? (long long)UNS_NULL
                              : (long long)item->valuedouble;
}
