#!/usr/bin/env bats
# `unstall plan`: real programs run, their LLM calls are described and never
# arrive anywhere, and nothing else changes for them (P2, P3).

bats_require_minimum_version 1.5.0
load lib
setup() { common_setup; }
teardown() { common_teardown; }

# plan OPTION... -- PROGRAM...: its JSON in $output.
plan() {
    run --separate-stderr "$UNSTALL" plan --json "$@"
}

# facts FILTER: of the calls that were described.
facts() {
    jq -r "$1" <<<"$output"
}

@test "plan: a call is described, and none arrives" {
    start_mock alpha
    export TMPDIR=$BATS_TEST_TMPDIR
    plan --after 3 -- curl -sSN -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
    [ "$status" -eq 0 ]
    [ "$(requests_of alpha)" -eq 0 ]
    [ ! -s "$ALPHA_LOG" ]
    [ "$(facts length)" -eq 1 ]
    [ "$(facts '.[0] | [.program, .method, .dialect, .model, .mode,
        (.streaming, .races, .sent | tostring)] | join(" ")')" = \
        "curl POST chat mock-1 hedge true true false" ]
    [[ $stderr == *"curl: (7) unstall plan: the call was described and not"* ]]
    [[ $stderr == *"1 LLM call described and not sent; curl ended with 7"* ]]
    # nothing was recorded, and nothing is left
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
    [ -z "$(ls "$TMPDIR"/unstall-plan-* 2>/dev/null)" ]
}

@test "plan: for people by default" {
    run --separate-stderr "$UNSTALL" plan --after 3 -- \
        curl -s -d "$(chat_body)" http://127.0.0.1:1/v1/chat/completions
    [[ $output == *"an LLM call, not"*"recognised   its path has /chat/com"* ]]
    [[ $output == *"races        yes"*"source       self"* ]]
}

@test "plan: other transfers are sent, and said to be none" {
    start_mock alpha
    plan -- bash -c "curl -sS '$ALPHA_URL/plain?bytes=5'
        curl -sS -d '{\"a\":1}' '$ALPHA_URL/v1/messages'
        curl -sS -d '$(chat_body)' '$ALPHA_URL/v1/chat/completions'"
    [ "$status" -eq 0 ]
    [ "$(requests_of alpha)" -eq 2 ]
    [ "$(facts 'map(.llm | tostring) | join(" ")')" = "false false true" ]
    [ "$(facts '.[0].because')" = "it is no POST with a body of its own" ]
    [ "$(facts '.[1].because')" = \
        "its path is an LLM's, but its body asks nothing" ]
    [[ $stderr == *"1 LLM call described and not sent, 2 other transfers"* ]]
}

@test "plan: a program's output is not in the plan" {
    plan -- sh -c 'echo "[{"; curl -s -d "$1" http://127.0.0.1:1/v1/messages' \
        sh "$(anthropic_body)"
    [ "$(facts '.[0].dialect')" = anthropic ]
    [[ $stderr == *"[{"* ]]
}

@test "plan: nothing described is exit code 1, and doctor is named" {
    plan -- true
    [ "$status" -eq 1 ]
    [ "$output" = "[]" ]
    [[ $stderr == *"0 LLM calls"*"'unstall doctor true'"* ]]
}

@test "plan: a mistake starts nothing" {
    plan --after soon -- touch started
    [ "$status" -eq 2 ]
    plan --set no.such=1 -- touch started
    [ "$status" -eq 2 ]
    run --separate-stderr env UNSTALL=off "$UNSTALL" plan -- touch started
    [ "$status" -eq 2 ]
    [[ $stderr == *"UNSTALL=off"* ]]
    [ ! -e started ]
}

@test "plan: sources in order, with their keys, and never a key (P3)" {
    export KEY_A=sk-a-secret
    plan --after 1 --backup http://a.invalid/v1 --backup-key-env KEY_A \
        --backup 'http://b.invalid/v1?key=sk-b-secret' --backup-model other \
        -- curl -s -d "$(chat_body)" -u user:sk-user-secret \
        -H 'authorization: Bearer sk-app-secret' \
        'http://u:sk-url-secret@127.0.0.1:1/v1/chat/completions?key=sk-q-secret'
    [ "$(facts '.[0].sources | map(.name + " " + .key) | join(", ")')" = \
        "backup there, backup2 none wanted" ]
    [ "$(facts '.[0].sources[1].url')" = \
        http://b.invalid/v1/chat/completions ]
    refute grep -F secret <<<"$output$stderr"
}

@test "plan: thresholds beyond the program's own timeouts are told" {
    plan --after 3 --stall-after 30 -- curl -s -m 20 -d "$(chat_body)" \
        http://127.0.0.1:1/v1/chat/completions
    [ "$(facts '.[0].program_timeout_s')" -eq 20 ]
    [[ $(facts '.[0].notes | join("|")') == \
        *"hedge.stall_after_s (30 s) can never act"* ]]
    refute grep -F 'hedge.after_s' <<<"$(facts '.[0].notes[]')"
}

@test "plan: what would be retried, and what the program retries (R10)" {
    plan --after 3 --set retry.max=2 --set hedge.max_attempts=4 -- \
        curl -s -d "$(chat_body)" http://127.0.0.1:1/v1/chat/completions \
        http://127.0.0.1:1/v1/chat/completions
    [ "$(facts 'map([.retries, .retry_backoff_s, .retry_patience_s] | @csv)[]')" \
        = $'2,0.5,3\n0,0.5,3' ]
    [ "$(facts '.[0].unretried_because')" = null ]
    [[ $(facts '.[1].unretried_because') == *"it retries by itself" ]]
    run "$UNSTALL" plan --after 3 --set retry.max=1 -- \
        curl -s -d "$(chat_body)" http://127.0.0.1:1/v1/chat/completions
    [[ $output == *"retries      at most 1, at its own endpoint after a"* ]]
}

@test "plan: what would be sent as a stream, and why not" {
    body='{"model":"m","messages":[{"role":"user","content":"x"}]}'
    whole() {
        plan --after 3 "$@" http://127.0.0.1:1/v1/chat/completions
        facts '.[0] | [.promoted, .streaming, .unpromoted_because] | @csv'
    }
    [ "$(whole --set stream.promote=true -- curl -s -d "$body")" = \
        "true,false," ]
    [ "$(whole -- curl -s -d "$body")" = \
        'false,false,"stream.promote is off"' ]
    [[ $(whole --set stream.promote=true -- curl -s --compressed \
        -H 'accept-encoding: gzip' -d "$body") == \
        'false,false,"a header or an option of the program depends'* ]]
    run "$UNSTALL" plan --after 3 --set stream.promote=true -- \
        curl -s -d "$body" http://127.0.0.1:1/v1/chat/completions
    [[ $output == *"promoted     yes: it is sent as a stream"* ]]
}

@test "plan: an excluded call is not sent either" {
    start_mock alpha
    config <<<'{"routes": [{"match": "http://127.0.0.1:*", "exclude": true}]}'
    plan -- curl -s -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
    [ "$status" -eq 0 ]
    [ "$(requests_of alpha)" -eq 0 ]
    [ "$(facts '.[0].because')" = \
        "a route excludes it; it was not sent all the same" ]
}

@test "plan: a broken engine or configuration sends nothing" {
    start_mock alpha
    config <<<'{"mode": "no such mode"}'
    UNSTALL_PLAN=$PWD/plan run with_shim curl -s -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)"
    [ "$status" -eq 7 ]
    UNSTALL_PLAN=$PWD/plan run with_shim curl -s -Z -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)"
    [ "$status" -ne 0 ]
    [ "$(requests_of alpha)" -eq 0 ]
}

