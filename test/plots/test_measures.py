# SPDX-License-Identifier: GPL-2.0-only
"""What points are compared by: multiples of the lower bound where they share it, else time."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from paths import PLOTS
import synthetic
from programs import STAND_IN, call
from synthetic_trainings import write_training, write_trainings
from rails.reader.kinds import COMPLETION_TIME, ITERATION_TIME, WHOLE_TIME
from rails.plots.report_groups import Groups
from rails.plots.report_figures import figures
from rails.plots.results import bounds_differ, load
from rails.plots.sweep_figure import along_axes

BOUND_S = 1e-3


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, scheme="rails", seed=1, bound_s=BOUND_S, times=2.0, config=None, **changes):
        """A point that takes so many times its bound."""
        name = f"{len(list(self.folder.iterdir()))}"
        numbers = {"cct_s": times * bound_s, "lower_bound_s": bound_s, **changes}
        synthetic.write_point(
            self.folder / name, scheme, seed, config=config, messages=20, **numbers)

    def along(self, key, *bounds, seeds=(1,), **changes):
        for number, bound in enumerate(bounds):
            for seed in seeds:
                for scheme in ("ecmp", "rails"):
                    self.add(scheme, seed, bound * seed, config={key: number}, **changes)
        return load(self.folder)


class Decision(Temporary):
    def test_bounds_are_compared_as_the_terminal_compares_them(self):
        cases = json.loads((PLOTS.parent / "test" / "bounds.json").read_text())  # progress-test.cc has it too
        for case in cases:
            points = [
                [SimpleNamespace(seed=int(seed), bound_s=bound) for seed, bound in bounds.items()]
                for bounds in case["bounds"].values()
            ]
            with self.subTest(case["what"]):
                self.assertEqual(bounds_differ(points), case["differ"])

    def test_bounds_that_agree_to_one_percent_are_one(self):
        results = self.along("topology.spines", BOUND_S, 1.009 * BOUND_S)
        self.assertEqual((results.measure.key, results.own_bounds), ("cct_over_bound", False))

    def test_where_an_axis_changes_the_bound_time_is_shown(self):
        results = self.along("topology.spines", BOUND_S, 1.02 * BOUND_S)
        self.assertEqual((results.measure, results.own_bounds), (COMPLETION_TIME, True))

    def test_seeds_draw_other_traffic_and_change_nothing(self):
        results = self.along("topology.spines", BOUND_S, BOUND_S, seeds=(1, 2, 3))
        self.assertEqual(results.measure.key, "cct_over_bound")

    def test_values_without_a_seed_in_common_are_compared_all_the_same(self):
        for seed, spines in ((1, 0), (2, 8)):
            self.add("rails", seed, seed * BOUND_S, config={"topology.spines": spines})
        self.assertEqual(load(self.folder).measure, COMPLETION_TIME)

    def test_a_point_without_a_bound_does_not_count(self):
        self.along("topology.spines", BOUND_S, BOUND_S)
        self.add(bound_s=0, config={"topology.spines": 7}, cct_over_bound=None)
        self.assertEqual(load(self.folder).measure.key, "cct_over_bound")

    def test_iterations_are_compared_by_theirs(self):
        results = self.along("topology.spines", BOUND_S, 2 * BOUND_S, iteration_s=5e-3)
        self.assertEqual(results.measure, ITERATION_TIME)

    def test_parts_of_iterations_are_compared_by_what_the_whole_ones_take(self):
        results = self.along("topology.spines", BOUND_S, 2 * BOUND_S, iteration_s=5e-3, whole_iteration_s=0.5)
        self.assertEqual(results.measure, WHOLE_TIME)

    def test_parts_that_do_not_tell_the_whole_are_compared_as_they_are(self):
        results = self.along("topology.spines", BOUND_S, 2 * BOUND_S, iteration_s=5e-3, whole_iteration_s=None)
        self.assertEqual(results.measure, ITERATION_TIME)

    def test_an_axis_that_keeps_the_bound_is_shown_in_multiples_beside_one_that_changes_it(self):
        for density, bound in ((0.1, BOUND_S), (0.9, 5 * BOUND_S)):
            for chunk in ("1MB", "4MB"):
                config = {"workload.density": density, "balance.chunk": chunk}
                self.add(bound_s=bound, config=config, axes={"balance.chunk": chunk})
        results = load(self.folder)
        density, chunk = sorted(results.axes, key=lambda axis: axis.of_scheme)
        self.assertEqual(results.measure_along(density), COMPLETION_TIME)
        self.assertEqual(results.measure_along(chunk).key, "cct_over_bound")

    def test_policies_on_several_fabrics_are_compared_by_the_iteration(self):
        for rate, slower in (("200Gbps", 2), ("400Gbps", 1)):
            for policy in ("plain-ep", "ultra-ep"):
                write_training(self.folder / f"{rate}-{policy}", policy, slower=slower,
                               config={"topology.nic_rate": rate}, lower_bound_s=0.1 * slower)
        results = load(self.folder)
        self.assertEqual(results.measure, ITERATION_TIME)
        self.assertEqual(results.points[0].ratio, 1)  # of the same case, in the table

    def test_policies_on_one_fabric_are_compared_with_plain_ep_though_they_change_the_bound(self):
        write_trainings(self.folder)
        self.assertEqual(load(self.folder).measure.key, "iteration_over_plain_ep")


class Shown(Temporary):
    def drawn(self, results):
        axes = along_axes(results, "").axes[-1]
        return [text.get_text() for text in axes.get_legend().get_texts()], axes

    def along_in_report(self, results):
        found, _ = figures(Groups(results))
        (figure,) = (figure for figure in found if figure.key == "by-topology.spines")
        return figure

    def test_time_has_no_bound_in_its_figures(self):
        results = self.along("topology.spines", BOUND_S, 3 * BOUND_S)
        legend, axes = self.drawn(results)
        self.assertEqual(legend, ["ecmp", "rails", "(scale not from 0)"])
        self.assertEqual(axes.figure._supylabel.get_text(), "completion time [ms]")
        figure = self.along_in_report(results)
        self.assertEqual(figure.title, "Completion time along topology.spines")
        self.assertEqual({trace["name"] for trace in figure.traces}, {"ecmp", "rails"})
        (rails,) = (trace for trace in figure.traces if trace["name"] == "rails")
        self.assertEqual(rails["y"], [2.0, 6.0])

    def test_multiples_have_it(self):
        results = self.along("topology.spines", BOUND_S, BOUND_S)
        legend, _ = self.drawn(results)
        self.assertEqual(legend, ["ecmp", "rails", "lower bound"])
        names = {trace["name"] for trace in self.along_in_report(results).traces}
        self.assertEqual(names, {"ecmp", "rails", "lower bound"})

    def test_a_figure_is_named_by_what_it_shows(self):
        self.along("topology.spines", BOUND_S, 3 * BOUND_S, iteration_s=1e-3)
        figures = self.folder / "figures"
        figures.mkdir()
        (figures / "cct-by-spines.png").write_bytes(STAND_IN)  # of other results
        call("plot", self.folder)
        self.assertTrue((figures / "iteration-by-spines.png").exists())
        self.assertFalse((figures / "cct-by-spines.png").exists())

    def test_columns_say_where_multiples_do_not_compare(self):
        shared = self.along("topology.spines", BOUND_S, BOUND_S)
        self.assertIn("Over bound", [column.title for column in shared.columns])
        self.add(bound_s=2 * BOUND_S, config={"topology.spines": 7})
        own = load(self.folder)
        for columns in (own.columns, own.means):
            titles = [column.title for column in columns]
            self.assertIn("Over own bound", titles)
            self.assertNotIn("Over bound", titles)

    def test_so_do_those_of_a_page(self):
        for bound, name in ((BOUND_S, "Over bound"), (2 * BOUND_S, "Over own bound")):
            self.along("topology.spines", BOUND_S, bound, seeds=(1, 2))
            call("report", self.folder)
            page = (self.folder / "report.html").read_text()
            self.assertEqual(page.count(f">{name}<"), 2)  # of the points, and of the means
            shutil.rmtree(self.folder)
            self.folder.mkdir()


class Compare(Temporary):
    def compare(self, *arguments):
        done = call("compare", *arguments, "--json", self.folder / "found.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout, json.loads((self.folder / "found.json").read_text())

    def test_iterations_are_compared_by_their_time_with_tokens_beside(self):
        for number in (0, 1):
            self.add(bound_s=(1 + number) * BOUND_S, config={"topology.spines": number},
                     iteration_s=5e-3 * (1 + number), tokens_per_s=4000.0 / (1 + number))
        text, found = self.compare(self.folder, "--by", "topology.spines")
        self.assertEqual(found["metric"], "iteration_s")
        self.assertIn("iteration_s [ms]", text)
        self.assertIn("4,000 -> 2,000", text)

    def test_short_times_are_in_microseconds_and_never_in_others(self):
        for scheme in ("ecmp", "rails"):
            self.add(scheme, bound_s=1e-7)
        self.assertIn("ecmp cct_s [us]", self.compare(self.folder, "--by", "balance")[0])

    def test_multiples_of_other_bounds_are_said_to_be_such(self):
        self.along("topology.spines", BOUND_S, 3 * BOUND_S)
        by = (self.folder, "--by", "topology.spines")
        text, _ = self.compare(*by, "--metric", "cct_over_bound")
        self.assertIn("cct_over_bound of 2 of 2 is over own bound: rows do not compare", text)
        self.assertNotIn("own bound", self.compare(*by)[0])
        by = (self.folder, "--by", "balance", "--metric", "cct_over_bound")
        self.assertNotIn("own bound", self.compare(*by)[0])


if __name__ == "__main__":
    unittest.main()
