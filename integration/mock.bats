#!/usr/bin/env bats
# The mock itself, by plain curl: what other tests take for granted.

load lib
bats_require_minimum_version 1.5.0

DIALECTS="chat completions responses anthropic gemini gemini-array ollama"
DIALECTS+=" ollama-generate"

setup() { common_setup; }
teardown() { common_teardown; }

# whole_text DIALECT: the text in the answer at standard input that came whole.
whole_text() {
    case $1 in
    chat) jq -rj '.choices[0].message.content' ;;
    completions) jq -rj '.choices[0].text' ;;
    responses) jq -rj '.output[] | select(.type=="message").content[].text' ;;
    anthropic) jq -rj '.content[] | select(.type == "text").text' ;;
    gemini) jq -rj '.candidates[].content.parts[] |
        select(.text and (.thought|not)).text' ;;
    ollama) jq -rj '.message.content' ;;
    ollama-generate) jq -rj '.response' ;;
    esac
}

# array_text: the same, of Gemini's array.
array_text() {
    jq -rj '.[].candidates[].content.parts[] |
        select(.text and (.thought|not)).text'
}

# Events of a stream at standard input that have text.
text_events() {
    grep -c '"content":"[^"]' || true
}

raw() {
    curl -sN --raw --max-time 5 -d "$(chat_body)" \
        -H "x-mock-fault: $1" "$ALPHA_URL/chat/completions"
}

# --- dialects ----------------------------------------------------------------

@test "every dialect streams the text that it answers whole" {
    start_mock alpha --tokens 50
    local expected dialect
    expected=$(STREAM=false ask alpha chat | whole_text chat)
    [[ $expected == "alpha "*" alpha "* ]]
    for dialect in $DIALECTS; do
        echo "$dialect"
        if [ "$dialect" = gemini-array ]; then
            [ "$(ask alpha "$dialect" | array_text)" = "$expected" ]
            continue
        fi
        [ "$(ask alpha "$dialect" | text_of "$dialect")" = "$expected" ]
        [ "$dialect" != gemini ] || continue
        run whole_text "$dialect" < <(STREAM=false ask alpha "$dialect")
        [ "$output" = "$expected" ]
    done
    [ "$(ask alpha gemini-whole | whole_text gemini)" = "$expected" ]
}

@test "every event of every dialect is JSON, reasoning and tools included" {
    start_mock alpha --fault reasoning=5,tools,tokens=5
    for dialect in $DIALECTS; do
        echo "$dialect"
        case $dialect in
        gemini-array) ask alpha "$dialect" | jq -e 'length == 12' ;;
        *) ask alpha "$dialect" | tr -d '\r' | grep -v DONE |
            sed -n 's/^data: //p; /^{/p' | jq -e . >/dev/null ;;
        esac
        STREAM=false ask alpha "$dialect" "" | jq -e . >/dev/null ||
            [[ $dialect == gemini* ]]
    done
}

@test "a stream begins with its role and ends as its dialect does" {
    start_mock alpha --tokens 3
    ask alpha chat >chat
    head -n 1 chat | grep -q '"role":"assistant","content":""'
    [ "$(grep -c '^data: ' chat)" -eq 7 ]
    for dialect in responses anthropic; do # names the type twice
        ask alpha "$dialect" | sed -n 's/^event: //p' >events
        ask alpha "$dialect" | sed -n 's/^data: //p' | jq -r .type |
            cmp - events
    done
    grep -q '"finish_reason":"stop"' chat
    grep -q '"usage":{"prompt_tokens":[0-9]*,"completion_tokens":3' chat
    [ "$(grep '^data' chat | tail -n 1)" = "data: [DONE]" ]
    ask alpha anthropic | grep '^event' | tail -n 1 | grep -q message_stop
    ask alpha anthropic | grep -q '^event: ping'
    ask alpha anthropic | grep -q ' }$' # padded
    ask alpha responses | grep '^event' | tail -n 1 |
        grep -q response.completed
    ask alpha gemini | grep -q $'^\r$'
    ask alpha ollama | tail -n 1 | grep -q '"done":true,"done_reason":"stop"'
}

