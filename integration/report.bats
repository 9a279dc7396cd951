#!/usr/bin/env bats
# `unstall report`: its numbers are those of an independent computation, from
# calls of real programs and 200 generated ones.

load lib
bats_require_minimum_version 1.5.0

TOOLS=$BATS_TEST_DIRNAME/report

# One store for all tests, which only read it.
setup_file() {
    export TZ=UTC LC_ALL=C.UTF-8
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR private_home
    start_mock real --tokens 30 --interval-ms 3 || return 1
    real_calls "$REAL_URL"
    STORE=$XDG_STATE_HOME/unstall/unstall.db
    python3 "$TOOLS/generate.py" "$STORE" 200 10
    export STORE
}

teardown_file() { stop_mocks; }

setup() {
    common_setup
    unset COLUMNS NO_COLOR
}

teardown() { common_teardown; }

# A call that is well, one that stalls, a hedge that wins, a failure.
real_calls() {
    local url=$1/v1/chat/completions body
    body=$(chat_body)
    with_shim curl -sN -d "$body" "$url" -o "$BATS_FILE_TMPDIR/a"
    with_shim curl -sN -d "$body" -H 'x-mock-fault: stall@10=2.2' "$url" \
        -o "$BATS_FILE_TMPDIR/b"
    "$UNSTALL" run --after 0.2 --quiet --backup "$1/v1" -- \
        curl -sN -d "$body" -H 'x-mock-fault: once,first-late=3' "$url" \
        -o "$BATS_FILE_TMPDIR/c"
    with_shim curl -s -d "$body" http://127.0.0.1:1/v1/chat/completions ||
        true
}

report() {
    "$UNSTALL" report --db "$STORE" "$@"
}


# --- the numbers -------------------------------------------------------------

# P8
@test "report --json: as computed from tables and timelines, by each key" {
    for by in host model program hour; do
        report --by $by --json >said
        run python3 "$TOOLS/expect.py" "$STORE" $by said
        [ "$status" -eq 0 ] || { echo "$output" && false; }
        [[ $output == "204 calls, "*" groups, 0 differences" ]]
    done
}

# P8
@test "report --json: stalls by another threshold come from the timelines" {
    for ms in 0 15 500 2000 100000; do
        report --stall-threshold $ms --json >said
        run python3 "$TOOLS/expect.py" "$STORE" host said $ms
        [ "$status" -eq 0 ] || { echo "$output" && false; }
    done
    [ "$(jq '.[0].stalls' said)" -eq 0 ]
}

@test "report --json: the store that is checked has something of all" {
    report --json >said
    run jq -r '.[0] | to_entries[] |
        select((.value == 0 or .value == null) and .key != "key") | .key' said
    [ "$output" = "" ] || { echo "always 0: $output" && false; }
    jq -e '.[0] | .gap_ms.n > 5000 and .tokens_per_s.n < .tpot_ms.n' said
}

# P8
@test "report: each key of the JSON is explained" {
    report --json >said
    jq -r '.[0] | keys[] | select(. != "by" and . != "key")' said >keys
    [ "$(wc -l <keys)" -gt 40 ]
    while read -r key; do
        "$UNSTALL" explain "$key" >/dev/null
    done <keys
    run "$UNSTALL" explain tpot
    [[ $output == "report.tpot_ms (ms)"* ]]
    [[ $("$UNSTALL" explain tokens_per_s) == *"fewer than five"* ]]
}

@test "report: the filters are those of calls" {
    for filter in "--program curl" "--model gpt-4o" "--outcome ok" \
        "--host api.openai.com" "--since 2026-07-30T12:30Z" \
        "--until 2026-07-30T12:30Z" "--stalled" "--hedged" "--mode hedge"; do
        # shellcheck disable=SC2086 # two words
        [ "$(report $filter --json | jq '.[0].calls')" -eq \
            "$("$UNSTALL" calls --db "$STORE" --limit 0 $filter --json |
                jq length)" ]
    done
}

