#!/usr/bin/env bats
# No key leaves its house (P3): what the application set for its origin never
# reaches another one, a source's key never reaches the application's origin,
# and neither is written down anywhere.

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
  export BACKUP_KEY=sk-backup-5b1f
}

teardown() {
  common_teardown
}

# Every secret of the application, as it stands in what it sends: they begin
# alike, so that any of them is found.
SECRETS=(sk-app-)

ask_with_secrets() {
  local user=http://sk-app-user:sk-app-pass@127.0.0.1:$PRIM_PORT
  unstall run --quiet --after 0.3 --backup "$BACK_URL/v1" \
    --backup-key-env BACKUP_KEY "$@" -- \
    curl -sN -m 10 -d "$(chat_body)" -H 'content-type: application/json' \
    -H 'authorization: Bearer sk-app-bearer' -H 'X-API-Key: sk-app-xkey' \
    -H 'api-key: sk-app-apikey' -H 'x-goog-api-key: sk-app-goog' \
    -H 'Proxy-Authorization: sk-app-proxyauth' \
    -b 'session=sk-app-cookie' -e 'http://r/sk-app-referer' \
    "$user$(path_of chat)?key=sk-app-query&api-version=1"
}

# A secret's bytes, and what base64 makes of them wherever they begin in a
# text: without the characters that have a part of their neighbours.
forms_of() {
  local pad
  echo "$1"
  for pad in "" x xx; do
    printf '%s%s' "$pad" "$1" | base64 -w0 | sed "s/=*$//; s/.$//" |
      cut -c$(((${#pad} * 4 + 2) / 3 + 1))- | tee >(tr +/ -_) | sort -u
    echo
  done
}

# PLACE...: none of the application's secrets is in there, in any form.
lacks() {
  local secret
  for secret in "${SECRETS[@]}"; do
    forms_of "$secret" | sed '/^$/d' | sort -u >forms
    if grep -rF -f forms "$@" >&2; then
      echo "found $secret in $*" >&2
      return 1
    fi
  done
}

# The backup's key did not reach the application's origin.
primary_lacks() {
  forms_of "$BACKUP_KEY" | sed '/^$/d' >forms
  refute grep -F -f forms "${1:-$PRIM_LOG}"
}

# start_hostile NAME [OPTION] DEED...: a server that is nobody's friend;
# sets what start_mock sets.
start_hostile() {
  local name=$1 var=${1^^} port
  shift
  mkfifo "$name.fifo"
  : >"$name.log"
  python3 "$BATS_TEST_DIRNAME/hostile.py" "$name.log" "$@" \
    3>&- >"$name.fifo" 2>"$name.err" &
  MOCK_PIDS+=" $!"
  disown
  read -r port <"$name.fifo"
  export "${var}_URL=http://127.0.0.1:$port" "${var}_PORT=$port"
  export "${var}_LOG=$PWD/$name.log"
}

# How many requests a hostile server got.
hostile_requests() {
  grep -caE '^(POST|GET|CONNECT) ' "$1" || true
}

# raced CURL-OPTION...: a call that the backup is asked for, too.  One that
# wants no key (KEYLESS=1) could be given another: nothing takes its place.
raced() {
  local key=(--backup-key-env BACKUP_KEY)
  [[ -z ${KEYLESS:-} ]] || key=()
  unstall run --quiet --after 0.2 --backup "$BACK_URL/v1" "${key[@]}" -- \
    curl -sN -m 5 \
    -H 'content-type: application/json' -d "$(chat_body)" "$@" >got || true
}

# The backup was asked once, and heard nothing of the application's.
back_is_clean() {
  [ "$(hostile_requests "$BACK_LOG")" -eq 1 ]
  if [[ -z ${KEYLESS:-} ]]; then
    grep -qF "Bearer $BACKUP_KEY" "$BACK_LOG"
  else
    refute grep -qai '^authorization:' "$BACK_LOG"
  fi
  lacks "$BACK_LOG"
}

@test "the application's keys do not reach another origin (P3)" {
  start_mock prim --fault silent
  start_mock back
  ask_with_secrets >got
  [ "$(requests_of back)" -eq 1 ]
  # the application did send them to its own
  grep -qF sk-app-bearer "$PRIM_LOG"
  grep -qF sk-app-cookie "$PRIM_LOG"
  grep -qF sk-app-query "$PRIM_LOG"
  lacks "$BACK_LOG"
}

@test "another origin gets what the request needs, and the source's key (P3)" {
  start_mock prim --fault silent
  start_mock back
  ask_with_secrets >got
  sent=$(mock_log back 'select(.event == "request") | .headers')
  [ "$(jq -r .authorization <<<"$sent")" = "Bearer $BACKUP_KEY" ]
  [ "$(jq -r '."content-type"' <<<"$sent")" = application/json ]
  [ "$(mock_log back 'select(.event == "request") | .target')" = \
    "/v1/chat/completions?api-version=1" ]
  [ "$(mock_log back 'select(.event == "request") | .body')" = "$(chat_body)" ]
  [ "$(jq -r 'keys_unsorted | sort | join(" ")' <<<"$sent")" = \
    "accept authorization content-length content-type host user-agent" ]
}

# moved OPTION...: one hedged call; what reached the backup.
moved() {
  start_mock back
  unstall run --quiet --after 0.2 --backup "$BACK_URL/v1" \
    --backup-key-env BACKUP_KEY -- curl -sN -m 3 \
    -H 'content-type: application/json' "$@" >got || true
  mock_log back
}

@test "an option that is two lines is not taken over (P3)" {
  start_mock prim --fault silent
  moved -d "$(chat_body)" -A $'app\r\nX-Api-Key: sk-app-xkey' \
    "$PRIM_URL$(path_of chat)" >sent
  [ "$(requests_of back)" -eq 1 ]
  refute grep -qF sk-app sent
}

@test "a word in the query that names nothing is left at home (P3)" {
  start_mock prim --fault silent
  moved -d "$(chat_body)" "$PRIM_URL$(path_of chat)?sk-app-query&jwt=sk-app-x" \
    >sent
  [ "$(requests_of back)" -eq 1 ]
  refute grep -qF sk-app sent
}

@test "a request whose keys are disguised stays at home (P3 P5)" {
  start_mock prim --fault silent
  moved -d "$(chat_body mock-1 '"api\u005fkey":"sk-app-xkey"')" \
    "$PRIM_URL$(path_of chat)" >sent
  [ "$(requests_of back)" -eq 0 ]
}

@test "a source's key does not reach the application's origin (P3)" {
  start_mock prim --fault silent
  start_mock back
  ask_with_secrets >got
  refute grep -qF "$BACKUP_KEY" "$PRIM_LOG"
}

@test "the same host at another port is another origin (P3)" {
  start_mock prim --fault status=503
  start_mock back
  ask_with_secrets >got
  [ "$(requests_of back)" -eq 1 ]
  lacks "$BACK_LOG"
}

@test "neither is in the store, its WAL, the log, or what is shown (P3)" {
  start_mock prim --fault silent
  start_mock back
  export UNSTALL_LOG=$BATS_TEST_TMPDIR/unstall.log
  ask_with_secrets >got
  [ -s "$UNSTALL_LOG" ]
  [ "$(store 'select count(*) from calls')" -eq 1 ]
  unstall calls --json >listed
  unstall show 1 >shown
  unstall show 1 --json >>shown
  unstall config show >>shown
  grep -q "127.0.0.1:$PRIM_PORT" shown
  lacks "$XDG_STATE_HOME" "$UNSTALL_LOG" listed shown
  refute grep -rqF "$BACKUP_KEY" "$XDG_STATE_HOME" "$UNSTALL_LOG" listed shown
}

@test "a backup's redirect is not followed, and is no answer (P3 R3)" {
  start_mock prim --fault status=503
  start_mock third
  start_mock back --fault "redirect=$THIRD_URL/v1/chat/completions"
  run ask_with_secrets
  [ "$(requests_of third)" -eq 0 ]
  [ "$(store 'select outcome, http_status from calls')" = "failed|503" ]
}

@test "CONNECT_TO and RESOLVE of the application do not move a rival (P3)" {
  start_mock prim --fault silent
  start_mock back
  unstall run --quiet --after 0.3 --backup "$BACK_URL/v1" \
    --backup-key-env BACKUP_KEY -- curl -sN -m 10 -d "$(chat_body)" \
    --connect-to "::127.0.0.1:$PRIM_PORT" "http://llm.invalid$(path_of chat)" \
    >got
  [ "$(requests_of prim)" -eq 1 ]
  [ "$(requests_of back)" -eq 1 ]
  refute grep -qF "$BACKUP_KEY" "$PRIM_LOG"
}

@test "a source without its key is not asked (P3)" {
  unset BACKUP_KEY
  start_mock prim --fault silent
  start_mock back
  run ask_with_secrets
  [ "$(requests_of back)" -eq 0 ]
}

@test "a request with a secret in its body stays at home (P3)" {
  start_mock prim --fault silent,once
  start_mock back
  unstall run --quiet --after 0.3 --backup "$BACK_URL/v1" -- curl -sN -m 2 \
    -d "$(chat_body mock-1 '"metadata":{"api_key":"sk-app-bearer"}')" \
    "$PRIM_URL$(path_of chat)" >got || true
  [ "$(requests_of back)" -eq 0 ]
}

# --- a hostile backup --------------------------------------------------------

@test "secrets are found in any form" {
  local secret=sk-app-x text
  for text in "u:$secret" "us:$secret" "use:$secret" "$secret"; do
    printf %s "$text" | base64 >written
    run lacks written
    [ "$status" -eq 1 ]
  done
  echo nothing >written
  lacks written
}

@test "a backup that says back all that it got knows nothing (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  ask_with_secrets >got
  back_is_clean
  grep -q "Bearer $BACKUP_KEY" got
  lacks got
  primary_lacks
}

@test "a backup that sends back to the primary is not followed (P3 R3)" {
  start_mock prim --fault silent
  start_hostile back "redirect=$PRIM_URL/v1/chat/completions"
  raced -L --location-trusted -u sk-app-user:sk-app-pass -m 1 \
    "$PRIM_URL$(path_of chat)"
  back_is_clean
  [ "$(requests_of prim)" -eq 1 ]
  primary_lacks
}

@test "a backup that asks for a password gets none (P3)" {
  start_mock prim --fault silent
  start_hostile back ask
  echo "machine 127.0.0.1 login sk-app-login password sk-app-netrc" >.netrc
  KEYLESS=1
  raced --anyauth -u sk-app-user:sk-app-pass --netrc-file .netrc -m 1 \
    "$PRIM_URL$(path_of chat)"
  back_is_clean
  primary_lacks
}

@test "a backup's cookies, Alt-Svc and HSTS stay its own (P1 P3)" {
  start_mock prim --fault silent,once
  start_hostile back echo
  printf '127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tsk-app-cookie\n' >jar
  raced -b jar -c jar --alt-svc alt.txt --hsts hsts.txt \
    "$PRIM_URL$(path_of chat)" "$PRIM_URL$(path_of chat)"
  back_is_clean
  [ "$(requests_of prim)" -eq 2 ]
  [ "$(grep -c sk-app-cookie "$PRIM_LOG")" -eq 2 ]
  refute grep -F hostile "$PRIM_LOG" jar
  refute grep -sF 'ma=3600' alt.txt
  refute grep -sF 127.0.0.1 hsts.txt
}

# --- credentials that libcurl adds -------------------------------------------

@test "netrc is the application's own (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  echo "machine 127.0.0.1 login sk-app-login password sk-app-netrc" \
    >"$HOME/.netrc"
  KEYLESS=1
  raced --netrc "$PRIM_URL$(path_of chat)"
  back_is_clean
  jq -r .headers.authorization "$PRIM_LOG" | grep -q Basic
}

@test "-H @file, --oauth2-bearer, --user stay at home (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  KEYLESS=1
  printf 'X-Key: sk-app-file\nAuthorization: Bearer sk-app-file\n' >headers
  raced -H @headers "$PRIM_URL$(path_of chat)"
  back_is_clean
  : >"$BACK_LOG"
  raced --oauth2-bearer sk-app-oauth "$PRIM_URL$(path_of chat)"
  back_is_clean
  : >"$BACK_LOG"
  raced -u sk-app-user:sk-app-pass "$PRIM_URL$(path_of chat)"
  back_is_clean
  : >"$BACK_LOG"
  raced "http://sk-app-user:sk-app-pass@127.0.0.1:$PRIM_PORT$(path_of chat)"
  back_is_clean
  for secret in sk-app-file sk-app-oauth; do
    grep -qF "$secret" "$PRIM_LOG"
  done
}

@test "a request that AWS SigV4 signs stays at home (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  raced --aws-sigv4 aws:amz:eu-west-1:bedrock -u sk-app-id:sk-app-secret -m 1 \
    "$PRIM_URL$(path_of chat)"
  [ "$(hostile_requests "$BACK_LOG")" -eq 0 ]
  grep -qF AWS4-HMAC "$PRIM_LOG"
}

