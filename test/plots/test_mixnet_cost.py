# SPDX-License-Identifier: GPL-2.0-only
"""What fabrics cost, and performance per dollar beside its two factors."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from programs import call
from papers import mixnet, mixnet_cost
from rails.plots import style
from rails.errors import ResultError

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments" / "mixnet"
# Of what ./rails cost said on 23 November 2026, some fabrics: USD in all and for a GPU, by name and Gbit/s.
SAID = {
    ("fat-tree", 100): (3070976, 2999.0),
    ("rail-optimized", 100): (3070976, 2999.0),
    ("mixnet", 100): (1978368, 1932.0),
    ("fat-tree", 200): (5653504, 5521.0),
    ("rail-optimized", 200): (5653504, 5521.0),
    ("mixnet", 200): (3054080, 2982.5),
    ("fat-tree", 400): (13493248, 13177.0),
    ("rail-optimized", 400): (13493248, 13177.0),
    ("mixnet", 400): (5659136, 5526.5),
    ("fat-tree", 800): (21469184, 20966.0),
    ("rail-optimized", 800): (21469184, 20966.0),
    ("mixnet", 800): (8796672, 8590.5),
    ("mixnet-used-ports", 400): (5526016, 5396.5),
}


def write_said(fabrics):
    """The same as `./rails cost --json` writes it."""
    rows = [
        {"fabric": name, "rate": f"{rate}Gbps", "gpus": 1024, "cost_usd": total, "cost_per_gpu_usd": gpu}
        for (name, rate), (total, gpu) in fabrics.items()
    ]
    return json.dumps({"rule": "mixnet", "prices": "built-in", "fabrics": rows, "notes": []})


PRINTED = write_said(SAID)


class Costs(unittest.TestCase):
    def test_are_read_for_a_gpu_by_fabric_and_rate(self):
        costs = mixnet_cost.read_costs(PRINTED, "costs")
        self.assertEqual(costs["mixnet", 400], 5526.5)
        self.assertEqual(len(costs), 13)

    def test_what_is_no_table_is_named(self):
        with self.assertRaisesRegex(ResultError, "costs.*expected what `./rails cost --json` writes"):
            mixnet_cost.read_costs("nothing\n", "costs")

    def test_a_fabric_without_a_rate_is_named(self):
        with self.assertRaisesRegex(ResultError, "flat has no price by rate"):
            mixnet_cost.read_costs(PRINTED.replace('"fabric": "fat-tree", "rate": "100Gbps"', '"fabric": "flat", "rate": null'), "x")

    def test_are_told_for_128_servers(self):
        lines = list(mixnet_cost.describe_costs(mixnet_cost.read_costs(PRINTED, "costs")))
        self.assertIn("400G, million USD for 128 servers: fat-tree and rail-optimized 13.49 (2.38", lines[2])


class Gains(unittest.TestCase):
    def setUp(self):
        self.costs = mixnet_cost.read_costs(PRINTED, "costs")

    def test_are_the_product_of_both_factors(self):
        own = mixnet_cost.gains({(400, "FT"): 9.0, (400, "MN"): 10.0, (400, "RO"): 8.0}, self.costs, "costs")
        self.assertAlmostEqual(own[400, "FT"].iteration, 0.9)
        self.assertAlmostEqual(own[400, "FT"].cost, 13177 / 5526.5)
        self.assertAlmostEqual(own[400, "RO"].per_dollar, 0.8 * 13177 / 5526.5)

    def test_of_the_papers_iterations_are_those_recomputed_from_it(self):
        wanted = {"Mixtral 8x22B": (1.47, 2.32), "Mixtral 8x7B": (1.50, 2.38), "Qwen-MoE": (1.28, 2.11)}
        for model, values in wanted.items():
            paper = mixnet.read_paper(EXPERIMENTS / "paper.csv", model)
            own = mixnet_cost.gains(paper, self.costs, "costs")
            for rate, value in zip((100, 400), values):
                self.assertAlmostEqual(own[rate, "FT"].per_dollar, value, delta=0.006, msg=model)

    def test_costs_that_are_equal_are_drawn_once(self):
        times = {"FT": 9.0, "MN": 10.0, "RO": 8.0}
        found = {mixnet.Cell("61 ms", rate, name): t for name, t in times.items() for rate in (100, 400)}
        papers = {"Mixtral 8x22B": {(rate, name): t for name, t in times.items() for rate in (100, 400)}}
        for costs, seen in ((self.costs, 5), ({**self.costs, ("rail-optimized", 400): 9e3}, 6)):
            with style.house_style():
                figure = mixnet_cost.draw_gains({"Mixtral 8x22B": found}, papers, {}, costs, "costs")
            self.assertEqual(sum(axes.get_visible() for axes in figure.axes), seen)

    def test_a_rate_without_a_price_is_named(self):
        with self.assertRaisesRegex(ResultError, "no cost of fat-tree at 50G"):
            mixnet_cost.gains({(50, "FT"): 1, (50, "MN"): 1, (50, "RO"): 1}, self.costs, "costs")

    def test_are_told_beside_their_factors_and_the_papers_text(self):
        found = {mixnet.Cell("100 ms", 400, name): value for name, value in zip(("FT", "MN", "RO"), (9, 10, 8))}
        paper = {(400, "FT"): 1.0, (400, "MN"): 1.0, (400, "RO"): 1.0}
        ranges = mixnet_cost.read_ranges(EXPERIMENTS / "paper-per-dollar.csv")
        model = "Mixtral 8x22B"
        lines = list(mixnet_cost.describe({model: found}, {model: paper}, ranges, self.costs, "costs"))
        self.assertIn("400G 2.15 = iteration 0.900 x cost 2.38 (paper's text 2.2, its iterations", lines[0])
        self.assertIn("1.91 = iteration 0.800 x cost 2.38 (paper's text 2.3 to 2.4", lines[1])
        self.assertIn("optical ports in use are counted: 400G x 1.024", lines[2])

    def test_of_the_paper_have_a_text_for_each_rate_and_fabric(self):
        ranges = mixnet_cost.read_ranges(EXPERIMENTS / "paper-per-dollar.csv")
        for rate in mixnet.RATES[0]:
            for fabric in mixnet_cost.AGAINST:
                told = mixnet_cost.text_of(ranges, rate, fabric, "Mixtral 8x7B")
                self.assertNotEqual(told, mixnet_cost.NOTHING, (rate, fabric))


class Program(unittest.TestCase):
    def test_a_file_of_costs_that_is_not_there_is_named(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        told = call("mixnet", "--results", folder, "--cost", folder / "none.txt")
        self.assertEqual(told.returncode, 2)
        self.assertIn("none.txt: error:", told.stderr)


if __name__ == "__main__":
    unittest.main()
