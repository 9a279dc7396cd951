#!/usr/bin/env bats
# P2, P4: stock programs reach libcurl in many ways: linked, through a plugin,
# through one bound deeply (PHP), by dlsym (ethon, ctypes, LuaJIT), by multi
# handles alone (curb, R).  A call of each leaves its row, and whatever the
# program does is what it does without the preload.

load lib

setup() {
    common_setup
    start_mock alpha
    BINDINGS=$BATS_TEST_DIRNAME/bindings
}

teardown() {
    common_teardown
}

# URL COMMAND...: asks it without and with the preload; the same comes of it.
same() {
    local url=$1
    shift
    { timeout 20 "$@" "$url" "$(chat_body)" || echo "code $?"; } >plain 2>&1
    { LD_PRELOAD=$SHIM timeout 20 "$@" "$url" "$(chat_body)" ||
        echo "code $?"; } >shimmed 2>&1
    cmp plain shimmed
}

# NAME COMMAND...
observed() {
    local name=$1
    shift
    same "$ALPHA_URL/other" "$@"
    [ ! -e "$XDG_STATE_HOME/unstall" ]
    same "$ALPHA_URL$(path_of chat)" "$@"
    grep -q 'data: \[DONE\]' shimmed
    [ "$(store 'SELECT program, outcome FROM calls')" = "$name|ok" ]
    [ "$(requests_of alpha)" -eq 4 ]
}

@test "Python: pycurl" {
    /usr/bin/python3 -c 'import pycurl' 2>/dev/null || skip "no pycurl"
    observed python3 /usr/bin/python3 "$BINDINGS/ask.py"
}

@test "Python: ctypes" {
    /usr/bin/python3 -c 'import ctypes' 2>/dev/null || skip "no ctypes"
    observed python3 /usr/bin/python3 "$BINDINGS/ask_ctypes.py"
}

@test "PHP" {
    php -r 'exit((int) !extension_loaded("curl"));' || skip "no php-curl"
    observed php php "$BINDINGS/ask.php"
}

@test "Ruby: ethon" {
    ruby -e 'require "ethon"' 2>/dev/null || skip "no ethon"
    observed ruby ruby "$BINDINGS/ask_ethon.rb"
}

@test "Ruby: curb" {
    ruby -e 'require "curb"' 2>/dev/null || skip "no curb"
    observed ruby ruby "$BINDINGS/ask_curb.rb"
}

@test "Perl: WWW::Curl" {
    perl -MWWW::Curl -e 1 2>/dev/null || skip "no WWW::Curl"
    observed perl perl "$BINDINGS/ask.pl"
}

@test "Lua: lua-curl" {
    lua5.1 -e 'require "curl"' 2>/dev/null || skip "no lua-curl"
    observed lua5.1 lua5.1 "$BINDINGS/ask.lua"
}

@test "LuaJIT: ffi" {
    command -v luajit || skip "no luajit"
    observed luajit luajit "$BINDINGS/ask_luajit.lua"
}

@test "Tcl: TclCurl" {
    echo 'exit [catch {package require TclCurl}]' | tclsh 2>/dev/null ||
        skip "no TclCurl"
    observed tclsh tclsh "$BINDINGS/ask.tcl"
}

@test "R: curl" {
    Rscript --vanilla -e 'library(curl)' 2>/dev/null || skip "no R, no curl"
    observed R Rscript --vanilla "$BINDINGS/ask.R"
}
