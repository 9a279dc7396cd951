#!/usr/bin/env bats
# Priority 1, P2: programs that look up functions and open libraries, other
# preloads, allocators, sanitizers and debuggers work as they did.

bats_require_minimum_version 1.5.0
load lib

setup() {
    common_setup
    HOSTS=$BATS_TEST_DIRNAME/hosts
}

teardown() {
    common_teardown
}

# COMMAND...: the same comes of it, with the preload and its names (see
# `beside`) or without.
same() {
    local plain
    run --separate-stderr env LD_PRELOAD="${OTHERS:-}" timeout 60 "$@"
    plain="$status|$output|$stderr"
    run --separate-stderr env LD_PRELOAD="${PRELOADS:-$SHIM}" timeout 60 "$@"
    [ "$status|$output|$stderr" = "$plain" ] || {
        echo "without: $plain"
        echo "with:    $status|$output|$stderr"
        return 1
    }
}

# OTHER COMMAND...: with another preload, which may come first or last.
beside() {
    local other=$1
    shift
    OTHERS=$other PRELOADS="$SHIM $other" same "$@"
    OTHERS=$other PRELOADS="$other $SHIM" same "$@"
}

# A program without libcurl, and a library that it finds by its RUNPATH.
make_finder() {
    mkdir -p lib
    cc -shared -fPIC -o lib/libplug.so "$HOSTS/plug.c"
    # shellcheck disable=SC2016 # the loader's
    "${CC:-cc}" "$@" -o finder "$HOSTS/finder.c" -Wl,-rpath,'$ORIGIN/lib' -ldl
}

@test "languages start as before" {
    same /usr/bin/python3 -c 'import ssl, json, ctypes; print(1)'
    same perl -MPOSIX -e 'print floor(1.5)'
    for command in "ruby -rjson -e puts(1)" "node -p 1" "php -r echo(1);" \
        "Rscript --vanilla -e cat(1)" "tclsh /dev/null" \
        "lua5.1 -e print(1)" "java -version"; do
        # shellcheck disable=SC2086 # words
        if command -v ${command%% *} >/dev/null; then same $command; fi
    done
}

@test "a program finds what it found, and no libcurl where there is none" {
    make_finder
    same ./finder
    [[ $output == *'own library: opened'* ]]
    [[ $output == *'anywhere curl_easy_init: none, error'* ]]
    [[ $output == *'program curl_easy_init: none, error'* ]]
}

@test "a program of another C library finds what it found" {
    command -v musl-gcc || skip "no musl-gcc"
    [ -e /lib/ld-musl-x86_64.so.1 ] || skip "no musl to run it with"
    CC=musl-gcc make_finder
    same ./finder
}

@test "programs behind a sanitizer find what they found" {
    local san
    command -v clang || skip "no clang"
    for san in address undefined thread; do
        CC=clang make_finder "-fsanitize=$san" || continue
        same ./finder
        [[ $output == *'own library: opened'* ]]
    done
}

@test "a static program is none of our business" {
    echo 'int main(void) { return 42; }' >static.c
    cc -static -o static static.c || skip "no static libc"
    same ./static
    [ "$status" -eq 42 ]
}

@test "a set-user-id program is none of our business" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    chmod 755 . && cp "$(command -v id)" id && chown nobody id && chmod u+s id
    same ./id
    [[ $output == *euid=* ]] || skip "this file system has no set-user-id"
}

@test "debuggers run programs as before" {
    make_finder
    same valgrind -q ./finder
    command -v gdb || skip "no gdb"
    run env LD_PRELOAD="$SHIM" gdb -nx -batch -ex run ./finder
    [[ $output == *'own library: opened'*'exited normally'* ]]
}

