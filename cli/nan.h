/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_NAN_H
#define UNS_CLI_NAN_H

/* nan - no number, as a double: <math.h>'s NAN is a float, and clang minds. */
#define UNS_NAN (__builtin_nan(""))

#endif
