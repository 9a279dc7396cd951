# shellcheck shell=bash disable=SC2034 # the variables are for others
# The stock programs that the matrix runs: a row each, and what starts them.
#
#   NAME     what a person calls it
#   PROOF    what shows that it is installed (words of tools/deps)
#   PROGRAM  what the store calls the process
#   MANY     `many` when it can have many transfers at once, else `one`
#   ABORT    what the store calls its way to have enough; -: it has no row
#   COMMAND  a kind of start, and its file

MATRIX=$ROOT/integration/matrix

clients() {
    cat <<'END'
curl            command=curl      curl     one  aborted   shell curl.sh
curl-Z          command=curl      curl     many aborted   parallel curl.sh
php-exec        php=curl          php      one  aborted   php exec.php
php-multi       php=curl          php      many aborted   php multi.php
php-guzzle      phplib=GuzzleHttp php      many aborted   php guzzle.php
php-symfony     phplib=Symfony    php      many aborted   php symfony.php
pycurl          python=pycurl     python3  one  aborted   python perform.py
pycurl-select   python=pycurl     python3  many aborted   python multi_select.py
pycurl-socket   python=pycurl     python3  many aborted   python multi_socket.py
ctypes          command=python3   python3  one  aborted   python dlopen.py
R-fetch         r=curl            R        one  truncated R fetch.R
R-stream        r=curl            R        one  aborted   R stream.R
R-multi         r=curl            R        one  aborted   R multi.R
R-httr2         r=httr2           R        one  aborted   R httr2.R
R-rcurl         r=RCurl           R        one  -         R rcurl.R
ruby-curb       ruby=curb         ruby     one  aborted   ruby curb.rb
ruby-curb-multi ruby=curb         ruby     many aborted   ruby curb_multi.rb
ruby-ethon      ruby=ethon        ruby     one  aborted   ruby ethon.rb
ruby-typhoeus   ruby=typhoeus     ruby     many aborted   ruby hydra.rb
perl            perl=WWW::Curl    perl     one  aborted   perl easy.pl
perl-multi      perl=WWW::Curl    perl     one  aborted   perl multi.pl
lua             lua=curl          lua5.1   one  aborted   lua5.1 easy.lua
luajit-ffi      command=luajit    luajit   one  aborted   luajit ffi.lua
tcl             tcl=TclCurl       tclsh    one  aborted   tclsh easy.tcl
curlpp          header=curlpp/Easy.hpp easy_cpp one aborted cpp easy.cpp
ocaml           ocaml=curl        easy_ml  one  aborted   ocaml easy.ml
haskell         haskell=curl      easy_hs  one  aborted   haskell Easy.hs
git             command=git       git      none -         git clone.sh
END
}

# The fields of client NAME, as variables.
pick_client() {
    local row
    row=$(clients | awk -v name="$1" '$1 == name')
    read -r name proof program many abort kind file <<<"$row"
    [[ -n $row ]] || { echo "no client '$1'" >&2 && return 1; }
}

# client URL BODY [LIMIT [COUNT]]: runs the picked one, behind the words of
# BEFORE (such as `unstall run --`), within a limit of time.
client() {
    case $kind in
    shell | git) start bash "$MATRIX/$file" "$@" ;;
    parallel) PARALLEL=-Z start bash "$MATRIX/$file" "$@" ;;
    python) start /usr/bin/python3 "$MATRIX/$file" "$@" ;;
    R) start Rscript --vanilla "$MATRIX/$file" "$@" ;;
    cpp | ocaml | haskell) start "$BUILD/matrix/$program" "$@" ;;
    *) start "$kind" "$MATRIX/$file" "$@" ;;
    esac
}

start() {
    "${BEFORE[@]}" timeout -k 1 12 "$@"
}

# haskell PROGRAM SOURCE: by whatever package of curl is to be had.
haskell() {
    local -a options
    read -ra options < <("$BATS_TEST_DIRNAME/../tools/ghc-curl")
    ghc -v0 "${options[@]}" -outputdir "$1.o" -o "$1" "$2"
}

# What has to be compiled first is compiled once.
build_client() {
    local out=$BUILD/matrix/$program
    mkdir -p "$BUILD/matrix"
    [[ ! $out -nt $MATRIX/$file ]] || return 0
    case $kind in
    cpp) g++ -o "$out" "$MATRIX/$file" -lcurlpp -lcurl ;;
    ocaml) cp "$MATRIX/$file" "$out.ml" &&
        ocamlfind ocamlopt -package curl -linkpkg -o "$out" "$out.ml" ;;
    haskell) haskell "$out" "$MATRIX/$file" ;;
    esac
}
