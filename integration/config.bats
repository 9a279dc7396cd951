#!/usr/bin/env bats
# `unstall run` and `unstall config`: what they accept, refuse and say, what
# the program that is run gets, and that a mistake starts nothing.

bats_require_minimum_version 1.5.0
load lib
setup() { common_setup; }
teardown() { common_teardown; }

# What the program would see: one variable of its environment.
seen() {
    run --separate-stderr "$UNSTALL" run "${@:2}" -- sh -c "echo \"\$$1\""
}

# The command fails with exit code 2, says $1, and starts nothing.
refuses() {
    local said=$1
    shift
    run --separate-stderr "$UNSTALL" run "$@" touch started
    [ "$status" -eq 2 ]
    [[ $stderr == *"$said"* ]]
    [ ! -e started ]
}

# --- the program that is run -------------------------------------------------

@test "run: the exit code is the program's" {
    run "$UNSTALL" run -- sh -c 'exit 7'
    [ "$status" -eq 7 ]
}

@test "run: a signal is the program's" {
    run "$UNSTALL" run -- sh -c 'kill -TERM $$'
    [ "$status" -eq 143 ]
}

@test "run: 127 when it is not found, 126 when it cannot be run" {
    run -127 --separate-stderr "$UNSTALL" run -- no-such-program
    [ "$stderr" = "unstall: no-such-program: not found" ]
    run --separate-stderr "$UNSTALL" run -- /
    [ "$status" -eq 126 ]
    [ "$stderr" = "unstall: / cannot be run: Permission denied" ]
}

@test "run: the program's own options are left to it, with and without --" {
    run "$UNSTALL" run echo --after -- -x
    [ "$output" = "--after -- -x" ]
    run "$UNSTALL" run -- echo --after 3
    [ "$output" = "--after 3" ]
}

@test "run: the arguments arrive as they are" {
    run "$UNSTALL" run -- printf '<%s>' '' 'a b' $'c\nd' '*'
    [ "$output" = $'<><a b><c\nd><*>' ]
}

@test "run: nothing is said when there is nothing to say" {
    seen HOME
    [ -z "$stderr" ]
}

# --- the preload -------------------------------------------------------------

@test "run: the library beside the program is preloaded" {
    seen LD_PRELOAD
    [ "$output" = "$SHIM" ]
}

@test "run: what is in LD_PRELOAD stays in front, and nothing is added twice" {
    LD_PRELOAD=$SHIM seen LD_PRELOAD
    [ "$output" = "$SHIM" ]
    cp "$SHIM" other.so
    LD_PRELOAD=$PWD/other.so seen LD_PRELOAD
    [ "$output" = "$PWD/other.so:$SHIM" ]
    LD_PRELOAD=$PWD/other.so:$SHIM seen LD_PRELOAD
    [ "$output" = "$PWD/other.so:$SHIM" ]
}

@test "run: an installed program finds ../lib/unstall" {
    mkdir -p usr/bin usr/lib/unstall
    cp "$UNSTALL" usr/bin/
    cp "$SHIM" usr/lib/unstall/
    run usr/bin/unstall run -- sh -c 'echo $LD_PRELOAD'
    [ "$output" = "$PWD/usr/lib/unstall/libunstall.so" ]
}

@test "run: without its library nothing is started" {
    mkdir bin
    cp "$UNSTALL" bin/
    run --separate-stderr bin/unstall run -- touch started
    [ "$status" -eq 2 ]
    [[ $stderr == *"libunstall.so is neither beside this program"* ]]
    [ ! -e started ]
}

@test "run: a path with a space or colon is bridged by a private link" {
    mkdir 'a b:c'
    cp "$UNSTALL" "$SHIM" 'a b:c/'
    run 'a b:c/unstall' run -- sh -c 'echo $LD_PRELOAD'
    [ "$status" -eq 0 ]
    [[ $output == "$XDG_RUNTIME_DIR"/unstall/lib-*/libunstall.so ]]
    [ "$output" -ef 'a b:c/libunstall.so' ]
    [ "$(stat -c %a "$XDG_RUNTIME_DIR/unstall")" = 700 ]
    first=$output
    run 'a b:c/unstall' run -- sh -c 'echo $LD_PRELOAD'
    [ "$output" = "$first" ]
}

