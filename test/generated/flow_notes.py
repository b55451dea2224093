# SPDX-License-Identifier: GPL-2.0-only
"""What the notes of a run of flows say of how far it may be from frames."""

MARK = "engine flow: "

# What a note has in it, and from which part of the frames' time to which it says that flows take.
RANGES = {
    "PCIe may hold NICs back": (0.5, 1.8),
    "requests (nic.reads)": (0, 1.05),
    "NVLink is slower than the NICs": (0.95, 1.11),
}
SHORT = "less than a bandwidth-delay product"
SHORT_RANGE = (0.8, 1.25)  # the note has no numbers: of 53 phases and 86 others all were within


def get_range(result, plain):
    """From which part of the frames' time to which flows may take.

    result -- result.json of the flows
    plain -- by which part they may be off when no note says more
    """
    lowest, highest = 1 - plain, 1 + plain
    for note in result.get("notes", ()):
        for mark, (low, high) in {**RANGES, SHORT: SHORT_RANGE}.items():
            if note.startswith(MARK) and mark in note:
                lowest, highest = min(lowest, low), max(highest, high)
    return lowest, highest


def has_note(result, mark):
    """Whether a note with a mark is there."""
    return any(note.startswith(MARK) and mark in note for note in result.get("notes", ()))