@test "a responses stream numbers its events from 0 without a gap" {
    start_mock alpha --fault reasoning=2,tools,tokens=3
    ask alpha responses | sed -n 's/^data: //p' | jq .sequence_number >numbers
    seq 0 $(($(wc -l <numbers) - 1)) | cmp - numbers
}

@test "tools and reasoning: deltas of their own, and the finish says so" {
    start_mock alpha --fault reasoning=3,tools,tokens=2
    ask alpha chat >chat
    [ "$(grep -c '"reasoning_content":' chat)" -eq 3 ]
    [ "$(sed -n 's/^data: {/{/p' chat |
        jq -rj '.choices[]?.delta.tool_calls[]?.function.arguments')" = \
        '{"port": "Brest", "days": 3}' ]
    grep -q '"finish_reason":"tool_calls"' chat
    ask alpha anthropic | grep -q '"stop_reason":"tool_use"'
    ask alpha gemini | grep -q '"thought": true'
}

@test "the same request gets the same bytes, another name other text" {
    start_mock alpha
    start_mock beta
    ask alpha chat "" -i >1
    ask alpha chat "" -i >2
    ask beta chat "" -i >3
    cmp 1 2
    grep -q '^x-mock: alpha' 1
    grep -q '^x-mock: beta' 3
    refute grep -qi '^date' 1
    refute grep -q alpha 3
    [ "$(ask beta chat text-of=alpha | text_of chat)" = \
        "$(ask alpha chat | text_of chat)" ]
}

@test "the model comes back, from the body or from Gemini's path" {
    start_mock alpha
    curl -s -d "$(chat_body gpt-9 '"n":1')" "$ALPHA_URL/chat/completions" |
        grep -q '"model":"gpt-9"'
    ask alpha gemini | grep -q '"modelVersion": "mock-1"'
}

# --- before the stream -------------------------------------------------------

@test "headers-late: nothing at all until then" {
    start_mock alpha
    run ask alpha chat headers-late=0.3 -o /dev/null -w '%{time_starttransfer}'
    [[ $output == 0.3* ]]
}

@test "first-late: headers at once, then nothing until then" {
    start_mock alpha
    run ask alpha chat first-late=0.3 -o out \
        -w '%{time_starttransfer} %{time_total}'
    [[ $output == "0.0"*" 0.3"* ]]
    grep -q DONE out
}

@test "silent: accepts and never answers; its client's leaving is seen" {
    start_mock alpha
    run ask alpha chat silent --max-time 0.2
    [ "$status" -eq 28 ]
    [ -z "$output" ]
    await_ends alpha 1
    [ "$(ends_of alpha)" = client_left ]
    took_between 200 3200
}

@test "silent-after-headers: headers, then nothing" {
    start_mock alpha
    run ask alpha chat silent-after-headers -i --max-time 0.2
    [ "$status" -eq 28 ]
    [[ $output == "HTTP/1.1 200"* ]]
    [[ $output != *data* ]]
}

# busy WORD FAULTS: at least three times that, while nothing else comes.
busy() {
    [ "$(ask alpha chat "$2" | grep -cF "$1")" -ge 3 ] || echo "$2" >>idle
}

@test "chatter keeps the connection busy while nothing is said" {
    start_mock alpha
    local fault pids=()
    for fault in first-late=0.35 stall@2=0.35; do
        busy ': keep-alive' "$fault,chatter=comment" & pids+=($!)
        busy 'data: : keepalive' "$fault,chatter=ping" & pids+=($!)
        busy '{"content":""}' "$fault,chatter=empty" & pids+=($!)
        busy '"role":"assistant"' "$fault,chatter=role" & pids+=($!)
    done
    wait "${pids[@]}"
    refute cat idle
    run ask alpha chat chatter=comment,silent-after-headers --max-time 0.35
    [ "$(grep -c '^:' <<<"$output")" -ge 3 ]
    ask alpha anthropic chatter=ping,stall@2=0.25 >out
    [ "$(grep -c '^event: ping' out)" -eq 4 ]
}