@test "run: a bridge in a directory of others is not used" {
    mkdir 'a b'
    cp "$UNSTALL" "$SHIM" 'a b/'
    mkdir -m 777 "$XDG_RUNTIME_DIR/unstall" "$XDG_STATE_HOME/unstall" \
        "$HOME/.unstall"
    chmod 777 "$XDG_RUNTIME_DIR/unstall" "$XDG_STATE_HOME/unstall" \
        "$HOME/.unstall"
    run --separate-stderr 'a b/unstall' run -- touch started
    [ "$status" -eq 2 ]
    [[ $stderr == *"cannot be preloaded: there is a space or colon"* ]]
    [ ! -e started ]
}

# --- options become settings -------------------------------------------------

@test "run: options are settings in the program's environment" {
    seen UNSTALL__HEDGE__AFTER_S --after 3
    [ "$output" = 3 ]
    seen UNSTALL__HEDGE__STALL_AFTER_S --stall-after=5 --hold all
    [ "$output" = 5 ]
    seen UNSTALL__HEDGE__HOLD_S --hold all
    [ "$output" = all ]
    seen UNSTALL__STREAM__TTFT_TIMEOUT_S --ttft-timeout 9
    [ "$output" = 9 ]
    seen UNSTALL__STREAM__STALL_TIMEOUT_S --stall-timeout 9
    [ "$output" = 9 ]
    seen UNSTALL__HEDGE__MAX_ATTEMPTS --set hedge.max_attempts=4
    [ "$output" = 4 ]
    seen UNSTALL__STORE__PATH --db x.db
    [ "$output" = "$PWD/x.db" ]
}

@test "run: hedging options set the mode, others do not" {
    seen UNSTALL__MODE --after 3
    [ "$output" = hedge ]
    seen UNSTALL__MODE --backup http://localhost/v1
    [ "$output" = hedge ]
    seen UNSTALL__MODE --stall-timeout 9
    [ "$output" = "" ]
    seen UNSTALL__MODE --observe
    [ "$output" = observe ]
    seen UNSTALL__MODE --after 3 --set mode=observe
    [ "$output" = observe ]
}

@test "run: backups become sources, in order, with their keys and models" {
    export KEY=k
    seen UNSTALL__SOURCES --backup https://one/v1 --backup-key-env KEY \
        --backup https://two/v1 --backup-model m
    [ "$(jq -c . <<<"$output")" = '{"backup":{"base_url":"https://one/v1",'`
        `'"api_key_env":"KEY"},"backup2":{"base_url":"https://two/v1",'`
        `'"models":{"*":"m"}}}' ]
    seen UNSTALL__HEDGE__SOURCES --backup https://one/v1 --backup https://two
    [ "$output" = '["backup","backup2"]' ]
}

# P5
@test "run: a call may ask every backup, unless somebody said how many" {
    local two="--backup https://one/v1 --backup https://two/v1"
    local six
    # shellcheck disable=SC2086 # words, also below
    seen UNSTALL__HEDGE__MAX_ATTEMPTS $two
    [ "$output" = 3 ]
    seen UNSTALL__HEDGE__MAX_ATTEMPTS --backup https://one/v1
    [ -z "$output" ]
    six="$two $two $two"
    seen UNSTALL__HEDGE__MAX_ATTEMPTS $six
    [ "$output" = 5 ]
    [[ $stderr == *"--backup: source backup5 is asked only when one before"* ]]
    seen UNSTALL__HEDGE__MAX_ATTEMPTS $two --set hedge.max_attempts=2
    [ "$output" = 2 ]
    [[ $stderr == *"source backup2 is asked only when one before it cannot"* ]]
    config <<<'{"hedge": {"max_attempts": 2}}'
    seen UNSTALL__HEDGE__MAX_ATTEMPTS $two
    [ -z "$output" ]
    [[ $stderr == *"source backup2 is asked only when one before it cannot"* ]]
}

