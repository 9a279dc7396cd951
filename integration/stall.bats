#!/usr/bin/env bats
# A stream that stalls after it has begun: replaced while it is held back (R4,
# R5, R6), left alone once the program has text (P1), or ended by a watchdog
# that the user has asked for (R8).

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# raced OPTION... -- CURL OPTION...: asks PRIM, which stalls, with BACK beside.
raced() {
  local options=()
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  unstall run --quiet --backup "$BACK_URL/v1" "${options[@]}" -- \
    curl -sSN -m 10 -H 'content-type: application/json' -d "$(chat_body)" \
    "$@" "$PRIM_URL$(path_of chat)"
}

stalling() {
  start_mock prim --tokens 60 --interval-ms 5 --fault "stall@20=${1:-6}"
  start_mock back --tokens 60 --interval-ms 5
}

@test "all held back: the second source answers a stall in full (R4 R5)" {
  stalling
  ask back chat "" -i >plain
  stopwatch
  raced --hold all --stall-after 0.5 -- -i >got
  took_between 800 4000
  cmp plain got
  facts=$(store 'select outcome, winner, hedge_reason, chunk_count from calls')
  [ "$facts" = "ok|1|stall|60" ]
  [ "$(store "select chunk_count, outcome from attempts where seq = 0")" = \
    "20|hedge_cancelled" ]
}

# R6: the old source is left at the decision, not at the end of the answer.
@test "the loser's connection is closed at the decision (R6)" {
  start_mock prim --tokens 60 --interval-ms 5 --fault stall@20=6
  start_mock back --tokens 60 --interval-ms 20
  raced --hold all --stall-after 0.5 -- >got
  await_ends prim 1
  left=$(mock_log prim 'select(.event == "end") | .t - .t_request')
  [ "$(ends_of prim)" = client_left ]
  # 0.1 s of tokens, 0.5 s of silence, the rival's first token; its last comes
  # after 1.8 s
  awk -v t="$left" 'BEGIN { exit !(t >= 0.5 && t < 1.4) }'
}

@test "a lead that goes on before its rival has begun is kept (R4)" {
  start_mock prim --tokens 60 --interval-ms 5 --fault stall@20=0.8
  start_mock back --fault first-late=5
  ask prim chat "" -i >plain
  raced --hold all --stall-after 0.4 -- -i >got
  cmp plain got
  [ "$(requests_of back)" -eq 1 ]
  await_ends back 1
  [ "$(ends_of back)" = client_left ]
  [ "$(store 'select outcome, winner, attempts from calls')" = "ok|0|2" ]
}

@test "within the hold window too (R5)" {
  start_mock prim --tokens 60 --interval-ms 5 --fault stall@5=6
  start_mock back --tokens 60
  ask back chat "" >plain
  raced --hold 1 --stall-after 0.4 -- >got
  cmp plain got
}

@test "what the program has stays, and nobody else is asked (P1)" {
  stalling 0.8
  ask prim chat "" >plain
  raced --hold 0 --stall-after 0.3 -- >got
  cmp plain got
  [ "$(requests_of back)" -eq 0 ]
  [ "$(store 'select outcome, winner, attempts from calls')" = "ok|0|1" ]
}

@test "a window that is over commits: the stall is waited out (R5)" {
  start_mock prim --tokens 30 --interval-ms 20 --fault stall@20=1
  start_mock back
  ask prim chat "" >plain
  raced --hold 0.3 --set hedge.resume=off --stall-after 0.2 -- >got
  cmp plain got
  [ "$(requests_of back)" -eq 0 ]
}

@test "more than the limit cannot be held: it is given (R5)" {
  start_mock prim --tokens 200 --interval-ms 1 --fault stall@150=1
  start_mock back
  ask prim chat "" >plain
  raced --hold all --stall-after 0.3 --set hedge.hold_limit_bytes=8192 -- >got
  cmp plain got
  [ "$(requests_of back)" -eq 0 ]
}

@test "the last of several sources is reached (R4)" {
  start_mock prim --tokens 60 --interval-ms 5 --fault stall@20=6
  start_mock mid --fault silent
  start_mock back --tokens 60
  ask back chat "" >plain
  unstall run --quiet --backup "$MID_URL/v1" --backup "$BACK_URL/v1" \
    --set hedge.max_attempts=3 --hold all --stall-after 0.3 -- \
    curl -sN -m 10 -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  cmp plain got
  outcomes=$(store 'select outcome from attempts order by seq')
  [ "$outcomes" = $'hedge_cancelled\nhedge_cancelled\nwon' ]
}

