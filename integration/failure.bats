#!/usr/bin/env bats
# A primary that fails: the next source answers at once (R3). Its refusal is
# the answer (R3), and when all fail the program gets its own result (R7).

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# with_backup OPTION...: curl to URL with BACK beside, after much longer than
# the test has patience: only the failure starts the rival.
with_backup() {
  unstall run --quiet --after 30 --backup "$BACK_URL/v1" -- \
    curl -sSN -m 10 -H 'content-type: application/json' -d "$(chat_body)" "$@"
}

rescued() {
  start_mock prim --fault "$1"
  start_mock back
  ask back chat "" -i >plain
  with_backup -i "$PRIM_URL$(path_of chat)" >got
  cmp plain got
  [ "$(store 'select outcome, winner, hedge_reason from calls')" = \
    "ok|1|failure" ]
  [ "$(store 'select outcome from attempts where seq = 0')" = failed ]
}

@test "reset before the headers (R3)" { rescued reset; }

@test "500 (R3)" { rescued status=500; }

@test "503 (R3)" { rescued status=503; }

@test "529 (R3)" { rescued status=529; }

@test "429 (R3)" { rescued status=429; }

@test "error event first, in a stream with status 200 (R3)" {
  rescued error-first
}

@test "400 with a code that another source may not mind (R3)" {
  rescued status=400,code=context_length_exceeded
}

@test "a cut before the first token (R3)" { rescued cut@0; }

@test "connection refused (R3)" {
  start_mock back
  ask back chat "" -i >plain
  with_backup -i "http://127.0.0.1:1$(path_of chat)" >got
  cmp plain got
  [ "$(store 'select outcome, winner, hedge_reason from calls')" = \
    "ok|1|failure" ]
}

refused() {
  start_mock prim --fault "$1"
  start_mock back
  ask prim chat "" -i >plain
  with_backup -i "$PRIM_URL$(path_of chat)" >got
  cmp plain got
  [ "$(requests_of back)" -eq 0 ]
  [ "$(store 'select outcome, winner, attempts from calls')" = "refused|0|1" ]
}

@test "400 is the answer (R3)" { refused status=400; }

@test "401 is the answer (R3)" { refused status=401; }

@test "403 is the answer (R3)" { refused status=403; }

@test "404 is the answer (R3)" { refused status=404; }

@test "a backup's own 400 never is the answer (R3 R7)" {
  start_mock prim --fault status=503
  start_mock back --fault status=400
  ask prim chat "" -i >plain
  with_backup -i "$PRIM_URL$(path_of chat)" >got
  cmp plain got
  [ "$(requests_of back)" -eq 1 ]
  [ "$(store 'select outcome, winner, http_status from calls')" = \
    "failed|0|503" ]
}

@test "all fail: the primary's status, body and exit code (R7)" {
  start_mock prim --fault status=503
  ask prim chat "" -i >plain
  BACK_URL=http://127.0.0.1:1
  with_backup -i "$PRIM_URL$(path_of chat)" >got
  cmp plain got
  run -22 with_backup -f "$PRIM_URL$(path_of chat)"
  [[ "$output" == *503* ]]
}

@test "all unreachable: the primary's exit code and text (R7)" {
  run -7 curl -sSN -d "$(chat_body)" "http://127.0.0.1:1$(path_of chat)"
  plain=$output
  BACK_URL=http://127.0.0.1:2
  run -7 with_backup "http://127.0.0.1:1$(path_of chat)"
  [ "${output/after * ms/}" = "${plain/after * ms/}" ]
}

@test "a stream that breaks off is not mixed with another answer (P1)" {
  start_mock prim --fault cut@10
  start_mock back
  run ask prim chat ""
  plain=$status:$output
  run with_backup -s "$PRIM_URL$(path_of chat)"
  # curl's message goes to the same place here; its text is curl's own
  [ "$status:${output%%curl:*}" = "${plain%%curl:*}" ] ||
    [ "$status" = "${plain%%:*}" ]
  [ "$(store 'select outcome, truncated, resumed from calls')" = \
    "truncated|1|0" ]
  [ "$(store 'select outcome from attempts where seq = 1')" = diverged ]
}

@test "held back, a stream that breaks off is replaced (R3)" {
  start_mock prim --fault cut@10
  start_mock back
  ask back chat "" >plain
  unstall run --quiet --hold all --after 30 --backup "$BACK_URL/v1" -- \
    curl -sN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  cmp plain got
}

@test "held back, an error in the middle of a stream is replaced (R3)" {
  start_mock prim --fault error@10
  start_mock back
  ask back chat "" >plain
  unstall run --quiet --hold all --after 30 --backup "$BACK_URL/v1" -- \
    curl -sN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  cmp plain got
}

@test "held back, both break off: the fullest with its own code (R7)" {
  start_mock prim --fault cut@10
  start_mock back --fault cut@20
  run -18 unstall run --quiet --hold all --after 30 --backup "$BACK_URL/v1" \
    -- curl -sN -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  [ "$(store 'select outcome, truncated from calls')" = "truncated|1" ]
}

@test "curl --retry goes on by itself where nobody answers (P6)" {
  start_mock prim --fault status=503,once
  BACK_URL=http://127.0.0.1:1
  with_backup --retry 1 --retry-delay 1 "$PRIM_URL$(path_of chat)" >got
  [ "$(requests_of prim)" -eq 2 ]
  [ "$(text_of chat <got | wc -c)" -gt 10 ]
}

@test "what merely looks like a call is sent once and not recorded (P2)" {
  start_mock prim --fault status=503
  start_mock back
  unstall run --quiet --after 0.1 --backup "$BACK_URL/v1" -- \
    curl -sN -d '{"text":"to a chat room"}' "$PRIM_URL/v1/messages" >got
  [ "$(requests_of prim)" -eq 1 ]
  [ "$(requests_of back)" -eq 0 ]
  [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
}