# P3
@test "run: a backup takes no key from a source of its name" {
    config <<<'{"sources": {"backup": {"base_url": "https://house/v1",
                "api_key_env": "HOUSE_KEY"}}}'
    export HOUSE_KEY=secret
    run "$UNSTALL" run --quiet --backup https://other/v1 -- \
        "$UNSTALL" config show
    [[ $output == *"sources.backup.base_url"*"https://other/v1"* ]]
    [[ $output != *HOUSE_KEY* ]]
}

@test "run: routes with a dialect or an exclusion reach the preload" {
    config <<<'{"routes": [{"match": "https://a/*", "dialect": "chat"},
                {"match": "https://b/*", "exclude": true}, {"match": "*"}]}'
    seen UNSTALL_MATCH
    [ "$output" = 'chat=https://a/* !https://b/*' ]
    UNSTALL_MATCH='!https://c/*' seen UNSTALL_MATCH
    [ "$output" = 'chat=https://a/* !https://b/* !https://c/*' ]
}

@test "run: --config reaches a program that changes its directory" {
    echo '{"mode": "off"}' >my.json
    seen UNSTALL_CONFIG --config my.json
    [ "$output" = "$PWD/my.json" ]
}

@test "run: it says once per source where calls may go, unless quiet" {
    config <<<'{"mode": "hedge", "hedge": {"sources": ["b", "self"]},
        "sources": {"b": {"base_url": "https://b.example:8443/v1"},
                    "unused": {"base_url": "https://u.example/v1"}},
        "routes": [{"match": "*", "sources": ["b"]}]}'
    seen HOME
    [ "$(grep -v warning: <<<"$stderr")" = "unstall: calls may also be sent "`
        `"to https://b.example:8443 (source b)" ]
    [[ $stderr == *"config.json:3: source unused is never asked"* ]]
    seen HOME --quiet
    [ -z "$stderr" ]
    seen HOME --observe
    [[ $stderr != *"sent to"* ]]
}

# --- mistakes start nothing --------------------------------------------------

@test "run: a mistake in the options starts nothing" {
    refuses 'no option --aftr; did you mean --after?' --aftr 3
    refuses 'contradict each other' --observe --after 3
    refuses '--backup-key-env belongs after a --backup' --backup-key-env K
    refuses '--backup-model belongs after a --backup' --backup-model m
    refuses '--set needs KEY=VALUE' --set hedge.after_s
    refuses '--observe takes no value' --observe=1
    run --separate-stderr "$UNSTALL" run --after
    [ "$status" -eq 2 ]
    [[ $stderr == *"--after needs S"* ]]
    run --separate-stderr "$UNSTALL" run
    [ "$status" -eq 2 ]
    [[ $stderr == *"which program?"* ]]
}

@test "run: a wrong value starts nothing, and its option is named" {
    refuses '--after: hedge.after_s is "soon", and must be' --after soon
    refuses '--hold: hedge.hold_s is -1' --hold -1
    refuses '--set mode: mode is "on"' --set mode=on
    refuses '--set hedge.aftr_s: no setting is called hedge.aftr_s; did you '`
        `'mean hedge.after_s?' --set hedge.aftr_s=1
    refuses '--backup: source backup: base_url must be' --backup b.example
    refuses '--stall-after: hedge.stall_after_s (30) is not below '`
        `'stream.stall_timeout_s (20): it could never fire; raise the one or '`
        `'lower the other' --stall-after 30 --hold all --stall-timeout 20
}

