#!/bin/bash
# curl(1): URL BODY [LIMIT [COUNT]].  Its reader goes away after LIMIT bytes.
# PARALLEL=-Z has it use the multi interface.
set -o pipefail
options=(-sSN)
[ -z "$PARALLEL" ] || options+=("$PARALLEL")
[ -z "$2" ] || options+=(-d "$2")

if [ -n "$4" ]; then
    curl "${options[@]}" --parallel-max "$4" -o '#1' "$1?n=[1-$4]"
elif [ -n "$3" ]; then
    curl "${options[@]}" "$1" | head -c "$3"
else
    curl "${options[@]}" "$1"
fi
