# SPDX-License-Identifier: GPL-2.0-only
"""Texts for people elsewhere, who know neither the folders of this machine nor whose they are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

# A slash with at least one more behind it, which is neither of a URL nor of a unit; `file:` may stand before it.
_PART = r"[^\s/'\"`,;:()<>|=&\[\]{}]+"
_PATH = re.compile(rf"file://(?:/{_PART})+/?|(?<![\w.~/])/(?!/){_PART}(?:/{_PART})+/?")
_HOMES = re.compile(r"/(?:root|(?:home|Users)/[^/]+)(?:/|$)")


def published(text: str, folders: Iterable[str | os.PathLike[str]] = ()) -> str:
    """
    A text with absolute paths as they make sense elsewhere: relative to what result folders lie in, below `~`, or, where
    neither helps, by their last part.
    """
    if "/" not in text:
        return text
    for place, name in _known([os.path.abspath(folder) for folder in folders]):
        text = re.sub(rf"(?<![\w.~-]){re.escape(place)}(?![\w.-])/?", name, text)
    return _PATH.sub(lambda found: _short(found[0].removeprefix("file://")), text)


def _known(folders: list[str]) -> list[tuple[str, str]]:
    """Folders, and what stands for them and the slash behind them; those inside of others come first."""
    home = os.path.expanduser("~")
    known = dict.fromkeys((home, os.path.realpath(home)), "~/")
    for places in (folders, [os.path.realpath(place) for place in folders]):
        if places:
            known.setdefault(os.path.commonpath([os.path.dirname(place) for place in places]), "")
    known = {place: name for place, name in known.items() if len(place) > 1 and place.startswith("/")}
    return sorted(known.items(), key=lambda item: -len(item[0]))


def _short(path: str) -> str:
    home = _HOMES.match(path)
    if home:
        return f"~/{path[home.end():]}"
    return f".../{path.rstrip('/').rpartition('/')[2]}"
