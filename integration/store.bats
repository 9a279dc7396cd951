#!/usr/bin/env bats
# What a call leaves behind, and the commands that read it: `unstall calls`
# and `unstall show`.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    DB=$XDG_STATE_HOME/unstall/unstall.db
    export TZ=UTC LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR
}

teardown() { common_teardown; }

# A file that an early version could have left: few columns, no timelines.
old_store() {
    mkdir -p "${DB%/*}"
    sqlite3 "$DB" "
CREATE TABLE calls (id INTEGER PRIMARY KEY, uuid TEXT, started_at INTEGER,
    program TEXT, endpoint TEXT, model TEXT, outcome TEXT, winner INTEGER,
    hedge_reason TEXT, attempts INTEGER, truncated INTEGER, wall_ms INTEGER,
    ttft_ms INTEGER, stall_ms INTEGER, stall_count INTEGER);
CREATE TABLE attempts (call_id INTEGER, seq INTEGER, source TEXT);
INSERT INTO attempts VALUES (1, 0, 'self'), (2, 0, 'self'), (2, 1, 'backup');
INSERT INTO calls VALUES
(1, 'a', 1785412525000000, 'curl', 'https://api.openai.com/v1/chat/completions',
    'gpt-4o', 'ok', 0, NULL, 1, 0, 1500, 800, 0, 0),
(2, 'b', 1785412585000000, 'emacs', 'https://api.openai.com/v1/responses',
    'gpt-4.1', 'ok', 1, 'stall', 2, 0, 9000, 700, 5200, 2),
(3, 'c', 1785412645000000, 'R', 'http://localhost:8080/v1/chat/completions',
    'llama', 'failed', NULL, 'no_key', 1, 1, 120, NULL, NULL, NULL);"
}

ids() {
    unstall calls "$@" --json | jq -r '[.[].id] | join(" ")'
}

# --- nothing there, or nothing that can be read ------------------------------

@test "calls: without a database says so, and is no error" {
    run "$UNSTALL" calls
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "no calls recorded yet ($DB);" ]
    [ "${lines[1]}" = "'unstall run -- PROGRAM' records a program's" ]
    run "$UNSTALL" calls --json
    [ "$output" = "[]" ]
    [ ! -e "${DB%/*}" ]
}

@test "show: without a database there is no such call" {
    run "$UNSTALL" show last
    [ "$status" -eq 1 ]
}

@test "calls, show: a file that is no database is told" {
    echo "a letter, not a database; and a long one, too" >letter
    for command in calls "show last"; do
        # shellcheck disable=SC2086 # two words
        run "$UNSTALL" $command --db letter
        [ "$status" -eq 1 ]
        [[ $output == *"letter: no database of unstall, or damaged"* ]]
    done
}

# --- the list ----------------------------------------------------------------

@test "calls: a table, newest first, of a file from an early version" {
    old_store
    run "$UNSTALL" calls
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == ID*TIME*PROGRAM*OUTCOME*TTFT*WALL*STALLS ]]
    [[ ${lines[1]} == " 3"*R*"llama @ localhost:8080"*failed*"no_key: -"* ]]
    [[ ${lines[2]} == *"stall: backup"*"700 ms"*"9.00 s"*"5.20 s (2)" ]]
    [[ ${lines[3]} == *self*"800 ms"*"1.50 s"*0 ]]
}

@test "calls: the lines keep to the width of the terminal" {
    old_store
    for width in 120 100 80; do
        COLUMNS=$width run "$UNSTALL" calls
        for line in "${lines[@]}"; do
            [ "${#line}" -le "$width" ]
        done
        [[ ${lines[0]} == *PROG*MODEL*OUTCOME*HEDGE*TTFT*WALL*STALLS ]]
    done
}

@test "calls: each filter" {
    old_store
    [ "$(ids)" = "3 2 1" ]
    [ "$(ids --program emacs)" = 2 ]
    [ "$(ids --program '*c*')" = "2 1" ]
    [ "$(ids --host localhost)" = 3 ]
    [ "$(ids --host localhost:8080)" = 3 ]
    [ "$(ids --host localhost:80)" = "" ]
    [ "$(ids --host '*.openai.com')" = "2 1" ]
    [ "$(ids --model 'gpt-4*')" = "2 1" ]
    [ "$(ids --outcome failed)" = 3 ]
    [ "$(ids --stalled)" = 2 ]
    [ "$(ids --hedged)" = 2 ]
    [ "$(ids --truncated)" = 3 ]
    sqlite3 "$DB" "UPDATE calls SET outcome = 'killed' WHERE id = 1"
    [ "$(ids --killed)" = 1 ]
    sqlite3 "$DB" "UPDATE calls SET outcome = 'ok' WHERE id = 1"
    [ "$(ids --since '2026-07-30 11:56')" = "3 2" ]
    [ "$(ids --until '2026-07-30 11:56')" = 1 ]
    [ "$(ids --since '2026-07-30 11:56' --until '2026-07-30 11:57')" = 2 ]
    [ "$(ids --mode hedge)" = "" ]
    [ "$(ids --experiment x)" = "" ]
    [ "$(ids --arm control)" = "" ]
    [ "$(ids --limit 1)" = 3 ]
    [ "$(ids --limit 0)" = "3 2 1" ]
    [ "$(ids --outcome ok --program curl)" = 1 ]
}

