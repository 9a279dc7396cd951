#!/usr/bin/env python3
"""Judges a file of trace events by what Perfetto's importer needs of it, and
against the store: check_trace.py STORE FILE"""
import collections
import json
import sqlite3
import sys

INT = {"X": ["pid", "tid", "ts", "dur"], "i": ["pid", "tid", "ts"],
       "M": ["pid", "tid"]}
KEYS = {"X": {"ph", "pid", "tid", "name", "ts", "dur", "args", "cname"},
        "i": {"ph", "pid", "tid", "name", "ts", "s", "args"},
        "M": {"ph", "pid", "tid", "name", "args"}}


def event_errors(event):
    kind = event.get("ph")
    if kind not in INT:
        return [f"phase {kind}"]
    out = [f"{k} of {event}" for k in INT[kind]
           if type(event.get(k)) is not int or event[k] < 0]
    out += [f"key {k}" for k in event if k not in KEYS[kind]]
    if not isinstance(event.get("name"), str):
        out.append("a name")
    if kind == "i" and event.get("s") != "t":
        out.append("an instant's scope")
    if kind == "M" and event["name"] not in (
            "process_name", "thread_name", "thread_sort_index"):
        out.append("metadata " + event["name"])
    return out


def nesting_errors(slices):
    """Slices of one track are inside of one another or apart."""
    open_until, out = [], []
    for event in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
        end = event["ts"] + event["dur"]
        while open_until and open_until[-1] <= event["ts"]:
            open_until.pop()
        if open_until and end > open_until[-1]:
            out.append(f"{event['name']} ends after what it is in")
        open_until.append(end)
    return out


def main():
    db = sqlite3.connect(sys.argv[1])
    trace = json.load(open(sys.argv[2]))
    events = trace["traceEvents"]
    bad = [e for event in events for e in event_errors(event)]
    tracks = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append(event)
    for slices in tracks.values():
        bad += nesting_errors(slices)
    named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["name"] == "thread_name"}
    if set(tracks) != set(named):
        bad.append("tracks without a name, or names without a track")
    if len(set(named.values())) != len(named):
        bad.append("two tracks of one name")

    def count(sql):
        return db.execute(sql).fetchone()[0]

    def slices(start):
        return sum(e["ph"] == "X" and e["name"].startswith(start)
                   for e in events)

    calls = count("SELECT count(*) FROM calls")
    figures = {
        "processes": (sum(e["name"] == "process_name" for e in events), count(
            "SELECT count(*) FROM (SELECT DISTINCT program, pid FROM calls)")),
        "tracks": (len(named), max(calls, count(
            "SELECT count(*) FROM attempts"))),
        "attempts": (slices("attempt "),
                     count("SELECT count(*) FROM attempts")),
        "stalls": (slices("stall"), count("SELECT count(*) FROM stalls")),
        "calls": (sum("uuid" in e.get("args", {}) for e in events), calls),
        "chunks": (sum(e["args"]["count"] for e in events
                       if e["ph"] == "i" and e["name"] == "chunk"), count(
            "SELECT sum(chunk_count) FROM attempts WHERE timeline NOTNULL")),
    }
    bad += [f"{name}: {got}, not {want}" for name, (got, want)
            in figures.items() if got != want]
    print("\n".join(bad[:20]))
    print(", ".join(f"{got} {name}" for name, (got, _) in figures.items())
          + f", {len(bad)} errors")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
