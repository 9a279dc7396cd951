#!/usr/bin/env bats
# The budget of extra requests, shared by all processes (P5, R11), and origins
# that want none.

load lib

setup() {
    common_setup
}

teardown() {
    common_teardown
}

# A rival after 100 ms at the same origin.
# hedged [OPTION...] [-- CURL OPTION...]
hedged() {
    local options=()
    while [[ $# -gt 0 && $1 != -- ]]; do
        options+=("$1")
        shift
    done
    unstall run --quiet --after 0.1 "${options[@]}" -- \
        curl -sN -m "${LIMIT:-5}" -H 'content-type: application/json' \
        -d "$(chat_body)" "${@:2}" "$ALPHA_URL$(path_of chat)" || true
}

# ten_calls OPTION...: one process of the crowd, by hand for its speed.
ten_calls() {
    local n
    for ((n = 0; n < 10; n++)); do hedged "$@" >/dev/null; done
}

reasons() {
    store "select hedge_reason, count(*) from calls group by 1 order by 1"
}

@test "16 programs spend no more than the one budget (P5 R11)" {
    local pids=() n extra most LIMIT=0.4
    start_mock alpha --fault silent
    with_shim ask alpha chat silent -m 0.1 || true # the store is there
    for ((n = 0; n < 16; n++)); do
        ten_calls 3>&- &
        pids+=($!)
    done
    wait "${pids[@]}"
    [ "$(store "select count(*) from calls where mode = 'hedge'")" -eq 160 ]
    extra=$(($(requests_of alpha) - 161))
    most=$((10 + 160 / 10))
    echo "$extra extra requests of $most"
    [ "$extra" -le "$most" ]
    [ "$extra" -ge 10 ]
    [ "$(store "select sum(attempts) - count(*) from calls")" -eq "$extra" ]
    [ "$(store "select spent from budget where route = '*'")" -eq "$extra" ]
    # Each of the others says why it went alone.
    [ "$(store "select count(*) from calls where attempts = 1 and
        mode = 'hedge' and hedge_reason not in
        ('budget_exhausted', 'budget_unreadable')")" -eq 0 ]
    [ "$(store "select round(tokens + spent, 6) <= $most from budget")" -eq 1 ]
}

@test "an empty bucket leaves the call alone, and says so (R11)" {
    start_mock alpha --fault first-late=0.6
    hedged --set hedge.budget.burst=1 --set hedge.budget.ratio=0 >first
    hedged --set hedge.budget.burst=1 --set hedge.budget.ratio=0 >second
    [ "$(requests_of alpha)" -eq 3 ]
    cmp first second
    [ "$(reasons)" = $'budget_exhausted|1\nfirst_token|1' ]
    [ "$(store "select count(*) from calls where outcome = 'ok'")" -eq 2 ]
}

@test "no burst and no ratio: nothing is ever hedged (R11)" {
    start_mock alpha --fault first-late=0.6
    hedged --set hedge.budget.burst=0 --set hedge.budget.ratio=0 >/dev/null
    [ "$(requests_of alpha)" -eq 1 ]
    [ "$(reasons)" = "budget_exhausted|1" ]
}

@test "a cap by the hour holds whatever is in the bucket (R11)" {
    start_mock alpha --fault first-late=0.6
    local n
    for n in 1 2 3; do
        hedged --set hedge.budget.per_hour=2 >/dev/null
    done
    # (The hour may just have ended.)
    [ "$(requests_of alpha)" -eq 5 ] || [ "$(requests_of alpha)" -eq 6 ]
}

@test "a failure moves to another origin without a token (R3 R11)" {
    start_mock alpha --fault status=503
    start_mock beta
    hedged --set hedge.budget.burst=0 --backup "$BETA_URL/v1" >answer
    [ "$(requests_of beta)" -eq 1 ]
    [ "$(reasons)" = "failure|1" ]
    grep -q 'beta' answer
}

@test "no place for a store: no extra request, and no harm (P5 P6)" {
    start_mock alpha --fault first-late=0.6
    ask alpha chat >plain
    hedged --set store.path=/proc/nowhere/a.db >unwritable
    (unset HOME XDG_STATE_HOME && hedged >homeless)
    cmp plain unwritable
    cmp plain homeless
    [ "$(requests_of alpha)" -eq 3 ]
}

@test "a locked store costs a hedge, not the call (P5 P6)" {
    start_mock alpha --fault first-late=0.6
    hedged >/dev/null
    mkfifo done
    { echo 'begin immediate;' && echo '.print locked' && cat done; } |
        sqlite3 "$XDG_STATE_HOME/unstall/unstall.db" >locked 3>&- &
    local pid=$!
    eventually grep -q locked locked
    hedged >answer
    echo >done
    wait "$pid"
    grep -q DONE answer
    [ "$(requests_of alpha)" -eq 3 ]
    "$UNSTALL" calls >/dev/null
    [ "$(reasons)" = $'budget_unreadable|1\nfirst_token|1' ]
}

@test "a store locked over the first token: the record says it once (P5)" {
    start_mock alpha --fault first-late=0.6
    hedged >/dev/null
    mkfifo done
    { echo 'begin exclusive;' && echo '.print locked' && cat done; } |
        sqlite3 "$XDG_STATE_HOME/unstall/unstall.db" >locked 3>&- &
    local pid=$!
    eventually grep -q locked locked
    UNSTALL_LOG=$PWD/log hedged >answer
    echo >done
    wait "$pid"
    grep -q DONE answer
    [ "$(grep -c 'the store is locked' log)" -eq 1 ]
    [ "$(grep -c 'not written: somebody' log)" -le 2 ]
    "$UNSTALL" calls >/dev/null
    [ "$(reasons)" = $'budget_unreadable|1\nfirst_token|1' ]
}

@test "a server that says when to come back gets no hedges till then (R10)" {
    start_mock alpha --fault "status=429,retry-after=60,times=1"
    start_mock beta --fault first-late=0.8
    config <<END
{ "mode": "hedge", "hedge": { "after_s": 0.1 },
  "sources": { "alpha": { "base_url": "$ALPHA_URL/v1", "auth": "none" } },
  "routes": [ { "match": "$BETA_URL/*", "sources": ["alpha"] } ] }
END
    # Two calls of one process: curl's --next.
    with_shim curl -sN -m 5 -d "$(chat_body)" "$BETA_URL$(path_of chat)" \
        --next -sN -m 5 -d "$(chat_body)" "$BETA_URL$(path_of chat)" >both
    [ "$(requests_of alpha)" -eq 1 ]
    [ "$(requests_of beta)" -eq 2 ]
    [ "$(reasons)" = $'first_token|1\npushback|1' ]
}
