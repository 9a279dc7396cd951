#!/usr/bin/env bats
# What settings would have saved: `unstall advise`, and whether it keeps its
# word.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    DB=$XDG_STATE_HOME/unstall/unstall.db
    export TZ=UTC LC_ALL=C.UTF-8 COLUMNS=80
    unset NO_COLOR
}

teardown() { common_teardown; }

# record CALLS: as if so many had been watched, every 20th of them 20 s late.
# What looks like chance is a remainder.
record() {
    mkdir -p "${DB%/*}"
    sqlite3 "$DB" "
CREATE TABLE calls (id INTEGER PRIMARY KEY, uuid TEXT, started_at INTEGER,
    program TEXT, endpoint TEXT, model TEXT, streaming INTEGER, mode TEXT,
    outcome TEXT, tokens_in INTEGER);
CREATE TABLE attempts (call_id INTEGER, seq INTEGER, timeline BLOB,
    outcome TEXT, ttft_us INTEGER, generation_ms INTEGER, wall_ms INTEGER,
    tokens_out INTEGER);
CREATE INDEX attempts_call ON attempts(call_id, seq);
WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
INSERT INTO calls SELECT i, 'u' || i, 1785412525000000 + i * 1000000, 'curl',
    'https://a.example/v1', 'm', 1, 'observe', 'ok', 100 FROM n;
INSERT INTO attempts SELECT id, 0, NULL, 'won', us, 3000, us / 1000 + 3000, 50
    FROM (SELECT id, 500000 + 500 * (id * 16807 % 2147483647 % 1000)
        + CASE WHEN id % 20 = 0 THEN 20000000 ELSE 0 END AS us FROM calls)"
}

advice() { unstall advise "$@" --json; }

@test "advise: without a database says so" {
    run "$UNSTALL" advise
    [ "$status" -eq 0 ]
    [[ $output == "no calls recorded yet ($DB);"* ]]
}

@test "advise: refuses too few calls, and says how many more it takes" {
    record 37
    run "$UNSTALL" advise
    [ "$status" -eq 0 ]
    grep -q 'Not enough data: the times of 37 calls are known' <<<"$output"
    [ "$(advice | jq -c '[.verdict, .more_calls]')" = '["too_few",63]' ]
}

@test "advise: recommends a wait for late calls, within 80 columns" {
    record 500
    run "$UNSTALL" advise
    [ "$status" -eq 0 ]
    grep -qE '^Ask again after [0-9.]+ s without a first token\.' <<<"$output"
    grep -qE '^knee ' <<<"$output"
    refute grep -qE '^.{81,}' <<<"$output"
    advice >advice.json
    run jq '.knee | .saved_ms > 700 and .saved_ms < 1000 and
        .extra_requests > 0.04 and .extra_requests <= 0.1 and
        .first_p95_ms < 4000 and .extra_tokens >= 4' advice.json
    [ "$output" = true ]
}

@test "advise: its fragment is a configuration that is accepted" {
    record 500
    local fragment # apart: advise reads the file that config empties
    fragment=$(advice | jq .config)
    config <<<"$fragment"
    run "$UNSTALL" config check
    [ "$status" -eq 0 ]
    run jq -c '[.[] | select(.key == "mode").value]' \
        <(unstall config show --json)
    [ "$output" = '["hedge"]' ]
    fragment=$(unstall advise --hold all --budget 0.3 |
        sed -n '/^{/,/}}}$/p')
    config <<<"$fragment"
    run "$UNSTALL" config check
    [ "$status" -eq 0 ]
}

@test "advise: spends no more than the budget (R11)" {
    record 500
    [ "$(advice --budget 0.02 | jq -r .verdict)" = nothing ]
    run "$UNSTALL" advise --budget 0.02
    [[ "$output" == "Leave it: within 2.0 % more requests"* ]]
    [[ "${output//$'\n  '/ }" == *"Beyond the budget, at "*"; --budget 0.0"* ]]
    [ "$(advice --budget 0.06 | jq '.most.extra_requests <= 0.06')" = true ]
    [ "$(advice --budget 0.5 | jq '.most.extra_requests > 0.1')" = true ]
}