@test "a stall watchdog ends the call and says why (R8)" {
  stalling
  run -28 --separate-stderr unstall run --quiet --stall-timeout 1 -- \
    curl -sSN -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  [[ "$stderr" == *"(28)"* ]]
  [[ "$stderr" == *stall_timeout_s* ]]
  [[ "$stderr" == *"source primary"* ]]
  [[ "$stderr" == *" 1 s"* ]]
  [[ "$stderr" == *"20 chunks"* ]]
  [ "$(grep -c '"content"' <<<"$output")" -ge 20 ]
  facts=$(store 'select outcome, truncated, curl_code, chunk_count from calls')
  [ "$facts" = "truncated|1|28|20" ]
}

@test "a first-token watchdog ends the call and says why (R8)" {
  start_mock prim --fault silent-after-headers
  run -28 --separate-stderr unstall run --quiet --ttft-timeout 0.5 -- \
    curl -sSN -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  [[ "$stderr" == *ttft_timeout_s* ]]
  [ "$(store 'select outcome, curl_code from calls')" = "timeout|28" ]
}

@test "no watchdog strikes before the first chunk, or after the finish (R8)" {
  start_mock prim --fault first-late=1
  unstall run --quiet --stall-timeout 0.5 -- \
    curl -sSN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  [ "$(store 'select outcome from calls')" = ok ]
  start_mock open --fault hang-after-done
  run -28 unstall run --quiet --stall-timeout 0.3 -- \
    curl -sSN -m 1 -d "$(chat_body)" "$OPEN_URL$(path_of chat)"
  [[ "$output" != *stall_timeout_s* ]]
}

@test "with liveness bytes a server that only comments is left alive (R8)" {
  start_mock prim --fault first-late=1.2,chatter=comment
  ask prim chat "" >plain
  unstall run --quiet --ttft-timeout 0.5 --set stream.liveness=bytes -- \
    curl -sSN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  cmp plain got
}

@test "the program's own time limit bounds the race (R9)" {
  start_mock prim --fault silent
  start_mock back --fault silent
  stopwatch
  run -28 raced --after 0.2 -- -m 1
  took_between 950 3000
  [[ "$output" == *"timed out after"* ]]
  [ "$(store 'select outcome, attempts from calls')" = "timeout|2" ]
}

# P5, P7: nobody is silent while the program does not look; what is lost then
# can still be rescued, since nothing was spent.
late_calls() {
  store "select outcome, attempts, stall_count, app_ms between 2800 and 4500
    from calls order by id"
}

@test "a progress callback that lasts starts nobody (P5 P7)" {
  start_mock prim --tokens 60 --interval-ms 50
  start_mock back --tokens 60
  unstall run --quiet --stall-after 1 --after 2 --backup "$BACK_URL/v1" -- \
    "$BUILD/easy" "$PRIM_URL$(path_of chat)" "$(chat_body)" quiet \
    progress_busy_ms=3000 >got
  [ "$(late_calls)" = "ok|1|0|1" ]
  [ "$(requests_of back)" -eq 0 ]
  unstall run --quiet --observe -- "$BUILD/easy" "$PRIM_URL$(path_of chat)" \
    "$(chat_body)" quiet progress_busy_ms=3000 >got
  [ "$(late_calls)" = $'ok|1|0|1\nok|1|0|1' ]
}

@test "nor does another call's write callback in one multi (P5 P7)" {
  start_mock prim --tokens 60 --interval-ms 50
  start_mock back --tokens 60
  cat >late.py <<'END'
import sys
import time

import pycurl


def late(data):
    if not late.done:
        late.done = True
        time.sleep(3)


late.done = False
multi = pycurl.CurlMulti()
handles = []
for write in (lambda data: None, late):
    easy = pycurl.Curl()
    easy.setopt(easy.URL, sys.argv[1])
    easy.setopt(easy.POSTFIELDS, sys.argv[2])
    easy.setopt(easy.WRITEFUNCTION, write)
    multi.add_handle(easy)
    handles.append(easy)
running = 1
while running:
    _, running = multi.perform()
    multi.select(1.0)
END
  unstall run --quiet --stall-after 1 --after 2 --backup "$BACK_URL/v1" -- \
    /usr/bin/python3 late.py "$PRIM_URL$(path_of chat)" "$(chat_body)"
  [ "$(late_calls)" = $'ok|1|0|1\nok|1|0|1' ]
  [ "$(requests_of back)" -eq 0 ]
}

@test "nor does a process that was stopped (P5 P7)" {
  start_mock prim --tokens 60 --interval-ms 50
  start_mock back --tokens 60
  racing="--stall-after 1 --after 2 --backup $BACK_URL/v1"
  for options in --observe "$racing"; do
    rm -f got
    # shellcheck disable=SC2086 # several
    "$UNSTALL" run --quiet $options -- \
      curl -sSN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got &
    pid=$!
    eventually grep -q content got
    kill -STOP $pid
    sleep 4
    kill -CONT $pid
    wait $pid
  done
  [ "$(late_calls)" = $'ok|1|0|1\nok|1|0|1' ]
  [ "$(requests_of back)" -eq 0 ]
}
