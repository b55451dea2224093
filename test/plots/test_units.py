# SPDX-License-Identifier: GPL-2.0-only
import unittest

import paths  # noqa: F401
from rails.reader.units import best_unit, parse_number, readable, significant


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

    def test_lists_are_words(self):
        cable = '{"at": "30us", "link": ["leaf0", "spine1"], "state": "down"}'
        nic = '{"at": "0s", "nic": "server3-nic2", "state": "down"}'
        for value, text in (
            ("[]", "none"),
            (f"[{cable}]", "leaf0 to spine1 down at 30 us"),
            (f"[{nic}, {cable}]", "server3-nic2 down, leaf0 to spine1 down at 30 us"),
            (f"[{nic}, {nic}, {nic}]", "server3-nic2 down, server3-nic2 down and 1 more"),
            ('[{"link": ["leaf0", "spine1"], "rate": "200Gbps"}]', "leaf0 to spine1 at 200 Gbps"),
            ('[{"type": "ring", "bytes": "4MB"}]', "type ring bytes 4 MB"),
            ('["a", 1.0, "4MB"]', "a, 1 and 1 more"),
            ("[odd", "[odd"),
        ):
            self.assertEqual(readable(value), text)

    def test_the_unit_follows_the_largest_value(self):
        self.assertEqual(best_unit([2e-6, 3e-3], "s"), ("ms", 1e-3))
        self.assertEqual(best_unit([5e-7], "s"), ("ns", 1e-9))
        self.assertEqual(best_unit([63e6, 1], "B"), ("MB", 1e6))
        self.assertEqual(best_unit([0], "s")[1], 1)
        self.assertEqual(best_unit([9e-4], "us, ms"), ("us", 1e-6))
        self.assertEqual(best_unit([2e-9, 3], "us, ms"), ("ms", 1e-3))
        self.assertEqual(best_unit([9e-4], "ms"), ("ms", 1e-3))

    def test_significant_digits_come_without_an_exponent(self):
        for number, text in ((0.0142051, "0.0142"), (9.996, "10.0"), (811.4, "811"),
                             (12345.6, "12346"), (0, "0"), (-0.25, "-0.250")):
            self.assertEqual(significant(number), text)


if __name__ == "__main__":
    unittest.main()
