#!/bin/sh
# Instructions that one event of a stream costs the parser (core/stream.c), by
# callgrind, for the events that providers send: their ids, counters, times and
# padding change from event to event.
#   bench/chunk.sh            needs a finished build in $B (default: build)
set -eu
B=${B:-build}
goal=1200
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -O2 -I. -o "$dir/chunk" bench/chunk.c "$B/libuns.a"

# FORMAT: a hundred events; %1 is a number, %2 a word, %3 padding.
events() {
    awk -v format="$1" 'BEGIN {
        split("the| Lofoten| islands| lie|\\n|, and| cod| dries", word, "|")
        for (i = 0; i < 100; i++) {
            event = format
            gsub(/%1/, 1000 + i, event)
            gsub(/%2/, word[i % 8 + 1], event)
            gsub(/%3/, substr("q8Zx0mWuT4kd", i % 9 + 1), event)
            print event
            if (event !~ /^{/)
                print ""
        }
    }'
}

streams() {
    cat <<'END'
chat data: {"id":"chatcmpl-9aXk","object":"chat.completion.chunk","created":1722500000,"model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":{"content":"%2"},"finish_reason":null}]}
chat data: {"id":"chatcmpl-9aXk","object":"chat.completion.chunk","created":1722500000,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_a","choices":[{"index":0,"delta":{"content":"%2"},"logprobs":null,"finish_reason":null}],"obfuscation":"%3"}
chat data: {"id":"gen-172250%1","provider":"X","model":"m/x","object":"chat.completion.chunk","created":172250%1,"choices":[{"index":0,"delta":{"role":"assistant","content":"%2"},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}
responses data: {"type":"response.output_text.delta","sequence_number":%1,"item_id":"msg_68a","output_index":0,"content_index":0,"delta":"%2","logprobs":[],"obfuscation":"%3"}
anthropic data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%2"}}
gemini data: {"candidates":[{"content":{"parts":[{"text":"%2"}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-flash","responseId":"abc"}
gemini data: {"candidates":[{"content":{"parts":[{"text":"%2"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":%1,"totalTokenCount":%1},"modelVersion":"gemini-2.5-flash","responseId":"abc"}
ollama {"model":"llama3.2","created_at":"2026-07-30T12:00:00.%1Z","message":{"role":"assistant","content":"%2"},"done":false}
END
}

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$dir/chunk" "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

printf '%-12s %8s %14s %6s\n' dialect bytes instructions goal
streams | while read -r dialect format; do
    events "$format" >"$dir/stream"
    read -r bytes count <<END
$("$dir/chunk" "$dialect" "$dir/stream" 1)
END
    once=$(instructions "$dialect" "$dir/stream" 1)
    often=$(instructions "$dialect" "$dir/stream" 21)
    printf '%-12s %8d %14d %6d\n' "$dialect" $((bytes / count)) \
        $(((often - once) / 20 / count)) "$goal"
done
