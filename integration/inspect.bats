#!/usr/bin/env bats
# unstall inspect: what it says of every recorded stream, and of files that
# are none.

GOLDEN=$BATS_TEST_DIRNAME/../tests/golden
UNSTALL=${B:-$BATS_TEST_DIRNAME/../build}/unstall

# Compare `inspect --json` of every recorded text stream with expected.json;
# $1 is "told" if the dialect is given.
all_as_expected() {
    python3 - "$UNSTALL" "$GOLDEN" "$1" <<'END'
import json, subprocess, sys

unstall, golden, told = sys.argv[1:]
expected = json.load(open(golden + "/expected.json"))
wrong = seen = 0
for name, want in sorted(expected.items()):
    if want["dialect"] == "bedrock":
        continue
    command = [unstall, "inspect", "--json", golden + "/" + name]
    if told == "told":
        command += ["--dialect", want["dialect"]]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    got = json.loads(out)
    seen += 1
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key) or (key in want) != (key in got):
            print(f"{name}: {key} is {got.get(key)!r}, not {want.get(key)!r}")
            wrong += 1
sys.exit(wrong != 0 or seen < 50)
END
}

capture() {
    printf '%b' "$1" >"$BATS_TEST_TMPDIR/body"
    run "$UNSTALL" inspect "${@:2}" "$BATS_TEST_TMPDIR/body"
}

CHUNK='data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'

@test "inspect: every recorded stream, its dialect told" {
    all_as_expected told
}

@test "inspect: every recorded stream, its dialect guessed" {
    all_as_expected guessed
}

@test "inspect: short names of dialects are as good" {
    run "$UNSTALL" inspect --json --dialect chat "$GOLDEN/frame_bom.sse"
    [ "$status" -eq 0 ]
    [[ $output == *'"dialect":'*'"openai-chat"'* ]]
}

@test "inspect: a line per event, and a summary" {
    capture ": hi\n\n${CHUNK}data: [DONE]\n\n"
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == event*offset*class* ]]
    [[ ${lines[1]} == *1*0*keepalive*comment* ]]
    [[ ${lines[2]} == *2*11*content*'text "Hi"'* ]]
    [[ ${lines[3]} == *3*end* ]]
    [[ $output == *'openai-chat (guessed)'* ]]
    [[ $output == *'content     1; text: 1, 2 bytes'* ]]
    [[ $output == *'end         done'* ]]
}

@test "inspect: control characters do not reach the terminal" {
    capture 'data: {"choices":[{"delta":{"content":"\\u001b[31m"}}]}\n\n'
    [ "$status" -eq 0 ]
    [[ $output == *'\x1b[31m'* ]]
    [[ $output != *$'\x1b'* ]]
    capture 'event: a\x1b[2J\ndata: {"choices":[{"delta":{}}]}\n\n'
    [[ $output != *$'\x1b'* ]]
}

@test "inspect: a NUL ends no text" {
    capture 'data: {"choices":[{"delta":{"content":"a\\u0000b"}}]}\n\n' --json
    [ "$status" -eq 0 ]
    [[ $output == *$'"a\xef\xbf\xbdb"'* ]]
}

@test "inspect --json: model and tokens; null is what was not told (P8)" {
    run "$UNSTALL" inspect --json \
        "$GOLDEN/openai_chat_basic.sse"
    [ "$(jq -c '[.model, .tokens_in, .tokens_out]' <<<"$output")" = \
        '["gpt-test-1",9,3]' ]
    capture "$CHUNK" --json
    [ "$(jq -c '[.model, .tokens_in, .tokens_out]' <<<"$output")" = \
        '[null,null,null]' ]
}

@test "inspect --text: the answer and nothing else" {
    run "$UNSTALL" inspect --text "$GOLDEN/openai_chat_basic.sse"
    [ "$status" -eq 0 ]
    [ "$output" = 'Tide pools glow.' ]
}

@test "inspect: headers of curl -i are skipped, and their type is heeded" {
    capture "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200\r\nContent-Type: \
text/event-stream\r\n\r\n{\"error\":{\"type\":\"late\"}}\n" --json
    [ "$status" -eq 0 ]
    [[ $output == *'"first:late"'* ]]
    run "$UNSTALL" inspect --json "$GOLDEN/prestream/anthropic_529.http"
    [ "$status" -eq 0 ]
    [[ $output == *'"first:overloaded_error"'* ]]
    [[ $output == *'"anthropic"'* ]]
}

@test "inspect: standard input" {
    run "$UNSTALL" inspect --text - <"$GOLDEN/frame_crlf.sse"
    [ "$status" -eq 0 ]
    [ "$output" = Crlf ]
}

@test "inspect: a reply that does not stream" {
    capture '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}'
    [ "$status" -eq 0 ]
    [[ $output == *'one JSON document'* ]]
    [[ $output == *'finish      stop'* ]]
    [[ $output == *'end         done'* ]]
}

@test "inspect: a body that was cut" {
    capture "$CHUNK" --json
    [ "$status" -eq 0 ]
    [[ $output == *'"mid:truncated"'* ]]
}

@test "inspect: a body in no dialect is told" {
    run "$UNSTALL" inspect \
        "$GOLDEN/bedrock_converse_exception.eventstream.bin"
    [ "$status" -eq 1 ]
    [[ $output == *'cannot tell the dialect'*'--dialect'* ]]
    capture '<html>no</html>'
    [ "$status" -eq 1 ]
}

@test "inspect: mistakes" {
    run "$UNSTALL" inspect "$BATS_TEST_TMPDIR/none"
    [ "$status" -eq 1 ]
    [[ $output == *'/none: No such file'* ]]
    run "$UNSTALL" inspect "$BATS_TEST_TMPDIR"
    [ "$status" -eq 1 ]
    run "$UNSTALL" inspect
    [ "$status" -eq 2 ]
    run "$UNSTALL" inspect --dialect klingon "$GOLDEN/frame_bom.sse"
    [ "$status" -eq 2 ]
    [[ $output == *klingon*chat*dashscope* ]]
}

@test "inspect: every prefix of a stream is bearable" {
    local n
    for n in 0 1 7 100 500 900 1300 1600; do
        head -c "$n" "$GOLDEN/openai_chat_basic.sse" \
            >"$BATS_TEST_TMPDIR/body"
        run "$UNSTALL" inspect --json --dialect chat "$BATS_TEST_TMPDIR/body"
        [ "$status" -eq 0 ]
        [[ $output == *"\"bytes\":"*"$n,"* ]]
    done
}
