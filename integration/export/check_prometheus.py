#!/usr/bin/env python3
"""Compares samples with sums over the store, made by SQL alone:
check_prometheus.py STORE FILE"""
import collections
import re
import sqlite3
import sys

SAMPLE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\} (\S+)')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
BACK = {r"\\": "\\", r"\"": '"', r"\n": "\n"}
HOST = """substr(endpoint, instr(endpoint, '://') + 3, instr(substr(endpoint,
    instr(endpoint, '://') + 3), '/') - 1)"""
KEY = f"{HOST} AS host, ifnull(model, '') AS model, program"
NOT_RACED = "('retry')"

# name: (SELECT of a value per call or attempt, its further label)
COUNTERS = {
    "calls_total": ("1", "outcome", "calls"),
    "stalls_total": ("ifnull(stall_count, 0)", None, "calls"),
    "stalled_calls_total": ("ifnull(stall_count > 0, 0)", None, "calls"),
    "calls_without_first_token_total": ("ttft_ms IS NULL", None, "calls"),
    "silent_calls_total": (
        "ifnull(stall_count, 0) = 0 AND (ifnull(hedge_reason, '') = 'stall'"
        " OR (outcome IN ('timeout', 'truncated', 'killed')"
        "     AND coalesce(silent_ms, tail_ms, wall_ms) > 2000))", None,
        "calls"),
    "rivals_unsent_total": (
        "ifnull(hedge_reason NOT IN ('first_token', 'stall', 'failure', 'tied',"
        " 'retry', 'resume'), 0)", "hedge_reason AS reason", "calls"),
    "tokens_in_total": ("ifnull(tokens_in, 0)", None, "calls"),
    "tokens_out_total": ("ifnull(tokens_out, 0)", None, "calls"),
    "body_bytes_total": ("ifnull(bytes, 0)", None, "calls"),
    "content_chunks_total": ("ifnull(chunk_count, 0)", None, "calls"),
    "extra_requests_total": (
        "(SELECT count(*) FROM attempts WHERE call_id = calls.id AND seq > 0)",
        None, "calls"),
    "hedges_fired_total": (
        "(SELECT count(*) FROM attempts WHERE call_id = calls.id AND seq > 0"
        f" AND why NOT IN {NOT_RACED} AND outcome <> 'shadow')", None,
        "calls"),
    "hedges_won_total": (
        "(SELECT count(*) FROM attempts WHERE call_id = calls.id AND seq > 0"
        f" AND why NOT IN {NOT_RACED} AND outcome = 'won')", None, "calls"),
}
TIMES = {"ttft": "ttft_ms", "stall": "stall_ms", "max_gap": "max_gap_ms",
         "wall": "wall_ms"}


def read(path):
    samples, types, order = {}, {}, []
    for line in open(path, encoding="utf-8"):
        if line.startswith("# TYPE"):
            types[line.split()[2]] = line.split()[3]
        if line.startswith("#"):
            continue
        name, labels, value = SAMPLE.fullmatch(line.rstrip("\n")).groups()
        labels = tuple(sorted(
            (k, re.sub(r"\\.", lambda m: BACK[m[0]], v))
            for k, v in LABEL.findall(labels)))
        if (name, labels) in samples:
            print("twice:", line)
        samples[name, labels] = float(value)
        order.append(name)
    return samples, types


def expected(db):
    out = collections.Counter()
    for name, (value, label, table) in COUNTERS.items():
        more = f", {label}" if label else ""
        for row in db.execute(f"SELECT {KEY}, {value}{more} FROM {table}"):
            labels = {"host": row[0], "model": row[1], "program": row[2]}
            if label:
                labels[label.split()[-1]] = row[4] or ""
            out["unstall_" + name, tuple(sorted(labels.items()))] += row[3]
    for name, column in TIMES.items():
        for *key, ms in db.execute(f"SELECT {KEY}, {column} FROM calls WHERE "
                                   f"{column} NOTNULL"):
            labels = tuple(sorted(zip(("host", "model", "program"), key)))
            out[f"unstall_{name}_seconds_count", labels] += 1
            out[f"unstall_{name}_seconds_sum", labels] += ms / 1000
            for le in ("0.1", "0.5", "2.5", "10.0", "600.0", "+Inf"):
                both = tuple(sorted(labels + (("le", le),)))
                out[f"unstall_{name}_seconds_bucket", both] += \
                    ms <= float(le) * 1000
    return out


def main():
    db = sqlite3.connect(sys.argv[1])
    said, types = read(sys.argv[2])
    want = expected(db)
    bad = [f"{key}: {said.get(key)}, not {value}"
           for key, value in want.items()
           if abs(said.get(key, -1 if value else 0) - value) > 0.0005]
    checked = {name for name, _ in want}
    bad += [f"{key}: {value}, and none expected" for key, value in
            said.items() if key[0] in checked and value and key not in want
            and "bucket" not in key[0]]
    left = db.execute("SELECT route, max(0, tokens) FROM budget").fetchall()
    bad += [f"budget {route}: {tokens}" for route, tokens in left
            if said.get(("unstall_budget_tokens", (("route", route),)))
            != tokens]
    if set(types.values()) != {"counter", "histogram", "gauge"} or not left:
        bad.append(f"types {types}")
    print("\n".join(bad[:20]))
    print(f"{len(want)} compared, {len(said)} samples, {len(bad)} differences")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