@test "run: a mistake in the file starts nothing, and its line is named" {
    config <<<$'{\n  "hedge": { "stall_after_s": 30, "hold_s": "all" },\n'`
        `$'  "stream": { "stall_timeout_s": 20 }\n}'
    refuses 'unstall/config.json:2: hedge.stall_after_s (30) is not below'
    config <<<$'{\n  "hedgy": {}\n}'
    refuses 'unstall/config.json:2: no setting is called hedgy'
    config <<<$'{\n  "hedge": {},\n}'
    refuses 'unstall/config.json:3: there is a comma after the last item'
    refuses 'nowhere.json: cannot be read' --config nowhere.json
}

@test "run: a warning starts the program, and is not said when quiet" {
    seen HOME --stall-after 5 --resume off
    [ "$status" -eq 0 ]
    [[ $stderr == "unstall: warning: --stall-after: hedge.stall_after_s can"* ]]
    seen HOME --stall-after 5 --set hedge.resume=off --quiet
    [ -z "$stderr" ]
}

@test "hedging without the mode: run, config check and doctor say so" {
    local no='hedge.after_s has no effect in mode "observe"'

    seen HOME --set hedge.after_s=1
    [ "$status" -eq 0 ]
    [[ $stderr == *"warning: --set hedge.after_s: $no"* ]]
    UNSTALL__HEDGE__AFTER_S=1 seen HOME
    [[ $stderr == *"warning: UNSTALL__HEDGE__AFTER_S: $no"* ]]
    for good in "--observe" "--set mode=hedge" "--after 2"; do
        # shellcheck disable=SC2086 # words
        UNSTALL__HEDGE__AFTER_S=1 seen HOME $good
        [ -z "$stderr" ]
    done
    config <<<'{"hedge": {"after_s": 1}}'
    run -0 "$UNSTALL" config check
    [[ $output == *"config.json:1: $no"* ]]
    run -0 "$UNSTALL" doctor
    [[ $output == *"$no"* ]]
}

# P3: what is said is kept in journals.
@test "a key in the place of its name is not repeated" {
    local key=sk-abcdefgh0123456789
    refuses '--backup-key-env takes the name of a variable' \
        --backup https://b.example/v1 --backup-key-env $key
    [[ $stderr != *$key* ]]
    config <<<'{"mode": "hedge", "hedge": {"sources": ["b"]}, "sources":
        {"b": {"base_url": "https://b.example/v1", "api_key": "'$key'"}}}'
    refuses 'name that in api_key_env, or in a file for api_key_file'
    [[ $stderr != *$key* ]]
    run -1 "$UNSTALL" doctor
    [[ $output != *$key* ]]
}

# --- config and explain ------------------------------------------------------

@test "config check: 0 without errors, 2 with, and --json" {
    run "$UNSTALL" config check
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "no file: neither $XDG_CONFIG_HOME/unstall/config.json "`
        `"nor /etc/unstall/config.json is there" ]
    [ "${lines[1]}" = "no errors, no warnings" ]
    config <<<'{"mode": "on", "retry": {"max": 2}}'
    run -2 "$UNSTALL" config check
    [[ $output == *'config.json:1: mode is "on"'* ]]
    run -2 --separate-stderr "$UNSTALL" config check --json
    [ "$(jq -r '.[0].level' <<<"$output")" = error ]
    [ "$(jq -r '.[1].level' <<<"$output")" = warning ]
    run "$UNSTALL" config
    [ "$status" -eq 2 ]
}

@test "config check: a source without its key is a warning" {
    config <<<'{"mode": "hedge", "hedge": {"sources": ["b"]}, "sources":
        {"b": {"base_url": "https://b.example/v1", "api_key_env": "B_KEY"}}}'
    run -0 "$UNSTALL" config check
    [[ $output == *"source b cannot be used: B_KEY is not set"* ]]
    B_KEY=k run -0 "$UNSTALL" config check
    [ "${lines[0]}" = "file: $XDG_CONFIG_HOME/unstall/config.json" ]
    [ "${lines[1]}" = "no errors, no warnings" ]
}

