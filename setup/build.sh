# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: builds ns-3 with this module, outside of both source trees.

# Packages, ns-3, and the build of the targets named.
set_up() {
    local mask
    mask=$(umask)
    make_cache
    require_packages "$build_packages$plot_packages${extra_packages:-}"
    umask go-w # what is built is for this user to change, whatever the umask of results
    exec 9>>"$cache/lock"
    if ! flock -n 9; then
        say "waiting for another ./rails that is setting up"
        flock 9
    fi
    find_ns3
    name_build
    # ns-3 changes the settings of ccache, so it gets one of its own.
    export CCACHE_DIR=${CCACHE_DIR:-$cache_home/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-2G}
    # What one clone has compiled serves the next: paths below its cache count as relative, and what
    # ns-3 defines as its own path, but never uses, does not count.
    export CCACHE_BASEDIR=$cache CCACHE_NOHASHDIR=1 CCACHE_IGNOREOPTIONS=-DPROJECT_SOURCE_PATH=*
    # What the compiler says of headers is enough: without it ccache preprocesses whatever it has not got.
    export CCACHE_DEPEND=1
    mkdir -p "$build"
    : >"$build/rails-begin"
    keep_lock_file build_targets "$@"
    if [[ " $* " == *' rails-experiment '* ]]; then
        note_outputs
    fi
    exec 9>&-
    umask "$mask"
}

# Sets build, output and components, the folders of CMake, of what is built, and of libraries of
# components. The build is for this processor and compiler: a home folder may be shared by many
# machines.
name_build() {
    local machine
    machine=$(short_hash "$(grep -m 1 -E '^(flags|Features)' /proc/cpuinfo)${CXX:-}")
    case ${RAILS_UNITY:-1} in
    1) ;;
    0) machine+=-alone ;;
    *) die "RAILS_UNITY=$RAILS_UNITY: expected 0 (every source is compiled by itself) or 1" ;;
    esac
    build=$cache/build-$tree_name-$machine
    output=$cache/output-$tree_name-$machine
    components=$cache/components-$tree_name-$machine
}

