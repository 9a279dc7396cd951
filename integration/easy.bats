#!/usr/bin/env bats
# P1, P6: a program that uses libcurl's easy interface in many ways cannot
# tell that it runs under the preload; except that a silent, stalled or failed
# answer is replaced by the backup's, which then is all that it sees.

bats_require_minimum_version 1.5.0

setup() {
    load lib
    load fidelity
    common_setup
    start_mock alpha --tokens 8 --interval-ms 20
    start_mock beta --tokens 8 --interval-ms 20
    backed_by beta
    BODY=$(chat_body)
    EASY=$BUILD/easy
    export EASY_PLAIN_URL="$BETA_URL/plain?bytes=3000"
}

teardown() {
    common_teardown
}

# url [FAULTS]: of the healthy server.
url() {
    echo "$ALPHA_URL$(path_of chat)${1:+?fault=$1}"
}

healthy() {
    MODES='observed hedged holding' with_modes "$@"
}

with_modes() {
    same_in "$MODES" "${FILTER:-steady}" "$EASY" "$(url "${FAULT:-}")" \
        "$BODY" "$@"
}


# With more held than given, more has been received.
unsized() {
    loose | sed -E 's/with [0-9]+ bytes/with N bytes/'
}

# Words that are one set of verbs each, commas between.
each() {
    local how=$1 verbs bad=0
    shift
    for verbs; do
        # shellcheck disable=SC2086 # words
        $how ${verbs//,/ } || { echo "=== with: $verbs" && bad=1; }
    done
    return "$bad"
}

@test "P1: plain use, and what the handle tells inside and after" {
    each healthy quiet,info info fields clock connects
    [ "$(requests_of beta)" -eq 0 ]
    [ "$(store 'select count(*) from calls')" -eq 15 ]
}

@test "P1: every form of the request" {
    each healthy copy read read,sized nobody=1 nobody=2 curlu signals share
    FILTER=loose each healthy http10 read,http10
    [ "$(requests_of beta)" -eq 0 ]
}

@test "P1: every form of taking the answer" {
    each healthy header header_data no_header no_write no_write,header \
        header,header_data header,no_header \
        swap_at=3 swap_data_at=3 swap_progress=2
}

@test "P1: several calls on a handle" {
    each healthy times=2,connects times=1,reset,connects \
        times=1,connects,close times=1,dup_after,connects times=2,info,fields
}

@test "P6: a short write ends the call" {
    each healthy abort_at=1 abort_at=2 abort_at=3 abort_at=6 \
        abort_header_at=1 abort_header_at=3 header,abort_at=1 \
        header,abort_at=2 header,abort_header_at=2 header_data,abort_at=2
}

@test "P6: the progress and the read callback end the call" {
    FILTER=ending each healthy progress_abort_ms=60
    FAULT=silent FILTER=ending each healthy progress_abort_ms=100
    MODES='observed hedged'
    FILTER=ending each with_modes progress_abort_at=3
    # (What had come, a "100 Continue", is not given after the abort.)
    FILTER=ending each healthy read,read_abort read,sized,read_abort
}

@test "P6: a pause by the return value" {
    FILTER=loose
    each healthy pause_at=1 pause_at=4 pause_header_at=1 pause_header_at=3 \
        header,pause_at=2 header,pause_header_at=2
}

@test "P6: a pause by curl_easy_pause" {
    FILTER=loose
    each healthy pause_call_at=1 pause_call_at=4
    FAULT=first-late=0.5 each healthy pause_after_ms=50
}

# Without an end mark the answer is complete when its transfer is over: what
# is held is given after that.
@test "P6: a pause, a short write when the transfer is over" {
    FAULT=no-done
    each healthy abort_at=1 abort_at=4 abort_header_at=2 header_data,abort_at=2
    FILTER=loose
    each healthy pause_at=1 pause_at=4 pause_header_at=2 pause_call_at=3
}

@test "P6: a pause that never ends runs into the total timeout" {
    FILTER=unsized each healthy pause_at=3,pause_for_ms=4000,timeout_ms=500 \
        pause_call_at=3,pause_for_ms=4000,timeout_ms=500
}

@test "P6: a perform or a copy of the handle inside its callback" {
    each healthy nest_at=1 nest_at=4 nest_header_at=2 dup_at=1 dup_at=4 \
        dup_later=3 dup_after
}

@test "P6: the application's own limits" {
    FAULT=silent each healthy timeout_ms=300
    FAULT=stall@4=9 each healthy timeout_ms=400
    # (A lead that is held can be replaced; given, its end is the call's.)
    MODES='observed hedged'
    FAULT=stall@4=9 FILTER=ending each with_modes low_speed_s=1
    BODY=$(STREAM=false chat_body)
    each healthy max_size=100
}

@test "P1: errors and what the buffer says" {
    FAULT=status=400 each healthy quiet fail info,fields
    FAULT=status=404 each healthy fail info
    FAULT=cut@4 each healthy info
    FAULT=reset@4 each healthy info
    FAULT=error@4 each healthy info
    FAULT=error-first MODES=observed each with_modes info
    FAULT=status=503 MODES=observed each with_modes fail info
}

@test "P1: odd answers" {
    FAULT="redirect=$BETA_URL/v1/chat/completions" \
        each healthy follow,info,fields info,fields
    FAULT=http100 each healthy quiet header info
    FAULT=trailer each healthy quiet header fields
    FAULT=close each healthy info times=1,connects
    FAULT=gzip each healthy gzip gzip,fields accept_gzip
    FAULT=split=3 FILTER=loose each healthy info
    FAULT=chunk-split FILTER=loose each healthy info
    FAULT=no-done each healthy info
    FAULT=huge@3=70000 FILTER=loose each healthy info abort_at=3
}

# Headers of the redirect are held, so the callbacks' order is another there.
@test "P6: a body that is sent again is rewound as before" {
    local FAULT="redirect=$BETA_URL/v1/chat/completions"
    each healthy follow,read,sized follow,file follow,file=2 follow,file,sized \
        follow,pipe,sized follow,read,seeks,quiet follow,read,ioctls,quiet \
        follow,read,seeks,ioctls,quiet
    MODES=observed each with_modes follow,read,seeks follow,read,ioctls \
        follow,read,seeks,ioctls
}

# What comes after it goes by libcurl's defaults, or by what is set then.
@test "P6: a reset inside a callback is what libcurl makes of it" {
    each healthy reset_at=1 reset_at=3 reset_at=4,info reset_at=3,times=1 \
        reset_at=3,swap_at=3,swap_data_at=3 reset_at=2,read reset_at=2,copy
    [ "$(requests_of beta)" -eq 0 ]
    [ "$(store "select count(*) from calls where outcome = 'ok'")" -eq 24 ]
}

@test "P6: another body inside a callback" {
    each healthy copy_at=3 copy,copy_at=3 copy,copy_at=2,times=1
    [ "$(store "select distinct model from calls")" = mock-1 ]
}

@test "P6: cleanup inside a callback does nothing" {
    local mode
    for mode in plain observed hedged holding; do
        local verbs=end_at=3
        [[ $mode != plain ]] || verbs=pause_for_ms # changes nothing
        in_background $mode $mode "$EASY" "$(url)" "$BODY" $verbs
    done
    wait
    for mode in observed hedged holding; do
        refute differs plain $mode
    done
}

@test "P1: threads, each with a handle of its own" {
    healthy threads=8 times=2 quiet
    [ "$(grep -c '^thread' plain.err)" -eq 8 ]
    [ "$(store 'select count(*) from calls')" -eq 72 ]
}

@test "no descriptor is left behind" {
    start_mock quick --tokens 3
    ALPHA_URL=$QUICK_URL
    healthy fds times=50 quiet
    grep -Fx 'descriptors: 0 more' plain.err
    [ "$(store 'select count(*) from calls')" -eq 153 ]
}

# --- a silent, stalled or failed primary -------------------------------------

# rescue FAULTS VERB...: what comes of it is the backup's answer, as a plain
# run directed there has it.
rescue() {
    local mode bad=0
    MODES=${MODES:-rescued rescued_holding}
    in_background plain plain "$EASY" "$BETA_URL$(path_of chat)" "$BODY" "$@"
    for mode in $MODES; do
        in_background "$mode" "$mode" "$EASY" "$(url)" "$BODY" "$@"
    done
    wait
    for mode in $MODES; do
        differs plain "$mode" "${FILTER:-steady}" && bad=1
    done
    return "$bad"
}

# The primary of a test goes wrong in every request.
broken() {
    start_mock broken --tokens 8 --interval-ms 20 --fault "$1"
    ALPHA_URL=$BROKEN_URL
}

@test "P1: a silent primary: the backup's answer is all there is" {
    broken silent
    each rescue quiet,info info fields read,sized copy curlu header \
        header_data no_header no_write,header swap_at=3 swap_data_at=3 \
        swap_progress=2 times=1,info,fields times=1,reset share signals gzip
    FILTER=loose each rescue http10
    [ "$(requests_of broken)" -gt 0 ]
    [ "$(ends_of broken | sort -u)" = client_left ]
}

@test "R2: a request that takes longer to read than the wait for its answer" {
    broken silent
    each rescue read,sized,read_ms=50 read,sized,read_ms=50,info,fields
    [ "$(requests_of broken)" -eq 4 ]
}

@test "P1: the way to a silent server leads over another one" {
    start_mock silent --fault silent
    broken "redirect=$SILENT_URL$(path_of chat)"
    each rescue follow,info,fields follow,abort_at=3
    [ "$(requests_of silent)" -eq 4 ]
}

@test "P6: a reset inside the backup's callbacks" {
    broken silent
    FILTER=loose each rescue reset_at=3,quiet reset_at=3,quiet,times=1
}

@test "P6: cleanup inside the backup's callbacks does nothing" {
    broken silent
    in_background plain plain "$EASY" "$BETA_URL$(path_of chat)" "$BODY"
    in_background rescued rescued "$EASY" "$(url)" "$BODY" end_at=3
    in_background rescued_holding rescued_holding "$EASY" "$(url)" "$BODY" \
        end_at=3
    wait
    refute differs plain rescued
    refute differs plain rescued_holding
}

@test "P1: a compressed answer of the backup is unpacked" {
    broken silent
    start_mock zipped --name beta --tokens 8 --interval-ms 20 --fault gzip
    backed_by zipped
    BETA_URL=$ZIPPED_URL
    each rescue gzip,info,fields gzip,abort_at=3
    grep -F 'content-encoding: gzip' plain.err
}

# Every second request is lost; so of each call the first one is, once that
# has been put out of step.
@test "P1: the same server, asked again, answers" {
    start_mock twin --name beta --tokens 8 --interval-ms 20 \
        --fault silent,every=2
    ALPHA_URL=$TWIN_URL
    unset UNSTALL__HEDGE__SOURCES
    ask twin chat >/dev/null
    MODES=rescued each rescue info,fields share signals read,sized copy gzip \
        header header_data follow,max_size=90000 abort_at=3 dup_at=2 nest_at=2
    MODES=rescued FILTER=loose rescue pause_at=3
    [ "$(requests_of twin)" -eq 27 ]
}

@test "P6: times are counted from the application's call" {
    broken silent
    in_background rescued rescued "$EASY" "$(url)" "$BODY" clock
    in_background plain plain "$EASY" "$BETA_URL$(path_of chat)" "$BODY" clock
    wait
    grep -Fx 'clock right first late order right' rescued.err
    grep -Fx 'clock right first early order right' plain.err
}

@test "P6: the backup's answer is stopped by a short write" {
    broken silent
    each rescue abort_at=1 abort_at=3 abort_at=6 abort_header_at=1 \
        abort_header_at=3 header,abort_at=2 header,abort_header_at=2 \
        header_data,abort_at=2
}

@test "P6: the backup's answer is paused" {
    broken silent
    FILTER=loose each rescue pause_at=1 pause_at=4 pause_header_at=2 \
        pause_call_at=2 header,pause_at=2
}

# (A backup that is asked at once, but late itself: it is paused just so.)
@test "P6: the application pauses before there is an answer" {
    local mode verbs=pause_after_ms=50
    broken silent
    in_background plain plain "$EASY" \
        "$BETA_URL$(path_of chat)?fault=first-late=0.6" "$BODY" "$verbs"
    for mode in rescued rescued_holding; do
        in_background "$mode" "$mode" "$EASY" "$(url)" "$BODY" "$verbs"
    done
    wait
    refute differs plain rescued loose
    refute differs plain rescued_holding loose
}

@test "P6: the progress callback stops a race" {
    broken silent
    FILTER=ending each rescue progress_abort_at=2
}

@test "P6: the progress callback stops a race that the primary has left" {
    broken status=503
    start_mock asleep --fault silent
    backed_by asleep
    rescued "$EASY" "$(url)" "$BODY" progress_abort_ms=200 2>err || code=$?
    [ "$code" -eq 42 ]
    grep -F "bytes 0 sum 0 progress yes error 'Callback aborted'" err
    refute grep -q '^header' err
    eventually test "$(requests_of asleep)" -eq 1
}

@test "P6: a handle used inside the backup's callbacks" {
    broken silent
    each rescue nest_at=1 nest_at=4 nest_header_at=2 dup_at=1 dup_at=4 \
        dup_later=3 dup_after
}

@test "P1: a primary that fails at once" {
    broken status=503
    each rescue info,fields fail,info nest_at=2 abort_at=2 times=1,info
}

@test "P1: a primary that is cut, or stalls, while it is held" {
    broken cut@4
    MODES=rescued_holding each rescue info,fields abort_at=2 nest_at=2
    start_mock stalled --tokens 8 --fault stall@4=30
    ALPHA_URL=$STALLED_URL
    MODES=rescued_holding each rescue info,fields abort_at=2 nest_at=2
}

@test "P1: a primary that cannot be reached, or is too slow for the program" {
    ALPHA_URL=http://127.0.0.1:1
    each rescue info,fields abort_at=2 times=1,info
    broken silent
    AFTER=9 MODES=rescued rescue low_speed_s=1 info
}

# Accepts, and says nothing: no TLS connection comes of that.
deaf() {
    python3 -c '
import socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(9)
print(s.getsockname()[1], flush=True)
time.sleep(30)' >port 3>&- &
    DEAF=$!
    disown # not to be waited for
    eventually test -s port
    ALPHA_URL=https://127.0.0.1:$(<port)
}

@test "P1: a primary that the program stops connecting to" {
    deaf
    MODES=observed with_modes connect_timeout_ms=300
    AFTER=9 MODES=rescued rescue connect_timeout_ms=300 info
    kill "$DEAF"
}

@test "P1: many threads are rescued at once" {
    broken silent
    rescue threads=8 times=1 quiet
    [ "$(grep -c '^thread' rescued.err)" -eq 8 ]
}

@test "no descriptor is left behind by rescued calls" {
    broken silent
    start_mock quick --name beta --tokens 3
    backed_by quick
    BETA_URL=$QUICK_URL
    AFTER=0.02 rescue fds times=50 quiet
    grep -Fx 'descriptors: 0 more' rescued.err
    [ "$(requests_of broken)" -eq 102 ]
}

# fallback PRIMARY BACKUP VERB...: when the backup is no better, all is as a
# plain run has it.
fallback() {
    local primary=$1 backup=$2 mode bad=0
    shift 2
    stop_mocks
    rm -f primary.log backup.log
    start_mock primary --tokens 8 --fault "$primary"
    start_mock backup --tokens 8 --fault "$backup"
    backed_by backup
    for mode in plain $MODES; do
        in_background "$mode" "$mode" "$EASY" \
            "$PRIMARY_URL$(path_of chat)" "$BODY" info "$@"
    done
    wait
    for mode in $MODES; do
        differs plain "$mode" && bad=1
    done
    [[ $(requests_of backup) -gt 0 ]] || bad=1
    return "$bad"
}

@test "R7: when all failed, the primary's own result" {
    MODES='rescued rescued_holding'
    fallback status=503 status=500
    fallback status=503 status=500 fail
    fallback status=503 silent timeout_ms=700
    fallback status=503 reset
    fallback silent silent timeout_ms=700
    fallback silent status=503 timeout_ms=700
    fallback reset status=503
    MODES=rescued_holding
    fallback cut@4 status=503
    fallback error@4 status=503
}
