# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors as notebooks have them: the path of a file, its text, or a mapping."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from . import arguments
from .errors import Error

Descriptor = Union[str, "os.PathLike[str]", Mapping[str, Any]]
_NAME = "experiment"  # of what has no file that it could be named after


@dataclass
class Source:
    """A file with a descriptor, and where its lines come from."""

    path: Path
    keys: list[str] = field(default_factory=list)  # by line, of a mapping
    is_text: bool = False

    def located(self, error: Error) -> Error:
        """An error whose place is the key of a mapping, or the line of a text, in place of a file that is gone."""
        found = re.fullmatch(re.escape(str(self.path)) + r"(?::(\d+))?(?::(\d+))?", str(error.place))
        if found and self.keys:
            error.place = self.keys[int(found[1] or 1) - 1] or "descriptor"
        elif found and self.is_text:
            error.place = ":".join(["descriptor", *filter(None, found.groups())])
        return error


@contextmanager
def given(descriptor: Descriptor) -> Iterator[Source]:
    """
    The file of a descriptor. One of a mapping or of a text is there for as long as it is used, in the
    working directory, which paths in it are relative to.
    """
    if isinstance(descriptor, Mapping):
        text, keys = as_text({"name": _NAME, **descriptor})
        source = Source(Path(), keys)
    elif isinstance(descriptor, str) and _is_text(descriptor):
        text, source = _named(descriptor), Source(Path(), is_text=True)
        arguments.utf8("descriptor", text)
    elif not isinstance(descriptor, (str, os.PathLike)):
        raise Error("descriptor", f"expected a file, its text or a mapping, not {arguments.shown(descriptor)}")
    else:
        yield Source(arguments.path("descriptor", descriptor))
        return
    try:
        here = os.getcwd()
    except FileNotFoundError:
        raise Error("descriptor", "the working directory is gone, and what a descriptor names is relative to it") from None
    place = here if os.access(here, os.W_OK) else None
    with tempfile.NamedTemporaryFile("w", prefix=".rails-", suffix=".yaml", dir=place, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        source.path = Path(file.name)
        yield source


def _is_text(descriptor: str) -> bool:
    """Is it a text, rather than the name of a file?"""
    return "\n" in descriptor or (re.search(r":\s", descriptor) is not None and not os.path.exists(descriptor))


def _named(text: str) -> str:
    """A text with a name, for there is no file that could give it one; its lines stay where they are."""
    bare = re.sub(r"#.*", "", text)
    if begin := re.match(r"(?:\s*#.*\n)*\s*\{", text):  # the form of YAML that JSON has
        while (outer := re.sub(r"(?<=[:,\[])\s*[{\[][^{}\[\]]*[}\]]", "", bare)) != bare:
            bare = outer  # the names of what is inside do not count
        if re.search(r"[{,]\s*[\"']?name[\"']?\s*:", bare):
            return text
        return f"{begin[0]}name: {_NAME}, {text[begin.end():]}"
    first = re.search(r"^([ \t]*)\S", bare, re.MULTILINE)
    indent = first[1] if first else ""
    if re.search(rf"^{indent}[\"']?name[\"']?\s*:", bare, re.MULTILINE):
        return text
    return f"{text}\n{indent}name: {_NAME}\n"


def set_options(values: Mapping[str, Any] | None) -> list[str]:
    """Values of keys as options of a command."""
    if not isinstance(values, (Mapping, type(None))):
        reason = f"expected a mapping of keys, as {{'balance': 'rails'}}, not {arguments.shown(values)}; a folder for the result is out=FOLDER"
        raise Error("set", reason)
    named = [(_word("set", key), value) for key, value in (values or {}).items()]
    return [f"--set={key}={_word(f'--set {key}', value)}" for key, value in named]


def as_text(descriptor: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A mapping as JSON, which is YAML too, and by line the key that stands there."""
    lines: list[str] = []
    keys: list[str] = []

    def write(value: Mapping[str, Any], prefix: str) -> None:
        for number, (name, item) in enumerate(value.items(), 1):
            end = "," if number < len(value) else ""
            key = _word(prefix.rstrip(".") or "descriptor", name)
            keys.append(prefix + key)
            begin = as_json(key, prefix + key) + ": "
            if isinstance(item, Mapping) and item:
                lines.append(begin + "{")
                write(item, f"{prefix}{key}.")
                lines.append("}" + end)
                keys.append(prefix + key)
            else:
                lines.append(begin + as_json(item, prefix + key) + end)

    lines.append("{")
    keys.append("")
    try:
        write(descriptor, "")
    except RecursionError:
        raise Error("descriptor", "is nested too deeply, or holds itself") from None
    lines.append("}")
    keys.append("")
    return "\n".join(lines) + "\n", keys


def as_json(value: Any, place: str = "descriptor") -> str:
    """A value as JSON; numbers of numpy, paths and sets of keys too."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError):
        reason = "is no value of a descriptor; expected a text, a finite number, a list or a mapping"
        raise Error(place, f"{arguments.shown(value)} {reason}") from None
    return arguments.utf8(place, text)


def _word(place: str, value: Any) -> str:
    """A value as one writes it behind --set KEY=."""
    return arguments.word(place, value) if isinstance(value, str) else as_json(value, place)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError

