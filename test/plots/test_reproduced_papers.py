# SPDX-License-Identifier: GPL-2.0-only
"""Samples of figures that are not drawn point by point: means over models, normalised cells, shares of a grid."""

import csv
import importlib.util
import math
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import test_rails
from paths import PLOTS
from test_micro_moe_iteration import EVEN, write as write_moe
from test_mixnet import Temporary as MixnetFolder
from test_pro_prophet_simulated import write_result, write_tables
from papers import micro_moe_reproduced, mixnet_reproduced, pro_prophet_reproduced, rails_reproduced
from papers.figure import load_figure
from papers.published import Published

EXPERIMENTS = PLOTS.parent / "experiments"


def load(module, name, folder, paper):
    (figure,) = [figure for figure in module.FIGURES if figure.name == name]
    return load_figure(figure, folder, EXPERIMENTS / paper)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)


class Nothing(Folder):
    def test_without_results_every_figure_has_what_is_published_and_nothing_else(self):
        costs = {(fabric, 400): 1.0 for fabric in ("fat-tree", "mixnet", "rail-optimized")}
        with mock.patch("papers.mixnet_cost.ask_costs", return_value=costs):
            for paper, module in (
                ("micro-moe", micro_moe_reproduced),
                ("pro-prophet", pro_prophet_reproduced),
                ("mixnet", mixnet_reproduced),
                ("rails", rails_reproduced),
            ):
                for figure in module.FIGURES:
                    rows = load_figure(figure, self.folder, EXPERIMENTS / paper).rows
                    if figure.sources:
                        self.assertEqual([row for row in rows if row.count], [], figure.name)