@test "a user in the URL, a referer and a Host by hand stay at home (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  raced -e http://r/sk-app-referer -H 'Host: sk-app-host.example' \
    "http://sk-app-user:sk-app-pass@127.0.0.1:$PRIM_PORT$(path_of chat)"
  back_is_clean
  grep -qai "^host: 127.0.0.1:$BACK_PORT" "$BACK_LOG"
  grep -qF sk-app-host.example "$PRIM_LOG"
}

@test "no name of a key in a query goes along (P3)" {
  local name names=(key api_key api-key apikey x-api-key access_token token
    auth authorization sig signature secret client_secret password pass code
    session jwt bearer subscription-key AccessKeyId X-Goog-Api-Key k%65y)
  local query=
  for name in "${names[@]}"; do query+="&$name=sk-app-$name"; done
  start_mock prim --fault silent
  start_hostile back echo
  raced "$PRIM_URL$(path_of chat)?api-version=1$query"
  back_is_clean
  grep -qaF 'POST /v1/chat/completions?api-version=1 HTTP' "$BACK_LOG"
}

@test "no body with a key in it moves (P3)" {
  local member
  start_mock prim --fault silent
  start_hostile back echo
  for member in '"api_key":"sk-app-k"' '"metadata":{"token":"sk-app-k"}' \
    '"tools":[{"type":"x","headers":{"X":"sk-app-k"}}]' \
    '"x":[{"password":"sk-app-k"}]' '"authorization":"sk-app-k"' \
    '"extra":{"Access-Token":"sk-app-k"}' '"a\u0070i_key":"sk-app-k"'; do
    raced -m 0.5 -d "$(chat_body mock-1 "$member")" \
      --next -m 0.5 -s -d "$(chat_body mock-1 "$member")" \
      "$PRIM_URL$(path_of chat)"
  done
  lacks "$BACK_LOG"
  [ "$(hostile_requests "$BACK_LOG")" -eq 0 ]
}

