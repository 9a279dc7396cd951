/* SPDX-License-Identifier: MIT */
/*
 * doctor_hosts - programs that come to libcurl through files of their own, or
 * through other programs, and where those files are.  A pattern is one of
 * glob(3), braces included; it may begin with ~, or with @, where the program
 * is installed (its bin/ is beside its lib/); % is its version.
 */
#include "doctor.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERNS 4
#define BINDINGS 3

struct binding {
    const char *name;
    const char *package; /* Debian's */
    const char *symbol;  /* that the preload must stand in front of, or NULL */
    const char *remark;
    const char *patterns[PATTERNS + 1];
};

struct uns_host_program {
    const char *names; /* of its file, without version; blanks between */
    const char *own;   /* how it asks without libcurl */
    struct binding bindings[BINDINGS + 1];
    const char *starts; /* it starts programs that do; no bindings */
};

#define BY_NAME                                            \
    "It opens libcurl by name, and gets the functions of " \
    "libunstall.so by dlsym."

/* clang-format off */
static const struct uns_host_program hosts[] = {
    {"python pypy",
     "urllib, requests, httpx, aiohttp and what is built on them "
     "(openai-python, anthropic) do not use libcurl. What opens libcurl by "
     "ctypes is helped.",
     {{"pycurl", "python3-pycurl", NULL, NULL,
       {"@/lib/python{3,%}/{dist,site}-packages/pycurl*.so",
        "@/local/lib/python%/{dist,site}-packages/pycurl*.so",
        "~/.local/lib/python%/site-packages/pycurl*.so"}},
      {"curl_cffi", NULL, NULL, NULL,
       {"@/lib/python%/{dist,site}-packages/curl_cffi/_wrapper*.so",
        "@/local/lib/python%/{dist,site}-packages/curl_cffi/_wrapper*.so",
        "~/.local/lib/python%/site-packages/curl_cffi/_wrapper*.so"}}},
     NULL},
    {"php php-cgi php-fpm",
     "Its http:// streams do not use libcurl.",
     {{"curl", "php-curl", "dlopen",
       "Some builds of PHP open it with RTLD_DEEPBIND, which would keep the "
       "preload out: libunstall.so takes that flag away.",
       {"@/lib/php/*/curl.so", "@/lib{,64}/php*/modules/curl.so",
        "@/lib/php/extensions/*/curl.so"}}},
     NULL},
    {"ruby",
     "Net::HTTP, and what is built on it (ruby-openai, Faraday's default), "
     "does not use libcurl.",
     {{"curb", "ruby-curb", "curl_multi_add_handle", NULL,
       {"@/lib/*/rubygems-integration/*/extensions/*/*/curb-*/curb_core.so",
        "/var/lib/gems/*/extensions/*/*/curb-*/curb_core.so",
        "@/lib/ruby/gems/*/extensions/*/*/curb-*/curb_core.so",
        "~/.gem/ruby/*/extensions/*/*/curb-*/curb_core.so"}},
      {"ethon", "ruby-ethon", "dlsym", BY_NAME,
       {"@/share/rubygems-integration/all/gems/ethon-*",
        "/var/lib/gems/*/gems/ethon-*", "@/lib/ruby/gems/*/gems/ethon-*",
        "~/.gem/ruby/*/gems/ethon-*"}}},
     NULL},
    {"R Rscript",
     "url() and download.file() of base R use the libcurl that R is linked "
     "with.",
     {{"curl", "r-cran-curl", "curl_multi_add_handle",
       "httr2 and ellmer are built on it.",
       {"@/lib/R/{site-,}library/curl/libs/curl.so",
        "@/local/lib/R/site-library/curl/libs/curl.so",
        "~/R/*/*/curl/libs/curl.so"}}},
     NULL},
    {"lua luajit texlua",
     "LuaSocket does not use libcurl. What opens libcurl by LuaJIT's ffi is "
     "helped.",
     {{"lua-curl", "lua-curl", NULL, NULL,
       {"@/lib/*/lua/%/{curl,cURL,lcurl}.so",
        "@/{,local/}lib/lua/%/{curl,cURL,lcurl}.so",
        "~/.luarocks/lib/lua/%/{curl,cURL,lcurl}.so"}}},
     NULL},
    {"perl",
     "LWP, HTTP::Tiny and Mojo::UserAgent do not use libcurl.",
     {{"WWW::Curl", "libwww-curl-perl", NULL, NULL,
       {"@/lib/*/perl5/*/auto/WWW/Curl/Curl.so",
        "@/local/lib/*/perl/*/auto/WWW/Curl/Curl.so"}},
      {"Net::Curl", "libnet-curl-perl", NULL, NULL,
       {"@/lib/*/perl5/*/auto/Net/Curl/Curl.so",
        "@/local/lib/*/perl/*/auto/Net/Curl/Curl.so"}}},
     NULL},
    {"tclsh wish expect",
     "Its package http does not use libcurl.",
     {{"TclCurl", "tclcurl", NULL, NULL,
       {"@/lib/{,*/}tcltk/{,*/}TclCurl*/*.so", "@/lib/TclCurl*/*.so"}}},
     NULL},
    {"node nodejs electron",
     "fetch, http and what is built on them (openai, @anthropic-ai/sdk) do "
     "not use libcurl. What opens libcurl by koffi is helped.",
     {{"node-libcurl", NULL, NULL, NULL,
       {"node_modules/node-libcurl/lib/binding/*.node",
        "@/lib/node_modules/node-libcurl/lib/binding/*.node"}}},
     NULL},
    {"sh bash dash ash zsh ksh mksh fish", NULL, {{.name = NULL}},
     "the programs that it starts, such as curl, inherit the preload"},
    {"emacs emacs-gtk emacs-nox emacs-lucid emacs-pgtk", NULL, {{.name = NULL}},
     "gptel and other packages start curl, which inherits the preload"},
    {"nvim vim", NULL, {{.name = NULL}},
     "its plugins (codecompanion, avante, gp) start curl, which inherits the "
     "preload"},
};

