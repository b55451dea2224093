# SPDX-License-Identifier: GPL-2.0-only
"""The list of figures, the rules of its verdicts, and the command that runs and draws them."""

import importlib.util
import math
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import synthetic_balancers as synthetic
from paths import PLOTS
from programs import call
from papers import mechanisms
from papers.catalogue import PAPERS, find_entries, find_paper, read_catalogue
from papers.comparison import Row
from papers.comparison_page import write_block
from papers.figure import published_of
from papers.published import Published
from papers.recorded import read_recorded
from papers.reproduced import README_MARKS, figure_of, fill_readme, recorded_block, verdict_of
from papers.verdict import DIFFERS, NEAR, NOT_BUILT, NOT_RUN, REPRODUCED, UNKNOWN, judge
from rails.errors import ResultError
from rails.launcher import Ended

ENTRIES = read_catalogue()
RESULTS = PLOTS.parent / "doc" / "load-balancing-results.rst"


def row(paper, values, scheme="a", x="", case="c", kind="exact", high=None):
    return Row(case, scheme, x, np.array(values, dtype=float), Published(paper, kind, high))


class Rules(unittest.TestCase):
    def check(self, expected, *rows):
        self.assertEqual(judge(rows).word, expected)

    def test_within_a_twentieth_is_the_same_and_within_a_quarter_near(self):
        self.check(REPRODUCED, row(100, [105]))
        self.check(NEAR, row(100, [106]))
        self.check(NEAR, row(100, [75]))
        self.check(DIFFERS, row(100, [74]))

    def test_a_value_between_the_seeds_is_the_same_only_if_the_mean_is_near(self):
        self.check(REPRODUCED, row(100, [90, 130]))
        self.check(NEAR, row(100, [90, 200]))
        self.check(NEAR, row(0, [0, 1]))

    def test_bounds_and_ranges_are_held_by_what_is_inside(self):
        self.check(REPRODUCED, row(0.1, [-5], kind="below"), row(2, [9], kind="above", x=1.0))
        self.check(DIFFERS, row(0.1, [0.01, 31], kind="below"))
        self.check(REPRODUCED, row(1.2, [1.4], kind="range", high=1.5))
        self.check(NEAR, row(1.2, [1.8], kind="range", high=1.5))

    def test_exponents_of_theory_are_compared_as_they_are(self):
        self.check(NEAR, row(0, [0.09], kind="theory"))
        self.check(DIFFERS, row(0, [0.3], kind="theory"))

    def test_an_inverted_order_differs_however_near_the_values_are(self):
        rows = row(100, [100], "one"), row(110, [90], "other")
        self.check(DIFFERS, *rows)
        self.assertIn("inverted: c: one (100) above other (90.0); paper 100, 110", judge(rows).describe())
        self.check(REPRODUCED, row(100, [101], "one"), row(104, [100], "other"))  # no order in the paper
        self.check(NEAR, row(100, [101], "one"), row(110, [100], "other"))  # none of ours
        self.check(REPRODUCED, row(100, [101], "one"), row(104, [100], "other", case="d"))

    def test_an_order_along_x_counts_as_well(self):
        rows = row(10, [10], x=1.0), row(12, [9.4], x=2.0), row(5, [5], x=math.inf)
        (found,) = judge(rows).inversions
        self.assertEqual(str(found), "c, a: at 1 (10.0) above at 2 (9.40); paper 10, 12")
        self.assertEqual(judge(rows).orders, 2)

    def test_an_inversion_that_not_all_seeds_have_is_said_so(self):
        (found,) = judge((row(1, [1, 9], "one"), row(4, [2, 3], "other"))).inversions
        self.assertTrue(str(found).endswith("within the spread over seeds"))

    def test_values_without_a_result_leave_it_near_at_best(self):
        self.check(NEAR, row(100, [100]), row(50, [], x=2.0))
        self.assertIn("1 published value has no result", judge((row(100, [100]), row(50, [], x=2.0))).describe())
        self.check(NOT_RUN, row(50, []))
        self.check(UNKNOWN)


class Catalogue(unittest.TestCase):
    def test_every_paper_has_rows_and_no_figure_is_there_twice(self):
        self.assertEqual({entry.paper.name for entry in ENTRIES}, set(PAPERS))
        names = [(entry.paper.name, entry.figure) for entry in ENTRIES]
        self.assertEqual(len(names), len(set(names)))

    def test_what_is_not_built_has_a_reason_and_what_is_built_can_be_made(self):
        for entry in ENTRIES:
            with self.subTest(paper=entry.paper.name, figure=entry.figure):
                self.assertTrue(entry.is_built or entry.reason)
                self.assertTrue(entry.published is None or entry.published.exists())
                self.assertTrue(not entry.draws or importlib.util.find_spec(entry.draws))
                if entry.is_built:
                    self.assertTrue(entry.draws or figure_of(entry) or entry.figure == "queue-growth")
                    self.assertTrue(entry.quick_descriptors or not entry.descriptors)

    def test_data_files_have_what_is_published(self):
        for entry in ENTRIES:
            figure = figure_of(entry)
            if figure and entry.data.exists():
                rows = read_recorded(entry.data, figure.cases[0])
                found = {(row.case, row.scheme, row.x): row.paper for row in rows if row.paper}
                self.assertEqual(found, published_of(figure, entry.paper.folder), f"{entry.paper.name} {entry.figure}")

    def test_papers_and_figures_are_found_by_the_names_that_people_use(self):
        for word in ("load-balancing", "Ofan", "2507.21372", "arXiv:2507.21372"):
            self.assertEqual(find_paper(word).name, "load-balancing")
        self.assertEqual(find_paper("MicroMoE").name, "micro-moe")
        self.assertIsNone(find_paper("fast"))
        own = [entry for entry in ENTRIES if entry.paper.name == "load-balancing"]
        for word in ("1", "01", "figure-1", "Fig. 1", "figure-01"):
            self.assertEqual([entry.figure for entry in find_entries(own, word)], ["figure-01"], word)


