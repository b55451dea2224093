# SPDX-License-Identifier: GPL-2.0-only
"""Every kind of figure can be read: no text on another one, nothing cut off, every tick with a label."""

import csv
import io
import shutil
import tempfile
import unittest
from functools import partial
from itertools import product
from pathlib import Path

import paths  # noqa: F401
from matplotlib.figure import Figure
from canvas import faults
import pro_prophet_simulated
from papers import comparison_figures, mixnet, mixnet_choices, mixnet_cost, mixnet_grids, mixnet_pairs, mixnet_turns
from papers.balancers import BALANCERS
from papers.comparison import Sample, compare
from papers.load_balancing import FIGURES, Queues
from papers.published import read_published
from rails.plots import figure_table, style
from test_mixnet_cost import PRINTED
from rails.plots.layout import Skip
from papers.pro_prophet_terms import TERMS, Case
from rails.plots.results import load
from synthetic_folders import FOLDERS, LONG, each_figure

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"
MIXNET = {  # iterations
    model: {
        mixnet.Cell(setting, rate, fabric): 10 + 100 * (place + 1) / rate
        for setting in ("100 ms", "61 ms", "operations")
        for rate in mixnet.RATES[0]
        for place, fabric in enumerate(mixnet.LOOKS)
    }
    for model in ("Mixtral 8x22B", "Mixtral 8x7B")
}
MIXNET_PAPER = {(rate, fabric): 1 + 40 / rate for rate in mixnet.RATES[0] for fabric in (*mixnet.LOOKS, "TO")}