class MicroMoe(Folder):
    def test_speed_ups_are_means_bests_and_leasts_over_models(self):
        own = self.folder / "micro-moe-iteration"
        for model, largest in (("gpt-8x6.7b", 2), ("gpt-32x1.3b", 3)):
            write_moe(own / f"plain {model}", "plain-ep", largest * EVEN, 0.1, largest, model=model)
            write_moe(own / f"full {model}", "micro-moe", EVEN, 0.1, 1, True, model=model)
            write_moe(own / f"smart {model}", "smart-moe", largest * EVEN + 0.05, 0.1, largest, model=model)
            write_moe(own / f"deep {model}", "deepspeed-moe", 4 * EVEN, 0.1, largest, model=model)
        found = load(micro_moe_reproduced, "figure-07", self.folder, "micro-moe")
        few, many = ((largest * EVEN + 0.1) / (EVEN + 0.1) for largest in (2, 3))
        expected = {"mean": (few + many) / 2, "best": many}
        for x, value in expected.items():
            self.assertAlmostEqual(found.row("balancing loss", "MicroMoE", x).mean, value)
        self.assertAlmostEqual(found.row("balancing loss", "SmartMoE", "least").mean, 0.35 / 0.40)
        self.assertAlmostEqual(found.row("balancing loss", "DeepSpeed", "8 experts").mean, 0.35 / 0.60)
        self.assertEqual(found.row("balancing loss", "MicroMoE", "mean").paper, Published(1.369, "exact"))
        self.assertIsNone(found.row("balancing loss", "MicroMoE", "over FlexMoE"))

    def test_layers_of_loads_are_draws_of_exponents(self):
        place = self.folder / "micro-moe-balance" / "full"
        config = {"experts.policy.type": "micro-moe", "experts.policy.adaptive": True, "experts.policy.placement": "symmetric"}
        write_result(place, config)
        rows = [(layer, 1 + layer / 64) for layer in range(60)]
        with open(place / "plans.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["layer", "max_over_mean"], *rows])
        found = load(micro_moe_reproduced, "figure-08", self.folder, "micro-moe")
        row = found.row("Zipf loads", "MicroMoE", 2.0)
        self.assertEqual((row.count, row.low, row.high), (10, 1 + 50 / 64, 1 + 59 / 64))
        self.assertEqual(row.paper, Published(1, "read-off"))

    def test_the_loads_are_those_that_their_script_writes(self):
        path = EXPERIMENTS / "micro-moe" / "zipf_loads.py"
        spec = importlib.util.spec_from_file_location("zipf_loads", path)
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        self.assertEqual(script.EXPONENTS, micro_moe_reproduced.EXPONENTS)
        self.assertEqual(script.DRAWS, micro_moe_reproduced.DRAWS)
        with open(path.with_name("zipf-loads.csv"), newline="", encoding="utf-8") as file:
            _, *rows = csv.reader(file)
        self.assertEqual(rows, [[str(cell) for cell in row] for row in script.rows()])


class ProProphet(Folder):
    def test_tables_are_over_deepspeed_without_padding_and_stages_multiply(self):
        write_tables(self.folder / "pro-prophet-tables")
        found = load(pro_prophet_reproduced, "table-v", self.folder, "pro-prophet")
        self.assertEqual({row.case for row in found.rows}, {"LPWNV k=1", "LPWNV k=2"})
        row = found.row("LPWNV k=1", "Pro-Prophet", "DM")
        self.assertEqual(row.paper, Published(1.26, "exact"))
        plain = row.mean * 3  # Pro-Prophet takes 3
        stages = load(pro_prophet_reproduced, "figure-14", self.folder, "pro-prophet").of("ablation k=1")
        self.assertAlmostEqual(math.prod(row.mean for row in stages), plain / 3)
        ratio = load(pro_prophet_reproduced, "figure-12", self.folder, "pro-prophet").rows[0]
        self.assertEqual((ratio.paper.value, ratio.count), (1.34, 1))


class Mixnet(MixnetFolder):
    def test_cells_are_over_the_best_of_the_setting_of_the_text(self):
        self.write_fabrics()
        found = load(mixnet_reproduced, "figure-12a", self.folder, "mixnet")
        self.assertAlmostEqual(found.row("Mixtral 8x22B", "rail-optimized", 400.0).mean, 1)
        self.assertAlmostEqual(found.row("Mixtral 8x22B", "MixNet", 100.0).mean, 11 * 1.2 / 9.5)
        self.assertEqual(found.row("Mixtral 8x22B", "MixNet", 100.0).paper, Published(1.454, "exact"))
        self.assertIsNone(found.row("Mixtral 8x22B", "TopoOpt", 100.0))

    def test_settings_that_are_not_compared_need_not_be_whole(self):
        self.write_fabrics(without=[("half", 400, "rail"), ("flops", 100, "rail")])
        self.assertEqual(sum(row.count for row in load(mixnet_reproduced, "figure-12a", self.folder, "mixnet").rows), 6)

    def test_claims_in_words_have_ours_alone(self):
        self.write_delays()
        rows = load(mixnet_reproduced, "figure-28", self.folder, "mixnet").rows
        self.assertEqual([(row.x, row.mean, row.paper) for row in rows], [(0.001, 1, None), (25, 1.25, None), (1000, 4, None)])

    def test_performance_per_dollar_is_the_product_beside_the_range_of_the_text(self):
        self.write_fabrics()
        costs = {(fabric, rate): 2.0 for fabric in ("fat-tree", "rail-optimized") for rate in (100, 400)}
        costs.update({("mixnet", rate): 1.0 for rate in (100, 400)})
        with mock.patch("papers.mixnet_cost.ask_costs", return_value=costs):
            found = load(mixnet_reproduced, "figure-13", self.folder, "mixnet")
            cost = load(mixnet_reproduced, "figure-11", self.folder, "mixnet")
        row = found.row("over fat-tree", "Mixtral 8x22B", 100.0)
        self.assertAlmostEqual(row.mean, 2 * 10 / 11)
        self.assertEqual(row.paper, Published(1.2, "range", 1.5))
        self.assertEqual(found.row("over fat-tree", "Mixtral 8x22B", 400.0).paper, Published(2.2, "exact"))
        self.assertEqual(cost.row("cost", "fat-tree over MixNet", "mean").mean, 2)


class Rails(test_rails.Temporary):
    def test_shares_of_cells_are_by_control_and_pieces(self):
        self.write_small("collectives-8x8-automatic")
        rows = load(rails_reproduced, "abstract-time", self.folder, "rails").rows
        self.assertTrue(rows)
        self.assertEqual({row.paper for row in rows}, {None})
        for scheme in {row.scheme for row in rows}:
            self.assertAlmostEqual(sum(row.mean for row in rows if row.scheme == scheme), 100)


if __name__ == "__main__":
    unittest.main()
