#!/usr/bin/env bats
# The main job in programs that reach libcurl through a binding: a plugin that
# is loaded late, often with a libcurl of its own that nobody else can see.

load lib

setup() {
    common_setup
    start_mock alpha --fault silent
    start_mock beta
    ask beta chat >healthy
}

teardown() {
    common_teardown
}

# INTERPRETER FILE: alpha is silent, so the answer has to be beta's (P1).
answers() {
    unstall run --quiet --after 0.3 --backup "$BETA_URL/v1" -- timeout 20 \
        "$1" "$BATS_TEST_DIRNAME/bindings/$2" \
        "$ALPHA_URL$(path_of chat)" "$(chat_body)" >answer
    cmp answer healthy
    [ "$(requests_of alpha)" -eq 1 ]
    [ "$(requests_of beta)" -eq 2 ]
    [ "$(store 'SELECT outcome, winner FROM calls')" = 'ok|1' ]
}

@test "Python: pycurl" {
    /usr/bin/python3 -c 'import pycurl' 2>/dev/null || skip "no pycurl"
    answers /usr/bin/python3 ask.py
}

@test "Perl: WWW::Curl" {
    perl -MWWW::Curl -e 1 2>/dev/null || skip "no WWW::Curl"
    answers perl ask.pl
}

@test "Lua: lua-curl" {
    lua5.1 -e 'require "curl"' 2>/dev/null || skip "no lua-curl"
    answers lua5.1 ask.lua
}

@test "Tcl: TclCurl" {
    echo 'exit [catch {package require TclCurl}]' | tclsh 2>/dev/null ||
        skip "no TclCurl"
    answers tclsh ask.tcl
}

@test "Python: ctypes" {
    /usr/bin/python3 -c 'import ctypes' 2>/dev/null || skip "no ctypes"
    answers /usr/bin/python3 ask_ctypes.py
}

@test "PHP" {
    php -r 'exit((int) !extension_loaded("curl"));' || skip "no php-curl"
    answers php ask.php
}

@test "Ruby: curb" {
    ruby -e 'require "curb"' 2>/dev/null || skip "no curb"
    answers ruby ask_curb.rb
}

@test "Ruby: ethon" {
    ruby -e 'require "ethon"' 2>/dev/null || skip "no ethon"
    answers ruby ask_ethon.rb
}

@test "LuaJIT: ffi" {
    command -v luajit || skip "no luajit"
    answers luajit ask_luajit.lua
}

@test "R: curl" {
    Rscript --vanilla -e 'library(curl)' 2>/dev/null || skip "no R, no curl"
    answers Rscript ask.R
}
