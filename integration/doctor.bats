#!/usr/bin/env bats
# unstall doctor: what it says of real programs, of processes, and of the
# installation.  Nothing that it looks at is run.

load lib

setup() {
    common_setup
    # Tests set UNSTALL, the switch; lib has the program there.
    PROGRAM=$UNSTALL
}

teardown() {
    common_teardown
    [[ -z ${STARTED:-} ]] || kill "$STARTED" 2>/dev/null || true
}

# doctor CODE [ARGUMENT...]: its words are in $output.
doctor() {
    local code=$1
    shift
    run "$PROGRAM" doctor "$@"
    [ "$status" -eq "$code" ]
}

# Texts are wrapped and indented: any run of white space counts as one blank.
says() {
    [[ $(tr -s ' \n' ' ' <<<"$output") =~ $1 ]]
}

verdict() {
    "$PROGRAM" doctor --json "$@" | jq -r .verdict
}

# built NAME [OPTION...]: a program of C from standard input.
built() {
    local name=$1
    shift
    gcc -o "$name" -x c - "$@"
}

idle='int main(void) { return 0; }'

# Start a command that waits, as $STARTED; its file is $1.
started() {
    "$@" >/dev/null 2>&1 3>&- &
    STARTED=$!
    disown
    eventually is_running "$1"
}

is_running() {
    [[ /proc/$STARTED/exe -ef $(command -v "$1") ]]
}

# --- programs ----------------------------------------------------------------

@test "curl is linked with libcurl" {
    doctor 0 curl
    says 'curl will be helped: it is linked with libcurl'
    says 'libcurl /[^ ]*libcurl[^ ]*\.so\.4: [78]\.'
    says 'unstall run .* -- curl'
}

@test "nothing is run, and nothing is written" {
    built touching <<'END'
#include <stdio.h>
int main(void) { return fclose(fopen("touched", "w")); }
END
    doctor 1 ./touching
    [ ! -e touched ]
    [ ! -e "$XDG_STATE_HOME/unstall" ]
}

@test "a library may bring libcurl in" {
    built liblocal.so -shared -fPIC -lcurl <<'END'
void *curl_easy_init(void);
int curl_easy_perform(void *);
int local(void) { return curl_easy_perform(curl_easy_init()); }
END
    built indirect -L. -llocal "-Wl,-rpath,\$ORIGIN" \
        -Wl,--as-needed <<<'int local(void); int main(void) { return local(); }'
    doctor 0 ./indirect
    says 'will be helped: liblocal.so, which it is linked with, uses libcurl'
    says 'Brought by liblocal.so'
}

@test "a library that is missing is told" {
    built libgone.so -shared -fPIC <<<'int gone(void) { return 0; }'
    built lost -L. -lgone <<<'int gone(void); int main(void) { return gone(); }'
    rm libgone.so
    doctor 1 ./lost
    says 'libgone.so: not found, and [^ ]*lost needs it'
}

@test "a program without libcurl cannot be helped; its children may be" {
    built plain <<<'#include <stdlib.h>
        int main(int c, char **v) { return c > 1 && system(v[1]); }'
    doctor 1 ./plain
    says 'plain cannot be helped: it does not use libcurl'
    says 'it can start other programs'
    [ "$(verdict ./plain)" = cannot ]
}

@test "a static program cannot be helped" {
    built static -static <<<"$idle"
    doctor 1 ./static
    says 'static cannot be helped: it is statically linked'
    built pie -static-pie <<<"$idle"
    doctor 1 ./pie
    says 'statically linked'
}

@test "libcurl that is linked in statically cannot be reached" {
    built inside <<<'#include <stdio.h>
        int main(void) { return puts("libcurl/8.5.0") < 0; }'
    doctor 1 ./inside
    says 'cannot be helped: libcurl is linked into it statically'
    says '8\.5\.0'
}

