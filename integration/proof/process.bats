#!/usr/bin/env bats
# Processes that are treated badly, or live in a small world (P1, P4): many at
# once, few descriptors, no /proc, no files, forbidden system calls, hosts that
# close what they do not know or leave in the middle.

load proof
load ../lib
load proof

setup() {
    common_setup
    start_mock alpha --tokens 10
    start_mock late --tokens 10 --fault first-late=0.3
    start_mock beta --tokens 10
}

teardown() {
    common_teardown
}

# What curl makes of it; to be put behind surroundings, the preload innermost.
asking() {
    printf '%s\n' curl -sSN -m 20 -H 'content-type: application/json' \
        -d "$(chat_body)" "$1"
}

hedging() {
    export UNSTALL__MODE=hedge UNSTALL__HEDGE__AFTER_S=0.1
    export UNSTALL__HEDGE__SOURCES='["b"]'
    export UNSTALL__HEDGE__BUDGET__BURST=10000
    export UNSTALL__SOURCES="{\"b\":{\"base_url\":\"$BETA_URL/v1\",\
\"auth\":\"none\"}}"
}

@test "64 short calls at once, again and again: a row each" {
    local round pids i rounds
    rounds=$(short_long 5 50)
    for ((round = 0; round < rounds; round++)); do
        pids=()
        for ((i = 0; i < 64; i++)); do
            with_shim curl -sN -o /dev/null -d "$(chat_body)" \
                "$(the_chat alpha)" &
            pids+=($!)
        done
        for i in "${pids[@]}"; do wait "$i"; done
    done
    unstall calls >calls.log
    [ "$(store "SELECT count(*) FROM calls WHERE outcome = 'ok'")" -eq \
        $((64 * rounds)) ]
    tried $((64 * rounds))
}

# few_files N: as few as without, it works; with fewer, it fails the same way.
few_files() {
    local n=$1 code=0 plain=0
    prlimit --nofile="$n" "${ASK[@]}" >plain 2>plain.err || plain=$?
    prlimit --nofile="$n" env LD_PRELOAD="$SHIM" "${ASK[@]}" \
        >got 2>got.err || code=$?
    [ "$code" -eq "$plain" ] || { echo "$n: $code, not $plain" && return 1; }
    same_files plain got
}

@test "few descriptors, down to none" {
    mapfile -t ASK < <(asking "$(the_chat alpha)")
    for n in 256 32 16 12 10 9 8 7 6 5 4 3; do few_files "$n"; done
    hedging
    for n in 256 32 16 12 10 9 8 7 6 5 4 3; do few_files "$n"; done
    tried 24
}

# one_forbidden CALL ERRNO: nothing shows; the late one is at most not helped.
one_forbidden() {
    local code=0 plain=0
    ./confine "$1" "$2" "${ASK[@]}" >plain 2>plain.err || plain=$?
    [ "$plain" -ne 126 ] || skip "no seccomp here"
    ./confine "$1" "$2" env LD_PRELOAD="$SHIM" "${ASK[@]}" \
        >got 2>got.err || code=$?
    [[ $code -eq $plain ]] &&
        { cmp -s plain got || { [[ $code -eq 0 ]] && cmp -s rival got; }; } ||
        { echo "$1 $2: $code, not $plain" && cat got.err && return 1; }
    COUNT=$((${COUNT:-0} + 1))
}

each_forbidden() {
    local call
    made confine
    mapfile -t ASK < <(asking "$1")
    for call in $(./confine --list); do
        one_forbidden "$call" 1
        one_forbidden "$call" 38
    done
    tried "$COUNT"
}

@test "each system call that curl can do without is forbidden: watched" {
    ask beta chat >rival
    each_forbidden "$(the_chat alpha)"
}

@test "each system call that curl can do without is forbidden: raced" {
    ask beta chat >rival
    hedging
    each_forbidden "$(the_chat late)"
}

# In a tree of the libraries alone.
@test "a chroot without /proc, /etc, /tmp, home, or configuration" {
    local dir
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    unshare -m true 2>/dev/null || skip "may not unshare"
    mapfile -t ASK < <(asking "$(the_chat alpha)")
    "${ASK[@]}" >plain
    cat >enter.sh <<'END'
mount -t tmpfs none root
for dir in /usr /lib /lib64 /bin "$1"; do
    [ -e "$dir" ] || continue
    mkdir -p "root$dir"
    mount --bind "$dir" "root$dir"
done
shift
exec chroot root "$@"
END
    mkdir root
    unshare -m sh enter.sh "$BUILD" /usr/bin/env -i LD_PRELOAD="$SHIM" \
        "${ASK[@]}" >got
    same_files plain got
    hedging
    env -u HOME -u XDG_RUNTIME_DIR -u XDG_STATE_HOME \
        unshare -m sh enter.sh "$BUILD" /usr/bin/env LD_PRELOAD="$SHIM" \
        "${ASK[@]}" >got
    same_files plain got
    tried 2
}

@test "a host that closes all descriptors between its calls" {
    local n
    n=$(short_long 50 1000)
    made closer -lcurl
    timeout 60 ./closer "$(the_chat alpha)" "$(chat_body)" "$n" >plain
    with_shim timeout 60 ./closer "$(the_chat alpha)" "$(chat_body)" "$n" >got
    same_files plain got
    hedging
    timeout 60 ./closer "$(the_chat beta)" "$(chat_body)" 20 >plain
    with_shim timeout 60 ./closer "$(the_chat late)" "$(chat_body)" 20 >got
    same_files plain got
    unstall calls >calls.log
    [ "$(store "SELECT count(*) FROM calls WHERE outcome = 'ok'")" -eq \
        $((n + 20)) ]
    tried $((n + 20))
}

@test "a host that leaves in a callback, raced or not" {
    local how leave=$BUILD/integration/clients/leave
    for how in _exit exit exec longjmp fork leak; do
        with_shim timeout 20 "$leave" "$how" "$(the_chat alpha)" "$(chat_body)" || true
        (hedging && with_shim timeout 20 "$leave" "$how" "$(the_chat late)" \
            "$(chat_body)") || true
    done
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -ge 12 ]
    tried 12
}
