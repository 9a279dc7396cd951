#!/usr/bin/env bats
# An answer that stops after the program has text of it, and another source
# that goes on: one well-formed stream of one answer, or the first one's own
# end (R3, R4, P1).

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# resumed DIALECT [RUN OPTION...]: asks PRIM, with BACK beside; the body's
# members beside the usual ones are in $MORE.
resumed() {
  local dialect=$1
  shift
  unstall run --quiet --backup "$BACK_URL$(base_of "$dialect")" \
    --stall-after 0.3 --set hedge.budget.burst=100 "$@" -- \
    curl -sSN -m 10 -H 'content-type: application/json' \
    -d "$(body_of "$dialect" "" "${MORE-\"temperature\":0}")" \
    "$PRIM_URL$(path_of "$dialect")"
}

base_of() {
  case $1 in
  gemini*) echo /v1beta ;;
  ollama*) ;;
  *) echo /v1 ;;
  esac
}

# A primary with that fault, and a second server that says the same.
pair() {
  start_mock prim --tokens 60 --interval-ms 2 --fault "$1"
  start_mock back --tokens 60 --interval-ms 1 --fault "text-of=prim${2:+,$2}"
}

# whole NAME DIALECT [FAULT]: what plain curl gets for the same request.
whole() {
  curl -sN -m 10 -H 'content-type: application/json' \
    -H "x-mock-fault: ${3:-none}" \
    -d "$(body_of "$2" "" "${MORE-\"temperature\":0}")" \
    "$(mock_var "$1" URL)$(path_of "$2")"
}

# same_text DIALECT A B
same_text() {
  cmp <(text_of "${1%-array}" <"$2") <(text_of "${1%-array}" <"$3")
}

# What is at the end of a stream.
reading() {
  local name=${1%%-*}
  unstall inspect --dialect "$name" --json "$2" | jq -c '[.finish, .end, .error]'
}

facts() {
  store 'select outcome, winner, hedge_reason, resumed, truncated from calls'
}

outcomes() {
  store 'select outcome from attempts order by seq'
}

