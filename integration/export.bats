#!/usr/bin/env bats
# `unstall export`: each format is read by the program that it is for, or
# judged field by field, and holds what the store holds.

load lib
bats_require_minimum_version 1.5.0

TOOLS=$BATS_TEST_DIRNAME/export

# One store for all tests, which only read it: calls of real programs, and 200
# generated ones.
setup_file() {
    export TZ=UTC LC_ALL=C.UTF-8
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR private_home
    start_mock real --tokens 30 --interval-ms 3 || return 1
    real_calls "$REAL_URL"
    STORE=$XDG_STATE_HOME/unstall/unstall.db
    python3 "$BATS_TEST_DIRNAME/report/generate.py" "$STORE" 200 10
    sqlite3 "$STORE" "UPDATE calls SET model = 'a \"b\", c' || char(10)
        || 'd\\e' WHERE id = 20;
        UPDATE calls SET model = CAST(x'ff41' AS TEXT) WHERE id = 21;
        UPDATE calls SET model = CAST(x'fe41' AS TEXT) WHERE id = 22;
        UPDATE calls SET model = '=1+1' WHERE id = 23"
    export STORE
}

teardown_file() { stop_mocks; }

setup() {
    common_setup
    COLLECTOR=
}

teardown() {
    stop_collector
    common_teardown
}

SECRET=sk-not-for-exports

# With a key wherever one can be: header, query, user name, body.
real_calls() {
    local url=$1/v1/chat/completions body
    body=$(chat_body mock-1 "\"user\":\"$SECRET\"")
    set -- -H "authorization: Bearer $SECRET"
    with_shim curl -sN "$@" -d "$body" "$url?key=$SECRET" -o "$HOME/a"
    with_shim curl -sN "$@" -d "$body" -H 'x-mock-fault: stall@10=2.2' \
        "${url/:\/\//://user:$SECRET@}" -o "$HOME/b"
    UNSTALL_KEY=$SECRET "$UNSTALL" run --after 0.2 --quiet \
        --backup "${url%/chat*}" --backup-key-env UNSTALL_KEY -- \
        curl -sN "$@" -d "$body" -H 'x-mock-fault: once,first-late=3' "$url" \
        -o "$HOME/c"
    with_shim curl -s "$@" -d "$body" http://127.0.0.1:1/v1/chat/completions ||
        true
}

export_() {
    "$UNSTALL" export "$@" --db "$STORE"
}

# --- formats -----------------------------------------------------------------

@test "export jsonl: a call a line, with its attempts and stalls" {
    export_ jsonl >out
    python3 - out "$STORE" <<'END'
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[2])
db.text_factory = lambda b: b.decode("utf-8", "replace")
db.row_factory = sqlite3.Row
calls = [json.loads(line) for line in open(sys.argv[1])]
rows = db.execute("SELECT * FROM calls ORDER BY started_at, id").fetchall()
assert len(calls) == len(rows) == 204, len(calls)
for call, row in zip(calls, rows):
    for key in row.keys():
        assert call[key] == row[key], (key, call[key], row[key])
    for name, table in [("attempt_list", "attempts"),
                        ("stall_list", "stalls")]:
        want = db.execute(f"SELECT * FROM {table} WHERE call_id = ?"
                          " ORDER BY seq", (row["id"],)).fetchall()
        assert len(call[name]) == len(want)
        for said, known in zip(call[name], want):
            assert all(known[key] == value for key, value in said.items())
assert sum(len(call["stall_list"]) for call in calls) > 5
END
}

