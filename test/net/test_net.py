# SPDX-License-Identifier: GPL-2.0-only
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import records
import shipped_points

RESULT = {"status": 0, "cct_s": 0.5, "frames": 10, "phases": [{"end_s": 0.5}],
          "explain": {"factors": {"plan": 1.25}}, "nic_tx_bytes": [list(range(100))],
          "wall_s": 3.0, "events": 7, "version": {"program": "abc"}, "config": {"seed": 1}}


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)


class Summary(Folder):
    def summarise(self, links="node,port\n", **changes):
        (self.folder / "result.json").write_text(json.dumps({**RESULT, **changes}))
        (self.folder / "links.csv").write_text(links)
        return records.summarise(self.folder)

    def test_holds_what_a_run_resulted_in(self):
        found = self.summarise()
        self.assertEqual(found.keys(), {"status", "cct_s", "frames", "phases",
                                        "explain.factors.plan", "nic_tx_bytes", "links.csv"})
        self.assertEqual(found["cct_s"], 0.5)
        self.assertEqual(found["explain.factors.plan"], 1.25)

    def test_is_the_same_on_another_machine_and_of_another_build(self):
        self.assertEqual(self.summarise(wall_s=4.0, events=8, version={}, config={}),
                         self.summarise())

    def test_leaves_out_the_times_that_planning_took_here(self):
        table = "policy,moved,planning_measured_s\nplain-ep,{},{}\n".format
        plain = self.summarise(links=table(1, 2e-6), planning_measured_s=2e-6)
        self.assertEqual(self.summarise(links=table(1, 3e-6), planning_measured_s=3e-6), plain)
        self.assertNotEqual(self.summarise(links=table(2, 2e-6)), plain)

    def test_tells_long_lists_and_files_apart(self):
        plain = self.summarise()
        other = self.summarise(nic_tx_bytes=[[*range(99), 0]])
        self.assertNotEqual(other["nic_tx_bytes"], plain["nic_tx_bytes"])
        self.assertNotEqual(self.summarise(links="node,por\n")["links.csv"], plain["links.csv"])


class Comparison(Folder):
    def compare(self, before, after):
        paths = [self.folder / name for name in ("before", "after")]
        for path, points in zip(paths, (before, after)):
            records.write_record(path, points, path.name)
        main = Path(__file__).with_name("results_net.py")
        return subprocess.run([sys.executable, main, "compare", *paths], capture_output=True,
                              text=True, check=False)

    def test_equal_records_agree(self):
        points = {"a": {"frames": 1}, "generated 001": {"frames": 2}}
        ended = self.compare(points, points)
        self.assertEqual((ended.returncode, ended.stdout),
                         (0, "shipped: 1 of 1 points agree\ngenerated: 1 of 1 points agree\n"))

    def test_every_difference_is_told(self):
        ended = self.compare({"a": {"frames": 1, "gone": 2}, "b": {"x": 1}, "c": {"x": 1}},
                             {"a": {"frames": 2, "new": "n"}, "c": {"x": 1}, "d": {"x": 1}})
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout.splitlines(),
                         ["a: frames: 1 -> 2", "a: gone: 2 -> missing", 'a: new: missing -> "n"',
                          "b: only in the record before", "d: only in the record after",
                          "shipped: 1 of 4 points agree"])

    def test_numbers_of_another_kind_differ(self):
        for before, after in ((1, 1.0), (1, True), (0, None), (0.1, 0.1 + 2e-17)):
            self.assertEqual(len(records.compare({"a": {"x": before}}, {"a": {"x": after}})), 1)

    def test_what_is_no_record_is_refused(self):
        path = self.folder / "record"
        for text in ("", "[]", "{}", '{"points": {}}', '{"points": {"a": {}}}'):
            path.write_text(text)
            with self.assertRaises(records.RecordError):
                records.read_record(path)
        with self.assertRaises(records.RecordError):
            records.read_record(self.folder / "none")


class ShippedPoints(unittest.TestCase):
    def test_every_shipped_experiment_is_in_the_table(self):
        shipped_points.check_table()

    def test_every_value_of_every_axis_is_chosen(self):
        points = [{"a": {"type": a}, "b": b, "seed": seed}
                  for a in "xyz" for b in range(4) for seed in range(5)]
        chosen = shipped_points.choose(points, "some sweep")
        self.assertEqual(chosen, shipped_points.choose(points, "some sweep"))
        self.assertEqual((chosen[0], chosen[-1]), (0, len(points) - 1))
        self.assertEqual({points[point]["a"]["type"] for point in chosen}, set("xyz"))
        self.assertEqual({points[point]["b"] for point in chosen}, set(range(4)))
        self.assertLess(len(chosen), 7)

    def test_of_seeds_the_first_and_the_last_are_enough(self):
        self.assertEqual(shipped_points.choose([{"seed": seed} for seed in range(9)], ""), [0, 8])


if __name__ == "__main__":
    unittest.main()
