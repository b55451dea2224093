# SPDX-License-Identifier: GPL-2.0-only
"""NIMBLE and FAST beside what is published of them."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from papers import rails_grid as grid
from papers import rails_published
from rails.errors import ResultError

PAPER = Path(__file__).resolve().parents[2] / "experiments" / "rails" / "published" / "paper.csv"
PAIR = {"type": "file", "path": "one-pair.csv"}
UNIFORM = {"type": "uniform", "bytes_per_pair": "4MB"}
ZIPF = {"type": "zipf", "exponent": 0.8, "bytes_per_gpu": "64MB"}
SPARSE = {"type": "sparse", "density": 0.1, "mean": "40MB"}


class Published(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, scheme, seconds, matrix=ZIPF, seed=1, servers=4, control="none"):
        config = {"topology.domains": servers, "topology.gpus_per_domain": 4, "balance.host.type": "flow"}
        config["transport.congestion_control.type"] = control
        config.update({f"workload.matrix.{key}": value for key, value in matrix.items()})
        if scheme in ("nimble", "fast"):
            config["balance.count_exchange"] = "0s"
        place = self.folder / str(len(list(self.folder.iterdir())))
        synthetic.write_point(place, scheme, seed, 2, config, cct_s=seconds)

    def rows(self, *names):
        found = grid.read(self.folder, rails_published.place)
        ratios = [ratio for ratio in rails_published.read_ratios(PAPER) if ratio.scheme in names]
        return rails_published.table(found, ratios)

    def write_two_loads(self):
        for matrix, own, other in ((ZIPF, 2e-3, 3e-3), (SPARSE, 1e-3, 4e-3), (UNIFORM, 1e-3, 1.1e-3), (PAIR, 1, 3)):
            for seed in (1, 2):
                self.write("nimble", own, matrix, seed)
                self.write("ecmp", other * (0.5 if seed == 1 else 1.5), matrix, seed)

    def test_a_ratio_stands_beside_those_of_its_loads_and_of_mean_times(self):
        self.write_two_loads()
        rows = {row[3]: row for row in self.rows("nimble")[1:] if len(row[4])}
        self.assertEqual(rows["pair"][1:2] + rows["pair"][4:], ["3.8 times", "4x4", "3.00", "", ""])
        self.assertEqual(rows["skewed"][1:2] + rows["skewed"][4:], ["up to 5.2 times", "4x4", "1.50 / 2.75 / 4.00", "", ""])
        self.assertEqual(rows["uniform"][4:], ["4x4", "1.10", "", ""])

    def test_what_we_have_no_like_of_is_said(self):
        self.write_two_loads()
        without = [row[1] for row in self.rows("nimble") if row[3] == "no counterpart"]
        self.assertEqual(without, ["2.3 times", "1.35 times"])

    def test_rate_control_and_other_sizes_are_not_mixed_in(self):
        self.write("fast", 1e-3)
        self.write("ecmp", 2e-3, control="swift")
        self.write("rail-source", 3e-3, {**ZIPF, "bytes_per_gpu": "4MB"})
        found = grid.read(self.folder, rails_published.place)
        self.assertEqual(rails_published.ours(found, "fast"), {})

    def test_ours_are_drawn_over_their_baseline_and_published_ones_as_bands(self):
        self.write_two_loads()
        found = grid.read(self.folder, rails_published.place)
        (axis,) = rails_published.draw(found, rails_published.read_ratios(PAPER)).axes
        drawn = sorted(round(line.get_ydata()[0], 9) for line in axis.lines if len(line.get_xdata()) == 1)
        self.assertEqual(drawn, [1.1, 1.5, 3, 4])
        self.assertEqual([{round(y, 9) for _, y in patch.get_xy()} for patch in axis.patches], [{1, 5.2}])

    def test_another_file_is_refused(self):
        path = self.folder / "paper.csv"
        path.write_text("name,value\n")
        with self.assertRaisesRegex(ResultError, "expected the columns"):
            rails_published.read_ratios(path)


if __name__ == "__main__":
    unittest.main()
