#!/usr/bin/env bats
# A store that cannot be had (P4): locked, read-only, full, corrupt, deleted,
# nowhere, somebody else's, or another version's.  The program gets the same
# bytes and the same exit code, and what is recorded is taken in later.

load proof
load ../lib
load proof

setup() {
    common_setup
    STATE=$XDG_STATE_HOME/unstall
    DB=$STATE/unstall.db
    start_mock alpha --tokens 10
    ask alpha chat >plain
}

teardown() {
    [[ -z ${MOUNTED:-} ]] || umount "$MOUNTED"
    [[ -z ${LOCK_PID:-} ]] || kill "$LOCK_PID" 2>/dev/null || true
    common_teardown
}

# asked [SURROUNDINGS...]: a call that nobody disturbs, nor slows down.  (Its
# answer goes through a pipe: curl is to write no file of its own.)
asked() {
    stopwatch
    env LD_PRELOAD="$SHIM" "$@" curl -sSN -H 'content-type: application/json' \
        -d "$(chat_body)" "$(the_chat alpha)" 2>said | cat >got
    [ "${PIPESTATUS[0]}" -eq 0 ]
    took_between 0 "${SLACK_MS:-2500}"
    [ ! -s said ]
    same_files plain got
    COUNT=$((${COUNT:-0} + 1))
}

# asked_times N [SURROUNDINGS...]
asked_times() {
    local n=$1 i
    shift
    for ((i = 0; i < n; i++)); do asked "$@"; done
}

# The next command takes in what there is: as many rows as calls.
rows_are() {
    unstall calls --limit 0 >calls.log
    [ "$(store 'SELECT count(*) FROM calls')" -eq "$1" ]
    [ -z "$(find "$XDG_RUNTIME_DIR/unstall" -name '*.flight*')" ]
}

lock_store() {
    coproc LOCK { exec sqlite3 "$DB" 2>&1; }
    echo "BEGIN $1; SELECT 'locked';" >&"${LOCK[1]}"
    read -r line <&"${LOCK[0]}"
    [ "$line" = locked ]
}

unlock_store() {
    echo ".quit" >&"${LOCK[1]}"
    wait "$LOCK_PID" 2>/dev/null || true
}

locked_for() {
    local until
    asked
    lock_store "$1"
    until=$((SECONDS + $(short_long 3 60)))
    while ((SECONDS < until)); do asked; done
    unlock_store
    rows_are "$COUNT"
    tried "$COUNT"
}

@test "locked for writing, for seconds" {
    locked_for IMMEDIATE
}

@test "locked for everything, for seconds" {
    locked_for EXCLUSIVE
}

@test "a disk that is full, and has room again" {
    mkdir -p "$STATE"
    mount -t tmpfs -o size=200k,mode=700 none "$STATE" 2>/dev/null ||
        skip "may not mount"
    MOUNTED=$STATE
    dd if=/dev/zero of="$STATE/fill" bs=1k 2>/dev/null || true
    asked_times 5
    rm "$STATE/fill"
    mount -o remount,size=20m "$STATE"
    asked_times 5
    rows_are 10
    tried "$COUNT"
}

# A write beyond it is a signal that ends the program.
@test "a limit on the size of files" {
    asked_times 2
    asked_times 3 prlimit --fsize=4096
    asked_times 3 prlimit --fsize=0
    unstall calls --limit 0 >calls.log
    [ "$(store 'SELECT count(*) >= 2 FROM calls')" -eq 1 ]
    tried "$COUNT"
}

@test "a directory that is read-only, and is not any more" {
    mkdir -p "$STATE"
    mount -t tmpfs -o ro,mode=700 none "$STATE" 2>/dev/null ||
        skip "may not mount"
    MOUNTED=$STATE
    asked_times 5
    mount -o remount,rw "$STATE"
    rows_are 5
    tried "$COUNT"
}

