#!/usr/bin/env python3
"""What `unstall report --json` has to say of a store: expect.py DB BY

Computed anew from the tables in SQL and from the timelines by the layout in
core/timeline.c; nothing here is taken from cli/.  --check JSON compares, and
names every key that differs.
"""
import json
import math
import sqlite3
import sys

OUTCOMES = ["ok", "refused", "failed", "truncated", "timeout", "aborted",
            "killed"]
UNSENT = """budget_exhausted budget_unreadable pushback no_key not_movable not_replayable
same_origin_failed launch_failed max_attempts not_resumable mid_frame
opaque too_long too_many paused""".split()
LOSSES = """late unauthorized rate_limited status connect broken
diverged""".split()
WHYS = ["first_token", "stall", "failure", "tied", "resume"]
QUANTITIES = ["ttft_ms", "gap_ms", "tpot_ms", "tpot_token_ms",
              "tokens_per_s", "stall_ms", "net_ms", "wall_ms"]
BOUNDS = [0] + [step * 10 ** power for power in range(8)
                for step in (10, 15, 20, 30, 50, 70)] + [10 ** 9]


def moments(blob):
    """(mark, at, gap, count, span) in microseconds."""
    at, base = 1, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = blob[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(blob):
        head = varint()
        delta, gap, count, span = head >> 4, 0, 1, 0
        if head & 1:
            late = varint()
            gap = delta - (~(late >> 1) if late & 1 else late >> 1)
        if head & 2:
            count, span = varint() + 1, varint()
        base += delta
        yield head >> 2 & 3, base, gap, count, span
        base += span


def gaps(blob):
    """(length, how often, whether it is a mean)."""
    first = True
    for mark, _, gap, count, span in moments(blob):
        if mark != 0:
            continue
        if not first:
            yield gap, 1, False
        first = False
        if count > 1:
            yield span // (count - 1), count - 1, span > 0


def quantile(values, share):
    """The least value that has at least that share not above it."""
    return values[max(0, -(-len(values) * share // 1000) - 1)]


def digits(us):
    """Cut off to eleven binary digits."""
    cut = max(0, us.bit_length() - 11)
    return us >> cut << cut


def summary(values, mean=None, show=lambda value: value):
    values = sorted(values)
    names = dict(p50=500, p90=900, p95=950, p99=990, max=1000)
    out = {"n": len(values), "mean": None}
    if values:
        out["mean"] = sum(values) / len(values) if mean is None else mean
    for name, share in names.items():
        out[name] = show(quantile(values, share)) if values else None
    return out


def known(rows, name):
    return [row[name] for row in rows if row[name] is not None]


def answer(call):
    for attempt in call["list"]:
        if attempt["seq"] == (call["winner"] or 0):
            return attempt
    return None


def tokens(call):
    return call["chunk_count"] if call["tokens_out"] is None \
        else call["tokens_out"]


def rates(calls):
    tpot, weights, rate = [], [], []
    for call in calls:
        count = tokens(call)
        if call["generation_ms"] is None or count is None or count < 2:
            continue
        tpot.append(call["generation_ms"] / (count - 1))
        weights.append(count - 1)
        active = call["active_generation_ms"]
        if active is None or call["chunk_count"] < 5 or active == 0:
            continue
        if call["generation_ms"] / (call["chunk_count"] - 1) < 1:
            continue
        if call["stall_ms"] <= active:
            rate.append(1000 * (count - 1) / active)
    each = [value for value, weight in zip(tpot, weights)
            for _ in range(weight)]
    return tpot, each, rate


def phase(call):
    if call["outcome"] not in ("refused", "failed", "truncated", "timeout",
                               "killed"):
        return None
    far = answer(call) or dict(call, origin=call["endpoint"])
    if (far["http_status"] or 0) >= 400:
        return "status"
    if far["ttft_ms"] is not None:
        return "streaming"
    if (far["http_status"] or 0) >= 200:
        return "first_token"
    if far["connect_ms"] is None:
        return "unknown" if call["outcome"] == "killed" else "connect"
    if far["origin"].startswith("https:") and far["tls_ms"] is None:
        return "tls"
    return "headers"


def silent(call):
    """What calls --stalled lists beside the stalls."""
    if (call["stall_count"] or 0) > 0:
        return False
    if call["hedge_reason"] == "stall":
        return True
    own = [one for one in call["list"] if one["seq"] == 0]
    if call["resumed"] == 1 and own and own[0]["outcome"] == "hedge_cancelled":
        return True
    ends = known([call], "silent_ms") + known([call], "tail_ms") + \
        known([call], "wall_ms")
    return call["outcome"] in ("timeout", "truncated", "killed") and \
        bool(ends) and ends[0] > 2000


def loss(hedge):
    status = hedge["http_status"]
    if hedge["outcome"] != "failed":
        return "diverged" if hedge["outcome"] == "diverged" else "late"
    if (status or 0) >= 400:
        return {401: "unauthorized", 403: "unauthorized",
                429: "rate_limited"}.get(status, "status")
    if status is not None or hedge["ttft_ms"] is not None:
        return "broken"
    last = "tls_ms" if hedge["origin"].startswith("https:") else "connect_ms"
    return "connect" if None in (hedge["connect_ms"], hedge[last]) \
        else "broken"


def attempts_of(calls):
    for call in calls:
        best = answer(call)
        for attempt in call["list"]:
            yield call, attempt, attempt is best


def add_hedges(out, calls):
    for call, attempt, best in attempts_of(calls):
        if not best:
            out["extra_tokens_in"] += attempt["tokens_in"] or 0
            out["extra_tokens_out"] += attempt["tokens_out"] or 0
            out["extra_untold"] += attempt["tokens_in"] is None and \
                attempt["tokens_out"] is None
        if attempt["seq"] == 0:
            out["rescued"] += attempt["outcome"] == "failed" and \
                call["outcome"] == "ok"
            continue
        out["extra_requests"] += 1
        if attempt["why"] == "retry" or attempt["outcome"] == "shadow":
            continue
        end = "won" if attempt["outcome"] == "won" else "wasted"
        out["hedges_fired"] += 1
        out[f"hedges_{end}"] += 1
        out[f"{end}_{attempt['why']}"] += 1
        if end == "wasted":
            out["lost_" + loss(attempt)] += 1


def histogram(lengths):
    counts = [0] * 50
    for us, times in lengths:
        counts[max(i for i in range(50) if us >= BOUNDS[i])] += times
    return counts


def figures(calls):
    names = ["hedges_fired", "hedges_won", "hedges_wasted", "extra_requests",
             "extra_tokens_in", "extra_tokens_out", "extra_untold", "rescued",
             "gaps_merged", "no_timeline", "failures"]
    names += [f"{end}_{why}" for end in ("won", "wasted") for why in WHYS]
    names += [f"failed_{name}" for name in
              ("connect", "tls", "headers", "status", "first_token",
               "streaming", "unknown")]
    names += [f"lost_{name}" for name in LOSSES]
    names += ["unsent"] + [f"unsent_{reason}" for reason in UNSENT]
    out = dict.fromkeys(names, 0)
    lengths = []
    for call in calls:
        if call["hedge_reason"] in UNSENT:
            out["unsent"] += 1
            out["unsent_" + call["hedge_reason"]] += 1
        if phase(call):
            out["failures"] += 1
            out["failed_" + phase(call)] += 1
        if call["stall_ms"] is None and not call["lost_stalls"]:
            continue
        blob = answer(call)["timeline"]
        if blob is None:
            out["no_timeline"] += 1
            continue
        for length, count, merged in gaps(blob):
            lengths += [length] * count
            out["gaps_merged"] += count if merged else 0
    add_hedges(out, calls)
    tpot, each, rate = rates(calls)
    out.update({f"calls_{name}": sum(call["outcome"] == name
                                     for call in calls) for name in OUTCOMES})
    out.update(
        calls=len(calls),
        calls_streaming=sum(call["streaming"] == 1 for call in calls),
        first_at=min(known(calls, "started_at"), default=None),
        last_at=max(known(calls, "started_at"), default=None),
        stalls=sum(known(calls, "stall_count")),
        silent_calls=sum(silent(call) for call in calls),
        failed_calls=sum(call["outcome"] in ("failed", "truncated", "timeout",
                                             "killed") for call in calls),
        calls_without_first_token=len(calls) - len(known(calls, "ttft_ms")),
        stalled_calls=sum((call["stall_count"] or 0) > 0 for call in calls),
        counted_chunks=sum(
            call["tokens_out"] is None and (call["chunk_count"] or 0) > 1
            and call["generation_ms"] is not None for call in calls),
        gap_ms=summary(lengths, show=lambda us: digits(us) / 1000),
        tpot_ms=summary(tpot),
        tpot_token_ms=summary(each),
        tokens_per_s=summary(rate),
    )
    if lengths:
        out["gap_ms"]["mean"] = sum(lengths) / len(lengths) / 1000
    for name in ("ttft_ms", "stall_ms", "net_ms", "wall_ms"):
        out[name] = summary(known(calls, name))
    out["histograms"] = {
        "ttft_histogram": histogram((us, 1) for us in known(calls, "ttft_us")),
        "gap_histogram": histogram((us, 1) for us in lengths),
    }
    return out


def again(call, threshold_us):
    """By another threshold."""
    call["lost_stalls"] = False
    if threshold_us is None or call["stall_ms"] is None:
        return
    blob = answer(call)["timeline"]
    call.update(stall_ms=None, stall_count=None, active_generation_ms=None,
                net_ms=call["wall_ms"], lost_stalls=True)
    if blob is None:
        return
    stalls = [length for length, _, merged in gaps(blob)
              if length > threshold_us and not merged]
    call["stall_count"] = len(stalls)
    call["stall_ms"] = sum(stalls) // 1000
    call["active_generation_ms"] = call["generation_ms"] - call["stall_ms"]
    call["net_ms"] = max(0, call["wall_ms"] - call["stall_ms"])


def load(path, key):
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    calls = [dict(row) for row in db.execute(
        f"SELECT *, {key} AS key FROM calls ORDER BY id")]
    for call in calls:
        call["list"] = [dict(row) for row in db.execute(
            "SELECT * FROM attempts WHERE call_id = ? ORDER BY seq",
            (call["id"],))]
    return calls


KEYS = {
    "host": "substr(endpoint, instr(endpoint, '://') + 3,"
            " instr(substr(endpoint, instr(endpoint, '://') + 3), '/') - 1)",
    "model": "model",
    "program": "program",
    "hour": "strftime('%Y-%m-%d %H:00', started_at / 1000000, 'unixepoch',"
            " 'localtime')",
}


def differ(where, got, want):
    if isinstance(want, dict):
        return sum(differ(f"{where}.{name}", got.get(name), want[name])
                   for name in want)
    if isinstance(want, float) and got is not None:
        if math.isclose(got, want, abs_tol=0.00051):
            return 0
    elif got == want:
        return 0
    print(f"{where}: {got}, not {want}")
    return 1


def check_histograms(got, want):
    wrong = 0
    for name, counts in want.items():
        rows = {round(row["from_ms"] * 1000): row["count"]
                for row in got[name]}
        mine = {BOUNDS[i]: count for i, count in enumerate(counts) if count}
        theirs = {bound: count for bound, count in rows.items() if count}
        wrong += differ(name, theirs, mine) + differ(name, mine, theirs)
    return wrong


def main():
    path, by, said = sys.argv[1:4]
    threshold = int(sys.argv[4]) * 1000 if len(sys.argv) > 4 else None
    with open(said, encoding="utf-8") as file:
        said = json.load(file)
    calls = load(path, KEYS[by])
    for call in calls:
        again(call, threshold)
    groups = {}
    for call in calls:
        groups.setdefault(call["key"], []).append(call)
    want = figures(calls)
    wrong = check_histograms(said[0], want.pop("histograms"))
    wrong += differ("all", said[0], want)
    wrong += differ("keys", len(said) - 1, len(groups))
    for row in said[1:]:
        want = figures(groups[row["key"]])
        want.pop("histograms")
        wrong += differ(f"{by} {row['key']}", row, want)
    past = said[0]["stall_history"]
    for name in ("calls", "stalled_calls", "silent_calls", "stalls"):
        wrong += differ(f"history {name}", sum(row[name] for row in past),
                        said[0][name])
    wrong += differ("history stall_ms", sum(row["stall_ms"] for row in past),
                    sum(call["stall_ms"] or 0 for call in calls))
    print(f"{len(calls)} calls, {len(groups)} groups, {wrong} differences")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
