# SPDX-License-Identifier: GPL-2.0-only
"""Command lines that begin a shell script, as its comments or a README beside it or above show them to its users."""

import re
import shlex
from pathlib import Path

from .errors import ImportRefused
from .shell_builtins import checkout

_CALL = re.compile(r"(?:[>$]\s*)?(?P<set>(?:[A-Za-z_]\w*=\S*\s+)*)(?:(?:ba|z|da)?sh\s+|(?=\./))(?P<rest>\S+\.sh\b.*)")
_ENDS = re.compile(r"[();<>|&]+")  # words that end a command
_BLANK = re.compile(r"[$<>{}]|\.\.\.|\[.*\]")  # in words that users put something of their own in the place of
_LARGEST = 1_000_000  # bytes of a README
_MOST = 8  # examples


def examples(path, budget):
    """
    Pairs of a place and words: variables such as TP=2 and then parameters, of which each is what a user types.

    :param path: of a script
    """
    script, found = Path(path).resolve(), []
    for text in (script, *_readmes(script.parent)):
        for line, set_before, call in _calls(text, text == script, budget):
            words = _words(set_before, call, script, text.parent)
            if words and words not in (held for _, held in found) and len(found) < _MOST:
                found.append((f"{text.name}:{line}", words))
    return found


def _readmes(folder):
    """The READMEs beside a script, and those above it in its Git checkout."""
    root = checkout(folder)
    for above in (folder, *folder.parents) if root != folder else (folder,):
        yield from sorted(above.glob("README*.md"))
        if above == root:
            return


def _calls(path, is_script, budget):
    """Lines, assignments that stand before them in the same block, and texts that may begin a script."""
    try:
        lines = budget.read(path, _LARGEST, "replace").split("\n")
    except (OSError, ImportRefused):
        return
    if is_script:  # its comments alone
        lines = [re.sub(r"^\s*#+", "", line) if re.match(r"\s*#", line) else "" for line in lines]
    at, set_before = 0, ""
    while at < len(lines):
        first, parts = at + 1, [lines[at].strip()]
        while parts[-1].endswith("\\") and at + 1 < len(lines):
            at += 1
            parts[-1] = parts[-1][:-1]
            parts.append(lines[at].strip())
        text = " ".join(parts).strip()
        at += 1
        budget.spend(20 + 4 * len(text))
        exported = re.match(r"export\s+([A-Za-z_]\w*=.*)", text)
        if exported:
            set_before += exported[1] + " "
        elif text.startswith("```") or not text:
            set_before = ""
        elif _CALL.match(text):
            budget.spend(8 * (len(set_before) + len(text)))
            yield first, set_before, text


def _words(set_before, call, script, folder):
    """Variables and parameters of a command line; none where it begins another script or leaves something to users."""
    found = _CALL.match(call)
    text = re.sub(r"\s\d+>", " >", found["rest"].partition("`")[0])
    parts = shlex.shlex(text, posix=True, punctuation_chars=True)
    parts.whitespace_split, parts.commenters = True, ""
    try:
        before, (name, *words) = shlex.split(set_before + found["set"]), list(parts)
    except ValueError:
        return []
    ends = [number for number, word in enumerate(words) if _ENDS.fullmatch(word) or word[:1] == "#"]
    words = words[: ends[0]] if ends and words[ends[0]] != "<" else words
    if not _is_it(Path(name), script, folder) or any(map(_BLANK.search, words)):
        return []
    return [word for word in before if not _BLANK.search(word)] + words


def _is_it(named, script, folder):
    """Whether a path that a file of a folder names is that of a script: also as it lies in a checkout elsewhere."""
    parts = [part for part in named.parts if part not in (".", "..")]
    inside = list(script.relative_to(checkout(script.parent)).parts)
    if len(parts) == 1:
        return folder == script.parent and parts == [script.name]
    return parts == list(script.parts[-len(parts) :]) or len(inside) > 1 and parts[-len(inside) :] == inside
