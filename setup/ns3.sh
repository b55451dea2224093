# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: finds an ns-3 source tree, or fetches one.

oldest_ns3=3.37
os_release=/etc/os-release
upstream_url=https://gitlab.com/nsnam/ns-3-dev.git
upstream_tag=ns-3.45 # the last that C++20 and the compilers of Ubuntu 22.04 are enough for
upstream_commit=4059af204636298c061df368e241941fa3ff97bf # a tag can be moved, a commit cannot

is_ns3() {
    [[ -f $1/VERSION && -f $1/src/core/CMakeLists.txt ]]
}

# at_least A B: is version B at least A?
at_least() {
    [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# Sets tree, the ns-3 source tree to use, empty when it has yet to be fetched, and tree_name, what
# its build is called.
choose_ns3() {
    local outer found
    if [[ -n ${NS3_DIR:-} ]]; then
        is_ns3 "$NS3_DIR" || die "NS3_DIR=$NS3_DIR is not an ns-3 source tree"
        tree=$(readlink -f "$NS3_DIR")
        tree_name=$(basename "$tree")-$(short_hash "$tree")
        return
    fi
    # The second is where ./rails was called through a link.
    for outer in "$root" "$(cd "${self%/*}/" && pwd -L)"; do
        outer=${outer%/*}
        if [[ ${outer##*/} == contrib ]] && is_ns3 "${outer%/*}"; then
            tree=${outer%/*}
            tree_name=${tree##*/}-$(short_hash "$tree")
            return
        fi
    done
    found=("$cache"/ns-3.*)
    tree=${found[0]}
    if ((${#found[@]} > 1)); then
        tree=$(printf '%s\n' "${found[@]}" | sort -V | tail -n 1)
    elif [[ ! -e $tree ]]; then
        tree=
    fi
    tree_name=${tree##*/}
}

# Makes the tree ready to be built with this module.
find_ns3() {
    choose_ns3
    if [[ -z $tree ]]; then
        fetch_ns3
        tree_name=$(basename "$tree")
    fi
    if [[ $tree == "$cache/$tree_name" ]]; then
        ln -sfn "$root" "$tree/contrib/rails"
    else
        link_foreign_tree
    fi
}

# A tree that is not ours gets the link to this repository and is otherwise left as it is.
link_foreign_tree() {
    local link=$tree/contrib/rails version
    version=$(<"$tree/VERSION")
    if [[ $version == 3.* ]] && ! at_least "$oldest_ns3" "$version"; then
        die "$tree is ns-3 $version; $oldest_ns3 or later is needed"
    fi
    if [[ $tree/ == "$root"/* ]]; then
        die "$tree lies inside this repository, and its contrib/rails would lead back to where it" \
            "started. Please move it elsewhere"
    fi
    if [[ -e $link || -L $link ]]; then
        if [[ $(readlink -f "$link") != "$root" ]]; then
            die "$link is not this repository ($root)"
        fi
    elif [[ $(dirname "$root") == "$tree/contrib" ]]; then
        die "ns-3 names a module after its folder: please rename $root to rails"
    else
        ln -s "$root" "$link" || die "cannot link $link to $root"
        say "linked $link to this repository"
    fi
}

# Sets tree to a new source tree in the cache: the distribution's source package when it is new
# enough, else the pinned tag of upstream.
fetch_ns3() {
    local sources=$cache_home/source fresh archive inside
    mkdir -p "$sources"
    check_cache "$sources" "$sources"/*
    rm -rf "$cache"/fresh-*
    fresh=$(mktemp -d "$cache/fresh-XXXXXX")
    # Several clones of this repository may be fetching at once.
    exec 8>>"$sources/lock"
    flock 8
    archive=$(find_archive "$sources")
    say "fetching ns-3"
    local log=$cache/log/source-package.log
    if [[ -z $archive ]]; then
        if fetch_source_package "$fresh" >"$log" 2>&1; then
            archive=$(find_archive "$fresh")
            mv "$archive" "$sources/"
            archive=$sources/$(basename "$archive")
        else
            give_up_if_known "$log"
            say "no source package: $(tail -n 1 "$log")"
        fi
    fi
    exec 8>&-
    if [[ -n $archive ]]; then
        log=$cache/log/unpack.log
        # Root would give the files to whom they belonged where the archive was made.
        if ! tar -xf "$archive" -C "$fresh" --no-same-owner --no-same-permissions --exclude='*/doc/*' \
            --exclude='netanim-*' >"$log" 2>&1; then
            give_up_if_known "$log"
            bzip2 -t "$archive" 2>/dev/null && give_up "the source package of ns-3 was not unpacked (log: $log)"
            rm "$archive"
            give_up "the source package of ns-3 was damaged, and has been removed; the same command" \
                "fetches it again (log: $log)"
        fi
    else
        fetch_upstream "$fresh"
    fi
    inside=$(dirname "$(find "$fresh" -maxdepth 3 -name VERSION -path '*/ns-3*' | head -n 1)")
    is_ns3 "$inside" || give_up "what was fetched holds no ns-3: see $fresh"
    tree=$cache/ns-$(<"$inside/VERSION")
    mv -T "$inside" "$tree"
    rm -rf "$fresh"
}

find_archive() {
    find "$1" -maxdepth 1 -name 'ns3_*.orig.tar.*' ! -name '*.asc' | sort -V | tail -n 1
}

# Fetches the distribution's source package into a folder, with package lists of our own in that
# folder: the system's stay as they are.
fetch_source_package() {
    local codename components=main id keyring uri version
    # shellcheck source=/dev/null
    id=$(. "$os_release" && echo "${ID:-}")
    # shellcheck source=/dev/null
    codename=$(. "$os_release" && echo "${VERSION_CODENAME:-}")
    case $id in
    debian) ;;
    ubuntu) components='main universe' ;;
    *)
        echo "no source package is known for '$id'; there are those of Debian and Ubuntu"
        return 1
        ;;
    esac
    if ! command -v apt-get >/dev/null; then
        echo "apt-get is missing"
        return 1
    fi
    uri=$(find_mirror "$id" "$codename")
    if [[ -z $uri ]]; then
        echo "apt knows no archive of $id $codename, component main: none is among its sources" \
            "(/etc/apt/sources.list, /etc/apt/sources.list.d)"
        return 1
    fi
    keyring=$(find /usr/share/keyrings -name "$id-archive-keyring.gpg")
    mkdir -p "$1/apt/lists/partial"
    echo "deb-src ${keyring:+[signed-by=$keyring]} $uri $codename $components" >"$1/apt/sources.list"
    own_apt "$1" apt-get update || return 1
    version=$(own_apt "$1" apt-cache showsrc ns3 | sed -n 's/^Version: //p' | sort -V | tail -n 1)
    if [[ -z $version ]]; then
        echo "the package lists could not be fetched, or have no ns3"
        return 1
    fi
    if ! at_least "$oldest_ns3" "$version"; then
        echo "the packaged ns-3 ($version) is older than $oldest_ns3"
        return 1
    fi
    (cd "$1" && own_apt "$1" apt-get source --download-only ns3)
}

# find_mirror ID CODENAME: prints where this machine gets the packages of its distribution from, if
# apt can tell; nobody else is asked. Before the first apt-get update the sources are all it knows.
find_mirror() {
    local known
    for known in '' --no-release-info; do
        # shellcheck disable=SC2016,SC2086
        apt-get indextargets $known 'Created-By: Packages' 'Component: main' \
            --format '$(CODENAME)/$(RELEASE)/$(ORIGIN) $(REPO_URI)'
    done | awk -v id="$1" -v name="$2" '{
        split($1, of, "/")
        if (!found && (of[1] == name || of[2] == name) &&
            (tolower(of[3]) == id || $2 ~ "/" id "/*$")) {
            print $2
            found = 1
        }
    }'
}

# own_apt FOLDER COMMAND...: apt with the package lists of a folder.
own_apt() {
    "$2" -o Dir::Etc::sourcelist="$1/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$1/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
        "${@:3}"
}

fetch_upstream() {
    require_packages "$upstream_packages"
    say "fetching $upstream_tag from $upstream_url"
    local log=$cache/log/upstream.log
    if ! git clone --quiet --depth 1 --branch "$upstream_tag" "$upstream_url" "$1/ns-3" \
        >"$log" 2>&1; then
        rm -rf "$1"
        give_up_if_known "$log"
        give_up "ns-3 could not be fetched, neither as a source package (log:" \
            "$cache/log/source-package.log) nor from $upstream_url (log: $log). Is there a network?" \
            "The same command goes on where it stopped; or set NS3_DIR to an ns-3 source tree" \
            "($oldest_ns3 or later)"
    fi
    local found
    found=$(git -C "$1/ns-3" rev-parse HEAD)
    if [[ $found != "$upstream_commit" ]]; then
        rm -rf "$1"
        give_up "$upstream_url: error: the tag $upstream_tag is commit $found there, expected $upstream_commit, and" \
            "nothing of it is used; set NS3_DIR to an ns-3 source tree that you trust ($oldest_ns3 or later)"
    fi
}
