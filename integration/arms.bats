#!/usr/bin/env bats
# Experiments: a share of the calls is hedged (or shadowed), the others are
# only observed, by the same driver (R12).

load lib

setup() {
    common_setup
}

teardown() {
    common_teardown
}

# How many calls are like that.
calls_where() {
    store "select count(*) from calls where $1"
}

# trial [OPTION...] -- COMMAND...
trial() {
    unstall run --quiet --set experiment.name=trial \
        --set hedge.budget.burst=100 "$@"
}

# So many calls of one curl, one after the other, by curl's own globbing.
# try_calls COUNT [OPTION...] -- [CURL OPTION...]
try_calls() {
    local count=$1 options=()
    shift
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    trial "${options[@]}" -- curl -sN -m 60 -d "$(chat_body)" -o 'out.#1' \
        "${@:2}" "$ALPHA_URL$(path_of chat)?n=[1-$count]"
}

@test "200 calls: the share, one request for each of the control (R12)" {
    local treated control extra
    start_mock alpha --fault first-late=0.03
    try_calls 200 --after 0.01 --set experiment.treatment=0.3 \
        --set hedge.budget.burst=20 --
    [ "$(calls_where 1)" -eq 200 ]
    [ "$(calls_where "experiment = 'trial' and outcome = 'ok'")" -eq 200 ]
    treated=$(calls_where "arm = 'treatment' and mode = 'hedge'")
    control=$(calls_where "arm = 'control' and mode = 'observe'")
    [ $((treated + control)) -eq 200 ]
    # 60 of them, and five standard errors of 6.5.
    [ "$treated" -ge 28 ]
    [ "$treated" -le 92 ]
    [ "$(calls_where "arm = 'control' and attempts > 1")" -eq 0 ]
    [ "$(calls_where "arm = 'treatment' and attempts > 1")" -gt 0 ]
    extra=$(store "select sum(attempts - 1) from calls")
    [ "$(requests_of alpha)" -gt 200 ] # some go before they are sent
    [ "$(requests_of alpha)" -le $((200 + extra)) ]
    [ "$(store 'select spent from budget')" -eq "$extra" ]
    # The control pays nothing into the treatment's bucket.
    [ "$extra" -le $((20 + treated / 10)) ]
    for n in 1 57 200; do grep -q DONE "out.$n"; done
}

# How many connections the calls of an arm took.
connections() {
    rm -rf "$XDG_STATE_HOME"
    : >"$ALPHA_LOG"
    try_calls 20 --after 5 --set experiment.treatment="$1" --
    [ "$(calls_where "arm = '$2'")" -eq 20 ]
    mock_log alpha 'select(.event == "request") | .conn' | sort -u | wc -l
}

@test "both arms reuse connections alike (R12)" {
    start_mock alpha
    [ "$(connections 0 control)" -eq 1 ]
    [ "$(connections 1 treatment)" -eq 1 ]
}

@test "a process is in one arm with all its calls (R12)" {
    local n arms
    start_mock alpha
    for n in 1 2 3 4 5 6 7 8; do
        try_calls 8 --after 5 --set experiment.unit=process --
    done
    [ "$(calls_where 1)" -eq 64 ]
    [ "$(store 'select max(n) from (select count(distinct arm) as n
        from calls group by pid)')" -eq 1 ]
}

# By their hash: the same for ever (tests/test_arm.c).
@test "a key is in one arm, in every process; it is not kept (R12 P3)" {
    local n
    start_mock alpha
    for n in 1 2 3 4 5 6 7 8; do
        try_calls 2 --after 5 --set experiment.unit=key -- \
            -H "authorization: Bearer key-$n"
        store "select distinct substr(arm, 1, 1) from (select arm from calls
            order by id desc limit 2)"
    done | paste -sd ' ' >arms
    [ "$(<arms)" = "c t t t c t c t" ]
    refute grep -rqa 'key-[0-9]' "$XDG_STATE_HOME"
}

@test "control of a shadow is observed, the others are shadowed (R12)" {
    start_mock alpha --fault first-late=0.02
    start_mock back
    try_calls 40 --set mode=shadow --backup "$BACK_URL/v1" --
    [ "$(requests_of alpha)" -eq 40 ]
    treated=$(calls_where "mode = 'shadow' and arm = 'treatment' and
        attempts = 2")
    [ "$(calls_where "mode = 'observe' and arm = 'control' and attempts = 1")" \
        -eq $((40 - treated)) ]
    [ "$treated" -gt 5 ]
    [ "$treated" -lt 35 ]
    [ "$(requests_of back)" -gt 0 ]
    [ "$(requests_of back)" -le "$treated" ]
    refute grep -q back out.*
}

@test "without a mode that acts there are no arms, and run says so" {
    start_mock alpha
    unstall run --set experiment.name=trial -- curl -sN \
        -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >answer 2>said
    grep -q 'experiment.name has no effect' said
    [ "$(store "select arm is null and experiment is null, mode
        from calls")" = "1|observe" ]
}

@test "in a program's own multi, too: pycurl (R12)" {
    cat >many.py <<'END'
import pycurl, sys

url, body, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
multi = pycurl.CurlMulti()
calls, got = [], {}
for n in range(count):
    easy = pycurl.Curl()
    got[easy] = b''
    def take(data, easy=easy):
        got[easy] += data
    easy.setopt(easy.URL, url)
    easy.setopt(easy.POSTFIELDS, body)
    easy.setopt(easy.WRITEFUNCTION, take)
    multi.add_handle(easy)
    calls.append(easy)
running, done = 1, []
while running:
    multi.select(1.0)
    _, running = multi.perform()
    _, good, bad = multi.info_read(count)
    assert not bad, bad
    done += good
assert len(done) == count and set(done) == set(calls)
assert all(text.endswith(b'[DONE]\n\n') for text in got.values())
END
    start_mock alpha --fault first-late=0.3
    trial --after 0.05 -- /usr/bin/python3 many.py \
        "$ALPHA_URL$(path_of chat)" "$(chat_body)" 60
    [ "$(calls_where "outcome = 'ok'")" -eq 60 ]
    [ "$(calls_where "arm = 'control' and attempts = 1")" -ge 11 ]
    [ "$(calls_where "arm = 'treatment'")" -ge 11 ]
    [ "$(calls_where 'arm is null')" -eq 0 ]
    [ "$(requests_of alpha)" -gt 60 ]
    [ "$(requests_of alpha)" -le "$(store 'select sum(attempts) from calls')" ]
}