/* clang-format on */

/* "php8.2" has the name "php"; "phpize" has not. */
static bool is_called(const char *name, const char *names)
{
    while (*names != '\0') {
        size_t len = strcspn(names, " ");

        if (strncmp(name, names, len) == 0 &&
            name[len + strspn(name + len, "0123456789.-")] == '\0')
            return true;
        names += len;
        names += *names == ' ';
    }
    return false;
}

const struct uns_host_program *uns_doctor_host(const char *name)
{
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (is_called(name, hosts[i].names))
            return &hosts[i];
    return NULL;
}

/* What was found for one host. */
struct search {
    struct uns_patient *patient;
    const struct binding *binding;
    bool is_script;      /* it is known by its own name: R */
    const char *helped;  /* the first binding that can be; NULL: none */
    const char *missing; /* why one cannot be */
};

/* Is the file's libcurl one that we can stand in front of?  If not, why. */
static const char *look(const struct search *search, const char *path,
                        char **found)
{
    struct uns_doctor *doctor = search->patient->doctor;
    struct uns_closure closure;
    char version[UNS_IMAGE_VERSION] = "of unknown version";
    enum uns_err err = uns_closure_open(
        &closure, path, uns_doctor_getenv(doctor, "LD_LIBRARY_PATH"));
    size_t curl = err == UNS_OK ? uns_closure_libcurl(&closure, 0) : 0;
    const char *wrong = NULL;

    if (curl > 0) {
        (void)uns_image_curl(&closure.list[curl].image, version);
        uns_findings_say(found, "%s: %s %s", path, closure.list[curl].name,
                         version);
        wrong = uns_doctor_curl_gap(doctor, &closure);
    } else if (err == UNS_OK &&
               uns_image_curl(&closure.list[0].image, version)) {
        uns_findings_say(found, "%s: libcurl %s", path, version);
        wrong = "libcurl is linked into it statically";
    } else if (err == UNS_OK) {
        uns_findings_say(found, "%s", path);
        wrong = "it is not linked with libcurl";
    } else {
        uns_findings_say(found, "%s", path);
    }
    uns_closure_close(&closure);
    return wrong;
}

static void add_found(struct search *search, const char *path)
{
    struct uns_doctor *doctor = search->patient->doctor;
    const struct binding *binding = search->binding;
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_GOOD, binding->name);
    const char *wrong = look(search, path, &row->found);

    if (wrong == NULL && binding->symbol != NULL)
        wrong = uns_doctor_gap(doctor, binding->symbol);
    if (wrong == NULL) {
        search->helped = binding->name;
        if (binding->remark != NULL)
            uns_findings_say(&row->means, "%s", binding->remark);
        return;
    }
    search->missing = wrong;
    row->level = UNS_LEVEL_BAD;
    uns_findings_say(&row->means, "Its calls go on as without unstall: %s.",
                     wrong);
}

/* Where the program is installed: "/usr" for /usr/bin/php, and for /bin/php
 * where /bin is a link. */
static bool prefix_of(const char *path, char ret_prefix[PATH_MAX])
{
    char dir[PATH_MAX];
    char *slash;

    if (snprintf(dir, sizeof dir, "%.*s.", (int)(uns_image_base(path) - path),
                 path) >= PATH_MAX ||
        realpath(dir, ret_prefix) == NULL)
        return false;
    slash = strrchr(ret_prefix, '/');
    *slash = '\0';
    return *ret_prefix != '\0';
}

/* "3.11" of python3.11; "*" when the name has none. */
static const char *version_of(const struct uns_target *target)
{
    const char *name = uns_image_base(target->real);
    const char *version = name + strcspn(name, "0123456789");

    return *version != '\0' && *target->script == '\0' ? version : "*";
}