@test "a Go program has an HTTP client of its own" {
    cat >note.s <<'END'
.section .note.go.buildid, "a", @note
.long 3, 4, 4
.asciz "Go"
.byte 0
.ascii "abcd"
.section .note.GNU-stack, "", @progbits
END
    gcc -c -o note.o note.s
    built go -x none note.o -static <<<"$idle"
    doctor 1 ./go
    says "cannot be helped: it does not use libcurl, but Go's own HTTP client"
}

@test "a musl program starts with the preload and is not helped" {
    command -v musl-gcc >/dev/null || skip "no musl-gcc"
    musl-gcc -o musl -x c - <<<"$idle"
    doctor 1 ./musl
    says 'musl cannot be helped: it uses musl'
    run with_shim ./musl
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a program for another machine cannot be preloaded into" {
    built other <<<"$idle"
    # EM_AARCH64, or EM_X86_64 there.
    if [[ $(uname -m) == x86_64 ]]; then machine='\xb7'; else machine='\x3e'; fi
    printf "$machine" | dd of=other bs=1 seek=18 conv=notrunc status=none
    doctor 1 ./other
    says 'it is for another machine than libunstall.so'
}

@test "a program that runs as somebody else ignores LD_PRELOAD" {
    local user=nobody
    built raised -Wl,--no-as-needed -lcurl <<<"$idle"
    if [[ $EUID -eq 0 ]]; then
        chown "$user" raised
        chmod u+s raised
        doctor 1 "$PWD/raised"
        says 'raised cannot be helped: it runs with privileges of its own'
        says 'setuid: it runs as user'
        chown root raised
        chmod u+s raised
    else
        chmod u+s raised
    fi
    # For its owner the bit changes nothing.
    doctor 0 "$PWD/raised"
}

@test "a set-group-id program, too" {
    [[ $EUID -eq 0 ]] || skip "needs root"
    built raised <<<"$idle"
    chgrp nogroup raised
    chmod g+s raised
    doctor 1 "$PWD/raised"
    says 'setgid: it runs as group'
}

@test "a program that opens libcurl by name may be helped" {
    built opener <<<'#include <dlfcn.h>
        int main(void) { return dlopen("libcurl.so.4", RTLD_LAZY) == 0; }'
    run "$PROGRAM" doctor ./opener
    says 'named in [^ ]*opener, which calls dlopen'
    if nm -D "$SHIM" | grep -q ' T dlsym$'; then
        says 'opener may be helped: it can open libcurl when it needs it'
        [ "$status" -eq 0 ]
    else
        [ "$status" -eq 1 ]
    fi
}

@test "the environment can keep us out" {
    UNSTALL=off doctor 1 curl
    says 'the environment switches unstall off for it'
    UNSTALL_ONLY=wget,perl doctor 1 curl
    says 'UNSTALL_ONLY does not name it'
    UNSTALL_ONLY=wget,curl doctor 0 curl
    UNSTALL_EXCEPT=curl doctor 1 curl
    says 'UNSTALL_EXCEPT names it'
}

# --- interpreters ------------------------------------------------------------

