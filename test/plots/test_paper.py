# SPDX-License-Identifier: GPL-2.0-only
"""Figures and tables for papers."""

import csv
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import synthetic
import synthetic_balancers
from canvas import faults
from paths import PLOTS
from programs import call
from rails.plots import intervals, style
from rails.plots.draw import figures_of
from rails.plots.layout import Skip
from rails.plots.results import load
from synthetic_folders import each_figure

NARROW = (
    "all schemes, three seeds", "twelve seeds", "many stages of a graph", "outages", "few circuits",
    "outages along", "31 bars in fifteen panels", "servers along", "studies of all policies",
    "trainings over balancers",
)


PAGE = PLOTS.parent / "doc" / "paper.rst"


def has_latex():
    """True where pdflatex and pgfplots are there."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    found = subprocess.run(["kpsewhich", "pgfplots.sty"], capture_output=True, check=False)
    return found.returncode == 0


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def make_figures(self, pictures=False):
        """What the commands of the page make, of made-up results with the same names."""
        for density in (0.05, 0.1, 0.3, 1.0):
            for scheme in ("ecmp", "rail-source", "rail-destination", "rails"):
                for seed in (1, 2):
                    place = self.folder / "paper" / f"{density},{scheme},{seed}"
                    config = {"workload.matrix.density": density}
                    synthetic.write_point(place, scheme, seed, config=config, messages=20)
        call("plot", self.folder / "paper", "--width", "3.3in", "--ci", "95", "--csv", pictures=pictures)
        synthetic_balancers.BALANCE["modulo"] = ("flow", "modulo")
        self.addCleanup(synthetic_balancers.BALANCE.pop, "modulo")
        values = {"Flow": 335, "Host Pkt": 8.6, "Ofan": 0.9, "modulo": 671}
        synthetic_balancers.write_bars(self.folder, "figure-01-permutation", values)
        options = ("--results", self.folder, "--format", "pdf", "--csv")
        call("reproduce", "load-balancing", "figure-01", "--kept", *options, pictures=pictures)
        for path in (self.folder / "paper" / "figures").iterdir():
            shutil.copy(path, self.folder)
        lines = (self.folder / "load-balancing" / "figure-01.csv").read_text("utf-8").splitlines()
        lines = [line for line in lines if re.match("(case|permutation),", line)]
        (self.folder / "permutation.csv").write_text("\n".join(lines) + "\n", "utf-8")

    def source(self):
        """The page of LaTeX in the documentation."""
        found = re.search(r"code-block:: latex\n\n((?:   .*\n|\n)+)", PAGE.read_text("utf-8"))
        return re.sub(r"(?m)^   ", "", found.group(1))

    def test_what_the_page_names_is_there(self):
        self.make_figures()
        for name in re.findall(r"[{ ]([\w.-]+\.(?:pdf|csv))}", self.source()):
            self.assertTrue((self.folder / name).is_file(), name)
        for file, columns in (
            ("cct-by-density.csv", {"workload.matrix.density", "place", "ecmp", "rails:error"}),
            ("permutation.csv", {"scheme", "paper", "ours"}),
        ):
            with open(self.folder / file, newline="", encoding="utf-8") as stream:
                self.assertLessEqual(columns, set(csv.DictReader(stream).fieldnames))

    @unittest.skipUnless(has_latex(), "no pdflatex with pgfplots: the page of doc/paper.rst is not compiled")
    def test_the_page_is_compiled(self):
        self.make_figures(pictures=True)
        (self.folder / "page.tex").write_text(self.source(), "utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout.decode("utf-8", "replace")[-2000:])
        self.assertGreater((self.folder / "page.pdf").stat().st_size, 20_000)


class Paper(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def table(self, name):
        with open(self.folder / "figures" / f"{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_figures_as_wide_as_a_column_of_a_paper_can_be_read(self):
        for what, name, function, results in each_figure(self.folder, NARROW):
            with self.subTest(folder=what, figure=name), style.house_style(3.3):
                try:
                    figure = function(results, what)
                except Skip:
                    continue
                self.assertEqual(faults(figure, least_points=6), [])
                self.assertAlmostEqual(figure.get_figwidth(), 3.3)

    def test_a_table_beside_a_figure_has_means_and_intervals_of_student(self):
        for scheme, times in (("ecmp", (3e-3, 4e-3, 5e-3)), ("rails", (2e-3,))):
            for seed, cct in enumerate(times):
                place = self.folder / f"{scheme}{seed}"
                synthetic.write_point(place, scheme, seed, cct_s=cct, messages=20)
        done = call("plot", self.folder, "--csv", "--format", "svg")
        self.assertEqual((done.returncode, done.stderr.count("error")), (0, 0))
        ecmp, rails = self.table("cct")
        self.assertEqual((ecmp["mean"], ecmp["points"], ecmp["unit"]), ("4", "3", "ms"))
        self.assertAlmostEqual(float(ecmp["error"]), 4.30265 / 3**0.5, delta=1e-4)
        self.assertEqual((rails["mean"], rails["error"]), ("2", "nan"))
        call("plot", self.folder, "--csv", "--ci", "99", "--format", "svg")
        self.assertAlmostEqual(float(self.table("cct")[0]["error"]), 9.92484 / 3**0.5, delta=1e-4)

    def test_a_sweep_has_a_row_for_each_place_and_columns_for_each_scheme(self):
        for number, density in enumerate((0.1, 0.5)):
            for scheme in ("ecmp", "rails"):
                synthetic.write_point(self.folder / f"{number}{scheme}", scheme, over_bound=2 + number, messages=20,
                                      config={"workload.matrix.density": density})
        call("plot", self.folder, "--csv")
        one, other = self.table("cct-by-density")
        self.assertEqual((one["workload.matrix.density"], one["place"], one["rails"]), ("0.1", "0.1", "2"))
        self.assertEqual((other["place"], other["ecmp"], other["ecmp:points"]), ("0.5", "3", "1"))

    def test_a_width_makes_pdf_files_whose_text_is_text(self):
        synthetic.write_point(self.folder / "run", messages=20)
        done = call("plot", self.folder / "run", "--width", "84mm", pictures=True)
        self.assertEqual(done.returncode, 0)
        names = {path.name for path in (self.folder / "run" / "figures").iterdir()}
        self.assertEqual({Path(name).suffix for name in names}, {".pdf"})
        pdf = (self.folder / "run" / "figures" / "cct.pdf").read_bytes()
        self.assertTrue(b"/CIDFontType2" in pdf and b"/ToUnicode" in pdf, "fonts of type 42")
        self.assertFalse(b"/Type3" in pdf, "fonts of type 3, whose text is none")
        call("plot", self.folder / "run", "--width", "84mm", "--format", "svg", pictures=True)
        svg = (self.folder / "run" / "figures" / "cct.svg").read_text(encoding="utf-8")
        self.assertIn("completion time [ms]</text>", svg)

    def test_intervals_stand_in_the_figure_where_they_are_asked_for(self):
        for seed, cct in ((1, 2e-3), (2, 4e-3)):
            synthetic.write_point(self.folder / str(seed), "rails", seed, cct_s=cct, messages=20)
        with style.house_style(), intervals.shown(95):
            figure = figures_of(load(self.folder))["cct"](load(self.folder), "")
            texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
            self.assertIn("95 % interval of the mean", texts)
            low, high = figure.axes[0].lines[0].get_xdata()
            self.assertEqual(faults(figure), [])
        self.assertEqual(low, 0)  # no time is below
        self.assertAlmostEqual(high, 3 + 12.7062, delta=1e-3)

    def test_an_interval_beyond_all_seeds_is_not_cut_off(self):
        for number, density in enumerate((0.1, 0.5)):
            for seed, more in ((1, 0), (2, 0.5), (3, 1)):
                synthetic.write_point(self.folder / f"{number}{seed}", "rails", seed, over_bound=3 + more, messages=20,
                                      config={"workload.matrix.density": density})
        with style.house_style(), intervals.shown(95):
            figure = figures_of(load(self.folder))["cct-by-density"](load(self.folder), "")
            low, high = figure.axes[0].get_ylim()
        half = 4.30265 * 0.5 / 3**0.5
        self.assertLess(low, 3.5 - half)
        self.assertGreater(high, 3.5 + half)

    def test_wrong_options_are_told_in_a_line(self):
        synthetic.write_point(self.folder / "run", messages=20)
        for option, value, words in (
            ("--width", "3", "expected 2 to 20 inches"), ("--width", "50in", "expected 2 to 20 inches"),
            ("--ci", "40", "expected 50 to less than 100"), ("--format", "eps", "invalid choice: 'eps'"),
        ):
            done = call("plot", self.folder / "run", option, value)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), value)
            self.assertIn(words, done.stderr)

    def test_quantiles_are_those_of_tables_of_student(self):
        for degrees, percent, expected in (
            (1, 95, 12.7062), (2, 95, 4.30265), (4, 95, 2.77645), (10, 95, 2.22814),
            (4, 99, 4.60409), (30, 90, 1.69726), (1000, 95, 1.96234),
        ):
            self.assertAlmostEqual(intervals.quantile(percent, degrees), expected, delta=2e-5 * expected)


if __name__ == "__main__":
    unittest.main()
