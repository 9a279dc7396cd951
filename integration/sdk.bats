#!/usr/bin/env bats
# The providers' own clients as judges: a stream that was joined from two reads
# like one that was never broken: its text is the answer's, its names and
# numbers go on, and it ends once (P1, R3, R4).

load lib
bats_require_minimum_version 1.5.0

setup_file() {
    export SDK=$BUILD/sdk SDK_MISSING=
    SDK_MISSING=$("$ROOT/tools/sdk" "$SDK") || true
}

setup() {
    common_setup
    [[ -z $SDK_MISSING ]] || skip "openai, @anthropic-ai/sdk, @google/genai," \
        "ollama: $SDK_MISSING"
}

teardown() {
    common_teardown
}

base_of() {
    case $1 in
    gemini*) echo /v1beta ;;
    ollama*) ;;
    *) echo /v1 ;;
    esac
}

# pair DIALECT MODE [MEMBERS [SHAPE]]: PRIM, and BACK, that says the same (but
# for SHAPE) and declares that it continues; MODE and more members of `hedge`.
pair() {
    start_mock prim --tokens 60 --interval-ms 5
    start_mock back --tokens 60 --fault "text-of=prim,prefill=accept${4:+,$4}"
    config <<END
{ "mode": "hedge",
  "hedge": { "stall_after_s": 0.3, "resume": "$2",
             "budget": { "burst": 200 } ${3:+,} ${3:-} },
  "sources": { "back": { "base_url": "$BACK_URL$(base_of "$1")",
                         "auth": "none", "prefill": "assistant" } },
  "routes": [ { "match": "$PRIM_URL/*", "sources": ["back"] } ] }
END
}

# One call by curl, resumed; PRIM has that fault.
call() {
    with_shim curl -sSN -m 20 -H 'content-type: application/json' \
        -H "x-mock-fault: $2" \
        -d "$(body_of "$1" "" "${MEMBERS-\"temperature\":0}")" \
        "$PRIM_URL$(path_of "$1")"
}

# judged DIALECT FAULT...: what PRIM says with each fault, all at a time,
# reads as what it says without.
judged() {
    local dialect=$1 fault pids=() pid
    shift
    ask prim "$dialect" "none${SHAPE:+,$SHAPE}" >plain
    for fault; do
        call "$dialect" "$fault${SHAPE:+,$SHAPE}" >"joined.$fault" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    node "$SDK/read.mjs" "$dialect" plain >wanted
    [[ $(jq -r .text wanted) == *prim* ]]
    for fault; do echo "joined.$fault"; done |
        xargs node "$SDK/read.mjs" "$dialect" >got || { cat got && false; }
    [ "$(wc -l <got)" -eq $# ]
    sort -u got | cmp - wanted
    [ "$(store 'select count(*) from calls
        where resumed = '"${RESUMED:-1}")" -eq $# ]
    rm joined.*
}

# The text is not of the plain kind: characters of many bytes, one that is
# many characters, pairs of escapes.
is_hard() {
    grep -q $'\xf0\x9f' "$1"
    grep -q $'\xcc\x81' "$1"
    grep -q 'ud83c' "$1"
    grep -q '\\\\"so' "$1" || grep -q '\\"so' "$1"
}

# Behind every seventh token of sixty, by a stall and by a cut in the middle
# of the next frame.
each_seventh() {
    local token stalls=() cuts=()
    for ((token = 7; token < 60; token += 7)); do
        stalls+=("stall@$token=20")
        cuts+=("cut@$token")
    done
    judged "$1" "${stalls[@]}"
    is_hard plain
    store 'delete from calls'
    judged "$1" "${cuts[@]}"
}

verified() {
    pair "$1" verify
    each_seventh "$1"
    store 'delete from calls'
    judged "$1" error@30 reset@30 no-end
}

# No token that was given is written again.
prefilled() {
    pair "$1" prefill
    MEMBERS= each_seventh "$1"
    [ "$(mock_log back 'select(.event == "end" and .sent_tokens > 55)')" = "" ]
}

# The source says that it continues, and refuses: it is asked for all.
automatic() {
    pair "$1" auto '"max_attempts": 3' prefill=refuse
    each_seventh "$1"
    [ "$(requests_of back)" -eq 32 ]
}

# The source has another answer: the program gets all of the first one's.
kept() {
    pair "$1" verify "" text-of=other
    RESUMED=0 judged "$1" stall@{7,14,21,28,35,42,49,56}=1.5
    [ "$(store "select count(*) from calls join attempts on call_id = calls.id
        where calls.outcome = 'ok' and winner = 0 and seq = 1
            and attempts.outcome = 'diverged'")" -eq 8 ]
}

@test "verify: openai chat" { verified chat; }
@test "verify: openai completions" { verified completions; }
@test "verify: openai responses" { verified responses; }
@test "verify: anthropic" { verified anthropic; }
@test "verify: google gemini" { verified gemini; }
@test "verify: ollama" { verified ollama; }
@test "verify: ollama, generate" { verified ollama-generate; }

@test "prefill: openai chat" { prefilled chat; }
@test "prefill: anthropic" { prefilled anthropic; }
@test "prefill: google gemini" { prefilled gemini; }
@test "prefill: ollama" { prefilled ollama; }

@test "auto, prefill refused: openai chat" { automatic chat; }
@test "auto, prefill refused: anthropic" { automatic anthropic; }
@test "auto, prefill refused: google gemini" { automatic gemini; }
@test "auto, prefill refused: ollama" { automatic ollama; }

@test "another answer: openai chat" { kept chat; }
@test "another answer: openai responses" { kept responses; }
@test "another answer: anthropic" { kept anthropic; }
@test "another answer: google gemini" { kept gemini; }
@test "another answer: ollama" { kept ollama; }

# In the reasoning, the text, the tool's arguments.
with_tools() {
    SHAPE=reasoning=10,tokens=50,tools
    pair "$1" verify "" "$SHAPE"
    judged "$1" cut@3 cut@20 cut@45 cut@62 cut@64 stall@3=20 stall@62=20
}

@test "verify: openai chat with reasoning and a tool" { with_tools chat; }
@test "verify: anthropic with thinking and a tool" { with_tools anthropic; }
