#!/usr/bin/env bats
# Requests that do not stream are sent as streams, and the program gets the
# one body that it asked for: the same that the provider sends to a request
# without a stream, also when another source has to answer it (R4, P1).

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
  export STREAM=false
}

teardown() {
  common_teardown
}

dialects="chat completions responses anthropic gemini ollama ollama-generate"

# Where a whole answer is to be had.
whole_path() {
  case $1 in
  gemini) path_of gemini-whole ;;
  *) path_of "$1" ;;
  esac
}

base_of() {
  case $1 in
  gemini*) echo /v1beta ;;
  ollama*) ;;
  *) echo /v1 ;;
  esac
}

# plainly NAME DIALECT [CURL OPTION...]: what curl gets without us.
plainly() {
  curl -sS -m 20 -H 'content-type: application/json' \
    -d "$(body_of "$2" "" "${MORE:-}")" "${@:3}" \
    "$(mock_var "$1" URL)$(whole_path "$2")"
}

# promoted DIALECT [CURL OPTION...]: asks PRIM; $RUN has options of `run`.
promoted() {
  # shellcheck disable=SC2086 # a list of options
  unstall run --quiet --set stream.promote=true --stall-after 0.4 \
    --set hedge.budget.burst=100 ${RUN:-} -- \
    curl -sS -m 20 -H 'content-type: application/json' \
    -d "$(body_of "$1" "" "${MORE:-}")" "${@:2}" \
    "$PRIM_URL$(whole_path "$1")"
}

# same_json A B: they say the same, whatever the order of their keys.
same_json() {
  python3 - "$1" "$2" <<'END'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
if a != b:
    sys.exit(f"{json.dumps(a)}\n{json.dumps(b)}")
END
}

facts() {
  store 'select outcome, promoted, streaming, winner, attempts from calls'
}

@test "the body is the one that a request without a stream gets (P1)" {
  local n=0
  for shape in tokens=60 tools,reasoning=7 tools,tokens=3 tokens=1; do
    start_mock prim --interval-ms 1 --fault "$shape"
    for dialect in $dialects; do
      plainly prim "$dialect" >want
      promoted "$dialect" >got
      same_json want got || { echo "$dialect $shape" && false; }
      n=$((n + 1))
    done
    stop_mocks
  done
  [ "$(store "select count(*) from calls where outcome = 'ok' and
    promoted = 1 and streaming = 1 and winner = 0 and attempts = 1")" -eq $n ]
}

@test "a stall is raced, and the rival's body is whole (R4)" {
  local n=0
  start_mock prim --tokens 60 --interval-ms 2 --fault "stall@20=30,reasoning=4"
  start_mock back --tokens 60 --interval-ms 2 --fault "reasoning=4,tools"
  for dialect in $dialects; do
    plainly back "$dialect" >want
    stopwatch
    RUN="--backup $BACK_URL$(base_of "$dialect")" promoted "$dialect" >got
    took_between 400 8000
    same_json want got || { echo "$dialect" && false; }
    n=$((n + 1))
  done
  [ "$(store "select count(*) from calls where outcome = 'ok' and winner = 1
    and promoted = 1 and hedge_reason = 'stall'")" -eq $n ]
}

@test "what breaks off after text is raced, too (R3)" {
  local n=0
  start_mock back --tokens 60
  for fault in cut@20 reset@20 error@20 malformed@20 no-end error-first; do
    start_mock prim --tokens 60 --fault "$fault"
    for dialect in $dialects; do
      plainly back "$dialect" >want
      RUN="--backup $BACK_URL$(base_of "$dialect")" promoted "$dialect" >got
      same_json want got || { echo "$dialect $fault" && false; }
      n=$((n + 1))
    done
    kill "$PRIM_PID"
  done
  [ "$(store "select count(*) from calls where outcome = 'ok'
    and winner = 1")" -eq $n ]
}

@test "without a rival it is an error, and no half body (P1)" {
  for fault in cut@20 reset@20 error@20 malformed@20 no-end; do
    start_mock prim --tokens 60 --fault "$fault"
    for dialect in chat anthropic responses gemini ollama; do
      RUN="--set hedge.budget.burst=0 --set hedge.budget.ratio=0" \
        run --separate-stderr promoted "$dialect"
      [[ $status -eq 18 || $status -eq 56 ]]
      [ -z "$output" ]
      [ -n "$stderr" ]
    done
    kill "$PRIM_PID"
  done
  [ "$(store "select count(*) from calls where outcome = 'failed'
    and promoted = 1")" -eq 25 ]
}