# --- where a request goes ----------------------------------------------------

@test "RESOLVE of the application does not move a rival (P3)" {
  start_mock prim --fault silent
  BACK_URL=http://back.invalid:$PRIM_PORT
  raced --resolve "back.invalid:$PRIM_PORT:127.0.0.1" \
    --resolve "llm.invalid:$PRIM_PORT:127.0.0.1" -m 1 \
    "http://llm.invalid:$PRIM_PORT$(path_of chat)"
  [ "$(requests_of prim)" -eq 1 ]
  primary_lacks
}

# curl shares names among its handles; in PHP a handle's are those of the multi
# that it is in, and so would a rival's be.
@test "RESOLVE does not move a rival through names that are kept (P3)" {
  start_mock prim --fault silent
  cat >ask.php <<'END'
<?php
function make($url, $body, $port) {
    $easy = curl_init($url);
    curl_setopt_array($easy, [CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 1,
        CURLOPT_RESOLVE => ["back.invalid:$port:127.0.0.1",
                            "llm.invalid:$port:127.0.0.1"]]);
    return $easy;
}
[, $url, $body, $port] = $argv;
curl_exec(make($url, $body, $port));
$easy = make($url, $body, $port);
$multi = curl_multi_init();
curl_multi_add_handle($multi, $easy);
do { curl_multi_exec($multi, $running); curl_multi_select($multi, 0.1);
} while ($running);
END
  unstall run --quiet --after 0.2 --backup "http://back.invalid:$PRIM_PORT/v1" \
    --backup-key-env BACKUP_KEY -- php ask.php \
    "http://llm.invalid:$PRIM_PORT$(path_of chat)" "$(chat_body)" "$PRIM_PORT"
  [ "$(store 'select count(*) from attempts where seq = 1')" -eq 2 ]
  [ "$(requests_of prim)" -eq 2 ]
  primary_lacks
}

