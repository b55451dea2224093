# SPDX-License-Identifier: GPL-2.0-only
"""Terms of iterations over the rate, and TopoOpt's rings."""

import unittest

from papers import mixnet, mixnet_fits
from test_mixnet_grids import PAIR, Temporary

RATES = mixnet.RATES[0]


class Fits(unittest.TestCase):
    def test_terms_that_are_there_are_found(self):
        a, b, error = mixnet_fits.fit({rate: 3 + 2 * 100 / rate for rate in RATES})
        self.assertAlmostEqual(a, 3)
        self.assertAlmostEqual(b, 2)
        self.assertAlmostEqual(error, 0)

    def test_ratios_are_over_the_fat_tree(self):
        terms = {"FT": (4, 2), "MN": (5, 1), "RO": (4, 1)}
        paper = {(rate, name): a + b * 100 / rate for rate in RATES for name, (a, b) in terms.items()}
        cells = {mixnet.Cell("100 ms", rate, name): 10 * value for (rate, name), value in paper.items()}
        _, told, own = mixnet_fits.table_fits({"M": cells}, {"M": paper})
        self.assertEqual(told[4:], ["1.25", "0.50", "1.00", "0.50", "0.0 %"])
        self.assertEqual(own[4:], told[4:])


class Rings(Temporary):
    def test_both_fabrics_stand_beside_the_tree_with_hashes(self):
        model = "Mixtral 8x22B"
        for rate in RATES:
            self.write("rings", 2 + 8 * 100 / rate, "patch-panel", {PAIR: "12207ns"}, f"{rate}Gbps")
            self.write("rings", 2 + 2 * 100 / rate, "fat-tree", {PAIR: "12207ns"}, f"{rate}Gbps")
        found = mixnet_fits.rings(self.read("rings"))
        trees = {model: {mixnet.Cell("100 ms", rate, "FT"): 2 + 3 * 100 / rate for rate in RATES}}
        paper = {(rate, name): 1 + k * 100 / rate for rate in RATES for name, k in (("TO", 5), ("FT", 1))}
        _, told, own = mixnet_fits.table_rings(found, trees, {model: paper})
        self.assertEqual(told[6], "3.00")
        self.assertEqual(told[-1], "5.0")
        self.assertEqual(own[2::4], ["0.80", "2.00", "2.50", "4.0"])


if __name__ == "__main__":
    unittest.main()
