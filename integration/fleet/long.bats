#!/usr/bin/env bats
# The long torture (`make torture`): many seeds, with the sanitizers of $ASAN,
# a build of its own, and under valgrind.

load ../lib

setup() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  BUILD=$ROOT/${B:-build} UNSTALL=$ROOT/${B:-build}/unstall
  common_setup
  start_mock prim
  start_mock back
  TORTURE=("$BUILD/fleet/torture" "$PRIM_URL$(path_of chat)"
    "$PRIM_URL/plain?bytes=30000")
  SEEDS=${SEEDS:-40}
}

teardown() {
  common_teardown
}

modes=(
  "--after 0.05"
  "--after 0.05 --stall-after 0.05 --hold all"
  "--after 0.05 --stall-after 0.05 --hold 0.2"
  "--after 0 --hold all"
)

# each_mode SEEDS TURNS COMMAND...: the program is appended.
each_mode() {
  local i options
  for i in "${!modes[@]}"; do
    read -ra options <<<"${modes[i]}"
    unstall run --quiet --backup "$BACK_URL/v1" \
      --set hedge.budget.burst=100000 "${options[@]}" -- "${@:3}" \
      "${TORTURE[@]}" $((i * 1000 + ${FIRST:-1})) "$1" "$2" >said
    [ "$(<said)" = "$1 seeds, breaches 0" ]
  done
}

@test "many seeds" {
  each_mode "$SEEDS" 300
}

@test "many seeds with sanitizers" {
  runtime=$(gcc -print-file-name=libasan.so)
  ASAN_OPTIONS=detect_leaks=0 each_mode "$SEEDS" 300 \
    env LD_PRELOAD="$runtime $ROOT/$ASAN/libunstall.so"
}

@test "some seeds under valgrind" {
  each_mode $(((SEEDS + 9) / 10)) 200 \
    valgrind -q --error-exitcode=9 --leak-check=full \
    --suppressions="$ROOT/integration/fleet/libcurl.supp"
}