# RFC 4180
@test "export csv: python and sqlite read back what the store has" {
    for table in calls attempts stalls; do
        export_ csv --table $table >$table.csv
        sqlite3 -csv copy.db ".import $table.csv $table"
        python3 - $table "$STORE" <<'END'
import csv, sqlite3, sys
table, store = sys.argv[1:]
texts = lambda b: b.decode("utf-8", "replace")
lines = open(table + ".csv", newline="", encoding="utf-8").read()
assert lines.count("\r\n") == lines.count("\n") - (table == "calls"), "CRLF"
rows = list(csv.DictReader(open(table + ".csv", newline="")))
db, copy = sqlite3.connect(store), sqlite3.connect("copy.db")
for one in db, copy:
    one.text_factory, one.row_factory = texts, sqlite3.Row
order = "started_at, id" if table == "calls" else "call_id, seq"
known = db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
read = copy.execute(f"SELECT * FROM {table}").fetchall()
assert len(rows) == len(known) == len(read) > 5, (len(rows), len(read))
for row, want, back in zip(rows, known, read):
    assert set(row) == set(want.keys()) - {"timeline"}
    for key, value in row.items():
        text = "" if want[key] is None else str(want[key])
        assert value == text, (key, value, text)
        assert back[key] == text, (key, back[key], text)
END
    done
    refute grep -q 0x -- attempts.csv
}

@test "export prometheus: the samples are the sums of the store" {
    export_ prometheus >out
    sqlite3 "$STORE" "SELECT count(*) FROM calls" | grep -x 204
    cp "$STORE" utf8.db
    sqlite3 utf8.db "UPDATE calls SET model = char(65533) || 'A'
        WHERE id IN (21, 22)"
    run python3 "$TOOLS/check_prometheus.py" utf8.db out
    [ "$status" -eq 0 ] || { echo "$output" && false; }
    [[ $output == *" compared, "*", 0 differences" ]]
}

@test "export prometheus: promtool finds nothing" {
    command -v promtool >/dev/null || skip "promtool is not installed"
    export_ prometheus >out
    run promtool check metrics <out
    [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$output" && false; }
}

# P8
@test "export prometheus: each family has its one definition" {
    export_ prometheus >out
    grep -qF "# HELP unstall_ttft_seconds $("$UNSTALL" explain ttft_ms --json |
        jq -r '.[0].definition // .[0].text')" out
    for name in stall_count extra_requests; do
        "$UNSTALL" explain $name >/dev/null
    done
    [ "$(grep -c '^# HELP' out)" -eq "$(grep -c '^# TYPE' out)" ]
    refute grep -qE '^# HELP [a-z_]+ *$' out
}

@test "export prometheus --to: whole or not at all, and readable" {
    export_ prometheus --to unstall.prom
    [ "$(stat -c %a unstall.prom)" = 644 ]
    grep -q '^unstall_calls_total{' unstall.prom
    cp unstall.prom before
    cp "$STORE" broken.db
    dd if=/dev/urandom of=broken.db bs=4096 seek=1 conv=notrunc \
        count=$(($(stat -c %s broken.db) / 4096 - 1)) 2>/dev/null
    run "$UNSTALL" export prometheus --db broken.db --to unstall.prom
    [ "$status" -eq 1 ] || { ls -l && echo "$output" && false; }
    cmp unstall.prom before
    run export_ prometheus --to none/unstall.prom
    [ "$status" -eq 1 ]
    [ "$(find . -name 'unstall.prom*' | wc -l)" -eq 1 ]
    export_ csv --to calls.csv
    [ "$(stat -c %a calls.csv)" = 600 ]
}

# The sums of a file.
total_of() {
    awk -v name="^unstall_$1{" '$0 ~ name { n += $NF } END { print n + 0 }' \
        "$2"
}

@test "export prometheus --to: counters stay when calls go" {
    cp "$STORE" mine.db
    tell() { "$UNSTALL" export prometheus --db mine.db --to out "$@"; }
    tell
    cmp out <(export_ prometheus) || diff <(sort out) \
        <(export_ prometheus | sort)
    cp out before
    "$UNSTALL" store retain --db mine.db --days 1
    [ "$(sqlite3 mine.db 'SELECT count(*) FROM calls')" -lt 20 ]
    tell
    cmp out before
    sqlite3 mine.db "UPDATE calls SET uuid = 'new', id = 900 WHERE id =
        (SELECT max(id) FROM calls)"
    tell
    [ "$(total_of calls_total out)" -eq 205 ]
    tell --program nobody
    [ "$(total_of calls_total out)" -eq 0 ]
    tell --again
    [ "$(total_of calls_total out)" -lt 20 ]
    "$UNSTALL" store purge --db mine.db --yes
    [ "$(sqlite3 mine.db "SELECT count(*) FROM sqlite_schema
        WHERE name LIKE 'export%'")" -eq 0 ]
}

