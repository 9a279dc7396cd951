#!/usr/bin/env bats
# run --inject: faults on a program's own requests, without a server's help.
# What the program sees is what libcurl makes of a server that behaves so.

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# faulty FAULT COMMAND...: under run, measured only.
faulty() {
  unstall run --quiet --inject "$1" -- "${@:2}"
}

ask_alpha() {
  curl -sSN -m 10 -d "$(chat_body)" "$@" "$ALPHA_URL$(path_of chat)"
}

text() {
  text_of chat <"$1"
}

chunks() {
  grep -c '"content":"[^"]' "$1"
}

@test "late: the first token waits, the answer is the same (P1)" {
  start_mock alpha
  ask_alpha -D head >plain
  stopwatch
  faulty late=1.2 curl -sSN -m 10 -D head2 -d "$(chat_body)" \
    "$ALPHA_URL$(path_of chat)" >got
  took_between 1200 4000
  cmp plain got
  cmp head head2
  [ "$(store 'select injected, outcome, ttft_ms >= 1200 from calls')" = \
    "late=1.2|ok|1" ]
}

@test "stall and drip: silence between tokens, easy and parallel (P1)" {
  local how
  start_mock alpha
  ask_alpha >plain
  for how in --no-parallel --parallel; do
    stopwatch
    faulty stall@5=0.8,drip=0.02 curl $how -sSN -m 10 -d "$(chat_body)" \
      "$ALPHA_URL$(path_of chat)" >got
    took_between 1160 5000
    cmp plain got
  done
  [ "$(store 'select distinct chunk_count, max_gap_ms >= 800 from calls')" = \
    "20|1" ]
}

@test "cut: libcurl's own code and words (P6)" {
  start_mock alpha
  run -18 --separate-stderr faulty cut@7 curl -sSN -m 10 -d "$(chat_body)" \
    -w '%{http_code}' -o got "$ALPHA_URL$(path_of chat)"
  [ "$output" = 200 ]
  [ "$stderr" = \
    'curl: (18) transfer closed with outstanding read data remaining' ]
  [ "$(chunks got)" -eq 7 ]
  [ "$(store 'select outcome, curl_code, truncated from calls')" = \
    "truncated|18|1" ]
}

# The server has sent all of it at once.
@test "what curl tells of the transfer is what it got" {
  local how size
  start_mock quick --interval-ms 0 --tokens 8
  for how in --no-parallel --parallel; do
    for fault in cut@3 late=0.4,cut@3 late=0.4; do
      rm -f got
      stopwatch
      faulty "$fault" curl $how -sN -m 10 -d "$(chat_body)" -o got \
        -w '%{size_download} %{time_total}\n' "$QUICK_URL$(path_of chat)" >told ||
        [[ $fault == *cut* ]]
      read -r size time <told
      [ "$size" -eq "$(stat -c %s got)" ]
      [[ $fault != late* ]] || jq -e '. >= 0.4 and . < 5' <<<"$time"
    done
  done
}

@test "status: a real answer to libcurl, and nothing is sent (P6)" {
  local how
  start_mock alpha
  for how in --no-parallel --parallel; do
    run -0 --separate-stderr faulty status=429 curl $how -sS -m 10 \
      -D head -o body -d "$(chat_body)" \
      -w '%{http_code} %{content_type} %{num_headers}' \
      "$ALPHA_URL$(path_of chat)"
    [ "$output" = '429 application/json 3' ]
    grep -q '^HTTP/1.1 429 Too Many Requests' head
    [ "$(jq -r .error.type body)" = rate_limit_error ]
  done
  run -22 faulty status=503 curl -f -sS -m 10 -d "$(chat_body)" \
    "$ALPHA_URL$(path_of chat)"
  [ "$output" = 'curl: (22) The requested URL returned error: 503' ]
  [ "$(requests_of alpha)" -eq 0 ]
}

@test "status: neither the name is looked up nor TLS needed" {
  run -0 faulty status=500,late=0.3 curl -sS -m 10 -o body -w '%{http_code}' \
    -d "$(chat_body)" https://no.such.host.example/v1/chat/completions
  [ "$output" = 500 ]
}

@test "a hedge tells it from no server's fault (R2 R3)" {
  local fault
  start_mock alpha
  start_mock back
  ask back chat >plain
  for fault in late=20 status=503 cut@0; do
    unstall run --quiet --after 0.5 --backup "$BACK_URL/v1" --inject "$fault" \
      -- curl -sSN -m 10 -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >got
    cmp plain got
  done
  [ "$(store 'select hedge_reason from calls order by id')" = \
    $'first_token\nfailure\nfailure' ]
}

