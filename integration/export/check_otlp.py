#!/usr/bin/env python3
"""Judges lines of OTLP/JSON against the store: check_otlp.py STORE FILE"""
import json
import sqlite3
import sys

import otlp


def main():
    db = sqlite3.connect(sys.argv[1])
    db.row_factory = sqlite3.Row
    spans, bad = [], []
    for line in open(sys.argv[2]):
        document = json.loads(line)
        bad += otlp.errors_of(document)
        spans += otlp.spans_of(document)
    known = {otlp.attributes_of(s)["unstall.uuid"]: s
             for s in spans if "parentSpanId" not in s}
    children = {}
    for s in spans:
        children.setdefault(s.get("parentSpanId"), []).append(s)
    calls = db.execute("SELECT * FROM calls").fetchall()
    for call in calls:
        bad += compare(db, call, known.get(call["uuid"]), children)
    if len(known) != len(calls):
        bad.append(f"{len(known)} of {len(calls)} calls")
    print("\n".join(bad[:20]))
    print(f"{len(calls)} calls, {len(spans)} spans, {len(bad)} errors")
    return bool(bad)


def compare(db, call, span, children):
    if span is None:
        return [call["uuid"] + ": is not there"]
    said = otlp.attributes_of(span)
    want = {
        "gen_ai.request.model": call["model"],
        "gen_ai.response.model": call["model_served"],
        "gen_ai.usage.input_tokens": call["tokens_in"],
        "gen_ai.usage.output_tokens": call["tokens_out"],
        "http.response.status_code": call["http_status"],
    }
    for key in call.keys():
        if key != "id":
            want["unstall." + key] = call[key]
    bad = [f"{call['uuid']}: {key} is {said.get(key)}, not {value}"
           for key, value in want.items() if said.get(key) != value]
    bad += [f"no {key}" for key in ["gen_ai.operation.name",
                                    "gen_ai.provider.name", "server.address"]
            if key not in said]
    failed = call["outcome"] not in ("ok", "aborted")
    if failed != (span["status"].get("code") == 2) or \
            failed != ("error.type" in said):
        bad.append(f"{call['uuid']}: {call['outcome']}, {span['status']}")
    if int(span["startTimeUnixNano"]) != call["started_at"] * 1000:
        bad.append("another start")
    below = children.get(span["spanId"], [])
    attempts = db.execute("SELECT * FROM attempts WHERE call_id = ? ORDER BY "
                          "seq", (call["id"],)).fetchall()
    if len(below) != len(attempts):
        bad.append(f"{len(below)} attempts, not {len(attempts)}")
    for attempt, child in zip(attempts, below):
        bad += compare_attempt(db, attempt, child)
    return bad


def compare_attempt(db, attempt, span):
    said = otlp.attributes_of(span)
    bad = [f"attempt: {key} is not {attempt[key]}" for key in attempt.keys()
           if key not in ("call_id", "timeline")
           and said.get("unstall.attempt." + key) != attempt[key]]
    if any(key.startswith("gen_ai.usage") for key in said):
        bad.append("tokens of an attempt: they would be counted twice")
    stalls = db.execute(
        "SELECT duration_ms, after_chunk FROM stalls WHERE call_id = ? AND "
        "seq = ? ORDER BY at_ms", (attempt["call_id"], attempt["seq"]))
    seen = [tuple(otlp.attributes_of(e)["unstall.stall." + name]
                  for name in ("duration_ms", "after_chunk"))
            for e in span["events"] if e["name"] == "stall"]
    if seen != [tuple(row) for row in stalls]:
        bad.append(f"other stalls: {seen}")
    first = [e for e in span["events"] if e["name"] == "first_token"]
    if len(first) != (attempt["ttft_ms"] is not None):
        bad.append("its first token")
    return bad


if __name__ == "__main__":
    sys.exit(main())
