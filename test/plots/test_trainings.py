# SPDX-License-Identifier: GPL-2.0-only
"""Policies of experts of a training are compared by the time of an iteration, not by a bound."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import plotly.graph_objects as go
import synthetic
from programs import call
from synthetic_failures import write_failure
from synthetic_trainings import BEFORE, POLICIES, iteration_s, write_training, write_trainings
from rails.plots import style
from rails.plots.iteration_figures import balance_and_cost, critical_path
from rails.reader.kinds import SIMULATION, TRAINING
from rails.plots.layout import Skip
from rails.plots.report_figures import Groups, figures
from rails.reader.result_folder import load_folder
from rails.plots.results import Results, load
from rails.plots.stage_data import stage_types
from rails.plots.sweep_figure import along_axes

OF_NETWORK = {"message-cdf", "queue-ccdf", "nic-load", "link-utilisation"}
OF_POLICIES = {"iteration", "balance-and-cost"}
ADDED = ("expert-planning", "expert-counts", "expert-moves", "expert-weights", "expert-gradients")


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def results(self):
        return load(self.folder)

    def beside(self, axes):
        """What stands in the column beside the bars."""
        return [text.get_text() for text in axes.texts]


class Loading(Temporary):
    def test_the_policy_is_the_scheme_where_it_differs_and_the_balance_an_axis(self):
        write_trainings(self.folder, schemes=("ecmp", "rails"))
        results = self.results()
        self.assertIs(results.kind, TRAINING)
        self.assertEqual(results.schemes, list(POLICIES))
        self.assertEqual([axis.key for axis in results.axes], ["balance.type"])
        self.assertEqual((results.baseline, results.failures), ("plain-ep", []))

    def test_the_balance_is_the_scheme_where_the_policy_is_the_same(self):
        write_trainings(self.folder, ("ultra-ep",), schemes=("ecmp", "rails"))
        results = self.results()
        self.assertIs(results.kind, SIMULATION)
        self.assertEqual((results.schemes, results.axes), (["ecmp", "rails"], []))
        self.assertEqual(results.measure.key, "cct_over_bound")

    def test_what_is_no_training_keeps_its_schemes_beside_trainings(self):
        write_trainings(self.folder)
        synthetic.write_point(self.folder / "other", "ecmp", messages=20)
        self.assertIs(self.results().kind, SIMULATION)

    def test_a_key_of_a_policy_that_differs_makes_variants_and_one_that_is_swept_an_axis(self):
        for slots in (1, 2):
            write_training(self.folder / str(slots), keys={"slots": slots})
        self.assertEqual(self.results().schemes, ["ultra-ep (slots 1)", "ultra-ep (slots 2)"])
        shutil.rmtree(self.folder)
        for slots in (1, 2):
            axes = {"workload.experts.slots": str(slots)}
            write_training(self.folder / str(slots), keys={"slots": slots}, axes=axes)
        results = self.results()
        self.assertEqual(results.schemes, ["ultra-ep"])
        self.assertEqual([(axis.name, axis.of_scheme) for axis in results.axes], [("slots", True)])

    def test_points_are_ranked_by_the_iteration_over_that_of_plain_ep_of_the_same_case(self):
        write_trainings(self.folder, seeds=(1, 2), schemes=("ecmp", "rails"))
        results = self.results()
        wanted = iteration_s("ultra-ep") / iteration_s("plain-ep")
        for policy, ratio in (("plain-ep", 1), ("ultra-ep", wanted)):
            for point in results.of(policy):
                self.assertAlmostEqual(point.ratio, ratio)
                self.assertEqual(point.result["iteration_over_plain_ep"], point.ratio)

    def test_shortened_trainings_are_ranked_by_their_estimated_wholes(self):
        for policy, whole in (("plain-ep", 2.0), ("ultra-ep", 1.5)):
            write_training(self.folder / policy, policy, whole_iteration_s=whole)
        results = self.results()
        self.assertEqual({point.scheme: point.ratio for point in results.points}, {"plain-ep": 1, "ultra-ep": 0.75})
        self.assertEqual(results.ratio.title, "Estimated whole iteration over that of plain-ep")

    def test_without_plain_ep_everywhere_the_iteration_itself_is_shown(self):
        write_trainings(self.folder, schemes=("ecmp", "rails"))
        shutil.rmtree(self.folder / "experts=plain-ep,balance=ecmp,seed=1")
        results = self.results()
        self.assertEqual(results.measure.key, "iteration_s")

    def test_waiting_is_summed_up_over_what_a_policy_adds(self):
        write_trainings(self.folder)
        points = {point.scheme: point.result for point in self.results().points}
        self.assertAlmostEqual(points["ultra-ep"]["expert_parameters_exposed_s"], 50.5e-3)
        self.assertAlmostEqual(points["ultra-ep"]["expert_planning_exposed_s"], 10.1e-3)
        self.assertEqual(points["plain-ep"]["expert_parameters_exposed_s"], 0)

    def test_a_training_that_did_not_finish_has_no_numbers(self):
        write_trainings(self.folder)
        write_training(self.folder / "bad", "ultra-ep", 2, status=4, report="a plan")
        (failed,) = self.results().failed
        for key in ("iteration_s", "expert_max_over_mean", "expert_parameters_exposed_s"):
            self.assertIsNone(failed.result[key])


class Plot(Temporary):
    def drawn(self):
        return {path.stem for path in (self.folder / "figures").iterdir()}

    def test_policies_get_their_figures_and_none_of_the_bound(self):
        write_trainings(self.folder)
        done = call("plot", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.drawn(), OF_POLICIES | OF_NETWORK)

    def test_several_cases_stand_one_below_the_other(self):
        write_trainings(self.folder, schemes=("ecmp", "rails"))
        done = call("plot", self.folder)
        self.assertIn("name it, as in: --where balance.type=rails", done.stdout)
        self.assertEqual(self.drawn(), OF_POLICIES | {"iteration-by-balance"})
        figure = critical_path(self.results(), "")
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        self.assertEqual(titles, ["balance ecmp", "balance rails"])
        slow, fast = (max(bar.get_x() + bar.get_width() for bar in axes.patches)
                      for axes in figure.axes)
        self.assertAlmostEqual(slow, 2 * fast)

    def test_the_critical_path_is_told_in_time_and_against_plain_ep(self):
        write_trainings(self.folder)
        (axes,) = critical_path(self.results(), "").axes
        self.assertEqual(self.beside(axes),
                         ["505.0 ms", "232.3 ms, −54 %", "222.2 ms, −56 %", "against plain-ep"])
        ends = {}
        for bar in axes.patches:
            row = round(bar.get_y() + bar.get_height() / 2)
            ends[row] = max(ends.get(row, 0), bar.get_x() + bar.get_width())
        for row, policy in enumerate(POLICIES):
            self.assertAlmostEqual(ends[row], 1e3 * 1.01 * iteration_s(policy))
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels, ["attention", "experts", "dispatch", "expert-planning",
                                  "expert-weights", "expert-gradients"])

    def test_what_failed_and_what_drops_tokens_is_told(self):
        write_trainings(self.folder, ("plain-ep",), seeds=(1, 2))
        write_trainings(self.folder, ("eplb",), expert_dropped_share=0.25)
        write_training(self.folder / "bad", "eplb", 2, status=4, report="a plan")
        write_training(self.folder / "worse", "ultra-ep", 1, status=4, report="a plan")
        (axes,) = critical_path(self.results(), "").axes
        self.assertEqual(self.beside(axes)[1:3], [
            "232.3 ms, −54 %\n(1 of 2 left out; drops 25 % of the tokens)", "did not finish"])
        balance_and_cost(self.results(), "")

    def test_balance_and_cost_has_loads_waiting_and_memory(self):
        write_trainings(self.folder)
        load_axes, waiting, memory = balance_and_cost(self.results(), "").axes
        self.assertEqual(self.beside(load_axes)[:3],
                         ["8.00", "8.00 → 2.00", "8.00 → 1.20"])
        self.assertEqual(self.beside(waiting), ["0 ms", "30.30 ms", "60.60 ms"])
        self.assertEqual(self.beside(memory), ["40.00 GB", "43.00 GB", "45.00 GB"])
        widths = sorted(bar.get_width() for bar in waiting.patches)
        self.assertEqual([round(width, 6) for width in widths], [10.1, 15.15, 15.15, 25.25, 25.25])

    def test_trainings_without_memory_have_no_panel_for_it(self):
        write_trainings(self.folder, memory_bytes=None)
        self.assertEqual(len(balance_and_cost(self.results(), "").axes), 2)

    def test_a_policy_that_says_nothing_of_its_load_has_a_dash(self):
        unknown = dict.fromkeys(("expert_max_over_mean_before", "expert_max_over_mean"))
        write_trainings(self.folder, ("plain-ep",), **unknown)
        write_trainings(self.folder, ("ultra-ep",))
        load_axes = balance_and_cost(self.results(), "").axes[0]
        self.assertEqual(self.beside(load_axes)[:2], ["–", "8.00 → 1.20"])
        for name in ("experts=plain-ep", "experts=ultra-ep"):
            shutil.rmtree(self.folder / f"{name},balance=rails,seed=1")
        write_trainings(self.folder, **unknown)
        with self.assertRaisesRegex(Skip, "no policy decides anything"):
            balance_and_cost(self.results(), "")

    def test_along_axes_stands_the_time_over_plain_ep_or_the_time(self):
        write_trainings(self.folder, schemes=("ecmp", "rails"))
        axes = along_axes(self.results(), "").axes[0]
        (marks,) = (c for c in axes.containers if c.get_label() == "ultra-ep")
        wanted = iteration_s("ultra-ep") / iteration_s("plain-ep")
        for height in marks[0].get_ydata():
            self.assertAlmostEqual(height, wanted)
        self.assertEqual(axes.figure._supylabel.get_text(), "iteration time over that of plain-ep")
        for place in self.folder.glob("experts=plain-ep*"):
            shutil.rmtree(place)
        axes = along_axes(self.results(), "").axes[0]
        self.assertEqual(axes.figure._supylabel.get_text(), "iteration time [ms]")
        (marks,) = (c for c in axes.containers if c.get_label() == "ultra-ep")
        self.assertAlmostEqual(marks[0].get_ydata()[1], 1e3 * 1.01 * iteration_s("ultra-ep"))

    def test_values_of_a_policys_own_key_are_rows(self):
        for slots in (1, 2):
            axes = {"workload.experts.slots": str(slots)}
            write_training(self.folder / str(slots), keys={"slots": slots}, axes=axes)
        write_training(self.folder / "plain", "plain-ep")
        (axes,) = critical_path(self.results(), "").axes
        labels = [label.get_text() for label in axes.get_yticklabels()]
        self.assertEqual(labels, ["plain-ep", "ultra-ep, slots 1", "ultra-ep, slots 2"])

    def test_too_many_bars_are_refused_with_the_way_out(self):
        for micro in range(61):
            for policy in ("plain-ep", "eplb"):
                config = {"workload.batch.micro": micro + 1}
                write_training(self.folder / f"{policy}-{micro}", policy, config=config)
        with self.assertRaisesRegex(Skip, "122 bars are too many to look at; --where"):
            critical_path(self.results(), "")


class Stages(Temporary):
    def test_stages_of_a_training_keep_looks_of_their_own(self):
        names = (*style.STAGES, *ADDED)
        types = dict.fromkeys(names, "communication")
        looks = [style.stage(name, types) for name in style.STAGES]
        self.assertEqual(len({look["facecolor"] for look in looks}), len(looks))
        self.assertLessEqual(set(ADDED), set(style.STAGES))
        alone = {"expert-weights": "communication"}
        self.assertEqual(style.stage("expert-weights", alone), style.stage("expert-weights", types))

    def test_a_users_stages_take_what_is_free(self):
        types = {"dispatch": "communication", "mine": "communication", "yours": "communication"}
        colours = {style.stage(name, types)["facecolor"] for name in types}
        self.assertEqual(len(colours), 3)

    def test_stages_that_only_some_runs_have_stand_where_they_belong(self):
        orders = (("a", "c"), ("a", "b", "c", "d"), ("a", "c", "e"))
        for number, names in enumerate(orders):
            kinds = [{"name": n, "type": "compute", "critical_s": 1e-3} for n in names]
            write_training(self.folder / str(number), "eplb", number, graph={"kinds": kinds})
        self.assertEqual("".join(stage_types(self.results().points)), "abced")


class Report(Temporary):
    def figures(self):
        found, notes = figures(Groups(Results(load_folder(self.folder), grid=False)))
        for figure in found:
            json.dumps(figure.traces, allow_nan=False)
            go.Figure({"data": figure.traces, "layout": figure.layout}, skip_invalid=False)
        return {figure.key: figure for figure in found}, notes

    def test_it_has_the_critical_path_and_the_balance_first_and_no_bound(self):
        write_trainings(self.folder, seeds=(1, 2), schemes=("ecmp", "rails"))
        found, notes = self.figures()
        self.assertEqual(list(found)[:3], ["iteration", "balance-and-cost", "by-balance.type"])
        self.assertEqual(notes, [])
        self.assertNotIn("cct", found)
        for figure in found.values():
            self.assertNotIn("lower bound", json.dumps(figure.traces))

    def test_bars_are_made_of_stages_that_a_click_does_not_hide(self):
        write_trainings(self.folder, seeds=(1, 2))
        traces = self.figures()[0]["iteration"].traces
        entries = [trace for trace in traces if "scheme" not in trace["meta"]]
        self.assertEqual([entry["name"] for entry in entries],
                         ["attention", "experts", "dispatch", "expert-planning",
                          "expert-weights", "expert-gradients"])
        bars = [t for t in traces if t["meta"].get("scheme") == "ultra-ep" and t["type"] == "bar"]
        self.assertAlmostEqual(sum(bar["x"][0] for bar in bars),
                               1e3 * 1.015 * iteration_s("ultra-ep"), places=1)
        self.assertFalse(any(bar["showlegend"] for bar in bars))
        texts = [t["text"] for t in traces if t["meta"]["role"] == "label"]
        self.assertEqual(texts, [["507.5 ms"], ["233.5 ms<br>−54 %"], ["223.3 ms<br>−56 %"]])

    def test_its_tables_have_the_time_the_load_what_it_costs_and_no_ratio_to_a_bound(self):
        write_trainings(self.folder, seeds=(1, 2))
        write_training(self.folder / "bad", "eplb", 3, status=4, report="a plan")
        self.assertEqual(call("report", self.folder).returncode, 0)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for title in ("Policy", "Iteration [ms]", "Over plain-ep", "Max/mean before", "Max/mean",
                      "Experts&#x27; parameters exposed [ms]", "Planning exposed [ms]",
                      "Memory of a GPU [GB]", "Means over seeds"):
            self.assertIn(f">{title}<", page)
        for title in ("Over bound", "Lower bound", "Completion [", "Tokens dropped"):
            self.assertNotIn(f">{title}", page)

    def test_a_single_policy_has_the_critical_path_beside_the_completion(self):
        write_trainings(self.folder, ("ultra-ep",), schemes=("ecmp", "rails"))
        self.assertEqual(list(self.figures()[0])[:2], ["iteration", "message-cdf"])


class Compare(Temporary):
    def compare(self, *arguments):
        done = call("compare", *arguments, "--json", self.folder / "found.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout, json.loads((self.folder / "found.json").read_text())

    def test_iterations_are_compared_with_what_they_cost_beside(self):
        write_trainings(self.folder, seeds=(1, 2, 3))
        text, found = self.compare(self.folder, "--by", "workload.experts")
        self.assertIn("eplb, ultra-ep compared with plain-ep (workload.experts)", text)
        self.assertEqual(found["metric"], "iteration_s")
        (pair,) = (pair for pair in found["points"] if pair["value"] == "ultra-ep")
        self.assertEqual(pair["verdict"], "differs")
        self.assertAlmostEqual(pair["beside"]["expert_parameters_exposed_s"]["b"], 51e-3)
        self.assertEqual(pair["beside"]["expert_max_over_mean"], {"a": BEFORE, "b": 1.2})
        self.assertIn("Experts' parameters exposed [ms]", text)
        (line,) = (line for line in text.splitlines() if "8 -> 1.2" in line)
        self.assertEqual(line.split(), "ultra-ep 8 -> 1.2 0 -> 51 0 -> 10.2 40 -> 45".split())
        self.assertIn("Second table: plain-ep -> other.", text)

    def test_another_metric_is_not_shown_twice(self):
        write_trainings(self.folder)
        text, _ = self.compare(
            self.folder, "--by", "workload.experts", "--metric", "memory_bytes")
        self.assertIn("plain-ep memory_bytes [GB]", text)
        self.assertNotIn("Memory of a GPU", text)

    def test_balances_are_compared_policy_by_policy(self):
        write_trainings(self.folder, schemes=("ecmp", "rails"))
        _, found = self.compare(self.folder, "--by", "balance")
        self.assertEqual(sorted(pair["point"] for pair in found["points"]), sorted(POLICIES))
        self.assertEqual(found["metric"], "iteration_s")

    def test_folders_of_a_policy_each_are_compared_by_the_iteration(self):
        for name, policy in (("a", "plain-ep"), ("b", "ultra-ep")):
            write_trainings(self.folder / name, (policy,), schemes=("ecmp", "rails"))
        text, found = self.compare(self.folder / "a", self.folder / "b")
        self.assertEqual((found["metric"], len(found["points"])), ("iteration_s", 2))
        self.assertIn("Second table: a -> b.", text)

    def test_simulations_have_no_second_table(self):
        for scheme in ("ecmp", "rails"):
            synthetic.write_point(self.folder / scheme, scheme, messages=20)
        text, found = self.compare(self.folder, "--by", "balance")
        self.assertNotIn("Second table", text)
        self.assertNotIn("beside", found["points"][0])


class Errors(Temporary):
    def test_a_number_of_a_training_that_is_none_is_damage(self):
        write_training(self.folder / "bad", expert_max_over_mean="many")
        write_training(self.folder / "good")
        (line,) = map(str, self.results().unreadable)
        self.assertIn("expert_max_over_mean: expected a number that is not negative", line)

    def test_a_failed_training_is_a_point_of_its_policy(self):
        write_trainings(self.folder)
        config = {"balance": {"type": "rails"},
                  "workload": {"type": "training", "experts": {"type": "eplb"}}}
        write_failure(self.folder / "bad", "rails", 7, config=config)
        self.assertEqual([point.scheme for point in self.results().failed], ["eplb"])


if __name__ == "__main__":
    unittest.main()