@test "php and its curl extension" {
    ls /usr/lib/php/*/curl.so >/dev/null 2>&1 || skip "no php-curl"
    run "$PROGRAM" doctor php
    says 'curl /usr/lib/php/[0-9]+/curl.so: libcurl.so.4 '
    if nm -D "$SHIM" | grep -q ' T dlopen$'; then
        [ "$status" -eq 0 ]
        says 'php may be helped: where it uses curl, a binding of libcurl'
        says 'RTLD_DEEPBIND'
    else
        says 'php cannot be helped: .*RTLD_DEEPBIND'
        [ "$status" -eq 1 ]
    fi
}

@test "python3 with pycurl may be helped" {
    /usr/bin/python3 -c 'import pycurl' 2>/dev/null || skip "no pycurl"
    doctor 0 /usr/bin/python3
    says 'python3 may be helped: where it uses pycurl, a binding of libcurl'
    says 'pycurl /usr/lib/python3/dist-packages/pycurl'
    says 'openai-python.* do not use libcurl'
}

# A prefix of its own, as virtual environments have.
@test "python3 without pycurl cannot" {
    mkdir -p venv/bin
    cp "$(command -v cat)" venv/bin/python3.9
    ln -s python3.9 venv/bin/python3
    doctor 1 venv/bin/python3
    says 'python3 cannot be helped: no binding of libcurl is installed for it'
    says 'pycurl not found'
    says 'Debian.s package is python3-pycurl'
}

@test "a binding in a virtual environment counts" {
    mkdir -p venv/bin venv/lib/python3.9/site-packages
    cp "$(command -v cat)" venv/bin/python3.9
    built venv/lib/python3.9/site-packages/pycurl.so -shared -fPIC \
        -Wl,--no-as-needed -lcurl <<<'int curl_easy_perform(void *);
        int f(void) { return curl_easy_perform(0); }'
    doctor 0 venv/bin/python3.9
    says 'where it uses pycurl, a binding of libcurl'
}

@test "a binding with libcurl inside cannot be reached" {
    mkdir -p venv/bin venv/lib/python3.9/site-packages/curl_cffi
    cp "$(command -v cat)" venv/bin/python3.9
    built venv/lib/python3.9/site-packages/curl_cffi/_wrapper.so -shared \
        -fPIC <<<'const char *f(void) { return "libcurl/8.1.1"; }'
    doctor 1 venv/bin/python3.9
    says 'python3.9 cannot be helped: libcurl is linked into it statically'
    says 'curl_cffi [^ ]*_wrapper.so: libcurl 8.1.1'
}

# --- scripts -----------------------------------------------------------------

@test "a shell script: what it starts inherits the preload" {
    printf '#!/bin/sh\n\nexec curl -sN "$1"\n' >ask.sh
    chmod +x ask.sh
    doctor 0 ./ask.sh
    says 'ask.sh may be helped: the programs that it starts, such as curl'
    says 'curl, in line 3'
    says 'unstall doctor curl'
}

@test "a script is followed through env to its interpreter" {
    perl -MWWW::Curl -e 1 2>/dev/null || skip "no WWW::Curl"
    printf '#!/usr/bin/env perl\nuse WWW::Curl;\n' >ask
    chmod +x ask
    doctor 0 ./ask
    says 'script [^ ]*ask'
    says 'run by /usr/bin/perl: ELF, 64 bit'
    says 'ask may be helped: where it uses WWW::Curl, a binding of libcurl'
}

@test "what is not there is a mistake of the command line" {
    doctor 2 no-such-program
    says 'no-such-program: not found in PATH'
    doctor 2 ./no-such-file
    says 'no such file'
    printf '#!/no/such/interpreter\n' >lost
    chmod +x lost
    doctor 2 ./lost
    says 'interpreter is missing'
    doctor 2 curl curl
    says 'one program or process at a time'
}

@test "what is neither ELF nor script is told" {
    printf '\1\2\3\0\1\2' >noise
    chmod +x noise
    doctor 1 ./noise
    says 'neither an ELF file nor a script'
}

# --- processes ---------------------------------------------------------------

@test "a process without the preload" {
    start_mock alpha --fault silent
    started curl -sN -m 30 -d "$(chat_body)" "$ALPHA_URL$(path_of chat)"
    eventually has_libcurl
    doctor 1 "$STARTED"
    says "curl \(process $STARTED\) is not helped: it was started without"
    says 'unstall run .* -- curl'
    [ "$(verdict "$STARTED")" = idle ]
}

has_libcurl() {
    grep -q libcurl "/proc/$STARTED/maps"
}

@test "a process with the preload, in the middle of a call" {
    start_mock alpha --fault silent
    started "$PROGRAM" run -- curl -sN -m 30 -d "$(chat_body)" \
        "$ALPHA_URL$(path_of chat)" || true
    eventually requested alpha
    doctor 0 "$STARTED"
    says "curl \(process $STARTED\) is helped: the preload is live"
    says 'engine mapped: it has made an LLM call'
    says 'libcurl /[^ ]*libcurl'
    [ "$(verdict "$STARTED")" = live ]
}

requested() {
    [[ $(requests_of "$1") -ge 1 ]]
}

@test "a process with the preload that has not loaded libcurl so far" {
    /usr/bin/python3 -c 'import pycurl' 2>/dev/null || skip "no pycurl"
    LD_PRELOAD=$SHIM started /usr/bin/python3 -c 'import time; time.sleep(60)'
    doctor 0 "$STARTED"
    says 'may be helped: the preload is live, and libcurl not loaded so far'
    says 'engine not mapped: no LLM call so far'
}

@test "a process that was switched off" {
    UNSTALL=off LD_PRELOAD=$SHIM started \
        /usr/bin/python3 -c 'import time; time.sleep(60)'
    doctor 1 "$STARTED"
    says 'UNSTALL=off'
}

@test "the calls of a process are counted, not those of its number before" {
    start_mock alpha
    with_shim /usr/bin/python3 - "$ALPHA_URL$(path_of chat)" \
        "$(chat_body)" <<'END' || skip "no pycurl"
import pycurl, sys
c = pycurl.Curl()
c.setopt(c.URL, sys.argv[1])
c.setopt(c.POSTFIELDS, sys.argv[2])
c.setopt(c.WRITEFUNCTION, lambda data: None)
c.perform()
END
    started sleep 60
    store "UPDATE calls SET pid = $STARTED"
    doctor 1 "$STARTED"
    says 'calls 1 recorded, the last one: ok'
    store 'UPDATE calls SET started_at = started_at - 3600000000'
    doctor 1 "$STARTED"
    says 'calls 0 recorded'
}

@test "somebody else's process" {
    [[ $EUID -eq 0 ]] || skip "needs root"
    started sleep 60
    chmod 711 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" 2>/dev/null || true
    run setpriv --reuid=65534 --regid=65534 --clear-groups \
        env -i PATH="$PATH" "$PROGRAM" doctor "$STARTED"
    [[ $status -ne 126 ]] || skip "the build cannot be read by others"
    [ "$status" -eq 1 ]
    says 'whether it can be helped is unknown: .*maps cannot be read'
    says "It is user 0's"
}

@test "a process that is not there" {
    doctor 2 4194305
    says 'no process 4194305'
}

# --- the installation --------------------------------------------------------

@test "all is well without any settings" {
    doctor 0
    says '^unstall is ready\.'
    says "preload $SHIM"
    says "engine $BUILD/libunstall-engine.so"
    says 'mode observe \(default\)'
    says 'unstall.db: not there yet, no call was recorded'
    [ "$(verdict)" = ready ]
    [ ! -e "$XDG_STATE_HOME/unstall" ]
}

@test "calls that are there are counted" {
    start_mock alpha
    with_shim curl -s -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >/dev/null
    doctor 0
    says 'unstall.db: 1 call, [0-9]+ kB, schema [0-9]+'
    says 'budget +10 extra requests left'
    kB=$(tr -s ' \n' ' ' <<<"$output" | sed -E 's/.*1 call, ([0-9]+) kB.*/\1/')
    bytes=$(cat "$XDG_STATE_HOME"/unstall/unstall.db{,-wal} | wc -c)
    [ "$kB" -eq $(((bytes + 1023) / 1024)) ]
}

