#!/usr/bin/env bats
# `unstall top`: calls in flight, from outside of the programs that make them.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    export LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

teardown() {
    [[ -z ${CHILDREN:-} ]] || kill -9 $CHILDREN 2>/dev/null || true
    common_teardown
}

# in_flight NAME: curl asks that server, in the background.
in_flight() {
    LD_PRELOAD=$SHIM curl -sN -o "got.$1" -d "$(chat_body)" \
        "$(mock_var "$1" URL)$(path_of chat)" &
    CHILDREN+=" $!"
}

phases() {
    unstall top --json | jq -r 'map(.phase) | sort | join(",")'
}

phases_are() {
    [ "$(phases)" = "$1" ]
}

@test "top: nothing is in flight" {
    run "$UNSTALL" top --once
    [ "$status" -eq 0 ]
    [ "$output" = "no call is in flight" ]
    run "$UNSTALL" top --json
    [ "$output" = "[]" ]
    run "$UNSTALL" top more
    [ "$status" -eq 2 ]
}

@test "top: a stream, one that stalls, one without a token; within 80 columns" {
    start_mock alpha --tokens 400 --interval-ms 50
    start_mock beta --tokens 40 --interval-ms 5 --fault stall@20=60
    start_mock gamma --fault silent-after-headers
    for name in alpha beta gamma; do in_flight "$name"; done
    eventually phases_are "silent,streaming,waiting for first token"
    COLUMNS=80 run "$UNSTALL" top --once
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == PROG*MODEL*PHASE*CHUNKS*RATE*ELAPSED ]]
    [[ $output == *"silent for "*" s "*20* ]]
    [[ $output == *"streaming"* ]]
    for line in "${lines[@]}"; do [ "${#line}" -le 80 ]; done
    unstall top --json >got
    [ "$(jq 'map(select(.phase == "silent"))[0] | .chunks' got)" -eq 20 ]
    [ "$(jq 'map(select(.phase == "streaming"))[0] |
        .chunks_per_s > 5 and .chunks_per_s < 40' got)" = true ]
    [ "$(jq 'map(.program == "curl" and .tokens_per_s == null) | all' got)" \
        = true ]
    # it reads only
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
}

@test "top: a race, and then nothing any more" {
    start_mock alpha --fault silent
    start_mock beta --fault silent
    BETA_KEY=k "$UNSTALL" run --quiet --after 0.2 --backup "$BETA_URL/v1" \
        --backup-key-env BETA_KEY -- curl -sN -o got -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)" &
    CHILDREN=$!
    eventually phases_are racing
    run "$UNSTALL" top --once
    [[ $output == *"racing (2)"* ]]
    kill -9 "$CHILDREN"
    wait "$CHILDREN" 2>/dev/null || true
    eventually phases_are ""
}

# The terminal is as it was: cursor and screen.
@test "top: on a terminal it is refreshed, and Ctrl-C restores all" {
    start_mock alpha --fault silent
    in_flight alpha
    cat >watch.py <<'PY'
import os, pty, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], [sys.argv[1], "top"])
seen, until = b"", time.time() + 20
while seen.count(b"\x1b[H") < 2 and time.time() < until:
    seen += os.read(fd, 4096)
os.write(fd, b"\x03")
try:
    while True:
        seen += os.read(fd, 4096)
except OSError:
    pass
status = os.waitpid(pid, 0)[1]
assert status == 0, status
assert seen.startswith(b"\x1b[?1049h\x1b[?25l"), seen
assert seen.endswith(b"\x1b[?25h\x1b[?1049l"), seen
assert b"\x1b[2J" not in seen and b"curl" in seen, seen
PY
    eventually phases_are "waiting for headers"
    timeout 30 /usr/bin/python3 watch.py "$UNSTALL"
}
