# SPDX-License-Identifier: GPL-2.0-only
"""
Reads files that other people may have made: whatever is in them, it is read in a time and a memory that go with their
size, and what nobody can have written in earnest is refused with its reason.
"""

import json
import os
import re
import stat

from ..errors import MissingFile, ResultError, reason_of
from ..plain_text import CONTROL, escaped, escaped_name

_LARGEST = 1 << 28  # bytes of a file of JSON
_LONGEST_LINE = 1 << 20  # of a table
_DEEPEST = 40  # mappings and lists in each other
_LONGEST_KEY = 256
_LARGEST_NUMBER, _SMALLEST_NUMBER = 1e30, 1e-60
_OF_LINES = ("report", "notes", "last_lines", "text")  # keys of texts of several lines; all others have one
_KINDS = {
    stat.S_ISDIR: "a folder",
    stat.S_ISFIFO: "a pipe",
    stat.S_ISSOCK: "a socket",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
}
# How JSON writes such characters: as they are, or by their numbers.
_MAY_CONTROL = re.compile(rf"{CONTROL.pattern}|\\[bfnrtu]")


def open_regular(path, refuse, flags=0, **options):
    """
    A regular file, opened without waiting for any other process.

    :param refuse: raises what is told of something else, by its kind
    :param flags: of the system, besides the usual ones
    :param options: of open()
    """

    def check(mode):
        if not stat.S_ISREG(mode):
            refuse(next((name for is_kind, name in _KINDS.items() if is_kind(mode)), "no file"))

    def opener(name, usual):
        return os.open(name, usual | flags | os.O_NONBLOCK | os.O_NOCTTY)

    check(os.stat(path).st_mode)
    file = open(path, opener=opener, **options)
    check(os.fstat(file.fileno()).st_mode)  # since the first look a pipe may have taken its place
    return file


def open_foreign(path, folder=None):
    """
    A regular file, opened as text.

    :param folder: what it has to lie in once links are followed; its own by default
    """
    try:
        place = path
        if folder is not None or os.path.islink(path):
            place = os.path.realpath(path)
            inside = os.path.realpath(folder or os.path.dirname(path) or ".")
            if os.path.commonpath([place, inside]) != inside:
                raise ResultError(path, "is a link out of its folder; expected a file in it")

        def refuse(kind):
            raise ResultError(path, f"is {kind}; expected a regular file")

        return open_regular(place, refuse, os.O_NOFOLLOW, newline="", encoding="utf-8")
    except FileNotFoundError:
        raise MissingFile(path) from None
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ResultError(path, f"cannot be read ({reason})") from None


def read_text(path, folder=None):
    """All of a file that is no larger than any file of JSON that a run writes."""
    with open_foreign(path, folder) as file:
        size = os.fstat(file.fileno()).st_size
        if size > _LARGEST:
            raise ResultError(path, f"has {size} bytes; expected at most {_LARGEST}")
        try:
            return file.read(_LARGEST)
        except OSError as error:
            raise ResultError(path, f"cannot be read ({reason_of(error)})") from None
        except ValueError as error:
            raise ResultError(path, f"is not UTF-8 ({error})") from None


def read_json(path, folder=None):
    """
    What is in a file of JSON, with control characters escaped, and without the NaN and infinity that Python would let
    in.
    """
    text = read_text(path, folder)
    try:
        found = json.loads(text, parse_constant=_refuse, parse_float=_float, parse_int=_int)
        return _checked(found, 0, escaped_name if _MAY_CONTROL.search(text) else None)
    except RecursionError:
        raise ResultError(path, "is nested too deeply") from None
    except ValueError as error:
        raise ResultError(path, f"is not JSON that a run writes ({error})") from None


def lines_of(path, file):
    """The lines of a table; ResultError where one has no end."""
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise ResultError(path, f"has a line of more than {_LONGEST_LINE} characters")
        yield line


def sound_number(text):
    """
    The number that a text is; None where no run can have found it: what is not finite, and what is near to that. What
    is left of a difference of equal numbers is 0.
    """
    value = float(text)
    if abs(value) < _SMALLEST_NUMBER:
        return 0.0
    return value if abs(value) < _LARGEST_NUMBER else None


def _checked(value, depth, escape):
    """
    A value of JSON, if it is no deeper than what a run writes.

    :param escape: what its texts go through; None where they have nothing that has to
    """
    if isinstance(value, str):
        if escape:
            value = escape(value)
            value.encode()  # ValueError for halves of characters, which no file can have
        return value
    if not isinstance(value, (dict, list)):
        return value
    if depth == _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, list):
        if escape or any(isinstance(item, (dict, list)) for item in value):
            return [_checked(item, depth + 1, escape) for item in value]
        return value
    found = {}
    for key, item in value.items():
        if len(key) > _LONGEST_KEY:
            raise ValueError(f"a key of {len(key)} characters; expected at most {_LONGEST_KEY}")
        of_lines = escape and (escaped if key in _OF_LINES else escape)
        found[_checked(key, depth, escape)] = _checked(item, depth + 1, of_lines)
    return found


def _refuse(word):
    shown = word if len(word) <= 40 else word[:37] + "..."
    raise ValueError(f"{shown} is no number that a run can have found")


def _float(text):
    value = sound_number(text)
    return _refuse(text) if value is None else value


def _int(text):
    _float(text)
    return int(text)
