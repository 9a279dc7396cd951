#!/usr/bin/env bats
# Several sources: tied requests, the order in which they are asked, rivals
# that fail like the one they were asked for, and who decides (R1 to R5).

load lib

setup() {
    common_setup
}

teardown() {
    common_teardown
}

# Sources "back" and "third" besides the primary "prim"; each may have faults.
three_mocks() {
    start_mock prim --fault "$1"
    start_mock back --fault "$2"
    start_mock third --fault "${3:-none}"
}

# ask_prim [OPTION...]: curl to the primary.
ask_prim() {
    unstall run --quiet --set hedge.budget.burst=100 "$@" -- \
        curl -sN -m 10 -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
}

# Who was asked when and why, and what became of it.
attempts() {
    store "select seq, source, why, outcome from attempts order by seq"
}

started() {
    store "select started_ms from attempts where seq = $1"
}

# between VALUE MIN MAX
between() {
    (($1 >= $2 && $1 <= $3)) || { echo "$1, not $2 to $3" && return 1; }
}

@test "tied: the loser is cancelled, and paid for (R1 R6 R11)" {
    three_mocks first-late=0.3 first-late=5
    ask_prim --after 0 --backup "$BACK_URL/v1" >answer
    grep -q prim answer
    refute grep -q back answer
    [ "$(attempts)" = $'0|primary||won\n1|backup|tied|hedge_cancelled' ]
    between "$(started 1)" 0 200
    [ "$(store 'select spent from budget')" -eq 1 ]
    await_ends back 1
    [ "$(ends_of back)" = client_left ]
}

@test "tied: one rival, and none by the clock (R1)" {
    three_mocks first-late=1 first-late=1
    ask_prim --after 0 --set hedge.max_attempts=3 --backup "$BACK_URL/v1" \
        --backup "$THIRD_URL/v1" >answer
    grep -q DONE answer
    [ "$(requests_of back)" -eq 1 ]
    [ "$(requests_of third)" -eq 0 ]
}

@test "sources are asked in order, each after the same silence (R2)" {
    three_mocks silent silent
    ask third chat >plain
    ask_prim --after 0.3 --backup "$BACK_URL/v1" --backup "$THIRD_URL/v1" \
        >answer
    cmp plain answer
    [ "$(store "select group_concat(why), group_concat(outcome) from
        (select * from attempts order by seq)")" = \
        "first_token,first_token|hedge_cancelled,hedge_cancelled,won" ]
    [ "$(store "select max(origin = '$BACK_URL') from attempts
        where seq = 1")" -eq 1 ]
    between "$(started 1)" 300 900
    between "$(($(started 2) - $(started 1)))" 300 900
}

@test "after the last source the first is asked again (R2 P5)" {
    three_mocks silent silent,once silent
    ask_prim --after 0.2 --set hedge.max_attempts=4 --backup "$BACK_URL/v1" \
        --backup "$THIRD_URL/v1" >answer
    grep -q back answer
    [ "$(requests_of prim)" -eq 1 ]
    [ "$(requests_of back)" -eq 2 ]
    [ "$(requests_of third)" -eq 1 ]
}

@test "a source that refuses makes way for the next at once (R3)" {
    three_mocks silent status=401
    ask third chat >plain
    stopwatch
    ask_prim --after 0.3 --backup "$BACK_URL/v1" --backup "$THIRD_URL/v1" \
        >answer
    cmp plain answer
    between "$(($(started 2) - $(started 1)))" 0 250
    [ "$(store "select why from attempts where seq = 2")" = failure ]
}

# A provider whose streams all stall: its second one does, too.
@test "a rival that stalls like the primary: the third source (R4)" {
    start_mock prim --fault stall@5=60
    start_mock third
    ask third chat >plain
    config <<END
{ "mode": "hedge",
  "hedge": { "stall_after_s": 0.3, "hold_s": "all", "max_attempts": 3 },
  "sources": { "third": { "base_url": "$THIRD_URL/v1", "auth": "none" } },
  "routes": [ { "match": "$PRIM_URL/*", "sources": ["self", "third"] } ] }
END
    ask_prim >answer
    cmp plain answer
    [ "$(requests_of prim)" -eq 2 ]
    [ "$(store "select group_concat(source), group_concat(why) from
        (select * from attempts order by seq)")" = \
        "primary,self,third|stall,stall" ]
    [ "$(store 'select outcome, winner from calls')" = "ok|2" ]
}