@test "export prometheus --to: many at once count no call twice" {
    cp "$STORE" mine.db
    pids=
    for i in 1 2 3 4 5 6; do
        "$UNSTALL" export prometheus --db mine.db --to out 2>err.$i &
        pids+=" $!"
    done
    for pid in $pids; do wait "$pid" || true; done
    "$UNSTALL" export prometheus --db mine.db --to out
    [ "$(total_of calls_total out)" -eq 204 ]
    refute grep -v 'another run is at it' err.*
}

@test "export chrome-trace: what Perfetto's importer needs, and all of it" {
    export_ chrome-trace >out
    run python3 "$TOOLS/check_trace.py" "$STORE" out
    [ "$status" -eq 0 ] || { echo "$output" && false; }
    [[ $output == *" tracks, "*", 0 errors" ]]
}

@test "export otlp: protobuf's JSON with OTLP's exceptions, and all of it" {
    cp "$STORE" utf8.db
    sqlite3 utf8.db "UPDATE calls SET model = 'A' WHERE id IN (21, 22)"
    "$UNSTALL" export otlp --db utf8.db >out
    run python3 "$TOOLS/check_otlp.py" utf8.db out
    [ "$status" -eq 0 ] || { echo "$output" && false; }
    [[ $output == *"204 calls, "*" spans, 0 errors" ]]
}

@test "export: the filters are those of calls" {
    for filter in "--program php" "--model gpt-4o" "--outcome ok" "--hedged" \
        "--host api.openai.com --stalled" "--program nobody"; do
        # shellcheck disable=SC2086 # two words
        want=$("$UNSTALL" calls --db "$STORE" --limit 0 $filter --json |
            jq length)
        # shellcheck disable=SC2086
        [ "$(export_ jsonl $filter | wc -l)" -eq "$want" ]
        # shellcheck disable=SC2086
        export_ chrome-trace $filter |
            jq -e "[.traceEvents[] | select(.args.uuid)] | length == $want"
        # shellcheck disable=SC2086
        export_ otlp $filter | jq -s -e "[.[].resourceSpans[].scopeSpans[]
            .spans[] | select(.parentSpanId | not)] | length == $want"
        # shellcheck disable=SC2086
        [ "$(export_ prometheus $filter | awk '/^unstall_calls_total/ {
            n += $NF } END { print n + 0 }')" -eq "$want" ]
    done
}

# P3: what was sent to a provider is nowhere.
@test "export: no key of a call is in any format" {
    [ "$(grep -c "$SECRET" "$REAL_LOG")" -ge 4 ]
    mock_log real .target | grep -q "key=$SECRET"
    for format in jsonl "csv --table calls" "csv --table attempts" \
        "csv --table stalls" prometheus chrome-trace otlp; do
        # shellcheck disable=SC2086 # two words
        export_ $format >out
        refute grep -q "$SECRET" out
        refute grep -q 'user:' out
    done
}

@test "export: nothing recorded is a valid document of nothing" {
    export_() { "$UNSTALL" export "$@"; }
    [ -z "$(export_ jsonl)" ] && [ -z "$(export_ otlp)" ]
    [ "$(export_ csv | wc -l)" -eq 1 ]
    export_ chrome-trace | jq -e '.traceEvents == []'
    refute grep -v '^#' <<<"$(export_ prometheus)"
    [ "$(export_ otlp --to http://127.0.0.1:1)" = \
        "0 calls sent in 0 requests" ]
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
}

