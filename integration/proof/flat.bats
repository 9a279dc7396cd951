#!/usr/bin/env bats
# Nothing grows: memory and descriptors of a process that makes many calls.

load proof
load ../lib
load proof

setup() {
    common_setup
    "$ROOT/tools/deps" has python=pycurl || skip "not installed: pycurl"
    CALLS=$(short_long 1000 10000)
    start_mock alpha --tokens 20
    start_mock broken --fault status=503
    start_mock beta --tokens 20
}

teardown() {
    common_teardown
}

# flat COMMAND...: at most 300 KiB, which the allocator and the journal may
# have more of at one moment than at another, and no descriptor.
flat() {
    "$@" /usr/bin/python3 "$PROOF/flat.py" "$URL" "$(chat_body)" "$CALLS" >grown
    read -r kib descriptors <grown
    echo "$CALLS calls: $kib KiB, $descriptors descriptors more"
    ((kib <= 300 && descriptors <= 0))
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -eq "$CALLS" ]
    tried "$CALLS"
}

backed() {
    unstall run --quiet --after 20 --backup "$BETA_URL/v1" \
        --set hedge.budget.burst=1000000 --set hedge.max_attempts=3 "$@"
}

@test "nothing grows: calls that are watched" {
    URL=$(the_chat alpha)
    flat with_shim
}

@test "nothing grows: calls that are raced, and need no help" {
    URL=$(the_chat alpha)
    flat backed --
}

@test "nothing grows: calls that are held" {
    URL=$(the_chat alpha)
    flat backed --stall-after 10 --hold all --
}

@test "nothing grows: calls that another source answers" {
    URL=$(the_chat broken)
    flat backed --
}