@test "a directory that another user must not write to" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    command -v setpriv || skip "no setpriv"
    chmod 755 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR" \
        "$HOME" 2>/dev/null || true
    mkdir -p out && chmod 777 out && cd out
    cp ../plain .
    mkdir -p "$STATE"
    setpriv --reuid=65534 --regid=65534 --clear-groups \
        test -r "$SHIM" || skip "another user cannot reach the build"
    asked_times 5 setpriv --reuid=65534 --regid=65534 --clear-groups
    [ ! -e "$DB" ]
    tried "$COUNT"
}

@test "a file that is corrupt, at its head, in its middle and at its end" {
    asked
    for where in 0 16 100 1024 5000 9000 12288; do
        cp "$DB" sound
        cp "$DB-wal" sound-wal 2>/dev/null || true
        dd if=/dev/urandom of="$DB" bs=64 count=20 seek="$where" \
            oflag=seek_bytes conv=notrunc 2>/dev/null
        asked
        asked
        rm -f "$DB"*
        cp sound "$DB"
        mv sound-wal "$DB-wal" 2>/dev/null || true
        unstall calls --limit 0 >calls.log || true
    done
    tried "$COUNT"
}

# What is no file of ours is left as it is; what was meant for it waits.
@test "no database but something else, each time" {
    mkdir -p "$STATE"
    chmod 700 "$STATE"
    for something in mkdir mkfifo "ln -s /dev/full" "ln -s $DB"; do
        $something "$DB"
        asked_times 2
        rm -rf "$DB" "$DB-wal" "$DB-shm"
    done
    asked
    rows_are 9
    tried "$COUNT"
}

@test "a file that is deleted while many write to it" {
    local pids=() i
    for ((i = 0; i < 40; i++)); do
        with_shim curl -sN -o /dev/null -d "$(chat_body)" \
            "$(the_chat alpha)" &
        pids+=($!)
        rm -f "$DB" "$DB-wal" "$DB-shm"
    done
    for i in "${pids[@]}"; do wait "$i"; done
    asked
    tried 41
}

@test "no HOME, no state, no runtime directory; and umask 000" {
    asked_times 2 env -u HOME -u XDG_STATE_HOME -u XDG_RUNTIME_DIR
    asked_times 2 env HOME= XDG_STATE_HOME= XDG_RUNTIME_DIR=
    asked_times 2 env HOME=relative XDG_STATE_HOME=relative XDG_RUNTIME_DIR=.
    asked_times 2 env HOME=/proc XDG_STATE_HOME=/proc XDG_RUNTIME_DIR=/proc
    (umask 000 && asked_times 2)
    [ "$(stat -c %a "$STATE")" = 700 ]
    [ "$(stat -c %a "$DB"* | sort -u)" = 600 ]
    tried 10
}

@test "a link that was planted in the state directory" {
    local name
    echo precious >victim
    mkdir -p "$STATE"
    chmod 700 "$STATE"
    for name in unstall.db unstall.db-wal unstall.db-shm \
        unstall.db-journal; do
        ln -sf "$PWD/victim" "$STATE/$name"
        asked_times 2
        [ "$(<victim)" = precious ]
        rm -f "$STATE/"*
    done
    asked
    unstall calls >calls.log
    [ "$(store 'SELECT count(*) >= 1 FROM calls')" -eq 1 ]
    tried "$COUNT"
}

@test "the directories themselves are links to somebody else's" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    mkdir theirs
    chown 65534 theirs
    mkdir -p "$XDG_STATE_HOME"
    ln -s "$PWD/theirs" "$STATE"
    ln -s "$PWD/theirs" "$XDG_RUNTIME_DIR/unstall"
    asked_times 3
    [ -z "$(ls theirs)" ]
    tried "$COUNT"
}

@test "an older, and a newer version's file" {
    local version
    asked
    version=$(store 'PRAGMA user_version')
    store 'ALTER TABLE calls DROP COLUMN silent_ms; PRAGMA user_version = 1'
    asked_times 2
    rows_are 3
    store "PRAGMA user_version = $((version + 1000))"
    asked_times 2
    store "PRAGMA user_version = $version"
    rows_are 5
    tried "$COUNT"
}
