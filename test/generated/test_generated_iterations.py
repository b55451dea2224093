# SPDX-License-Identifier: GPL-2.0-only
"""What must hold of trainings over all that a workload training can say.

They are drawn at random, until GENERATED_ITERATIONS were accepted, by default 8.
"""

import os
import unittest

from checked_iterations import check_until_accepted

COUNT = int(os.environ.get("GENERATED_ITERATIONS", "8"))
FIRST = 29  # with the next few all kinds are there


class GeneratedIterations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.checked = list(check_until_accepted(COUNT, FIRST))

    def test_all_that_is_checked_holds(self):
        self.assertEqual([(one.name, one.mistakes) for one in self.checked if one.mistakes], [])

    def test_replicas_answer_for_others_and_micro_batches_are_left_out_in_some(self):
        self.assertTrue(any(one.folded for one in self.checked))
        self.assertTrue(any(one.forwarded is not None for one in self.checked))


if __name__ == "__main__":
    unittest.main()
