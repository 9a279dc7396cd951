/* SPDX-License-Identifier: MIT */

/*
 * flavours - an application with more than one libcurl: the one it is linked
 * with, and those it opens.  `flavours CASE URL` prints which of them does
 * each transfer, as told by a callback that only libcurl calls.
 */

#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct libcurl {
    void *file;
    __typeof__(curl_easy_init) *init;
    __typeof__(curl_easy_setopt) *set;
    __typeof__(curl_easy_perform) *perform;
    __typeof__(curl_easy_getinfo) *get;
    __typeof__(curl_easy_cleanup) *cleanup;
    __typeof__(curl_easy_strerror) *text;
};

static const struct libcurl linked = {NULL,
                                      curl_easy_init,
                                      curl_easy_setopt,
                                      curl_easy_perform,
                                      curl_easy_getinfo,
                                      curl_easy_cleanup,
                                      curl_easy_strerror};

static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4",
                                    "libcurl-nss.so.4"};

static void look_up(void *file, const char *name, void *place)
{
    void *found = dlsym(file, name);

    memcpy(place, &found, sizeof(found));
}

static struct libcurl open_libcurl(const char *name)
{
    struct libcurl lib = {.file = dlopen(name, RTLD_NOW | RTLD_LOCAL)};

    if (!lib.file)
        return lib;
    look_up(lib.file, "curl_easy_init", &lib.init);
    look_up(lib.file, "curl_easy_setopt", &lib.set);
    look_up(lib.file, "curl_easy_perform", &lib.perform);
    look_up(lib.file, "curl_easy_getinfo", &lib.get);
    look_up(lib.file, "curl_easy_cleanup", &lib.cleanup);
    look_up(lib.file, "curl_easy_strerror", &lib.text);
    return lib;
}

/* Who calls: the file's name without its path. */
static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    void *caller = __builtin_return_address(0);
    const char **name = arg;
    Dl_info info;

    (void)fd;
    (void)purpose;
    if (dladdr(caller, &info) && info.dli_fname) {
        const char *slash = strrchr(info.dli_fname, '/');

        *name = slash ? slash + 1 : info.dli_fname;
    }
    return CURL_SOCKOPT_OK;
}

static size_t drop(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    (void)arg;
    return size * count;
}

static CURL *new_post(const struct libcurl *lib, const char *url,
                      const char **name)
{
    CURL *easy = lib->init();

    lib->set(easy, CURLOPT_URL, url);
    lib->set(easy, CURLOPT_COPYPOSTFIELDS,
             "{\"model\":\"m\",\"messages\":[],\"stream\":true}");
    lib->set(easy, CURLOPT_WRITEFUNCTION, drop);
    lib->set(easy, CURLOPT_SOCKOPTFUNCTION, on_socket);
    lib->set(easy, CURLOPT_SOCKOPTDATA, name);
    return easy;
}

static void perform(const struct libcurl *lib, CURL *easy, const char **name)
{
    CURLcode code = lib->perform(easy);
    long status = 0;

    lib->get(easy, CURLINFO_RESPONSE_CODE, &status);
    printf("%s: %s, HTTP %ld\n", *name, lib->text(code), status);
    lib->cleanup(easy);
}

/* All at once, and done in another order than they were made. */
static void apart(const char *url)
{
    struct libcurl libs[4] = {linked};
    const char *names[4] = {NULL};
    CURL *easies[4];

    for (int i = 1; i < 4; i++)
        libs[i] = open_libcurl(files[i - 1]);
    for (int i = 0; i < 4; i++)
        easies[i] = libs[i].init ? new_post(&libs[i], url, &names[i]) : NULL;
    for (int i = 3; i >= 0; i--)
        if (easies[i])
            perform(&libs[i], easies[i], &names[i]);
}

/* Closed, and opened once more. */
static void again(const char *url)
{
    for (int i = 0; i < 6; i++) {
        struct libcurl lib = open_libcurl(files[i % 2]);
        const char *name = NULL;

        if (!lib.init)
            continue;
        perform(&lib, new_post(&lib, url, &name), &name);
        dlclose(lib.file);
    }
}

/* The functions are what dlsym says they are, every time. */
static void steady(const char *url)
{
    struct libcurl one = open_libcurl(files[0]), two = open_libcurl(files[0]);
    void *program = dlopen(NULL, RTLD_NOW);
    CURL *(*init)(void) = NULL;

    (void)url;
    look_up(program, "curl_easy_init", &init);
    printf("%d %d %d\n", one.init == two.init, init != NULL,
           dlsym(one.file, "curl_easy_nothing") == NULL);
    printf("%s\n", dlerror() ? "an error" : "no error");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "apart") == 0)
        apart(argv[2]);
    else if (strcmp(argv[1], "again") == 0)
        again(argv[2]);
    else
        steady(argv[2]);
    return 0;
}
