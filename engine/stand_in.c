/* SPDX-License-Identifier: MIT */
#include "stand_in.h"

#include "notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct uns_stand_in {
    int status;
    int listener; /* libcurl connects to it */
    int peer;     /* our end of that connection; -1: not yet */
};

static const struct {
    int status;
    const char *reason, *type;
} statuses[] = {
    {400, "Bad Request",           "invalid_request_error"},
    {401, "Unauthorized",          "authentication_error" },
    {403, "Forbidden",             "permission_error"     },
    {404, "Not Found",             "not_found_error"      },
    {408, "Request Timeout",       "timeout_error"        },
    {409, "Conflict",              "conflict_error"       },
    {413, "Content Too Large",     "request_too_large"    },
    {422, "Unprocessable Content", "invalid_request_error"},
    {429, "Too Many Requests",     "rate_limit_error"     },
    {500, "Internal Server Error", "server_error"         },
    {502, "Bad Gateway",           "server_error"         },
    {503, "Service Unavailable",   "server_error"         },
    {504, "Gateway Timeout",       "timeout_error"        },
    {529, "Overloaded",            "overloaded_error"     },
};

/* The shape that both big providers' clients understand. */
static const char body_format[] =
    "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":"
    "\"%s (injected by unstall)\",\"param\":null,\"code\":null}}\n";

static bool write_answer(int fd, int status)
{
    const char *reason = "Error", *type = "server_error";
    char body[256], answer[512];
    int len;

    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status) {
            reason = statuses[i].reason;
            type = statuses[i].type;
        }
    (void)snprintf(body, sizeof body, body_format, type, reason);
    len = snprintf(answer, sizeof answer,
                   "HTTP/1.1 %d %s\r\n"
                   "content-type: application/json\r\n"
                   "content-length: %zu\r\n"
                   "connection: close\r\n\r\n%s",
                   status, reason, strlen(body), body);
    return send(fd, answer, (size_t)len, MSG_NOSIGNAL) == len;
}

/* The application's URL by plain HTTP; malloc'd. */
static char *plain_url(const char *url)
{
    const char *colon = strstr(url, "://");
    char *plain = NULL;

    return asprintf(&plain, "http://%s", colon ? colon + 3 : url) < 0 ? NULL
                                                                      : plain;
}

/* Whatever the URL says, there is one place to connect to. */
static void set_place(CURL *easy, const struct uns_real *real,
                      const char *socket)
{
    real->curl_easy_setopt(easy, CURLOPT_ABSTRACT_UNIX_SOCKET, socket);
    real->curl_easy_setopt(easy, CURLOPT_PROXY, "");
    real->curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    real->curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    real->curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    real->curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                           (long)CURL_HTTP_VERSION_1_1);
}

/* What the application wants to be told, and how. */
static void set_ears(struct uns_attempt *a, CURL *easy)
{
    const struct uns_app *app = a->call->app;
    const struct uns_real *real = app->real;

    real->curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "");
    real->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, uns_attempt_on_body);
    real->curl_easy_setopt(easy, CURLOPT_WRITEDATA, a);
    real->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, uns_attempt_on_header);
    real->curl_easy_setopt(easy, CURLOPT_HEADERDATA, a);
    real->curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, a->error);
    real->curl_easy_setopt(easy, CURLOPT_HEADER,
                           uns_notes_long(app, CURLOPT_HEADER, 0));
    real->curl_easy_setopt(easy, CURLOPT_FAILONERROR,
                           uns_notes_long(app, CURLOPT_FAILONERROR, 0));
}

/* A listener of a name that the kernel chooses, in no file system. */
static int listen_somewhere(struct sockaddr_un *ret_name)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t len = sizeof *ret_name;

    memset(ret_name, 0, sizeof *ret_name);
    ret_name->sun_family = AF_UNIX;
    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *)ret_name, sizeof ret_name->sun_family) ||
        listen(fd, 1) || getsockname(fd, (struct sockaddr *)ret_name, &len)) {
        close(fd);
        return -1;
    }
    return fd;
}

static CURL *build(struct uns_attempt *a, const struct sockaddr_un *name)
{
    const struct uns_real *real = a->call->app->real;
    char *url = plain_url(a->call->url_text);
    CURL *easy = url ? real->curl_easy_init() : NULL;

    if (easy) {
        real->curl_easy_setopt(easy, CURLOPT_URL, url);
        set_place(easy, real, name->sun_path + 1);
        set_ears(a, easy);
    }
    free(url);
    return easy;
}

struct uns_stand_in *uns_stand_in_new(struct uns_attempt *primary, int status)
{
    struct uns_stand_in *stand_in = calloc(1, sizeof *stand_in);
    struct sockaddr_un name;
    CURL *easy;

    if (!stand_in)
        return NULL;
    stand_in->status = status;
    stand_in->peer = -1;
    stand_in->listener = listen_somewhere(&name);
    easy = stand_in->listener >= 0 ? build(primary, &name) : NULL;
    if (!easy) {
        uns_stand_in_free(stand_in);
        return NULL;
    }
    primary->easy = easy;
    return stand_in;
}

bool uns_stand_in_serve(struct uns_stand_in *stand_in)
{
    if (stand_in->peer >= 0)
        return true;
    stand_in->peer = accept4(stand_in->listener, NULL, NULL, SOCK_CLOEXEC);
    return stand_in->peer >= 0 &&
           write_answer(stand_in->peer, stand_in->status);
}

void uns_stand_in_free(struct uns_stand_in *stand_in)
{
    if (!stand_in)
        return;
    if (stand_in->listener >= 0)
        close(stand_in->listener);
    if (stand_in->peer >= 0)
        close(stand_in->peer);
    free(stand_in);
}