@test "report: a real hedge won, a real call stalled, one had no connection" {
    report --host "127.0.0.1:$REAL_PORT" --json >said
    jq -e '.[0] | .calls == 3 and .hedges_won == 1 and .won_first_token == 1
        and .stalls == 1 and .stall_ms.max >= 2000' said
    report --host 127.0.0.1:1 --json >said
    jq -e '.[0] | .calls == 1 and .failed_connect == 1' said
}

@test "report: says why no rival was sent where one was wanted" {
    report >out
    grep -q '^  no rival, though one was wanted: [0-9]* budget_exhausted,' out
    report --outcome nothing >out 2>&1 || true
    refute grep -q 'no rival' out
}

# P8
@test "report: what calls --stalled lists is stalled or silent" {
    report --json >said
    "$UNSTALL" calls --db "$STORE" --stalled --limit 0 --json >listed
    [ "$(jq '.[0] | .stalled_calls + .silent_calls' said)" -eq \
        "$(jq length listed)" ]
    jq -e '.[0].silent_calls > 3' said
    jq -e '.[0] | .calls == .ttft_ms.n + .calls_without_first_token' said
}

@test "report: silence until the program's time limit is not hidden" {
    start_mock silent --tokens 3
    for _ in 1 2 3 4; do
        with_shim curl -sN -d "$(chat_body)" -o answer \
            "$SILENT_URL/v1/chat/completions"
    done
    for _ in 1 2; do
        run with_shim curl -sN -m 2.5 -d "$(chat_body)" \
            -H 'x-mock-fault: first-late=30' -o answer \
            "$SILENT_URL/v1/chat/completions"
        [ "$status" -eq 28 ]
    done
    "$UNSTALL" report >out
    grep -qE '^first token +4 +[0-9]+' out
    grep -qE '^no first token +2$' out
    grep -q "lists 2: 0 that stalled and went on, 2 silent until" out
    "$UNSTALL" report --html - >page
    grep -q '<b>2 of 6</b><span>calls stalled, 2 of them without' page
    grep -q 'p50 of 4; p95 [^;]*; 2 without one<' page
    "$UNSTALL" export prometheus >prom
    grep -q '^unstall_calls_without_first_token_total{.*} 2$' prom
    grep -q '^unstall_silent_calls_total{.*} 2$' prom
    [ "$("$UNSTALL" calls --stalled --json | jq length)" -eq 2 ]
}

@test "report: says why a backup does not help" {
    start_mock slow --tokens 3 --fault first-late=0.6
    start_mock shut --fault status=401
    for backup in "$SHUT_URL" "$SHUT_URL" http://127.0.0.1:1; do
        "$UNSTALL" run --after 0.1 --quiet --set hedge.budget.burst=9 \
            --backup "$backup/v1" -- curl -sN -d "$(chat_body)" -o answer \
            "$SLOW_URL/v1/chat/completions"
    done
    "$UNSTALL" report >out
    grep -q '^  wasted: 2 refused with 401 or 403, 1 could not connect$' out
    "$UNSTALL" export prometheus |
        grep '^unstall_hedges_wasted_by_reason_total' >prom
    grep -q 'reason="unauthorized"} 2$' prom
    grep -q 'reason="connect"} 1$' prom
    grep -q 'reason="late"} 0$' prom
}

@test "report: explain knows each label of the tables" {
    report --limit 1 >out
    sed -nE 's/^([a-z][a-z,/ ]*[a-z])  +[0-9].*/\1/p' out | sort -u >labels
    grep -oE '[A-Z][A-Z0-9]*( (FIRST|REQUESTS|IN|OUT))?' out | sort -u >>labels
    grep -qx 'whole call' labels
    grep -qx 'RESCUED' labels
    while read -r label; do
        case $label in calls | "went wrong at" | hedges | JSON) continue ;; esac
        "$UNSTALL" explain "$label" >/dev/null || { echo "$label" && false; }
    done <labels
}

