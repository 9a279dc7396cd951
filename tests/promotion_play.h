/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_PROMOTION_PLAY_H
#define UNS_TESTS_PROMOTION_PLAY_H

/* promotion_play - a request that does not stream, and streams that answer it:
 * one that is whole, one that stops, one that breaks off. */

#include "bench.h"
#include "check.h"

#define ASKED "{\"model\":\"gpt-4o\",\"messages\":[]}"
#define JSON(word)                                                    \
    "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\"," \
    "\"content\":\"" word "\"},\"finish_reason\":\"stop\"}]}"
#define STREAM_HEAD                                          \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" \
    "Transfer-Encoding: chunked\r\nx-id: 7\r\n\r\n"

static const struct fake_beat healthy[] = {
    HEAD(10, STREAM_HEAD), BODY(20, ROLE), BODY(30, DELTA("Ti")),
    BODY(40, DELTA("de")), BODY(50, STOP), BODY(60, DONE),
    END(70, CURLE_OK),
};
static const struct fake_beat stalls[] = {HEAD(10, STREAM_HEAD),
                                          BODY(20, ROLE DELTA("Al")), SILENCE};
static const struct fake_beat cut[] = {HEAD(10, STREAM_HEAD),
                                       BODY(20, ROLE DELTA("Al")),
                                       END(30, CURLE_RECV_ERROR)};

static inline void open_asking(void)
{
    bench_open();
    bench_sources(1);
    bench.policy.stream.promote = true;
    bench.policy.hedge.stall_after_ns = 3 * UNS_S;
    bench.policy.hedge.failover.status[500] = true;
    bench_set(CURLOPT_TIMEOUT, 60L);
    bench_set(CURLOPT_POSTFIELDS, ASKED);
}

#endif
