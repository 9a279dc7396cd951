#!/usr/bin/env bats
# unstall as it is installed: by make, from a tarball, as a Debian package.

bats_require_minimum_version 1.5.0

load lib

setup() { common_setup; }
teardown() { common_teardown; }

# PREFIX: what lies there helps a stalled program.
helps() {
    start_mock slow --fault silent
    start_mock good
    run -0 "$1/bin/unstall" run --quiet --after 0.2 --backup "$GOOD_URL/v1" -- \
        curl -sN -m 9 -d "$(chat_body)" "$SLOW_URL$(path_of chat)"
    [[ $output == *'[DONE]'* ]]
    run -0 "$1/bin/unstall" calls --json
    [ "$(jq -r '.[0].hedge_reason' <<<"$output")" = first_token ]
}

make_in_root() { make --no-print-directory -C "$ROOT" B="$BUILD" "$@"; }

# A copy of the build, since packages are made beside it.
borrow_build() {
    mkdir build
    cp "$BUILD"/unstall "$BUILD"/libunstall*.so build
    B=$PWD/build
    export B
}

@test "what make installs works, and goes without a trace" {
    make_in_root install DESTDIR="$PWD/root" PREFIX=/opt
    helps "$PWD/root/opt"
    for doc in "$ROOT"/docs/*.md; do
        cmp "$doc" "root/opt/share/doc/unstall/${doc##*/}"
    done
    make_in_root uninstall DESTDIR="$PWD/root" PREFIX=/opt
    [ ! -e root ]
}

@test "a tarball installs without a compiler, and goes again" {
    borrow_build
    file=$("$ROOT/tools/dist" tar)
    tar xzf "$file"
    mkdir bin
    for tool in sh dirname find sort install rm rmdir; do
        ln -s "$(command -v $tool)" bin
    done
    run -0 env -i PATH="$PWD/bin" unstall-*/install "$PWD/there"
    helps "$PWD/there"
    run -0 env -i PATH="$PWD/bin" unstall-*/install --uninstall "$PWD/there"
    [ -z "$(ls -A there)" ]
}

@test "what others have put beside it stays" {
    borrow_build
    tar xzf "$("$ROOT/tools/dist" tar)"
    make_in_root install PREFIX="$PWD/made" >/dev/null
    unstall-*/install "$PWD/there"
    touch made/share/man/man1/other.1 there/share/man/man1/other.1
    make_in_root uninstall PREFIX="$PWD/made"
    unstall-*/install --uninstall "$PWD/there"
    [ "$(cd made && find . -type f -o -type d -empty)" = \
        ./share/man/man1/other.1 ]
    [ "$(cd there && find . -type f -o -type d -empty)" = \
        ./share/man/man1/other.1 ]
}

@test "a tarball's documents are where its README looks for them" {
    borrow_build
    tar xzf "$("$ROOT/tools/dist" tar)"
    cd unstall-*/
    grep -oh '](\([^):]*\.md\)' README.md README.zh-CN.md | cut -c 3- |
        sort -u >links
    [ "$(wc -l <links)" -gt 20 ]
    while read -r link; do
        [ -s "$link" ] || { echo "$link" && false; }
    done <links
}

@test "a tarball's PREFIX by the environment, and its help" {
    borrow_build
    tar xzf "$("$ROOT/tools/dist" tar)"
    PREFIX=$PWD/there unstall-*/install
    [ -x there/bin/unstall ]
    PREFIX=$PWD/there unstall-*/install --uninstall
    [ -z "$(ls -A there)" ]
    run -0 unstall-*/install --help
    [[ $output == *'--uninstall [PREFIX]'* ]]
    [[ $output != *'set -eu'* ]]
}

@test "packages are made by a make that has jobs, without a warning" {
    borrow_build
    run -0 make -j2 --no-print-directory -C "$ROOT" -o build B="$B" dist
    [[ $output != *jobserver* ]]
}

@test "a tarball wants a prefix that is a place" {
    borrow_build
    tar xzf "$("$ROOT/tools/dist" tar)"
    run -2 unstall-*/install there
    [[ $output == *'begins with a slash: there' ]]
}

@test "a Debian package has what it needs and works" {
    borrow_build
    file=$("$ROOT/tools/dist" deb)
    dpkg-deb -x "$file" root
    helps "$PWD/root/usr"
    run -0 dpkg-deb -f "$file" Depends
    [[ $output == *libcjson1* ]]
    gzip -dc root/usr/share/man/man1/unstall.1.gz | grep -q '^\.SH NAME'
}

@test "the same build gives the same package" {
    borrow_build
    one=$(sha256sum "$("$ROOT/tools/dist" tar)" "$("$ROOT/tools/dist" deb)")
    sleep 1.1
    two=$(sha256sum "$("$ROOT/tools/dist" tar)" "$("$ROOT/tools/dist" deb)")
    [ "$one" = "$two" ]
}

@test "manual pages have no mistakes" {
    command -v groff >/dev/null || skip 'groff is not installed'
    for page in "$ROOT"/docs/man/*; do
        run -0 groff -man -Tutf8 -ww -z "$page"
        [ -z "$output" ]
        run grep -n '[[:cntrl:]]' "$page"
        [ -z "$output" ]
    done
}

@test "each variable of the environment is in both tables" {
    grep -rhoE '"UNSTALL(_[A-Z]+)?"' "$ROOT"/shim "$ROOT"/engine "$ROOT"/cli |
        tr -d '"' | grep -v UNSTALL_TEST | sort -u >variables
    [ "$(wc -l <variables)" -gt 8 ]
    while read -r variable; do
        grep -qE "\`$variable[=\`]" "$ROOT/docs/config.md" ||
            { echo "config.md: $variable" && false; }
        grep -q "B$variable.f" "$ROOT/docs/man/libunstall.8" ||
            { echo "libunstall.8: $variable" && false; }
    done <variables
}

# complete WORD...: what bash offers for the last of them.
complete_words() {
    PATH=$BUILD:$PATH bash -c '
        source "$0"
        COMP_WORDS=(unstall "$@") COMP_CWORD=$#
        _unstall
        echo "${COMPREPLY[*]}"' "$ROOT/tools/completion/unstall.bash" "$@"
}

@test "bash completes commands, options and programs" {
    [ "$(complete_words insp)" = inspect ]
    [ "$(complete_words help expl)" = explain ]
    [ "$(complete_words run --stall-a)" = --stall-after ]
    [ "$(complete_words calls --hed)" = --hedged ]
    [ "$(complete_words config '')" = 'check show' ]
    [ "$(complete_words explain tokens_)" = 'tokens_in tokens_out tokens_per_s' ]
    [[ " $(complete_words run --after 3 -- mkf) " == *' mkfifo '* ]]
}

@test "the completion for zsh is sound" {
    command -v zsh >/dev/null || skip 'zsh is not installed'
    zsh -n "$ROOT/tools/completion/_unstall"
}
