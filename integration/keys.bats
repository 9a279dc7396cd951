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

# Every secret of the application, as it stands in what it sends.
SECRETS=(sk-app-bearer sk-app-xkey sk-app-apikey sk-app-goog sk-app-cookie
  sk-app-query sk-app-user sk-app-pass sk-app-proxyauth sk-app-referer)

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

base64_of_user() {
  printf 'sk-app-user:sk-app-pass' | base64
}

lacks() {
  local secret
  for secret in "${SECRETS[@]}" "$(base64_of_user)"; do
    if grep -rqF -e "$secret" "$@"; then
      echo "found $secret in $*" >&2
      return 1
    fi
  done
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
