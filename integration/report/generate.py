#!/usr/bin/env python3
"""Adds calls to a store: generate.py DB COUNT [SEED]

The store has to be there (a program's call makes it).  The calls look like
those of four programs at three providers: most are well, some are slow,
stall, fail in each phase, or are hedged.  The timelines are encoded here, by
the layout in core/timeline.c and not by its code.
"""
import itertools
import random
import sqlite3
import sys

PROGRAMS = ["curl", "php", "python3", "Rscript"]
PLACES = [
    ("https://api.openai.com/v1/chat/completions", "chat", "gpt-4o"),
    ("https://api.anthropic.com/v1/messages", "anthropic", "claude-x"),
    ("http://127.0.0.1:8080/v1/chat/completions", "chat", None),
]
BEGIN_US = 1785412525000000
THRESHOLD_MS = 2000


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return ~(value << 1) if value < 0 else value << 1


def timeline(moments):
    """moments: (mark, at_us, gap_us, count, span_us), in order."""
    out = bytearray(b"\x01")
    before = 0
    for mark, at, gap, count, span in moments:
        delta = at - before
        many = count > 1 or span > 0
        out += varint(delta << 4 | mark << 2 | many << 1 | (gap > 0))
        if gap > 0:
            out += varint(zigzag(delta - gap))
        if many:
            out += varint(count - 1) + varint(span)
        before = at + span
    return bytes(out)


class Answer:
    """The moments of one attempt, and what its record says of them."""

    def __init__(self, rng, ttft_us, chunks, stalls, thinned=False):
        self.moments = []
        self.chunks = 0
        self.stalls = []
        at = last = ttft_us
        self.moments.append((2, ttft_us // 2, 0, 1, 0))  # a keepalive
        for i in range(chunks):
            gap = 0
            if i > 0:
                gap = int(rng.lognormvariate(9.9, 0.6))  # about 20 ms
                if i in stalls:
                    gap = stalls[i]
                busy = rng.choice([0, 0, 0, 40])  # the program's own time
                at = last + gap + busy
            count = rng.choice([1, 1, 1, 1, 2, 3])
            span = 0
            if thinned and i % 7 == 3:
                count, span = 9, 80001
            self.moments.append((0, at, gap, count, span))
            self.chunks += count
            last = at + span
            if gap > THRESHOLD_MS * 1000:
                self.stalls.append((self.chunks - count, last - gap, gap))
        self.ttft_us = ttft_us
        self.generation_us = last - ttft_us
        self.end_us = last + rng.randrange(200, 90000)
        self.blob = timeline(self.moments)

    def record(self, several=False):
        gaps = [m[2] for m in self.moments if m[0] == 0][1:]
        known = self.chunks >= 2 and not several
        stall_us = sum(gap for _, _, gap in self.stalls)
        generation_ms = self.generation_us // 1000
        row = {
            "ttft_ms": self.ttft_us // 1000,
            "ttft_us": self.ttft_us,
            "generation_ms": generation_ms,
            "chunk_count": self.chunks,
            "tail_ms": (self.end_us - self.ttft_us - self.generation_us)
            // 1000,
            "app_ms": 0,
            "bytes": 160 * self.chunks,
        }
        if known:
            row["stall_ms"] = stall_us // 1000
            row["stall_count"] = len(self.stalls)
            row["max_gap_ms"] = max(gaps, default=0) // 1000
            row["active_generation_ms"] = generation_ms - stall_us // 1000
        return row


def insert(db, table, row):
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    return db.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values())
    ).lastrowid


def phases(rng, https, upto=3):
    """dns, connect and tls, as far as they came."""
    names = ["dns_ms", "connect_ms", "tls_ms"][: upto if https else
                                               min(upto, 2)]
    return {name: rng.randrange(1, 40) for name in names}


UNSENT = """budget_exhausted budget_unreadable pushback no_key not_movable
not_replayable same_origin_failed launch_failed max_attempts not_resumable
mid_frame opaque too_long too_many paused""".split()

FAILURES = [
    # outcome, phases, status, content, curl's code
    ("failed", 0, None, False, 6),
    ("failed", 1, None, False, 7),
    ("timeout", 2, None, False, 28),
    ("timeout", 3, None, False, 28),
    ("refused", 3, 401, False, 0),
    ("failed", 3, 529, False, 0),
    ("timeout", 3, 200, False, 28),
    ("truncated", 3, 200, True, 18),
    ("killed", 3, 200, True, None),
    ("killed", 0, None, False, None),
    ("aborted", 3, 200, True, 23),
]


# What became of a hedge that lost, and its status.
LOSSES = itertools.cycle([
    ("diverged", 200), ("failed", 401), ("failed", 429), ("failed", None),
    ("failed", 503), ("failed", 200), ("lost", 200), ("hedge_cancelled", 200),
])