@test "an empty budget is a warning" {
    start_mock alpha --fault first-late=0.5
    for _ in 1 2; do
        unstall run --quiet --after 0.1 --set hedge.budget.burst=1 \
            --set hedge.budget.ratio=0 -- \
            curl -s -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >/dev/null
    done
    export UNSTALL__HEDGE__BUDGET__BURST=1 UNSTALL__HEDGE__BUDGET__RATIO=0
    doctor 0
    says '! budget +0 extra requests left'
    says 'No rival is sent: each finished call adds 0 of one'
    says '--set hedge.budget.burst=1000'
    unstall report >out
    grep -q 'no rival, though one was wanted: 1 budget_exhausted' out
}

@test "a source's key is looked for, and never shown" {
    config <<'END'
{ "mode": "hedge", "hedge": { "after_s": 3, "max_attempts": 3 }, "routes": [
    { "match": "https://*", "sources": ["there", "missing"] } ],
  "sources": {
    "there": { "base_url": "https://a.example/v1", "api_key_env": "KEY_A" },
    "missing": { "base_url": "https://b.example/v1", "api_key_env": "KEY_B" } } }
END
    KEY_A=sk-a-secret doctor 0
    says 'ready, with 2 warnings'
    says 'there \(https://a.example/v1\): its key is there'
    says 'missing \(https://b.example/v1\): its key is missing or empty'
    says 'mode hedge'
    [[ $output != *secret* ]]
    KEY_A=a KEY_B=b run "$PROGRAM" doctor
    [ "$status" -eq 0 ]
}

