# shellcheck shell=bash disable=SC2034,SC2154 # variables of others
# What is asked of every client: a function each, run with `set -e` in a home
# of its own.  Each compares the client under the preload with itself without.

CELLS='observe healthy hedge stall abort plain row many'

# A cell that makes no sense for the picked client.
applies() {
    case $many/$1 in
    none/plain) true ;;
    none/*) false ;;
    */many) [[ $many == many ]] ;;
    esac
}

# bare OUT ARG...: the client alone; its exit code into `bare`.
bare() {
    BEFORE=() bare=0
    client "${@:2}" >"$1" || bare=$?
}

# helped OUT OPTION... -- ARG...: the client under unstall, with BETA as the
# backup; its exit code into `helped`.
helped() {
    local out=$1
    shift
    BEFORE=("$UNSTALL" run --quiet --backup "$BETA_URL/v1") helped=0
    while [[ $1 != -- ]]; do
        BEFORE+=("$1")
        shift
    done
    BEFORE+=(--)
    client "${@:2}" >"$out" || helped=$?
}

is() {
    [[ $1 == "$2" ]] || { echo "${3:-it} is '$1', not '$2'" && return 1; }
}

same_run() {
    is "$helped" "$bare" "exit code"
    cmp bare helped
}

# Whatever the store knows of the calls, in SQL.
calls_are() {
    is "$(store "select $1 from calls")" "$2" "$1"
}

CHAT=$(path_of chat)
BODY=$(chat_body)

# The preload by itself: the same answer, and a row; the same refusal of what
# is no LLM call, and no row.
cell_observe() {
    start_mock alpha
    local url
    for url in "$ALPHA_URL/other" "$ALPHA_URL$CHAT"; do
        refute test -e "$XDG_STATE_HOME/unstall"
        bare bare "$url" "$BODY"
        BEFORE=(env LD_PRELOAD="$SHIM") helped=0
        client "$url" "$BODY" >helped || helped=$?
        same_run
    done
    is "$bare" 0 "exit code"
    calls_are 'program, outcome, attempts' "$program|ok|1"
    is "$(requests_of alpha)" 4 "requests"
}

# The answer is the primary's own, and nobody else is asked.
cell_healthy() {
    start_mock alpha
    start_mock beta
    bare bare "$ALPHA_URL$CHAT" "$BODY"
    helped helped --after 3 -- "$ALPHA_URL$CHAT" "$BODY"
    same_run
    is "$bare" 0 "exit code"
    is "$(requests_of alpha)" 2 "requests of the primary"
    is "$(requests_of beta)" 0 "requests of the backup"
    calls_are 'outcome, winner, attempts' 'ok|0|1'
}

# The primary is silent: the backup's answer, its first token in time, and the
# primary left at that moment rather than at the end.
cell_hedge() {
    start_mock alpha --fault silent
    start_mock beta --tokens 60 --interval-ms 20
    bare bare "$BETA_URL$CHAT" "$BODY"
    helped helped --after 0.3 -- "$ALPHA_URL$CHAT" "$BODY"
    same_run
    is "$bare" 0 "exit code"
    is "$(store 'select ttft_ms between 300 and 900 from calls')" 1 "in time"
    await_ends alpha 1
    is "$(ends_of alpha)" client_left "the primary's end"
    is "$(mock_log alpha 'select(.event == "end") | .t - .t_request < 1.2')" \
        true "left before the answer's end"
}

# The primary stops midway, with all of it held: the backup's answer.
cell_stall() {
    start_mock alpha --tokens 60 --interval-ms 5 --fault stall@20=8
    start_mock beta --tokens 60 --interval-ms 5
    bare bare "$BETA_URL$CHAT" "$BODY"
    helped helped --hold all --stall-after 0.5 -- "$ALPHA_URL$CHAT" "$BODY"
    same_run
    is "$bare" 0 "exit code"
    await_ends alpha 1
    is "$(ends_of alpha)" client_left "the primary's end"
    calls_are 'outcome, winner, hedge_reason' 'ok|1|stall'
}

# The client has enough midway: it ends as it does without, and so do both
# connections.
cell_abort() {
    start_mock alpha --fault silent
    start_mock beta --tokens 60 --interval-ms 20
    bare bare "$BETA_URL$CHAT" "$BODY" 900
    helped helped --after 0.3 -- "$ALPHA_URL$CHAT" "$BODY" 900
    same_run
    refute test "$bare" = 0
    await_ends alpha 1
    await_ends beta 2
    is "$(ends_of alpha)" client_left "the primary's end"
    is "$(ends_of beta | sort -u)" client_left "the backup's end"
    [[ $abort == - ]] || calls_are 'outcome, winner' "$abort|1"
}

# What is no LLM call is as it was, and leaves nothing.
cell_plain() {
    start_mock beta
    local url="$BETA_URL/plain?bytes=100000"
    [[ $kind != git ]] || serve_repository url
    bare bare "$url" ""
    helped helped --after 0 -- "$url" ""
    same_run
    is "$bare" 0 "exit code"
    refute test -e "$XDG_STATE_HOME/unstall"
    refute test -e "$XDG_RUNTIME_DIR/unstall"
}

# The store tells what happened, and to whom.
cell_row() {
    start_mock alpha --fault silent
    start_mock beta
    helped helped --after 0.2 -- "$ALPHA_URL$CHAT" "$BODY"
    calls_are 'program, outcome, winner, hedge_reason, attempts' \
        "$program|ok|1|first_token|2"
    is "$(store 'select seq, outcome from attempts order by seq')" \
        $'0|hedge_cancelled\n1|won' "attempts"
}

# Fifty at once, ten of them silent: fifty answers, in the time of one.
cell_many() {
    start_mock alpha --interval-ms 10 --fault silent,every=5
    start_mock beta --interval-ms 10
    ask alpha chat none >alpha.answer
    ask beta chat >beta.answer
    helped /dev/null --after 1 --set hedge.budget.burst=20 -- \
        "$ALPHA_URL$CHAT" "$BODY" "" 50
    is "$helped" 0 "exit code"
    is "$(answers_like alpha.answer)" 40 "the primary's answers"
    is "$(answers_like beta.answer)" 10 "the backup's answers"
    calls_are "count(*), sum(winner), sum(hedge_reason = 'first_token')" \
        '50|10|10'
    is "$(store 'select max(wall_ms) between 1000 and 2000 from calls')" 1 \
        "in time"
}

answers_like() {
    local n count=0
    for ((n = 1; n <= 50; n++)); do
        ! cmp -s "$n" "$1" || count=$((count + 1))
    done
    echo "$count"
}

# serve_repository VARIABLE: starts a server with one repository; its URL.
serve_repository() {
    local address
    git init --quiet repo
    echo "a line" >repo/file
    git -C repo add file
    git -C repo -c user.name=a -c user.email=a@b commit --quiet -m one
    mkfifo git.fifo
    /usr/bin/python3 "$MATRIX/git_server.py" . 3>&- >git.fifo &
    MOCK_PIDS+=" $!"
    disown
    read -r _ _ address <git.fifo
    printf -v "$1" '%s' "http://$address/repo/.git"
}