@test "reset before the headers" {
    start_mock alpha
    run ask alpha chat reset -w '%{errormsg}'
    [ "$status" -eq 56 ]
    [[ $output == *"reset by peer"* ]]
    [ "$(ends_of alpha)" = reset ]
}

@test "status: the dialect's own error body, hints and code" {
    start_mock alpha --fault status=429,retry-after=1.5,retry-after-ms=1500
    ask alpha chat "" -i >out
    grep -q '^HTTP/1.1 429' out
    grep -q $'^retry-after: 1.5\r' out
    grep -q $'^retry-after-ms: 1500\r' out
    grep -q '"code":"rate_limit_exceeded"' out
    ask alpha anthropic | grep -q '"type":"rate_limit_error"'
    ask alpha gemini | grep -q '"status": "RESOURCE_EXHAUSTED"'
    ask alpha gemini-array | jq -e '.[0].error.code == 429'
    ask alpha ollama | jq -e '.error | type == "string"'
    ask alpha responses status=429,code=insufficient_quota |
        jq -e '.error.code == "insufficient_quota"'
    [ "$(ask alpha chat status=529 -o /dev/null -w '%{http_code}')" = 529 ]
}

@test "redirect: 307 to the place named" {
    start_mock alpha
    start_mock beta
    curl -sL -d "$(chat_body)" \
        "$ALPHA_URL/v1/chat/completions?fault=redirect=$BETA_URL/v1/responses" |
        grep -q beta
    [ "$(requests_of beta)" -eq 1 ]
}

@test "http100: an interim answer first" {
    start_mock alpha
    ask alpha chat http100 -i | grep -q '^HTTP/1.1 103'
    [ "$(ask alpha chat http100 -o /dev/null -w '%{http_code}')" = 200 ]
}

# --- in the stream -----------------------------------------------------------

@test "stall@K: K tokens, silence, then the rest" {
    start_mock alpha
    ask alpha chat stall@5=0.4,tokens=10 >out &
    local asking=$!
    sleep 0.2
    [ "$(text_events <out)" -eq 5 ]
    wait "$asking"
    [ "$(text_events <out)" -eq 10 ]
    took_between 400 3400
}

@test "stalls may come in clusters, and after the last token" {
    start_mock alpha
    ask alpha chat stall@1=0.1,stall@3=0.1,stall@10=0.1,tokens=10 >/dev/null
    took_between 300 3300
}

@test "interval and drip: so long between two tokens" {
    start_mock alpha --interval-ms 50
    ask alpha chat tokens=5 >/dev/null
    took_between 200 3200
    stopwatch
    ask alpha chat drip=0.1,tokens=4 >/dev/null
    took_between 300 3300
}

@test "cut@K: closed in the middle of a chunk" {
    start_mock alpha
    run ask alpha chat cut@3 --http1.1
    [ "$status" -eq 18 ]
    [ "$(text_events <<<"$output")" -eq 3 ]
    [ "$(ends_of alpha)" = cut ]
    run ask alpha chat cut@3 --http1.0
    [ "$status" -eq 0 ] # without chunks nobody can tell
    run -18 curl -s -d "$(STREAM=false chat_body)" -H 'x-mock-fault: cut@0' \
        "$ALPHA_URL/chat/completions"
}

@test "reset@K: what was sent arrives, then the reset" {
    start_mock alpha
    run ask alpha chat reset@3
    [ "$status" -eq 56 ]
    [ "$(text_events <<<"$output")" -eq 3 ]
    [ "$(ends_of alpha)" = reset ]
}

