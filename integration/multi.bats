#!/usr/bin/env bats
# Races in the application's own multi and event loop: whatever kind of loop it
# has, it gets one DONE for each handle that it added, with the winner's
# result, and never hears of a rival (P1, P6).  integration/fleet/fleet.h says
# what the programs check by themselves at every turn: `breaches 0`.

load lib

setup() {
  common_setup
}

teardown() {
  [ ! -e "$BATS_TEST_TMPDIR/nginx.pid" ] ||
    kill "$(<"$BATS_TEST_TMPDIR/nginx.pid")" || true
  common_teardown
}

LOOPS="poll wait fdset fixed all epoll uv event"

# loop NAME ARGUMENT...: its summary on stdout, its costs on stderr.
loop() {
  local name=$1 command
  shift
  case $name in
  uv | event) command=("$BUILD/fleet/$name") ;;
  *) command=("$BUILD/fleet/own" "$name") ;;
  esac
  "${command[@]}" body="$(chat_body)" "$@"
}

# In every kind of loop at once, each in a directory and with a store of its
# own: COMMAND NAME ARGUMENT...
in_every_loop() {
  local name pids=() names=($LOOPS) failed=0 i
  for name in "${names[@]}"; do
    mkdir -p "$name"
    (
      cd "$name"
      export XDG_STATE_HOME=$PWD/state XDG_RUNTIME_DIR=$PWD/run
      mkdir -m 700 run
      "$1" "$name" "${@:2}"
    ) >"$name/said" 2>&1 3>&- &
    pids+=($!)
  done
  for i in "${!pids[@]}"; do
    wait "${pids[i]}" && continue
    failed=1
    echo "${names[i]} loop:"
    cat "${names[i]}/said" "${names[i]}"/err* || true
  done
  [ "$failed" -eq 0 ]
}

# Fail, and show how they differ.
same() {
  diff -u "$1" "$2"
}

# raced NAME OPTION... -- ARGUMENT...: a loop behind `unstall run`.
raced() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  case $name in
  uv | event) set -- "$BUILD/fleet/$name" "$@" ;;
  *) set -- "$BUILD/fleet/own" "$name" "$@" ;;
  esac
  unstall run --quiet --set hedge.budget.burst=1000 "${options[@]}" \
    -- "$@" body="$(chat_body)"
}

# The slowest transfer of the last run took at most so many milliseconds.
slowest_within() {
  local ms
  ms=$(sed -n 's/^slowest \([0-9]*\) ms.*/\1/p' err)
  ((ms <= $1)) || { echo "slowest $ms ms, not $1" && return 1; }
}

llm() {
  echo "llm=$(mock_var "$1" URL)$(path_of chat)"
}

plain() {
  echo "plain=$(mock_var "$1" URL)/plain?bytes=100000"
}

# --- nothing goes wrong ------------------------------------------------------

