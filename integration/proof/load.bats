#!/usr/bin/env bats
# Much at once (P4): many processes on one store, a stream of a million chunks.

load proof
load ../lib
load proof

setup() {
    common_setup
}

teardown() {
    common_teardown
}

@test "64 processes on one store, each with calls in a row: no row lost" {
    local i pids=() each urls=()
    each=$(short_long 10 100)
    start_mock alpha --tokens 5
    for ((i = 0; i < each; i++)); do urls+=("$(the_chat alpha)?n=$i"); done
    for ((i = 0; i < 64; i++)); do
        with_shim curl -sN -d "$(chat_body)" "${urls[@]}" >/dev/null &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i"; done
    unstall calls >calls.log
    [ "$(requests_of alpha)" -eq $((64 * each)) ]
    [ "$(store "SELECT count(*), count(DISTINCT pid), count(DISTINCT uuid)
        FROM calls WHERE outcome = 'ok' AND chunk_count = 5")" = \
        "$((64 * each))|64|$((64 * each))" ]
    [ "$(store 'PRAGMA integrity_check')" = ok ]
    [ -z "$(find "$XDG_RUNTIME_DIR/unstall" -name '*.flight*')" ]
    tried $((64 * each))
}

# chunks_are N OPTION...: behind `unstall run`.
chunks_are() {
    local n=$1
    shift
    unstall run --quiet "$@" -- \
        curl -sN -m 120 -d "$(chat_body)" "$(the_chat alpha)?fault=tokens=$n" |
        sha256sum >got
    same_files plain got
    [ "$(store 'SELECT chunk_count FROM calls ORDER BY id DESC LIMIT 1')" \
        -eq "$n" ]
    tried "$n"
}

@test "a stream of a million chunks, watched and raced" {
    local n=1000000
    start_mock alpha
    start_mock beta
    curl -sN -m 120 -d "$(chat_body)" "$(the_chat alpha)?fault=tokens=$n" |
        sha256sum >plain
    chunks_are "$n" --observe
    chunks_are "$n" --after 60 --backup "$BETA_URL/v1"
    unstall show last >shown
    [ "$(wc -c <shown)" -lt 20000 ]
    [ "$(store 'SELECT max(length(timeline)) < 1000000 FROM attempts')" -eq 1 ]
}
