# SPDX-License-Identifier: GPL-2.0-only
"""Results of studies of policies for experts are shown like any others."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import synthetic
from programs import call
from synthetic_failures import write_failure
from synthetic_studies import BEFORE, POLICIES, write_studies, write_study
from rails.plots import expert_data, style
from rails.errors import ResultError
from rails.plots.expert_figures import balance_over_time, bytes_and_balance, gpu_loads
from rails.plots.layout import Skip
from rails.plots.report_figures import Groups, figures
from rails.reader.result_folder import load_folder
from rails.plots.results import Results, load
from rails.plots.sweep_figure import along_axes

OF_ONE_CASE = {"gpu-loads", "balance-over-time", "bytes-and-balance"}


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def drawn(self):
        """Names of the figures that are there."""
        return {path.stem for path in (self.folder / "figures").iterdir()}


class Loading(Temporary):
    def test_the_policy_is_the_scheme(self):
        write_studies(self.folder)
        results = load(self.folder)
        self.assertEqual(results.schemes, list(POLICIES))
        self.assertEqual((results.axes, results.failures, results.seeds), ([], [], [1, 2]))
        self.assertEqual([point.ratio for point in results.of("oracle")], [1.0, 1.0])

    def test_variants_of_a_policy_are_told_apart_by_the_keys_that_differ(self):
        for slots in (1, 2):
            write_study(self.folder / str(slots), "eplb", keys={"slots": slots, "period": 10})
        write_study(self.folder / "other", "llep", keys={"alpha": 1.1})
        results = load(self.folder)
        self.assertEqual(results.schemes, ["eplb (slots 1)", "eplb (slots 2)", "llep"])
        self.assertEqual(results.axes, [])
        looks = [style.look(scheme, results.schemes) for scheme in results.schemes]
        self.assertEqual(len({look[0] for look in looks}), 3)

    def test_a_key_of_a_policy_that_is_swept_on_its_own_is_an_axis(self):
        for slots in (1, 2):
            axes = {"experts.policy.slots": str(slots)}
            write_study(self.folder / str(slots), "eplb", keys={"slots": slots}, axes=axes)
        results = load(self.folder)
        self.assertEqual(results.schemes, ["eplb"])
        self.assertEqual([(axis.name, axis.of_scheme) for axis in results.axes], [("slots", True)])

    def test_a_study_that_did_not_end_well_has_no_numbers(self):
        write_study(self.folder / "good", "llep")
        write_study(self.folder / "bad", "eplb", status=4, report="a plan cannot be right: x")
        results = load(self.folder)
        (failed,) = results.failed
        self.assertEqual((failed.ratio, failed.result["bytes_across"]), (None, None))
        self.assertEqual(failed.outcome,
                         "did not finish (status 4): a plan cannot be right: x")
        config = {"experts": {"policy": {"type": "echo"}}}
        write_failure(self.folder / "lost", "echo", 1, config=config)
        self.assertEqual(load(self.folder).failed_schemes, ["eplb", "echo"])

    def test_a_damaged_study_is_named_with_the_reason(self):
        write_study(self.folder / "good")
        for name, changes in {
            "no load": {"max_over_mean": None},
            "no bytes": {"bytes_across": "many"},
            "no policy": {"config": {"policy": "eplb"}},
            "no truth": {"oracle": 1},
        }.items():
            write_study(self.folder / name, **changes)
        found = [str(entry) for entry in load(self.folder).unreadable]
        self.assertEqual(found, [
            "no bytes: result.json bytes_across: expected a number that is not negative, "
            "found many",
            "no load: result.json max_over_mean: expected a number that is not negative, "
            "found None",
            "no policy: result.json lacks config.experts.policy.type, a name",
            "no truth: result.json oracle: expected true or false, found 1",
        ])

    def test_simulations_and_studies_have_no_figure_in_common(self):
        write_studies(self.folder / "b")
        synthetic.write_point(self.folder / "a", messages=20)
        for command, *options in (("plot",), ("report",), ("compare", "--by", "balance")):
            done = call(command, self.folder, *options)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(
                done.stderr,
                f"{self.folder}: error: holds 1 simulation (as in a) and 8 studies of policies "
                "for experts (as in b/policy=eplb,seed=1), which have no numbers in common; "
                "expected a folder of one kind, or --where KEY=VALUE with a key of one kind\n",
            )
        done = call("compare", self.folder / "a", self.folder / "b")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected results of one kind", done.stderr)

    def test_policies_keep_distinct_looks_also_without_colour(self):
        looks = [style.look(policy) for policy in style.POLICIES]
        for part in (0, 1, 2, 3):
            self.assertEqual(len({look[part] for look in looks}), len(looks) - (part in (1, 3)),
                             "all but ours, which is drawn wider")


class Plot(Temporary):
    def test_a_case_gets_its_figures_and_those_of_simulations_are_no_matter(self):
        write_studies(self.folder)
        done = call("plot", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("left out", done.stdout)
        self.assertEqual(self.drawn(), OF_ONE_CASE)

    def test_several_cases_get_the_load_along_their_axes(self):
        for gpus in (8, 16):
            write_studies(self.folder / str(gpus), config={"gpus": gpus})
        done = call("plot", self.folder)
        self.assertIn("name it, as in: --where experts.gpus=", done.stdout)
        self.assertEqual(self.drawn(), {"max-over-mean-by-gpus"})
        axes = along_axes(load(self.folder), "").axes[0]
        (line,) = (line for line in axes.lines if line.get_label() == "plain-ep")
        self.assertEqual(list(line.get_xdata()), [8, 16])
        self.assertAlmostEqual(line.get_ydata()[0], 1 + 3 * 1.015)  # mean of two seeds

    def test_loads_of_gpus_are_drawn_without_and_with_the_policy_the_best_first(self):
        write_studies(self.folder, ("plain-ep", "llep"), (1,))
        figure = gpu_loads(load(self.folder), "")
        other, one = (axes for axes in figure.axes if axes.get_visible())
        self.assertEqual(one.get_title(), "plain-ep\nmax/mean 4.00 → 4.03")
        self.assertEqual(other.get_title(), "llep\nmax/mean 4.00 → 1.10")
        (stairs,) = (patch for patch in other.patches if hasattr(patch, "get_data"))
        self.assertEqual(len(stairs.get_data().values), 8)
        self.assertAlmostEqual(sum(stairs.get_data().values), 8)

    def test_balance_over_time_is_a_mean_over_layers_and_needs_time(self):
        write_studies(self.folder / "long", ("eplb",), (1,))
        over = expert_data.over_time(load(self.folder / "long").points)
        self.assertEqual(list(over.times), [0, 1, 2])
        np.testing.assert_allclose(over.before, BEFORE)
        np.testing.assert_allclose(over.after, 1.505)
        np.testing.assert_allclose(over.highest, 1.1 * 1.505)
        balance_over_time(load(self.folder / "long"), "")
        write_studies(self.folder / "short", ("eplb",), (1,), iterations=1)
        with self.assertRaisesRegex(Skip, "a single micro-batch"):
            balance_over_time(load(self.folder / "short"), "")

    def test_a_table_that_is_absent_costs_its_figure(self):
        write_studies(self.folder, ("llep",), (1,))
        (self.folder / "policy=llep,seed=1" / "plans.csv").unlink()
        done = call("plot", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("balance-over-time left out: ", done.stdout)
        self.assertEqual(self.drawn(), OF_ONE_CASE - {"balance-over-time"})

    def test_a_table_without_rows_or_with_those_of_fewer_gpus_costs_its_figure(self):
        write_studies(self.folder, ("llep",), (1, 2))
        for name, rows, reason in (("gpu_loads", 1, "has 1 rows; other seeds have "), ("gpu_loads", 0, "has no rows"),
                                   ("plans", 0, "has no rows")):
            table = self.folder / "policy=llep,seed=2" / f"{name}.csv"
            table.write_text("".join(table.read_text().splitlines(keepends=True)[: 1 + rows]))
            done = call("plot", self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{table}: error: {reason}", done.stderr)
            self.assertNotIn("defect", done.stderr)

    def test_labels_cover_neither_each_other_nor_leave_the_figure(self):
        write_studies(self.folder, seeds=(1,))
        for number in range(8):  # nearly at one place
            write_study(self.folder / str(number), f"own-{number}", bytes_across=3.2e8 + number)
        figure = bytes_and_balance(load(self.folder), "")
        figure.draw_without_rendering()
        for axes in figure.axes:
            boxes = [t.get_window_extent() for t in axes.texts if t.get_text()]
            self.assertEqual(len(boxes), 12)
            for place, box in enumerate(boxes):
                self.assertFalse(any(box.overlaps(other) for other in boxes[:place]))


class Front(Temporary):
    def places(self, **changes):
        write_studies(self.folder, seeds=(1,), **changes)
        results = load(self.folder)
        return [expert_data.place_of(s, results.of(s), "across") for s in results.schemes]

    def test_it_holds_what_no_other_policy_surpasses_and_no_oracle(self):
        places = self.places()
        self.assertEqual([place.scheme for place in expert_data.front(places)],
                         ["plain-ep", "llep"])  # eplb has more bytes and more load than llep

    def test_less_load_by_dropping_tokens_does_not_count(self):
        self.assertEqual(expert_data.front(self.places(dropped_share=0.1)), [])

    def test_the_scale_of_loads_goes_both_ways(self):
        loads = np.array([1, 1.01, 1.5, 30])
        np.testing.assert_allclose(expert_data.unstretched(expert_data.stretched(loads)), loads)

    def test_what_moves_many_times_the_bytes_does_not_stretch_the_scale(self):
        self.assertEqual(expert_data.common_range([10, 11, 12, 400]), 12)
        self.assertEqual(expert_data.common_range([0, 0, 0]), 0)


class Report(Temporary):
    def figures(self):
        found, notes = figures(Groups(Results(load_folder(self.folder), grid=False)))
        for figure in found:
            json.dumps(figure.traces, allow_nan=False)
            go.Figure({"data": figure.traces, "layout": figure.layout}, skip_invalid=False)
        return {figure.key: figure for figure in found}, notes

    def test_it_has_the_figures_of_a_study(self):
        write_studies(self.folder)
        found, notes = self.figures()
        self.assertEqual((set(found), notes), (OF_ONE_CASE, []))
        marks = {trace["name"]: trace for trace in found["bytes-and-balance"].traces
                 if trace.get("xaxis") == "x2" and trace["mode"] == "markers+text"}
        self.assertEqual(set(marks), set(POLICIES))
        self.assertEqual([name for name, mark in marks.items() if mark["text"]],
                         ["plain-ep", "llep"])
        self.assertIn("oracle: does what no real system can", marks["oracle"]["hovertext"][0])

    def test_it_has_a_figure_for_each_axis_and_all_cases(self):
        for gpus in (8, 16):
            write_studies(self.folder / str(gpus), config={"gpus": gpus})
        found, _ = self.figures()
        self.assertEqual(set(found), OF_ONE_CASE | {"by-experts.gpus"})
        places = {trace["meta"]["place"].get("experts.gpus")
                  for trace in found["bytes-and-balance"].traces}
        self.assertEqual(places, {0, 1})

    def test_its_tables_have_the_columns_of_a_study(self):
        write_studies(self.folder)
        self.assertEqual(call("report", self.folder).returncode, 0)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for title in ("Policy", "Max/mean before", "Bytes across servers [MB]",
                      "Weights across [MB]", "Planning [us]", "Means over seeds"):
            self.assertIn(title, page)
        for title in ("Over bound", "Completion [", "Gradients inside", "Tokens dropped"):
            self.assertNotIn(f">{title}", page)
        self.assertNotIn("Age of the training", page)

    def test_its_tables_say_how_old_the_training_is(self):
        for age in (0, 5000):
            write_studies(self.folder / str(age), seeds=(1,), load_first_iteration=age)
        self.assertEqual(call("report", self.folder).returncode, 0)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("Age of the training [iterations]", page)
        self.assertIn(">5,000<", page)


class Compare(Temporary):
    def test_the_load_is_compared_unless_something_else_is_asked_for(self):
        write_studies(self.folder)
        done = call("compare", self.folder, "--by", "experts.policy", "--json",
                    self.folder / "found.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("eplb, llep, oracle compared with plain-ep (experts.policy)", done.stdout)
        found = json.loads((self.folder / "found.json").read_text())
        self.assertEqual((found["metric"], len(found["points"])), ("max_over_mean", 3))
        done = call("compare", self.folder, "--by", "experts.policy", "--metric", "bytes_across")
        self.assertIn("plain-ep bytes_across [MB]", done.stdout)

    def test_two_folders_are_compared_by_policy_and_seed(self):
        write_studies(self.folder / "a")
        write_studies(self.folder / "b", ("plain-ep", "llep"), max_over_mean=1.2)
        done = call("compare", self.folder / "a", self.folder / "b")
        self.assertEqual(done.returncode, 0)
        self.assertIn("only in a: eplb, seeds 1, 2", done.stdout)

    def test_a_number_of_simulations_is_refused_with_those_that_there_are(self):
        write_studies(self.folder)
        done = call("compare", self.folder, "--by", "experts.policy", "--metric", "cct_s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no such number; expected one of bytes_across", done.stderr)


class Errors(Temporary):
    def test_a_folder_without_a_whole_study_says_why(self):
        write_study(self.folder / "bad", status=4, report="a plan cannot be right: x")
        with self.assertRaisesRegex(ResultError, "no whole result.*cannot be right"):
            load(self.folder)


if __name__ == "__main__":
    unittest.main()
