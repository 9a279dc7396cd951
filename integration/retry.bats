#!/usr/bin/env bats
# R10: after a failed status the program's own endpoint is asked again, when it
# wants to be, and nothing that the program tries again by itself is multiplied.

load lib
bats_require_minimum_version 1.5.0

setup() {
  common_setup
}

teardown() {
  common_teardown
}

# retrying OPTION...: curl to URL, with retries and with BACK beside.
retrying() {
  unstall run --quiet --after 3 --backup "$BACK_URL/v1" --set retry.max=1 \
    --set hedge.max_attempts=3 -- \
    curl -sSN -m 10 -H 'content-type: application/json' -d "$(chat_body)" "$@"
}

call() {
  store 'select outcome, winner, hedge_reason, attempts from calls'
}

@test "429 with a pause in milliseconds, easy and parallel (R10)" {
  local how
  for how in --no-parallel --parallel; do
    start_mock "prim$how" --fault status=429,retry-after-ms=400,once
    start_mock back
    ask "prim$how" chat none -i >plain
    stopwatch
    retrying $how -i "$(mock_var "prim$how" URL)$(path_of chat)" >got
    took_between 400 2500
    cmp plain got
    [ "$(requests_of back)" -eq 0 ]
    [ "$(call)" = "ok|1|retry|2" ]
    rm "$XDG_STATE_HOME/unstall/unstall.db"
  done
}

@test "a 503 that names no pause: the backoff (R10)" {
  start_mock prim --fault status=503,once
  start_mock back
  retrying "$PRIM_URL$(path_of chat)" >got
  took_between 250 2500
  grep -q DONE got
  [ "$(call)" = "ok|1|retry|2" ]
  [ "$(requests_of prim)" -eq 2 ]
}

@test "a pause that is longer than after_s: elsewhere at once (R10 R3)" {
  start_mock prim --fault status=429,retry-after=5
  start_mock back
  retrying "$PRIM_URL$(path_of chat)" >got
  took_between 0 2500
  grep -q DONE got
  [ "$(call)" = "ok|1|failure|2" ]
}

@test "the retry fails as well: elsewhere (R10 R3)" {
  start_mock prim --fault status=503
  start_mock back
  retrying "$PRIM_URL$(path_of chat)" >got
  grep -q DONE got
  [ "$(call)" = "ok|2|retry|3" ]
}

@test "a quota that is used up does not heal (R10)" {
  start_mock prim --fault status=429,code=insufficient_quota
  start_mock back
  retrying "$PRIM_URL$(path_of chat)" >got
  grep -q DONE got
  [ "$(requests_of prim)" -eq 1 ]
  [ "$(call)" = "ok|1|failure|2" ]
}

# Without a backup, so that every request is prim's.
alone() {
  unstall run --quiet --set mode=hedge --set retry.max=1 \
    --set retry.backoff_s=0.1 -- curl -sSN -m 10 -d "$(chat_body)" "$@"
}

@test "curl --retry is not multiplied (R10)" {
  start_mock prim --fault status=503
  alone --retry 2 --retry-delay 1 "$PRIM_URL$(path_of chat)" >got 2>said
  # Ours once, for the first of curl's three.
  [ "$(requests_of prim)" -eq 4 ]
  [ "$(store 'select attempts from calls order by id')" = $'2\n1\n1' ]
}

@test "a client that counts its tries is not multiplied (R10)" {
  start_mock prim --fault status=503
  alone -H 'x-stainless-retry-count: 1' "$PRIM_URL$(path_of chat)" >got
  [ "$(requests_of prim)" -eq 1 ]
}

@test "a loop in PHP waits for the retry without spinning (R10)" {
  start_mock prim --fault status=429,retry-after-ms=900,once
  cat >loop.php <<'END'
<?php
$m = curl_multi_init();
$h = curl_init($argv[1]);
curl_setopt_array($h, [CURLOPT_POSTFIELDS => $argv[2],
    CURLOPT_RETURNTRANSFER => true]);
curl_multi_add_handle($m, $h);
$turns = 0;
do {
    curl_multi_exec($m, $running);
    curl_multi_select($m, 1.0);
    $turns++;
} while ($running);
fwrite(STDERR, "$turns\n");
echo curl_multi_getcontent($h);
END
  unstall run --quiet --set mode=hedge --set retry.max=1 -- \
    php loop.php "$PRIM_URL$(path_of chat)" "$(chat_body)" >got 2>turns
  took_between 900 3500
  grep -q DONE got
  (($(cat turns) < 1000))
}
