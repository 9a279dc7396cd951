#!/usr/bin/env bats
# The upkeep of the database: `unstall store`, calls that grow too old, and
# files that are damaged.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    DB=$XDG_STATE_HOME/unstall/unstall.db
    export TZ=UTC LC_ALL=C.UTF-8
    start_mock alpha
}

teardown() { common_teardown; }

# one call of curl, as the program NAME
call() {
    cp "$(command -v curl)" "${1:-curl}"
    with_shim "./${1:-curl}" -sN -o answer -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)"
}

# COUNT calls with DAYS behind them
aged() {
    local i day
    day=$(($(date +%s) / 86400 - $2))
    for ((i = 0; i < $1; i++)); do
        store "INSERT INTO calls (uuid, started_at, program) VALUES
            ('$2-$i', ($day * 86400 + $i) * 1000000, 'old');
            INSERT INTO attempts (call_id, seq) VALUES
            (last_insert_rowid(), 0);"
    done
}

calls() {
    store "SELECT count(*) FROM calls"
}

# --- retention ---------------------------------------------------------------

@test "calls that are too old go with the next one, a few at a time" {
    call
    aged 70 91
    aged 3 89
    [ "$(calls)" -eq 74 ]
    call
    [ "$(calls)" -eq 11 ]
    call
    [ "$(calls)" -eq 6 ]
    [ "$(store "SELECT count(*) FROM attempts")" -eq 6 ]
    cmp answer <(without curl -sN -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)")
}

@test "retain_days null keeps every call; another number others" {
    call
    aged 3 100
    UNSTALL__STORE__RETAIN_DAYS=null call
    [ "$(calls)" -eq 5 ]
    UNSTALL__STORE__RETAIN_DAYS=101 call
    [ "$(calls)" -eq 6 ]
    UNSTALL__STORE__RETAIN_DAYS=99 call
    [ "$(calls)" -eq 4 ]
}

@test "nothing is deleted inside an application's event loop" {
    call
    aged 3 100
    with_shim curl -sN -Z -o answer -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)"
    [ "$(calls)" -eq 5 ]
}

@test "store retain: as configured, or as told, and how many went" {
    run ! unstall store retain
    [[ $output == *"no calls recorded yet"* ]]
    call
    aged 600 100
    aged 2 20
    run unstall store retain
    [ "$status" -eq 0 ]
    [ "$output" = "600 calls deleted that were older than 90 days" ]
    run unstall store retain --days 10 --json
    [ "$(jq -c . <<<"$output")" = '{"deleted":2,"days":10}' ]
    [ "$(calls)" -eq 1 ]
    UNSTALL__STORE__RETAIN_DAYS=null run unstall store retain
    [[ $output == *"every call is kept" ]]
}

@test "no setting is accepted without effect" {
    run unstall config check
    [ "${lines[-1]}" = "no errors, no warnings" ]
    UNSTALL__STORE__RETAIN_DAYS=3 run unstall config check
    [ "${lines[-1]}" = "no errors, no warnings" ]
}

# --- path, check, vacuum -----------------------------------------------------

@test "store path: where it is, whether or not it is there" {
    run unstall store path
    [ "$output" = "$DB" ]
    [ ! -e "$DB" ]
    run unstall store path --db x.db
    [ "$output" = x.db ]
}

@test "store check: a sound database" {
    call
    run unstall store check
    [ "$status" -eq 0 ]
    [[ $output == *"$DB is sound"* ]]
    unstall store check --json >check.json
    [ "$(jq -r .verdict check.json)" = sound ]
}

@test "store check: nothing there is no fault" {
    run unstall store check
    [ "$status" -eq 0 ]
    [[ $output == *"no calls recorded yet"* ]]
}

@test "store check: each fault has its row, and the exit code 1" {
    call
    store "INSERT INTO attempts (call_id, seq) VALUES (99, 0), (99, 1)"
    run unstall store check
    [ "$status" -eq 1 ]
    [[ $output == *"2 that belong to no call"* ]]
    store "DELETE FROM attempts WHERE call_id = 99;
        INSERT INTO stalls (call_id) VALUES (98)"
    run unstall store check
    [ "$status" -eq 1 ]
    [[ $output == *"1 that belong to no call"* ]]
    store "DELETE FROM stalls; PRAGMA user_version = 99" >/dev/null
    run unstall store check
    [ "$status" -eq 1 ]
    [[ $output == *"99; this unstall writes"* ]]
}

