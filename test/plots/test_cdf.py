# SPDX-License-Identifier: GPL-2.0-only
import unittest

import numpy as np
import paths  # noqa: F401
from rails.plots.cdf import empirical_cdf, histogram_ccdf, thin


class Cdf(unittest.TestCase):
    def test_each_value_gets_the_fraction_not_above_it(self):
        x, y = empirical_cdf([3, 1, 2, 2])
        self.assertEqual(list(x), [1, 2, 2, 3])
        self.assertEqual(list(y), [0.25, 0.5, 0.75, 1.0])

    def test_histogram_is_weighted_by_time_and_not_by_rows(self):
        # 6 s up to 0 bytes, 3 s up to 1000, 1 s up to 4000: above them 0.4, 0.1, 0.
        x, y = histogram_ccdf([0, 1000, 4000], [6, 3, 1])
        self.assertEqual(list(x), [0, 1000, 4000])
        np.testing.assert_allclose(y, [0.4, 0.1, 0])

    def test_the_smallest_shares_are_exact(self):
        x, y = histogram_ccdf([1, 2, 3], [1.0, 3e-17, 1e-17])
        np.testing.assert_allclose(y, [4e-17, 1e-17, 0], rtol=1e-12)

    def test_bins_of_several_runs_add_up_in_any_order(self):
        # 1000: 1 + 2 = 3 s of 8; 500: 4 s; 4000: 1 s.
        x, y = histogram_ccdf([1000, 4000, 500, 1000], [1, 1, 4, 2])
        self.assertEqual(list(x), [500, 1000, 4000])
        np.testing.assert_allclose(y, [4 / 8, 1 / 8, 0])

    def test_a_class_without_time_is_always_empty(self):
        self.assertEqual(list(histogram_ccdf([10, 20], [0, 0])[1]), [0, 0])

    def test_thinning_keeps_both_ends_and_the_limit(self):
        x, y = thin(np.arange(10_001.0), np.arange(10_001.0) / 10_000, limit=101)
        self.assertEqual(len(x), 101)
        self.assertEqual((x[0], x[-1], y[-1]), (0, 10_000, 1))
        np.testing.assert_allclose(x, np.arange(0, 10_001, 100))

    def test_short_curves_stay_as_they_are(self):
        x = np.array([1.0, 5.0])
        self.assertIs(thin(x, x)[0], x)


if __name__ == "__main__":
    unittest.main()
