# SPDX-License-Identifier: GPL-2.0-only
"""What is told to users: one line with the place and the remedy, as the C++ program does it."""


class ImportRefused(Exception):
    """Something that no descriptor can be made of; its text is "PLACE: error: REASON"."""

    def __init__(self, place, reason):
        super().__init__(place, reason)
        self.place = place
        self.reason = reason

    def __str__(self):
        return " ".join(f"{self.place}: error: {self.reason}".split("\n"))


def shown(value):
    """A value in a message: short, and in one line."""
    text = " ".join(str(value).split())
    return f"'{text[:57]}...'" if len(text) > 60 else f"'{text}'"