static void expand(const struct search *search, const char *pattern,
                   const char *prefix, char out[2 * PATH_MAX])
{
    const char *version = version_of(search->patient->target);
    size_t used = 0;

    for (; *pattern != '\0' && used < PATH_MAX; pattern++) {
        const char *with = *pattern == '@'   ? prefix
                           : *pattern == '%' ? version
                                             : NULL;

        if (with == NULL)
            out[used++] = *pattern;
        else
            used += (size_t)snprintf(out + used, PATH_MAX, "%s", with);
    }
    out[used] = '\0';
}

/* Patterns that know no prefix are tried once, with the first. */
static void search_pattern(struct search *search, const char *pattern,
                           const char *prefix, bool first)
{
    char full[2 * PATH_MAX];
    glob_t found;

    if (*pattern != '@' && !first)
        return;
    expand(search, pattern, prefix, full);
    if (glob(full, GLOB_BRACE | GLOB_TILDE, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_found(search, found.gl_pathv[i]);
    globfree(&found);
}

/* What is installed with a virtual environment's python counts, and so does
 * what is with the python that it leads to.  With a script that is known by
 * its own name, its own place alone. */
static void search_binding(struct search *search)
{
    const struct uns_target *target = search->patient->target;
    const char *path = search->is_script ? target->script : target->path;
    char prefix[PATH_MAX], real[PATH_MAX];
    bool first = prefix_of(path, prefix);
    bool second = !search->is_script && prefix_of(target->real, real) &&
                  (!first || strcmp(prefix, real) != 0);

    for (size_t i = 0; i < PATTERNS; i++) {
        const char *pattern = search->binding->patterns[i];

        if (pattern != NULL && first)
            search_pattern(search, pattern, prefix, true);
        if (pattern != NULL && second)
            search_pattern(search, pattern, real, !first);
    }
}

static void add_missing(struct uns_doctor *doctor,
                        const struct binding *binding)
{
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, binding->name);

    uns_findings_say(&row->found, "not found");
    if (binding->package != NULL)
        uns_findings_say(&row->todo, "Debian's package is %s.",
                         binding->package);
}

static void judge(const struct search *search,
                  const struct uns_host_program *host)
{
    struct uns_doctor *doctor = search->patient->doctor;
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "otherwise");

    uns_findings_say(&row->found, "%s", host->own);
    if (search->helped != NULL)
        uns_doctor_judge(doctor, UNS_DOCTOR_POSSIBLE,
                         "where it uses %s, a binding of libcurl",
                         search->helped);
    else if (search->missing != NULL)
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT, "%s", search->missing);
    else if (search->is_script)
        uns_doctor_judge(doctor, UNS_DOCTOR_POSSIBLE,
                         "it is a script, and what it starts inherits the "
                         "preload");
    else
        uns_doctor_judge(doctor, UNS_DOCTOR_CANNOT,
                         "no binding of libcurl is installed for it");
}

/* The first line of a script that has the word curl in it; 0: none. */
static unsigned line_with_curl(const char *script)
{
    struct uns_image image;
    const char *found = NULL;
    unsigned line = 0;

    if (uns_image_open(script, &image) != UNS_IO)
        found = uns_image_find(&image, "curl ");
    if (found != NULL) {
        line = 1;
        for (const char *at = image.file.data; at < found; at++)
            line += *at == '\n';
    }
    uns_image_close(&image);
    return line;
}

static void examine_starter(struct uns_patient *patient,
                            const struct uns_host_program *host)
{
    struct uns_doctor *doctor = patient->doctor;
    const char *script = patient->target->script;
    unsigned line = *script ? line_with_curl(script) : 0;
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "children");

    if (line > 0)
        uns_findings_say(&row->found, "curl, in line %u", line);
    else
        uns_findings_say(&row->found, "whatever it starts");
    uns_findings_say(&row->means, "They inherit LD_PRELOAD: each is helped if "
                                  "it can be.");
    uns_findings_say(&row->todo, "unstall doctor %s",
                     line > 0 ? "curl" : "PROGRAM");
    uns_doctor_judge(doctor, UNS_DOCTOR_POSSIBLE, "%s", host->starts);
}

void uns_doctor_host_examine(struct uns_patient *patient,
                             const struct uns_host_program *host)
{
    const struct uns_target *target = patient->target;
    struct search search = {.patient = patient,
                            .is_script = *target->script &&
                                         uns_doctor_host(target->name) == host};

    if (host->starts != NULL) {
        examine_starter(patient, host);
        return;
    }
    for (size_t i = 0; host->bindings[i].name != NULL; i++) {
        size_t before = patient->doctor->findings.count;

        search.binding = &host->bindings[i];
        search_binding(&search);
        if (patient->doctor->findings.count == before)
            add_missing(patient->doctor, search.binding);
    }
    judge(&search, host);
}
