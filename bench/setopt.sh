#!/bin/sh
# What the preload adds to an option, and to a handle's life, in ns.
#   bench/setopt.sh           needs a finished build in $B (default: build)
set -eu
B=${B:-build}
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -O2 -D_GNU_SOURCE -o "$dir/setopt" bench/setopt.c -lcurl
"$dir/setopt" >"$dir/plain"
LD_PRELOAD=$(realpath "$B/libunstall.so") "$dir/setopt" >"$dir/shim"
printf '%-16s %10s %10s %10s\n' ns plain shim added
join "$dir/plain" "$dir/shim" --nocheck-order |
    awk '{ printf "%-16s %10.1f %10.1f %10.1f\n", $1, $2, $3, $3 - $2 }'