@test "mistakes in the settings are told" {
    config <<<'{ "mode": "hedg" }'
    doctor 1
    says 'unstall is not in order: 1 thing to mend'
    says 'config.json:1: .*mode'
    config <<<'{ "mode": "hedg", "retry": { "max": -1 }, "hedgy": {} }'
    doctor 1
    says 'unstall is not in order: 3 things to mend'
    [ "$(grep -c 'Until then' <<<"$output")" = 1 ]
}

@test "a damaged database" {
    mkdir -p "$XDG_STATE_HOME/unstall"
    head -c 9000 /dev/urandom >"$XDG_STATE_HOME/unstall/unstall.db"
    chmod 600 "$XDG_STATE_HOME/unstall/unstall.db"
    doctor 1
    says 'unstall.db: damaged, or no database of unstall'
    says 'at the next call it is set aside'
}

@test "a database of a later version" {
    start_mock alpha
    with_shim curl -s -d "$(chat_body)" "$ALPHA_URL$(path_of chat)" >/dev/null
    store 'PRAGMA user_version = 99' >/dev/null
    doctor 1
    says 'schema 99, and this unstall knows'
}

@test "a database in somebody else's directory" {
    [[ $EUID -eq 0 ]] || skip "needs root"
    mkdir -p "$XDG_STATE_HOME/unstall"
    : >"$XDG_STATE_HOME/unstall/unstall.db"
    chown nobody "$XDG_STATE_HOME/unstall"
    doctor 1
    says 'belongs to user'
}

@test "no place for the database" {
    run env -u HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME "$PROGRAM" doctor
    [ "$status" -eq 1 ]
    says 'no place for the database'
}

@test "an installation without its engine" {
    mkdir bin
    cp "$PROGRAM" "$SHIM" bin
    run bin/unstall doctor
    [ "$status" -eq 1 ]
    says 'engine .*libunstall-engine.so: cannot open shared object file'
    rm bin/libunstall.so
    run bin/unstall doctor
    [ "$status" -eq 1 ]
    says 'libunstall.so is neither beside this program nor in'
}

@test "LD_PRELOAD is looked at, item by item" {
    run env LD_PRELOAD="$SHIM /no/such.so" "$PROGRAM" doctor
    says 'LD_PRELOAD /no/such.so: no such file'
    says 'Every program that you start here has the preload'
    UNSTALL=off doctor 1
    says 'UNSTALL=off'
}

@test "no line is longer than a terminal is wide" {
    local program
    for program in '' curl /usr/bin/perl ./no-such sh; do
        # A path is not broken.
        "$PROGRAM" doctor $program 2>/dev/null | awk 'length > 80 && NF > 3' |
            (refute grep .)
    done
}

@test "JSON has a verdict and findings" {
    "$PROGRAM" doctor --json curl | jq -e '.verdict == "helped" and
        (.findings | length > 2) and
        all(.findings[]; has("what") and has("level") and has("found") and
            has("means") and has("do"))'
}
