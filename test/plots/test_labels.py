# SPDX-License-Identifier: GPL-2.0-only
"""What the user calls components and values, in axes, schemes and comparisons."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
import synthetic
from synthetic_trainings import POLICIES, write_training
from rails.plots.folder_comparison import compare_folders
from rails.plots.key_comparison import compare_by
from rails.plots.report_parts import parts_of
from rails.reader.result_folder import load_folder
from rails.plots.results import load


class Labels(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.count = 0

    def add(self, scheme="rails", labels=None, config=None, folder=".", **changes):
        self.count += 1
        place = self.folder / folder / str(self.count)
        synthetic.write_point(
            place, scheme, 1, config=config, messages=1, labels=labels or {}, **changes)

    def sweep_over(self, numbers):
        """Makes the folder that of a sweep whose points have these numbers, in this order."""
        (self.folder / "points.json").write_text(json.dumps([str(number) for number in numbers]))

    def test_schemes_and_values_come_in_the_order_of_their_sweep(self):
        for fabric in ("today", "as planned"):
            for label in ("zigzag", "as before", "middle"):
                self.add("ecmp", {"balance": label, "topology": fabric}, {"topology.type": fabric})
        self.add("ecmp", {"balance": "of an earlier sweep", "topology": "today"}, {"topology.type": "today"})
        self.sweep_over(range(1, 7))
        self.assertEqual(load(self.folder).schemes, ["zigzag", "as before", "middle"])
        self.assertEqual(load(self.folder).axes[0].ticks, ["today", "as planned"])
        found = compare_by(load_folder(self.folder), "balance")
        self.assertEqual((found.baseline, found.values), ("zigzag", ["as before", "middle"]))
        self.add("ecmp", {"topology": "today"}, {"topology.type": "today"})
        self.sweep_over([*range(1, 7), self.count])
        self.assertEqual(compare_by(load_folder(self.folder), "balance").baseline, "ecmp")
        self.sweep_over(range(1, 7))
        part, = parts_of([load_folder(self.folder)])
        self.assertEqual([case.name for case in part.cases], [""])
        self.assertEqual([scheme for scheme, _ in part.groups.in_order(part.groups.of)],
                         2 * ["zigzag"] + 2 * ["as before"] + 2 * ["middle"])
        (self.folder / "points.json").unlink()
        self.assertEqual(load(self.folder).axes[0].ticks, ["as planned", "today"])

    def test_schemes_of_the_module_and_numbers_have_their_usual_order(self):
        for size in ("4MB", "64KiB", "1MB"):
            for scheme in ("rails", "ecmp"):
                self.add(scheme, {}, {"workload.size": size})
        self.sweep_over(range(1, 7))
        results = load(self.folder)
        self.assertEqual((results.schemes, results.axes[0].values), (["ecmp", "rails"], ["64KiB", "1MB", "4MB"]))
        self.assertEqual(compare_by(load_folder(self.folder), "balance").baseline, "ecmp")

    def test_a_scheme_has_its_label_as_its_name(self):
        for chunk in ("1MB", "4MB"):
            self.add("rails", {"balance": f"RailS {chunk}"}, {"balance.chunk": chunk})
        self.add("ecmp", {"balance": "sprayed"}, {"balance.host.type": "spray"})
        self.add("rail-source")
        results = load(self.folder)
        self.assertEqual(sorted(results.schemes),
                         ["RailS 1MB", "RailS 4MB", "rail-source", "sprayed"])
        self.assertEqual((results.axes, results.failures), ([], []))

    def test_parts_that_differ_under_one_label_are_told(self):
        for host in ("flow", "spray"):
            self.add("ecmp", {"balance": "ours"}, {"balance.host.type": host},
                     axes={"balance.host": host})
        self.add("ecmp", {"balance.host": "all over"}, {"balance.host.type": "spray"})
        self.assertEqual(sorted(load(self.folder).schemes),
                         ["ecmp + host all over", "ours + host flow", "ours + host spray"])

    def test_a_component_with_labels_is_one_axis_whatever_is_in_it(self):
        for label, keys in {"rails": {"type": "rail", "spines": 0},
                            "rails, spines": {"type": "rail", "spines": 8},
                            "tree": {"type": "fat-tree", "k": 8}}.items():
            config = {f"topology.{key}": value for key, value in keys.items()}
            for scheme in ("ecmp", "rails"):
                self.add(scheme, {"topology": label}, config)
        self.add("ecmp", {}, {"topology.type": "leaf-spine"}, axes={"topology": "leaf-spine"})
        self.add("rails", {}, {"topology.type": "leaf-spine"}, axes={"topology": "leaf-spine"})
        self.sweep_over(range(self.count, 0, -1))
        results = load(self.folder)
        (axis,) = results.axes
        self.assertEqual((axis.key, axis.name), ("topology", "topology"))
        self.assertEqual(axis.ticks, ["leaf-spine", "tree", "rails, spines", "rails"])
        self.assertEqual(results.absent, [])

    def test_values_of_an_axis_are_called_by_their_labels(self):
        for mtu, label in (("1KB", "small"), ("4KB", None)):
            self.add("rails", {"transport.mtu": label} if label else {}, {"transport.mtu": mtu})
        lists = {'["dispatch"]': "there", '["dispatch", "combine"]': "there and back"}
        for phases, label in lists.items():
            self.add("ecmp", {"workload.phases": label},
                     {"workload.phases": phases, "transport.mtu": "1KB"})
        axes = {axis.key: axis for axis in load(self.folder).axes}
        self.assertEqual(axes["transport.mtu"].ticks, ["small", "4 KB"])
        self.assertEqual(set(axes["workload.phases"].ticks[:2]), {"there", "there and back"})

    def test_a_comparison_along_a_key_names_them(self):
        for label, keys in {"rails": {"type": "rail"}, "tree": {"type": "fat-tree"}}.items():
            config = {f"topology.{key}": value for key, value in keys.items()}
            self.add("rails", {"topology": label}, config)
        found = compare_by(load_folder(self.folder), "topology", "tree")
        self.assertEqual((found.baseline, found.values, len(found.pairs)), ("tree", ["rails"], 1))
        found = compare_by(load_folder(self.folder), "topology.type")
        self.assertEqual((found.baseline, found.values), ("fat-tree", ["rail"]))

    def test_a_label_does_not_keep_points_of_two_folders_apart(self):
        for folder, label in (("a", "rails"), ("b", "other")):
            self.add("rails", {"topology": label, "balance": label}, {"topology.type": "rail"},
                     folder)
        found = compare_folders(*(load_folder(self.folder / name) for name in ("a", "b")))
        self.assertEqual((len(found.pairs), found.keys), (1, {}))

    def test_a_policy_of_experts_has_its_label_and_stays_the_baseline(self):
        for policy in POLICIES:
            write_training(self.folder / policy, policy, labels={"workload.experts": f"my {policy}"})
        results = load(self.folder)
        self.assertEqual(results.schemes, ["my eplb", "my plain-ep", "my ultra-ep"])
        self.assertEqual(results.baseline, "my plain-ep")
        self.assertEqual(results.measure.key, "iteration_over_plain_ep")
        self.assertEqual(results.measure.times, "× my plain-ep")
        self.assertIn("Over my plain-ep", [column.title for column in results.columns])

    def test_the_baseline_that_a_sweep_names_is_the_one_of_its_results(self):
        for scheme in ("ecmp", "rails"):
            self.add(scheme, {"balance": f"my {scheme}"}, axes={"balance": f"my-{scheme}"})
        self.assertEqual(load(self.folder).baseline, "my ecmp")
        (self.folder / ".rails").mkdir()
        (self.folder / ".rails" / "sweep.json").write_text('{"baseline": {"balance": "my rails"}}')
        self.assertEqual(load(self.folder).baseline, "my rails")


if __name__ == "__main__":
    unittest.main()
