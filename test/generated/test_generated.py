# SPDX-License-Identifier: GPL-2.0-only
"""What must hold in every run, on descriptors drawn at random (GENERATED of them, by default 30)."""

import os
import random
import unittest
from concurrent.futures import ThreadPoolExecutor

from programs import draw_accepted, run

COUNT = int(os.environ.get("GENERATED", "30"))
SAME = ("status", "fingerprint", "cct_s", "cct_sender_s", "phases", "frames", "frame_hops")


def watched(draw):
    """Settings of the watchdog that look at the run at other times."""
    return [f"watchdog.deadlock_after={draw.randint(40, 3000)}ns",
            f"watchdog.storm_after={draw.randint(1, 50)}us"]


def recorded(draw):
    """Settings of what is written down."""
    return [f"record.{key}={draw.choice(['true', 'false'])}"
            for key in ("queues", "queue_means", "messages", "links", "timeline")]


def punctual(_):
    """No node runs behind the simulator's time."""
    return ["record.punctual=true"]


class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = draw_accepted(COUNT)

    def test_no_watchdog_recording_or_look_ahead_changes_a_result(self):
        def differences(drawn):
            descriptor, _, result = drawn
            draw = random.Random(descriptor["name"])
            found = []
            for settings in (watched, recorded, punctual):
                sets = settings(draw)
                _, other = run(descriptor, sets)
                found += [f"{descriptor['name']} with {' '.join(sets)}: {key}"
                          for key in SAME if other is None or other.get(key) != result.get(key)]
            return found

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = sum(pool.map(differences, self.runs), [])
        self.assertEqual(found, [])

    def test_no_invariant_breaks(self):
        self.assertEqual([(descriptor["name"], result["report"])
                          for descriptor, status, result in self.runs if status == 4], [])


if __name__ == "__main__":
    unittest.main()