@test "other preloads work before and behind" {
    local jemalloc
    make_finder
    cc -shared -fPIC -o chain.so "$HOSTS/chain.c" -ldl
    beside "$PWD/chain.so" ./finder
    beside libeatmydata.so ./finder
    jemalloc=$(cc -print-file-name=libjemalloc.so.2)
    [[ $jemalloc != /* ]] || beside "$jemalloc" /usr/bin/python3 -c 'print(1)'
}

@test "another preload of libcurl's functions sees what it saw" {
    start_mock alpha
    cc -shared -fPIC -o chain.so "$HOSTS/chain.c" -ldl
    beside "$PWD/chain.so" curl -sS -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)"
    [ "$stderr" = 'chain: perform' ]
    [ "$(store 'SELECT count(*) FROM calls')" -eq 2 ]
}

@test "calls before any constructor of ours has run are seen" {
    start_mock alpha
    cc -shared -fPIC -o libearly.so "$HOSTS/early.c" -lcurl
    cc -o early -x c - -x none libearly.so -Wl,-rpath,"$PWD" \
        <<<'int early(void); int main(void) { return early(); }'
    export EARLY_URL=$ALPHA_URL$(path_of chat)
    same ./early
    [[ $output == *'data: [DONE]'* ]]
    [ "$(store 'SELECT program, outcome FROM calls')" = 'early|ok' ]
}

@test "each of several libcurls does its own transfers" {
    local flavours=$BUILD/integration/clients/flavours calls
    start_mock alpha
    for case in apart again; do
        same "$flavours" "$case" "$ALPHA_URL/other"
        same "$flavours" "$case" "$ALPHA_URL$(path_of chat)"
        calls=$((${calls:-0} + $(grep -c 'HTTP 200' <<<"$output")))
    done
    same "$flavours" steady ''
    [ "$(store 'SELECT count(*) FROM calls')" -eq "$calls" ]
}

# A libcurl in lib/ and a program that calls all its functions.  cc's options
# for the library follow.
make_each() {
    mkdir -p lib
    cc -shared -fPIC -I"$ROOT" -Wl,-soname,libcurl.so.4 -o lib/libcurl.so.4 \
        "$HOSTS/numbers.c" "$@"
    # shellcheck disable=SC2016 # the loader's
    [[ -e each ]] || cc -I"$ROOT" -o each "$HOSTS/each.c" lib/libcurl.so.4 \
        -Wl,-rpath,'$ORIGIN/lib'
}

@test "every function of a libcurl, the latest too, answers as it did" {
    make_each
    same ./each
    [ "$status" -eq 0 ]
    [ "$(grep -c . <<<"$output")" -eq "$(grep -c '^EXPORT' \
        "$ROOT/shim/exports.def")" ]
    grep -q '^curl_multi_notify_enable 1[0-9][0-9]$' <<<"$output"
}

# What curl.h calls a failed start (2), an internal error (4), a function that
# was not built in (7); no handle (0).
failure_of() {
    case $1 in
    curl_easy_cleanup | curl_easy_reset) echo returns ;;
    *_init | *_duphandle | *_nextheader | *_get_handles | *_info_read) echo 0 ;;
    curl_easy_header) echo 7 ;;
    curl_easy_*) echo 2 ;;
    curl_multi_*) echo 4 ;;
    esac
}

@test "without any libcurl every function fails, and says so" {
    local name code
    make_each
    make_each -DNONE
    run -127 ./each
    run -0 with_shim ./each
    while read -r name code; do
        [ "$code" = "$(failure_of "$name")" ]
    done <<<"$output"
}

@test "the exports are those that dlsym serves" {
    local def=$BATS_TEST_DIRNAME/../shim/exports.def
    diff <(sed -n 's/^EXPORT(\(.*\))$/\1/p' "$def" | sort) \
        <(nm -D --defined-only "$SHIM" | awk '{ print $3 }' |
            grep '^curl_' | sort)
}

@test "UNSTALL_DEEPBIND=keep, and UNSTALL=off, leave PHP's calls alone" {
    php -r 'exit((int) !extension_loaded("curl"));' || skip "no php-curl"
    start_mock alpha
    ask_php() {
        php "$BATS_TEST_DIRNAME/matrix/exec.php" \
            "$ALPHA_URL$(path_of chat)" "$(chat_body)" >/dev/null
    }
    # Newer ones do not bind deeply.
    php -r 'exit((int) (PHP_VERSION_ID >= 80300));' &&
        LD_PRELOAD=$SHIM UNSTALL_DEEPBIND=keep ask_php
    LD_PRELOAD=$SHIM UNSTALL=off ask_php
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
    LD_PRELOAD=$SHIM ask_php
    [ "$(store 'SELECT count(*) FROM calls')" -eq 1 ]
}
