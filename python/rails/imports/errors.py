# SPDX-License-Identifier: GPL-2.0-only
"""What is told of an input that cannot be read."""

from ..errors import Error, cut


BLANK = "N"  # a number that users know alone


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
    text = printable(value)
    return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"


def printable(value):
    """A text of a file in one line of what any terminal and any YAML takes."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(str(value).split()))


def note(line):
    """A line on what is not in a descriptor."""
    return cut(printable(line))
