# SPDX-License-Identifier: GPL-2.0-only
import csv
import itertools
import tempfile
import unittest
from pathlib import Path

import paths
from papers import pro_prophet as tables
from programs import call
from rails.errors import ResultError
from papers.published import read_published

PAPER = paths.PLOTS.parent / "experiments" / "pro-prophet" / "paper.csv"
SECONDS = {
    "plain": 6,
    "padded": 9,
    "capacity_1": 2,
    "capacity_2": 4,
    "capacity_4": 8,
    "faster_moe_artifact": 5,
    "faster_moe_published": 4,
    "faster_moe_master": 5,
    "released": 4,
    "planner": 4,
    "planner_scheduler": 3.5,
    "full": 3,
}


def cells_of_paper(published):
    cells = []
    for case, scheme, model in published:
        if scheme == "FasterMoE":
            cluster, topk = case.split(" k=")
            cells.append((cluster, float(topk), model))
    return cells


def make_cells():
    """Two tolerances. With the larger one Pro-Prophet does nothing on LPWNV; k = 2 is faster."""
    published = read_published(PAPER)
    rows = []
    for tolerance, (cluster, topk, model) in itertools.product((1, 3), cells_of_paper(published)):
        row = {"cluster": cluster, "model": model, "k": topk, "exponent": 1, "bandwidth_gbps": 15}
        row.update(efficiency=0.5, other=4, tolerance=tolerance, excluded_part=0, **SECONDS)
        row["full"] -= 0.5 * (topk - 1)
        if tolerance == 3 and cluster == "LPWNV":
            row["full"] = row["plain"]
        rows.append(row)
    return rows


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)


class ProProphet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read(self, rows):
        write(self.folder / "cells.csv", rows)
        return tables.read_cells(self.folder / "cells.csv")

    def test_a_constant_over_k_and_width_reaches_what_the_issue_says(self):
        published = read_published(PAPER)
        found = []
        for cluster, scheme in itertools.product(("HPNV", "LPWNV"), ("FasterMoE", "Pro-Prophet")):
            cells = [cell for cell in cells_of_paper(published) if cell[0] == cluster]
            values = tables.published_column(published, cells, scheme)
            found.append(round(tables.constant_correlation(values, cells), 2))
        self.assertEqual(found, [0.72, 0.65, 0.98, 0.88])

    def test_ranks_are_shared_by_equal_values(self):
        self.assertEqual(list(tables.ranks([5, 1, 5, 9])), [2.5, 1, 2.5, 4])
        self.assertAlmostEqual(tables.rank_correlation([1, 2, 3], [9, 8, 7]), -1)
        self.assertNotEqual(*[tables.rank_correlation([1, 1], [1, 2])] * 2)  # nan

    def test_gates_count_every_combination(self):
        cells = self.read(make_cells())
        self.assertEqual(len(cells.cells), 18)
        share, least, medians = tables.above_faster_moe(cells)["faster_moe_artifact"]
        self.assertEqual((share, least), (0.5, 5 / 6))
        self.assertEqual(medians.max(), 2)
        self.assertEqual(
            tables.above_by_unknown(cells, "faster_moe_artifact")["tolerance"], {1: 1, 3: 0}
        )
        self.assertEqual(tables.two_above_one(cells, "full", "plain"), 0.5)
        self.assertEqual(tables.two_above_one(cells, "faster_moe_artifact", "plain"), 0)
        self.assertEqual(list(tables.stage_factors(cells, 1)["planner"]), [1.5, 1.5])
        band = next(
            band
            for band in tables.bands(cells)
            if band[:5] == ("LPWNV", 1, "S", "padded", "full")
        )
        self.assertEqual(band[5:], (1.5, 2.25, 3))

    def test_a_missing_combination_is_told(self):
        with self.assertRaisesRegex(ResultError, "not every cell"):
            self.read(make_cells()[1:])

    def test_all_figures_are_drawn(self):
        rows = make_cells()
        skew = [{**row, "exponent": exponent} for row in rows[:4] for exponent in (0, 1)]
        iterations = [
            {"k": topk, "tolerance": 1, "iteration": iteration, **SECONDS}
            for topk in (1, 2)
            for iteration in (1, 2)
        ]
        balance = [{"k": topk, "layer": layer, **SECONDS} for topk in (1, 2) for layer in (1, 2)]
        for name, table in zip(
            ("cells", "skew", "iterations", "balance"), (rows, skew, iterations, balance)
        ):
            write(self.folder / f"{name}.csv", table)
        done = call("pro_prophet", "--results", self.folder, "--bands", self.folder / "bands.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(list(self.folder.glob("*.svg"))), 5)
        self.assertIn("2 combinations of unknowns, 18 cells", done.stdout)
        self.assertEqual(len((self.folder / "bands.csv").read_text().splitlines()), 1 + 18 * 25)


if __name__ == "__main__":
    unittest.main()
