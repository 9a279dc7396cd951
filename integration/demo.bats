#!/usr/bin/env bats
# The demonstration keeps its own word.

@test "make demo: everything is as it says" {
    run "$BATS_TEST_DIRNAME/../tools/demo"
    [ "$status" -eq 0 ]
    [ "$(grep -c ' => ' <<<"$output")" -eq 8 ]
    words=$(grep '^  | ' <<<"$output")
    [[ $words != *[\{\}\"]* ]]
}
