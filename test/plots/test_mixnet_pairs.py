# SPDX-License-Identifier: GPL-2.0-only
"""Pair skew, causes and packets of MixNet: which results stand where."""

import unittest

import paths  # noqa: F401
from papers import mixnet, mixnet_pairs

RATES = mixnet.RATES[0]
STAY = mixnet_pairs.STATIC


class Pairs(unittest.TestCase):
    def setUp(self):
        # By spread: its pair skew, and iterations on circuits that move in 1 us and 25 ms, and that stay.
        self.values = {0.065: (0.026, 11, 15, 10), 0.5: (0.15, 9, 11, 10), 10: (0.5, 7, 9, 10)}
        self.found = {}
        for rate in (100, 200):
            for spread, (skew, fast, slow, stay) in self.values.items():
                own = {1e-6: fast, 25e-3: slow, STAY: stay, "FT": 9.5, "RO": 5}
                self.found.update({(8, rate, spread, way): (value, skew) for way, value in own.items()})

    def test_circuits_win_from_a_skew_on(self):
        case = (8, 100)
        self.assertEqual(mixnet_pairs.find_win(self.found, case, 1e-6, STAY), 0.15)
        self.assertEqual(mixnet_pairs.find_win(self.found, case, 25e-3, STAY), 0.5)
        self.assertIsNone(mixnet_pairs.find_win(self.found, case, 1e-6, "RO"))
        # What is lost again with more does not count.
        self.found[(8, 100, 10, 1e-6)] = (12, 0.5)
        self.assertIsNone(mixnet_pairs.find_win(self.found, case, 1e-6, STAY))

    def test_tables_have_what_is_shown(self):
        rows = mixnet_pairs.table_pairs(self.found)
        self.assertEqual(rows[0], ["Servers", "Rate", "Pair skew", "1 us", "25 ms", "FT", "RO"])
        self.assertEqual(rows[1], ["8", "100G", "2.6 %", "1.10", "1.50", "0.95", "0.50"])
        self.assertEqual(len(rows), 4, "200G is in outcome.txt alone")
        wins = mixnet_pairs.table_wins(self.found)
        self.assertEqual(wins[1], ["8", "100G", "circuits that stay", "15.0 %", "50.0 %"])
        self.assertEqual(wins[2], ["8", "100G", "fat-tree", "15.0 %", "50.0 %"])
        self.assertEqual(wins[3][:3], ["8", "200G", "circuits that stay"], "rails are never passed")
        self.assertEqual(len(list(mixnet_pairs.describe_pairs(self.found))), 6)


class Causes(unittest.TestCase):
    def test_ratios_stand_beside_the_papers(self):
        found = {}
        for rate in RATES:
            for load, tree in (("no-aux", 2), ("model", 1)):
                own = {"MN": 1.5, mixnet_pairs.NEEDED: 1.4, "FT": tree, mixnet_pairs.SPRAYED: 1, "RO": 1}
                found.update({("Qwen-MoE", load, rate, way): value for way, value in own.items()})
        paper = {(rate, name): value for rate in RATES for name, value in (("MN", 1.2), ("FT", 1))}
        rows = mixnet_pairs.table_causes(found, {"Qwen-MoE": paper})
        self.assertEqual(rows[1], ["Qwen-MoE", "paper", "MixNet / fat-tree", *["1.20"] * 4])
        self.assertEqual(rows[2][3:], ["0.75"] * 4)
        self.assertEqual(rows[-1][1:], ["of the model", "no stall / sprayed fat-tree", *["1.40"] * 4])
        self.assertEqual(len(list(mixnet_pairs.describe_causes(found))), 12)


class Packets(unittest.TestCase):
    def test_each_engine_is_over_its_own_fat_tree(self):
        found = {}
        for engine, slower in (("flow", 1), ("none", 2), ("dcqcn", 3), ("swift", 4)):
            found[100, "FT", engine] = 10 * slower
            found[100, 1e-6, engine] = 12 * slower
        rows = mixnet_pairs.table_packets(found)
        self.assertEqual(rows[1], ["100G", "circuits that move, 1 us", *["1.20"] * 4, "3.00", "4.00"])
        self.assertEqual(rows[2], ["100G", "fat-tree", *["1.00"] * 4, "3.00", "4.00"])
        found[100, 1e-6, "swift"] = 39
        rows = mixnet_pairs.table_packet_orders(found)
        self.assertEqual(rows[2], ["100G", "DCQCN", "0 of 1"])
        self.assertEqual(rows[3], ["100G", "Swift", "1 of 1: circuits that move, 1 us before fat-tree"])


if __name__ == "__main__":
    unittest.main()