def one_call(db, rng, number, at_us):
    endpoint, dialect, model = rng.choice(PLACES)
    origin = endpoint.split("/v1")[0]
    https = endpoint.startswith("https")
    call = {
        "uuid": f"generated-{number}",
        "started_at": at_us,
        "program": PROGRAMS[number % 4],
        "pid": 1000 + number % 7,
        "endpoint": endpoint,
        "dialect": dialect,
        "model": model,
        "streaming": 1,
        "mode": "hedge",
        "outcome": "ok",
        "http_status": 200,
        "curl_code": 0,
        "winner": 0,
        "attempts": 1,
        "resumed": 0,
        "truncated": 0,
    }
    kind = rng.random()
    several = rng.random() < 0.03
    first = rng.lognormvariate(13.2, 0.7)  # about 0.55 s
    if kind < 0.14:
        first *= 12
    chunks = rng.choice([1, 2, 4, 5, 12, 40, 90, 160])
    stalls = {}
    if chunks > 4 and rng.random() < 0.15:
        for _ in range(rng.choice([1, 1, 2])):
            stalls[rng.randrange(1, chunks)] = rng.randrange(
                1900000, 9000000)
    answer = Answer(rng, int(first), chunks, stalls, rng.random() < 0.1)
    attempt = {
        "seq": 0,
        "source": "primary",
        "origin": origin,
        "outcome": "won",
        "started_ms": 0,
        "http_status": 200,
        "curl_code": 0,
    }
    extra = []
    tokens = rng.random() < 0.7
    if kind > 0.88:
        fail(rng, https, call, attempt, answer, several)
    else:
        call.update(phases(rng, https))
        attempt.update(phases(rng, https))
        attempt.update(answer.record(several))
        attempt["wall_ms"] = answer.end_us // 1000
        attempt["timeline"] = answer.blob
        if kind < 0.14:
            extra = hedge(rng, call, attempt, answer)
        elif kind < 0.18:  # one document
            for name in ["stall_ms", "stall_count", "max_gap_ms",
                         "generation_ms", "active_generation_ms"]:
                attempt.pop(name, None)
            call["streaming"] = 0
            attempt["chunk_count"] = 1
            attempt["timeline"] = timeline([(0, answer.ttft_us, 0, 1, 0)])
    if not extra and number % 3 == 0:
        call["hedge_reason"] = UNSENT[number // 3 % len(UNSENT)]
    best = ([attempt] + extra)[call["winner"] or 0]
    if tokens and best["outcome"] == "won":
        best["tokens_in"] = 100 + number % 50
        best["tokens_out"] = best["chunk_count"] * 2 + 1
    for name in ["ttft_ms", "ttft_us", "generation_ms", "chunk_count",
                 "tail_ms", "app_ms", "bytes", "stall_ms", "stall_count",
                 "max_gap_ms", "active_generation_ms", "tokens_in",
                 "tokens_out"]:
        if name in best:
            call[name] = best[name]
    if best["seq"] > 0:
        call["ttft_ms"] += best["started_ms"]
        call["ttft_us"] += best["started_ms"] * 1000
    wall = best.get("wall_ms", 0) + best["started_ms"]
    call["wall_ms"] = wall
    call["net_ms"] = max(0, wall - call.get("stall_ms", 0))
    if rng.random() < 0.05:
        attempt.pop("timeline", None)
    call_id = insert(db, "calls", call)
    for row in [attempt] + extra:
        row["call_id"] = call_id
        insert(db, "attempts", row)
    if best["seq"] == 0 and call.get("stall_count"):
        for after, at, gap in answer.stalls:
            insert(db, "stalls", {
                "call_id": call_id, "seq": 0, "after_chunk": after,
                "at_ms": at // 1000, "duration_ms": gap // 1000})


def fail(rng, https, call, attempt, answer, several):
    outcome, reached, status, content, code = rng.choice(FAILURES)
    if not https and reached == 2:
        reached = 3
    came = phases(rng, https, reached)
    call.update(came)
    attempt.update(came)
    call.update(outcome=outcome, http_status=status, curl_code=code)
    attempt.update(http_status=status, curl_code=code,
                   wall_ms=9000 if outcome == "timeout" else 1500,
                   outcome="won" if content else "failed", chunk_count=0)
    if not content:
        call["winner"] = None if status is None or status == 200 else 0
    if outcome == "truncated":
        call["truncated"] = 1
    if content:
        attempt.update(answer.record(several))
        attempt["wall_ms"] = answer.end_us // 1000
        attempt["timeline"] = answer.blob


def hedge(rng, call, attempt, answer):
    """A late first token: a rival, that wins or not; or a retry."""
    why = rng.choice(["first_token", "stall", "failure", "tied", "resume",
                      "retry"])
    won = rng.random() < 0.6
    rival_answer = Answer(rng, rng.randrange(200000, 700000), 30, {})
    rival = {
        "seq": 1,
        "source": "backup",
        "origin": "https://backup.example",
        "outcome": "won" if won else rng.choice(
            ["lost", "hedge_cancelled", "failed", "diverged"]),
        "why": why,
        "started_ms": 1200,
        "http_status": 200,
        "wall_ms": rival_answer.end_us // 1000,
        "timeline": rival_answer.blob,
    }
    rival.update(rival_answer.record())
    call.update(attempts=2, hedge_reason=why)
    if not won and why != "retry":
        rival["outcome"], rival["http_status"] = next(LOSSES)
        if rival["outcome"] == "failed" and rival["http_status"] != 200:
            for name in rival_answer.record():
                del rival[name]
            del rival["timeline"]
    if not won:
        if rng.random() < 0.5:
            rival.update(tokens_in=90, tokens_out=17)
        return [rival]
    call["winner"] = 1
    attempt["outcome"] = "failed" if why in ("failure", "retry") \
        else "hedge_cancelled"
    return [rival]


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    db = sqlite3.connect(path)
    at_us = BEGIN_US
    for number in range(count):
        at_us += rng.randrange(1000000, 60000000)
        one_call(db, rng, number, at_us)
    db.commit()


if __name__ == "__main__":
    main()
