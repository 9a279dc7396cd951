#!/usr/bin/env bats
# The flight recorder (P4): every call leaves its record, however the process
# and the database are treated, and the program notices nothing.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    DB=$XDG_STATE_HOME/unstall/unstall.db
    PLACE=$XDG_RUNTIME_DIR/unstall
    export TZ=UTC LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

teardown() {
    [[ -z ${MOUNTED:-} ]] || umount "$MOUNTED"
    common_teardown
}

URL() {
    echo "$ALPHA_URL$(path_of chat)"
}

# one SQL: it becomes true that the one call there is, is so.
recorded() {
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -eq 1 ] &&
        [ "$(store "SELECT $1 FROM calls")" -eq 1 ] ||
        { unstall calls --json && false; }
}

# A program in the background that is asking; $! is its process.
curl_in_flight() {
    LD_PRELOAD=$SHIM curl -sN -o got -d "$(chat_body)" "$(URL)" &
    CHILD=$!
}

kill_child() {
    kill -9 "$CHILD"
    wait "$CHILD" 2>/dev/null || true
}

# --- killed -------------------------------------------------------------------

@test "kill -9 of curl in a stall: chunks, and the silence it died in" {
    start_mock alpha --tokens 40 --interval-ms 5 --fault stall@20=60
    curl_in_flight
    sleep 3.4
    kill_child
    COLUMNS=100 run "$UNSTALL" calls --killed
    [ "$status" -eq 0 ]
    [[ ${lines[1]} == *curl*"20 chunks, silent for "[23].*" s" ]]
    COLUMNS=80 run "$UNSTALL" show last
    [[ $output == *"answer    killed, by attempt 0 (primary), HTTP 200, silent"* ]]
    [[ $output == *"* 0 "*"·"*" s silent "*"·†"* ]]
    COLUMNS=80 run "$UNSTALL" show last --ascii
    [[ $output == *"* 0 "*" s silent "*".k"* ]]
    recorded "chunk_count = 20 AND bytes > 0 AND silent_ms BETWEEN 2000 AND 3400
        AND ttft_ms < 2000 AND http_status = 200 AND curl_code IS NULL
        AND model = 'mock-1' AND dialect = 'chat' AND stall_count = 0
        AND wall_ms - silent_ms < 2000"
    [ "$(store 'SELECT length(timeline) > 60 FROM attempts')" -eq 1 ]
    [ -z "$(ls "$PLACE")" ]
}

