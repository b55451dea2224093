# SPDX-License-Identifier: GPL-2.0-only
"""Every kind of figure can be read: no text on another one, nothing cut off, every tick with a label."""

import csv
import io
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
from canvas import faults
import pro_prophet_simulated
from papers import mixnet
from railsplots import figure_table, style
from railsplots.draw import figures_of
from railsplots.layout import Skip
from papers.pro_prophet_terms import TERMS, Case
from railsplots.results import load
from synthetic_folders import FOLDERS, LONG


# Figures that look alike here where schemes and the fabric do.
SAME = {"message_cdf", "queue_ccdf", "nic_load", "link_utilisation"}


def _form(results):
    """How many schemes there are, whether names are long, and how many servers."""
    names = [len(scheme) > 20 for scheme in results.schemes]
    servers = len(results.points[0].result.get("nic_tx_bytes") or ())
    return len(names) // 3, any(names), servers


class Canvas(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_every_figure_of_every_folder_can_be_read(self):
        drawn, known = set(), set()
        for number, (what, write) in enumerate(FOLDERS.items()):
            folder = self.folder / str(number)
            write(folder)
            results = load(folder)
            title = LONG if "long name" in what else what
            for name, function in figures_of(results).items():
                own = (function, *_form(results))
                if own in known and function.__name__ in SAME:
                    continue
                known.add(own)
                with self.subTest(folder=what, figure=name), style.house_style():
                    try:
                        figure = function(results, title)
                    except Skip:
                        continue
                    drawn.add(function.__name__)
                    self.assertEqual(faults(figure), [])
                    head, *rows = csv.reader(io.StringIO(figure_table.as_csv(figure)))
                    self.assertEqual({len(row) for row in rows}, {len(head)}, "its table")
        self.assertGreaterEqual(len(drawn), 12, drawn)

    def check(self, figure):
        self.assertEqual(faults(figure), [])

    def test_fabrics_of_mixnet_can_be_read(self):
        fabrics, rates = mixnet.LOOKS, mixnet.RATES[0]
        models = {
            model: {
                mixnet.Cell(setting, rate, fabric): 10 + 100 * (place + 1) / rate
                for setting in ("100 ms", "61 ms", "operations")
                for rate in rates
                for place, fabric in enumerate(fabrics)
            }
            for model in ("Mixtral 8x22B", "Mixtral 8x7B")
        }
        paper = {(rate, fabric): 1 + 40 / rate for rate in rates for fabric in fabrics}
        delays = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 25e-3, 0.1, 1.0, 10.0)
        moved = {
            (setting, "greedy"): {delay: (base + 30 * delay, 0.1) for delay in delays}
            for setting, base in (("100 ms", 26), ("operations", 5))
        }
        papers = dict.fromkeys(models, paper)
        for own, delays in ((models, moved), (models, {}), ({}, moved)):
            with style.house_style():
                self.check(mixnet.draw(own, papers, delays))

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
