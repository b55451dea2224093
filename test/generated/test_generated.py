# SPDX-License-Identifier: GPL-2.0-only
"""What must hold in every run, on descriptors drawn at random (GENERATED of them, by default 30)."""

import math
import os
import random
import unittest

from programs import draw_accepted, for_each, run

COUNT = int(os.environ.get("GENERATED", "30"))
SAME = ("status", "fingerprint", "cct_s", "cct_sender_s", "phases", "frames", "frame_hops")


def watched(draw):
    """Settings of the watchdog that look at the run at other times."""
    return [f"watchdog.deadlock_after={draw.randint(40, 3000)}ns",
            f"watchdog.storm_after={draw.randint(1, 50)}us"]


def recorded(draw):
    """Settings of what is written down."""
    return [f"record.{key}={draw.choice(['true', 'false'])}"
            for key in ("explain", "queues", "queue_means", "messages", "links", "timeline")]


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

        self.assertEqual(for_each(differences, self.runs), [])

    def test_factors_multiply_to_completion_time_over_bound_and_shares_add_up(self):
        def mistakes(drawn):
            descriptor, status, plain = drawn
            _, result = run(descriptor, ["record.explain=true"])
            explain = result["explain"]
            if status != 0 or result["bytes"] == 0:
                return [] if explain is None else [(descriptor["name"], "is explained")]
            found = []
            if result["fingerprint"] != plain["fingerprint"]:
                found.append("another fingerprint")
            times = [explain["times_s"][f"t{number}"] for number in range(6)]
            if times[0] != result["lower_bound_s"] or times[5] != result["cct_s"]:
                found.append(f"from {times[0]} to {times[5]}")
            factors = explain["factors"].values()
            if min(factors) < 1:
                found.append(f"a factor below 1: {explain['factors']}")
            if abs(math.prod(factors) / result["cct_over_bound"] - 1) > 1e-12:
                found.append(f"{math.prod(factors)} instead of {result['cct_over_bound']}")
            for port in filter(None, (explain["nic"], explain["cable"])):
                shares = [share for key, share in port.items() if key != "name"]
                if abs(sum(shares) - 1) > 1e-12 or min(shares) < 0:
                    found.append(f"shares {port}")
            return [(descriptor["name"], mistake) for mistake in found]

        self.assertEqual(for_each(mistakes, self.runs), [])

    def test_no_invariant_breaks(self):
        self.assertEqual([(descriptor["name"], result["report"])
                          for descriptor, status, result in self.runs if status == 4], [])


if __name__ == "__main__":
    unittest.main()
