/* SPDX-License-Identifier: MIT */
/*
 * closer - a daemon of the old kind: closes every descriptor that it does not
 * know between two calls.  (Its handles are gone by then: libcurl has
 * descriptors of its own.)
 *
 *     closer URL BODY CALLS
 *
 * Writes the answers one after another; exit code 1: a call has failed.
 */
#include <curl/curl.h>
#include <stdlib.h>
#include <unistd.h>

static int ask(char **argv)
{
    CURL *easy = curl_easy_init();
    CURLcode code;

    if (!easy)
        return 1;
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, argv[2]);
    code = curl_easy_perform(easy);
    curl_easy_cleanup(easy);
    return code != CURLE_OK;
}

int main(int argc, char **argv)
{
    int failed = 0;
    long calls;

    if (argc != 4)
        return 2;
    calls = atol(argv[3]);
    for (long i = 0; i < calls; i++) {
        failed |= ask(argv);
        closefrom(3);
    }
    return failed;
}
