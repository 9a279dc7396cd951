/* SPDX-License-Identifier: MIT */
/* setting - the table made of settings.def, and its look-ups. */
#include "setting.h"

#include <string.h>

static const struct uns_setting settings[] = {

#define ROW(k, t, u, w, lo, hi, f, field, h, routed) \
    {.key = (k),                                     \
     .type = UNS_SETTING_##t,                        \
     .unit = (u),                                    \
     .words = (w),                                   \
     .min = (lo),                                    \
     .max = (hi),                                    \
     .fallback = (f),                                \
     .help = (h),                                    \
     .offset = offsetof(struct uns_settings, field), \
     .per_route = (routed)},
#define SETTING(k, t, u, w, lo, hi, f, field, h) \
    ROW(k, t, u, w, lo, hi, f, field, h, false)
#define ROUTED(k, t, u, w, lo, hi, f, field, h) \
    ROW(k, t, u, w, lo, hi, f, field, h, true)
#include "settings.def"
#undef ROUTED
#undef SETTING
#undef ROW
};

const char uns_auth_words[] =
    "auto bearer x-api-key api-key x-goog-api-key none";

const char uns_prefill_words[] =
    "none assistant prefix partial continue_final_message";

#define SETTINGS (sizeof settings / sizeof *settings)

const struct uns_setting *uns_settings(size_t *ret_count)
{
    *ret_count = SETTINGS;
    return settings;
}

const struct uns_setting *uns_setting_by_key(struct uns_slice key)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strlen(settings[i].key) == key.len &&
            memcmp(settings[i].key, key.data, key.len) == 0)
            return &settings[i];
    return NULL;
}

struct uns_slice uns_setting_word(const char *words, size_t n)
{
    for (; n > 0 && *words != '\0'; n--) {
        words += strcspn(words, " ");
        words += *words == ' ';
    }
    return (struct uns_slice){words, strcspn(words, " ")};
}

size_t uns_setting_word_index(const char *words, struct uns_slice text)
{
    for (size_t i = 0;; i++) {
        struct uns_slice word = uns_setting_word(words, i);

        if (word.len == 0)
            return SIZE_MAX;
        if (word.len == text.len && memcmp(word.data, text.data, text.len) == 0)
            return i;
    }
}