@test "calls: says what the limit hides, and when nothing is left" {
    old_store
    run "$UNSTALL" calls --limit 2
    [ "${lines[3]}" = "2 of 3 calls; --limit 0 lists all" ]
    run "$UNSTALL" calls --program nobody
    [ "$output" = "no such calls" ]
    sqlite3 "$DB" "DELETE FROM calls"
    run "$UNSTALL" calls
    [[ $output == "no calls recorded yet; 'unstall run"* ]]
}

@test "a model's name is stored as it was meant, and printed as it is safe" {
    start_mock alpha
    unstall run -- curl -s -o out -d "$(chat_body 'a\/b\u001b[31m\u202ec')" \
        "$ALPHA_URL$(path_of chat)"
    [ "$(store 'select model from calls')" = $'a/b\e[31m\u202ec' ]
    for command in calls show; do
        LC_ALL=C.UTF-8 run unstall $command
        [[ $output == *'a/b\x1b[31m\u{202e}c'* ]]
    done
}

@test "show: without an ID it is the newest call" {
    old_store
    run "$UNSTALL" show last --json
    newest=$output
    run "$UNSTALL" show --json
    [ "$status" -eq 0 ]
    [ "$output" = "$newest" ]
    run "$UNSTALL" show 1 2
    [ "$status" -eq 2 ]
}

@test "calls: mistakes are told, with exit code 2" {
    for mistake in "--limit x" "--limit -1" "--since 3x" "--until x" "--outcome good" \
        "--frobnicate" "operand"; do
        # shellcheck disable=SC2086 # two words
        run "$UNSTALL" calls $mistake
        [ "$status" -eq 2 ]
    done
}

# Names come from other programs, and filters from the user.
@test "calls, show: no escape sequence of a name reaches the terminal" {
    old_store
    sqlite3 "$DB" "UPDATE calls SET
        program = char(27) || '[2J', model = char(27) || ']0;x' || char(7),
        endpoint = 'https://h' || char(155) || '/', hedge_reason = char(10)"
    for command in calls "show 1" "calls --json" "show 2 --json"; do
        # shellcheck disable=SC2086 # several words
        "$UNSTALL" $command >got
        refute grep -qP '[\x00-\x09\x0b-\x1f\x7f]' got
    done
}

