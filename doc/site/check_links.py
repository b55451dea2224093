#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Follows every link of the pages in a folder to another of its files, headings included; links to other places are not
followed. Without an answer there is nothing wrong.

Usage: check_links.py FOLDER
"""

import os
import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
LINK = re.compile(r"\b(?:href|src)=(?:\"([^\"]*)\"|'([^']*)')")
ANCHOR = re.compile(r"\b(?:id|name)=(?:\"([^\"]*)\"|'([^']*)')")
EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


class _Page:
    """What a page leads to, and where it can be led to."""

    def __init__(self, text):
        self.links, self.anchors = set(), set()
        for tag in TAG.findall(text):
            self.links.update(unescape(a or b) for a, b in LINK.findall(tag))
            self.anchors.update(unescape(a or b) for a, b in ANCHOR.findall(tag))


def check(folder, beside=()):
    """
    How many pages and links there are, and a line for each link that leads nowhere. Of pages in the folders `beside`, only
    what leads to them is looked at.
    """
    folder = os.path.abspath(folder)
    pages = {}

    def read(path):
        if path not in pages:
            pages[path] = _Page(Path(path).read_text("utf-8"))
        return pages[path]

    files = [path for path in sorted(Path(folder).rglob("*.html")) if path.relative_to(folder).parts[0] not in beside]
    count, wrong = 0, []
    for path in map(str, files):
        page = read(path)
        here = os.path.dirname(path)
        for link in sorted(page.links):
            if not link or EXTERNAL.match(link):
                continue
            count += 1
            file, _, anchor = link.partition("#")
            file = unquote(file.partition("?")[0])
            target = os.path.normpath(os.path.join(here, file)) if file else path
            if os.path.commonpath([target, folder]) != folder or not os.path.isfile(target):
                problem = "there is no such file"
            elif anchor and target.endswith(".html") and unquote(anchor) not in read(target).anchors:
                problem = "that page has no such place"
            else:
                continue
            wrong.append(f"{os.path.relpath(path, folder)}: {link}: {problem}")
    return len(files), count, wrong


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    _, _, wrong = check(arguments[0])
    print("\n".join(wrong), end="\n" * bool(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
