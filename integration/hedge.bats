#!/usr/bin/env bats
# The main job: a program whose provider is silent gets the answer of a second
# source, byte for byte, and knows nothing of it (P1, R1, R2, R5, R6).

load lib

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# Where a source's paths of a dialect begin.
base_of() {
  case $1 in
  gemini*) echo /v1beta ;;
  ollama*) echo "" ;;
  *) echo /v1 ;;
  esac
}

# hedged DIALECT OPTION... -- CURL OPTION...
hedged() {
  local dialect=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  unstall run --quiet --after 0.3 \
    --backup "$BACK_URL$(base_of "$dialect")" "${options[@]}" -- \
    curl -sN -m 10 -H 'content-type: application/json' \
    -d "$(body_of "$dialect")" "$@"
}

same_answer() {
  local dialect=$1
  start_mock prim --fault silent
  start_mock back
  ask back "$dialect" "" -i >plain
  hedged "$dialect" -- -i "$PRIM_URL$(path_of "$dialect")" >raced
  cmp plain raced
  [ "$(requests_of prim)" -eq 1 ]
  [ "$(requests_of back)" -eq 2 ]
  await_ends prim 1
  [ "$(ends_of prim)" = client_left ]
  [ "$(store 'select outcome, winner, hedge_reason, attempts from calls')" = \
    "ok|1|first_token|2" ]
}

# The healthy primary's own answer, and nobody else is asked.
undisturbed() {
  local dialect=$1
  start_mock prim
  start_mock back
  ask prim "$dialect" "" -i >plain
  hedged "$dialect" -- -i "$PRIM_URL$(path_of "$dialect")" >raced
  cmp plain raced
  [ "$(requests_of back)" -eq 0 ]
  [ "$(store 'select outcome, winner, attempts from calls')" = "ok|0|1" ]
}

@test "chat: a second source answers for a silent primary (P1 R2)" {
  same_answer chat
}

@test "completions: a second source answers for a silent primary (P1 R2)" {
  same_answer completions
}

@test "responses: a second source answers for a silent primary (P1 R2)" {
  same_answer responses
}

@test "anthropic: a second source answers for a silent primary (P1 R2)" {
  same_answer anthropic
}

@test "gemini: a second source answers for a silent primary (P1 R2)" {
  same_answer gemini
}

@test "gemini-array: a second source answers for a silent primary (P1 R2)" {
  same_answer gemini-array
}

@test "ollama: a second source answers for a silent primary (P1 R2)" {
  same_answer ollama
}

@test "ollama-generate: a second source answers for a silent primary (P1 R2)" {
  same_answer ollama-generate
}

@test "chat: a healthy primary is undisturbed (P1 P5)" {
  undisturbed chat
}

@test "completions: a healthy primary is undisturbed (P1 P5)" {
  undisturbed completions
}

@test "responses: a healthy primary is undisturbed (P1 P5)" {
  undisturbed responses
}

@test "anthropic: a healthy primary is undisturbed (P1 P5)" {
  undisturbed anthropic
}

@test "gemini: a healthy primary is undisturbed (P1 P5)" {
  undisturbed gemini
}

@test "gemini-array: a healthy primary is undisturbed (P1 P5)" {
  undisturbed gemini-array
}

@test "ollama: a healthy primary is undisturbed (P1 P5)" {
  undisturbed ollama
}

@test "ollama-generate: a healthy primary is undisturbed (P1 P5)" {
  undisturbed ollama-generate
}

@test "-w tells the winner's code and times from the program's own start" {
  start_mock prim --fault silent
  start_mock back
  format='%{http_code} %{time_total} %{time_starttransfer} %{url_effective}\n'
  hedged chat -- -o body -w "$format" \
    "$PRIM_URL$(path_of chat)" >written
  read -r code total start url <written
  [ "$code" = 200 ]
  [ "$url" = "$BACK_URL/v1/chat/completions" ]
  awk -v t="$total" -v s="$start" 'BEGIN { exit !(s >= 0.3 && t >= s) }'
}

# A primary that sends FAULT while it is silent in the sense that matters.
not_fooled() {
  start_mock prim --fault "$1"
  start_mock back
  ask back "$2" "" >plain
  hedged "$2" -- "$PRIM_URL$(path_of "$2")" >raced
  cmp plain raced
  [ "$(store 'select winner, hedge_reason from calls')" = "1|first_token" ]
}

@test "headers at once and nothing more are no first token (R2)" {
  not_fooled silent-after-headers chat
}

@test "a late first token is answered by the second source (R2)" {
  not_fooled first-late=5 chat
}

@test "comments are no content (R2)" {
  not_fooled first-late=5,chatter=comment chat
}

@test "pings are no content (R2)" {
  not_fooled first-late=5,chatter=ping anthropic
}

@test "a role is no content (R2)" {
  not_fooled first-late=5,chatter=role chat
}

@test "empty deltas are no content (R2)" {
  not_fooled first-late=5,chatter=empty chat
}

@test "a provider that thinks aloud is left alone (R2)" {
  start_mock prim --fault reasoning=200,interval=0.005
  start_mock back
  ask prim chat "" >plain
  hedged chat -- "$PRIM_URL$(path_of chat)" >raced
  cmp plain raced
  [ "$(requests_of back)" -eq 0 ]
}

@test "a tied rival starts with the call (R1)" {
  start_mock prim --fault silent
  start_mock back
  ask back chat "" >plain
  hedged chat --after 0 -- "$PRIM_URL$(path_of chat)" >raced
  cmp plain raced
  took_between 0 2000
  [ "$(store 'select winner, hedge_reason from calls')" = "1|tied" ]
}

# What of the requests at SOLO differs.
asked() {
  mock_log solo "select(.event == \"request\") | $1" | sort -u
}

@test "without a backup the same endpoint is asked on another connection" {
  start_mock solo --fault silent,once
  unstall run --after 0.3 -- curl -sN -m 10 \
    -H 'content-type: application/json' -H 'authorization: Bearer APPKEY' \
    -d "$(chat_body)" \
    "$SOLO_URL$(path_of chat)" >raced
  [ "$(requests_of solo)" -eq 2 ]
  [ "$(asked '.conn' | wc -l)" -eq 2 ]
  [ "$(asked '.headers.authorization')" = "Bearer APPKEY" ]
  [ "$(asked '.body')" = "$(chat_body)" ]
  [ "$(text_of chat <raced | wc -c)" -gt 10 ]
}

@test "a request that is no stream is answered by the second source too" {
  STREAM=false
  start_mock prim --fault silent
  start_mock back
  ask back chat "" -i >plain
  hedged chat -- -i "$PRIM_URL$(path_of chat)" >raced
  cmp plain raced
  [ "$(store 'select outcome, winner, generation_ms from calls')" = "ok|1|" ]
}

@test "the model is renamed for a source, and nothing else" {
  start_mock prim --fault silent
  start_mock back
  hedged chat --backup-model 'other/"m"' -- "$PRIM_URL$(path_of chat)" >raced
  sent=$(mock_log back 'select(.event == "request") | .body')
  [ "$sent" = "$(chat_body 'other/\"m\"')" ]
}
