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
    The file of a descriptor. One of a mapping, or of a text of several lines, is there for as long as
    it is used, in the working directory, which paths in it are relative to.
    """
    if isinstance(descriptor, Mapping):
        text, keys = as_text({"name": _NAME, **descriptor})
        source = Source(Path(), keys)
    elif isinstance(descriptor, str) and "\n" in descriptor:
        text, source = descriptor, Source(Path(), is_text=True)
        if not re.search(r"^[\s{]*[\"']?name[\"']?\s*:", text, re.MULTILINE):
            text += f"\nname: {_NAME}\n"
    else:
        yield Source(Path(descriptor))
        return
    here = os.getcwd()
    place = here if os.access(here, os.W_OK) else None
    with tempfile.NamedTemporaryFile("w", prefix=".rails-", suffix=".yaml", dir=place, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        source.path = Path(file.name)
        yield source


def set_options(values: Mapping[str, Any] | None) -> list[str]:
    """Values of keys as options of a command."""
    return [f"--set={key}={_word(value)}" for key, value in (values or {}).items()]


def as_text(descriptor: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A mapping as JSON, which is YAML too, and by line the key that stands there."""
    lines: list[str] = []
    keys: list[str] = []

    def write(value: Mapping[str, Any], prefix: str) -> None:
        for number, (key, item) in enumerate(value.items(), 1):
            end = "," if number < len(value) else ""
            keys.append(prefix + str(key))
            begin = json.dumps(str(key), ensure_ascii=False) + ": "
            if isinstance(item, Mapping) and item:
                lines.append(begin + "{")
                write(item, f"{prefix}{key}.")
                lines.append("}" + end)
                keys.append(prefix + str(key))
            else:
                lines.append(begin + as_json(item) + end)

    lines.append("{")
    keys.append("")
    write(descriptor, "")
    lines.append("}")
    keys.append("")
    return "\n".join(lines) + "\n", keys


def as_json(value: Any) -> str:
    """A value as JSON; numbers of numpy, paths and sets of keys too."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _word(value: Any) -> str:
    """A value as one writes it behind --set KEY=."""
    return value if isinstance(value, str) else as_json(value)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return value.tolist()
    if isinstance(value, Sequence):
        return list(value)
    raise Error("descriptor", f"{value!r} is no value of a descriptor; expected a text, a number, a list or a mapping")

