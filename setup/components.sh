# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: components of the user's own, a folder of .cc files, built as a library.

# Builds the folders given and says what components each brings.
build_folders() {
    case ${1:-} in
    '' | -*) die "build: error: expected folders with .cc files: ./rails build DIR..." ;;
    esac
    find_program
    local folder
    for folder in "$@"; do
        build_components "$folder"
        echo "$folder: $(<"$(dirname "$library")/brings")"
    done
}

# Sets words to the arguments of a command, with each folder behind --with replaced by the library
# that is built from it; a library stays.
build_given() {
    local word before=
    words=()
    for word in "$@"; do
        if [[ $before == --with ]]; then
            use_components "$word"
            word=$library
        elif [[ $word == --with=* ]]; then
            use_components "${word#--with=}"
            word=--with=$library
        fi
        before=$word
        words+=("$word")
    done
}

use_components() {
    if [[ -f $1 ]]; then
        library=$1
    else
        build_components "$1"
    fi
}

# Brings the library of a folder of components up to date, as ninja knows what it depends on: the
# sources, the headers of the module and of ns-3, the module's library. Sets library, its file.
build_components() {
    local folder name place mask
    [[ -d $1 ]] || die "$1: error: there is no such folder of components"
    [[ -r $1 && -x $1 ]] || die "$1: error: the folder of components cannot be read"
    [[ -n $(find "$1/" -maxdepth 1 -name '*.cc' -print -quit) ]] ||
        die "$1: error: there is no .cc file in it, so there are no components to build"
    folder=$(readlink -f "$1")
    name=$(basename "$folder" | tr -c '[:alnum:]._\n-' _)
    place=$components/$name-$(short_hash "$folder")
    mask=$(umask)
    umask go-w
    mkdir -p "$place"
    check_cache "$components" "$place" "$place"/*
    exec 7>>"$place/lock"
    flock 7
    local log=$place/build.log
    if ! { { [[ -f $place/build.ninja ]] || configure_components "$folder" "$place"; } &&
        ninja -C "$place"; } >"$log" 2>&1; then
        show_compiler "$log" >&2
        die "$1: error: its components could not be compiled; the reason is above"
    fi
    show_compiler "$log" >&2 # warnings
    # A name of its own for each version: a sweep that waits in a queue keeps the one it began with.
    # Results call it by what stands before the hash (MakeLibraryName() in rails-run-keys.h).
    library=$place/$name-$(sha256sum "$place/components.so" | cut -c1-12).so
    if [[ ! $library -nt $place/components.so ]]; then
        local found fresh
        found=$("$program" inspect "$place/components.so" 2>&1) ||
            die "$1: error: ${found#*: error: }"
        echo "${found//$'\n'/, }" >"$place/brings"
        find "$place" -name '*.so' -mtime +60 ! -name components.so -delete
        fresh=$(mktemp "$place/fresh-XXXXXX")
        cp "$place/components.so" "$fresh"
        chmod --reference="$place/components.so" "$fresh"
        mv -T "$fresh" "$library"
    fi
    exec 7>&-
    umask "$mask"
}

configure_components() {
    rm -f "$2/CMakeCache.txt" # of what was not finished
    cmake -G Ninja -S "$root/setup/components" -B "$2" -DRAILS_COMPONENTS="${1//[][\\*?]/?}" \
        -DRAILS_SETTINGS="$build/contrib/rails/settings.cmake"
}

# Prints what compiler and linker say, out of a log of CMake and ninja, which also has the commands;
# places in this repository as such, however they were reached.
show_compiler() {
    local place=${root//[&|\\]/\\&}
    sed -E -e '/^FAILED: /{N;d}' -e '/^(\[[0-9]+\/[0-9]+\] |-- |ninja: (Entering|build stopped|no work))/d' \
        -e "s|[^ ]*contrib/rails/(model\|helper\|harness\|test\|bench\|examples)/|$place/\\1/|g" "$1"
}