# P6: curl's own bar, and libcurl's meter, are drawn as without us.
@test "killed while its progress is drawn: the silence is all told" {
    local how
    start_mock alpha --tokens 40 --interval-ms 5 --fault stall@20=60
    for how in -# --no-progress-bar; do
        LD_PRELOAD=$SHIM curl -N $how -o got -d "$(chat_body)" "$(URL)" \
            2>drawn &
        CHILD=$!
        sleep 3.4
        kill_child
        "$UNSTALL" calls >/dev/null
        [ "$(store 'SELECT silent_ms BETWEEN 2000 AND 3400 FROM calls
            ORDER BY id DESC LIMIT 1')" -eq 1 ]
        [ -s drawn ]
    done
    [ "$(store 'SELECT count(*) FROM calls')" -eq 2 ]
}

@test "killed before the first token: the whole wait is the silence" {
    start_mock alpha --fault silent
    curl_in_flight
    sleep 2.5
    kill_child
    recorded "silent_ms BETWEEN 900 AND 2500 AND chunk_count = 0
        AND winner IS NULL AND ttft_ms IS NULL AND silent_ms = wall_ms
        AND connect_ms >= 0"
    "$UNSTALL" report --json >said
    jq -e '.[0] | .failed_headers == 1 and .failed_connect == 0' said
    "$UNSTALL" calls --killed --json | jq -e 'length == 1'
}

@test "killed in the middle of a race: both requests are there" {
    start_mock alpha --fault silent
    start_mock beta --tokens 40 --interval-ms 5 --fault stall@10=60
    BETA_KEY=k "$UNSTALL" run --quiet --after 0.3 --backup "$BETA_URL/v1" \
        --backup-key-env BETA_KEY -- \
        curl -sN -o got -d "$(chat_body)" "$(URL)" &
    CHILD=$!
    eventually test -s got
    sleep 1.5
    kill_child
    recorded "hedge_reason = 'first_token' AND attempts = 2 AND winner = 1
        AND chunk_count = 10 AND silent_ms BETWEEN 500 AND 1600"
    [ "$(store 'SELECT group_concat(outcome) FROM attempts')" = \
        hedge_cancelled,killed ]
    [ "$(store 'SELECT source FROM attempts WHERE seq = 1')" = backup ]
}

@test "kill -9 of php and of pycurl's multi" {
    start_mock alpha --tokens 40 --interval-ms 5 --fault stall@20=60
    cat >ask.php <<'PHP'
<?php $h = curl_init($argv[1]);
curl_setopt($h, CURLOPT_POSTFIELDS, $argv[2]);
curl_setopt($h, CURLOPT_WRITEFUNCTION, function ($h, $s) {
    file_put_contents("got", $s, FILE_APPEND); return strlen($s); });
curl_exec($h);
PHP
    cat >ask.py <<'PY'
import pycurl, sys
c, m = pycurl.Curl(), pycurl.CurlMulti()
c.setopt(c.URL, sys.argv[1])
c.setopt(c.POSTFIELDS, sys.argv[2])
c.setopt(c.WRITEFUNCTION, lambda s: open("got", "ab").write(s))
m.add_handle(c)
while m.perform()[1]:
    m.select(0.2)
PY
    for ask in "php ask.php" "/usr/bin/python3 ask.py"; do
        rm -f got "$DB"*
        # shellcheck disable=SC2086 # words
        LD_PRELOAD=$SHIM $ask "$(URL)" "$(chat_body)" &
        CHILD=$!
        eventually test -s got
        sleep 1.7
        kill_child
        recorded "outcome = 'killed' AND chunk_count = 20
            AND silent_ms BETWEEN 500 AND 1800"
    done
}

# At each moment of a call's life; the long form is KILLS=200.
@test "killed at any moment: whoever has asked has one row" {
    local n kills=${KILLS:-40} pids=()
    start_mock alpha --tokens 60 --interval-ms 3
    for ((n = 0; n < kills; n++)); do
        # shellcheck disable=SC2016 # for the inner shell
        LD_PRELOAD=$SHIM sh -c 'exec curl -sN -o /dev/null -H "x-pid: $$" \
            -d "$1" "$2"' sh "$(chat_body)" "$(URL)" &
        pids+=($!)
        sleep "0.00$((RANDOM % 10))"
        if ((n % 4 == 3)); then
            sleep "0.$((RANDOM % 20))"
            kill -9 "${pids[@]}" 2>/dev/null || true
            wait "${pids[@]}" 2>/dev/null || true
            pids=()
        fi
    done
    unstall calls >calls.log
    mock_log alpha 'select(.event == "request") | .headers["x-pid"]' |
        sort >asked
    store 'SELECT pid FROM calls' | sort >rows
    [ -z "$(uniq -d rows)" ]
    [ -z "$(comm -23 asked rows)" ]
    [ "$(store "SELECT count(*) > 0 FROM calls WHERE outcome = 'killed'")" -eq 1 ]
    [ -z "$(ls "$PLACE")" ]
}

# --- left in the middle -------------------------------------------------------

# leave HOW: a program that drops its call at the fifth piece.
leave() {
    rm -f "$DB"*
    LD_PRELOAD=$SHIM "$BUILD/integration/clients/leave" "$1" "$(URL)" \
        "$(chat_body)"
}

@test "a call that is left by a jump, an exit or exec leaves a record" {
    start_mock alpha --tokens 40 --interval-ms 5
    for how in longjmp _exit exit exec leak; do
        leave "$how"
        recorded "outcome = 'killed' AND chunk_count BETWEEN 1 AND 39" ||
            { echo "$how" && false; }
    done
    [ -z "$(ls "$PLACE")" ]
}

@test "a fork in a callback: parent and child have a record each" {
    start_mock alpha --tokens 40 --interval-ms 5
    leave fork || true
    unstall calls >calls.log
    [ "$(store 'SELECT count(DISTINCT pid) FROM calls')" -eq 2 ]
    [ "$(store 'SELECT count(*) FROM calls')" -eq 2 ]
    [ -z "$(ls "$PLACE")" ]
}

# --- the store cannot take it -------------------------------------------------

@test "what a locked store could not take is there later, once" {
    start_mock alpha --tokens 5
    unstall run --observe -- curl -sSN -o got -d "$(chat_body)" "$(URL)"
    coproc LOCK { sqlite3 "$DB" 2>&1; }
    echo "BEGIN IMMEDIATE; SELECT 'locked';" >&"${LOCK[1]}"
    read -r line <&"${LOCK[0]}"
    [ "$line" = locked ]
    stopwatch
    unstall run --observe -- curl -sSN -o got -d "$(chat_body)" "$(URL)"
    took_between 0 900 # nobody waits for the lock at the program's end
    [ "$(find "$PLACE" -name '*.flight' | wc -l)" -eq 1 ]
    echo ".quit" >&"${LOCK[1]}"
    wait "$LOCK_PID" || true
    [ "$(store 'SELECT count(*) FROM calls')" -eq 1 ]
    unstall calls >calls.log
    [ "$(store "SELECT count(*) FROM calls WHERE outcome = 'ok'")" -eq 2 ]
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -eq 2 ]
    [ -z "$(ls "$PLACE")" ]
}

