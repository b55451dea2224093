# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of ./rails: the packages it needs, and their installation on Debian and Ubuntu.

# Each line: the Debian package, and what proves that it is there: a command, a header, a file, or
# Python modules that one Python has together.
# shellcheck disable=SC2034
build_packages='
g++                 command c++
cmake               command cmake
ninja-build         command ninja
bzip2               command bzip2
libyaml-cpp-dev     header  yaml-cpp/yaml.h
libboost-dev        header  boost/version.hpp
libgcrypt20-dev     header  gcrypt.h
libsqlite3-dev      header  sqlite3.h
nlohmann-json3-dev  header  nlohmann/json.hpp
libcli11-dev        header  CLI/CLI.hpp
liblpsolve55-dev    header  lpsolve/lp_lib.h
lp-solve            file    /usr/lib/lp_solve/liblpsolve55.so
libgtest-dev        header  gtest/gtest.h'
plot_packages='
python3-matplotlib  python  matplotlib'
import_packages='
python3  python  json'
report_packages='
python3-matplotlib       python  matplotlib plotly
python3-plotly           python  matplotlib plotly
libjs-jquery             file    /usr/share/javascript/jquery/jquery.min.js
libjs-jquery-datatables  file    /usr/share/javascript/jquery-datatables/jquery.dataTables.min.js'
compare_packages='
python3-matplotlib  python  matplotlib scipy
python3-scipy       python  matplotlib scipy'
docs_packages='
doxygen              command doxygen
furo                 python  sphinx furo myst_parser
python3-myst-parser  python  sphinx furo myst_parser
python3-sphinx       python  sphinx furo myst_parser'
test_packages="$report_packages$compare_packages
tshark  command tshark"
# Some distributions lack some of them; tests that need those are skipped, and say so.
optional_test_packages='
clang-14            command clang++-14
libclang-rt-14-dev  file    /usr/lib/llvm-14/lib/clang/*/include/fuzzer/FuzzedDataProvider.h
munge               command munged
slurmctld           command slurmctld
slurmd              command slurmd
slurm-client        command sbatch
libsimgrid-dev      header  simgrid/s4u.hpp
chromium            command chromium
chromium-driver     command chromedriver
python3-selenium    python  selenium
zsh                 command zsh
python3-jsonschema  python  jsonschema yaml
python3-yaml        python  jsonschema yaml
python3-pandas      python  pandas matplotlib scipy
python3-nbclient    python  nbclient ipykernel pandas
python3-ipykernel   python  nbclient ipykernel pandas
python3-pip         python  pip setuptools wheel
python3-setuptools  python  pip setuptools wheel
python3-wheel       python  pip setuptools wheel'
upstream_packages='
git                 command git
ca-certificates     file    /etc/ssl/certs/ca-certificates.crt'
# Installed along with the others, but missing without harm: quicker builds, the format check.
optional_packages='
ccache              command ccache
clang-format-14     command clang-format-14'

has() {
    local modules
    case $1 in
    command) command -v "$2" >/dev/null ;;
    header) # the last where several architectures may be installed side by side
        [[ -e /usr/include/$2 || -e /usr/local/include/$2 ]] ||
            compgen -G "/usr/include/*-linux-gnu*/$2" >/dev/null
        ;;
    file) compgen -G "$2" >/dev/null ;;
    python) read -ra modules <<<"$2" && find_python "${modules[@]}" >/dev/null ;;
    esac
}

# find_python MODULE...: prints the Python that has these modules; that is not always the first in
# PATH.
find_python() {
    local python
    for python in /usr/bin/python3 python3; do
        if "$python" -c 'import sys
from importlib.util import find_spec
sys.exit(any(find_spec(name) is None for name in sys.argv[1:]))' "$@" 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

# Prints the packages of a table that are missing.
list_missing() {
    local package kind what
    while read -r package kind what; do
        if [[ -n $package ]] && ! has "$kind" "$what"; then
            echo "$package"
        fi
    done <<<"$1"
}

# Says what apt is going to do to the system, before it does.
tell_packages() {
    say "as this is root, apt-get now installs these packages and what they depend on: $*"
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -y \
        --no-install-recommends install "$@"
}

# Installs what is missing of a table as far as it can be had.
want_packages() {
    local missing package log=$cache/log/optional-packages.log
    mapfile -t missing < <(list_missing "$1" | sort -u)
    if ((${#missing[@]} == 0)); then
        return
    fi
    if ((EUID == 0)) && command -v apt-get >/dev/null; then
        tell_packages "${missing[@]}"
        make_cache
        apt_install "${missing[@]}" >"$log" 2>&1 ||
            { apt-get update && apt_install "${missing[@]}"; } >>"$log" 2>&1 ||
            for package in "${missing[@]}"; do
                apt_install "$package" >>"$log" 2>&1 || true
            done
    fi
    mapfile -t missing < <(list_missing "$1" | sort -u)
    if ((${#missing[@]} > 0)); then
        say "going on without ${missing[*]}"
    fi
}

# Installs what is missing of a table; the optional packages come along with it.
require_packages() {
    local missing
    mapfile -t missing < <(list_missing "$1" | sort -u)
    if ((${#missing[@]} == 0)); then
        return
    fi
    if ! command -v apt-get >/dev/null; then
        give_up "missing (as Debian calls them): ${missing[*]}; please install them"
    fi
    if ((EUID != 0)); then
        give_up "packages are missing; please run: sudo apt-get update && sudo apt-get install -y" \
            "${missing[*]} - and then this command again"
    fi
    tell_packages "${missing[@]}"
    make_cache
    local log=$cache/log/packages.log
    if ! apt_install "${missing[@]}" >"$log" 2>&1; then
        if ! { apt-get update && apt_install "${missing[@]}"; } >>"$log" 2>&1; then
            give_up_if_known "$log"
            give_up "could not install ${missing[*]}: $(grep '^E: ' "$log" | tail -n 1); is there a" \
                "network? The same command goes on where it stopped (log: $log)"
        fi
    fi
    want_packages "$optional_packages"
    mapfile -t missing < <(list_missing "$1")
    if ((${#missing[@]} > 0)); then
        give_up "still missing after their installation: ${missing[*]} (log: $cache/log/packages.log)"
    fi
}