@test "sources and routes that come to nothing: config check and doctor" {
    local said
    config <<<'{"mode": "hedge", "hedge": {"after_s": 1, "sources": ["a", "b"]},
        "sources": {"a": {"base_url": "https://a.example/v1"},
                    "b": {"base_url": "https://b.example/v1"},
                    "c": {"base_url": "https://c.example/v1"}},
        "routes": [{"match": "api.openai.com"}]}'
    run -0 "$UNSTALL" config check
    for said in 'json:1: source b is asked only when one before it cannot be' \
        'json:4: source c is never asked' \
        'json:5: match "api.openai.com" can match no URL'; do
        [[ $output == *"$said"* ]]
    done
    run -0 "$UNSTALL" doctor --json
    [[ $output == *"source c is never asked"* ]]
    # for one run other sources are named, and nothing is said of the file's
    seen HOME --backup https://d.example/v1
    [[ $stderr != *"never asked"* ]]
}

@test "config: the working directory is never looked at" {
    mkdir -p unstall .config/unstall
    for place in . unstall .config/unstall; do
        echo 'broken' >$place/config.json
    done
    run "$UNSTALL" config check
    [ "$status" -eq 0 ]
}

@test "config show: every value with its origin" {
    config <<<$'{\n "hedge": { "after_s": 3 } }'
    UNSTALL__MODE=hedge run "$UNSTALL" config show --json
    origin() { jq -r --arg k "$1" '.[] | select(.key == $k).origin' \
        <<<"$output"; }
    [ "$(origin hedge.after_s)" = "$XDG_CONFIG_HOME/unstall/config.json:2" ]
    [ "$(origin mode)" = UNSTALL__MODE ]
    [ "$(origin retry.max)" = default ]
    [ "$(jq -r '.[] | select(.key == "store.path").value' <<<"$output")" = \
        "$XDG_STATE_HOME/unstall/unstall.db" ]
    run "$UNSTALL" config show
    [[ $output == *"hedge.after_s "*" 3 "*"config.json:2"* ]]
}

@test "config: a home that is not known is no mistake" {
    run env -i "$UNSTALL" config check
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "no file: HOME is not set, and "`
        `"/etc/unstall/config.json is not there" ]
    run env -i "$UNSTALL" run -- /bin/sh -c 'exit 3'
    [ "$status" -eq 3 ]
}

# P8
@test "explain: one definition, all of them, and what was meant" {
    run "$UNSTALL" explain ttft_ms
    [ "$status" -eq 0 ]
    [[ $output == "calls.ttft_ms (ms)"* ]]
    run "$UNSTALL" explain --json
    [ "$(jq -r '[.[] | select(.definition == "")] | length' \
        <<<"$output")" = 0 ]
    run -2 "$UNSTALL" explain tfft_ms
    [[ $output == *"did you mean ttft_ms?"* ]]
}

@test "explain: without the unit, and the words that a call is described by" {
    local word
    run "$UNSTALL" explain ttft
    [ "${lines[0]}" = "calls.ttft_ms (ms)" ]
    run "$UNSTALL" explain stall
    [ "${lines[0]}" = "calls.stall_ms (ms)" ]
    for word in ok refused failed timeout aborted killed; do
        run "$UNSTALL" explain "$word"
        [ "${lines[0]}" = calls.outcome ]
    done
    for word in first_token tied retry resume budget_exhausted pushback \
        no_key not_movable same_origin_failed launch_failed; do
        run "$UNSTALL" explain "$word"
        [ "${lines[0]}" = calls.hedge_reason ]
    done
    run -2 "$UNSTALL" explain exhausted
    for word in UNTOLD=extra_untold fired=hedges_fired p95=quantile \
        TOKEN=failed_first_token STREAM=failed_streaming; do
        run -0 "$UNSTALL" explain "${word%=*}"
        [[ ${lines[0]} == "report.${word#*=}"* ]]
    done
    run -0 "$UNSTALL" explain whole call
    [ "${lines[0]}" = "calls.wall_ms (ms)" ]
    run -0 "$UNSTALL" explain ttft ttft_ms calls.ttft_ms
    [ "$(grep -c '^calls.ttft_ms' <<<"$output")" = 1 ]
    run -2 "$UNSTALL" explain ""
}

