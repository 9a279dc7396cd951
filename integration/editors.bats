#!/usr/bin/env bats
# curl(1) as editors and scripts drive it: options from the command line, from
# standard input, bodies from files, headers and measurements in the output.
# The same bytes without unstall, with it, and when the backup answers (P1).

load lib

setup() {
    common_setup
    start_mock silent --fault silent
    start_mock beta --fault gzip,interval=0.01
    chat_body >body.json
}

teardown() {
    common_teardown
}

# RECIPE: a function that takes the URL, and what comes before curl.
recipe_holds() {
    local path name
    path=$(path_of chat)
    "$1" "$BETA_URL$path" >plain
    stopwatch
    "$1" "$BETA_URL$path" unstall run --quiet --after 3 \
        --backup "$SILENT_URL/v1" -- >healthy
    cmp plain healthy
    [ "$(requests_of silent)" -eq 0 ]
    "$1" "$SILENT_URL$path" unstall run --quiet --after 0.3 \
        --backup "$BETA_URL/v1" -- >rescued
    cmp plain rescued
    [ "$(grep -ac 'data: ' rescued)" -gt 20 ]
    [ "$(store 'select winner from calls')" = $'0\n1' ]
}

gptel() {
    "${@:2}" curl --disable --location --silent --compressed -XPOST -y7200 -Y1 \
        -D- -w'(token . %{size_header})' -H'Content-Type: application/json' \
        -H'Authorization: Bearer KEY' --data-binary @body.json "$1"
}

@test "gptel: headers before the body, and their size behind it" {
    recipe_holds gptel
}

from_stdin() {
    "${@:2}" curl --config - <<END
url = "$1"
silent
no-buffer
header = "Content-Type: application/json"
header = "Authorization: Bearer KEY"
data = "@body.json"
write-out = "%{http_code} %{content_type} %{num_redirects}\n"
END
}

@test "options on standard input" {
    recipe_holds from_stdin
}

plenary() {
    rm -f headers
    "${@:2}" curl -sSL -D headers --compressed -X POST \
        -H 'Content-Type: application/json' --no-buffer --retry 3 \
        --connect-timeout 10 -d @body.json "$1"
    cat headers
}

@test "plenary: headers in a file, retries allowed" {
    recipe_holds plenary
}

shell() {
    jq -c . body.json | "${@:2}" curl -sSfN --json @- "$1" |
        sed -n 's/^data: //p' | sed 's/^/data: /'
}

@test "a shell pipeline: the body on standard input" {
    recipe_holds shell
}

in_time() {
    "${@:2}" curl -sSN --max-time 10 --speed-time 5 --speed-limit 1 \
        --http1.1 -A agent/1 -o body -d @body.json \
        -w '%{http_code} %{size_download} %{errormsg} %{exitcode}\n' "$1"
    cat body
}

@test "limits of time and speed, the body in a file" {
    recipe_holds in_time
}
