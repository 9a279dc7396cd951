/* SPDX-License-Identifier: MIT */
/* trace - thins a timeline while reading it. */
#include "trace.h"

#include "core/timeline.h"

/* The last point is provisional: it moves on until a silence follows it, so
 * that a run of chunks is two points. */
void uns_trace_note(struct uns_trace *trace, uns_ns at_ns)
{
    size_t last = trace->points - 1;
    bool runs = trace->points > 1 && !uns_trace_is_silence(trace, last - 1);
    bool silent =
        trace->points > 0 && at_ns - trace->at_ns[last] >= UNS_TRACE_GRAIN;

    if (trace->points == UNS_TRACE_POINTS || (runs && !silent))
        trace->at_ns[last] = at_ns;
    else
        trace->at_ns[trace->points++] = at_ns;
}

void uns_trace_close(struct uns_trace *trace, uns_ns end_ns)
{
    uns_ns last_ns = trace->points ? trace->at_ns[trace->points - 1] : 0;

    trace->end_ns = end_ns > last_ns ? end_ns : last_ns;
}

/* After a pause by the application its clocks go on from the pause's end. */
static void take_moment(struct uns_trace *trace,
                        const struct uns_moment *moment)
{
    bool progress =
        moment->mark == UNS_MARK_CHUNK || moment->mark == UNS_MARK_STRUCTURAL;

    if (progress)
        uns_trace_note(trace, moment->at_ns);
    if (moment->span_ns > 0 &&
        (progress || (moment->mark == UNS_MARK_PAUSE && trace->points > 0)))
        uns_trace_note(trace, moment->at_ns + moment->span_ns);
}

static void take_times(struct uns_trace *trace,
                       const struct uns_attempt_record *attempt)
{
    if (attempt->ttft_us == UNS_NULL)
        return;
    uns_trace_note(trace, attempt->ttft_us * 1000);
    if (attempt->generation_ms != UNS_NULL && attempt->generation_ms > 0 &&
        trace->points < UNS_TRACE_POINTS)
        trace->at_ns[trace->points++] =
            trace->at_ns[0] + attempt->generation_ms * UNS_MS;
}

static double known(int64_t number, double otherwise)
{
    return number == UNS_NULL ? otherwise : (double)number;
}

void uns_trace_read(const struct uns_attempt_record *attempt,
                    struct uns_slice timeline, struct uns_trace *ret_trace)
{
    struct uns_moment moment = {0};
    size_t at = 0;

    *ret_trace = (struct uns_trace){
        .tokens = known(attempt->tokens_out, known(attempt->chunk_count, 0)),
    };
    while (uns_timeline_next((const uint8_t *)timeline.data, timeline.len, &at,
                             &moment))
        take_moment(ret_trace, &moment);
    if (ret_trace->points == 0)
        take_times(ret_trace, attempt);
    uns_trace_close(ret_trace, attempt->wall_ms == UNS_NULL
                                   ? 0
                                   : attempt->wall_ms * UNS_MS);
}

bool uns_trace_is_silence(const struct uns_trace *trace, size_t i)
{
    return trace->at_ns[i + 1] - trace->at_ns[i] >= UNS_TRACE_GRAIN;
}

double uns_trace_written(const struct uns_trace *trace, uns_ns ns)
{
    uns_ns first, last;

    if (trace->points == 0 || ns < trace->at_ns[0])
        return 0;
    first = trace->at_ns[0];
    last = trace->at_ns[trace->points - 1];
    if (ns >= last)
        return 1;
    return (double)(ns - first) / (double)(last - first);
}