@test "config check: from a pipe, whose writer is slow" {
    run "$UNSTALL" config check --config <(sleep 0.3; echo '{"mode":"off"}')
    [ "$status" -eq 0 ]
    run "$UNSTALL" config check --config <(sleep 0.3; echo '{"mode":')
    [ "$status" -eq 2 ]
    run "$UNSTALL" run --config <(echo '{}') -- touch started
    [ "$status" -eq 2 ]
    [[ $output == *"use a file"* ]]
    [ ! -e started ]
}

@test "unstall: commands are listed, hinted at, and tell their options" {
    run "$UNSTALL"
    [ "$status" -eq 0 ]
    [[ $output == *"run "* ]]
    run "$UNSTALL" --version
    [ "$output" = "unstall $(cat "$ROOT/VERSION")" ]
    run -2 "$UNSTALL" rum
    [[ $output == *"did you mean 'run'?"* ]]
    run "$UNSTALL" help run
    [ "$status" -eq 0 ]
    [[ $output == *"--backup-key-env VAR"* ]]
    direct=$("$UNSTALL" run --help)
    [ "$output" = "$direct" ]
}

@test "run names only sources that can be asked" {
  run -0 --separate-stderr unstall run --after 1 \
    --backup https://b.example/v1 --backup-key-env NOSUCH -- true
  [[ "$stderr" == *"NOSUCH is not set"* ]]
  [[ "$stderr" != *"may also be sent"* ]]
}

@test "run says when there is no place for the database" {
  run -0 --separate-stderr env -u HOME -u XDG_STATE_HOME \
    "$UNSTALL" run --after 1 -- true
  [[ "$stderr" == *"no place for the database"* ]]
}

# P5: what cannot be counted is not spent; a move after a failure is free
@test "run says that nothing is hedged without a database" {
  local backup="--backup http://b.example/v1"
  : >file
  # shellcheck disable=SC2086 # words
  XDG_STATE_HOME=$PWD/file run -0 --separate-stderr unstall run --after 1 \
    $backup -- true
  [[ "$stderr" == *"No call is recorded, and none is hedged."* ]]
  [[ "$stderr" == *"only calls that fail may be sent to http://b.example"* ]]
  [[ "$stderr" != *"calls may also"* ]]
  # shellcheck disable=SC2086 # words
  XDG_STATE_HOME=$PWD/file run -0 --separate-stderr unstall run \
    --set mode=shadow $backup -- true
  [[ "$stderr" != *"be sent to"* ]]
  XDG_STATE_HOME=$PWD/file run -1 unstall doctor
  [[ "$output" == *"none is hedged"* ]]
  [[ "$output" != *"extra requests left"* ]]
}

@test "run says when the environment keeps it out of the program" {
  local backup="--after 1 --backup http://b.example/v1"
  # shellcheck disable=SC2086 # words, also below
  run -0 --separate-stderr env UNSTALL=off "$UNSTALL" run $backup \
    -- curl -V
  [ "$stderr" = "unstall: note: UNSTALL=off in the environment: nothing is "`
    `"hedged or recorded; unset it" ]
  run -0 --separate-stderr env UNSTALL_ONLY=php "$UNSTALL" run $backup \
    -- curl -V
  [[ "$stderr" == *"note: curl: UNSTALL_ONLY does not name it, so"* ]]
  run -0 --separate-stderr env UNSTALL_EXCEPT=curl "$UNSTALL" run \
    -- curl -V
  [[ "$stderr" == *"note: curl: UNSTALL_EXCEPT names it, so"* ]]
  run -0 --separate-stderr env UNSTALL_ONLY=curl "$UNSTALL" run \
    -- curl -V
  [ -z "$stderr" ]
  run -0 --separate-stderr env UNSTALL=off "$UNSTALL" run --quiet \
    -- curl -V
  [ -z "$stderr" ]
}

