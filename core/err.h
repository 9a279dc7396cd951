/* SPDX-License-Identifier: MIT */
#ifndef UNS_ERR_H
#define UNS_ERR_H

/* Every way a call into our own code can fail, in one list: the enum,
 * uns_err_name() and uns_err_str() are generated from it, so they cannot
 * drift apart. */
#define UNS_ERR_MAP(X)                            \
    X(OK, "success")                              \
    X(NOMEM, "out of memory")                     \
    X(TOOBIG, "input exceeds a fixed limit")      \
    X(SYNTAX, "malformed input")                  \
    X(NOTFOUND, "no such thing")                  \
    X(IO, "the operating system refused")         \
    X(BUSY, "somebody else holds the lock")       \
    X(CORRUPT, "the file is damaged")             \
    X(FOREIGN, "it is not a file of unstall")     \
    X(UNSUPPORTED, "not possible for this input") \
    X(CONFIG, "the configuration has errors")

enum uns_err {
#define X(name, text) UNS_##name,
    UNS_ERR_MAP(X)
#undef X
    UNS_ERR_COUNT
};

/* A caller that drops the result is a compile error (-Werror=unused-result). */
#define UNS_MUST_USE __attribute__((warn_unused_result))

/* Short stable name ("NOMEM"), for logs and tests; "?" if out of range. */
const char *uns_err_name(enum uns_err err);

/* What it means, for people; "?" if out of range. */
const char *uns_err_str(enum uns_err err);

#endif