@test "plan: curl's parallel transfers, with other ones among them" {
    start_mock alpha
    plan -- curl -sS -Z -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" \
        --next -d "$(anthropic_body)" "$ALPHA_URL$(path_of anthropic)" \
        --next "$ALPHA_URL/plain?bytes=7"
    [ "$(facts 'map(.dialect // "none") | sort | join(" ")')" = \
        "anthropic chat none" ]
    [ "$(requests_of alpha)" -eq 1 ]
}

@test "plan: a body that is read from a callback" {
    start_mock alpha
    plan -- curl -sS -X POST -T - "$ALPHA_URL$(path_of chat)" \
        < <(chat_body read-model)
    [ "$(facts '.[0].model')" = read-model ]
    [ "$(requests_of alpha)" -eq 0 ]
}

@test "plan: php, easy and multi" {
    start_mock alpha
    plan -- php -r '
        $h = curl_init($argv[1]);
        curl_setopt_array($h, [CURLOPT_POSTFIELDS => $argv[2],
            CURLOPT_RETURNTRANSFER => true]);
        var_dump(curl_exec($h), curl_errno($h), curl_error($h));
        $m = curl_multi_init(); curl_multi_add_handle($m, $h);
        do { curl_multi_exec($m, $running); curl_multi_select($m, 0.1);
        } while ($running);
        $done = curl_multi_info_read($m); echo "multi ", $done["result"];
        curl_multi_remove_handle($m, $h);' \
        "$ALPHA_URL$(path_of chat)" "$(chat_body)"
    [ "$(facts 'length')" -eq 2 ]
    [ "$(requests_of alpha)" -eq 0 ]
    [[ $stderr == *"bool(false)"*"int(7)"*"unstall plan"*"multi 7"* ]]
}

@test "plan: pycurl, easy, and a body from READFUNCTION in a multi" {
    start_mock alpha
    cat >ask.py <<'EOF'
import io, pycurl, sys
url, body = sys.argv[1:]
easy = pycurl.Curl()
easy.setopt(easy.URL, url)
easy.setopt(easy.POSTFIELDS, body)
try:
    easy.perform()
except pycurl.error as e:
    print("easy", e.args[0])
read = pycurl.Curl()
read.setopt(read.URL, url)
read.setopt(read.POST, 1)
read.setopt(read.READFUNCTION, io.BytesIO(body.encode()).read)
multi = pycurl.CurlMulti()
multi.add_handle(read)
running = 1
while running:
    code, running = multi.perform()
    multi.select(0.1)
left, good, bad = multi.info_read()
print("multi", bad[0][1])
EOF
    plan -- /usr/bin/python3 ask.py "$ALPHA_URL$(path_of chat)" "$(chat_body)"
    [[ $stderr == *"easy 7"*"multi 7"* ]]
    [ "$(facts 'map(.model) | join(" ")')" = "mock-1 mock-1" ]
    [ "$(requests_of alpha)" -eq 0 ]
}

@test "plan: a program that closes all descriptors, and writes without pause" {
    plan -- bash -c 'for fd in {3..40}; do eval "exec $fd>&-"; done
        exec <&-; curl -s -d "$1" http://127.0.0.1:1/v1/messages >&- 2>&-
        curl -s -d "$1" http://127.0.0.1:1/v1/messages & wait' \
        sh "$(anthropic_body)"
    [ "$(facts length)" -eq 2 ]
}

@test "plan: ends with the program when that is interrupted" {
    plan -- bash -c 'curl -s -d "$1" http://127.0.0.1:1/v1/messages
        kill -INT $$; sleep 5' sh "$(anthropic_body)"
    [ "$(facts length)" -eq 1 ]
    [[ $stderr == *"died of signal 2"* ]]
}