# Lists the program and its libraries in a file that is as old as what they were built from can be.
note_outputs() {
    local fresh
    fresh=$(mktemp "$build/rails-built-XXXXXX")
    printf '%s\n' "$output"/contrib/rails/ns*-rails-experiment* "$output"/lib/* >"$fresh"
    chmod a+r "$fresh" # of a cache that root has made for all
    touch -r "$build/rails-begin" "$fresh"
    mv -T "$fresh" "$build/rails-built"
}

# Is the program there, and nothing that it is made of any younger? Then there is nothing to set up,
# and nobody to wait for. What counts is when a file or its folder was last changed in any way.
is_built() {
    local note file outputs inputs
    [[ -d $cache ]] || return 1
    choose_ns3
    name_build
    note=$build/rails-built
    [[ -n $tree && -f $note && $tree/contrib/rails -ef $root ]] || return 1
    mapfile -t outputs <"$note"
    inputs=("$root"/{CMakeLists.txt,harness,helper,model,setup}
        "$tree"/{CMakeLists.txt,VERSION,build-support,src})
    for file in "${outputs[@]}"; do
        [[ -e $file ]] || return 1
    done
    check_cache "$build" "$note" "$output"{,/lib,/contrib{,/rails{,/ns*-rails-experiment*}}} "${outputs[@]}"
    for file in /var/lib/dpkg/status /usr/local/include; do # packages, and what is none
        [[ ! -e $file ]] || inputs+=("$file")
    done
    [[ -z $(find -L "${inputs[@]}" -cnewer "$note" -print -quit 2>&1) ]]
}

# Runs a command. ns-3's CMake leaves a file in the source tree that tells ./ns3 about the last
# build: in a tree that is not ours it has to stay the user's.
keep_lock_file() {
    local file=$tree/.lock-ns3_linux_build saved=$build.lock-file status=0
    if [[ $tree == "$cache"/* ]]; then
        "$@"
        return
    fi
    if [[ -e $file && ! -e $saved ]]; then
        cp -p "$file" "$saved"
    fi
    ("$@") || status=$?
    if [[ -e $saved ]]; then
        mv "$saved" "$file"
    else
        rm -f "$file"
    fi
    ((status == 0)) || exit "$status"
}

# Builds targets as far as something changed.
build_targets() {
    configure
    local log=$cache/log/build.log
    if ! NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(count_jobs)}" "$@" 2>&1 |
        tee "$log" | show_progress; then
        give_up_if_known "$log"
        show_compiler "$log" >"$log.said"
        { grep -m 1 -B 5 -A 34 'error:' "$log.said" || tail -n 40 "$log.said"; } >&2
        give_up "the build failed; its whole output is in $log"
    fi
}

# Prints the C++ sources that git reports as changed, separated by semicolons; nothing where there is no
# git, or this is no repository of its own.
list_changed() {
    local inside
    inside=$(git -C "$root" rev-parse --show-prefix 2>/dev/null) || return 0
    [[ -z $inside ]] || return 0
    { git -C "$root" -c core.quotePath=off diff --name-only HEAD -- '*.cc' &&
        git -C "$root" -c core.quotePath=off ls-files --others --exclude-standard -- '*.cc'; } \
        2>/dev/null | grep -v ';' | sort | paste -s -d ';' || true
}

configure() {
    local options=(
        -G Ninja -S "$tree" -B "$build" -DNS3_OUTPUT_DIRECTORY="$output"
        # ns-3's profile `optimized`
        -DCMAKE_BUILD_TYPE=release -DNS3_NATIVE_OPTIMIZATIONS=ON -DNS3_ASSERT=OFF -DNS3_LOG=OFF
        # results must not depend on whether the processor has fused multiply-add
        -DCMAKE_CXX_FLAGS=-ffp-contract=off
        -DNS3_ENABLED_MODULES=rails -DNS3_FILTER_MODULE_EXAMPLES_AND_TESTS=rails
        -DNS3_EXAMPLES=ON -DNS3_TESTS=ON -DNS3_WARNINGS_AS_ERRORS=OFF
        -DRAILS_SANITIZED_TESTS=ON -DRAILS_WARNINGS_AS_ERRORS=ON
        -DNS3_PYTHON_BINDINGS=OFF -DNS3_GTK3=OFF -DNS3_SQLITE=OFF -DNS3_EIGEN=OFF
    )
    if ((${RAILS_UNITY:-1})); then
        options+=(-DRAILS_UNITY=ON -DRAILS_UNITY_NS3=ON
            -DRAILS_CHANGED="$(if ${changed_alone:-true}; then list_changed; fi)")
    else
        options+=(-DRAILS_UNITY=OFF)
    fi
    local done_with=$build/rails-options
    if [[ -f $build/build.ninja && -f $done_with && $(<"$done_with") == "${options[*]}" ]]; then
        return
    fi
    say "configuring ns-3 in $tree"
    rm -f "$done_with"
    logged configure cmake "${options[@]}"
    if [[ $tree == "$cache"/* ]]; then # headers refer to others by paths that ccache finds in any clone
        { grep -rlF "\"$tree/" "$output/include" || true; } |
            xargs -d '\n' -r sed -i "s|\"/.*/$tree_name/|\"../../../$tree_name/|"
    fi
    echo "${options[*]}" >"$done_with"
}

# As many compilers as processors, if memory allows 1.7 GB for each.
count_jobs() {
    local jobs memory
    jobs=$(nproc)
    memory=$(awk '/^MemAvailable/ {print int($2 / 1700000)}' /proc/meminfo)
    if ((${memory:-0} < jobs)); then
        jobs=$((${memory:-0} > 0 ? memory : 1))
    fi
    echo "$jobs"
}

# Reads ninja's output and says how far it is, and how long the rest will take at the pace so far: on
# a terminal with every step, elsewhere every half minute.
show_progress() {
    local line first='' begin told finished all
    while read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
        finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        if [[ -z $first ]]; then
            first=$finished begin=$SECONDS told=$SECONDS
            say "building"
        fi
        if [[ -t 2 ]]; then
            printf '\rrails: %s \e[K' "$(tell_pace)" >&2
        elif ((SECONDS >= told + 30)); then
            told=$SECONDS
            say "$(tell_pace)"
        fi
    done
    if [[ -n $first && -t 2 ]]; then
        echo >&2
    fi
}

# Says how far show_progress is.
tell_pace() {
    local passed=$((SECONDS - begin)) left
    if ((passed < 5 || finished - first < 5)); then
        echo "$finished of $all steps"
    else
        left=$((passed * (all - finished) / (finished - first)))
        echo "$finished of $all steps, about $((left / 60)) min $((left % 60)) s left"
    fi
}
