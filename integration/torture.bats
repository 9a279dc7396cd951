#!/usr/bin/env bats
# An application that does anything, at any moment, in loops of every kind
# (integration/fleet/torture.h): it finds libcurl as it was, and no memory is
# touched that should not be.  `make torture` runs more of it, for longer.

load lib

setup() {
  common_setup
  start_mock prim
  start_mock back
  TORTURE=("$BUILD/fleet/torture" "$PRIM_URL$(path_of chat)"
    "$PRIM_URL/plain?bytes=30000")
}

teardown() {
  common_teardown
}

# tortured OPTION... -- PROGRAM...: behind `unstall run`.
tortured() {
  unstall run --quiet --backup "$BACK_URL/v1" \
    --set hedge.budget.burst=1000 "$@" >said
  [[ $(<said) == *' seeds, breaches 0' ]]
}

@test "anything, without the preload" {
  "${TORTURE[@]}" 1 5 200 >said
  [ "$(<said)" = "5 seeds, breaches 0" ]
}

@test "anything, only watched (P6)" {
  with_shim "${TORTURE[@]}" 1 5 200 >said
  [ "$(<said)" = "5 seeds, breaches 0" ]
}

@test "anything, when the first token is awaited (P6)" {
  tortured --after 0.05 -- "${TORTURE[@]}" 100 8 200
}

@test "anything, when all is held (P6)" {
  tortured --after 0.05 --stall-after 0.05 --hold all -- \
    "${TORTURE[@]}" 200 8 200
}

@test "anything, when it is held for a while (P6)" {
  tortured --after 0.05 --stall-after 0.05 --hold 0.2 -- \
    "${TORTURE[@]}" 300 8 200
}

@test "anything, when both are asked at once (P6)" {
  tortured --after 0 --hold all -- "${TORTURE[@]}" 400 8 200
}

@test "anything, under valgrind (P6)" {
  tortured --after 0.05 --stall-after 0.05 --hold all -- \
    valgrind -q --error-exitcode=9 --leak-check=full \
    --suppressions="$ROOT/integration/fleet/libcurl.supp" \
    "${TORTURE[@]}" 500 2 120
}
