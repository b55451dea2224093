# SPDX-License-Identifier: GPL-2.0-only
"""Samples of figures that are not drawn point by point: means over models, normalised cells, shares of a grid."""

import csv
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

    def test_layers_are_draws_of_an_exponent(self):
        place = self.folder / "micro-moe-zipf" / "full"
        config = {"experts.policy.type": "micro-moe", "experts.policy.adaptive": True, "experts.policy.placement": "symmetric"}
        write_result(place, {**config, "experts.load.exponent": 2.0})
        with open(place / "plans.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["layer", "max_over_mean"], (0, 1.25), (1, 1.5)])
        found = load(micro_moe_reproduced, "figure-08", self.folder, "micro-moe")
        row = found.row("Zipf loads", "MicroMoE", 2.0)
        self.assertEqual((row.count, row.low, row.high), (2, 1.25, 1.5))
        self.assertEqual(row.paper, Published(1, "read-off"))

    def write_layer(self, name, kinds, config, **changes):
        graph = {"kinds": [{"name": kind, "type": "x", "critical_s": time} for kind, time in kinds.items()]}
        write_result(self.folder / name, config, graph=graph, **changes)

    def test_moves_of_experts_are_over_fifty_iterations_without(self):
        for name, warm_up, period, moves in (("first", 1, 50, 0.2), ("again", 12, 11, 0.05), ("none", 12, 50, 0)):
            config = {
                "workload.experts.type": "micro-moe",
                "workload.experts.period": period,
                "workload.warm_up": warm_up,
                "workload.load.preset": "no-aux",
                "workload.load.first_iteration": 5000,
                "workload.model.type": "gpt-8x6.7b",
            }
            self.write_layer(f"micro-moe-replacement/{name}", {"expert-moves": moves}, config, iteration_s=2)
        found = load(micro_moe_reproduced, "figure-12", self.folder, "micro-moe")
        load_, case = "no balancing loss", "moves of an iteration [ms]"
        self.assertAlmostEqual(found.row(case, "MicroMoE, again", load_).mean, 50)
        row = found.row(case, "MicroMoE, first", load_)
        self.assertEqual((row.mean, row.paper), (200, Published(100, "above")))
        row = found.row("moves over 50 iterations [%]", "MicroMoE, first", load_)
        self.assertEqual((row.mean, row.paper), (0.2, Published(1, "below")))

    def test_exchanges_over_servers_are_over_plain_and_over_the_level_before(self):
        times = {"plain": 8, "none": 6, "gpu": 3, "server": 2}
        for exchange, factor in (("pairs", 1), ("deduplicated", 2)):
            for system, time in times.items():
                config = {
                    "topology.domains": 2,
                    "topology.gpus_per_domain": 8,
                    "workload.exchange.type": exchange,
                    "workload.experts.type": "plain-ep" if system == "plain" else "micro-moe",
                    "workload.experts.locality": system,
                }
                kinds = {"dispatch": factor * time, "combine": 0 if factor == 1 else time, "experts": 9}
                self.write_layer(f"micro-moe-nodes/{exchange} {system}", kinds, config)
        ratio = load(micro_moe_reproduced, "figure-10", self.folder, "micro-moe").row("16 GPUs", "MicroMoE over plain EP", "")
        self.assertEqual((ratio.mean, ratio.paper), (0.25, Published(1, "below")))
        levels = load(micro_moe_reproduced, "figure-c3", self.folder, "micro-moe")
        found = [levels.row("16 GPUs, DeepEP", name, "").mean for name in ("own GPU first", "own server next")]
        self.assertEqual([round(value, 9) for value in found], [0.5, 0.666666667])


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

    def test_what_is_published_of_faster_moe_holds_however_it_is_run(self):
        write_tables(self.folder / "pro-prophet-tables")
        found = load(pro_prophet_reproduced, "table-v", self.folder, "pro-prophet")
        for scheme, seconds in (("FasterMoE", 5), ("FasterMoE, as launched", 4.5)):
            row = found.row("LPWNV k=1", scheme, "DM")
            self.assertEqual((row.mean, row.paper), (6 / seconds, Published(0.96, "exact")))

    SYSTEMS = (
        ("plain-ep", {"type": "plain-ep"}, "published", 6),
        ("smart", {"type": "faster-moe", "variant": "artifact"}, "published", 2),
        ("launched", {"type": "faster-moe", "variant": "artifact"}, "blocking", 4),
        ("full", {"type": "pro-prophet", "variant": "algorithm-1", "scheduled": True}, "published", 3),
    )

    def write_systems(self, folder, name, seconds, **config):
        """Iterations of all systems, in which each has so many seconds a layer."""
        for system, experts, timing, share in self.SYSTEMS:
            own = {f"workload.experts.{key}": value for key, value in experts.items()}
            own.update({"workload.expert_transfers": timing, "workload.model.top_k": 1, **config})
            kinds = [("expert-weights", 0.25), ("expert-gradients", 0.5), ("expert-counts", 0.01)]
            graph = {"kinds": [{"name": kind, "type": "x", "critical_s": time} for kind, time in kinds]}
            write_result(self.folder / folder / f"{system} {name}", own, iteration_s=seconds(share), graph=graph)

    def test_a_layer_is_what_an_iteration_takes_longer_with_it(self):
        for layers in (1, 2, 3):
            self.write_systems(
                "pro-prophet-layers", layers, lambda share: 100 + share * layers**2, **{"workload.layers": layers}
            )
        found = load(pro_prophet_reproduced, "figure-11", self.folder, "pro-prophet")
        row = found.row("layers of M", "over DeepSpeed-MoE", "most")
        self.assertEqual((row.mean, row.paper), (2, Published(2.25, "exact")))
        self.assertAlmostEqual(found.row("layers of M", "over FasterMoE", "least").mean, 2 / 3)
        self.assertAlmostEqual(found.row("layers of M", "over FasterMoE, as launched", "mean").mean, 4 / 3)

    def test_iterations_are_beside_those_of_the_same_number(self):
        for first in (0, 10):
            self.write_systems(
                "pro-prophet-iterations", first, lambda share: share + first, **{"workload.load.first_iteration": first}
            )
        row = load(pro_prophet_reproduced, "figure-12", self.folder, "pro-prophet").row("iterations k=1", "over FasterMoE", "M")
        self.assertEqual((row.count, row.low, row.high), (2, 2 / 3, 12 / 13))
        self.assertEqual(row.paper, Published(1.34, "exact"))

    def test_costs_of_balancing_are_shares_of_an_iteration_that_hides_nothing(self):
        places = {"topology.server": "pro-prophet-hpwnv", "workload.model.type": "pro-prophet-dm"}
        for gpus in (16, 32):
            self.write_systems("pro-prophet-hpwnv", gpus, lambda share: share, **places, **{"workload.parallel.ep": gpus})
        rows = load(pro_prophet_reproduced, "table-i", self.folder, "pro-prophet")
        found = {part: rows.row("costs of FasterMoE", part, "DM") for part in ("search", "place", "reduce")}
        self.assertEqual([round(row.mean, 9) for row in found.values()], [0.25, 6.25, 12.5])
        self.assertEqual((found["place"].count, found["place"].paper), (1, Published(16.1, "exact")))

    def test_rules_are_over_the_planner_with_transfers_timed_alike(self):
        for heaviest, scheduled, seconds in ((None, True, 2), (2, True, 3), (3, True, 4), (None, False, 4), (2, False, 4), (3, False, 4)):
            config = {
                "workload.experts.type": "pro-prophet",
                "workload.experts.scheduled": scheduled,
                "workload.model.top_k": 1,
                "workload.model.vocabulary": 1,
                "workload.load.first_iteration": 0,
                "workload.compute.efficiency": 0.25,
                **({"workload.experts.heaviest": heaviest} if heaviest else {}),
            }
            write_result(self.folder / "pro-prophet-rules" / f"{heaviest} {scheduled}", config, iteration_s=seconds)
        row = load(pro_prophet_reproduced, "figure-15", self.folder, "pro-prophet").row("rules k=1", "over the two heaviest", "M")
        self.assertEqual((row.count, row.low, row.high), (2, 1, 1.5))
        self.assertEqual(row.paper, Published(1.77, "range", 1.82))


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
