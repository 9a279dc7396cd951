# shellcheck shell=bash
# What the parts of `make proof` share, beside lib.bash: counts of what was
# tried, longer and shorter forms, small programs compiled for one test.

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${B:-build}
[[ $BUILD == /* ]] || BUILD=$ROOT/$BUILD
UNSTALL=$BUILD/unstall
SHIM=$BUILD/libunstall.so
PROOF=$ROOT/integration/proof

# short_long SHORT LONG: how many of something, by $PROOF_FORM.
short_long() {
    if [[ ${PROOF_FORM:-short} == long ]]; then echo "$2"; else echo "$1"; fi
}

# tried N: this test has tried so many more (tools/proof adds them up).
tried() {
    printf '%d\t%s\n' "$1" "$BATS_TEST_DESCRIPTION" \
        >>"${PROOF_TRIED:-/dev/null}"
}

# made NAME [OPTION...]: a program of this directory, compiled here.
made() {
    local name=$1
    shift
    cc -O1 -D_GNU_SOURCE -I"$ROOT" -o "$name" "$PROOF/$name.c" "$@"
}

# the_chat NAME: the address of the chat endpoint of a mock.
the_chat() {
    echo "$(mock_var "$1" URL)$(path_of chat)"
}

# same_files A B: or it is said where they differ.
same_files() {
    cmp "$1" "$2" || { ls -l "$1" "$2" && return 1; }
}
