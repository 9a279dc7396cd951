#!/usr/bin/env bats
# Every stock program that the matrix knows: healthy, hedged, stalled, aborted,
# not concerned, recorded, and many at once (P1, P2, P4, P6, R2, R4, R6).
# tools/clients does it; here each program is a test.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
}

row() {
    run tools/clients -j 3 "$1"
    missing=$(sed -n 's/.* skipped, //p' <<<"$output")
    [ -z "$missing" ] || skip "$missing"
    [ "$status" -eq 0 ] || { echo "$output" && return 1; }
}

@test "curl" { row curl; }
@test "curl-Z" { row curl-Z; }
@test "php-exec" { row php-exec; }
@test "php-multi" { row php-multi; }
@test "php-guzzle" { row php-guzzle; }
@test "php-symfony" { row php-symfony; }
@test "pycurl" { row pycurl; }
@test "pycurl-select" { row pycurl-select; }
@test "pycurl-socket" { row pycurl-socket; }
@test "ctypes" { row ctypes; }
@test "R-fetch" { row R-fetch; }
@test "R-stream" { row R-stream; }
@test "R-multi" { row R-multi; }
@test "R-httr2" { row R-httr2; }
@test "R-rcurl" { row R-rcurl; }
@test "ruby-curb" { row ruby-curb; }
@test "ruby-curb-multi" { row ruby-curb-multi; }
@test "ruby-ethon" { row ruby-ethon; }
@test "ruby-typhoeus" { row ruby-typhoeus; }
@test "perl" { row perl; }
@test "perl-multi" { row perl-multi; }
@test "lua" { row lua; }
@test "luajit-ffi" { row luajit-ffi; }
@test "tcl" { row tcl; }
@test "curlpp" { row curlpp; }
@test "ocaml" { row ocaml; }
@test "haskell" { row haskell; }
@test "git" { row git; }

@test "no program is forgotten here" {
    listed=$(sed -n '/^END$/q; s/^\([[:alnum:]-]*\) .*=.*/\1/p' \
        "$BATS_TEST_DIRNAME/matrix/clients.bash")
    diff <(echo "$listed") \
        <(sed -n 's/^@test .* { row \(.*\); }$/\1/p' "$BATS_TEST_FILENAME")
}