@test "PHP, easy and multi" {
  start_mock alpha
  cat >ask.php <<'END'
<?php
$h = curl_init($argv[1]);
curl_setopt_array($h, [CURLOPT_POSTFIELDS => $argv[2],
    CURLOPT_RETURNTRANSFER => true]);
if ($argv[3] == 'easy') {
    curl_exec($h);
    $code = curl_errno($h);
} else {
    $m = curl_multi_init();
    curl_multi_add_handle($m, $h);
    do {
        curl_multi_exec($m, $running);
        curl_multi_select($m, 1.0);
    } while ($running);
    $code = curl_multi_info_read($m)['result'];
}
echo curl_getinfo($h, CURLINFO_RESPONSE_CODE), ' ', $code, "\n";
END
  local how
  for how in easy multi; do
    run -0 faulty status=429 php ask.php "$ALPHA_URL$(path_of chat)" \
      "$(chat_body)" "$how"
    [ "$output" = '429 0' ]
    run -0 faulty stall@2=0.3,cut@3 php ask.php \
      "$ALPHA_URL$(path_of chat)" "$(chat_body)" "$how"
    [ "$output" = '200 18' ]
  done
  [ "$(requests_of alpha)" -eq 2 ]
}

@test "pycurl's multi, five at a time" {
  start_mock alpha
  cat >ask.py <<'END'
import io, sys, pycurl

def handle(url, body):
    c = pycurl.Curl()
    c.out = io.BytesIO()
    c.setopt(c.URL, url)
    c.setopt(c.POSTFIELDS, body)
    c.setopt(c.WRITEDATA, c.out)
    return c

m = pycurl.CurlMulti()
handles = [handle(sys.argv[1], sys.argv[2]) for i in range(5)]
for c in handles:
    m.add_handle(c)
running = 5
while running:
    while True:
        ret, running = m.perform()
        if ret != pycurl.E_CALL_MULTI_PERFORM:
            break
    m.select(1.0)
_, good, bad = m.info_read()
for c in good:
    print(c.getinfo(c.RESPONSE_CODE), 0, len(c.out.getvalue()) > 0)
for c, code, text in bad:
    print(c.getinfo(c.RESPONSE_CODE), code, text)
END
  run -0 faulty status=529 /usr/bin/python3 ask.py "$ALPHA_URL$(path_of chat)" \
    "$(chat_body)"
  [ "$(sort -u <<<"$output")" = '529 0 True' ]
  [ "${#lines[@]}" -eq 5 ]
  [ "$(requests_of alpha)" -eq 0 ]
  run -0 faulty late=0.5,cut@4 /usr/bin/python3 ask.py \
    "$ALPHA_URL$(path_of chat)" "$(chat_body)"
  [ "${#lines[@]}" -eq 5 ]
  [ "$(sort -u <<<"$output")" = \
    '200 18 transfer closed with outstanding read data remaining' ]
}

@test "it says so once, unless it is told to be quiet" {
  start_mock alpha
  run -0 --separate-stderr unstall run --inject drip=0.001 -- \
    curl -sN -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
  [ "$(grep -c 'fault is played' <<<"$stderr")" -eq 1 ]
  [[ $stderr == *drip=0.001* ]]
  run -0 --separate-stderr faulty drip=0.001 true
  [ -z "$stderr" ]
}

@test "what it does not know starts nothing" {
  local bad
  for bad in slow late late=-1 stall@x=2 cut@ status=200 status=429,cut@3; do
    run -2 unstall run --inject "$bad" -- touch started
    [[ $output == *--inject* ]]
  done
  UNSTALL_INJECT=nonsense run -2 unstall run -- touch started
  [ ! -e started ]
}

@test "a bare preload takes the variable, and leaves nonsense aside" {
  start_mock alpha
  UNSTALL_INJECT=cut@2 run -18 with_shim curl -sN -d "$(chat_body)" \
    "$ALPHA_URL$(path_of chat)"
  UNSTALL_INJECT=cut run -0 with_shim curl -sN -d "$(chat_body)" \
    "$ALPHA_URL$(path_of chat)"
  UNSTALL=off UNSTALL_INJECT=cut@2 run -0 with_shim curl -sN \
    -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
  [ "$(store 'select count(*) from calls where injected is not null')" -eq 1 ]
}

@test "other requests are left alone (P2)" {
  start_mock alpha
  run -0 faulty status=429 curl -sS -f -o plain "$ALPHA_URL/plain?bytes=1000"
  [ "$(stat -c %s plain)" -eq 1000 ]
}
