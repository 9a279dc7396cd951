#!/usr/bin/env bats
# Mode shadow: a second request is read beside the program's own, measured, and
# never heard (R12, P1, P3, P5, P6).

load lib

setup() {
    common_setup
    start_mock prim
    start_mock back
}

teardown() {
    common_teardown
}

# shadowed [OPTION...] -- COMMAND...
shadowed() {
    local options=()
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    unstall run --quiet --set mode=shadow --backup "$BACK_URL/v1" \
        "${options[@]}" "$@"
}

# curl with the faults of the primary and of the shadow (in the model's name).
# fetch FAULT SHADOW_FAULT [CURL OPTION...]
fetch() {
    curl -sN -m 10 -H 'content-type: application/json' \
        -H "x-mock-fault: $1" -d "$(chat_body "mock:$2")" "${@:3}" \
        "$PRIM_URL$(path_of chat)"
}

shadow_row() {
    store "select $1 from attempts where outcome = 'shadow'"
}

@test "the program gets its own answer, whole, and nothing else (R12 P1)" {
    fetch interval=0.005 none -i >plain
    shadowed -- curl -sN -m 10 -i -H 'content-type: application/json' \
        -H "x-mock-fault: interval=0.005" -d "$(chat_body mock:none)" \
        "$PRIM_URL$(path_of chat)" >beside
    cmp plain beside
    refute grep -q back beside
    [ "$(requests_of prim)" -eq 2 ]
    [ "$(requests_of back)" -eq 1 ]
    [ "$(store 'select mode, outcome, winner, attempts, resumed, hedge_reason
        is null from calls')" = "shadow|ok|0|2|0|1" ]
    [ "$(shadow_row 'seq, source, why, started_ms < 100')" = \
        "1|backup|shadow|1" ]
}

# The primary does FAULT while the shadow answers at once: the program sees
# what it would see alone.
not_rescued() {
    local code=0 alone=0
    fetch "$1" none -i -m 1.5 >plain || alone=$?
    shadowed --after 0.1 --stall-after 0.1 --set mode=shadow -- \
        curl -sN -m 1.5 -i -H 'content-type: application/json' \
        -H "x-mock-fault: $1" -d "$(chat_body mock:none)" \
        "$PRIM_URL$(path_of chat)" >beside || code=$?
    cmp plain beside
    [ "$code" -eq "$alone" ]
    refute grep -q back beside
    [ "$(shadow_row 'chunk_count > 0, curl_code')" = "1|0" ]
}

@test "a silent primary stays silent (R12)" {
    not_rescued silent
}

@test "a stalled primary stays stalled (R12)" {
    not_rescued stall@5=60
}

@test "a primary that is cut stays cut (R12)" {
    not_rescued cut@5,interval=0.1
}

@test "a primary that refuses is not replaced (R12)" {
    not_rescued status=503,headers-late=0.3
}

@test "a shadow that is slower is cut off with the call, censored (R12)" {
    stopwatch
    shadowed -- curl -sN -m 10 -H 'content-type: application/json' \
        -H 'x-mock-fault: interval=0.01' \
        -d "$(chat_body mock:silent-after-headers)" \
        "$PRIM_URL$(path_of chat)" >answer
    took_between 150 3000
    grep -q DONE answer
    await_ends back 1
    [ "$(ends_of back)" = client_left ]
    [ "$(shadow_row 'ttft_ms is null, curl_code is null, wall_ms >= 150')" = \
        "1|1|1" ]
}

@test "a shadow that breaks does not matter (R12)" {
    local fault
    for fault in status=500 reset reset@3 cut@3 error@3 error-first; do
        shadowed -- curl -sN -m 10 -H 'x-mock-fault: interval=0.005' \
            -d "$(chat_body "mock:$fault")" "$PRIM_URL$(path_of chat)" >answer
        grep -q DONE answer
        refute grep -q back answer
    done
    [ "$(store "select count(*) from calls where outcome = 'ok' and
        winner = 0 and attempts = 2")" -eq 6 ]
    [ "$(shadow_row 'count(*)')" -eq 6 ]
}

# The shadows get no more than the budget has, and the calls say why not.
@test "shadows are paid for (R11 P5)" {
    local n
    for n in 1 2 3 4; do
        shadowed --set hedge.budget.burst=2 --set hedge.budget.ratio=0 -- \
            curl -sN -m 10 -H 'x-mock-fault: interval=0.005' \
            -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >/dev/null
    done
    [ "$(requests_of prim)" -eq 4 ]
    [ "$(requests_of back)" -eq 2 ]
    [ "$(store 'select spent from budget')" -eq 2 ]
    [ "$(store "select hedge_reason, count(*) from calls group by 1
        order by 1")" = $'|2\nbudget_exhausted|2' ]
}

@test "one request at most is one request (P5)" {
    shadowed --set hedge.max_attempts=1 -- curl -sN -m 10 \
        -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >answer
    grep -q DONE answer
    [ "$(requests_of back)" -eq 0 ]
}

@test "its source gets its own key and not the program's (P3)" {
    BACKUP_KEY=sk-back shadowed --backup-key-env BACKUP_KEY -- \
        curl -sN -m 10 -H 'authorization: Bearer sk-own' -H 'x-own: sk-own' \
        -H 'x-mock-fault: interval=0.005' -b cookie=sk-own \
        -d "$(chat_body)" "$PRIM_URL$(path_of chat)?key=sk-own" >answer
    grep -q DONE answer
    [ "$(requests_of back)" -eq 1 ]
    mock_log back | grep -q 'Bearer sk-back'
    refute grep -q sk-own "$BACK_LOG"
}

@test "where prompts go is said before they do" {
    unstall run --set mode=shadow --backup "$BACK_URL/v1" -- true 2>said
    grep -q "calls may also be sent to $BACK_URL" said
}

@test "without a backup the same endpoint is asked, on a connection apart" {
    unstall run --quiet --set mode=shadow -- curl -sN -m 10 \
        -H 'x-mock-fault: interval=0.005' -d "$(chat_body)" \
        "$PRIM_URL$(path_of chat)" >answer
    [ "$(grep -c DONE answer)" -eq 1 ]
    [ "$(requests_of prim)" -eq 2 ]
    [ "$(mock_log prim 'select(.event == "request") | .conn' | sort -u |
        wc -l)" -eq 2 ]
}

@test "a body that is still being read is not sent in part" {
    { chat_body && sleep 0.3; } | shadowed -- curl -sN -m 10 -X POST -T - \
        -H 'content-type: application/json' -H 'x-mock-fault: interval=0.04' \
        "$PRIM_URL$(path_of chat)" >answer
    grep -q DONE answer
    [ "$(mock_log back 'select(.event == "request") | .body')" = \
        "$(chat_body)" ]
}

# A locked store, a slow shadow, one that streams faster than is read: the
# program's own time is that of its own answer, 20 tokens at 10 ms.
@test "the program's time is not lengthened (R12 P6)" {
    shadowed -- curl -sN -m 10 -H 'x-mock-fault: interval=0.005' \
        -d "$(chat_body)" "$PRIM_URL$(path_of chat)" >/dev/null
    mkfifo done
    { echo 'begin immediate;' && echo '.print locked' && cat done; } |
        sqlite3 "$XDG_STATE_HOME/unstall/unstall.db" >locked 3>&- &
    local pid=$! total
    eventually grep -q locked locked
    total=$(shadowed --set store.timeline=false -- curl -sN -m 10 -o answer \
        -w '%{time_total}' -H 'x-mock-fault: interval=0.01' \
        -d "$(chat_body mock:silent)" "$PRIM_URL$(path_of chat)")
    echo >done
    wait "$pid"
    grep -q DONE answer
    [ "$(requests_of back)" -eq 1 ] # the first one's; there was no token
    awk -v t="$total" 'BEGIN { exit !(t >= 0.19 && t < 1.2) }'
}

@test "in a program's own multi: one DONE each, its own bytes (R12 P1 P6)" {
    cat >many.py <<'END'
import io, pycurl, sys

url, body, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
multi = pycurl.CurlMulti()
calls = []
for n in range(count):
    easy = pycurl.Curl()
    easy.out = io.BytesIO()
    easy.setopt(easy.URL, url)
    easy.setopt(easy.POSTFIELDS, body)
    easy.setopt(easy.WRITEDATA, easy.out)
    easy.setopt(easy.HTTPHEADER, ['x-mock-fault: interval=0.005'])
    multi.add_handle(easy)
    calls.append(easy)
running, done = 1, []
while running:
    multi.select(1.0)
    _, running = multi.perform()
    _, good, bad = multi.info_read()
    assert not bad, bad
    done += good
assert running == 0
assert len(done) == count and set(done) == set(calls)
for easy in calls:
    multi.remove_handle(easy)
    sys.stdout.write(easy.out.getvalue().decode())
END
    /usr/bin/python3 many.py "$PRIM_URL$(path_of chat)" "$(chat_body)" 10 >plain
    shadowed --set hedge.budget.burst=100 -- /usr/bin/python3 many.py \
        "$PRIM_URL$(path_of chat)" "$(chat_body)" 10 >beside
    cmp plain beside
    [ "$(requests_of back)" -eq 10 ]
    [ "$(shadow_row 'count(*)')" -eq 10 ]
}
