/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_RESUME_PLAY_H
#define UNS_TESTS_RESUME_PLAY_H

/* resume_play - an answer that stops in each of its ways, and a rival that
 * says the same. */

#include "bench.h"
#include "check.h"

/* The application's stream is a's; a rival's b's. */
#define SAID(id, text)                                              \
    "data: {\"id\":\"" id "\",\"choices\":[{\"index\":0,\"delta\":" \
    "{\"content\":\"" text "\"}}]}\n\n"
#define A(text) SAID("a", text)
#define B(text) SAID("b", text)
#define FAILED  "data: {\"error\":{\"type\":\"overloaded\"}}\n\n"
#define SEEDED                                                       \
    "{\"model\":\"gpt-4o\",\"stream\":true,\"seed\":7,\"messages\":" \
    "[{\"role\":\"user\",\"content\":\"hi\"}]}"

static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, A("The ")),
    BODY(30, A("ti")),
    SILENCE,
};
static const struct fake_beat cut[] = {
    HEAD(10, OK_HEAD),
    BODY(20, A("The ")),
    BODY(30, "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"delta\":"
             "{\"content\":\"ti"),
    END(40, CURLE_RECV_ERROR),
};
/* In one piece with the last good event, and more behind it. */
static const struct fake_beat fails[] = {
    HEAD(10, OK_HEAD),
    BODY(20, A("The ") A("ti") FAILED),
    BODY(30, DONE),
    END(40, CURLE_OK),
};
static const struct fake_beat unfinished[] = {
    HEAD(10, OK_HEAD),
    BODY(20, A("The ")),
    BODY(30, A("ti")),
    END(40, CURLE_OK),
};
static const struct fake_beat same[] = {
    HEAD(10, OK_HEAD),    BODY(20, B("The ")), BODY(30, B("tide ")),
    BODY(40, B("rises")), BODY(50, STOP),      BODY(50, DONE),
    END(60, CURLE_OK),
};

#define BEGUN A("The ") A("ti")
#define WHOLE BEGUN A("de ") A("rises") STOP DONE

static inline void open_with(enum uns_resume resume, const char *body)
{
    bench_open();
    bench_sources(2);
    bench.policy.hedge.stall_after_ns = 3 * UNS_S;
    bench.policy.hedge.resume = resume;
    bench.policy.hedge.failover.status[500] = true;
    bench_set(CURLOPT_TIMEOUT, 60L);
    bench_set(CURLOPT_POSTFIELDS, body);
}

#endif