@test "headers and getinfo say what the program gets" {
  start_mock prim --tokens 60 --interval-ms 1
  local form='%{http_code} %{content_type} %{size_download}'
  promoted chat -D head -o body -w "$form %header{content-length}" >got
  local size
  size=$(stat -c %s body)
  [ "$(cat got)" = "200 application/json $size $size" ]
  grep -qi "^content-length: $size"$'\r' head
  grep -qi '^content-type: application/json'$'\r' head
  refute grep -qi '^transfer-encoding' head
  [ "$(head -n 1 head)" = $'HTTP/1.1 200 OK\r' ]
  promoted chat -o body -w '%{header_json}' >named
  [ "$(jq -c '[.["content-type"], .["content-length"],
    .["transfer-encoding"], .["x-mock"]]' named)" = \
    "[[\"application/json\"],[\"$size\"],null,[\"prim\"]]" ]
  promoted chat -i >inline
  cmp inline <(cat head body)
}

@test "the header's length is that of the lines that were given" {
  local fault
  start_mock prim
  for fault in none http100 gzip cut@2; do
    promoted chat -H "x-mock-fault: $fault" --compressed -D "head.$fault" \
      -o "body.$fault" -w '%{size_header}' >"size.$fault" || true
    [ "$(<"size.$fault")" -eq "$(wc -c <"head.$fault")" ]
  done
  grep -q '^HTTP/1.1 103' head.http100
  cat >split.php <<'END'
<?php
$curl = curl_init($argv[1]);
curl_setopt_array($curl, [CURLOPT_POSTFIELDS => $argv[2],
    CURLOPT_RETURNTRANSFER => 1, CURLOPT_HEADER => 1]);
$all = curl_exec($curl);
$body = substr($all, curl_getinfo($curl, CURLINFO_HEADER_SIZE));
exit(json_decode($body) === null ? 1 : 0);
END
  unstall run --quiet --after 5 --set stream.promote=true -- \
    php split.php "$PRIM_URL$(path_of chat)" "$(body_of chat)"
  [ "$(store 'select promoted from calls order by id desc limit 1')" = 1 ]
}

@test "a compressed stream is put together when curl decodes it" {
  start_mock prim --tokens 60 --fault gzip
  plainly prim chat >want
  promoted chat --compressed -D head >got
  same_json want got
  refute grep -qi '^content-encoding' head
  promoted chat -H 'accept-encoding: gzip' >raw
  [ "$(store 'select group_concat(promoted) from calls')" = "1,0" ]
}

@test "what is no stream, and what is refused, is given as it is" {
  start_mock prim --tokens 60 --fault "status=401"
  plainly prim chat >want
  promoted chat >got
  cmp want got
  [ "$(facts)" = "refused|1|1|0|1" ]
}