@test "advise: says the same each time" {
    record 300
    advice >one.json
    advice >other.json
    cmp one.json other.json
}

@test "advise: a primary that was cut tells 'longer than', not its time" {
    record 500
    advice >watched.json
    sqlite3 "$DB" "UPDATE attempts SET outcome = 'hedge_cancelled',
        ttft_us = NULL, generation_ms = NULL, wall_ms = 2000
        WHERE ttft_us > 2000000 AND call_id % 40 = 0"
    advice >hedged.json
    [ "$(jq -c '[.known, .censored]' hedged.json)" = '[488,12]' ]
    run jq -s '.[1].knee.saved_ms / .[0].knee.saved_ms |
        . > 0.9 and . < 1.1' watched.json hedged.json
    [ "$output" = true ]
}

@test "advise: refused and failed calls teach no wait" {
    record 500
    sqlite3 "$DB" "UPDATE attempts SET outcome = 'failed', ttft_us = NULL
        WHERE call_id <= 450"
    [ "$(advice | jq -c '[.verdict, .known, .left_out]')" = \
        '["too_few",50,450]' ]
}

@test "advise: a wrong budget or hold is told" {
    run "$UNSTALL" advise --budget much
    [ "$status" -eq 2 ]
    [[ "$output" == *"--budget much: not a number of requests"* ]]
    run "$UNSTALL" advise --hold some
    [ "$status" -eq 2 ]
}

@test "advise: a hundred thousand calls take less than five seconds of CPU" {
    record 100000
    local TIMEFORMAT='%3U + %3S'
    { time advice >advice.json; } 2>took
    [ "$(jq -n "$(<took) < 5")" = true ]
    [ "$(jq .calls advice.json)" -eq 4000 ]
}

# traffic NAME: 216 calls by programs that know nothing of it, a dozen at a
# time.  Every ninth request is 3 s late, or stalls for as long: which one is
# counted by the server, so a fresh server treats the same calls alike.
traffic() {
    start_mock "$1" --interval-ms 20
    URL=$(mock_var "$1" URL)$(path_of chat)
    export URL SHIM
    export -f chat_body
    seq 216 | xargs -P 12 -n 1 bash -c '
        faults=(first-late=3 stall@10=3)
        LD_PRELOAD=$SHIM curl -sN -o /dev/null --max-time 30 "$URL" \
            -d "$(chat_body "mock:${faults[$1 % 2]},every=9")"' ask
}

mean_wall() {
    sqlite3 "$1" 'SELECT avg(wall_ms) FROM calls WHERE outcome = "ok"'
}

# What the machine was like: of calls that neither the server nor a rival
# touched.
mean_healthy() {
    sqlite3 "$1" 'SELECT avg(wall_ms) FROM calls WHERE outcome = "ok"
        AND attempts = 1 AND wall_ms < 2500'
}

@test "advise: what it promises is saved, within a fifth (R2, R4)" {
    traffic watched
    advice --hold all --budget 0.5 >advice.json
    run jq '.calls == 216 and .knee.after_s > 0 and .knee.stall_after_s > 0' \
        advice.json
    [ "$output" = true ]
    sqlite3 "$DB" ".backup watched.db"
    rm -f "$DB"*
    jq .config advice.json | config
    traffic hedged
    [ "$(store 'SELECT count(*) FROM calls WHERE outcome = "ok"')" -eq 216 ]
    echo "promised $(jq -c .knee advice.json)," \
        "watched $(mean_wall watched.db), hedged $(mean_wall "$DB")," \
        "healthy $(mean_healthy watched.db), $(mean_healthy "$DB")," \
        "$(store 'SELECT sum(attempts) - count(*) FROM calls') more requests"
    run jq --argjson watched "$(mean_wall watched.db)" \
        --argjson hedged "$(mean_wall "$DB")" \
        --argjson drift \
        "$(jq -n "$(mean_healthy watched.db) - $(mean_healthy "$DB")")" \
        '($watched - $hedged - $drift) / .knee.saved_ms |
            . > 0.8 and . < 1.2' advice.json
    [ "$output" = true ]
}
