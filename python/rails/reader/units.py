# SPDX-License-Identifier: GPL-2.0-only
"""Quantities: from the descriptor's spelling to numbers, and from numbers to readable text."""

import json
import re

from ..published import published
from .foreign_files import sound_number

_DECIMAL = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_TIME = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12}
_FACTORS = {
    "": 1,
    **{prefix + "B": factor for prefix, factor in {**_DECIMAL, **_BINARY}.items()},
    **{prefix + "bps": factor for prefix, factor in _DECIMAL.items()},
    **_TIME,
}
_QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z]*)")

_LONGEST = 40  # characters of a label
_MOST_WORDS = 2  # entries of a list that a label tells

_LADDERS = {
    "us, ms": [("ms", 1e-3), ("us", 1e-6)],  # of what is sent once
    "ms": [("ms", 1e-3)],  # of whole iterations
    "s": [("s", 1), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)],
    "B": [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3), ("B", 1)],
}


def parse_number(value):
    """Number in base units (s, B, bit/s, 1) of a descriptor value, or None when it is a word."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return float(value)
    match = _QUANTITY.fullmatch(str(value).strip())
    if match is None or match.group(2) not in _FACTORS:
        return None
    number = sound_number(match.group(1))
    return None if number is None else number * _FACTORS[match.group(2)]


def best_unit(values, base):
    """The unit in which the largest of the values reads as at least 1, and its factor."""
    largest = max((abs(float(value)) for value in values), default=0.0)
    for unit, factor in _LADDERS[base]:
        if largest >= factor:
            return unit, factor
    return _LADDERS[base][0] if largest == 0 else _LADDERS[base][-1]


def with_unit(value, base):
    """A single value in the unit that suits it."""
    unit, factor = best_unit([value], base)
    return f"{value / factor:.3g} {unit}"


def significant(number, digits=3):
    """A number with so many significant digits, and without an exponent."""
    if number == 0:
        return "0"
    exponent = int(f"{number:.{digits - 1}e}".partition("e")[2])
    return f"{number:.{max(0, digits - 1 - exponent)}f}"


def readable(value):
    """
    A descriptor value as text for people: "4MB" becomes "4 MB", 1.0 becomes "1", and a list, which
    comes as JSON, words.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return _in_words(json.loads(value))
        except (ValueError, RecursionError):
            return value
    match = _QUANTITY.fullmatch(str(value).strip())
    return f"{match.group(1)} {match.group(2)}".strip() if match else published(str(value))


def _in_words(value):
    """A list or a component in words: of a long list its beginning and how many follow."""
    if isinstance(value, list):
        words = [_in_words(item) for item in value]
        more = len(words) - _MOST_WORDS
        return ", ".join(words[:_MOST_WORDS]) + (f" and {more} more" if more > 0 else "") or "none"
    if not isinstance(value, dict):
        return readable(value)
    place = " to ".join(map(str, value["link"])) if isinstance(value.get("link"), list) else None
    place = place or next((str(value[key]) for key in ("nic", "switch") if key in value), None)
    if place is None:
        return " ".join(f"{key} {_in_words(item)}" for key, item in value.items())
    # An entry of failures.schedule or topology.cables: what, how, when.
    rate = f"at {readable(value['rate'])}" if "rate" in value else ""
    when = f"at {readable(value['at'])}" if value.get("at", "0s") != "0s" else ""
    return " ".join(filter(None, (place, str(value.get("state", "")), rate, when)))


def shortened(text):
    """A label that fits into figures and tables: of a long one both ends."""
    half = (_LONGEST - 3) // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}...{text[-half:]}"


def labels(values):
    """Readable and short texts of different values, told apart by a number where need be."""
    found = []
    for value in values:
        text = label = shortened(readable(value))
        number = 1
        while label in found:
            number += 1
            label = f"{text} ({number})"
        found.append(label)
    return found