@test "a unix socket of the application is not a rival's (P3)" {
  start_hostile prim --unix "$PWD/socket" silent
  start_hostile back echo
  raced --unix-socket "$PWD/socket" "http://llm.invalid$(path_of chat)" \
    -H 'authorization: Bearer sk-app-bearer'
  back_is_clean
  [ "$(hostile_requests "$PRIM_LOG")" -eq 1 ]
  grep -qF sk-app-bearer "$PRIM_LOG"
  primary_lacks
}

# A key and a certificate that are their own authority.
make_certificate() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=front \
    -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out ca.pem 2>/dev/null
}

# A TLS backup that the configuration trusts.
start_tls_backup() {
  make_certificate
  start_hostile back --tls ca.pem key.pem echo
  BACK_URL=https://127.0.0.1:$BACK_PORT
  config <<END
{"mode": "hedge", "hedge": {"after_s": 0.2, "sources": ["b"]}, "sources":
 {"b": {"base_url": "$BACK_URL/v1", "api_key_env": "BACKUP_KEY",
        "ca_file": "$PWD/ca.pem"}}}
END
}

@test "another scheme is another origin; a client certificate stays (P3)" {
  start_mock prim --fault silent
  start_tls_backup
  curl -s --cacert ca.pem --cert ca.pem --key key.pem -d x "$BACK_URL" >got
  grep -q 'CLIENT CERTIFICATE' "$BACK_LOG" # it would have been told
  : >"$BACK_LOG"
  unstall run --quiet -- curl -sN -m 5 --cert ca.pem --key key.pem -k \
    -H 'authorization: Bearer sk-app-bearer' -d "$(chat_body)" \
    "$PRIM_URL$(path_of chat)" >got
  back_is_clean
  refute grep -q 'CLIENT CERTIFICATE' "$BACK_LOG"
}

