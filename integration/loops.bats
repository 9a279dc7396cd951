#!/usr/bin/env bats
# P2, P6: the multi interface behind the preload.  With no engine, and with
# one that only tells what it is asked, a program sees what it saw before.

load lib

setup() {
    common_setup
    start_mock alpha --tokens 8 --interval-ms 2
    CHAT=$ALPHA_URL$(path_of chat)
    LOOPS=$BUILD/integration/clients/loops
    mkdir alone
    cp "$SHIM" alone/
}

teardown() {
    common_teardown
}

# PRELOAD CASE: says what it says without; what the probe tells is in `told`.
same() {
    timeout 20 "$LOOPS" "$2" "$CHAT" >plain
    LD_PRELOAD=$1 timeout 20 "$LOOPS" "$2" "$CHAT" >shimmed 2>told
    cmp plain shimmed
}

@test "every loop goes on as before without an engine" {
    for loop in poll wait fdset action socket all wrong inside both; do
        same "$PWD/alone/libunstall.so" "$loop"
        [ ! -s told ]
    done
}

# LOOP WORD...: with a call in it, the multi's functions are the engine's.
lane() {
    same "$BUILD/probe/libunstall.so" "$1"
    [ "$(sort -u told | tr '\n' ' ')" = "$2" ]
}

@test "a multi with an LLM call in it is the engine's" {
    noted='add 1, socket callback noted 1'
    lane poll "$noted cleanup info_read perform poll remove "
    lane wait "$noted cleanup info_read perform remove wait "
    lane fdset "$noted cleanup fdset info_read perform remove timeout "
    lane action "action $noted cleanup info_read remove "
    lane socket "action $noted cleanup info_read remove "
    lane all "$noted all cleanup info_read remove "
}

@test "a multi without an LLM call is libcurl's" {
    CHAT=$ALPHA_URL/other
    for loop in poll action wrong both; do
        same "$BUILD/probe/libunstall.so" "$loop"
        [ ! -s told ]
    done
}

@test "cleanup of a multi inside its callback is the engine's to refuse" {
    same "$BUILD/probe/libunstall.so" inside
    grep -qx 'cleanup, refused' told
    grep -qx 'setopt' told
    [ "$(tail -n 1 told)" = cleanup ]
}

@test "the engine lets go of a handle that is added for something else" {
    same "$BUILD/probe/libunstall.so" both
    grep -qx 'release call' told
    [ "$(grep -c '^add 1' told)" -eq 1 ]
}
