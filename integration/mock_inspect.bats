#!/usr/bin/env bats
# What the mock sends is what `unstall inspect` takes it for: both know the
# dialects, and neither from the other.

load lib

setup() {
    common_setup
    start_mock alpha --tokens 5
}
teardown() { common_teardown; }

# seen DIALECT FAULTS: content, structural, keepalives, finish, error, end.
seen() {
    local name=gemini
    [[ $1 == gemini* ]] || name=$1
    [[ $name != ollama* ]] || name=ollama
    ask alpha "$1" "$2" >body || true
    unstall inspect --json --dialect "$name" body |
        jq -r '[.content_chunks, .structural, .keepalives, .finish // "-",
            .error // "-", .end] | join(" ")'
}

# Rows of FAULTS, DIALECT and what is seen, from standard input.
table() {
    local faults dialect expected actual
    while IFS='|' read -r faults dialect expected; do
        actual=$(seen "${dialect// /}" "${faults// /}")
        expected=${expected# }
        [ "$actual" = "$expected" ] ||
            echo "$faults $dialect: $actual, not $expected" >>wrong
    done
    refute cat wrong
}

@test "healthy streams: so many chunks, one finish, one end" {
    table <<'END'
        none                | chat            | 5 0 0 stop - done
        none                | completions     | 5 0 0 stop - done
        none                | responses       | 5 0 0 completed - done
        none                | anthropic       | 5 0 2 end_turn - done
        none                | gemini          | 5 0 0 STOP - done
        none                | gemini-array    | 5 0 0 STOP - done
        none                | ollama          | 5 0 0 stop - done
        none                | ollama-generate | 5 0 0 stop - done
        reasoning=3,tools   | chat            | 12 1 0 tool_calls - done
        reasoning=3,tools   | responses       | 12 1 0 completed - done
        reasoning=3,tools   | anthropic       | 12 2 2 tool_use - done
        reasoning=3,tools   | gemini          | 9 0 0 STOP - done
        reasoning=3,tools   | gemini-array    | 9 0 0 STOP - done
        reasoning=3,tools   | ollama          | 9 0 0 stop - done
        huge@3=200000       | chat            | 5 0 0 stop - done
        huge@3=200000       | responses       | 5 0 0 completed - done
        huge@3=200000       | gemini-array    | 5 0 0 STOP - done
END
}

@test "ends that are missing, cuts and errors are told apart" {
    table <<'END'
        no-end      | chat         | 5 0 0 - mid:truncated truncated
        no-end      | responses    | 5 0 0 - mid:truncated truncated
        no-end      | gemini-array | 5 0 0 - mid:truncated truncated
        no-done     | chat         | 5 0 0 stop - eof
        no-done     | anthropic    | 5 0 2 end_turn - eof
        no-done     | gemini       | 5 0 0 STOP - done
        cut@3       | chat         | 3 0 0 - mid:truncated truncated
        cut@3       | anthropic    | 3 0 1 - mid:truncated truncated
        cut@3       | gemini-array | 3 0 0 - mid:truncated truncated
        cut@3       | ollama       | 3 0 0 - mid:truncated truncated
        error-first | chat         | 0 0 0 - first:server_error error
        error-first | responses    | 0 0 0 - first:server_error error
        error-first | anthropic    | 0 0 0 - first:api_error error
        error-first | gemini       | 0 0 0 - first:INTERNAL error
        error-first | ollama       | 0 0 0 - first:error error
        error@3     | chat         | 3 0 0 - mid:server_error error
        error@3     | completions  | 3 0 0 - mid:server_error error
        error@3     | responses    | 3 0 0 - mid:server_error error
        error@3     | anthropic    | 3 0 1 - mid:api_error error
        error@3     | gemini-array | 3 0 0 - mid:INTERNAL error
END
}

@test "chatter is no content, and a broken event loses only itself" {
    table <<'END'
        stall@2=0.25,chatter=comment      | chat      | 5 0 2 stop - done
        stall@2=0.25,chatter=ping         | chat      | 5 0 2 stop - done
        stall@2=0.25,chatter=empty        | chat      | 5 0 0 stop - done
        stall@2=0.25,chatter=role         | chat      | 5 0 0 stop - done
        stall@2=0.25,chatter=comment      | responses | 5 0 2 completed - done
        stall@2=0.25,chatter=ping         | responses | 5 0 2 completed - done
        stall@2=0.25,chatter=empty        | responses | 5 0 0 completed - done
        stall@2=0.25,chatter=ping         | anthropic | 5 0 4 end_turn - done
        stall@2=0.25,chatter=empty        | anthropic | 5 0 2 end_turn - done
        stall@2=0.25,chatter=ping         | gemini    | 5 0 2 STOP - done
        first-late=0.15,chatter=role      | chat      | 5 0 0 stop - done
        first-late=0.15,chatter=empty     | ollama    | 5 0 0 stop - done
        malformed@3                       | chat      | 5 0 1 stop - done
        malformed@3                       | anthropic | 5 0 3 end_turn - done
        malformed@3                       | ollama    | 5 0 1 stop - done
END
}

@test "the text is the mock's, whatever the dialect" {
    local expected dialect
    expected=$(ask alpha chat | text_of chat)
    for dialect in chat completions responses anthropic ollama; do
        ask alpha "$dialect" chunk-split,split=50,reasoning=2 >body
        [ "$(unstall inspect --text body)" = "$expected" ]
    done
}