@test "a stall: the rival catches up, and goes on (R4)" {
  pair stall@20=6
  stopwatch
  resumed chat >got
  took_between 300 3000
  whole prim chat >plain
  same_text chat got plain
  [ "$(grep -c '"finish_reason":"stop"' got)" -eq 1 ]
  [ "$(grep -c DONE got)" -eq 1 ]
  [ "$(grep -c '"role"' got)" -eq 1 ]
  [ "$(grep -o '"id":"[^"]*"' got | sort -u)" = '"id":"chatcmpl-prim"' ]
  [ "$(facts)" = "ok|1|resume|1|0" ]
  [ "$(outcomes)" = $'hedge_cancelled\nwon' ]
}

@test "in every dialect, after a stall, a cut, a reset, an error (R3 R4)" {
  local dialect fault n=0
  for dialect in chat completions responses anthropic gemini gemini-array \
    ollama ollama-generate; do
    for fault in stall@20=6 cut@20 reset@20 error@20 no-end; do
      n=$((n + 1))
      pair "$fault"
      resumed "$dialect" >got || { echo "$dialect $fault" && false; }
      whole prim "$dialect" >plain
      same_text "$dialect" got plain || { echo "$dialect $fault" && false; }
      [ "$(reading "$dialect" got)" = "$(reading "$dialect" plain)" ]
      stop_mocks
    done
  done
  [ "$(store 'select count(*) from calls where resumed = 1')" -eq $n ]
}

@test "another answer is dropped, and the stall is waited out (R4)" {
  start_mock prim --tokens 40 --fault stall@20=1.2
  start_mock back --tokens 40
  whole prim chat >plain
  resumed chat >got
  cmp plain got
  [ "$(facts)" = "ok|0|resume|0|0" ]
  [ "$(outcomes)" = $'won\ndiverged' ]
  await_ends back 1
}

@test "another answer after an error: the first one's own end (R3)" {
  start_mock prim --tokens 40 --fault error@20
  start_mock back --tokens 40
  whole prim chat error@20 >plain
  resumed chat >got
  cmp plain got
  [ "$(outcomes)" = $'won\ndiverged' ]
}

@test "another answer after a cut: libcurl's own code (R3 R8)" {
  start_mock prim --tokens 40 --fault cut@20
  start_mock back --tokens 40
  local code=0
  whole prim chat cut@20 >plain || code=$?
  run -"$code" resumed chat
  resumed chat >got || true
  cmp plain got
}

# prefilling WORD FAULTS [HEDGE]: a config whose backup declares that prefill.
prefilling() {
  start_mock prim --tokens 60 --fault "${2:-stall@20=6}"
  start_mock back --tokens 60 --fault "text-of=prim,$1"
  config <<EOF
{ "mode": "hedge",
  "hedge": { "stall_after_s": 0.3, "budget": { "burst": 100 },
             "max_attempts": ${4:-2} },
  "sources": { "back": { "base_url": "$BACK_URL${3:-/v1}", "auth": "none",
                         "prefill": "${WORD:-assistant}" } },
  "routes": [ { "match": "$PRIM_URL/*", "sources": ["back"] } ] }
EOF
}

# asked DIALECT: PRIM, by the config; no seed, no temperature.
asked() {
  with_shim curl -sSN -m 10 -H 'content-type: application/json' \
    -d "$(body_of "$1")" "$PRIM_URL$(path_of "$1")"
}

sent_to_back() {
  mock_log back 'select(.event == "request") | .body'
}

@test "prefill: the rival continues the text that was given (R4)" {
  MORE=
  prefilling prefill=accept
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(facts)" = "ok|1|resume|1|0" ]
  given=$(sent_to_back | jq -r '.messages[-1] | select(.role == "assistant") |
    .content')
  [[ "$(text_of chat <plain)" == "$given"* ]]
  [ "$(mock_log back 'select(.event == "end") | .sent_tokens')" -lt 50 ]
}

@test "prefill: one that repeats the text is not heard twice" {
  MORE=
  prefilling prefill=echo
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(facts)" = "ok|1|resume|1|0" ]
}

@test "prefill: a refusal hides nothing, and nothing is asked without a chance" {
  MORE=
  prefilling prefill=refuse stall@20=1.2 /v1 3
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(requests_of back)" -eq 1 ]
  [ "$(store 'select resumed, outcome from calls')" = "0|ok" ]
  [ "$(store 'select http_status from attempts where seq = 1')" = 400 ]
}

@test "prefill: the program's own endpoint, where a route says so" {
  MORE=
  start_mock prim --tokens 60 --fault stall@20=6,times=1,prefill=accept
  config <<EOF
{ "mode": "hedge", "hedge": { "stall_after_s": 0.3 },
  "routes": [ { "match": "$PRIM_URL/*",
                "hedge": { "self_prefill": "assistant" } } ] }
EOF
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(facts)" = "ok|1|resume|1|0" ]
  [ "$(mock_log prim 'select(.event == "request") | .body' | sed -n 2p |
    jq -r '.messages[-1].role')" = assistant ]
}

@test "prefill: refused after a cut, the rival is asked anew (auto)" {
  MORE=
  prefilling prefill=refuse cut@20 /v1 3
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(requests_of back)" -eq 2 ]
  [ "$(facts)" = "ok|2|resume|1|0" ]
}

@test "prefill: refused, and no more attempts: the first one's own error" {
  MORE=
  prefilling prefill=refuse error@20
  whole prim chat error@20 >plain
  asked chat >got
  cmp plain got
}

@test "prefill: one that writes the same answer anew is compared" {
  MORE=
  prefilling prefill=ignore
  asked chat >got
  whole prim chat >plain
  same_text chat got plain
  [ "$(facts)" = "ok|1|resume|1|0" ]
}

@test "prefill in every dialect that has one, and in each of its forms" {
  MORE=
  local dialect word base
  for dialect in chat/prefix chat/partial chat/continue_final_message \
    completions/assistant anthropic/assistant gemini/assistant \
    gemini-array/assistant ollama/assistant; do
    word=${dialect#*/} dialect=${dialect%/*}
    base=$(base_of "$dialect")
    WORD=$word prefilling prefill=accept cut@20 "$base"
    asked "$dialect" >got
    whole prim "$dialect" >plain
    same_text "$dialect" got plain || { echo "$dialect $word" && false; }
    # the mock takes any prompt for a new one
    [ "$dialect" = completions ] ||
      [ "$(mock_log back 'select(.event == "end") | .sent_tokens')" -lt 50 ] ||
      { echo "$dialect $word: not continued" && false; }
    stop_mocks
    rm back.log prim.log
  done
}
