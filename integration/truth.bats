#!/usr/bin/env bats
# The store says what the server did (P4, P7, P8): spans within what a loaded
# machine adds, counts exactly, and NULL where a number would be a guess.

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# Milliseconds that a busy machine may add to a span, and take from one that
# began late.
SLACK=150 LATE=30

# near COLUMN TARGET [TABLE]: the column of the only call.
near() {
  local got
  got=$(store "select $1 from ${3:-calls} limit 1")
  ((got >= $2 - LATE && got <= $2 + SLACK)) ||
    { echo "$1 is $got, not about $2" >&2 && return 1; }
}

is() {
  local got
  got=$(store "select ifnull($1, 'NULL') from calls limit 1")
  [ "$got" = "$2" ] || { echo "$1 is $got, not $2" >&2 && return 1; }
}

# observed FAULTS [OPTION...]: one call, only watched.
observed() {
  local faults=$1
  shift
  start_mock prim --fault "$faults"
  unstall run --quiet --observe "$@" -- curl -sN -m 20 \
    -H 'content-type: application/json' -d "${BODY:-$(chat_body)}" \
    "$PRIM_URL$(path_of "${DIALECT:-chat}")" >got
}

@test "a healthy stream (P8)" {
  observed tokens=11,interval=0.05
  is outcome ok
  is winner 0
  is mode observe
  is attempts 1
  is http_status 200
  is curl_code 0
  is streaming 1
  is chunk_count 11
  is stall_count 0
  is stall_ms 0
  near 'ttft_ms + generation_ms' 500
  near max_gap_ms 50
  near ttft_ms 0
  [ "$(store 'select ttft_us / 1000 = ttft_ms from calls')" -eq 1 ]
  [ "$(store 'select bytes from calls')" -eq "$(wc -c <got)" ]
  is model_served "$(grep -om1 '"model":"[^"]*' got | cut -d'"' -f4)"
}

@test "a late first token is no stall (P8)" {
  observed first-late=0.5,tokens=5,interval=0.02 \
    --set stream.stall_threshold_ms=200
  near ttft_ms 500
  near 'ttft_ms + generation_ms' 580
  is stall_count 0
}

@test "a stall: its length, its place, and what is left of the time (P8)" {
  observed tokens=11,interval=0.02,stall@5=0.6 \
    --set stream.stall_threshold_ms=200
  is stall_count 1
  near stall_ms 600
  near max_gap_ms 600
  near 'ttft_ms + generation_ms' 800
  is 'generation_ms - stall_ms = active_generation_ms' 1
  is 'wall_ms - stall_ms = net_ms' 1
  [ "$(store 'select count(*), after_chunk from stalls')" = "1|5" ]
  near duration_ms 600 stalls
  near at_ms 80 stalls
}

@test "pings do not end a gap (P8)" {
  observed tokens=6,interval=0.01,stall@3=0.5,chatter=comment \
    --set stream.stall_threshold_ms=200
  is stall_count 1
  near stall_ms 500
}

@test "time after the last token is the tail, not a stall (P8)" {
  DIALECT=chat
  start_mock prim --fault tokens=5,hang-after-done
  run -28 unstall run --quiet --observe --set stream.stall_threshold_ms=200 \
    -- curl -sN -m 0.6 -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  is stall_count 0
  # a busy machine may be late with the tokens, never with the limit
  near 'ttft_ms + generation_ms + tail_ms' 600
}

@test "a program that reads slowly is not a stalled provider (P7)" {
  start_mock prim --fault tokens=4000
  unstall run --quiet --observe --set stream.stall_threshold_ms=100 -- \
    curl -sN -m 20 -d "$(chat_body)" "$PRIM_URL$(path_of chat)" |
    (sleep 0.7 && wc -c) >size
  is stall_count 0
  [ "$(store 'select app_ms > 400 from calls')" -eq 1 ]
  [ "$(store 'select bytes from calls')" -eq "$(cat size)" ]
}

@test "NULL: not a stream (P8)" {
  BODY=$(STREAM=false chat_body)
  observed tokens=5
  is streaming 0
  is generation_ms NULL
  is stall_ms NULL
  is stall_count NULL
  is active_generation_ms NULL
  is max_gap_ms NULL
  is chunk_count 1
  is outcome ok
  [ "$(store 'select net_ms = wall_ms from calls')" -eq 1 ]
}

@test "NULL: one chunk has no gap (P8)" {
  observed tokens=1
  is chunk_count 1
  is stall_ms NULL
  is stall_count NULL
  is max_gap_ms NULL
}

@test "NULL: the gaps of several answers at once (P8)" {
  BODY=$(chat_body mock-1 '"n":2')
  observed tokens=5
  is stall_ms NULL
  is max_gap_ms NULL
}

@test "NULL: what never came (P8)" {
  start_mock prim --fault silent
  run -28 unstall run --quiet --observe -- \
    curl -sN -m 0.4 -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  is outcome timeout
  is ttft_ms NULL
  is first_byte_ms NULL
  is delivered_ms NULL
  is http_status NULL
  near wall_ms 400
}

@test "a refusal is no answer in chunks (P8)" {
  observed status=401
  is outcome refused
  is http_status 401
  is ttft_ms NULL
  is chunk_count 0
}

@test "a cut stream is truncated, whatever curl says (P8)" {
  start_mock prim --fault tokens=20,cut@10
  run unstall run --quiet --observe -- \
    curl -sN -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
  is outcome truncated
  is truncated 1
  is chunk_count 10
}

@test "a stream that just ends, without a finish, is truncated (P8)" {
  observed tokens=10,no-end
  is curl_code 0
  is outcome truncated
}

@test "a program that stops reading has aborted (P6 P8)" {
  start_mock prim --fault tokens=5000,interval=0.001
  unstall run --quiet --observe -- curl -sN -d "$(chat_body)" \
    "$PRIM_URL$(path_of chat)" 2>/dev/null | head -c 300 >got || true
  eventually test -s "$XDG_STATE_HOME/unstall/unstall.db"
  eventually is outcome aborted
}

@test "usage is the provider's, of every dialect (P8)" {
  local dialect
  start_mock prim --fault tokens=7
  for dialect in chat responses anthropic gemini ollama; do
    unstall run --quiet --observe -- curl -sN \
      -H 'content-type: application/json' -d "$(body_of "$dialect")" \
      "$PRIM_URL$(path_of "$dialect")" >got
  done
  [ "$(store 'select count(*) from calls where tokens_out = 7 and
    tokens_in > 0 and chunk_count = 7')" -eq 5 ]
  [ "$(store 'select group_concat(dialect) from calls')" = \
    "chat,responses,anthropic,gemini,ollama" ]
}

@test "a hedged call: what each attempt did (P8)" {
  start_mock prim --fault silent
  start_mock back --fault tokens=11,interval=0.03
  unstall run --quiet --after 0.4 --backup "$BACK_URL/v1" -- \
    curl -sN -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >got
  near ttft_ms 400
  near 'ttft_ms + generation_ms' 700
  near delivered_ms 400
  [ "$(store 'select seq, source, outcome, why, chunk_count from attempts
    order by seq')" = \
    $'0|primary|hedge_cancelled||0\n1|backup|won|first_token|11' ]
  near started_ms 400 "(select * from attempts where seq = 1)"
  near ttft_ms 0 "(select * from attempts where seq = 1)"
  near wall_ms 400 "(select * from attempts where seq = 0)"
  [ "$(store "select origin from attempts where seq = 1")" = "$BACK_URL" ]
}
