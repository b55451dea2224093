# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a comparison along a key, as CSV and as LaTeX."""

import csv
import math
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from programs import call
from synthetic_trainings import write_training


class PaperTable(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        times = {"plain-ep": (2.0, 2.2, 2.4), "ultra-ep": (1.0, 1.1, 1.2)}
        for policy, seconds in times.items():
            for seed, time in enumerate(seconds, 1):
                place = self.folder / "results" / f"{policy}-{seed}"
                write_training(place, policy, seed, iteration_s=time, memory_bytes=4e10 + seed * 1e10)

    def write(self, *options):
        return call("compare", self.folder / "results", "--by", "workload.experts", *options)

    def test_csv_has_means_and_intervals_in_full(self):
        path = self.folder / "table.csv"
        self.assertEqual(self.write("--csv", path).returncode, 0)
        with open(path, newline="", encoding="utf-8") as file:
            plain, ultra = csv.DictReader(file)
        self.assertEqual([row["workload.experts"] for row in (plain, ultra)], ["plain-ep", "ultra-ep"])
        self.assertAlmostEqual(float(plain["iteration_s"]), 2.2)
        half = 4.302653 * 0.2 / math.sqrt(3)  # Student's t of two degrees of freedom
        self.assertAlmostEqual(float(plain["interval"]), half, 4)
        self.assertAlmostEqual(float(ultra["interval"]), half / 2, 4)
        self.assertAlmostEqual(float(ultra["memory_bytes"]), 6e10)
        self.assertEqual((plain["seeds"], plain["p"]), ("3", ""))
        self.assertLess(float(ultra["p"]), 0.05)

    def test_latex_has_a_row_for_each_value_and_says_what_it_shows(self):
        path = self.folder / "table.tex"
        self.assertEqual(self.write("--latex", path).returncode, 0)
        text = path.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.endswith(r"\\")]
        rows = [line.removeprefix(r"\relax ").split(" & ") for line in lines]
        self.assertEqual([row[0] for row in rows], ["workload.experts", "plain-ep", "ultra-ep"])
        self.assertEqual([row[1] for row in rows], [r"iteration\_s [s]", r"$2.20 \pm 0.50$", r"$1.10 \pm 0.25$"])
        self.assertEqual({len(row) for row in rows}, {text.partition("{tabular}{")[2].index("}")})
        self.assertIn("% +-: half of the 95 % interval of the mean over seeds\n", text)
        self.assertIn("seeds: 3\n", text)

    def test_no_two_files_have_one_name(self):
        done = self.write("--latex", self.folder / "table", "--csv", self.folder / "table")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is to be two files at once", done.stderr)

    @unittest.skipUnless(shutil.which("pdflatex"), "no pdflatex: the table is not compiled")
    def test_latex_compiles_without_packages(self):
        self.write("--latex", self.folder / "table.tex")
        page = self.folder / "page.tex"
        page.write_text(r"\documentclass{article}\begin{document}\input{table}\end{document}", encoding="utf-8")
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", page.name],
            cwd=self.folder, capture_output=True, check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_table_without_a_key_is_rejected_by_name(self):
        done = call("compare", self.folder, self.folder, "--latex", self.folder / "x.tex")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--latex: error: is for --by KEY", done.stderr)


if __name__ == "__main__":
    unittest.main()
