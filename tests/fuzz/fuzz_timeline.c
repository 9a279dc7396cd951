/* SPDX-License-Identifier: MIT */
/* Any bytes read as a blob give moments in order and an end; any moments noted
 * stay within the buffer and lose no chunk. */
#include "core/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static uint64_t read_blob(const uint8_t *blob, size_t len)
{
    struct uns_moment moment = {.count = 0};
    uint64_t chunks = 0;
    uns_ns end_ns = 0;
    size_t at = 0, before = 0;
    for (; uns_timeline_next(blob, len, &at, &moment); before = at) {
        must(at > before && at <= len, "an entry of no bytes, or too many");
        must(moment.at_ns >= end_ns, "time goes back");
        must(moment.span_ns >= 0 && moment.count > 0, "an empty moment");
        must(moment.gap_ns >= 0 && moment.gap_ns <= moment.at_ns, "gap");
        end_ns = moment.at_ns + moment.span_ns;
        chunks += moment.mark == UNS_MARK_CHUNK ? moment.count : 0;
    }
    return chunks;
}

static void note_all(const uint8_t *data, size_t size)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    uint64_t chunks = 0;
    uns_ns now_ns = 0;
    uns_timeline_init(&timeline, buf, sizeof buf, data[0] * UNS_MS);
    for (size_t i = 1; i + 4 <= size; i += 4) {
        struct uns_moment moment = {
            .mark = (enum uns_mark)(data[i] & 3),
            .count = (data[i] >> 2) + 1u,
            .at_ns = now_ns += (uns_ns)1 << data[i + 1] % 56,
            .span_ns = data[i + 2] % 64 ? 0 : (uns_ns)data[i + 2] << 40,
            .gap_ns = (uns_ns)1 << data[i + 3] % 63,
        };
        uns_timeline_note(&timeline, &moment);
        chunks += moment.mark == UNS_MARK_CHUNK ? moment.count : 0;
        must(timeline.len <= sizeof buf, "grown");
    }
    must(timeline.chunks == chunks, "chunks noted");
    must(read_blob(buf, timeline.len) == chunks, "chunks read");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)read_blob(data, size);
    if (size > 0)
        note_all(data, size);
    return 0;
}
