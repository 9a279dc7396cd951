# Completion of `unstall` for bash.  Commands and options are asked from the
# program itself, so they are those of the installed version.

# The words of a help text: its commands, or a command's options.
_unstall_words() {
    unstall help "$@" 2>/dev/null |
        sed -n 's/^  \(--[a-z-]*\|[a-z]*\)  *.*/\1/p'
}

_unstall_metrics() {
    unstall explain --json 2>/dev/null |
        sed -n 's/.*"name":[[:space:]]*"\([a-z_0-9]*\)".*/\1/p'
}

# Where the command line of a program to run begins; fails: it does not.
_unstall_program_at() {
    local i
    [[ ${COMP_WORDS[1]} == @(run|plan) ]] || return
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != -- ]] || { echo $((i + 1)) && return; }
    done
    return 1
}

_unstall() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} at
    COMPREPLY=()
    if ((COMP_CWORD == 1)) || [[ $command == help && $COMP_CWORD == 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_unstall_words)" -- "$word")
    elif at=$(_unstall_program_at); then
        if declare -F _command_offset >/dev/null; then
            _command_offset "$at"
        else
            mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
        fi
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_unstall_words "$command") --help" -- "$word"
        )
    elif [[ $command == config && $COMP_CWORD == 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'check show' -- "$word")
    elif [[ $command == export && $COMP_CWORD == 2 ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W 'jsonl csv prometheus chrome-trace otlp' -- "$word"
        )
    elif [[ $command == explain ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_unstall_metrics | sort -u)" -- "$word"
        )
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _unstall unstall
