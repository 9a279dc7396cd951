#!/usr/bin/env bats
# `unstall report --html` and `unstall show --svg`: pages and pictures that a
# strict parser takes, with the numbers of the JSON, whatever the names are.

load lib
bats_require_minimum_version 1.5.0

TOOLS=$BATS_TEST_DIRNAME/report
HOSTILE="</script><img src=x onerror=alert(1)>"

setup_file() {
    export TZ=UTC LC_ALL=C.UTF-8
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR private_home
    start_mock real --tokens 5 || return 1
    with_shim curl -sN -d "$(chat_body)" "$REAL_URL/v1/chat/completions" \
        -o "$BATS_FILE_TMPDIR/a"
    STORE=$XDG_STATE_HOME/unstall/unstall.db
    python3 "$TOOLS/generate.py" "$STORE" 200 10
    export STORE
}

teardown_file() { stop_mocks; }
setup() { common_setup; }
teardown() { common_teardown; }

# The python3 that has the parser.
html_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import html5lib' 2>/dev/null; then
            "$python" "$@"
            return
        fi
    done
    echo "no python3 with html5lib" && return 1
}

# page [OPTION...]: writes it, and checks it against the JSON.
page() {
    "$UNSTALL" report --db "${DB:-$STORE}" --html page.html "$@" >/dev/null
    "$UNSTALL" report --db "${DB:-$STORE}" --json "$@" >said
    run html_python "$TOOLS/page.py" page.html said
    [ "$output" = sound ] || { echo "$output" && return 1; }
}

hostile_store() {
    cp "$STORE" "$BATS_TEST_TMPDIR/hostile.db"
    sqlite3 hostile.db "UPDATE calls SET model = '$HOSTILE',
        program = '\"><svg onload=alert(2)>' || char(27) || char(8238)
        || '&lt;' || x'ff', outcome = '<!--' WHERE id % 2 = 0;
        UPDATE attempts SET source = ']]><b>&\"''', outcome = '<i>'
        WHERE call_id % 3 = 0"
    DB=$BATS_TEST_TMPDIR/hostile.db
}

# P8
@test "report --html: sound, and the numbers of the JSON, by each key" {
    for by in host model program hour; do page --by $by; done
    page --stall-threshold 300
    page --program curl --outcome ok
}

@test "report --html: its title says of what, and of which machine" {
    page
    grep -q "<title>unstall report, $(hostname)</title>" page.html
    page --program 'c<rl*' --host a.test --outcome ok --hedged
    grep -q "<h1>unstall report, $(hostname): --program c&lt;rl\* --host a.test \
--outcome ok --hedged</h1>" page.html
    page --since 2026-07-30T12:30Z
    grep -q "<title>.*: --since 2026-07-30 12:30:00</title>" page.html
}

@test "report --html: calls within a minute are told apart by seconds" {
    sqlite3 "$STORE" "VACUUM INTO 'short.db'"
    sqlite3 short.db "UPDATE calls SET
        started_at = 1785412525000000 + id * 100000"
    DB=$BATS_TEST_TMPDIR/short.db page
    grep -o 'Stalls over time.*' page.html >/dev/null
    grep -q '>2026-07-30 11:55:2[0-9]</text>' page.html
    grep -q '<li>2026-07-30 11:55:[0-9]*: [0-9]* stalls' page.html
}

@test "report --html: of nothing, and of one call" {
    page --program nobody
    page --host "127.0.0.1:$REAL_PORT"
    "$UNSTALL" report --html none.html >out
    grep -q 'no calls recorded yet' out
    [ ! -e none.html ]
}

@test "report --html: names that try to become elements stay names" {
    hostile_store
    for by in program host model; do page --by $by; done
    refute grep -qi '<img\|<svg onload\|<!--\|]]>' page.html
    refute grep -qP '[\x00-\x09\x0b-\x1f\x7f]' page.html
    grep -q 'u003c/script' page.html
}

@test "report --html: whole or not at all, and its owner's alone" {
    echo old >page.html
    chmod 644 page.html
    (umask 022 && page)
    [ "$(stat -c %a page.html)" = 600 ]
    run "$UNSTALL" report --db "$STORE" --html nowhere/page.html
    [ "$status" -eq 1 ]
    [[ $output == *"nowhere/page.html: No such file or directory"* ]]
    [ "$(find . -maxdepth 1 -name 'page.html.*')" = "" ]
}

@test "report --html: says what is written; - is the page alone" {
    "$UNSTALL" report --db "$STORE" --html page.html >out 2>err
    [ "$(cat err)" = "unstall report: written: page.html" ]
    grep -q "went wrong at" out
    for output in - /dev/stdout; do
        "$UNSTALL" report --db "$STORE" --html $output >piped.html 2>err
        [ ! -s err ]
        cmp page.html piped.html
        "$UNSTALL" report --db "$STORE" --html $output | cmp page.html -
    done
}

@test "report --html: asks for nothing, and says so to the browser" {
    page
    grep -q "default-src 'none'; style-src 'unsafe-inline'" page.html
    refute grep -qE '(src|href)="?(https?:)?//' page.html
    refute grep -q '@import\|url(' page.html
}

# --- one call ----------------------------------------------------------------

@test "show --svg: a document of XML, with each attempt and stall" {
    id=$("$UNSTALL" calls --db "$STORE" --stalled --limit 1 --json |
        jq '.[0].id')
    "$UNSTALL" show "$id" --db "$STORE" --svg >call.svg
    python3 -c 'import sys, xml.dom.minidom as dom
root = dom.parse("call.svg").documentElement
assert root.getAttribute("xmlns") == "http://www.w3.org/2000/svg"
stalls = [one for one in root.getElementsByTagName("title")
          if one.firstChild.data.startswith("stall of ")]
assert len(stalls) == int(sys.argv[1]), stalls' \
        "$(sqlite3 "$STORE" "SELECT stall_count FROM calls WHERE id = $id")"
}

@test "show --svg: of every call, whatever it is called" {
    hostile_store
    for id in $(sqlite3 "$DB" 'SELECT id FROM calls WHERE id <= 40'); do
        "$UNSTALL" show "$id" --db "$DB" --svg >"$id.svg"
    done
    python3 -c 'import glob, xml.dom.minidom as dom
files = glob.glob("*.svg")
assert len(files) == 40, files
for name in files:
    root = dom.parse(name).documentElement
    assert not root.getElementsByTagName("img")'
}

# --- as it is seen -----------------------------------------------------------

browser() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name"; then return; fi
    done
    return 1
}

# Both themes, on a wide window and on a telephone's: drawn, and no complaint.
@test "report --html: a browser draws it without complaint" {
    browser >/dev/null || skip "no chromium"
    page
    echo '<iframe src=page.html style="width:390px;height:900px"></iframe>' \
        >phone.html
    for shot in "page.html light" "page.html dark" "phone.html light"; do
        read -r file theme <<<"$shot"
        "$(browser)" --headless=new --no-sandbox --disable-gpu \
            --user-data-dir="$BATS_TEST_TMPDIR/chromium" \
            --blink-settings=preferredColorScheme=$([[ $theme == dark ]] &&
                echo 0 || echo 1) \
            --enable-logging=stderr --virtual-time-budget=1000 \
            --window-size=1100,900 --screenshot="$PWD/$theme-$file.png" \
            "file://$PWD/$file" 2>log || true
        refute grep CONSOLE log
        [ "$(stat -c %s "$theme-$file.png")" -gt 20000 ]
    done
    refute cmp -s light-page.html.png dark-page.html.png
}
