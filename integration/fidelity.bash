# shellcheck shell=bash
# The same program several times side by side: without the preload, and with
# it in its modes.  What each run printed and how it ended must be the same.
# Beside lib.bash, in a test of its own directory.

# --- ways to run a program ---------------------------------------------------

plain() {
    timeout "${LIMIT:-30}" env -u LD_PRELOAD "$@"
}

observed() {
    timeout "${LIMIT:-30}" env LD_PRELOAD="$SHIM" UNSTALL__MODE=observe "$@"
}

# Nothing is late or failed: the backup must not be asked.
hedged() {
    UNSTALL__MODE=hedge UNSTALL__HEDGE__AFTER_S=20 \
        timeout "${LIMIT:-30}" env LD_PRELOAD="$SHIM" "$@"
}

holding() {
    UNSTALL__HEDGE__HOLD_S='"all"' hedged "$@"
}

# A rival soon, for a primary that is silent, stalls or fails.
rescued() {
    UNSTALL__HEDGE__AFTER_S=${AFTER:-0.3} UNSTALL__MODE=hedge \
        timeout "${LIMIT:-30}" env LD_PRELOAD="$SHIM" "$@"
}

rescued_holding() {
    UNSTALL__HEDGE__HOLD_S='"all"' UNSTALL__HEDGE__STALL_AFTER_S=0.3 \
        rescued "$@"
}

# The backup's name is NAME, a mock server that runs.
backed_by() {
    local url
    url=$(mock_var "$1" URL)
    export UNSTALL__HEDGE__BUDGET__BURST=10000
    export UNSTALL__HEDGE__SOURCES='["backup"]'
    export UNSTALL__SOURCES="{\"backup\":{\"base_url\":\"$url/v1\",\
\"auth\":\"none\"}}"
}

# --- running and comparing ---------------------------------------------------

# in_background NAME COMMAND...: leaves NAME.out, NAME.err and NAME.code.
in_background() {
    local name=$1
    shift
    {
        local code=0
        "$@" >"$name.out" 2>"$name.err" 3>&- || code=$?
        echo "$code" >"$name.code"
    } &
}

# Numbers that differ from run to run: times, and our ports.
steady() {
    sed -E 's/[0-9]+ (milliseconds|ms)/N \1/; s/port [0-9]+/port P/
        s/127\.0\.0\.1:[0-9]+/HOST/g'
}

# What arrives during a pause comes in pieces that depend on when it came.
loose() {
    steady | grep -E '^(pause|resume|info|connects|copy|nested|end)'
}

# Only how it ended: where an abort by the clock strikes is chance.
ending() {
    steady | sed -nE '/^end/s/status [0-9]+ bytes [0-9]+ sum [0-9a-f]+/-/p'
}

# Only the log is filtered.
seen() {
    if [[ $1 == *.err ]]; then "$2" <"$1"; else cat "$1"; fi >"$1.seen"
}

# differs A B FILTER: complains when the two runs can be told apart.
differs() {
    local filter=${3:-steady} differs=1 what
    for what in out err code; do
        [[ $filter != ending || $what != out ]] || continue
        seen "$1.$what" "$filter"
        seen "$2.$what" "$filter"
        if ! cmp -s "$1.$what.seen" "$2.$what.seen"; then
            echo "--- $1 and $2 differ in $what:"
            diff "$1.$what.seen" "$2.$what.seen" | head -n 40
            differs=0
        fi
    done
    return "$differs"
}

# same_in 'MODE...' FILTER COMMAND...: as plain, in each mode.
same_in() {
    local modes=$1 filter=$2 mode bad=0
    shift 2
    for mode in plain $modes; do
        in_background "$mode" "$mode" "$@"
    done
    wait
    for mode in $modes; do
        differs plain "$mode" "$filter" && bad=1
    done
    return "$bad"
}
