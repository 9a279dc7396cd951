#!/usr/bin/env bats
# The recipes of docs/recipes.md: programs that start libcurl somewhere inside.
# Those that are not installed are skipped.

load lib
bats_require_minimum_version 1.5.0

setup() {
    common_setup
    start_mock alpha
    URL=$ALPHA_URL$(path_of chat)
    chat_body >body.json
}

teardown() {
    [[ -z ${FPM_PID:-} ]] || kill "$FPM_PID" 2>/dev/null || true
    common_teardown
}

has() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}

programs() {
    store "SELECT group_concat(program) FROM calls"
}

@test "Emacs: its children alone, as gptel starts them" {
    has emacs
    cat >init.el <<END
(setenv "LD_PRELOAD" "$SHIM")
(setenv "UNSTALL_ONLY" "curl")
(let ((process
       (make-process
        :name "gptel-curl" :buffer (generate-new-buffer "*gptel-curl*")
        :command
        (list "curl" "--disable" "--location" "--silent" "--compressed"
              "-XPOST" "-y7200" "-Y1" "-D-" "-w(token . %{size_header})"
              "-HContent-Type: application/json" "--data-binary" "@body.json"
              "$URL"))))
  (while (accept-process-output process))
  (with-current-buffer (process-buffer process)
    (write-region nil nil "answer")))
END
    emacs -Q --batch -l init.el
    grep -q '^data: \[DONE\]' answer
    grep -q '(token \. [0-9]' answer
    [ "$(programs)" = curl ]
}

@test "Neovim: its children alone" {
    has nvim
    cat >init.lua <<END
vim.env.LD_PRELOAD = "$SHIM"
vim.env.UNSTALL_ONLY = "curl"
vim.fn.system({"curl", "-sN", "-o", "answer", "-d", "@body.json", "$URL"})
END
    nvim --headless -u init.lua +qa
    grep -q '^data: \[DONE\]' answer
    [ "$(programs)" = curl ]
}

# fpm NAME=VALUE...: a pool without systemd, its master's environment so.
fpm() {
    export PATH=$PATH:/usr/sbin
    has php-fpm8.2
    has cgi-fcgi
    cat >fpm.conf <<END
[global]
error_log = $PWD/fpm.log
daemonize = no
[www]
listen = $PWD/fpm.sock
pm = static
pm.max_children = 1
user = $(id -un)
group = $(id -gn)
env[XDG_STATE_HOME] = $XDG_STATE_HOME
$POOL
END
    cat >ask.php <<END
<?php
\$curl = curl_init('$URL');
curl_setopt(\$curl, CURLOPT_POSTFIELDS, file_get_contents('$PWD/body.json'));
curl_setopt(\$curl, CURLOPT_RETURNTRANSFER, true);
echo curl_exec(\$curl);
END
    env "$@" "${FPM:-php-fpm8.2}" -R -y fpm.conf 3>&- &
    FPM_PID=$!
    disown
    eventually test -S fpm.sock
    SCRIPT_FILENAME=$PWD/ask.php REQUEST_METHOD=GET \
        cgi-fcgi -bind -connect fpm.sock >answer
    grep -q '^data: \[DONE\]' answer
}

@test "PHP-FPM: the preload in the master's environment" {
    fpm "LD_PRELOAD=$SHIM"
    [ "$(programs)" = php-fpm8.2 ]
    run -0 "$UNSTALL" doctor "$FPM_PID"
    [[ $output == *"php-fpm8.2 (process $FPM_PID)"* ]]
}

@test "PHP-FPM: started by its path, as by systemd; in a list of names" {
    PATH=$PATH:/usr/sbin has php-fpm8.2
    FPM=$(PATH=$PATH:/usr/sbin command -v php-fpm8.2) \
        POOL='env[UNSTALL_ONLY] = php-fpm8.2' fpm "LD_PRELOAD=$SHIM"
    [ "$(programs)" = php-fpm8.2 ]
}

@test "PHP-FPM: in the pool's it comes too late" {
    POOL="env[LD_PRELOAD] = $SHIM" fpm A=b
    [ ! -e "$XDG_STATE_HOME/unstall/unstall.db" ]
}

@test "systemd finds nothing wrong with the unit" {
    has systemd-analyze
    {
        sed -n '/^## A systemd unit/,/^## Docker/p' \
            "$ROOT/docs/recipes.md" | sed -n '/^```ini/,/^```/{/^```/!p}' |
            sed "s|/usr/local/bin/unstall|$UNSTALL|
                s|/usr/local/bin/chatbot|/bin/true|"
    } >chatbot.service
    grep -q ExecStart chatbot.service
    run systemd-analyze verify ./chatbot.service
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "Docker: the package is called what make deb calls it" {
    has dpkg-deb
    mkdir build
    cp "$BUILD"/unstall "$BUILD"/libunstall*.so build
    file=$(B=$PWD/build "$ROOT/tools/dist" deb)
    arch=$(dpkg --print-architecture)
    grep -o 'unstall[-_][^ /]*\.deb' "$ROOT/docs/recipes.md" |
        sed "s/_amd64/_$arch/" | sort -u >names
    [ "$(cat names)" = "${file##*/}" ]
}

@test "cron: a home and little else" {
    env -i HOME="$HOME" SHELL=/bin/sh PATH="$BUILD:/usr/bin:/bin" \
        /bin/sh -c "unstall run --quiet -- curl -sN -o answer \
            -d @body.json $URL && unstall store retain"
    [ "$(sqlite3 "$HOME/.local/state/unstall/unstall.db" \
        'SELECT count(*) FROM calls')" -eq 1 ]
}