@test "a place that does not stream is asked as it was, and remembered" {
  start_mock prim --tokens 9
  start_mock back --tokens 9
  unstall run --quiet --set stream.promote=true --stall-after 5 \
    --set hedge.budget.burst=0 --set hedge.budget.ratio=0 -- \
    /usr/bin/python3 - "$PRIM_URL" <<'END' >got
import io, json, pycurl, sys
for _ in range(3):
    out = io.BytesIO()
    curl = pycurl.Curl()
    curl.setopt(curl.URL, sys.argv[1] + "/v1/chat/completions")
    curl.setopt(curl.HTTPHEADER, ["content-type: application/json"])
    curl.setopt(curl.COPYPOSTFIELDS, json.dumps(
        {"model": "mock:no-stream", "messages": [{"role": "user"}]}))
    curl.setopt(curl.WRITEDATA, out)
    curl.perform()
    answer = json.loads(out.getvalue())
    print(curl.getinfo(curl.HTTP_CODE), answer["object"])
    curl.close()
END
  [ "$(sort -u got)" = "200 chat.completion" ]
  [ "$(store 'select group_concat(attempts || promoted || winner)
    from calls')" = "211,100,100" ]
  [ "$(requests_of prim)" -eq 4 ]
}

@test "a handle that is used again sends what the program set" {
  start_mock prim --tokens 5
  unstall run --quiet --set stream.promote=true --stall-after 5 -- \
    /usr/bin/python3 - "$PRIM_URL" <<'END'
import io, json, pycurl, sys
BODY = '{"model":"m","messages":[{"role":"user","content":"%s"}]}'
curl = pycurl.Curl()
curl.setopt(curl.HTTPHEADER, ["content-type: application/json"])
def ask(path):
    out = io.BytesIO()
    curl.setopt(curl.WRITEDATA, out)
    curl.setopt(curl.URL, sys.argv[1] + path)
    curl.perform()
    assert curl.getinfo(curl.EFFECTIVE_URL) == sys.argv[1] + path
    return out.getvalue()
for option, body in ((curl.COPYPOSTFIELDS, BODY % "one"),
                     (curl.POSTFIELDS, BODY % "two")):
    curl.setopt(option, body)
    for _ in range(2):
        assert json.loads(ask("/v1/chat/completions"))["choices"]
        ask("/plain?bytes=3")
curl.setopt(curl.POSTFIELDS, '{"contents":[{"parts":[{"text":"three"}]}]}')
assert json.loads(ask("/v1beta/models/m:generateContent"))["candidates"]
ask("/plain?bytes=3")
END
  mock_log prim 'select(.event == "request" and .target == "/plain?bytes=3")
    | .body' >sent
  [ "$(grep -c '"content":"one"' sent)" -eq 2 ]
  [ "$(grep -c '"content":"two"' sent)" -eq 2 ]
  [ "$(grep -c '"text":"three"' sent)" -eq 1 ]
  refute grep -q stream sent
}

@test "a program's own multi gets the same (pycurl)" {
  start_mock prim --tokens 60 --interval-ms 2 --fault "stall@20=30"
  start_mock back --tokens 60 --interval-ms 2
  for dialect in $dialects; do
    plainly back "$dialect" >"want.$dialect"
    body_of "$dialect" >"body.$dialect"
    echo "$dialect $PRIM_URL$(whole_path "$dialect")" >>urls
  done
  mkdir -p home/.config/unstall
  config <<END
{ "mode": "hedge", "stream": { "promote": true },
  "hedge": { "stall_after_s": 0.4, "budget": { "burst": 100 } },
  "sources": { "a": { "base_url": "$BACK_URL/v1",
                      "dialects": ["chat", "completions", "responses",
                                   "anthropic"] },
               "g": { "base_url": "$BACK_URL/v1beta",
                      "dialects": ["gemini"] },
               "o": { "base_url": "$BACK_URL", "dialects": ["ollama"] } },
  "routes": [ { "match": "*", "sources": ["a", "g", "o"] } ] }
END
  unstall run --quiet -- /usr/bin/python3 - <<'END'
import io, pycurl
multi = pycurl.CurlMulti()
calls = []
for line in open("urls"):
    name, url = line.split()
    curl = pycurl.Curl()
    out = io.BytesIO()
    curl.setopt(curl.URL, url)
    curl.setopt(curl.HTTPHEADER, ["content-type: application/json"])
    curl.setopt(curl.POSTFIELDS, open("body." + name).read())
    curl.setopt(curl.WRITEDATA, out)
    multi.add_handle(curl)
    calls.append((name, curl, out))
while True:
    code, running = multi.perform()
    if not running:
        break
    multi.select(1.0)
queued, good, bad = multi.info_read()
assert len(good) == len(calls) and not bad, bad
for name, curl, out in calls:
    assert curl.getinfo(curl.CONTENT_TYPE) == "application/json"
    length = curl.getinfo(curl.CONTENT_LENGTH_DOWNLOAD)
    assert length == len(out.getvalue()), (name, length)
    open("got." + name, "wb").write(out.getvalue())
END
  for dialect in $dialects; do
    same_json "want.$dialect" "got.$dialect"
  done
  [ "$(store "select count(*) from calls where promoted = 1 and
    winner = 1")" -eq 7 ]
}

@test "PHP gets it too, and says its length" {
  php -r 'exit((int) !extension_loaded("curl"));' || skip "no php-curl"
  start_mock prim --tokens 60 --interval-ms 2 --fault "stall@20=30"
  start_mock back --tokens 60 --interval-ms 2 --fault tools
  plainly back anthropic >want
  cat >ask.php <<'END'
<?php
$curl = curl_init($argv[1]);
$lengths = [];
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_POSTFIELDS => file_get_contents("body"),
    CURLOPT_HTTPHEADER => ["content-type: application/json"],
    CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$lengths) {
        if (stripos($line, "content-length:") === 0)
            $lengths[] = (int) substr($line, 15);
        return strlen($line);
    },
]);
$answer = curl_exec($curl);
if ($lengths !== [strlen($answer)] ||
    curl_getinfo($curl, CURLINFO_CONTENT_TYPE) !== "application/json")
    exit(1);
echo $answer;
END
  body_of anthropic >body
  unstall run --quiet --set stream.promote=true --stall-after 0.4 \
    --backup "$BACK_URL/v1" -- \
    php ask.php "$PRIM_URL$(path_of anthropic)" >got
  same_json want got
  [ "$(facts)" = "ok|1|1|1|2" ]
  unstall show | grep -q promoted
}

@test "what cannot come back whole stays as it is" {
  start_mock prim --tokens 5
  MORE='"n":2' promoted chat >/dev/null
  MORE='"audio":{"voice":"a"}' promoted chat >/dev/null
  MORE='"background":true' promoted responses >/dev/null
  promoted chat --max-filesize 100000 >/dev/null
  promoted chat -H "content-length: $(chat_body | wc -c)" >/dev/null
  STREAM=true promoted chat >/dev/null
  RUN="--set mode=observe" promoted chat >/dev/null
  [ "$(store 'select max(promoted), count(*) from calls')" = "0|7" ]
}

@test "a stream beyond the limit is an error, and nothing of it is given" {
  start_mock prim --tokens 60 --fault "huge@5=300000"
  RUN="--set hedge.hold_limit_bytes=65536" \
    run --separate-stderr -18 promoted chat
  [ -z "$output" ]
  [[ "$stderr" == *"stream.promote"* ]]
}