@test "run says once what is wrong with the database, and runs" {
  echo "a letter, not a database; and a long one, too" >letter
  mkdir place
  for db in letter place; do
    run -0 --separate-stderr unstall run --db $db -- echo ran
    [ "$output" = ran ]
    [ "$(grep -c 'unstall: warning: the database: ' <<<"$stderr")" -eq 1 ]
    run -0 --separate-stderr unstall run --quiet --db $db -- echo ran
    [ -z "$stderr" ]
  done
  # one that is sound, or will be, is nothing to talk about
  run -0 --separate-stderr unstall run --db new/db -- echo ran
  [ -z "$stderr" ]
  [ ! -e new ]
}

@test "run says that a backup alone is asked only after failures" {
  run -0 --separate-stderr unstall run --backup http://b.example/v1 -- true
  [[ "$stderr" == *"asked only after a failure"*"--hold all against stalls"* ]]
  for more in "--after 1" "--stall-after 1 --hold 3" --quiet; do
    # shellcheck disable=SC2086 # words
    run -0 --separate-stderr unstall run --backup http://b.example/v1 $more \
      -- true
    [[ "$stderr" != *"asked only after"* ]]
  done
  config <<<'{"hedge": {"after_s": 2}}'
  run -0 --separate-stderr unstall run --backup http://b.example/v1 -- true
  [[ "$stderr" != *"asked only after"* ]]
}

@test "run says what a stall after the first text needs" {
  local no='a stall is answered only with --hold all'
  local more

  run -0 --separate-stderr unstall run --stall-after 1 -- true
  [[ "$stderr" == *"note: once the program has text, $no"* ]]
  [[ "$stderr" == *"--set hedge.self_prefill=HOW"* ]]
  run -0 --separate-stderr unstall run --stall-after 1 --hold 0.1 \
    --backup http://b.example/v1 -- true
  [ "$(grep -c "$no" <<<"$stderr")" -eq 1 ]
  [[ "$stderr" == *"--hold 0.1 covers stalls in the first 0.1 s only"* ]]
  [[ "$stderr" == *"--set sources.backup.prefill=HOW"* ]]
  for more in "--hold all" "--resume verify" --quiet \
    "--set sources.backup.prefill=assistant" "--set mode=observe"; do
    # shellcheck disable=SC2086 # words
    run -0 --separate-stderr unstall run --stall-after 1 \
      --backup http://b.example/v1 $more -- true
    [[ "$stderr" != *"$no"* ]]
  done
}

@test "run says of no shadow that it is asked only after failures" {
  run -0 --separate-stderr unstall run --set mode=shadow \
    --backup http://b.example/v1 -- true
  [[ "$stderr" != *"asked only after"* ]]
  [[ "$stderr" == *"may also be sent to http://b.example"* ]]
}

@test "output that cannot be written is an error; a reader that left is none" {
    for words in help "help run" "explain --json" "config show" --version; do
        # shellcheck disable=SC2086 # words
        run -1 bash -c '"$0" "$@" 2>&1 >/dev/full' "$UNSTALL" $words
        [[ $output == "unstall: cannot write the output: "* ]]
    done
    run -0 bash -c 'set -o pipefail; trap "" PIPE
        { "$0" explain --json; } 2>&1 | true' "$UNSTALL"
    [ -z "$output" ]
    run -2 bash -c '"$0" nothing 2>/dev/null >/dev/full' "$UNSTALL"
}

@test "config check: half a surrogate pair is a mistake, and said" {
    printf '{"mode":"\\ud800"}' >half.json
    run "$UNSTALL" config check --config half.json
    [ "$status" -eq 2 ]
    [[ $output == *"half.json: a text in it is not valid JSON"* ]]
}
