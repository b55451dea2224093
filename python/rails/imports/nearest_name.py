# SPDX-License-Identifier: GPL-2.0-only
"""What a user most likely meant by a name that is not known."""

import difflib


def suggest(name, known):
    """The end of a message about a name that is not known, as the C++ program has it."""
    folded = {other.lower().replace("-", "_"): other for other in known}
    near = difflib.get_close_matches(name.lower().replace("-", "_"), folded, n=1)
    question = f"; did you mean '{folded[near[0]]}'? Known: " if near else "; known: "
    return question + ", ".join(known) if known else ""
