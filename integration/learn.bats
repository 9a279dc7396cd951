#!/usr/bin/env bats
# Delays that are learned from the calls of other processes (R2).

load lib

setup() {
    common_setup
}

teardown() {
    common_teardown
}

call() {
    curl -sN -m 20 -d "$(chat_body)" "$1$(path_of chat)"
}

@test "what was observed tells how long to wait (R2)" {
    start_mock alpha --fault first-late=0.02
    local n
    for ((n = 0; n < 22; n++)); do with_shim call "$ALPHA_URL" >/dev/null; done
    [ "$(store 'select count(*) from calls')" -eq 22 ]
    # The same origin again, as a server that has fallen silent.
    kill "$ALPHA_PID"
    start_mock beta
    start_mock silent --port "$ALPHA_PORT" --fault silent
    stopwatch
    unstall run --quiet --after auto --set hedge.floor_s=0.05 \
        --backup "$BETA_URL/v1" -- curl -sN -m 20 -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)" >answer
    took_between 50 3000 # not the warm-up's 5 s
    grep -q beta answer
    [ "$(store 'select hedge_reason from calls order by id desc limit 1')" = \
        first_token ]
}

@test "no delay is learned from nineteen calls (R2)" {
    start_mock alpha --fault first-late=1.5
    start_mock beta
    with_shim call "$ALPHA_URL" >/dev/null
    unstall run --quiet --after p95 --set hedge.warmup_s=0.3 \
        --backup "$BETA_URL/v1" -- curl -sN -m 20 -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)" >answer
    grep -q beta answer
}