@test "a rival that is silent while the primary stalls: the third (R4)" {
    three_mocks stall@5=60 silent
    ask third chat >plain
    ask_prim --stall-after 0.3 --hold all --set hedge.max_attempts=3 \
        --backup "$BACK_URL/v1" --backup "$THIRD_URL/v1" >answer
    cmp plain answer
    between "$(($(started 2) - $(started 1)))" 300 900
}

# first_complete: who speaks first need not be who is done first.
decided() {
    three_mocks "$1" "$2"
    ask_prim --after 0 --hold all --set hedge.decide=first_complete \
        --backup "$BACK_URL/v1" >answer
    [ "$(requests_of back)" -eq 1 ]
}

@test "first_complete: a late rival that is done first (R5 P1)" {
    decided tokens=20,interval=0.2 first-late=0.5,interval=0.001
    ask back chat first-late=0.5,interval=0.001 >plain
    cmp plain answer
    [ "$(attempts)" = $'0|primary||hedge_cancelled\n1|backup|tied|won' ]
    [ "$(store 'select chunk_count > 1 from attempts where seq = 0')" -eq 1 ]
    await_ends prim 1
    [ "$(ends_of prim)" = client_left ]
}

@test "first_complete: the primary, though the rival spoke first (R5 P1)" {
    decided first-late=0.5,interval=0.001 tokens=20,interval=0.2
    ask prim chat first-late=0.5,interval=0.001 >plain
    cmp plain answer
    [ "$(attempts)" = $'0|primary||won\n1|backup|tied|hedge_cancelled' ]
}

@test "first_complete: one that breaks off is passed over (R3 R5)" {
    decided cut@5,interval=0.05 interval=0.05
    ask back chat interval=0.05 >plain
    cmp plain answer
    [ "$(store 'select outcome, winner from calls')" = "ok|1" ]
}

@test "first_complete without hold all is refused" {
    run "$UNSTALL" run --after 0 --set hedge.decide=first_complete -- true
    [ "$status" -ne 0 ]
    [[ $output == *'needs hedge.hold_s "all"'* ]]
}

# --- keepalive ---------------------------------------------------------------

# probe_of PORT: seconds until an established connection there is probed, from
# the kernel's table; "off": it never is.  (Ports and spans are in hex, spans in
# hundredths; timer 02 is keepalive's.)
probe_of() {
    local timer
    timer=$(grep -m 1 "$(printf ':%04X 01 ' "$1")" /proc/net/tcp |
        awk '{ print $6 }')
    case $timer in
    02:*) echo $((0x${timer#02:} / 100)) ;;
    ?*) echo off ;;
    *) echo none ;;
    esac
}

probes_within() {
    local seconds
    seconds=$(probe_of "$1")
    [[ $seconds != off && $seconds != none ]] &&
        ((seconds >= $2 && seconds <= $3))
}

probes_are_off() {
    [[ $(probe_of "$1") == off ]]
}

@test "keepalive: rivals get ours, a program's own setting stands (P6)" {
    local pid
    three_mocks silent silent
    unstall run --quiet --after 0.1 --set stream.tcp_keepalive_s=7 \
        --backup "$BACK_URL/v1" -- curl -sN -m 8 -d "$(chat_body)" \
        "$PRIM_URL$(path_of chat)" >answer 3>&- &
    pid=$!
    eventually probes_within "$BACK_PORT" 4 7
    eventually probes_within "$PRIM_PORT" 50 60 # curl's own minute
    wait "$pid" || true
}

@test "keepalive: where the program set none, and only for its call (P6)" {
    local pid
    three_mocks silent silent
    config <<END
{ "mode": "hedge", "hedge": { "after_s": 20 },
  "stream": { "tcp_keepalive_s": 7 },
  "routes": [ { "match": "$BACK_URL/*", "exclude": true } ] }
END
    cat >twice.py <<'END'
import pycurl, sys

easy = pycurl.Curl()
easy.setopt(easy.POSTFIELDS, sys.argv[1])
easy.setopt(easy.WRITEFUNCTION, lambda data: None)
easy.setopt(easy.TIMEOUT_MS, 1500)
for url in sys.argv[2:]:
    easy.setopt(easy.URL, url)
    try:
        easy.perform()
    except pycurl.error:
        pass
END
    with_shim /usr/bin/python3 twice.py "$(chat_body)" \
        "$PRIM_URL$(path_of chat)" "$BACK_URL$(path_of chat)" 3>&- &
    pid=$!
    eventually probes_within "$PRIM_PORT" 4 7
    eventually probes_are_off "$BACK_PORT"
    wait "$pid"
}
