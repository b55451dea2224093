# SPDX-License-Identifier: GPL-2.0-only
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
import synthetic
from railsplots.results import load
from railsplots.table import aligned, comparison


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, scheme, seed, cct_s, bound_s, busbw, pauses):
        synthetic.write_point(
            self.folder / f"{scheme}-{seed}",
            scheme,
            seed,
            cct_s=cct_s,
            lower_bound_s=bound_s,
            busbw_Bps=busbw,
            pfc_pauses=pauses,
        )

    def test_numbers_equal_those_computed_by_hand(self):
        self.add("ecmp", 1, 4.0e-3, 1.0e-3, 10e9, 7)
        self.add("ecmp", 2, 6.0e-3, 2.0e-3, 20e9, 10)
        self.add("rails", 1, 1.0e-3, 1.0e-3, 40e9, 0)
        self.add("rails", 2, 3.0e-3, 2.0e-3, 41e9, 1)
        _, ecmp, rails = comparison(load(self.folder))
        # mean 5, half range 1; ratios 4 and 3; (7 + 10) / 2 rounds to even
        self.assertEqual(ecmp, ("ecmp", "5.000 +- 1.000", "3.500", "15.00", "1.00", "8", ""))
        # mean 2, half range 1; ratios 1 and 1.5; speed-ups 4 and 2 of the same seeds
        self.assertEqual(rails, ("rails", "2.000 +- 1.000", "1.250", "40.50", "3.00", "0", ""))

    def test_speed_up_pairs_equal_seeds_only(self):
        self.add("ecmp", 2, 6.0e-3, 1e-3, 1e9, 0)
        self.add("rails", 1, 1.0e-3, 1e-3, 1e9, 0)
        self.add("rails", 2, 2.0e-3, 1e-3, 1e9, 0)
        rows = comparison(load(self.folder))
        self.assertEqual(rows[2][4], "3.00")
        self.assertEqual(rows[1][-1], "1 of 2 left out")

    def test_without_ecmp_there_is_no_speed_up(self):
        self.add("rails", 1, 1.0e-3, 1e-3, 1e9, 0)
        self.assertEqual(comparison(load(self.folder))[1][4], "-")

    def test_a_scheme_that_always_fails_has_its_row(self):
        self.add("rails", 1, 1.0e-3, 1e-3, 1e9, 0)
        synthetic.write_point(self.folder / "stuck", "ecmp", 1, status=3)
        last = comparison(load(self.folder))[-1]
        self.assertEqual(last, ("ecmp", "-", "-", "-", "-", "-", "did not finish"))

    def test_columns_are_aligned(self):
        lines = aligned([("a", "b", ""), ("long", "1.0", "note")]).splitlines()
        self.assertEqual(lines, ["a       b", "long  1.0  note"])


if __name__ == "__main__":
    unittest.main()