undisturbed() {
  loop "$1" "${@:2}" >plain 2>err
  raced "$1" --after 5 --stall-after 5 --hold all --backup "$BACK_URL/v1" -- \
    "${@:2}" >raced 2>err
  same plain raced
  [ "$(store 'select count(*), winner, attempts from calls
              group by 2, 3')" = "12|0|1" ]
}

@test "healthy calls beside plain transfers are as without (P1 P2)" {
  start_mock prim --interval-ms 2
  start_mock back
  in_every_loop undisturbed "$(llm prim)" calls=12 at=5 "$(plain prim)" plains=8
  [ "$(requests_of back)" -eq 0 ]
}

@test "handles that are used again are as new ones (P1)" {
  start_mock prim --interval-ms 2
  start_mock back
  in_every_loop undisturbed "$(llm prim)" calls=12 at=3 reuse \
    "$(plain prim)" plains=8
  [ "$(requests_of back)" -eq 0 ]
}

@test "a pause that ends outside of callbacks is as without (P6)" {
  start_mock prim --interval-ms 2
  start_mock back
  in_every_loop undisturbed "$(llm prim)" calls=12 at=5 pause=60 \
    "$(plain prim)" plains=8
  [ "$(requests_of back)" -eq 0 ]
}

observed() {
  loop "$1" "${@:2}" >plain 2>err
  with_shim loop "$1" "${@:2}" >raced 2>err
  same plain raced
  [ "$(store 'select count(*), mode, outcome, attempts, chunk_count from calls
              group by 2, 3, 4, 5')" = "12|observe|ok|1|20" ]
}

@test "a bare preload only writes down what it sees" {
  start_mock prim --interval-ms 2
  in_every_loop observed "$(llm prim)" calls=12 at=5 pause=60 \
    "$(plain prim)" plains=8
  [ "$(requests_of prim)" -eq $((2 * 8 * (12 + 8))) ]
}

# --- rescues -----------------------------------------------------------------

# rescued NAME ROW MS OPTION... -- ARGUMENT...: every call gets the answer
# that `back` gives, within so many milliseconds; ROW is theirs in the store.
rescued() {
  local name=$1 row=$2 ms=$3
  loop "$name" "$(llm back)" "${@: -5}" >plain 2>err-plain
  raced "$name" --backup "$BACK_URL/v1" "${@:4}" >raced 2>err
  same plain raced
  slowest_within "$ms"
  [ "$(store 'select count(*), outcome, winner, hedge_reason, attempts
              from calls group by 2, 3, 4, 5')" = "$row" ]
}

# Five words: the fleet of a rescue.
fleet() {
  echo "calls=${1:-10} at=${2:-5} plains=10 $(plain back) ${3:-timeout=0}"
}

@test "silent: the second source answers them all in time (P1 R2 R6)" {
  start_mock prim --fault silent
  start_mock back
  in_every_loop rescued "10|ok|1|first_token|2" 900 \
    --after 0.3 -- "$(llm prim)" $(fleet)
  await_ends prim 80
  [ "$(ends_of prim | sort -u)" = client_left ]
}

@test "silent: handles are used again after a rescue (P1)" {
  start_mock prim --fault silent
  start_mock back
  in_every_loop rescued "10|ok|1|first_token|2" 900 \
    --after 0.3 -- "$(llm prim)" $(fleet 10 2 reuse)
}

@test "silent: the application pauses the second source's answer (P6)" {
  start_mock prim --fault silent
  start_mock back --interval-ms 1
  in_every_loop rescued "10|ok|1|first_token|2" 1500 \
    --after 0.3 -- "$(llm prim)" $(fleet 10 5 pause=100)
}

@test "stall: what was held is replaced by the second answer (P1 R4)" {
  start_mock prim --fault stall@5=30
  start_mock back
  in_every_loop rescued "10|ok|1|stall|2" 900 \
    --stall-after 0.3 --hold all -- "$(llm prim)" $(fleet)
}

@test "stall: a held answer is paused while it is given (P6 R5)" {
  start_mock prim --fault stall@5=30
  start_mock back
  in_every_loop rescued "10|ok|1|stall|2" 1500 \
    --stall-after 0.3 --hold all -- "$(llm prim)" $(fleet 10 5 pause=100)
}

@test "failure: the second source answers at once (R3)" {
  start_mock prim --fault status=503
  start_mock back
  in_every_loop rescued "10|ok|1|failure|2" 600 \
    --after 5 -- "$(llm prim)" $(fleet)
}

@test "reset: the second source answers at once (R3)" {
  start_mock prim --fault reset
  start_mock back
  in_every_loop rescued "10|ok|1|failure|2" 600 \
    --after 5 -- "$(llm prim)" $(fleet)
}

@test "tied: both are asked at once, and one is heard (R1)" {
  start_mock prim --fault silent
  start_mock back
  in_every_loop rescued "10|ok|1|tied|2" 600 \
    --after 0 -- "$(llm prim)" $(fleet)
}

@test "a wakeup every millisecond disturbs nobody" {
  start_mock prim --fault silent
  start_mock back
  LOOPS="poll wait fdset epoll"
  in_every_loop rescued "10|ok|1|first_token|2" 900 \
    --after 0.3 -- "$(llm prim)" $(fleet 10 5 wakeup=1)
}

# cpu_of FILE: milliseconds, of the program that wrote it.
cpu_of() {
  sed -n 's/.*cpu \([0-9]*\) ms.*/\1/p' "$1"
}

thousand() {
  loop "$1" "$(llm fine)" "${@:3}" >plain 2>err-plain
  raced "$1" --after 1.5 --stall-after 5 --hold all \
    --backup "$BACK_URL/v1" -- "$2" "${@:3}" >raced 2>err
  [ "$(grep '^done' raced)" = "done 1000, breaches 0" ]
  refute grep -q 'code [1-9]' raced
  [ "$(store 'select sum(winner = 1) >= 100, count(*) from calls')" = \
    "1|1000" ]
  local hedged=$(cpu_of err) plain=$(cpu_of err-plain)
  local requests=$(store 'select sum(attempts) from calls')
  ((hedged <= requests * (3 * plain + 300) / 1000)) ||
    { echo "cpu $hedged, $plain, $requests requests" && return 1; }
}

@test "of 1000 calls in one multi none is lost, nor costly (P4)" {
  ulimit -n 8192 || skip "no 8192 descriptors"
  start_mock back --interval-ms 20
  start_mock fine --interval-ms 20
  for name in poll epoll; do
    start_mock "prim-$name" --interval-ms 20 --fault silent,every=10
    mkdir -p "$name"
    cd "$name"
    export XDG_STATE_HOME=$PWD/state
    thousand "$name" "$(llm "prim-$name")" calls=1000 at=1000
    cd ..
  done
}

# --- limits of the application's own -----------------------------------------

@test "one connection in all: the second source's comes on top (R2)" {
  start_mock prim --fault silent
  start_mock back
  in_every_loop rescued "4|ok|1|first_token|2" 900 \
    --after 0.3 -- "$(llm prim)" $(fleet 4 1 total=1)
}

# Its second and fourth request are not answered.
own_twice() {
  raced "$1" --after 0.3 -- "$(llm "prim-$1")" "${@:2}" >raced 2>err
  grep -Eqx 'llm 3: code 0, bytes [0-9a-f]+' raced
  grep -qx 'done 3, breaches 0' raced
  slowest_within 900
  [ "$(store 'select attempts from calls order by id' | tr '\n' ' ')" = \
    "1 2 2 " ]
}

@test "one connection a host: the same host is asked on another (R2)" {
  for name in $LOOPS; do
    start_mock "prim-$name" --fault silent,every=2
  done
  in_every_loop own_twice calls=3 at=1 host=1
}

queued() {
  loop "$1" "${@:2}" >plain 2>err-plain
  raced "$1" --after 0.4 --backup "$BACK_URL/v1" -- "${@:2}" >raced 2>err
  same plain raced
  [ "$(store 'select count(*), winner, attempts from calls
              group by 2, 3')" = "6|0|1" ]
}

@test "a call that waits for a connection is not silent (R2 P5)" {
  start_mock prim --interval-ms 10
  start_mock back
  in_every_loop queued "$(llm prim)" calls=6 at=6 total=1
  [ "$(requests_of back)" -eq 0 ]
}

@test "nor is one that waits for its host's only connection (R2 P5)" {
  start_mock prim --interval-ms 10
  start_mock back
  in_every_loop queued "$(llm prim)" calls=6 at=6 host=1
  [ "$(requests_of back)" -eq 0 ]
}

queued_silent() {
  raced "$1" --after 0.3 --backup "$BACK_URL/v1" -- "${@:2}" >raced 2>err
  grep -Eqx 'llm 4: code 0, bytes [0-9a-f]+' raced
  grep -qx 'done 4, breaches 0' raced
  [ "$(store 'select count(*), winner, attempts from calls
              group by 2, 3')" = "4|1|2" ]
}

@test "a call that has waited for a connection is rescued like any (R2)" {
  start_mock prim --fault silent
  start_mock back
  in_every_loop queued_silent "$(llm prim)" calls=4 at=4 total=1 reuse
}

# --- a loop that is late -----------------------------------------------------

@test "what waits at the socket is read before anybody is asked (P1)" {
  start_mock prim --fault first-late=0.6
  start_mock back
  raced epoll --after 1.1 --backup "$BACK_URL/v1" -- "$(llm prim)" calls=1 \
    late=400 >raced 2>err
  grep -qx 'done 1, breaches 0' raced
  [ "$(store 'select winner, attempts from calls')" = "0|1" ]
  [ "$(requests_of back)" -eq 0 ]
}

# --- HTTP/2 ------------------------------------------------------------------

# front NAME: nginx with TLS and HTTP/2 before that mock; sets FRONT_URL and
# leaves its certificate in ca.pem.
front() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=front \
    -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out ca.pem 2>/dev/null
  for FRONT_PORT in $(shuf -i 20000-32000 -n 20); do
    cat >nginx.conf <<END
pid $PWD/nginx.pid;
error_log $PWD/nginx.log;
events {}
http {
  log_format short '\$connection \$server_protocol \$status';
  access_log $PWD/access.log short;
  client_body_temp_path $PWD/body;
  proxy_temp_path $PWD/proxy;
  fastcgi_temp_path $PWD/fastcgi;
  uwsgi_temp_path $PWD/uwsgi;
  scgi_temp_path $PWD/scgi;
  server {
    listen 127.0.0.1:$FRONT_PORT ssl http2;
    ssl_certificate $PWD/ca.pem;
    ssl_certificate_key $PWD/key.pem;
    location / {
      proxy_pass $(mock_var "$1" URL);
      proxy_buffering off;
      proxy_http_version 1.1;
    }
  }
}
END
    nginx -c "$PWD/nginx.conf" 2>/dev/null 3>&- && break
  done
  FRONT_URL=https://127.0.0.1:$FRONT_PORT
}

@test "HTTP/2: healthy calls share a connection as without (P1)" {
  start_mock prim --interval-ms 2
  start_mock back
  front prim
  in_every_loop undisturbed "llm=$FRONT_URL$(path_of chat)" \
    calls=12 at=5 "plain=$FRONT_URL/plain?bytes=100000" plains=8 \
    ca="$PWD/ca.pem" http2
  [ "$(requests_of back)" -eq 0 ]
  [ "$(grep -c 'HTTP/2.0 200' access.log)" -eq $((2 * 8 * (12 + 8))) ]
}

@test "HTTP/2: streams that stall are answered by the second source (R4)" {
  start_mock prim --fault stall@5=30
  start_mock back
  front prim
  h2_rescued() {
    raced "$1" --stall-after 0.4 --hold all --backup "$BACK_URL/v1" -- \
      "${@:2}" >raced 2>err
    grep -Eqx 'llm 10: code 0, bytes [0-9a-f]+' raced
    grep -qx 'done 20, breaches 0' raced
    slowest_within 1500
    [ "$(store 'select count(*), winner, hedge_reason from calls
                group by 2, 3')" = "10|1|stall" ]
  }
  in_every_loop h2_rescued "llm=$FRONT_URL$(path_of chat)" calls=10 at=5 \
    "plain=$FRONT_URL/plain?bytes=100000" plains=10 ca="$PWD/ca.pem" http2
}

both_logged() {
  [ "$(wc -l <access.log)" -eq 2 ]
}

@test "HTTP/2: the same server is asked on a connection of its own (R4)" {
  start_mock prim --fault silent,once
  front prim
  raced poll --after 0.3 -- "llm=$FRONT_URL$(path_of chat)" calls=1 \
    ca="$PWD/ca.pem" http2 >raced 2>err
  grep -qx 'done 1, breaches 0' raced
  [ "$(store 'select winner, attempts from calls')" = "1|2" ]
  eventually both_logged
  [ "$(cut -d' ' -f1 access.log | sort -u | wc -l)" -eq 2 ]
}

# --- names -------------------------------------------------------------------

slow_name() {
  LD_PRELOAD=$BUILD/fleet/slow_dns.so raced "$1" --after 0.3 \
    --backup "$BACK_URL/v1" -- "${@:2}" >raced 2>err
  grep -Eqx 'llm 4: code 0, bytes [0-9a-f]+' raced
  grep -qx 'done 4, breaches 0' raced
  slowest_within 1500
}

@test "nobody waits for the look-up of a name that is given up (R6)" {
  start_mock prim
  start_mock back
  in_every_loop slow_name calls=4 at=2 \
    "llm=http://slow.test:$PRIM_PORT$(path_of chat)"
}

# --- no rescue ---------------------------------------------------------------

lost() {
  loop "$1" "${@:2}" >plain 2>err-plain
  raced "$1" --after 0.3 --backup "$BACK_URL/v1" -- "${@:2}" >raced 2>err
  same plain raced
  [ "$(store 'select count(*), attempts from calls group by 2')" = "10|2" ]
}

@test "both fail: the application's own status and body (R7)" {
  start_mock prim --fault status=503
  start_mock back --fault status=500
  in_every_loop lost "$(llm prim)" calls=10 at=5 "$(plain back)" plains=10
}

@test "both fail: the application's own code and text (R7)" {
  start_mock prim --fault reset
  start_mock back --fault reset
  in_every_loop lost "$(llm prim)" calls=10 at=5
}

late() {
  raced "$1" --after 0.2 --backup "$BACK_URL/v1" -- "${@:2}" >raced 2>err
  grep -Eqx 'llm 10: code 28, bytes 811c9dc5, Operation timed out after [0-9]+ milliseconds with 0 bytes received' raced
  grep -qx 'done 20, breaches 0' raced
  slowest_within 1000
}

@test "both silent: the application's own timeout, in libcurl's words (R9)" {
  start_mock prim --fault silent
  start_mock back --fault silent
  start_mock fine
  in_every_loop late "$(llm prim)" calls=10 at=10 timeout=500 \
    "$(plain fine)" plains=10
}

# --- many --------------------------------------------------------------------

some_stall() {
  raced "$1" --stall-after 0.4 --hold all --backup "$BACK_URL/v1" -- \
    "${@:2}" >raced 2>err
  [ "$(grep '^done' raced)" = "done 50, breaches 0" ]
  [ "$(awk '/^llm/ { n += $2 } END { print n }' raced)" -eq 50 ]
  refute grep -q 'code [1-9]' raced
  [ "$(store 'select count(*), outcome, winner, hedge_reason from calls
              group by 2, 3, 4 order by 1')" = "10|ok|1|stall
40|ok|0|" ]
}

@test "of 50 calls at once 10 stall, and all are answered" {
  start_mock back
  for name in $LOOPS; do
    start_mock "prim-$name" --fault stall@5=30,every=5
  done
  stalled() { some_stall "$1" "$(llm "prim-$1")" "${@:2}"; }
  in_every_loop stalled calls=50 at=50
}

# --- at the wrong moment -----------------------------------------------------

@test "what is asked for inside a callback is refused, and asked again (P6)" {
  start_mock prim --fault first-late=1
  start_mock back
  early=("$BUILD/integration/clients/early" "$PRIM_URL/plain?bytes=3000"
    "$PRIM_URL$(path_of chat)")
  "${early[@]}" >plain
  unstall run --quiet --after 0.1 --backup "$BACK_URL/v1" -- "${early[@]}" >raced
  same plain raced
  grep -qx 'inside: add 8, socket callback 8, limit 8' plain
  grep -qx 'a body, a body, strangers 0' plain
  [ "$(store 'select attempts, winner from calls')" = "2|1" ]
}

@test "a program that drives libcurl from its timer callback (P6)" {
  start_mock prim --fault first-late=1
  start_mock back
  eager=("$BUILD/integration/clients/eager" "$PRIM_URL/plain?bytes=3000"
    "$PRIM_URL$(path_of chat)")
  timeout 20 "${eager[@]}" >plain
  unstall run --quiet --after 0.1 --backup "$BACK_URL/v1" -- \
    timeout 20 "${eager[@]}" >raced
  same plain raced
  [ "$(grep -c '^done 0, a body' plain)" -eq 2 ]
  [ "$(store 'select attempts, winner from calls')" = "2|1" ]
}