@test "export: mistakes are told, with exit code 2" {
    for mistake in "" "xml" "csv --table x" "jsonl --table calls x" \
        "jsonl --table stalls" "csv --header a:b --to f" "otlp --header a:b" \
        "otlp --to file" "otlp --to ftp://h/" "otlp --to http://u:p@h/" \
        "otlp --to http://h --header x" \
        "otlp --to http://h --header-env Authorization=NOT_SET"; do
        # shellcheck disable=SC2086 # words
        run export_ $mistake
        [ "$status" -eq 2 ] || { echo "$mistake: $status" && false; }
        [[ $output == "unstall export: "* ]]
        [[ $output != *u:p* ]]
    done
    run export_ otlp --to http://h --header $'A: b\nC: d'
    [ "$status" -eq 2 ]
}

@test "export: a full disk and a closed pipe are no success" {
    [ -e /dev/full ] || skip "no /dev/full"
    run bash -c '"$0" export jsonl --db "$1" >/dev/full' "$UNSTALL" "$STORE"
    [ "$status" -eq 1 ]
    [[ $output == *"No space left on device"* ]]
    export_ jsonl | head -n 1 | jq -e .uuid
}

# --- otlp, sent --------------------------------------------------------------

# start_collector MODE [PORT]: sets COLLECTOR (its pid), PORT and TO.
start_collector() {
    echo "$1" >mode
    mkfifo collector.fifo
    python3 "$TOOLS/collector.py" got mode ${2:+"$2"} 3>&- >collector.fifo &
    COLLECTOR=$!
    disown
    read -r PORT <collector.fifo
    rm collector.fifo
    TO=http://127.0.0.1:$PORT
    touch got
}

stop_collector() {
    [ -z "$COLLECTOR" ] || kill "$COLLECTOR" 2>/dev/null || true
    COLLECTOR=
}

# Of a copy of the store, which takes the cursor.
send() {
    [ -e mine.db ] || cp "$STORE" mine.db
    "$UNSTALL" export otlp --db mine.db --to "$TO" "$@"
}

# The uuids that were taken, sorted.
taken() {
    jq -r 'select(.status == 200) | .uuids[]' got | sort
}

@test "export otlp --to: a collector gets every call, once" {
    start_collector ok
    run send
    [ "$status" -eq 0 ]
    [[ $output == "204 calls sent in "*" requests" ]]
    jq -e -s 'all(.[]; .errors == [] and .calls <= 64 and .bytes < 1000000)' got
    diff <(taken) <(sqlite3 "$STORE" "SELECT uuid FROM calls" | sort)
    [ "$(send)" = "0 calls sent in 0 requests" ]
    sqlite3 mine.db "UPDATE calls SET uuid = 'new', id = 900 WHERE id = 3"
    [ "$(send --json)" = \
        '[{"calls": 1, "requests": 1, "rejected_spans": 0}]' ]
    [ "$(tail -n 1 got | jq -r '.uuids[]')" = new ]
}

# P4
@test "export otlp --to: goes away, comes back, and nothing is lost" {
    start_collector ok
    stop_collector
    run send
    [ "$status" -eq 1 ]
    [[ $output == *"unstall export: $TO/v1/traces: curl: (7) "* ]]
    [[ $output == *"the next run goes on here"* ]]
    start_collector 503 "$PORT"
    run send
    [ "$status" -eq 1 ] && [[ $output == *"status 503"* ]]
    echo error >mode
    run send
    [ "$status" -eq 1 ] && [[ $output == *"status 400: no such tenant"* ]]
    echo ok >mode
    send --program php
    echo 500 >mode
    run send
    [ "$status" -eq 1 ]
    echo ok >mode
    send
    diff <(taken | uniq) <(sqlite3 "$STORE" "SELECT uuid FROM calls" | sort)
    [ "$(send)" = "0 calls sent in 0 requests" ]
}