@test "error: an event of the dialect, first or after K tokens, and the end" {
    start_mock alpha
    ask alpha chat error-first,code=server_overloaded >out
    [ "$(grep -c '^data' out)" -eq 1 ]
    grep -q '"error":{.*"code":"server_overloaded"' out
    ask alpha chat error@3 >out
    [ "$(text_events <out)" -eq 3 ]
    [ "$(grep -c '"error"' out)" -eq 1 ]
    refute grep -q DONE out
    ask alpha anthropic error@3,code=overloaded_error | grep '^event' |
        tail -n 1 | grep -q error
    ask alpha responses error@3 | grep '^event' | tail -n 1 |
        grep -q response.failed
    ask alpha gemini error@1 | grep -q '^data: {"error"'
    ask alpha gemini-array error@1 | jq -e '.[1].error'
    ask alpha ollama error@1 | tail -n 1 | jq -e '.error'
}

@test "malformed@K: a broken event, then on" {
    start_mock alpha
    ask alpha chat malformed@3,tokens=5 >out
    [ "$(text_events <out)" -eq 6 ]
    refute eval "sed -n 's/^data: {/{/p' out | jq . >/dev/null 2>&1"
    grep -q DONE out
}

@test "no-end and no-done: what is missing at the end" {
    start_mock alpha
    ask alpha chat no-end >out
    refute grep -qE 'DONE|"finish_reason":"' out
    ask alpha chat no-done >out
    refute grep -q DONE out
    grep -q '"finish_reason":"stop"' out
    ask alpha anthropic no-done >out
    refute grep -q message_stop out
    grep -q end_turn out
    refute eval "ask alpha ollama no-end | grep '\"done\":true'"
}

@test "huge@K: one line of that size" {
    start_mock alpha
    ask alpha chat huge@2=3000000,tokens=5 >out
    [ "$(text_events <out)" -eq 5 ]
    [ "$(wc -L <out)" -gt 3000000 ]
}

@test "hang-after-done: the end is said, the connection stays" {
    start_mock alpha
    run ask alpha chat hang-after-done --max-time 0.2
    [ "$status" -eq 28 ]
    [[ $output == *DONE* ]]
}

@test "once, times and every choose requests; the shape stays" {
    start_mock alpha --fault once,status=500,tokens=7
    start_mock beta --fault every=2,status=500
    start_mock gamma --fault times=2,status=500
    statuses() {
        for _ in 1 2 3 4; do
            ask "$1" chat "" -o out -w '%{http_code} '
        done
    }
    [ "$(statuses alpha)" = "500 200 200 200 " ]
    [ "$(text_events <out)" -eq 7 ]
    [ "$(statuses beta)" = "200 500 200 500 " ]
    [ "$(statuses gamma)" = "500 500 200 200 " ]
}

# --- in the transport --------------------------------------------------------

@test "split, chunk-split and gzip: other pieces, the same bytes" {
    start_mock alpha --fault reasoning=2
    ask alpha chat >plain
    ask alpha chat reasoning=2,split=1 | cmp - plain
    ask alpha chat reasoning=2,split=7 | cmp - plain
    ask alpha chat reasoning=2,chunk-split | cmp - plain
    ask alpha chat reasoning=2,gzip --compressed | cmp - plain
    ask alpha chat reasoning=2,gzip,chunk-split,split=3 --compressed |
        cmp - plain
    ask alpha chat reasoning=2,gzip | cmp - plain # not asked for: not done
    ask alpha chat gzip -H 'accept-encoding: gzip' | gzip -dc >/dev/null
}

@test "split: many small reads" {
    start_mock alpha
    ask alpha chat split=10 --raw --trace-ascii trace >/dev/null
    [ "$(grep -c '^<= Recv data' trace)" -gt 50 ]
}

@test "chunk-split: chunks end where nothing ends" {
    start_mock alpha
    [ "$(raw tokens=3 | grep -cE $'^[0-9a-f]+\r$')" -eq 8 ]
    [ "$(raw tokens=3,chunk-split | grep -cE $'^[0-9a-f]+\r$')" -gt 50 ]
}

