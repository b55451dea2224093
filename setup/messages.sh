# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: what it says, and how it ends.

say() {
    printf 'rails: %s\n' "$*" >&2
}

# What was asked for is wrong.
die() {
    say "$*"
    exit 2
}

# The set-up has failed.
give_up() {
    say "$*"
    exit 1
}

# give_up_if_known LOG: gives up in one line when the reason lies in the machine. A log on a full disk
# may lack the reason.
give_up_if_known() {
    local free
    free=$(df --output=avail -k "$cache" 2>/dev/null | tail -n 1)
    if ((${free:-50000} < 50000)) ||
        grep -qiE 'no space left on device|disk quota exceeded|enough free space|\[Bus error\]' "$1"; then
        give_up "the disk of $cache is full; free 2 GB of it, or set XDG_CACHE_HOME to a folder on" \
            "another disk. The same command goes on where it stopped (log: $1)"
    fi
    if grep -qE '^(cc1plus|c\+\+|g\+\+|clang|collect2|ld).*([Kk]illed|out of memory|memory exhausted)' "$1"; then
        give_up "a compiler ran out of memory; set CMAKE_BUILD_PARALLEL_LEVEL=1 for one at a time." \
            "The same command goes on where it stopped (log: $1)"
    fi
}

# logged NAME COMMAND...: runs a command with its output in a log; when it fails, shows CMake's
# errors or the end of the output and gives up.
logged() {
    local log=$cache/log/$1.log
    shift
    if ! "$@" >"$log" 2>&1; then
        give_up_if_known "$log"
        { grep -A 10 'CMake Error' "$log" || tail -n 40 "$log"; } >&2
        give_up "failed: $1; its whole output is in $log"
    fi
}
