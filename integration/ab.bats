#!/usr/bin/env bats
# The arms of an experiment side by side: `unstall ab`.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    DB=$XDG_STATE_HOME/unstall/unstall.db
    export TZ=UTC LC_ALL=C.UTF-8 COLUMNS=80
    unset NO_COLOR
}

teardown() { common_teardown; }

# experiment NAME CALLS FASTER [PER_PROCESS]: as if so many calls had been
# made, those of the treatment faster by the share FASTER.  What looks like
# chance is a remainder: the same each time.
experiment() {
    mkdir -p "${DB%/*}"
    sqlite3 "$DB" "
CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY, uuid TEXT,
    started_at INTEGER, program TEXT, pid INTEGER, endpoint TEXT, model TEXT,
    streaming INTEGER, mode TEXT, arm TEXT, experiment TEXT, outcome TEXT,
    winner INTEGER, attempts INTEGER, tokens_in INTEGER, wall_ms INTEGER,
    ttft_us INTEGER, stall_ms INTEGER, stall_count INTEGER);
CREATE TABLE IF NOT EXISTS attempts (call_id INTEGER, seq INTEGER,
    started_ms INTEGER, why TEXT, tokens_out INTEGER, chunk_count INTEGER);
CREATE TEMP TABLE drawn AS
    WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
    SELECT i, (i / ${4:-1}) * 48271 % 2147483647 % 97 % 2 AS treated,
        i * 16807 % 2147483647 % 1000 AS chance FROM n;
INSERT INTO calls SELECT NULL, '$1' || i,
    1785412525000000 + i * 60000000
        + (SELECT count(*) FROM calls) * 60000000,
    'curl', i / ${4:-1}, 'https://a.example/v1', 'm', 1,
    CASE treated WHEN 1 THEN 'hedge' ELSE 'observe' END,
    CASE treated WHEN 1 THEN 'treatment' ELSE 'control' END,
    '$1', 'ok', 0, 1 + (treated AND chance > 900), 100, 9000,
    (1 - $3 * treated) * (400000 + 500 * chance
        + CASE WHEN chance > 900 THEN 9000 * (chance - 900) ELSE 0 END),
    0, 0 FROM drawn;
INSERT INTO attempts
    SELECT id, 1, 3000, 'first_token', NULL, 7 FROM calls
    WHERE attempts = 2 AND experiment = '$1'"
}

told() { unstall ab "$@" --json; }

@test "ab: without a database, or without an experiment, says so" {
    run "$UNSTALL" ab
    [ "$status" -eq 0 ]
    [[ $output == "no calls recorded yet ($DB);"* ]]
    experiment none 10 0
    sqlite3 "$DB" "UPDATE calls SET arm = NULL, experiment = NULL"
    run "$UNSTALL" ab
    [ "$status" -eq 0 ]
    [[ "$output" == "no call was part of an experiment"* ]]
    run "$UNSTALL" ab other
    [ "$status" -eq 0 ]
    [ "$output" = "no such calls of an experiment 'other'" ]
}

@test "ab: names a difference that is there, within 80 columns" {
    experiment hedge-2026 2000 0.4
    run "$UNSTALL" ab
    [ "$status" -eq 0 ]
    grep -qE "^The treatment's p95 first token is (3|4)[0-9] % lower \(95 %" \
        <<<"$output"
    grep -qE '^first token p95 .* primary$' <<<"$output"
    refute grep -qE '^.{81,}' <<<"$output"
    [ "$(told | jq -r .verdict)" = less ]
}

@test "ab: the cost is there: extra requests, and what they read and wrote" {
    experiment cost 2000 0.4
    told >told.json
    run jq '.metrics[] | select(.metric == "extra_requests") |
        .control == 0 and .low > 0.07 and .high < 0.13' told.json
    [ "$output" = true ]
    run jq '[.metrics[] | {(.metric): .treatment}] | add |
        (.extra_tokens / .extra_requests) | round' told.json
    [ "$output" = 107 ]
}

@test "ab: asks for more calls when there are too few" {
    experiment small 60 0.4
    run "$UNSTALL" ab
    [ "$status" -eq 0 ]
    grep -qE '^Not enough data: about [0-9]+ more calls' <<<"$output"
    [ "$(told | jq '.more_calls > 100 and .more_calls < 300')" = true ]
}

@test "ab: equal arms have no difference" {
    experiment equal 8000 0
    [ "$(told | jq -r .verdict)" = none ]
}

