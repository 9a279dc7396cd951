#!/usr/bin/env bats
# P2: under valgrind: no error, nothing lost, whether calls are watched, raced
# or rescued, and however they end.

bats_require_minimum_version 1.5.0

setup() {
    load lib
    load fidelity
    command -v valgrind >/dev/null || skip "no valgrind"
    common_setup
    start_mock alpha --tokens 6 --interval-ms 5
    start_mock beta --tokens 6 --interval-ms 5
    start_mock silent --fault silent
    backed_by beta
    LIMIT=100
    BODY=$(chat_body)
    EASY=$BUILD/easy
    export EASY_PLAIN_URL="$BETA_URL/plain?bytes=3000"
}

teardown() {
    common_teardown
}

# clean WAY CODE COMMAND...: the program ends with CODE, and without complaint.
# (The engine may be gone by the time its frames are named.)
clean() {
    local way=$1 want=$2 code=0
    shift 2
    "$way" valgrind --quiet --log-file=complaints.%p --error-exitcode=99 \
        --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect --keep-debuginfo=yes \
        "$@" >out 2>err || code=$?
    [[ $code -eq $want ]] && return
    echo "=== $way $* ended with $code"
    tail -n 5 err
    head -n 60 complaints.*
    return 1
}

easy_at() {
    local way=$1 code=$2 url=$3
    shift 3
    clean "$way" "$code" "$EASY" "$url$(path_of chat)" "$BODY" "$@"
}

@test "memory: watched calls" {
    easy_at observed 0 "$ALPHA_URL" times=2 info fields
    easy_at observed 23 "$ALPHA_URL" abort_at=3
    easy_at observed 0 "$ALPHA_URL" read reset times=1
    easy_at observed 28 "$SILENT_URL" timeout_ms=900
    clean observed 0 curl -sS -d "$BODY" "$ALPHA_URL$(path_of chat)"
    [ "$(store 'select count(*) from calls')" -eq 8 ]
}

@test "memory: raced calls that need no help" {
    easy_at hedged 0 "$ALPHA_URL" times=2 info fields share curlu
    easy_at holding 0 "$ALPHA_URL" read gzip
    easy_at hedged 23 "$ALPHA_URL" abort_at=3
    easy_at hedged 0 "$ALPHA_URL" pause_at=2
    easy_at hedged 0 "$ALPHA_URL" dup_at=2 dup_after nest_at=3
    easy_at hedged 28 "$SILENT_URL" timeout_ms=900
    clean holding 0 curl -sS -d "$BODY" "$ALPHA_URL$(path_of chat)"
}

@test "memory: rescued calls" {
    easy_at rescued 0 "$SILENT_URL" times=2 info fields share copy
    easy_at rescued_holding 0 "$SILENT_URL" read sized reset times=1
    easy_at rescued 23 "$SILENT_URL" abort_at=3
    easy_at rescued_holding 23 "$SILENT_URL" abort_header_at=2
    [ "$(requests_of beta)" -gt 4 ]
}

@test "memory: rescued calls, paused, copied, nested, in threads" {
    easy_at rescued 0 "$SILENT_URL" pause_at=2
    easy_at rescued 0 "$SILENT_URL" dup_at=2 dup_after nest_at=3
    easy_at rescued 0 "$SILENT_URL" threads=4 quiet
    clean rescued 0 curl -sS -d "$BODY" "$SILENT_URL$(path_of chat)"
    [ "$(requests_of beta)" -gt 6 ]
}

resuming() {
    UNSTALL__HEDGE__STALL_AFTER_S=0.5 UNSTALL__HEDGE__RESUME=$RESUME \
        UNSTALL__MODE=hedge timeout 100 env LD_PRELOAD="$SHIM" "$@"
}

@test "memory: answers that another source goes on with" {
    local fault
    for fault in stall@20=90 cut@20 error@20; do
        start_mock first --tokens 40 --fault "$fault"
        start_mock same --tokens 40 --fault text-of=first,prefill=accept
        backed_by same
        export UNSTALL__SOURCES=${UNSTALL__SOURCES%\}\}},'"prefill":"assistant"}}'
        for RESUME in verify prefill; do
            easy_at resuming 0 "$FIRST_URL" info
            easy_at resuming 0 "$FIRST_URL" pause_at=2
            easy_at resuming 23 "$FIRST_URL" abort_at=24
        done
        stop_mocks
    done
    [ "$(store 'select count(*) from calls where resumed = 1')" -ge 12 ]
}

@test "memory: races that nobody wins" {
    start_mock broken --fault status=503
    start_mock cut --tokens 6 --fault cut@3
    backed_by broken
    easy_at rescued 0 "$BROKEN_URL" info
    easy_at rescued 22 "$BROKEN_URL" fail
    easy_at rescued 28 "$SILENT_URL" timeout_ms=1500
    easy_at rescued_holding 18 "$CUT_URL" info
    easy_at rescued 7 http://127.0.0.1:1 info
    backed_by silent
    easy_at rescued 42 "$SILENT_URL" progress_abort_ms=1500
}
