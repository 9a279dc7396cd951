/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_METHOD_H
#define UNS_SHIM_METHOD_H

/* method - what kind of request a handle's options make, by libcurl's rule
 * that the one set last decides.  Reads notes only; linked into the preload
 * and into the engine. */

#include "abi.h"

enum uns_method {
    UNS_METHOD_OTHER,  /* no POST */
    UNS_METHOD_FIELDS, /* a POST of CURLOPT_POSTFIELDS, or of the read
                          callback where none are set */
    UNS_METHOD_UPLOAD, /* a POST of the read callback (an upload that
                          CURLOPT_CUSTOMREQUEST calls so) */
    UNS_METHOD_FORM    /* a multipart form: no LLM call */
};

enum uns_method uns_method_of(const struct uns_app *app);

/* CURLOPT_NOBODY has made it a HEAD, and nothing another since. */
bool uns_method_is_head(const struct uns_app *app);

#endif
