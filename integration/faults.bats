#!/usr/bin/env bats
# Sixteen faults of providers through curl and one backup, as bench/faults
# plays them, with shorter waits: each rescue is as good as promised (R2 R3 R4
# R7), and each request has its row (P4).

load lib
bats_require_minimum_version 1.5.0

setup_file() {
  B=$BUILD AFTER=0.5 STALL=0.7 LATE=2.5 LIMIT=4 SLACK=1.5 \
    "$ROOT/bench/faults" >"$BATS_FILE_TMPDIR/table" || true
}

# met FAULT [OUTCOME]: its goal, with that outcome under unstall.
met() {
  grep "^$1  " "$BATS_FILE_TMPDIR/table" >row || cat "$BATS_FILE_TMPDIR/table"
  cat row
  grep -qE " yes$" row
  grep -qE "^$1 .* [0-9.]+  ${2:-full} +[0-9.]+  ${2:-full}" row
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return
}

@test "429 that names a pause (R3)" { met '429 with Retry-After'; }

@test "429 that names none (R3)" { met '429 without'; }

@test "500 once (R3)" { met '500 once'; }

@test "503 (R3)" { met 503; }

@test "reset before the headers (R3)" { met reset; }

@test "silence (R2)" { met silence; }

@test "a late first token (R2)" { met 'late first token'; }

@test "cut after 40 tokens of 60 (R4)" { met 'cut after 40'; }

@test "stall after 20 tokens of 60 (R4)" { met 'stall after 20'; }

@test "an event that is no JSON (P1)" { met 'malformed chunk'; }

@test "no [DONE] (P1)" { met 'no \[DONE\]'; }

@test "the context is too long for one of them (R3)" {
  met 'context length'
}

@test "a content filter refuses: so it stays (R3)" {
  met 'content filter' refused
}

@test "the backup refuses to continue: it writes anew (R4)" {
  met 'continuation refused'
}

@test "a primary that fails every other time (R3)" { met 'flapping primary'; }

@test "as many rows as requests (P4)" {
  grep -E '^accounting .* yes$' "$BATS_FILE_TMPDIR/table"
}