@test "store check: noise in a page" {
    call
    damage
    run unstall store check
    [ "$status" -eq 1 ]
}

@test "store vacuum: says what it was and what it is" {
    call
    aged 400 100
    unstall store retain
    before=$(stat -c %s "$DB")
    unstall store vacuum --json >vacuum.json
    [ "$(jq .bytes_after vacuum.json)" -lt "$(jq .bytes_before vacuum.json)" ]
    [ "$(stat -c %s "$DB")" -eq "$(jq .bytes_after vacuum.json)" ]
    [ "$(stat -c %s "$DB")" -le "$before" ]
    [ "$(stat -c %a "$DB")" = 600 ]
    [ "$(calls)" -eq 1 ]
    run unstall store vacuum
    [[ $output =~ ^[0-9]+" bytes before, "[0-9]+" after"$ ]]
}

# --- purge -------------------------------------------------------------------

@test "store purge: asks, and takes no silence for a yes" {
    call
    run unstall store purge </dev/null
    [ "$status" -eq 2 ]
    [[ $output == *"--yes says that you mean it"* ]]
    for answer in n '' x; do
        echo "$answer" | script -qec "$UNSTALL store purge" out >/dev/null ||
            true
        [ "$(calls)" -eq 1 ]
    done
    echo y | script -qec "$UNSTALL store purge" out >/dev/null
    grep -q 'Delete 1 calls from' out
    [ "$(calls)" -eq 0 ]
}

@test "store purge: nothing of the calls is left in the files" {
    call secretive
    aged 5 3
    grep -q secretive "$DB" "$DB-wal"
    run unstall store purge --yes
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "6 calls deleted" ]
    for table in calls attempts stalls; do
        [ "$(store "SELECT count(*) FROM $table")" -eq 0 ]
    done
    refute grep -rq secretive "${DB%/*}" "$XDG_RUNTIME_DIR"
    call
    [ "$(calls)" -eq 1 ]
}

@test "store purge: those that are selected" {
    call
    call other
    aged 3 10
    aged 2 30
    run unstall store purge --yes --program other
    [ "${lines[0]}" = "1 calls deleted" ]
    run unstall store purge --yes --before 20d --json
    [ "$(jq .deleted <<<"$output")" -eq 2 ]
    run unstall store purge --yes --host nowhere.example
    [ "$output" = "0 calls deleted" ]
    [ "$(calls)" -eq 4 ]
    run unstall store purge --yes --host 127.0.0.1
    [ "${lines[0]}" = "1 calls deleted" ]
    [ "$(store "SELECT DISTINCT program FROM calls")" = old ]
}

# one call of curl as the program NAME, its answer kept
captured() {
    cp "$(command -v curl)" "$1"
    unstall run --quiet --capture kept -- "./$1" -sN -o answer \
        -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
}

