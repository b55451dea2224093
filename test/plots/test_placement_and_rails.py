# SPDX-License-Identifier: GPL-2.0-only
import unittest

from papers.placement_and_rails import BALANCES, Case, balance_of, exposed, interaction, load_of, losses


def make_case(seconds):
    """Of seconds by policy, for the balances in their order."""
    case = Case("rail", "w1")
    for policy, row in seconds.items():
        for balance, value in zip(BALANCES, row):
            case.results[policy, balance] = {"iteration_s": value}
    return case


class PlacementAndRails(unittest.TestCase):
    def test_gains_that_multiply_have_a_product_as_large_as_both(self):
        case = make_case({"plain-ep": [10, 10, 8, 8], "eplb": [5, 5, 4, 4], "llep": [6, 6, 6, 6]})
        self.assertEqual(interaction(case), ("eplb", 0.5, 0.8, 0.4, 0.4))

    def test_the_best_policy_is_that_under_the_balance(self):
        case = make_case({"plain-ep": [10, 10, 8, 8], "eplb": [5, 5, 5, 5], "llep": [20, 9, 2, 2]})
        self.assertEqual(interaction(case)[0], "llep")
        self.assertAlmostEqual(interaction(case)[4] / interaction(case)[3], 0.2 / 1.6)

    def test_a_policy_loses_against_none_under_the_same_balance(self):
        case = make_case({"plain-ep": [10, 10, 8, 8], "eplb": [9, 11, 8, 8]})
        self.assertEqual(losses(case), [("eplb", "rail-source", 1.1)])

    def test_exposed_time_of_copies_leaves_out_tokens_and_computing(self):
        kinds = [
            {"name": "experts", "exposed_s": None},
            {"name": "dispatch", "exposed_s": 5},
            {"name": "expert-weights", "exposed_s": 1},
            {"name": "expert-gradients", "exposed_s": 0.5},
        ]
        self.assertEqual(exposed({"graph": {"kinds": kinds}}), 1.5)

    def test_points_are_named_by_what_varies(self):
        config = {
            "balance.type": "rails",
            "workload.exchange.type": "deduplicated",
            "workload.load.type": "imbalance",
            "workload.load.workload": "w5",
        }
        self.assertEqual(balance_of(config), "rails, deduplicated")
        self.assertEqual(load_of(config), "w5")
        self.assertEqual(load_of({"workload.load.type": "trace"}), "trace")


if __name__ == "__main__":
    unittest.main()
