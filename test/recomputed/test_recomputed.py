# SPDX-License-Identifier: GPL-2.0-only
"""Random trainings take as long as a computation apart from the program says.

RECOMPUTED of them, by default 12; RAILS_EXPERIMENT names the program.
"""

import itertools
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "generated"))

from programs import run  # noqa: E402
from random_trainings import write_training  # noqa: E402
from training_simulator import simulate  # noqa: E402

COUNT = int(os.environ.get("RECOMPUTED", "12"))
FIRST = int(os.environ.get("RECOMPUTED_FROM", "1"))  # seed
TOLERANCE = 1e-3
ACK_BYTES = (-2, -1, 1, 2)  # rates change by 0.05 % at most


def draw_accepted(count, folder):
    """Trainings that the program has run, as (descriptor, result)."""
    accepted = 0
    for seed in itertools.count(FIRST):
        descriptor = write_training(seed, folder)
        _, result = run(descriptor)
        if result is None:
            continue
        yield descriptor, result
        accepted += 1
        if accepted == count:
            return


def compare(descriptor, given):
    """How far a time is from the computation, as a part of this, and whether that is by chance.

    Where messages come to a queue pair at nearly the same time, which is first decides, and the
    smallest part of a rate decides that (the program leaves loads of ACKs as they are while they
    change by less than 1e-5). So a time also counts that lies among those with ACKs a bit shorter
    and longer.
    """
    own = simulate(descriptor)
    if abs(given / own - 1) <= TOLERANCE:
        return given / own - 1, False
    times = [own] + [simulate(descriptor, more) for more in ACK_BYTES]
    if min(times) <= given <= max(times):
        return 0.0, True
    nearest = min(times, key=lambda time: abs(given / time - 1))
    is_by_chance = abs(given / nearest - 1) <= TOLERANCE
    return given / (nearest if is_by_chance else own) - 1, is_by_chance


class Recomputed(unittest.TestCase):
    def test_trainings_take_as_long_as_a_computation_of_their_own_says(self):
        differences = []
        by_chance = 0
        with tempfile.TemporaryDirectory() as folder:
            for descriptor, result in draw_accepted(COUNT, folder):
                with self.subTest(descriptor["name"]):
                    given = result["iteration_s"]
                    difference, is_by_chance = compare(descriptor, given)
                    differences.append(abs(difference))
                    by_chance += is_by_chance
                    self.assertLessEqual(
                        abs(difference), TOLERANCE,
                        f"{descriptor['name']} (random_trainings.py writes it): the program says "
                        f"{given} s, the computation {given / (1 + difference)} s: "
                        f"{descriptor['workload']}")
        differences.sort()
        print(f"{len(differences)} trainings differ by {differences[len(differences) // 2]:.1e} in "
              f"the median, by {differences[-1]:.1e} at most; of {by_chance} the order of messages "
              "is left to chance", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