# The captures that are left, by the programs that the store knows them by.
kept() {
    local file
    for file in kept/*.capture; do
        store "SELECT program FROM calls WHERE
            uuid = '$(head -1 "$file" | jq -r .call)'"
    done | sort | xargs
}

@test "store purge: says that captures stay, and deletes those of its calls" {
    captured one
    captured two
    captured two
    [ "$(kept)" = "one two two" ]
    run unstall store purge --yes --program one
    [[ $output == *"their captures, if any"*"are still there"* ]]
    captured one
    run unstall store purge --yes --program one --captures kept
    [ "${lines[1]}" = "1 captures deleted" ]
    [ "${lines[2]}" = \
        "3 in kept are not known to be of these calls, and stay" ]
    [ "$(kept)" = "two two" ]
    run unstall store purge --yes --json --captures kept
    [ "$(jq -c '[.deleted, .captures, .captures_left]' <<<"$output")" = \
        "[2,2,1]" ]
    [ "$(find kept -type f | wc -l)" -eq 1 ]
}

@test "store purge: what is no capture of a purged call is left alone" {
    captured one
    mkdir other
    mv kept/*.capture other/real
    ln -s ../other/real kept/link.capture
    cp other/real kept/another-name
    echo 'data: {}' >kept/body.capture
    sed '1s/"call":"[^"]*"/"call":"0-0-0"/' other/real >kept/others.capture
    mkfifo kept/pipe.capture
    mkdir kept/dir.capture
    ls kept >before
    run unstall store purge --yes --captures kept
    [ "${lines[1]}" = "0 captures deleted" ]
    ls kept | diff before -
    [ -s other/real ]
}

@test "store purge: without its captures' directory nothing is deleted" {
    captured one
    ln -s kept link
    for dir in nowhere /etc/passwd link; do
        run unstall store purge --yes --captures "$dir"
        [ "$status" -eq 2 ]
        [[ $output == *"--captures $dir: "* ]]
    done
    [ "$(calls)" -eq 1 ]
    [ "$(kept)" = one ]
}

@test "store purge: the capture of a call that was killed goes, too" {
    "$UNSTALL" run --capture kept --quiet -- curl -sN -o answer \
        -d "$(chat_body)" -H 'x-mock-fault: stall@5=60' \
        "$ALPHA_URL$(path_of chat)" 3>&- &
    pid=$!
    eventually grep -q data answer
    kill -9 "$pid"
    wait "$pid" || true
    [ -n "$(ls kept)" ]
    run unstall store purge --yes --killed --captures kept
    [ "${lines[0]}" = "1 calls deleted" ]
    [ -z "$(ls kept)" ]
}

@test "store: mistakes are told, with exit code 2" {
    for mistake in "" nothing "path check" "vacuum --days 3" "retain --yes" \
        "check --program x" "retain --days -1" "purge --days 3" \
        "vacuum --captures x"; do
        # shellcheck disable=SC2086 # words
        run unstall store $mistake
        [ "$status" -eq 2 ]
        [[ $output == *"Try 'unstall help store'"* ]]
    done
}

# --- damage ------------------------------------------------------------------

# A database that was one.
damage() {
    store "PRAGMA journal_mode = DELETE" >/dev/null
    dd if=/dev/urandom of="$DB" bs=4096 seek=1 count=20 conv=notrunc \
        status=none
}

# P4
@test "a damaged database is set aside, and calls are recorded again" {
    call
    damage
    run call
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$(calls)" -eq 1 ]
    ls "$DB".damaged-*Z
    run unstall doctor
    [[ $output == *"damaged-"*"set aside"* ]]
}

@test "the next command says so, once" {
    call
    damage
    call
    run --separate-stderr unstall calls
    [ "$status" -eq 0 ]
    [[ $output == *curl* ]]
    [[ $stderr == *"the database was damaged, and a new one is begun"* ]]
    run --separate-stderr unstall calls
    [ -z "$stderr" ]
    run unstall doctor
    [[ $output == *"damaged-"* ]]
}

# P4
@test "many processes that meet the damage at once lose no call" {
    call
    damage
    pids=()
    for i in 1 2 3 4 5 6 7 8; do
        with_shim curl -sN -o "a$i" -d "$(chat_body)" \
            "$ALPHA_URL$(path_of chat)" 3>&- &
        pids+=($!)
    done
    wait "${pids[@]}"
    unstall calls --limit 0 --json 2>/dev/null >calls.json
    [ "$(jq length calls.json)" -eq 8 ]
    [ "$(find "${DB%/*}" -name '*.damaged-*Z' | wc -l)" -eq 1 ]
}

@test "store purge deletes what was set aside, but only with all calls" {
    call
    damage
    call
    unstall store purge --yes --program nobody 2>/dev/null
    ls "$DB".damaged-*Z
    run --separate-stderr unstall store purge --yes
    [[ $output == *"1 damaged databases deleted"* ]]
    [ -z "$(find "${DB%/*}" -name '*damaged*')" ]
}

@test "a database that is a directory: said so" {
    run -1 unstall calls --db "$PWD"
    [[ $output == *": it is a directory" ]]
}
