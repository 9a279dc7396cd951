/* SPDX-License-Identifier: MIT */

/* early - a library that makes a transfer in its constructor, before those of
 * preloads have run.  EARLY_URL says where. */

#include <curl/curl.h>
#include <stdlib.h>

__attribute__((constructor)) static void at_once(void)
{
    const char *url = getenv("EARLY_URL");
    CURL *easy = url ? curl_easy_init() : NULL;

    if (!easy)
        return;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                     "{\"model\":\"m\",\"messages\":[],\"stream\":true}");
    curl_easy_perform(easy);
    curl_easy_cleanup(easy);
}

int early(void);

int early(void)
{
    return 0;
}
