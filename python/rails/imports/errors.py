# SPDX-License-Identifier: GPL-2.0-only
"""What is told of an input that cannot be read."""

from ..errors import Error, cut
from ..plain_text import escaped_name


BLANK = "N"  # a number that users know alone
_LONGEST = 1000  # characters of a value that are looked at for a message


class ImportRefused(Error):
    """
    Something that no descriptor can be made of.

    :param give: words that may make up for it: an option and its value, such as --gpus 16, or a variable, NAME=VALUE
    """

    def __init__(self, place, reason, give=()):
        super().__init__(place, reason)
        self.give = give


def shown(value):
    """A value in a message: short, and in one line."""
    text = printable(str(value)[:_LONGEST])
    return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"


def printable(value):
    """A text of a file in one line of what any terminal and any YAML takes."""
    text = escaped_name(" ".join(str(value).split()))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # halves of characters


def note(line):
    """A line on what is not in a descriptor, or on where a value is from."""
    return printable(cut(line))