@test "an application that trusts everybody does not make a rival do so (P3)" {
  start_mock prim --fault silent
  make_certificate
  start_hostile back --tls ca.pem key.pem echo
  BACK_URL=https://127.0.0.1:$BACK_PORT
  raced -k --cacert ca.pem -m 1 "$PRIM_URL$(path_of chat)"
  [ ! -s "$BACK_LOG" ]
}

@test "a proxy gets its own password, and who is behind it none (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  start_hostile proxy --proxy
  raced -x "http://sk-app-puser:sk-app-ppass@127.0.0.1:$PROXY_PORT" \
    --proxy-header 'X-Proxy: sk-app-pheader' "$PRIM_URL$(path_of chat)"
  back_is_clean
  [ "$(grep -ac '^Proxy-Authorization: Basic' "$PROXY_LOG")" -eq 2 ]
  [ "$(requests_of prim)" -eq 1 ]
  primary_lacks
}

@test "through a proxy's tunnel the same (P3)" {
  start_mock prim --fault silent
  start_hostile back echo
  start_hostile proxy --proxy
  raced -p -x "http://127.0.0.1:$PROXY_PORT" -U sk-app-puser:sk-app-ppass \
    --proxy-header 'X-Proxy: sk-app-pheader' -m 2 \
    -H 'authorization: Bearer sk-app-bearer' "$PRIM_URL$(path_of chat)"
  back_is_clean
  [ "$(hostile_requests "$PROXY_LOG")" -eq 2 ]
  [ "$(grep -ac '^Proxy-Authorization: Basic' "$PROXY_LOG")" -eq 2 ]
  # neither origin's key is in what the proxy is told
  refute grep -aF -e sk-app-bearer -e "$BACKUP_KEY" "$PROXY_LOG"
  primary_lacks
}
