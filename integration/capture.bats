#!/usr/bin/env bats
# A stall in the field, captured, and the same again in the lab: `unstall run
# --capture` and `unstall replay`.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    export LC_ALL=C.UTF-8
    start_mock alpha --tokens 40 --interval-ms 10
}

teardown() {
    [[ -z ${REPLAY_PID:-} ]] || kill "$REPLAY_PID" 2>/dev/null || true
    common_teardown
}

# The captures, oldest first.
captures() {
    find kept -name '*.capture' | sort
}

# curl, its answer kept; the rest are options of curl.
capture_of() {
    unstall run --capture kept --quiet -- curl -sN -o answer \
        -d "$(chat_body)" "$@" "$ALPHA_URL$(path_of chat)"
}

# replay FILE [OPTION...]: REPLAY_URL
replay() {
    mkfifo replay.fifo
    "$UNSTALL" replay "$@" >replay.fifo 3>&- &
    REPLAY_PID=$!
    disown
    read -r REPLAY_URL <replay.fifo
    rm replay.fifo
}

# What the last call has in the store.
last() {
    store "SELECT $1 FROM calls ORDER BY id DESC LIMIT 1"
}

SAME="outcome, http_status, chunk_count, stall_count, tokens_in, tokens_out,
    model_served"

@test "a stall is captured, and is the same ten times as fast" {
    capture_of -H 'x-mock-fault: stall@20=3'
    [ "$(last stall_count)" -eq 1 ]
    original=$(last "$SAME")
    mv answer original
    replay "$(captures)" --speed 10 --once
    UNSTALL__STREAM__STALL_THRESHOLD_MS=200 with_shim curl -sN -o answer \
        -d "$(chat_body)" "$REPLAY_URL"
    cmp original answer
    [ "$(last "$SAME")" = "$original" ]
    [ "$(last stall_ms)" -ge 290 ]
    [ "$(last stall_ms)" -lt 2000 ]
    [ "$(last max_gap_ms)" -ge 290 ]
}

@test "at its own speed it takes its own time" {
    capture_of -H 'x-mock-fault: first-late=1'
    wall=$(last wall_ms)
    replay "$(captures)" --once
    stopwatch
    curl -sN -o again -d "$(chat_body)" "$REPLAY_URL"
    [ "$(took_ms)" -ge $((wall - 100)) ]
    cmp answer again
}

@test "no prompt and no key is in a capture, and only its owner reads it" {
    unstall run --capture kept --quiet -- curl -sN -o answer \
        -H 'authorization: Bearer key-secret' -d "$(chat_body)" \
        "http://user:word-secret@127.0.0.1:$ALPHA_PORT$(path_of chat)?key=q-secret"
    [ "$(stat -c %a kept)" = 700 ]
    [ "$(stat -c %a "$(captures)")" = 600 ]
    refute grep -e secret -e 'When is the tide' "$(captures)"
    head -1 "$(captures)" | jq -e '.status == 200 and .model == "mock-1"
        and .path == "/v1/chat/completions"'
}

@test "run says that answers are kept" {
    run --separate-stderr unstall run --capture kept -- true
    [[ $stderr == *"every answer is kept in $PWD/kept, with its text"* ]]
    run --separate-stderr unstall run --quiet --capture kept -- true
    [ -z "$stderr" ]
    run unstall run --capture /proc/no -- echo started
    [ "$status" -eq 2 ]
    [[ $output != *started* ]]
}

@test "each attempt has a capture of its own" {
    start_mock beta
    unstall run --quiet --capture kept --after 0.3 --backup "$BETA_URL/v1" -- \
        curl -sN -o answer -d "$(chat_body)" -H 'x-mock-fault: first-late=9' \
        "$ALPHA_URL$(path_of chat)"
    captures >list
    [ "$(wc -l <list)" -eq 2 ]
    tail -1 "$(head -1 list)" | grep -q 'end left'
    tail -1 "$(tail -1 list)" | grep -q 'end whole'
    head -1 "$(tail -1 list)" | jq -e '.source == "backup"'
    unstall inspect --text "$(tail -1 list)" >text
    diff <(text_of chat <answer) <(head -c -1 text)
}

@test "calls of a multi are captured, too" {
    unstall run --capture kept --quiet -- curl -sN -Z \
        -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" -o a \
        "$ALPHA_URL$(path_of chat)" -o b
    [ "$(captures | wc -l)" -eq 2 ]
    for file in $(captures); do
        tail -1 "$file" | grep -q 'end whole'
    done
}

@test "what was killed in its stall is silent again from there on" {
    "$UNSTALL" run --capture kept --quiet -- curl -sN -o answer \
        -d "$(chat_body)" -H 'x-mock-fault: stall@5=60' \
        "$ALPHA_URL$(path_of chat)" 3>&- & # no function: a shell would die
    pid=$!
    eventually grep -q '"5\|data' answer
    sleep 0.5
    kill -9 "$pid"
    wait "$pid" || true
    replay "$(captures)" --speed 10
    run curl -sN -m 1 -o again -d "$(chat_body)" "$REPLAY_URL"
    [ "$status" -eq 28 ]
    cmp answer again
}

@test "a connection that was lost is lost again" {
    run capture_of -H 'x-mock-fault: cut@5'
    code=$status
    [ "$code" -ne 0 ]
    replay "$(captures)" --once
    run curl -sN -o again -d "$(chat_body)" "$REPLAY_URL"
    [ "$status" -ne 0 ]
    cmp answer again
}

@test "a refusal keeps its status and when to come back" {
    capture_of -H 'x-mock-fault: status=429,retry-after=7' || true
    replay "$(captures)" --once
    curl -sN -D head -o again -d "$(chat_body)" "$REPLAY_URL"
    cmp answer again
    grep -q '^HTTP/1.1 429' head
}

@test "inspect reads a capture as it reads a body" {
    capture_of
    unstall inspect --json answer >plain
    unstall inspect --json "$(captures)" >kept.json
    diff plain kept.json
    head -c 3000 "$(captures)" >part
    unstall inspect --json part >part.json
    [ "$(jq -r .end part.json)" = truncated ]
}

# The first rule: no harm.
@test "a full disk or a directory that has gone costs the program nothing" {
    without curl -sN -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >plain
    mkdir here
    for place in /nowhere relative /dev/full /proc here; do
        UNSTALL_CAPTURE=$place with_shim curl -sN -o answer -d "$(chat_body)" \
            "$ALPHA_URL$(path_of chat)"
        diff <(text_of chat <plain) <(text_of chat <answer)
    done
    # No file may grow beyond 2 kB: SIGXFSZ would kill the program.
    (
        ulimit -f 2
        UNSTALL_CAPTURE=$PWD/here with_shim curl -sN -d "$(chat_body)" \
            "$ALPHA_URL$(path_of chat)"
    ) | cat >limited
    [ "$(du -b here/*.capture | sort -n | head -1 | cut -f1)" -le 2048 ]
    diff <(text_of chat <plain) <(text_of chat <limited)
}

@test "replay: mistakes are told" {
    for mistake in "" "a b" "--port x f" "--port 70000 f" "--speed 0 f" \
        "--speed x f"; do
        # shellcheck disable=SC2086 # words
        run unstall replay $mistake
        [ "$status" -eq 2 ]
    done
    run unstall replay nowhere
    [ "$status" -eq 1 ]
    echo "data: {}" >body
    run unstall replay body
    [ "$status" -eq 1 ]
    [[ $output == *"body: it is no capture"* ]]
    echo '{"unstall_capture":9}' >later
    run unstall replay later
    [[ $output == *"of a later version"* ]]
}
