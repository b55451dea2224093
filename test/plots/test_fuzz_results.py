# SPDX-License-Identifier: GPL-2.0-only
"""A short run of fuzz_results.py, which has longer ones by --count."""

import unittest

import fuzz_results


class Fuzz(unittest.TestCase):
    def test_programs_stand_damaged_folders(self):
        faults, _ = fuzz_results.run(first=0, count=60, keep_going=True)
        self.assertEqual(faults, {})


if __name__ == "__main__":
    unittest.main()
