#!/usr/bin/env bats
# The repository's own tools: a check that finds nothing must be able to.

setup() {
    TOOLS=$BATS_TEST_DIRNAME/../tools
    TOOLS=$(cd "$TOOLS" && pwd)
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p core shim engine cli tests integration docs build/core build/shim
    export B=build
}

# Build a file of core/ from standard input.
core() {
    cat >core/new.c
    gcc -fPIC -c -o build/core/new.o core/new.c
}

layers_says() {
    run "$TOOLS/layers"
    [ "$status" -eq 1 ]
    [[ $output == *"$1"* ]]
}

@test "layers: core has no variables" {
    core <<<'static int count; int uns_new(void) { return count++; }'
    layers_says 'core: count: a variable'
}

@test "layers: a constant table of core is no variable" {
    core <<<'static const char *const t[] = {"a"};
        const char *uns_new(int i) { return t[i]; }'
    run "$TOOLS/layers"
    [[ $output != *'a variable'* ]]
}

@test "layers: core calls nothing impure" {
    core <<<'int puts(const char *); int uns_new(void) { return puts("x"); }'
    layers_says 'core: puts: not a pure function'
}

@test "layers: core includes nothing impure" {
    core <<<'#include <stdio.h>'
    layers_says 'core/new.c:1:#include <stdio.h>'
}

@test "layers: no layer includes one above it" {
    echo '#include "cli/cli.h"' >engine/new.c
    echo '#include "engine/store.h"' >shim/new.c
    echo '#include "shim/abi.h"' >core/new.c
    layers_says 'engine/new.c:1'
    layers_says 'shim/new.c:1'
    layers_says 'core/new.c:1'
}

@test "layers: the preload exports nothing but libcurl's names" {
    gcc -shared -fPIC -o build/libunstall.so -xc - <<<'int secret;'
    layers_says 'libunstall.so: must not export secret'
}

@test "layers: the preload links libc alone" {
    gcc -shared -fPIC -Wl,--no-as-needed -o build/libunstall.so -xc - -lcurl \
        <<<'int curl_x;'
    layers_says 'must not be linked with libcurl'
}

behaviour() {
    cat >docs/behaviour.md
    for id in P1 P2 P3 P4 P5 P6 P7 P8 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11; do
        echo "/* $id */"
    done >tests/test_all.c
}

promises_say() {
    run "$TOOLS/promises" --check
    [ "$status" -eq 1 ]
    [[ $output == *"$1"* ]]
}

@test "promises: an id without a test is found" {
    behaviour </dev/null
    promises_say 'no test cites R12'
}

@test "promises: a confession is taken" {
    behaviour <<<$'## Not built yet\n\n- **R12** shadow.'
    run "$TOOLS/promises" --check
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "promises: a confession that is not true any more is found" {
    behaviour <<<$'## Not built yet\n\n- **R12** shadow.\n- **R1** all.'
    promises_say 'R1 is cited, yet listed'
}

@test "promises: a test that is named has to cite" {
    behaviour <<<'| R12 | shadow | `tests/test_x.c` |'
    echo '/* R12 */' >tests/test_y.c
    promises_say 'tests/test_x.c cites no R12'
}

@test "promises: R1 is not cited by R10" {
    behaviour <<<$'## Not built yet\n\n- **R12** shadow.'
    sed -i '/R1 /d' tests/test_all.c
    promises_say 'no test cites R1'
}

@test "deps: says what is missing where it cannot install" {
    mkdir bin
    for tool in sh cat id mktemp cut tr sort sed rm ls; do
        ln -s "$(command -v $tool)" bin/
    done
    run env PATH="$PWD/bin" "$TOOLS/deps" demo
    [ "$status" -eq 1 ]
    [[ $output == *'libcjson-dev           header cjson/cJSON.h'* ]]
    [[ $output == *'gcc                    command cc'* ]]
}

# --- the README in two languages ----------------------------------------------

@test "a README that says less than the other is found" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p copy/tools
    cp "$BATS_TEST_DIRNAME/.."/README*.md copy
    cp "$BATS_TEST_DIRNAME/../tools/readme" copy/tools
    [ -z "$(copy/tools/readme)" ]
    for edit in '/^make demo/d' '0,/^## /{/^## /d}' 's|docs/race.md)||'; do
        sed "$edit" "$BATS_TEST_DIRNAME/../README.md" >copy/README.md
        [[ $(copy/tools/readme) == "README.zh-CN.md: its "* ]]
    done
}

# --- coverage -------------------------------------------------------------

# FOLDER RUN LINES: so many lines, so many of them run.
lines_of() {
    awk -v folder="$1" -v run="$2" -v lines="$3" 'BEGIN {
        for (i = 1; i <= lines; i++)
            print i <= run, folder "/a.c", i, "line " i
    }' >>build/cover.lines
}

@test "cover: says which goal is missed, and fails" {
    export B=$PWD/build
    run "$TOOLS/cover" table
    [ "$status" -eq 2 ]
    lines_of core 95 100
    lines_of engine 1700 2000
    lines_of cli 1 10
    lines_of shim 849 1000
    run "$TOOLS/cover" table
    [ "$status" -eq 1 ]
    grep -qE '^core +100 +95 +95\.0 +95 +reached$' <<<"$output"
    grep -qE '^engine +2000 +1700 +85\.0 +85 +reached$' <<<"$output"
    grep -qE '^shim +1000 +849 +84\.9 +85 +MISSED$' <<<"$output"
    grep -qE '^cli +10 +1 +10\.0 +- *$' <<<"$output"
    grep -qx 'goals missed: 1' <<<"$output"
    sed -i 's|^0 shim/a.c|1 shim/a.c|' build/cover.lines
    run "$TOOLS/cover" table
    [ "$status" -eq 0 ]
    grep -qx 'every goal is reached' <<<"$output"
}

@test "cover: a folder that was not measured is none that is covered" {
    export B=$PWD/build
    lines_of core 1 1
    run "$TOOLS/cover" table
    [ "$status" -eq 1 ]
    grep -qx 'goals missed: 2' <<<"$output"
}

@test "cover: lists what was not run" {
    export B=$PWD/build
    lines_of core 2 3
    lines_of cli 0 1
    run "$TOOLS/cover" left
    [ "$status" -eq 0 ]
    [ "$output" = 'core/a.c:3: line 3' ]
    run "$TOOLS/cover" cli/a.c
    [ "$output" = 'cli/a.c:1: line 1' ]
}
