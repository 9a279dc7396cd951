# shellcheck shell=bash
# What the integration tests share: mock servers, a home of its own for each
# test, programs with and without the shim, clocks.  It asserts little; tests
# say what they expect themselves.  What a test starts in the background it
# must wait for by pid: a plain `wait` waits for the timer of bats, too.
#
#     load lib
#     setup() { common_setup; }
#     teardown() { common_teardown; }
#
#     @test "..." {
#         start_mock alpha --fault stall@5=10
#         run with_shim curl -sN -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
#         [ "$(requests_of alpha)" -eq 1 ]
#     }

# Whatever the user's is; here, since bash reads \u as it parses the tests.
export LANG=C.UTF-8
unset LC_ALL LC_CTYPE

ROOT=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
BUILD=${B:-build}
[[ $BUILD == /* ]] || BUILD=$ROOT/$BUILD
UNSTALL=$BUILD/unstall
SHIM=$BUILD/libunstall.so

# --- a test's surroundings ---------------------------------------------------

common_setup() {
    private_home
    cd "$BATS_TEST_TMPDIR" || return
    stopwatch
}

common_teardown() {
    stop_mocks
}

# Nothing of the user's reaches a test, and nothing of a test's the user.
private_home() {
    local home=$BATS_TEST_TMPDIR/home name
    export HOME=$home
    export XDG_CONFIG_HOME=$home/config XDG_STATE_HOME=$home/state
    export XDG_RUNTIME_DIR=$home/run XDG_CACHE_HOME=$home/cache
    mkdir -p "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
    mkdir -m 700 "$XDG_RUNTIME_DIR"
    for name in "${!UNSTALL_@}"; do unset "$name"; done
    unset LD_PRELOAD http_proxy https_proxy all_proxy no_proxy
}

# Write the config file of this test, from standard input.
config() {
    mkdir -p "$XDG_CONFIG_HOME/unstall"
    cat >"$XDG_CONFIG_HOME/unstall/config.json"
}

# --- mock servers ------------------------------------------------------------

# start_mock NAME [OPTION...]: for `alpha`, sets ALPHA_URL, ALPHA_PORT,
# ALPHA_PID and ALPHA_LOG.  In setup_file it lives as long as the file's tests.
start_mock() {
    local name=$1 var=${1^^} dir pid address
    shift
    var=${var//[.-]/_}
    dir=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}
    mkfifo "$dir/$name.fifo"
    "$BUILD/mock-llm" --name "$name" --log "$dir/$name.log" "$@" \
        3>&- >"$dir/$name.fifo" &
    pid=$!
    disown
    read -r _ _ address <"$dir/$name.fifo" || return 1
    rm "$dir/$name.fifo"
    export "${var}_PID=$pid" "${var}_LOG=$dir/$name.log"
    export "${var}_URL=http://$address" "${var}_PORT=${address##*:}"
    if [[ -n ${BATS_TEST_NAME:-} ]]; then
        MOCK_PIDS+=" $pid"
    else
        FILE_MOCK_PIDS+=" $pid"
        export FILE_MOCK_PIDS
    fi
}

# End those that this test (in teardown_file: this file) has started.
stop_mocks() {
    local pids=${MOCK_PIDS:-}
    [[ -n ${BATS_TEST_NAME:-} ]] || pids=${FILE_MOCK_PIDS:-}
    # shellcheck disable=SC2086 # a list
    [[ -z $pids ]] || kill $pids 2>/dev/null || true
    MOCK_PIDS=
}

# mock_var NAME PID|URL|PORT|LOG
mock_var() {
    local var=${1^^}_$2
    var=${var//[.-]/_}
    echo "${!var}"
}

# mock_log NAME [FILTER]: what happened, through jq when there is a filter.
mock_log() {
    local log
    log=$(mock_var "$1" LOG)
    if [[ -n ${2:-} ]]; then jq -rc "$2" "$log"; else cat "$log"; fi
}

# How many requests have reached it.
requests_of() {
    grep -c '^{"event":"request"' "$(mock_var "$1" LOG)" || true
}

# ends_of NAME: how its answers ended, one word a line, in order.
ends_of() {
    mock_log "$1" 'select(.event == "end") | .how'
}

# Wait until as many answers of NAME have ended.
await_ends() {
    eventually ended "$1" "$2"
}

ended() {
    [[ $(ends_of "$1" | wc -l) -ge $2 ]]
}

# --- requests ----------------------------------------------------------------

# The path of a dialect.
path_of() {
    case $1 in
    chat) echo /v1/chat/completions ;;
    completions) echo /v1/completions ;;
    responses) echo /v1/responses ;;
    anthropic) echo /v1/messages ;;
    gemini) echo '/v1beta/models/mock-1:streamGenerateContent?alt=sse' ;;
    gemini-array) echo '/v1beta/models/mock-1:streamGenerateContent' ;;
    gemini-whole) echo '/v1beta/models/mock-1:generateContent' ;;
    ollama) echo /api/chat ;;
    ollama-generate) echo /api/generate ;;
    esac
}

# DIALECT_body [MODEL [MEMBERS]]: a request; MEMBERS are more JSON members,
# such as '"temperature":0'.  STREAM=false asks for a whole answer.
chat_body() {
    printf '{"model":"%s",%s,%s%s}' "${1:-mock-1}" \
        '"messages":[{"role":"user","content":"When is the tide?"}]' \
        "\"stream\":${STREAM:-true}" "${2:+,$2}"
}

completions_body() {
    printf '{"model":"%s","prompt":"The tide","stream":%s%s}' \
        "${1:-mock-1}" "${STREAM:-true}" "${2:+,$2}"
}

responses_body() {
    printf '{"model":"%s","input":"When is the tide?","stream":%s%s}' \
        "${1:-mock-1}" "${STREAM:-true}" "${2:+,$2}"
}

anthropic_body() {
    chat_body "${1:-mock-1}" "\"max_tokens\":1024${2:+,$2}"
}

gemini_body() {
    printf '{"contents":[{"role":"user","parts":[{"text":"%s"}]}]%s}' \
        'When is the tide?' "${2:+,$2}"
}

ollama_body() {
    chat_body "$@"
}

# body_of DIALECT [MODEL [MEMBERS]]
body_of() {
    local dialect=$1
    shift
    case $dialect in
    gemini*) gemini_body "$@" ;;
    ollama-generate) completions_body "$@" ;;
    *) "${dialect}_body" "$@" ;;
    esac
}

# ask NAME DIALECT [FAULTS [CURL OPTION...]]: one request, by plain curl.
ask() {
    local url body
    url=$(mock_var "$1" URL)$(path_of "$2")
    body=$(body_of "$2")
    if [[ -n ${3:-} ]]; then
        set -- "$1" "$2" "$3" -H "x-mock-fault: $3" "${@:4}"
    fi
    curl -sN --max-time 20 -H 'content-type: application/json' -d "$body" \
        "${@:4}" "$url"
}

# text_of DIALECT: the text in the stream at standard input.
text_of() {
    local data='fromjson? // empty' text
    case $1 in
    chat) text='.choices[]?.delta.content' ;;
    completions) text='.choices[]?.text' ;;
    responses) text='select(.type == "response.output_text.delta").delta' ;;
    anthropic) text='.delta?.text?' ;;
    gemini) text='.candidates[]?.content.parts[] | select(.thought|not).text' ;;
    ollama) text='.message?.content' ;;
    ollama-generate) text='.response' ;;
    esac
    tr -d '\r' | sed -n 's/^data: *//; s/^{/{/p' |
        jq -Rj "$data | $text // empty"
}

# --- programs with and without the shim --------------------------------------

unstall() {
    "$UNSTALL" "$@"
}

with_shim() {
    LD_PRELOAD=$SHIM "$@"
}

without() {
    env -u LD_PRELOAD "$@"
}

# The store of this test, asked in SQL.
store() {
    sqlite3 -batch -bail "$XDG_STATE_HOME/unstall/unstall.db" "$1"
}

# Fails when the command succeeds: `! command` alone cannot fail a test.
refute() {
    ! "$@"
}

# --- time --------------------------------------------------------------------

# Start the clock that took_ms and took_between read.
stopwatch() {
    STARTED_US=${EPOCHREALTIME/[.,]/}
}

took_ms() {
    echo $(((${EPOCHREALTIME/[.,]/} - STARTED_US) / 1000))
}

# took_between MIN MAX: milliseconds since stopwatch; says how many if not.
took_between() {
    local took
    took=$(took_ms)
    ((took >= $1 && took <= $2)) ||
        { echo "took $took ms, not $1 to $2" >&2 && return 1; }
}

# eventually COMMAND...: tries for five seconds.
eventually() {
    local try
    for ((try = 0; try < 500; try++)); do
        if "$@"; then return 0; fi
        sleep 0.01
    done
    echo "never: $*" >&2
    return 1
}
