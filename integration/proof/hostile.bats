#!/usr/bin/env bats
# A provider that wants its client to fail (P1): the program gets what it
# would have got without the preload, bytes and exit code, however its answer
# is watched or held, and memory stays within what is held.

load proof
load ../lib
load proof

setup() {
    common_setup
    start_peer
    made peak
}

teardown() {
    common_teardown
}

start_peer() {
    local address
    mkfifo peer.fifo
    /usr/bin/python3 "$PROOF/peer.py" 3>&- >peer.fifo &
    MOCK_PIDS+=" $!"
    disown
    read -r _ _ address <peer.fifo
    PEER_URL=http://$address
}

# The modes in which nobody else is asked.
plain() { "$@"; }
observed() { LD_PRELOAD=$SHIM "$@"; }
hedged() { unstall run --quiet --after 60 ${LIMIT:-} -- "$@"; }
resumed() { unstall run --quiet --after 60 --stall-after 50 -- "$@"; }
held() { unstall run --quiet --after 60 --stall-after 50 --hold all -- "$@"; }

# in_mode MODE DEED N [OPTION...]: leaves MODE.got, MODE.code, MODE.kib.
# DIALECT: not the chat's.  A host that hangs cannot keep curl's own time.
in_mode() {
    local mode=$1 code=0 dialect=${DIALECT:-chat}
    "$mode" timeout -k 1 70 "$PWD/peak" "$mode.kib" curl -sN -m 60 -i \
        -d "$(body_of "$dialect")" "${@:4}" \
        "$PEER_URL$(path_of "$dialect")?deed=$2&n=$3" \
        >"$mode.got" 2>/dev/null || code=$?
    echo "$code" >"$mode.code"
}

# same_answer DEED N [OPTION...]: in every mode.
same_answer() {
    local mode
    in_mode plain "$@"
    for mode in ${MODES:-observed hedged held}; do
        in_mode "$mode" "$@"
        same_files plain.got "$mode.got" && same_files plain.code "$mode.code" ||
            { echo "$1 $mode: $(<plain.code) $(<"$mode.code")" && return 1; }
        COUNT=$((${COUNT:-0} + 1))
    done
}

# Of the modes, over plain curl's: what the answer made of a call's memory.
grown() {
    echo $(($(<"$1.kib") - $(<"$1.rest") - $(<plain.kib) + $(<plain.rest)))
}

# Each mode's memory with a healthy answer, the least of three.
at_rest() {
    local mode try
    for mode in plain observed hedged held; do
        for try in 1 2 3; do
            in_mode "$mode" healthy 10
            cat "$mode.kib"
        done | sort -n | head -n 1 >"$mode.rest"
    done
}

# within MODE KIB DEED N: the least of three is what counts.
within() {
    local least=999999 try now
    for try in 1 2 3; do
        in_mode plain "${@:3}"
        in_mode "$1" "${@:3}"
        now=$(grown "$1")
        ((now >= least)) || least=$now
        ((least > $2)) || break
    done
    echo "$3 $4, $1: $least KiB" | tee -a "${PROOF_KIB:-/dev/null}"
    COUNT=$((${COUNT:-0} + 1))
    ((least <= $2))
}

@test "heads and bodies that come byte by byte, late, or as no HTTP" {
    same_answer slow_head 2
    same_answer slow_body 1
    same_answer no_http 10
    same_answer old_http 10
    same_answer informed 1000
    tried "$COUNT"
}

@test "headers without end" {
    same_answer headers 1000
    same_answer headers 3000
    same_answer long_header 90000
    same_answer long_header 200000
    tried "$COUNT"
}

@test "texts that are none: no UTF-8, NULs, escapes, wells of JSON" {
    for n in 1 50; do
        same_answer odd_text "$n"
        same_answer odd_json "$n"
        same_answer places $((n * 40))
        same_answer types "$n"
        same_answer deep $((n * 20000))
    done
    tried "$COUNT"
}

@test "chunks and lengths that lie, and end too early" {
    for deed in chunk_cut chunk_size chunk_huge chunk_trailers short_length \
        long_length; do
        same_answer "$deed" 1
        same_answer "$deed" 500
    done
    tried "$COUNT"
}

@test "compressed answers that break, and such as explode" {
    same_answer broken_gzip 2000 --compressed
    in_mode plain bomb 1
    for n in 1 "$(short_long 64 1024)"; do
        MODES='observed hedged' same_answer bomb "$n" --compressed
    done
    MODES=held same_answer bomb 16 --compressed
    tried "$COUNT"
}

@test "a million empty events, comments and one line without end" {
    MODES='observed hedged' same_answer events 1000000
    MODES=held same_answer events 100000
    MODES='observed hedged' same_answer comments "$(short_long 64 1024)"
    MODES='observed hedged' same_answer line "$(short_long 64 1024)"
    MODES=held same_answer line 16
    MODES='observed hedged' same_answer text 16
    tried "$COUNT"
}

# endless KB NAME...: before any token, and behind the first.
endless() {
    local name
    for name in "${@:2}"; do
        same_answer "first_$name" "$1"
        same_answer "then_$name" "$1"
        [ "$(<plain.code)" -eq 0 ]
    done
}

# What was looked at must not be looked at again: of 5 MB nobody would see the
# end.
@test "five megabytes that say nothing, read for a resume" {
    export MODES=resumed
    endless 5000 lf crlf cr space comment_lf comment_crlf comment_events \
        data_lines data_events data_spaces
    DIALECT=ollama endless 5000 lines_lf lines_crlf lines_space
    DIALECT=gemini-array endless 5000 array_lf array_crlf array_space
    tried "$COUNT"
}

@test "half a megabyte that says nothing, in every mode" {
    endless 500 lf crlf cr comment_lf data_lines data_events
    DIALECT=ollama endless 500 lines_lf
    DIALECT=gemini-array endless 500 array_lf
    tried "$COUNT"
}

# 64 KiB beside what is held, and 256 by which two processes differ anyway.
# Hedged, the text is kept in case it must be resumed; what grows may be there
# twice for a moment.
@test "memory: what an endless answer costs beside plain curl" {
    local mib=1048576
    at_rest
    LIMIT="--set hedge.hold_limit_bytes=$mib"
    for deed in "comments 64" "line 64" "events 1000000" "text 64"; do
        # shellcheck disable=SC2086 # words
        within observed 320 $deed
        # shellcheck disable=SC2086
        within hedged $((320 + 2 * mib / 1024)) $deed
    done
    tried "$COUNT"
}