@test "export otlp --to: a batch without an answer comes again as the same" {
    start_collector lost
    run send
    [ "$status" -eq 1 ]
    echo ok >mode
    send
    [ "$(sed -n 1p got | jq -c .ids)" = "$(sed -n 2p got | jq -c .ids)" ]
    [ "$(sed -n 1p got | jq -c '.ids | length')" -gt 60 ]
}

@test "export otlp --to: rejected spans are told, and not sent again" {
    start_collector "partial 3"
    run send --program php
    [ "$status" -eq 1 ]
    [[ $output == *"3 spans were rejected: too old"* ]]
    requests=$(wc -l <got)
    echo ok >mode
    [ "$(send --program php)" = "0 calls sent in 0 requests" ]
    [ "$(wc -l <got)" -eq "$requests" ]
    echo "partial 0" >mode
    run send
    [ "$status" -eq 0 ] && [[ $output == *"0 spans were rejected: too old"* ]]
}

@test "export otlp --to: a collector that takes less gets less" {
    start_collector "max 9"
    send
    diff <(taken) <(sqlite3 "$STORE" "SELECT uuid FROM calls" | sort)
    jq -e -s 'map(select(.status == 200)) | all(.[]; .calls <= 9)' got
    rm mine.db*
    echo "max 0" >mode
    run send
    [ "$status" -eq 1 ] && [[ $output == *"status 413"* ]]
}

@test "export otlp --to: an answer without end does no harm" {
    start_collector huge
    run send
    [ "$status" -eq 0 ]
    [ "$(send)" = "0 calls sent in 0 requests" ]
}

@test "export otlp --to: each destination has a cursor of its own" {
    start_collector ok
    send
    [ "$(send --to "http://localhost:$PORT")" != \
        "0 calls sent in 0 requests" ]
    [[ $(send --outcome ok) != "0 calls"* ]]
    [ "$(send --outcome ok)" = "0 calls sent in 0 requests" ]
    [ "$(send --to "$TO/v1/traces?token=$SECRET")" = \
        "0 calls sent in 0 requests" ]
    refute grep -q "$SECRET" mine.db
    [[ $(send --again) == "204 calls sent"* ]]
    [ "$(send)" = "0 calls sent in 0 requests" ]
}

@test "export otlp --to: a store that begins anew is sent anew" {
    start_collector ok
    send
    sqlite3 mine.db "DELETE FROM calls; INSERT INTO calls
        (id, uuid, started_at, program) VALUES (1, 'again', 1785412525000000,
        'curl')"
    [ "$(send)" = "1 calls sent in 1 requests" ]
    sqlite3 mine.db "DELETE FROM calls; INSERT INTO calls
        (id, uuid, started_at, program) VALUES (1, 'other', 1785412525000000,
        'curl')"
    [ "$(send)" = "1 calls sent in 1 requests" ]
    [ "$(tail -n 1 got | jq -r '.uuids[]')" = other ]
}

# A curl in front of curl that tells how it was started.
watched_curl() {
    mkdir bin
    cat >bin/curl <<END
#!/bin/sh
tr '\\0' '\\n' </proc/\$\$/cmdline >>$PWD/words
env >>$PWD/surroundings
exec $(command -v curl) "\$@"
END
    chmod +x bin/curl
    PATH=$PWD/bin:$PATH
}

# P3
@test "export otlp --to: secrets reach curl by no command line" {
    start_collector ok
    watched_curl
    echo '-H "x-from: curlrc"' >"$HOME/.curlrc"
    TOKEN="Bearer $SECRET\"\\x" send --header 'x-tenant: a "b"' \
        --header-env authorization=TOKEN --to "$TO/v1/traces?key=$SECRET"
    head -n 1 got | jq -e --arg t "Bearer $SECRET\"\\x" '.headers as $h |
        $h.authorization == $t and $h["x-tenant"] == "a \"b\"" and
        ($h["x-from"] | not) and
        .errors == [] and (.path | endswith("'"?key=$SECRET"'"))'
    refute grep -q -e "$SECRET" -e "$PORT" words
    grep -qx UNSTALL=off surroundings
}