@test "trailer: a field after the last chunk" {
    start_mock alpha
    raw trailer | tail -n 2 | grep -q '^x-mock-trailer: complete'
    ask alpha chat trailer -i | grep -q '^trailer:'
}

@test "a connection is kept, and closed where that is asked" {
    start_mock alpha
    local url=$ALPHA_URL/chat/completions
    curl -s -d "$(chat_body)" "$url" "$url" "$url?fault=close" "$url" >/dev/null
    [ "$(mock_log alpha 'select(.event == "request").conn' | tr '\n' ' ')" = \
        "1 1 1 2 " ]
}

@test "HTTP/1.0: no chunks, closed at the end" {
    start_mock alpha
    ask alpha chat "" --http1.0 --raw >out
    ask alpha chat | cmp - out
    [ "$(mock_log alpha 'select(.event == "request").http' | head -n 1)" = 1.0 ]
}

@test "bodies of requests: by length, in chunks, after 100 Continue" {
    start_mock alpha
    local big
    big=$(printf '%0100000d' 7)
    chat_body m "\"user\":\"$big\"" >body
    curl -s -d @body -H 'expect:' "$ALPHA_URL/a" >/dev/null
    curl -s -d @body -H 'expect: 100-continue' "$ALPHA_URL/b" -v 2>&1 |
        grep -q '100 Continue'
    curl -s -T - -X POST "$ALPHA_URL/c" <body >/dev/null
    for target in a b c; do
        mock_log alpha "select(.target == \"/$target\").body" | tr -d '\n' |
            cmp - body
    done
}

@test "what is no provider's: plain bytes, redirects, 404, HEAD" {
    start_mock alpha
    local url=$ALPHA_URL
    [ "$(curl -s "$url/plain?bytes=100000" | wc -c)" -eq 100000 ]
    [ "$(curl -sI "$url/plain?bytes=5" | grep -ic 'content-length: 5')" -eq 1 ]
    curl -sI "$url/redirect?to=$url/plain" | grep -q "^location: $url/plain"
    [ "$(curl -so /dev/null -w '%{http_code}' "$url/nothing")" = 404 ]
    [ "$(curl -so /dev/null -w '%{http_code}' "$url/v1/messages")" = 404 ]
}

# --- how it is asked ---------------------------------------------------------

@test "the query is heard before the header, the model, and the default" {
    start_mock alpha --fault status=501
    local url=$ALPHA_URL/chat/completions
    status_of() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
    [ "$(status_of -d "$(chat_body)" "$url")" = 501 ]
    [ "$(status_of -d "$(chat_body mock:status=502)" "$url")" = 502 ]
    [ "$(status_of -d "$(chat_body mock:status=502)" \
        -H 'x-mock-fault: status=503' "$url")" = 503 ]
    [ "$(status_of -d "$(chat_body mock:status=502)" \
        -H 'x-mock-fault: status=503' "$url?fault=status%3D504")" = 504 ]
    [ "$(status_of -d "$(chat_body)" "$url?fault=none")" = 200 ]
    [ "$(status_of -d '{}' \
        "$ALPHA_URL/models/mock:status=505:generateContent")" = 505 ]
}

@test "a fault that does not exist is refused by name" {
    start_mock alpha
    ask alpha chat stall=3 -i | grep -q '^alpha: 400 .*stall=3'
    ask alpha chat stalls@3=1 | grep -q 'stalls@3=1'
    run -1 "$BUILD/mock-llm" --fault cut@x
    [[ $output == *"does not know: cut@x"* ]]
}

