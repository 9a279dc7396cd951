#!/usr/bin/env bats
# Memory that ends for the engine and the preload, at each of their
# allocations in turn, in a whole process: the program gets the answer that it
# would have got without them, or the rival's, whole (P1).

load proof
load ../lib
load proof

setup() {
    common_setup
    made failer -shared -fPIC -ldl
    start_mock alpha --tokens 5
    start_mock late --tokens 5 --fault first-late=0.15
    start_mock beta --tokens 5
    backed_by_beta
}

teardown() {
    common_teardown
}

backed_by_beta() {
    config <<END
{ "mode": "hedge",
  "hedge": { "after_s": 0.05, "stall_after_s": 30, "sources": ["b"],
             "budget": { "burst": 100000 } },
  "sources": { "b": { "base_url": "$BETA_URL/v1", "auth": "none" } } }
END
}

# failing N URL [NAME=VALUE...]: one call, in which allocation N fails.
failing() {
    local n=$1 url=$2
    shift 2
    env FAIL_AT="$n" "$@" LD_PRELOAD="$PWD/failer $SHIM" \
        curl -sN -m 20 -H 'content-type: application/json' \
        -d "$(chat_body)" "$url"
}

# How many there are in one call, with the store that is there, or none.
count_of() {
    failing 0 "$1" FAIL_COUNT="$PWD/count" >/dev/null
    echo $(($(<count) + 2))
}

# fails_at N URL FORM ANSWER...: one of these files is what comes.
fails_at() {
    local code=0
    failing "$1" "$2" "$3" >got 2>err || code=$?
    COUNT=$((${COUNT:-0} + 1))
    [[ $code -eq 0 && ! -s err ]] && is_one_of "${@:4}" && return
    echo "$3 $1: exit code $code"
    cat got err
    return 1
}

# each_fails URL ANSWER...: alone, the store being made anew each time; then
# with all later ones, the store being there.  (Most are SQLite's, and alike:
# the short form takes the first ones, and some.)
each_fails() {
    local count n steps
    steps=$(short_long 60 100000)
    rm -rf "$XDG_STATE_HOME/unstall"
    count=$(count_of "$1")
    ((count > 50))
    for ((n = 1; n <= count; n += n < 50 ? 1 : count / steps + 1)); do
        rm -rf "$XDG_STATE_HOME/unstall"
        fails_at "$n" "$1" FAIL_ONE=1 "${@:2}"
    done
    count=$(count_of "$1")
    for ((n = 1; n <= count; n += n < 50 ? 1 : count / steps + 1)); do
        fails_at "$n" "$1" FAIL_ALL=1 "${@:2}"
    done
}

is_one_of() {
    local answer
    for answer; do
        ! cmp -s "$answer" got || return 0
    done
    return 1
}

@test "each allocation of a healthy call fails, alone and with all later" {
    ask alpha chat >answer
    each_fails "$(the_chat alpha)" answer
    tried "$COUNT"
}

@test "each allocation of a hedged call fails, alone and with all later" {
    ask late chat >own
    ask beta chat >rival
    each_fails "$(the_chat late)" own rival
    tried "$COUNT"
}
