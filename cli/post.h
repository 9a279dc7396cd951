/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_POST_H
#define UNS_CLI_POST_H

/*
 * post - one HTTP POST, by curl(1): the command line links no libcurl.  The
 * URL and the headers reach it through a file in memory, never through its
 * command line, which everybody can read.
 */

#include "core/err.h"
#include "export.h"

/* Bytes of an answer that are read. */
#define UNS_POST_ANSWER (64 * 1024)

struct uns_post {
    const char *url;
    const struct uns_export_header *header; /* beside content-type */
    size_t headers;
    const char *body; /* JSON */
    size_t len;
};

struct uns_answer {
    int status;      /* of HTTP; 0: there was no answer, */
    char error[256]; /* and why */
    char *body;      /* malloc'd text, or NULL */
};

/* Send it and wait for the answer; free its body. */
void uns_post_send(const struct uns_post *post, struct uns_answer *ret_answer);

/* The text of curl's configuration (curl --config) for the request, malloc'd;
 * NULL: no memory. */
char *uns_post_config(const struct uns_post *post);

#endif
