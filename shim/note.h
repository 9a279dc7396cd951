/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_NOTE_H
#define UNS_SHIM_NOTE_H

/*
 * note - remembers what the application set on a handle.  libcurl has no
 * getopt, and its duphandle shares pointers (and fails on 7.88 for a
 * COPYPOSTFIELDS without a size): a rival is built from these notes.
 */

#include "abi.h"

/* A record for `easy`, with no option set; NULL: no memory. */
struct uns_app *uns_app_new(CURL *easy, const struct uns_real *real);

/* A record for `easy`, a duplicate of app->easy: a deep copy of the notes,
 * without the engine's call.  NULL: no memory. */
struct uns_app *uns_app_dup(const struct uns_app *app, CURL *easy);

/* NULL is fine.  app->call must have been released. */
void uns_app_free(struct uns_app *app);

/* Note that libcurl accepted `value`, the 64 bits passed for `option`. */
void uns_note(struct uns_app *app, CURLoption option, void *value);

/* Forget every option, as curl_easy_reset does. */
void uns_note_clear(struct uns_app *app);

/* The size that libcurl takes a body to have: whichever of the two options was
 * set last; -1: it is a string. */
curl_off_t uns_note_body_size(const struct uns_app *app);

/* struct uns_host's restore. */
void uns_note_restore(const struct uns_app *app, CURL *easy);

#endif
