# SPDX-License-Identifier: GPL-2.0-only
"""What is told of an input that cannot be read."""

from ..errors import Error, cut


class ImportRefused(Error):
    """Something that no descriptor can be made of."""


def shown(value):
    """A value in a message: short, and in one line."""
    text = printable(value)
    return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"


def printable(value):
    """A text of a file in one line of what any terminal and any YAML takes."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(value).split()))


def note(line):
    """A line on what is not in a descriptor."""
    return cut(printable(line))