class Canvas(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_every_figure_of_every_folder_can_be_read(self):
        drawn = set()
        for what, name, function, results in each_figure(self.folder, FOLDERS):
            with self.subTest(folder=what, figure=name), style.house_style():
                try:
                    figure = function(results, LONG if "long name" in what else what)
                except Skip:
                    continue
                drawn.add(function.__name__)
                self.assertEqual(faults(figure), [])
                head, *rows = csv.reader(io.StringIO(figure_table.as_csv(figure)))
                self.assertEqual({len(row) for row in rows}, {len(head)}, "its table")
        self.assertGreaterEqual(len(drawn), 12, drawn)

    def check(self, figure):
        self.assertEqual(faults(figure), [])

    def test_a_figure_without_data_is_a_fault(self):
        figure = Figure()
        axes = figure.subplots()
        self.assertIn("nothing is drawn", faults(figure))
        axes.plot([1, 2], [1, 2])
        self.assertNotIn("nothing is drawn", faults(figure))

    def test_fabrics_of_mixnet_can_be_read(self):
        models, papers = MIXNET, dict.fromkeys(MIXNET, MIXNET_PAPER)
        delays = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 25e-3, 0.1, 1.0, 10.0)
        moved = {
            (setting, "greedy"): {delay: (base + 30 * delay, 0.1) for delay in delays}
            for setting, base in (("100 ms", 26), ("operations", 5))
        }
        for own, delays in ((models, moved), (models, {}), ({}, moved)):
            with style.house_style():
                self.check(mixnet.draw(own, papers, delays))

    def test_what_mixnet_depends_on_can_be_read(self):
        rates, settings = mixnet.RATES[0], ("100 ms", "operations")
        papers = dict.fromkeys(MIXNET, MIXNET_PAPER)
        cases = [*product(MIXNET, settings, (100, 400))]
        alphas = {key: (12 / key[2], 0.5) for key in product(settings, mixnet_grids.RULES, range(2, 7))}
        statics = {(*case, name): (9 + n, 0.8, 1) for case in cases for n, name in enumerate(mixnet.CIRCUITS)}
        sizes = product(settings, (128, 256, 512, 1024, 4096), mixnet.LOOKS)
        servers = {key: 1 + 0.1 * list(mixnet.LOOKS).index(key[2]) * (1 + settings.index(key[0])) for key in sizes}
        times = product(MIXNET, (100, 400), (0.5, 1, 2), ("MN", "FT"))
        computes = {key: 1 + (key[3] == "MN") * 0.03 / key[2] for key in times}
        ratios = {key: (1 + 80 / key[2], 1) for key in product(MIXNET, settings, rates)}
        grids = [
            partial(mixnet_grids.draw_alphas, found=alphas),
            partial(mixnet_grids.draw_statics, found=statics),
            partial(mixnet_grids.draw_servers, found=servers),
            partial(mixnet_grids.draw_computes, found=computes, papers=papers),
            partial(mixnet_grids.draw_oversubscribed, ratios=ratios),
        ]
        for model, found in MIXNET.items():
            own = {"drifting": found, "fixed": found, "paper": MIXNET_PAPER}
            grids.append(partial(mixnet_grids.draw_fixed, model=model, **own))
        topoopt = {(*place, rate): {"": 30.0} for place in product(MIXNET, settings) for rate in rates}
        pooled = {(*place, is_pooled): 20.0 for place in topoopt for is_pooled in (True, False)}
        failed = product(("Mixtral 8x22B", "DeepSeek-R1"), ("100 ms", "operations"), mixnet_choices.FAILURES)
        failures = dict(zip(failed, (0.9997, 1.0003, 1.02, 1.0, 1.001, 1.003) * 4))
        options = {(*case, name): 10 - n for case in cases for n, name in enumerate(("", *mixnet_choices.OPTIONS))}
        choices = [
            partial(mixnet_choices.draw_topoopt, found=topoopt, models=MIXNET, papers=papers),
            partial(mixnet_choices.draw_pooled, found=pooled, models=MIXNET, papers=papers),
            partial(mixnet_choices.draw_failures, found=failures),
            partial(mixnet_choices.draw_options, found=options),
        ]
        rows = product(settings, ("no-aux", "aux-loss"), (100, 400), ("MN", *mixnet_grids.EXPERTS))
        experts = {key: 1 + 0.1 * len(key[3]) for key in rows}
        delays = (1e-6, 1e-5, 1e-4, 1e-3, 25e-3)
        turns = {
            key: mixnet_turns.Turn(1 + 800 * key[3] * (key[2] == "birkhoff"), 40)
            for key in product(settings, (100, 400), mixnet_turns.LOOKS, delays)
        }
        skews = {0.065: 0.026, 0.5: 0.15, 10: 0.5}
        ways = (1e-6, 1e-3, 1e-2, 25e-3, "static", "FT", "RO")
        pairs = {
            (size, rate, spread, way): (1 + 0.1 * place, skew)
            for size, rate, (spread, skew) in product((8, 16), rates, skews.items())
            for place, way in enumerate(ways)
        }
        with style.house_style():
            self.check(mixnet_pairs.draw_pairs(pairs))
            self.check(mixnet_grids.draw(grids))
            self.check(mixnet_choices.draw(choices))
            self.check(mixnet_grids.draw_experts(dict.fromkeys(MIXNET, experts)))
            self.check(mixnet_turns.draw(turns))

    def test_costs_on_mixnet_can_be_read(self):
        costs = mixnet_cost.read_costs(PRINTED, "costs")
        ranges = mixnet_cost.read_ranges(EXPERIMENTS / "mixnet" / "paper-per-dollar.csv")
        with style.house_style():
            self.check(mixnet_cost.draw_costs(costs, ranges))
            papers = dict.fromkeys(MIXNET, MIXNET_PAPER)
            self.check(mixnet_cost.draw_gains(MIXNET, papers, ranges, costs, "costs"))

    def test_no_model_and_no_circuit_of_mixnet_looks_like_a_fabric(self):
        fabrics = {**mixnet.LOOKS, "rail-only": mixnet_cost.DRAWN["rail-only"][1:3]}
        others = {**mixnet.MODELS, **mixnet.CIRCUITS, "variant": mixnet.VARIANT}
        del others["greedy"]  # MixNet's own
        for part in (0, 1):
            looks = [look[part] for look in (*fabrics.values(), *mixnet.MODELS.values())]
            self.assertEqual(len(looks), len(set(looks)))
            self.assertFalse({look[part] for look in fabrics.values()} & {look[part] for look in others.values()})

    def test_figures_of_balancers_beside_published_ones_can_be_read(self):
        for figure in FIGURES:
            published = read_published(EXPERIMENTS / "load-balancing" / figure.name / "paper.csv")
            samples = [
                Sample(*place, seed, value.value * (0.9 + 0.1 * seed))
                for place, value in published.items()
                for seed in (0, 1, 2)
            ]
            with self.subTest(figure.name), style.house_style():
                comparison = compare(samples, published, figure.cases, (), figure.words)
                self.check(getattr(comparison_figures, figure.style)(comparison, figure))

    def test_growth_of_queues_can_be_read(self):
        lengths = [256 * 2**number for number in range(6)]
        queues = {}
        for power, name in enumerate(BALANCERS):
            own = {seed: {frames: 2 + frames ** (power / 12) * seed for frames in lengths} for seed in (1, 2)}
            queues[name] = Queues(own, own, "edge up")
        variants = product(("k = 8", "k = 16"), ("own", "shared"), ("none", "some"))
        with style.house_style():
            self.check(comparison_figures.queue_growth(queues, "Queue growth: permutation, 128 hosts"))
            variants = dict(zip(variants, queues.values()))
            self.check(comparison_figures.simple_rr_growth(variants, "Queue growth of simple round robin"))

    def test_terms_of_pro_prophet_can_be_read_and_are_joined_in_order(self):
        terms = dict.fromkeys(TERMS, (1.05, 1.0))
        equal = {Case(16, pieces, 1): terms for pieces in (16, 64, 256, 1024, 4096)}
        unequal = {("no-aux", exponent, seed): terms for exponent in (0.5, 1, 1.5, 2) for seed in (1, 2)}
        unequal["uniform", 0, 1] = terms
        with style.house_style():
            figure = pro_prophet_simulated.draw_terms(equal, unequal)
            self.check(figure)
        places = list(figure.axes[1].lines[0].get_xdata())
        self.assertEqual(places, [0, 0.5, 1, 1.5, 2])


if __name__ == "__main__":
    unittest.main()
