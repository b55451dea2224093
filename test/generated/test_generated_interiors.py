# SPDX-License-Identifier: GPL-2.0-only
"""How far flows are from frames whatever servers are like inside.

Descriptors are drawn at random, GENERATED_INTERIORS of them, by default 8.
"""

import os
import unittest

import known_deviations
from drawn_interiors import draw_interiors
from flow_notes import RANGES, has_note

COUNT = int(os.environ.get("GENERATED_INTERIORS", "8"))
LARGE_BYTES = 1e6
LARGE = 0.05
SMALL = 0.15
READS = "requests (nic.reads)"  # flows do not wait for requests, which the note says


def is_explained(drawn):
    """Whether notes name a cause, and a range in which the difference lies."""
    marks = [READS] if drawn.message_bytes >= LARGE_BYTES else RANGES
    ranges = [RANGES[mark] for mark in marks if has_note(drawn.flows.result, mark)]
    return any(low <= drawn.part <= high for low, high in ranges)


class GeneratedInteriors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = draw_interiors(COUNT)

    def test_both_engines_end_what_they_accept(self):
        self.assertEqual([(drawn.name, outcome.result["report"])
                          for drawn in self.runs for outcome in (drawn.frames, drawn.flows)
                          if outcome.status != 0], [])

    def test_both_engines_send_the_same_bytes(self):
        self.assertEqual([(drawn.name, key)
                          for drawn in self.runs for key in ("bytes", "messages", "nic_tx_bytes")
                          if drawn.frames.result[key] != drawn.flows.result[key]], [])

    def test_flows_are_near_frames_or_say_by_how_much_they_are_not(self):
        found = {}
        for drawn in self.runs:
            band = LARGE if drawn.message_bytes >= LARGE_BYTES else SMALL
            if abs(drawn.part - 1) > band and not is_explained(drawn):
                found[drawn.name] = f"{drawn.part:.3f} with {drawn.message_bytes:.0f} B"
        known_deviations.compare(self, found, known_deviations.INTERIORS, self.runs)


if __name__ == "__main__":
    unittest.main()