@test "calls: a quote in a filter is a quote" {
    old_store
    [ "$(ids --program "x' OR '1'='1")" = "" ]
    [ "$(ids --model 'x"; DROP TABLE calls; --')" = "" ]
    [ "$(ids)" = "3 2 1" ]
}

@test "calls --json: an object a call, named as the columns are" {
    old_store
    unstall calls --json >got
    [ "$(jq -c '.[0] | [.id, .uuid, .stall_ms, .wall_ms]' got)" = \
        '[3,"c",null,120]' ]
    [ "$(jq '.[0] | has("max_gap_ms")' got)" = true ]
}

# --- one call ----------------------------------------------------------------

@test "show: what is not known is not told as 0" {
    old_store
    run "$UNSTALL" show 3
    [ "$status" -eq 0 ]
    [[ $output == *"answer    failed, incomplete"* ]]
    [[ $output != *" 0 ms"* ]]
    run "$UNSTALL" show 4
    [ "$status" -eq 1 ]
    [[ $output == *"there is no call 4"* ]]
    for mistake in "x" "1 2"; do
        # shellcheck disable=SC2086 # words
        run "$UNSTALL" show $mistake
        [ "$status" -eq 2 ]
    done
}

# P7, P8: from a real stall to its drawing.
@test "a call that stalled is recorded, listed and drawn" {
    start_mock prim --tokens 40 --interval-ms 5 --fault stall@20=0.7
    unstall run --observe --set stream.stall_threshold_ms=300 -- \
        curl -sSN -o got -d "$(chat_body)" "$PRIM_URL$(path_of chat)"
    run "$UNSTALL" calls --stalled
    [[ ${lines[1]} == *curl*"mock-1 @ 127.0.0.1:$PRIM_PORT"*ok*"ms (1)" ]]

    COLUMNS=80 run "$UNSTALL" show last
    [ "$status" -eq 0 ]
    [[ $output == *"to        $PRIM_URL$(path_of chat)"* ]]
    [[ $output == *"* 0 "*"├"*"~~ 7"*" ms ~~"*"┤"* ]]
    [[ $output == *"attempt 0, after chunk 20: silent for "* ]]
    COLUMNS=80 run "$UNSTALL" show last --ascii
    [[ $output == *"* 0 "*"["*"~~ 7"*" ms ~~"*"]"* ]]
    refute grep -qP '[^\x00-\x7f]' <<<"$output"

    unstall show last --json >got
    [ "$(jq '.[0].stall_list | length' got)" = 1 ]
    [ "$(jq '.[0].stall_list[0].after_chunk' got)" = 20 ]
    [ "$(jq '.[0] | .stall_ms == .stall_list[0].duration_ms' got)" = true ]
    [ "$(jq '[.[0].attempt_list[0].timeline[] | select(.mark == "chunk").count]
        | add' got)" = 40 ]
}

@test "silences that no answer ended are selected as stalled, too" {
    start_mock prim --tokens 40 --interval-ms 5 --fault stall@20=60
    start_mock back --tokens 40 --interval-ms 5 --fault text-of=prim
    local to="$PRIM_URL$(path_of chat)"
    unstall run --quiet --stall-after 0.5 --hold all \
        --backup "$BACK_URL/v1" -- curl -sSN -o got -d "$(chat_body)" "$to"
    unstall run --quiet --stall-after 0.5 --backup "$BACK_URL/v1" -- \
        curl -sSN -o got -d "$(chat_body mock-1 '"temperature": 0')" "$to"
    run unstall run --observe -- \
        curl -sSN -m 3 -o got -d "$(chat_body)" "$to"
    run unstall run --observe -- \
        curl -sSN -m 1 -o got -d "$(chat_body)" "$to"
    "$UNSTALL" calls --json >all
    "$UNSTALL" calls --stalled --json >stalled
    [ "$(jq 'map(.stall_count) | add' all)" = 0 ]
    [ "$(jq -c 'map([.outcome, .hedge_reason])' stalled)" = \
        '[["truncated",null],["ok","resume"],["ok","stall"]]' ]
}

@test "show: why an attempt failed, and in what silence" {
    start_mock prim --tokens 40 --interval-ms 5 --fault stall@20=60
    start_mock mute --fault silent
    for server in "$PRIM_URL" "$MUTE_URL"; do
        run unstall run --observe -- curl -sSN -m 2 -o got \
            -d "$(chat_body)" "$server$(path_of chat)"
        COLUMNS=120 run -0 unstall show last --ascii
        [[ $output == *"timed out (curl 28)"* ]]
        [[ $output == *" s silent "* ]]
    done
    run unstall run --observe -- curl -sS -d "$(chat_body)" \
        "http://127.0.0.1:1$(path_of chat)"
    COLUMNS=120 run -0 unstall show last
    [[ $output == *"cannot connect (curl 7)"* ]]
}

@test "a filter's word that there is not is a mistake" {
    run -2 unstall calls --arm foo
    [[ $output == *"--arm foo: it is one of control, treatment"* ]]
    run -2 unstall report --mode hedged
    [[ $output == *"--mode hedged: it is one of observe, shadow, hedge"* ]]
}

@test "a database that is named and not there is a mistake" {
    for command in calls report "show last" ab advise; do
        # shellcheck disable=SC2086 # words
        run -2 unstall $command --db "$PWD/nowhere.db"
        [[ $output == *"--db $PWD/nowhere.db: no such file"* ]]
    done
    run -0 unstall calls
    [[ $output == "no calls recorded yet"* ]]
    [ ! -e nowhere.db ]
}

@test "the store and its companions are their owner's alone" {
    start_mock prim --tokens 2
    (umask 0000 && unstall run --observe -- \
        curl -sSN -o got -d "$(chat_body)" "$PRIM_URL$(path_of chat)")
    [ "$(stat -c %a "${DB%/*}")" = 700 ]
    [ "$(stat -c %a "$DB" "$DB-wal" "$DB-shm" | sort -u)" = 600 ]
}

# P4: many programs that end at once.
@test "calls of sixteen programs at once are all recorded" {
    start_mock prim --tokens 5
    for i in {1..16}; do
        unstall run --observe -- curl -sSN -o "got$i" -d "$(chat_body)" \
            "$PRIM_URL$(path_of chat)" &
    done
    wait
    [ "$(store 'SELECT count(*), sum(chunk_count) FROM calls')" = "16|80" ]
}

# P1: the host gets its answer, whatever the store is like.
@test "a store that cannot be written changes nothing for the program" {
    start_mock prim --tokens 5
    ask prim chat >plain
    echo "a letter, not a database; and a long one, too" >letter
    chmod 600 letter
    UNSTALL_LOG=$PWD/log unstall run --observe \
        --set "store.path=$PWD/letter" -- curl -sSN \
        -H 'content-type: application/json' -d "$(chat_body)" -o got \
        "$PRIM_URL$(path_of chat)"
    diff <(text_of chat <plain) <(text_of chat <got)
    grep -q 'letter: not written: the file is damaged' log
    grep -q '^a letter' letter
}
