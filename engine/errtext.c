/* SPDX-License-Identifier: MIT */
#include "errtext.h"

#include "notes.h"

#include <string.h>

void uns_errtext_take(struct uns_attempt *primary)
{
    char *buffer =
        uns_notes_pointer(primary->call->app, CURLOPT_ERRORBUFFER, NULL);

    if (!buffer || primary->code == CURLE_OK ||
        primary->easy != primary->call->app->easy)
        return;
    memcpy(primary->error, buffer, sizeof primary->error);
    primary->error[sizeof primary->error - 1] = '\0';
    buffer[0] = '\0';
}

void uns_errtext_give(const struct uns_call *call)
{
    char *buffer = uns_notes_pointer(call->app, CURLOPT_ERRORBUFFER, NULL);

    if (buffer && !call->solo && call->code != CURLE_OK)
        memcpy(buffer, call->error, sizeof call->error);
}
