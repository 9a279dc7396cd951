/* SPDX-License-Identifier: MIT */
#ifndef UNS_CONFIG_H
#define UNS_CONFIG_H

/*
 * config - the settings, their types, ranges, defaults and meanings, as one
 * table (settings.def); and which of them hold for one call.  Plain data: the
 * reading of files and of the environment is engine/config's.
 */

#include "detect.h"
#include "err.h"
#include "race.h"

/* The words of a setting are its enum's, in order (uns_setting_word). */
enum uns_mode {
    UNS_MODE_OFF,
    UNS_MODE_OBSERVE,
    UNS_MODE_SHADOW,
    UNS_MODE_HEDGE,
    UNS_MODE_COUNT
};

/* after_s: a number, a quantile ("p95"), "auto" or null. */
struct uns_delay {
    enum {
        UNS_DELAY_OFF,
        UNS_DELAY_FIXED,
        UNS_DELAY_QUANTILE,
        UNS_DELAY_AUTO
    } how;

    uns_ns fixed_ns;
    double quantile; /* 0 < q < 1 */
};

enum uns_resume {
    UNS_RESUME_OFF,
    UNS_RESUME_VERIFY,
    UNS_RESUME_PREFILL,
    UNS_RESUME_AUTO
};

/* How a source wants to be told of an answer that it is to continue. */
enum uns_prefill {
    UNS_PREFILL_NONE,          /* it cannot continue one */
    UNS_PREFILL_ASSISTANT,     /* by the last turn alone */
    UNS_PREFILL_PREFIX,        /* "prefix": true in it */
    UNS_PREFILL_PARTIAL,       /* "partial": true in it */
    UNS_PREFILL_FINAL_MESSAGE, /* "continue_final_message": true beside it */
    UNS_PREFILL_COUNT
};

/* failover_on, resolved: which statuses and in-body codes are failures. */
#define UNS_FAILOVER_CODES 16

struct uns_failover {
    bool status[600];
    const char *code[UNS_FAILOVER_CODES]; /* NULL-terminated unless full */
};

struct uns_hedge {
    struct uns_delay after;
    uns_ns stall_after_ns; /* UNS_NEVER: null */
    uns_ns hold_ns;        /* UNS_NEVER: "all" */
    uint64_t hold_limit_bytes;
    enum uns_resume resume;
    enum uns_prefill self_prefill; /* of the application's own endpoint */
    bool first_complete;           /* decide */
    uint8_t max_attempts;
    struct uns_failover failover;
    uns_ns floor_ns, warmup_ns;
    double budget_burst, budget_ratio;
    int64_t budget_per_hour, budget_per_day; /* UNS_NULL: no cap */
};

struct uns_retry {
    uint8_t max;
    uns_ns backoff_ns;
};

struct uns_stream_rules {
    uns_ns stall_threshold_ns;
    uns_ns ttft_timeout_ns, stall_timeout_ns; /* UNS_NEVER: null */
    bool liveness_bytes; /* liveness: "bytes" instead of "content" */
    bool promote;
    uns_ns tcp_keepalive_ns; /* UNS_NEVER: null */
};

/* How a source wants its key. */
enum uns_auth {
    UNS_AUTH_AUTO,           /* by the request's dialect: x-api-key for
                                anthropic, x-goog-api-key for gemini, else
                                bearer */
    UNS_AUTH_BEARER,         /* Authorization: Bearer KEY */
    UNS_AUTH_X_API_KEY,      /* x-api-key: KEY */
    UNS_AUTH_API_KEY,        /* api-key: KEY */
    UNS_AUTH_X_GOOG_API_KEY, /* x-goog-api-key: KEY */
    UNS_AUTH_NONE
};

struct uns_pair {
    const char *key, *value;
};

/* A second place to ask.  The source named "self" is the application's own
 * endpoint again, and has no base_url. */
struct uns_source {
    const char *name;
    const char *base_url; /* NULL: self */
    uint32_t dialects;    /* bit per enum uns_dialect; 0: any */
    enum uns_auth auth;
    const char *api_key_env, *api_key_file; /* NULL: none */
    const struct uns_pair *models;          /* NULL: names go as they are;
                                               the key "*" is any model */
    size_t model_count;
    const struct uns_pair *headers;
    size_t header_count;
    const char *ca_file;      /* NULL: default trust */
    enum uns_prefill prefill; /* self: the policy says it */
};

/* What holds for the calls that a route matches, everything merged. */
struct uns_policy {
    const char *route; /* its pattern; NULL: no route, the top level */
    enum uns_mode mode;
    struct uns_hedge hedge;
    struct uns_retry retry;
    struct uns_stream_rules stream;
    const struct uns_source *const *sources; /* in order, attempt 0 excluded */
    size_t source_count;
};

/* Can a request for `model` (raw, as in the body) be moved to `source`?  If so
 * *ret_model is its name there; NULL: the name goes as it is. */
bool uns_source_model(const struct uns_source *source, struct uns_slice model,
                      const char **ret_model);

/* How `source` can be asked to continue an answer, as it is declared. */
enum uns_prefill uns_source_prefill(const struct uns_policy *policy,
                                    const struct uns_source *source);

#endif