@test "prefill: goes on where the request's answer ends, echoes or refuses" {
    start_mock alpha --tokens 40
    local all begun body url=$ALPHA_URL/chat/completions
    all=$(ask alpha chat | text_of chat)
    for length in 5 33 90 131; do
        begun=${all:0:length}
        body=$(jq -nc --arg text "$begun" '{stream: true, messages:
            [{role: "user", content: "?"}, {role: "assistant", $text} |
                .content //= .text]}')
        [ "$begun$(curl -s -d "$body" "$url?fault=prefill=accept" |
            text_of chat)" = "$all" ]
        [ "$(curl -s -d "$body" "$url?fault=prefill=echo" |
            text_of chat)" = "$all" ]
    done
    run curl -s -o /dev/null -w '%{http_code}' -d "$body" \
        "$url?fault=prefill=refuse"
    [ "$output" = 400 ]
}

@test "an answer that comes whole takes as long as its stream" {
    start_mock alpha --tokens 5 --interval-ms 50
    STREAM=false ask alpha chat stall@2=0.1 >/dev/null
    took_between 300 3300
}

# --- the log and the process -------------------------------------------------

@test "the log tells the whole request and how it ended" {
    start_mock alpha
    curl -s -H 'X-Key: a"b' -H 'x-two: 1' -H 'X-Two: 2' \
        -d $'{"x":\n"\\u00e9"}' "$ALPHA_URL/v1/messages?k=1" >/dev/null
    [ "$(mock_log alpha 'select(.event == "request") |
        [.id, .method, .target, .headers["x-key"], .headers["x-two"], .body] |
        tostring')" = \
        '[1,"POST","/v1/messages?k=1","a\"b","1, 2","{\"x\":\n\"\\u00e9\"}"]' ]
    mock_log alpha | tail -n 1 | jq -e '.event == "end" and .id == 1 and
        .how == "complete" and .t >= .t_request and .sent_bytes > 100'
}

@test "a client that leaves in the middle is noticed at once" {
    start_mock alpha
    run ask alpha chat stall@3=60 --max-time 0.2
    await_ends alpha 1
    took_between 200 3200
    mock_log alpha | tail -n 1 |
        jq -e '.how == "client_left" and .sent_tokens == 3'
    ask alpha chat tokens=1000000 | head -c 1000 >/dev/null || true
    await_ends alpha 2
    [ "$(ends_of alpha | tail -n 1)" = client_left ]
}

@test "SIGTERM ends it cleanly, in the middle of an answer too" {
    start_mock alpha
    ask alpha chat silent >/dev/null &
    eventually grep -q request "$ALPHA_LOG"
    kill "$ALPHA_PID"
    eventually eval '! kill -0 "$ALPHA_PID" 2>/dev/null'
    [ "$(ends_of alpha)" = stopped ]
}

@test "--port and --port-file: where it listens" {
    start_mock alpha
    run -1 "$BUILD/mock-llm" --port "$ALPHA_PORT"
    [[ $output == *"Address already in use"* ]]
    "$BUILD/mock-llm" --port-file port 3>&- >out &
    MOCK_PIDS+=" $!"
    eventually test -s port
    [ "$(cat out)" = "listening on 127.0.0.1:$(cat port)" ]
    [ "$(curl -s "http://127.0.0.1:$(cat port)/")" = \
        "mock: 404 has nothing here" ]
}

@test "docs/mock.md describes every fault and option" {
    local word
    sed -n 's/^ *{"\([a-z0-9-]*\)", *FORM_\([A-Z]*\).*/\1 \2/p
        s/^ *{"\(silent-after-headers\|hang-after-done\)",$/\1 FLAG/p' \
        "$ROOT/integration/mock/plan.c" >words
    [ "$(wc -l <words)" -ge 36 ]
    while read -r word form; do
        case $form in
        FLAG) word="\`$word\`" ;;
        POINT) word="\`$word@K" ;;
        *) word="\`$word=" ;;
        esac
        grep -qF -- "$word" "$ROOT/docs/mock.md" || echo "$word" >>missing
    done <words
    for word in $("$BUILD/mock-llm" --help | grep -o '^  --[a-z-]*'); do
        grep -qF -- "\`$word " "$ROOT/docs/mock.md" || echo "$word" >>missing
    done
    refute cat missing
}
