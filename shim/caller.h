/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_CALLER_H
#define UNS_SHIM_CALLER_H

/* caller - what every exported function begins with. */

#define UNS_EXPORT __attribute__((visibility("default")))

/* Where the exported function it stands in was called from. */
#define UNS_CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

#endif
