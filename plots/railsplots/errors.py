# SPDX-License-Identifier: GPL-2.0-only
"""What is told to users: one line with the place and the remedy, as the C++ program does it."""


class ResultError(Exception):
    """Something that cannot be shown, compared or written; its text is "PLACE: error: REASON"."""

    def __init__(self, place, reason):
        super().__init__(place, reason)
        self.place = place
        self.reason = reason

    def __str__(self):
        text = f"{self.place}: error: {self.reason}"
        return " ".join(text.split("\n"))


class MissingFile(ResultError):
    """A file that a run may have been told not to write."""

    def __init__(self, place, reason="is missing"):
        super().__init__(place, reason)


class NotWritten(MissingFile):
    """A file of which the run says why there is none."""


def reason_of(error):
    """Why the system refused something, in its own words."""
    return error.strerror or type(error).__name__
