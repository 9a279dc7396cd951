#!/usr/bin/env python3
"""A store of many calls: multiply.py FROM TO TIMES

Each call of FROM that many times, two hours apart."""
import shutil
import sqlite3
import sys


def columns(db, table, changed):
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    return ", ".join(names), ", ".join(
        changed.get(name, name) for name in names)


def main():
    source, target, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    shutil.copy(source, target)
    db = sqlite3.connect(target)
    db.executescript(
        "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (VALUES (1)"
        f" UNION ALL SELECT i + 1 FROM n WHERE i < {times - 1})"
        " SELECT i FROM n;")
    changed = {
        "calls": {
            "id": "id + i * 1000",
            "uuid": "uuid || '-' || i",
            "started_at": "started_at + i * 7200000000",
        },
        "attempts": {"call_id": "call_id + i * 1000"},
    }
    for table, change in changed.items():
        names, values = columns(db, table, change)
        db.execute(f"CREATE TEMP TABLE old AS SELECT * FROM {table}")
        db.execute(f"INSERT INTO {table} ({names})"
                   f" SELECT {values} FROM old, n")
        db.execute("DROP TABLE old")
    db.commit()


if __name__ == "__main__":
    main()