class Page(unittest.TestCase):
    def test_what_the_page_says_of_orders_follows_from_its_data_files(self):
        """Written by RAILS_WRITE_PAGES=1."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.rst"
            page.write_text(RESULTS.read_text(encoding="utf-8"), encoding="utf-8")
            for entry in ENTRIES:
                if entry.paper.name == "load-balancing" and entry.data.exists():
                    write_block(page, entry.figure, recorded_block(entry), "load-balancing")
            text = page.read_text(encoding="utf-8")
        if os.environ.get("RAILS_WRITE_PAGES") == "1":
            RESULTS.write_text(text, encoding="utf-8")
        self.assertEqual(RESULTS.read_text(encoding="utf-8"), text)


class Readme(unittest.TestCase):
    def test_readmes_say_how_near_ours_come_and_what_is_left_out(self):
        """Written by RAILS_WRITE_PAGES=1."""
        for name in ("load-balancing", "mixnet", "pro-prophet", "micro-moe"):
            path = PAPERS[name].folder / "README.md"
            text = path.read_text(encoding="utf-8")
            if os.environ.get("RAILS_WRITE_PAGES") == "1":
                path.write_text(fill_readme(text, ENTRIES, PAPERS[name]), encoding="utf-8")
            self.assertIn(README_MARKS[0], text)
            self.assertEqual(path.read_text(encoding="utf-8"), fill_readme(text, ENTRIES, PAPERS[name]), name)


class Faithful(unittest.TestCase):
    def test_the_page_has_a_verdict_on_each_mechanism_and_figure(self):
        """Written by RAILS_WRITE_PAGES=1."""
        text = mechanisms.fill_page(mechanisms.PAGE.read_text(encoding="utf-8"), ENTRIES)
        if os.environ.get("RAILS_WRITE_PAGES") == "1":
            mechanisms.PAGE.write_text(text, encoding="utf-8")
        self.assertEqual(mechanisms.PAGE.read_text(encoding="utf-8"), text)

    def test_what_differs_or_is_not_built_has_a_reason(self):
        for entry in ENTRIES:
            if verdict_of(entry).word in (DIFFERS, NOT_BUILT):
                self.assertTrue(entry.reason, f"{entry.paper.name} {entry.figure}")

    def test_rows_without_a_reason_or_with_a_place_that_is_not_there_are_refused(self):
        place = "model/balance/ofan-port-selector.cc"
        for row, message in (
            (("mechanism", "x", "differs", place, "", ""), "'differs' needs a reason"),
            (("mechanism", "x", "fine", place, "", ""), "unknown verdict fine"),
            (("mechanism", "x", "right", "model/none.cc", "", ""), "no file model/none.cc"),
            (("mechanism", "x", "right", f"{place}:NoSuchName", "", ""), f"no NoSuchName in {place}"),
            (("figure", "figure-01", "near", "", "", "y"), "its verdict is computed"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "mechanisms.csv"
                path.write_text("\n".join([",".join(mechanisms.COLUMNS), ",".join(("rails", *row))]) + "\n", encoding="utf-8")
                with self.assertRaisesRegex(ResultError, f"mechanisms.csv:2.*{message}"):
                    mechanisms.read_mechanisms(path)

    def test_a_figure_that_the_catalogue_lacks_is_named(self):
        row = mechanisms.Mechanism(PAPERS["rails"], "figure", "figure-99", "", "", "", "new")
        with self.assertRaisesRegex(ResultError, "no figure figure-99 of rails"):
            mechanisms.blocks([row], ENTRIES)


class Program(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_sweeps(self, *arguments, status=0):
        """The sweeps that it asks about and starts."""
        asked, started = [], []

        def ask(words):
            asked.append(words)
            return Ended(tuple(words), 0, "run x\n3 of 3 points would be run, in about 2 s\n", "")

        def start(words):
            started.append(words)
            return status

        with mock.patch("reproduce.call", ask), mock.patch("reproduce._start", start):
            done = call("reproduce", *arguments, "--results", self.folder)
        return done, asked, started

    def test_without_a_paper_every_figure_is_listed_with_its_verdict(self):
        done = call("reproduce")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for entry in ENTRIES:
            self.assertRegex(done.stdout, rf"(?m)^  {verdict_of(entry).word} +{entry.figure} ")
        self.assertEqual(done.stdout, call("reproduce", "--list").stdout)

    def test_it_says_how_long_it_takes_then_runs_all_that_the_figure_needs(self):
        synthetic.write_bars(self.folder, "figure-12-permutation", {"Ofan": 0.9})
        done, asked, started = self.run_sweeps("ofan", "12", "-j", "3", "--launcher", "slurm", "--at-once", "4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("figure-12-permutation: 3 of 3 points would be run, in about 2 s", done.stdout)
        self.assertIn("in all about 4 s", done.stdout)
        self.assertEqual([words[-1] for words in asked], ["--dry-run"] * 2)
        (words,) = started
        self.assertEqual([Path(word).stem for word in words[1:3]], ["figure-12-all-to-all", "figure-12-permutation"])
        self.assertEqual(words[3:], ["--out", str(self.folder), "-j", "3", "--launcher=slurm", "--at-once=4"])
        self.assertTrue((self.folder / "load-balancing" / "figure-12.png").exists())
        self.assertRegex(done.stdout, r"permutation +Ofan +0.87 +exact +0.900 ")

    def test_a_quick_run_has_fewer_seeds_and_sizes_in_a_folder_of_its_own(self):
        synthetic.write_bars(self.folder / "quick", "figure-08-permutation", {"Ofan": 0.9}, topology__k=8)
        with mock.patch("reproduce.style.noted", wraps=importlib.import_module("reproduce").style.noted) as noted:
            done, _, started = self.run_sweeps("load-balancing", "8", "--quick")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = [Path(word).stem for word in started[0] if word.endswith(".yaml")]
        self.assertEqual(names, ["figure-08-all-to-all", "figure-08-permutation"])
        self.assertEqual(started[0][-4:], ["--out", str(self.folder / "quick"), "--where", "seed=1"])
        noted.assert_called_with("quick: only seed=1; without figure-08-all-to-all-250")
        self.assertTrue((self.folder / "quick/load-balancing/figure-08.png").exists())

    def test_a_number_stands_for_all_parts_of_a_figure_that_are_built(self):
        done, asked, _ = self.run_sweeps("mixnet", "12", "--dry-run")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = [Path(words[1]).stem for words in asked]
        self.assertEqual(names[::2], ["mixnet-8x22b", "mixnet-8x7b", "mixnet-qwen-ep32"])

    def test_a_dry_run_and_kept_results_run_nothing(self):
        done, asked, started = self.run_sweeps("load-balancing", "6", "--dry-run")
        self.assertEqual((done.returncode, len(asked), started), (0, 1, []))
        done, asked, started = self.run_sweeps("load-balancing", "6", "--kept")
        self.assertEqual((done.returncode, asked, started), (2, [], []))
        self.assertIn("no result of figure-06", done.stderr)

    def test_an_interrupted_sweep_draws_nothing_and_one_with_failures_draws_the_rest(self):
        synthetic.write_bars(self.folder, "figure-06", {"Ofan": 0.9})
        done, _, _ = self.run_sweeps("load-balancing", "6", status=130)
        self.assertEqual(done.returncode, 130)
        self.assertFalse((self.folder / "load-balancing").exists())
        done, _, _ = self.run_sweeps("load-balancing", "6", status=3)
        self.assertEqual(done.returncode, 3)
        self.assertTrue((self.folder / "load-balancing" / "figure-06.png").exists())

    def test_an_outcome_is_kept_for_the_list_and_said_on_its_page(self):
        synthetic.write_bars(self.folder, "figure-12-permutation", {"Ofan": 0.9})
        page, readmes = self.folder / "page.rst", []
        with mock.patch("reproduce.DATA", self.folder / "data"), mock.patch("reproduce.PAGES", {"load-balancing": page}), \
                mock.patch("reproduce.write_at_once", lambda path, _: readmes.append(path.parent.name)):
            done, _, _ = self.run_sweeps("ofan", "12", "--kept", "--record")
        self.assertEqual((done.returncode, readmes), (0, ["load-balancing", "doc"]))
        rows = read_recorded(self.folder / "data" / "load-balancing-figure-12.csv")
        (own,) = [row for row in rows if row.count]
        self.assertEqual((own.case, own.scheme, own.mean, own.count, own.paper.value), ("permutation", "Ofan", 0.9, 3, 0.87))
        self.assertIn("**Near.** Of 6 published values 1 are the same as ours, 0 close, 0 neither, 5 without a result.", page.read_text())

    def test_a_quick_outcome_is_not_kept(self):
        done = call("reproduce", "ofan", "6", "--quick", "--record")
        self.assertEqual(done.returncode, 2)
        self.assertIn("not with --quick", done.stderr)

    def test_a_paper_that_there_is_not_is_named_with_those_that_there_are(self):
        done = call("reproduce", "fast")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no paper fast; there are rails, load-balancing", done.stderr)


if __name__ == "__main__":
    unittest.main()