# --- what people see ---------------------------------------------------------

@test "report: keeps to eighty columns, and to forty" {
    for width in 80 60 40; do
        COLUMNS=$width report >out
        run grep -E "^.{$((width + 1))}" out
        [ "$width" -lt 80 ] || [ "$output" = "" ] ||
            { echo "$output" && false; }
    done
    COLUMNS=80 report >out
    grep -qE '^first token +[0-9]+ ' out
    grep -qE '^  api.openai.com +[0-9]+ ' out
    grep -qE '^hedges +[0-9]+ +[0-9]+ +[0-9]+ ' out
    grep -qE '^went wrong at +[0-9]+ ' out
}

@test "report: says how many groups it does not show" {
    report --by hour --limit 1 >out
    grep -qE '^1 of [0-9]+ hours; --limit 0 shows all$' out
    report --by hour --limit 0 >out
    refute grep -q 'shows all' out
}

@test "report: nothing, one call, and a store of early days" {
    run "$UNSTALL" report
    [ "$status" -eq 0 ]
    [[ $output == "no calls recorded yet"* ]]
    run report --program nobody
    [ "$output" = "no such calls" ]
    report --program nobody --json >said
    jq -e 'length == 1 and .[0].calls == 0 and .[0].ttft_ms.p50 == null and
        .[0].first_at == null and .[0].stall_history == []' said
    report --host 127.0.0.1:1 >out
    grep -q '^1 call, ' out
    grep -qE '^first token +0 +- +- +- ' out
    sqlite3 old.db "CREATE TABLE calls (id INTEGER PRIMARY KEY, uuid TEXT,
        started_at INTEGER, ttft_ms INTEGER);
        INSERT INTO calls VALUES (1, 'a', 1785412525000000, 700)"
    "$UNSTALL" report --db old.db >out
    grep -qE '^first token +1 +700 ms' out
}

@test "report: mistakes are told, with exit code 2" {
    for mistake in "--by moon" "--limit x" "--stall-threshold -1" "--until x" \
        "operand"; do
        # shellcheck disable=SC2086 # two words
        run report $mistake
        [ "$status" -eq 2 ]
        [[ $output == "unstall report: "* ]]
    done
}

# Names come from other programs.
@test "report: no escape sequence of a name reaches the terminal" {
    cp "$STORE" copy.db
    sqlite3 copy.db "UPDATE calls SET program = char(27) || '[2J',
        model = char(155) || char(10)"
    for by in program model host; do
        "$UNSTALL" report --db copy.db --by $by >out
        "$UNSTALL" report --db copy.db --by $by --json >>out
        refute grep -qP '[\x00-\x09\x0b-\x1f\x7f]' out
    done
}

@test "report: numbers that cannot be are left out" {
    cp "$STORE" copy.db
    sqlite3 copy.db "UPDATE calls SET started_at = 9223372036854775807,
        tokens_out = 9223372036854775807, chunk_count = -5,
        stall_ms = 9223372036854775807, stall_count = 9223372036854775807,
        wall_ms = -9223372036854775807;
        UPDATE attempts SET timeline = randomblob(5000),
        tokens_in = 9223372036854775807"
    "$UNSTALL" report --db copy.db --stall-threshold 1 >out
    "$UNSTALL" report --db copy.db --json | jq -e '.[0].stalls == 0'
}

# --- many --------------------------------------------------------------------

# CPU time, since others may be at work on this machine.
@test "report: 100 000 calls take two seconds and no memory to speak of" {
    python3 "$TOOLS/multiply.py" "$STORE" many.db 500
    [ "$(sqlite3 many.db 'SELECT count(*) FROM calls')" -gt 100000 ]
    python3 "$TOOLS/measure.py" "$UNSTALL" report --db many.db >out
    python3 "$TOOLS/measure.py" "$UNSTALL" report --db many.db --by hour \
        --json >said
    jq -e '.[0].calls > 100000' said
}
