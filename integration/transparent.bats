#!/usr/bin/env bats
# P1, P2: with the preload a program does what it does without; and one that
# makes no LLM call has no engine in it and leaves no file.

bats_require_minimum_version 1.5.0

setup_file() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
    BUILD=$(cd "$ROOT" && cd "${B:-build}" && pwd)
    # The preload, with no engine beside it.
    mkdir "$BATS_FILE_TMPDIR/alone"
    cp "$BUILD/libunstall.so" "$BATS_FILE_TMPDIR/alone/"
    ALONE=$BATS_FILE_TMPDIR/alone/libunstall.so
    PROBE=$BUILD/probe/libunstall.so
    CLIENTS=$BUILD/integration/clients
    export ROOT BUILD ALONE PROBE CLIENTS
    "$BUILD/mock-llm" --port-file "$BATS_FILE_TMPDIR/port" --interval-ms 5 \
        --tokens 8 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/pid"
    for _ in {1..100}; do
        [ -s "$BATS_FILE_TMPDIR/port" ] && break
        sleep 0.05
    done
    URL=http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/port")/v1/chat/completions
    export URL
}

teardown_file() {
    kill "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
    HOME=$BATS_TEST_TMPDIR/home
    mkdir "$HOME"
    export HOME
    unset XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CONFIG_HOME
    cd "$BATS_TEST_TMPDIR" || return
}

# How the last command ended; curl counts its milliseconds.
ending() {
    sed 's/after [0-9]* ms/after N ms/' <<<"$status|$output|$stderr"
}

# The command says the same and ends the same, alone and with preload $1.
same() {
    local shim=$1 plain
    shift
    run --separate-stderr "$@"
    plain=$(ending)
    run --separate-stderr env LD_PRELOAD="$shim" "$@"
    [ "$(ending)" = "$plain" ] || {
        echo "without: $plain"
        echo "with:    $(ending)"
        return 1
    }
}

no_file() {
    [ -z "$(find "$HOME" -mindepth 1)" ]
}

chat() {
    curl -sS "$@" -d '{"model":"m","stream":true}' "$URL"
}
export -f chat

@test "programs without libcurl are as before" {
    same "$ALONE" ls -l /usr/include/curl
    same "$ALONE" true
    same "$ALONE" false
    same "$ALONE" sh -c 'echo a; echo b >&2; exit 7'
    same "$ALONE" python3 -c pass
    no_file
}

@test "programs with libcurl are as before" {
    same "$ALONE" curl --version
    same "$ALONE" curl -s file:///etc/passwd
    same "$ALONE" curl -sS http://127.0.0.1:1/
    same "$ALONE" curl -sS no-such-scheme://h/
    command -v git && same "$ALONE" git --version
    no_file
}

@test "P2: without an LLM call no engine is mapped" {
    run env LD_PRELOAD="$PROBE" curl -s file:///proc/self/maps
    [[ $output == *libunstall.so* ]]
    [[ $output != *libunstall-engine* ]]
    no_file
}

@test "P2: pages of the same server open no engine" {
    run --separate-stderr env LD_PRELOAD="$PROBE" curl -sS "${URL%/v1*}/x"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    run --separate-stderr env LD_PRELOAD="$PROBE" curl -sS -I "$URL"
    [ -z "$stderr" ]
}

@test "an LLM call reaches the engine, and the engine the call" {
    run --separate-stderr env LD_PRELOAD="$PROBE" bash -c chat
    [[ $output == *'data: [DONE]'* ]]
    [[ $stderr == 'perform 1'*'release whole' ]]
}

@test "a preload named by a relative path finds its engine" {
    cp "$PROBE" "${PROBE%.so}-engine.so" .
    run --separate-stderr env LD_PRELOAD=./libunstall.so bash -c chat
    [[ $output == *'data: [DONE]'* ]]
    [[ $stderr == 'perform 1'* ]]
}

@test "without its engine the preload calls the real function" {
    run --separate-stderr env LD_PRELOAD="$ALONE" bash -c chat
    [ "$status" -eq 0 ]
    [[ $output == *'data: [DONE]'* ]]
    [ -z "$stderr" ]
    no_file
}

# A name in the environment, and whether the engine is still asked.
asked() {
    run --separate-stderr env LD_PRELOAD="$PROBE" "$1" bash -c chat
    [ "$status" -eq 0 ]
    [[ $output == *'data: [DONE]'* ]]
    [ "$([[ $stderr == *perform* ]] && echo yes || echo no)" = "$2" ]
}

