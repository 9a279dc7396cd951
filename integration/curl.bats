#!/usr/bin/env bats
# P1, P2, P6: curl(1) prints, writes and exits the same without the preload,
# observed, and hedged with a healthy primary; and where the primary fails it
# does what it would have done at the backup.

bats_require_minimum_version 1.5.0

setup() {
    load lib
    load fidelity
    common_setup
    start_mock alpha --tokens 6 --interval-ms 10
    start_mock beta --tokens 6 --interval-ms 10
    backed_by beta
    chat_body >body
    MODES='observed hedged holding'
}

teardown() {
    common_teardown
}

# curl, in a directory of its own: what it writes there is compared, too.
curl_in() {
    local dir=$1
    shift
    mkdir "$dir"
    (cd "$dir" && "$dir" curl "$@" --data @../body <../body)
}

files() {
    (cd "$1" && head -c 100000 -- * 2>/dev/null) || true
}

# What a trace says of times, ports, sizes of reads and our kind of wait.
traced() {
    steady | sed -E 's/^[0-9:.]+ //; s/\(#[0-9]+\)/(#N)/
        s/(after|in) [0-9.]+ ?(ms|seconds)?/\1 T/; s/[0-9]+ (out of|bytes)/N \1/
        /--:--/d; /^\* +Trying /d; s/connected to [^ ]+/connected/I'
}

# same_curl OPTION...: of a request to $URL.
same_curl() {
    local mode bad=0
    rm -rf plain ${MODES}
    for mode in plain $MODES; do
        in_background "$mode" curl_in "$mode" -m 10 "$@" "$URL"
    done
    wait
    for mode in $MODES; do
        differs plain "$mode" "${FILTER:-steady}" && bad=1
        [[ $(files plain) == "$(files "$mode")" ]] || {
            echo "--- files of plain and $mode differ" && bad=1
        }
    done
    ((bad == 0)) || echo "=== with: $*"
    return "$bad"
}

# Lines of options from standard input; words have no spaces in them.
each_curl() {
    local line bad=0
    URL=${URL:-$ALPHA_URL$(path_of chat)}
    while read -r line; do
        # shellcheck disable=SC2086 # words
        same_curl $line || bad=1
    done
    return "$bad"
}

@test "curl: output, files, bodies, limits" {
    each_curl <<'END'
-N -s
-sN -i
-s -o out
-s -o out -D head
-s -D -
-sS -D - -o /dev/null
-s --compressed
-s --compressed -i
-s --http1.0
-s --http1.0 -i
-s -H Expect:100-continue
-s --raw
-s --tr-encoding -i
-s --max-filesize 10
-sS -f
-s --limit-rate 100k
-s --no-keepalive
-s --no-buffer -e http://referer/ -A agent
-s -H Content-Type:application/json -H X-Other:1
-s -u user:password --basic
-s --json @../body
-s --data-binary @../body
-s --data-raw {"model":"m","stream":true}
-s --data-urlencode a=b
-s -G
-s -X PUT
-s -I
END
    [ "$(requests_of beta)" -eq 0 ]
    [ "$(store 'select count(*) from calls')" -ge 50 ]
}

@test "curl: an upload called POST" {
    URL=$ALPHA_URL$(path_of chat)
    for mode in plain $MODES; do
        in_background "$mode" "$mode" curl -sS -i -T - -X POST "$URL" <body
        in_background "$mode.f" "$mode" curl -sS -T body -X POST "$URL"
    done
    wait
    for mode in $MODES; do
        refute differs plain "$mode"
        refute differs plain.f "$mode.f"
    done
    [ "$(store 'select count(*) from calls')" -eq 6 ]
}

@test "curl: what -w tells" {
    each_curl <<'END'
-s -w %{http_code}|%{size_download}|%{size_upload}|%{size_request}
-s -w %{content_type}|%{num_connects}|%{num_redirects}|%{method}
-s -w %{num_headers}|%{http_version}|%{scheme}|%{exitcode}|%{errormsg}
-s -w %{url_effective}|%{remote_ip}|%{response_code}|%{proxy_ssl_verify_result}
-s -w %{header_json}
-s -w %header{content-type}|%header{x-mock}
-s -o out -w %{filename_effective}|%{stderr}%{http_code}
-s -f -w %{urlnum}|%{onerror}
END
}

@test "curl: statuses, retries, and several requests" {
    URL="$ALPHA_URL$(path_of chat)?fault=status=400" each_curl <<'END'
-s
-s -i
-sS -f
-sS --fail-with-body
-sS -f --retry 2 --retry-delay 0
END
    URL="$ALPHA_URL$(path_of chat)?fault=redirect=/v1/chat/completions" \
        each_curl <<'END'
-s -i
-s -L -i
-s -L --post307 -i -w %{num_redirects}
END
    URL="$ALPHA_URL$(path_of chat) -s $ALPHA_URL/plain?bytes=99"
    URL="$URL $ALPHA_URL$(path_of chat)"
    MODES='observed hedged' several -s -w '%{num_connects}'
}

# More than one URL on one line: connections and order are as before.
several() {
    local mode
    for mode in plain $MODES; do
        # shellcheck disable=SC2086 # words
        in_background "$mode" "$mode" curl "$@" -d @body $URL
    done
    wait
    for mode in $MODES; do
        refute differs plain "$mode"
    done
}

@test "curl: errors in the middle" {
    local fault
    for fault in cut@3 reset@3 error@3 trailer close http100 split=7 gzip; do
        echo "fault $fault"
        URL="$ALPHA_URL$(path_of chat)?fault=$fault" each_curl <<'END'
-sS -i
-sS --compressed -o out
END
    done
    URL="$ALPHA_URL$(path_of chat)?fault=silent" each_curl <<'END'
-sS -m 0.3
-sS -m 0.3 -f -o out
END
    MODES='observed hedged'
    URL="$ALPHA_URL$(path_of chat)?fault=stall@3=9" each_curl <<'END'
-sS -m 0.4 -N
-sS -y 1 -Y 1000 -N
END
}

# (Not streamed: how many reads a stream takes is chance.)
@test "curl: what -v and --trace tell" {
    STREAM=false chat_body >body
    FILTER=traced MODES='observed hedged' each_curl <<'END'
-v -s
-v -s -o out
--trace-ascii trace -s
--trace - -s -o out
-v
END
}

# The progress meter is drawn by the clock: it is there, with its last line.
@test "curl: the progress meter" {
    FILTER=has_meter each_curl <<'END'
-o out
-# -o out
END
}

has_meter() {
    grep -c '100\|Total'
}

@test "curl: a silent primary, nothing of the rival's on stderr" {
    local options
    start_mock silent --fault silent
    for options in -sS -sSi '-sS -D head -o out' '-sS --compressed' \
        '-sS -w %{http_code}|%{size_download}|%{num_connects}' '-sSf'; do
        rm -rf plain rescued rescued_holding
        for mode in plain rescued rescued_holding; do
            URL=$SILENT_URL
            [[ $mode != plain ]] || URL=$BETA_URL
            # shellcheck disable=SC2086 # words
            in_background $mode curl_in $mode $options "$URL$(path_of chat)"
        done
        wait
        refute differs plain rescued
        refute differs plain rescued_holding
        [[ $(files plain) == "$(files rescued)" ]]
    done
    rescued curl -sv -d @body "$SILENT_URL$(path_of chat)" >out 2>err
    grep -F 'x-mock: silent' err || grep -F '> POST' err
    refute grep -F "$BETA_PORT" err
    refute grep -F 'x-mock: beta' err
}