# P2
@test "export otlp --to: curl under the preload is left alone" {
    start_collector ok
    with_shim env LD_PRELOAD="$SHIM" "$UNSTALL" export otlp --db "$STORE" \
        --to "$TO" --program nobody
    cp "$STORE" mine.db
    LD_PRELOAD=$SHIM send
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
}

@test "export otlp --to: without curl it says so" {
    start_collector ok
    cp "$STORE" mine.db
    PATH=/nonexistent run "$UNSTALL" export otlp --db mine.db --to "$TO"
    [ "$status" -eq 1 ]
    [[ $output == *"curl is needed and was not found in PATH"* ]]
    [ ! -s got ]
    [[ $(send) == "204 calls sent"* ]]
}

@test "export otlp --to: works with its descriptors closed" {
    start_collector ok
    cp "$STORE" mine.db
    "$UNSTALL" export otlp --db mine.db --to "$TO" <&- 2>&-
    diff <(taken) <(sqlite3 "$STORE" "SELECT uuid FROM calls" | sort)
}

# --- docs/fleet.md -----------------------------------------------------------

# The commands of its cron lines (and of its unit), with this test's places.
examples() {
    sed -n 's/^\(\*\|30 2\) \* \* \*\( \*\)\?  //p; s/^ExecStart=//p' \
        "$ROOT/docs/fleet.md" | sed "s|/var/lib/[^ ]*/|$PWD/|
        s|/srv/llm|$PWD|; s|https://collector.example:4318|$TO|; s/\\\\%/%/g"
}

@test "export: the timers of docs/fleet.md do what they say" {
    start_collector ok
    mkdir -p "$XDG_STATE_HOME/unstall" "$HOME/.config/unstall"
    chmod 700 "$XDG_STATE_HOME/unstall"
    cp "$STORE" "$XDG_STATE_HOME/unstall/unstall.db"
    echo "COLLECTOR_AUTH='Bearer x'" >"$HOME/.config/unstall/collector.env"
    examples >lines
    [ "$(wc -l <lines)" -eq 4 ]
    # shellcheck disable=SC2030 # for this test
    export PATH=$BUILD:$PATH
    while read -r line; do
        run env COLLECTOR_AUTH='Bearer x' sh -c "$line"
        [ "$status" -eq 0 ] || { echo "$line: $output" && false; }
    done <lines
    [ "$(total_of calls_total "unstall-$(id -un).prom")" -eq 204 ]
    jq -e -s 'all(.[]; .headers.Authorization == "Bearer x")' got
    diff <(taken) <(sqlite3 "$STORE" "SELECT uuid FROM calls" | sort)
    ls ./*.jsonl
}

@test "export: systemd takes the units of docs/fleet.md" {
    command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
    awk '/^```/ { on = !on; next } on && /^\[Unit\]/ { n++ }
        on && n { print > ("unit" n) }' "$ROOT/docs/fleet.md"
    sed "s|=unstall |=$UNSTALL |; /^EnvironmentFile/d" unit1 \
        >unstall-export.service
    sed '/^\* \*/,$d' unit2 >unstall-export.timer
    run systemd-analyze verify --man=no --user ./unstall-export.service \
        ./unstall-export.timer
    [ -z "$(grep unstall-export <<<"$output")" ]
}

@test "export otlp --to: a place that takes no cursor is told before" {
    start_collector ok
    [ "$(id -u)" -ne 0 ] || skip "root may write anywhere"
    cp "$STORE" mine.db
    chmod 400 mine.db
    run send
    [ "$status" -eq 1 ] && [ ! -s got ]
}

@test "a mistyped format: which one was meant" {
    run -2 unstall export promtheus
    [[ $output == *"did you mean 'prometheus'?"* ]]
}