@test "UNSTALL=off, and programs by name" {
    asked UNSTALL=off no
    asked UNSTALL=on yes
    asked UNSTALL_ONLY=curl yes
    asked UNSTALL_ONLY=php,R no
    asked UNSTALL_EXCEPT=php,curl no
    asked UNSTALL_EXCEPT=php yes
    asked "UNSTALL_MATCH=!$URL" no
}

@test "odd uses of handles are as before" {
    for case in null errors reuse unseen threads mixed; do
        same "$ALONE" "$CLIENTS/edges" "$case" "$URL"
    done
}

@test "odd uses are as before with an engine at work" {
    for case in null errors reuse unseen threads mixed; do
        run --separate-stderr "$CLIENTS/edges" "$case" "$URL"
        plain="$status|$output"
        run --separate-stderr env LD_PRELOAD="$PROBE" \
            "$CLIENTS/edges" "$case" "$URL"
        [ "$status|$output" = "$plain" ]
    done
}

@test "P6: a handle used inside its own callback is as before" {
    for case in ask copy again redirect; do
        run --separate-stderr "$CLIENTS/inside" "$case" "$URL"
        plain="$status|$output"
        run --separate-stderr env LD_PRELOAD="$PROBE" \
            "$CLIENTS/inside" "$case" "$URL"
        [ "$status|$output" = "$plain" ]
        [[ $stderr == perform* ]]
    done
}

@test "information and headers of a call come from the engine" {
    run --separate-stderr env LD_PRELOAD="$PROBE" "$CLIENTS/inside" ask "$URL"
    [ "$stderr" = $'perform 1\ngetinfo\nheader\nnextheader\nrelease whole' ]
}

@test "a reset inside a callback is the engine's, a cleanup refused" {
    run --separate-stderr env LD_PRELOAD="$PROBE" "$CLIENTS/inside" end "$URL"
    [ "$status" -eq 0 ]
    [[ $output == 'still here'* ]]
    [[ $stderr == *$'release call, busy\nreset\n'* ]]
    [[ $stderr == *'release whole, busy'*'release whole' ]]
}

@test "the engine lets go before a transfer that is none of its own" {
    run --separate-stderr env LD_PRELOAD="$PROBE" "$CLIENTS/edges" mixed "$URL"
    [ "$stderr" = $'perform 1\ngetinfo\nrelease call' ]
}

@test "bindings in plugins reach the libcurl they are linked with" {
    python3=$(PATH=/usr/bin:/bin command -v python3)
    "$python3" -c 'import pycurl' || skip "no pycurl"
    same "$ALONE" "$python3" -c "
import pycurl, io
out = io.BytesIO()
c = pycurl.Curl()
c.setopt(c.URL, '${URL%/v1*}/x')
c.setopt(c.WRITEDATA, out)
c.perform()
print(pycurl.version, c.getinfo(c.RESPONSE_CODE), out.getvalue())"
}

@test "a preload that every program can start with" {
    [[ -z ${COVER:-} ]] || skip "built to count: with symbols of gcov's"
    cd "$ROOT"
    run tools/check-symbols
    [ "$status" -eq 0 ]
    run readelf -d "$BUILD/libunstall.so"
    [ "$(grep -c NEEDED <<<"$output")" -eq 1 ]
}

@test "so is one that a distribution hardens" {
    cd "$ROOT"
    local B=$BATS_TEST_TMPDIR/build
    local hard='-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong'
    make B="$B" CFLAGS="$hard" "$B/libunstall.so"
    B=$B tools/check-symbols
}

# What the kernel says of a curl that made an LLM call just before.
status_with() {
    env LD_PRELOAD="$1" curl -s -d '{}' -o answer "$URL" \
        --next -s -o status file:///proc/self/status
    grep -E '^(Threads|Sig(Blk|Ign|Cgt)|FDSize):' status
}

@test "threads and signals are left alone" {
    status_with '' >plain
    status_with "$PROBE" 2>/dev/null >shimmed
    [ "$(wc -l <plain)" -eq 5 ]
    cmp plain shimmed
}

@test "a child with another C library starts" {
    command -v musl-gcc || skip "no musl-gcc"
    echo 'int main(void) { return 42; }' >child.c
    musl-gcc -o child child.c
    [ -e /lib/ld-musl-x86_64.so.1 ] || skip "no musl to run it with"
    same "$ALONE" ./child
    [ "$status" -eq 42 ]
}
