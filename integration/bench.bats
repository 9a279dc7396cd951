#!/usr/bin/env bats
# `make bench`: its table, its file, its verdicts.  What is measured depends on
# the machine; that it is measured, and judged, does not.

load lib

setup() {
    common_setup
    export B=$BUILD PYTHONDONTWRITEBYTECODE=1
}

teardown() {
    common_teardown
}

# The driver with other rows: VALUE GOAL of one figure.
judge() {
    python3 - "$ROOT/bench" "$1" "$2" <<'END'
import importlib.machinery
import importlib.util
import sys

folder, value, goal = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
sys.path.insert(0, folder)
sys.argv = ["run"]
loader = importlib.machinery.SourceFileLoader("run", folder + "/run")
run = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)


def tide(world):
    yield run.figures.Figure("tide", "m", None, None, value, goal)


run.figures.ROWS = (tide,)
sys.exit(run.main())
END
}

private_build() {
    mkdir "$BATS_TEST_TMPDIR/build"
    B=$BATS_TEST_TMPDIR/build
}

@test "a figure that is reached, and one that is missed" {
    private_build
    run judge 4 4
    [ "$status" -eq 0 ]
    [[ ${lines[1]} =~ ^tide\ +4\ m\ +4\ +yes$ ]]
    [[ ${lines[2]} = "1 of 1 met; "* ]]
    [ "$(jq '.figures[0].met' "$B/bench.json")" = true ]
    run judge 4.1 4
    [ "$status" -eq 1 ]
    [[ ${lines[1]} =~ ^tide\ +4.1\ m\ +4\ +NO$ ]]
    [ "$(jq '.figures[0].met' "$B/bench.json")" = false ]
}

@test "a row by its name, without and with the preload" {
    private_build
    cp "$BUILD/libunstall.so" "$B"
    run "$ROOT/bench/run" setopt
    [ "$status" -le 1 ]
    [ "$(grep -cE '^curl_easy_setopt_.* ns +60  (yes|NO)$' <<<"$output")" -eq 3 ]
    [ "$(jq '[.figures[] | select(.base > 0 and .ours > 0)] | length' \
        "$B/bench.json")" -eq 3 ]
    [ "$(jq '.machine.processors' "$B/bench.json")" -eq "$(nproc)" ]
}

@test "a row that does not exist" {
    run "$ROOT/bench/run" tides
    [ "$status" -eq 2 ]
    [[ $output = "bench/run: no row 'tides' (get "* ]]
    "$ROOT/bench/run" --list | grep -qx chunk
}

@test "a row that cannot be measured is told, and is no success" {
    private_build # without a preload
    run "$ROOT/bench/run" processes
    [ "$status" -eq 2 ]
    [[ $output = *"processes: not measured: "* ]]
}

@test "the chunks of its streams have 160 bytes, and are content" {
    cat >chunks.py <<'END'
import sys

sys.path.insert(0, sys.argv[1])
import world

print(world.events(100), end="")
END
    python3 chunks.py "$ROOT/bench" >stream
    [ "$(stat -c %s stream)" -eq $((100 * 160 + 14)) ]
    run unstall inspect --json stream
    [ "$(jq '.content_chunks' <<<"$output")" -eq 100 ]
}
