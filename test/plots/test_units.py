# SPDX-License-Identifier: GPL-2.0-only
import unittest

import paths  # noqa: F401
from railsplots.units import best_unit, parse_number, readable


class Units(unittest.TestCase):
    def test_decimal_and_binary_prefixes_differ(self):
        self.assertEqual(parse_number("4MB"), 4_000_000)
        self.assertEqual(parse_number("4MiB"), 4_194_304)
        self.assertEqual(parse_number("400Gbps"), 400e9)

    def test_words_and_unknown_units_are_not_numbers(self):
        for text in ("whole", "nic-pair", "5 parsecs", "400GBps", True, None):
            self.assertIsNone(parse_number(text), text)

    def test_numbers_without_unit_stay_numbers(self):
        self.assertEqual(parse_number(0.125), 0.125)
        self.assertEqual(parse_number("1e-3"), 0.001)

    def test_a_space_stands_before_the_unit(self):
        self.assertEqual(readable("64MiB"), "64 MiB")
        self.assertEqual((readable(0.05), readable(1.0)), ("0.05", "1"))
        self.assertEqual(readable("whole"), "whole")

    def test_the_unit_follows_the_largest_value(self):
        self.assertEqual(best_unit([2e-6, 3e-3], "s"), ("ms", 1e-3))
        self.assertEqual(best_unit([5e-7], "s"), ("ns", 1e-9))
        self.assertEqual(best_unit([63e6, 1], "B"), ("MB", 1e6))
        self.assertEqual(best_unit([0], "s")[1], 1)


if __name__ == "__main__":
    unittest.main()