@test "ab: one number is primary, the others are exploratory" {
    experiment roles 400 0.4
    told >told.json
    [ "$(jq -r '[.metrics[] | select(.role == "primary").metric] | join(" ")' \
        told.json)" = ttft_p95_ms ]
    [ "$(jq '[.metrics[] | select(.role == "exploratory")] | length' \
        told.json)" -eq 9 ]
}

@test "ab: says the same each time" {
    experiment again 500 0.2
    told >one.json
    told >other.json
    cmp one.json other.json
}

@test "ab: the newest experiment, unless one is named" {
    experiment older 400 0.4
    experiment newer 400 0
    [ "$(told | jq -r .experiment)" = newer ]
    [ "$(told older | jq -r .experiment)" = older ]
    [ "$(told older | jq '.calls.control + .calls.treatment')" -eq 400 ]
    run "$UNSTALL" ab older newer
    [ "$status" -eq 2 ]
}

@test "ab: calls of a process count as one when processes were drawn" {
    experiment processes 2000 0 20
    told >told.json
    [ "$(jq -r .unit told.json)" = process ]
    [ "$(jq '.units.control + .units.treatment' told.json)" -eq 101 ]
    run "$UNSTALL" ab
    grep -q '^drawn by process' <<<"$output"
}

@test "ab: a call that never got a token counts as late" {
    experiment late 1000 0
    sqlite3 "$DB" "UPDATE calls SET ttft_us = NULL, outcome = 'timeout'
        WHERE arm = 'control' AND id % 10 = 0"
    run "$UNSTALL" ab
    grep -q '^first token p95 .*never' <<<"$output"
    [ "$(told | jq -r .verdict)" = less ]
}

@test "ab: a refusal is nobody's first token" {
    experiment refused 1000 0
    sqlite3 "$DB" "UPDATE calls SET ttft_us = NULL, outcome = 'refused'
        WHERE arm = 'control' AND id % 3 = 0"
    run "$UNSTALL" ab
    refute grep -q never <<<"$output"
}

@test "ab: warns of arms that cannot be compared" {
    experiment doubtful 1000 0
    [ "$(told | jq '.warnings | length')" -eq 0 ]
    [ "$(told --share 0.2 | jq -r '.warnings[].what')" = balance ]
    sqlite3 "$DB" "UPDATE calls SET mode = 'shadow'
        WHERE arm = 'treatment' AND id > 500"
    [ "$(told | jq -r '.warnings[].what')" = mode ]
    [ "$(told --since "2026-07-30 20:16" | jq '.warnings | length')" -eq 0 ]
    run "$UNSTALL" ab
    grep -qE '^  ! mode ' <<<"$output"
}

@test "ab: the share is the configured one, unless one is given" {
    config <<<'{"mode": "hedge", "experiment": {"name": "doubtful",
        "treatment": 0.2, "unit": "key"}}'
    experiment doubtful 1000 0
    [ "$(told | jq -r '[.warnings[].what] | join(" ")')" = "balance unit" ]
    [ "$(told --share 0.5 | jq -r '.warnings[].what')" = unit ]
}

@test "ab: reads what programs under an experiment leave (R12)" {
    start_mock alpha --fault first-late=0.6,every=9
    config <<<'{"mode": "hedge", "hedge": {"after_s": 0.2},
        "experiment": {"name": "real", "treatment": 0.5}}'
    for _ in {1..40}; do
        with_shim curl -sN -o /dev/null -d "$(chat_body)" \
            "$ALPHA_URL$(path_of chat)"
    done
    told >told.json
    [ "$(jq -c '[.experiment, .unit, .verdict]' told.json)" = \
        '["real","call","too_few"]' ]
    [ "$(jq '.calls.control + .calls.treatment' told.json)" -eq 40 ]
    [ "$(jq '.calls.control > 5 and .calls.treatment > 5' told.json)" = true ]
    [ "$(jq '.warnings | length' told.json)" -eq 0 ]
}

@test "ab: a wrong share is told" {
    run "$UNSTALL" ab --share 2
    [ "$status" -eq 2 ]
    [[ "$output" == *"--share 2: not between 0 and 1"* ]]
}

@test "ab: a hundred thousand calls take less than five seconds of CPU" {
    experiment large 100000 0
    local TIMEFORMAT='%3U + %3S'
    { time told >told.json; } 2>took
    [ "$(jq -n "$(<took) < 5")" = true ]
}
