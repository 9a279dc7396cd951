#!/usr/bin/env bats
# The preload and its engine built with sanitizers, in programs that are not
# (P1): curl, PHP and Python under AddressSanitizer and UBSan, threads under
# ThreadSanitizer.  tools/proof has built them in $B/asan and $B/tsan.

load proof
load ../lib
load proof

setup() {
    common_setup
    start_mock alpha --tokens 40 --interval-ms 1
    start_mock silent --fault silent
    start_mock stalls --tokens 40 --fault stall@20=1
    start_mock fails --fault status=503
    start_mock cut --tokens 40 --fault cut@20
    start_mock beta --tokens 40 --interval-ms 1
    export ASAN_OPTIONS=detect_leaks=0:exitcode=99
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
}

teardown() {
    common_teardown
}

# clean PRELOAD COMMAND...: it ends by itself, and nobody complains.  (A
# cut answer ends with 18, by curl; the others with their own codes.)
clean() {
    local preload=$1 code=0
    shift
    UNSTALL__MODE=hedge UNSTALL__HEDGE__AFTER_S=0.2 \
        UNSTALL__HEDGE__STALL_AFTER_S=0.2 UNSTALL__HEDGE__HOLD_S="$HOLD" \
        UNSTALL__HEDGE__BUDGET__BURST=100000 UNSTALL__HEDGE__SOURCES='["b"]' \
        UNSTALL__SOURCES="{\"b\":{\"base_url\":\"$BETA_URL/v1\",\
\"auth\":\"none\"}}" \
        timeout 120 env LD_PRELOAD="$preload" "$@" >out 2>err || code=$?
    COUNT=$((${COUNT:-0} + 1))
    [[ $code -lt 66 ]] && ! grep -qE 'Sanitizer|runtime error' err && return
    echo "$* ended with $code"
    head -n 60 err
    return 1
}

built() {
    [ -e "$BUILD/$1/libunstall.so" ] || skip "not built: $BUILD/$1"
    RUNTIME=$(gcc -print-file-name="$2")
    PRELOAD="$RUNTIME $BUILD/$1/libunstall.so"
}

# each_fault COMMAND...: the URL and the body are appended.
each_fault() {
    local name
    for HOLD in 0 '"all"'; do
        for name in alpha silent stalls fails cut; do
            clean "$PRELOAD" "$@" "$(the_chat "$name")" "$(chat_body)"
        done
    done
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -ge "$COUNT" ]
    tried "$COUNT"
}

@test "ASan, UBSan: curl" {
    built asan libasan.so
    # Debian 12's waits for ever in setlocale().
    LD_PRELOAD=$RUNTIME timeout 10 curl -V >/dev/null ||
        skip "curl does not run under AddressSanitizer alone"
    # shellcheck disable=SC2016 # for the inner shell
    each_fault sh -c 'exec curl -sN -m 20 -d "$1" "$0"'
}

@test "ASan, UBSan: pycurl" {
    built asan libasan.so
    "$ROOT/tools/deps" has python=pycurl || skip "not installed: pycurl"
    each_fault /usr/bin/python3 "$ROOT/integration/matrix/perform.py"
}

@test "ASan, UBSan: PHP" {
    built asan libasan.so
    "$ROOT/tools/deps" has php=curl || skip "not installed: php-curl"
    # The runtime allows no RTLD_DEEPBIND: our dlopen() has to be before it.
    PRELOAD="$BUILD/asan/libunstall.so $RUNTIME"
    ASAN_OPTIONS+=:verify_asan_link_order=0
    each_fault php -n -d extension=curl.so "$ROOT/integration/matrix/exec.php"
}

@test "ASan, UBSan: a program of the easy interface" {
    built asan libasan.so
    each_fault "$BUILD/easy"
}

@test "ASan, UBSan: threads" {
    built asan libasan.so
    made many -lcurl -lpthread
    HOLD=0 clean "$PRELOAD" ./many "$(the_chat alpha)" "$(chat_body)" 16 8
    HOLD=0 clean "$PRELOAD" ./many "$(the_chat silent)" "$(chat_body)" 16 4
    tried 192
}

# libcurl is not watched, so what it does between threads is not known.
@test "TSan: threads with handles and multis of their own" {
    built tsan libtsan.so
    made many -lcurl -lpthread
    printf 'called_from_lib:libcurl.so*\ncalled_from_lib:libcrypto.so*\n' >mute
    export TSAN_OPTIONS="exitcode=99 ignore_noninstrumented_modules=1 \
suppressions=$PWD/mute"
    HOLD=0 clean "$PRELOAD" ./many "$(the_chat alpha)" "$(chat_body)" 16 8
    HOLD=0 clean "$PRELOAD" ./many "$(the_chat silent)" "$(chat_body)" 16 4
    HOLD=0 clean "$PRELOAD" ./many "$(the_chat fails)" "$(chat_body)" 16 4
    tried 256
}

@test "valgrind: curl and pycurl" {
    command -v valgrind || skip "no valgrind"
    local name
    for name in alpha silent; do
        HOLD=0 clean "$SHIM" valgrind -q --error-exitcode=99 \
            curl -sN -m 30 -d "$(chat_body)" "$(the_chat "$name")"
    done
    if "$ROOT/tools/deps" has python=pycurl; then
        HOLD=0 PYTHONMALLOC=malloc clean "$SHIM" valgrind -q \
            --error-exitcode=99 /usr/bin/python3 \
            "$ROOT/integration/matrix/perform.py" "$(the_chat silent)" \
            "$(chat_body)"
    fi
    tried "$COUNT"
}