@test "the next program that ends takes in what another one left" {
    start_mock alpha --tokens 40 --interval-ms 5
    leave _exit
    [ "$(find "$PLACE" -name '*.flight' | wc -l)" -eq 1 ]
    unstall run --observe -- curl -sSN -o got -d "$(chat_body)" "$(URL)"
    [ "$(store "SELECT group_concat(outcome) FROM (SELECT outcome FROM calls
        ORDER BY outcome)")" = killed,ok ]
    [ -z "$(ls "$PLACE")" ]
}

# --- surroundings -------------------------------------------------------------

# P1, P2: with SURROUNDINGS (a command) the program gets what it gets without.
undisturbed() {
    ask alpha chat >plain
    "$@" curl -sN -H 'content-type: application/json' -d "$(chat_body)" \
        -o got "$(URL)"
    diff <(text_of chat <plain) <(text_of chat <got)
}

@test "no HOME, no runtime directory, any umask: nothing shows" {
    start_mock alpha --tokens 5
    undisturbed env -u HOME -u XDG_STATE_HOME -u XDG_RUNTIME_DIR \
        LD_PRELOAD="$SHIM"
    undisturbed env XDG_RUNTIME_DIR=/proc/1 LD_PRELOAD="$SHIM"
    undisturbed sh -c 'umask 000 && LD_PRELOAD=$0 exec "$@"' "$SHIM"
    undisturbed sh -c 'umask 177 && LD_PRELOAD=$0 exec "$@"' "$SHIM"
    [ "$(store 'SELECT count(*) FROM calls')" -eq 3 ]
}

@test "the recorder is its owner's alone, and follows no link" {
    start_mock alpha --tokens 40 --interval-ms 5 --fault stall@20=60
    umask 000
    curl_in_flight
    eventually test -s got
    [ "$(stat -c %a "$PLACE")" = 700 ]
    [ "$(stat -c %a "$PLACE"/*)" = 600 ]
    kill_child
    unstall calls >calls.log
    rmdir "$PLACE"
    mkdir elsewhere
    ln -s "$PWD/elsewhere" "$PLACE"
    curl_in_flight
    eventually test -s got
    sleep 0.3
    kill_child
    [ -z "$(ls elsewhere)" ]
    unstall calls >calls.log
    [ "$(store "SELECT count(*) FROM calls WHERE outcome = 'killed'")" -eq 2 ]
}

@test "a file that is deleted while it is written changes nothing" {
    start_mock alpha --tokens 40 --interval-ms 20
    curl_in_flight
    eventually test -s got
    rm "$PLACE"/*
    wait "$CHILD"
    recorded "outcome = 'ok' AND chunk_count = 40"
}

# A mapping with holes would be a signal there.
@test "on a full disk there is no recorder, and the call goes on" {
    start_mock alpha --tokens 5
    mkdir full
    mount -t tmpfs -o size=64k,mode=700 none full 2>/dev/null ||
        skip "may not mount"
    MOUNTED=$PWD/full
    dd if=/dev/zero of=full/fill bs=1k 2>/dev/null || true
    XDG_RUNTIME_DIR=$MOUNTED XDG_STATE_HOME=$MOUNTED \
        undisturbed env UNSTALL_LOG="$PWD/log" LD_PRELOAD="$SHIM"
    grep -q 'no flight recorder' log
    XDG_RUNTIME_DIR=$MOUNTED undisturbed env LD_PRELOAD="$SHIM"
    recorded "outcome = 'ok'"
}

@test "in a directory that is read-only the call goes on" {
    start_mock alpha --tokens 5
    mkdir ro
    mount -t tmpfs -o ro,mode=700 none ro 2>/dev/null || skip "may not mount"
    MOUNTED=$PWD/ro
    XDG_RUNTIME_DIR=$MOUNTED XDG_STATE_HOME=$MOUNTED \
        undisturbed env LD_PRELOAD="$SHIM"
    XDG_RUNTIME_DIR=$MOUNTED undisturbed env LD_PRELOAD="$SHIM"
    recorded "outcome = 'ok'"
}
