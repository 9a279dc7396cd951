/* SPDX-License-Identifier: MIT */

/*
 * options - what kind of value each option of libcurl has, and what a rival
 * may take over.  Data only; no option stands in it twice, since a number
 * names one slot (the compiler warns about a second initialiser).
 */

#include "options.h"

#define ROW(number, value_kind, heir, swapped)           \
    [(number) % 10000] = {.id = (CURLoption)(number),    \
                          .kind = UNS_OPT_##value_kind,  \
                          .inherit = UNS_INHERIT_##heir, \
                          .replaced = (swapped)},
#define OPTION(name, kind, heir)  ROW(CURLOPT_##name, kind, heir, false)
#define SWAPPED(name, kind, heir) ROW(CURLOPT_##name, kind, heir, true)
#define NEWER(number, kind, heir) ROW(number, kind, heir, false)

const struct uns_option uns_options[UNS_OPT_SLOTS] = {
#include "options.def"
};
