# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of the checks that type what pages say. The variable root is the folder of this repository.

# take FILE HEADING LANGUAGE: prints the blocks of a language in a part of a page.
take() {
    case $1 in
    *.md)
        awk -v heading="## $2" -v fence='```'"$3" '/^## / {wanted = $0 == heading}
            wanted && /^```/ {inside = $0 == fence; next} wanted && inside' "${root:?}/$1"
        ;;
    *.rst)
        awk -v heading="$2" -v block=".. code-block:: $3" '
            /^(===|---|~~~)/ {wanted = last == heading} {last = $0}
            wanted && /^[^ ]/ {inside = $0 == block; next} wanted && inside' "${root:?}/$1" |
            sed 's/^   //'
        ;;
    esac
}
