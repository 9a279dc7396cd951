#!/usr/bin/env bats
# More than one: programs in a pipeline, libcurls in a process, transfers in an
# event loop, threads, and processes that fork (P1, P2, P4).

load lib

setup() {
    common_setup
    CROWD=$BATS_TEST_DIRNAME/crowd MATRIX=$BATS_TEST_DIRNAME/matrix
}

teardown() {
    common_teardown
}

needs() {
    "$ROOT/tools/deps" has "$1" || skip "not installed: $1"
}

# COMMAND...: under unstall, with BETA beside.
helped() {
    unstall run --quiet --backup "$BETA_URL/v1" "$@"
}

@test "two languages in one pipeline are both helped, and told apart" {
    needs php=curl
    needs r=curl
    start_mock alpha --fault silent
    start_mock beta
    ask beta chat >answer
    cat >script.sh <<'END'
set -o pipefail
php "$1/exec.php" "$2" "$3" | tee first |
    Rscript --vanilla "$1/stream.R" "$2" "$3" >second
END
    helped --after 0.3 -- bash script.sh "$MATRIX" \
        "$ALPHA_URL$(path_of chat)" "$(chat_body)"
    cmp first answer
    cmp second answer
    [ "$(store 'select program, winner, outcome from calls order by program')" \
        = $'R|1|ok\nphp|1|ok' ]
}

# flavours LLM PLAIN [WORD...]: behind the words.
flavours() {
    "${@:3}" /usr/bin/python3 "$CROWD/flavours.py" "$1" "$(chat_body)" "$2"
}

@test "two flavours of libcurl in one process are each asked themselves" {
    [ -e /usr/lib/x86_64-linux-gnu/libcurl-gnutls.so.4 ] || skip "one flavour"
    start_mock alpha --fault silent
    start_mock beta
    chat=$BETA_URL$(path_of chat)
    flavours "$chat" "$chat" >alone
    grep -q '^libcurl.so.4 .*OpenSSL/' alone
    grep -q '^libcurl-gnutls.so.4 .*GnuTLS/' alone
    grep -q '^libcurl.so.4 35 .*OpenSSL' alone
    grep -q '^libcurl-gnutls.so.4 35 .*gnutls_handshake' alone
    flavours "$chat" "$chat" with_shim >observed
    cmp alone observed
    flavours "$ALPHA_URL$(path_of chat)" "$BETA_URL/other" \
        helped --after 0.3 -- >raced
    cmp alone raced
    [ "$(store "select count(*) from calls where winner = 1")" -eq 4 ]
}

@test "threads with handles of their own" {
    needs python=pycurl
    start_mock alpha --interval-ms 5 --fault silent,every=4
    start_mock beta --interval-ms 5
    helped --after 1 --set hedge.budget.burst=100 -- timeout 30 \
        /usr/bin/python3 "$CROWD/threads.py" \
        "$ALPHA_URL$(path_of chat)" "$(chat_body)" 64
    [ "$(requests_of alpha)" -eq 128 ]
    [ "$(requests_of beta)" -eq 32 ]
    [ "$(store 'select count(*), sum(winner) from calls')" = '128|32' ]
    [ "$(store "select count(*) from calls where outcome = 'ok'")" -eq 128 ]
}

# The answers of the parent and the child, each from whoever was asked.
family() {
    needs python=pycurl
    start_mock alpha --interval-ms 20 --fault "${2:-silent}"
    start_mock beta --interval-ms 20
    ask beta chat >answer
    helped --after 0.3 -- timeout 20 /usr/bin/python3 "$CROWD/children.py" \
        "$1" "$ALPHA_URL$(path_of chat)" "$(chat_body)"
    cmp parent answer
}

@test "a handle that was made before a fork" {
    family before
    cmp child answer
    [ "$(store 'select winner from calls')" = $'1\n1' ]
}

@test "a handle that was used before a fork" {
    family after
    cmp child answer
    [ "$(store 'select winner from calls')" = $'1\n1\n1' ]
}

@test "a child forked in the middle of a call, with a call of its own" {
    family midway
    cmp child answer
    [ "$(store 'select winner from calls')" = $'1\n1' ]
}

@test "a child forked in the middle of a call that just ends" {
    family quiet
    [ "$(store 'select winner from calls')" = 1 ]
}

@test "a program executed in the middle of a call" {
    family exec
    cmp child answer
    [ "$(store 'select program from calls order by program')" = \
        $'curl\npython3' ]
}

@test "a program spawned in the middle of a call" {
    family spawn
    cmp child answer
    [ "$(store 'select program from calls order by program')" = \
        $'curl\npython3' ]
}
