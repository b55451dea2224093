# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: the folder for ns-3 and all that is built. What lies in it runs as the user, so nobody else may have
# written there.

spare_home=/var/tmp/rails-$EUID

# Sets cache_home and cache. A user without a home folder has no ~/.cache, and nothing can stay in the repository:
# contrib/rails of an ns-3 tree links back to it, and a search that follows links would walk in circles.
choose_cache() {
    cache_home=${XDG_CACHE_HOME:-$HOME/.cache}/rails
    [[ -n ${XDG_CACHE_HOME:-} || $HOME == /?* ]] || cache_home=
    if [[ -n ${XDG_CACHE_HOME:-} && $XDG_CACHE_HOME != /* ]]; then
        die "XDG_CACHE_HOME=$XDG_CACHE_HOME: error: it is a relative path, and would be another folder in each" \
            "place; set it to an absolute one, or unset it"
    fi
    cache_mask=go-w
    # Where links lead is found once: what is checked is what is used.
    [[ -z $cache_home ]] || cache_home=$(readlink -m "$cache_home")
    if [[ -z $cache_home || $cache_home/ == "$root"/* ]]; then
        cache_home=$spare_home
        cache_mask=077
        [[ ! -L $cache_home ]] ||
            die "$cache_home: error: it is a link; remove it, or set XDG_CACHE_HOME to a folder of yours"
    fi
    cache=$cache_home/$(short_hash "$root")
}

# Makes the cache, with a folder for logs.
make_cache() {
    check_cache
    (umask "$cache_mask" && mkdir -p "$cache/log") 2>/dev/null || true
    if [[ ! -w $cache/log ]]; then
        die "$cache: error: nothing can be written there; set XDG_CACHE_HOME to a folder of yours"
    fi
    check_cache "$cache"/*
}

# check_cache FILE...: ends where others may change the cache or these files in it, or put something in their place.
# Whose a folder is counts from the first on that others may write to: above it, only the system makes folders.
check_cache() {
    local folder=$cache folders=() owner mode name shared=
    while [[ -n $folder ]]; do
        folders=("$folder" "${folders[@]}")
        folder=${folder%/*}
    done
    while read -r -d '' owner mode name; do
        ((8#$mode & 8#22)) && shared=yes
        if [[ -n $shared || $name/ == "$cache_home"/* ]] && ((owner != EUID && owner != 0)); then
            refuse_cache "$name" "it belongs to another user (uid $owner, not $EUID)" 'remove it'
        fi
        if ((8#$mode & 8#22 && !(8#$mode & 8#1000))); then
            refuse_cache "$name" "others may write to it (mode $mode)" 'remove it, or take that away with `chmod go-w`'
        fi
    done < <(stat -L --printf '%u %a %n\0' / "${folders[@]}" "$@" 2>/dev/null)
}

# refuse_cache NAME REASON REMEDY
refuse_cache() {
    die "$1: error: $2, so programs of others could run as you; $3, or set XDG_CACHE_HOME to a folder of yours"
}
