/* SPDX-License-Identifier: MIT */
/* show_error - why an attempt failed, in a few words.  libcurl is not linked
 * here, so its commonest codes are in a table, by number. */
#include "show.h"

#include <stdio.h>

static const struct {
    int64_t code;
    const char *words;
} codes[] = {
    {5,  "proxy not found"      },
    {6,  "host not found"       },
    {7,  "cannot connect"       },
    {16, "HTTP/2 broke"         },
    {18, "cut off"              },
    {23, "stopped by program"   },
    {28, "timed out"            },
    {35, "TLS failed"           },
    {42, "stopped by program"   },
    {47, "too many redirects"   },
    {52, "nothing was answered" },
    {55, "sending failed"       },
    {56, "connection lost"      },
    {60, "certificate not valid"},
    {92, "HTTP/2 stream broke"  },
};

static const char *words_of(int64_t code)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return codes[i].words;
    return "transfer failed";
}

const char *uns_show_error(const struct uns_attempt_record *attempt,
                           char room[UNS_SHOW_ERROR])
{
    if (*attempt->error != '\0')
        return attempt->error;
    if (attempt->curl_code != UNS_NULL && attempt->curl_code != 0)
        snprintf(room, UNS_SHOW_ERROR, "%s (curl %lld)",
                 words_of(attempt->curl_code), (long long)attempt->curl_code);
    else if (attempt->http_status >= 400)
        snprintf(room, UNS_SHOW_ERROR, "HTTP %lld",
                 (long long)attempt->http_status);
    else
        room[0] = '\0';
    return room;
}
