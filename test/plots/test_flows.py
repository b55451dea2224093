# SPDX-License-Identifier: GPL-2.0-only
"""Results of an engine that moves no frames, alone and beside those of one that does."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from rails.errors import ResultError
from rails.reader.point import read_point

FRAMES = {"engine.type": "frames"}


class Flows(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.frames, self.flows = self.folder / "exact", self.folder / "fast"

    def add_both(self, seeds=(1, 2), schemes=("ecmp", "rails")):
        for scheme in schemes:
            for seed in seeds:
                name = f"{scheme}-{seed}"
                synthetic.write_point(self.frames / name, scheme, seed, over_bound=2,
                                      config=FRAMES, engine="frames", cct_s=1e-3 + seed * 1e-5)
                synthetic.write_flows(self.flows / name, scheme, seed, over_bound=2,
                                      cct_s=1.1e-3 + seed * 1e-5)

    def test_points_of_two_engines_belong_together(self):
        self.add_both()
        done = call("compare", self.frames, self.flows)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("differs everywhere: engine.type: frames in exact, flow in fast", done.stdout)
        self.assertIn("note: simulated by different engines, which is a difference of its own: "
                      "frames in exact; flow in fast", done.stdout)
        self.assertRegex(done.stdout, r"\necmp +2 .*\+9\.85 %")
        self.assertIn("2 points in both", done.stdout)
        self.assertNotIn("only in", done.stdout)

    def test_folders_of_one_engine_have_no_such_note(self):
        self.add_both()
        shutil.copytree(self.flows, self.folder / "again")
        self.assertNotIn("engines", call("compare", self.flows, self.folder / "again").stdout)

    def test_points_of_the_other_engine_are_left_aside_where_there_are_some_of_the_same(self):
        self.add_both()
        both = self.folder / "both"
        shutil.copytree(self.frames, both / "frames")
        shutil.copytree(self.flows, both / "flow")
        shown = call("compare", self.flows, both).stdout
        self.assertNotIn("different engines", shown)
        self.assertIn("2 points in both: 2 no difference found", shown)
        self.assertIn("only in both: ecmp, engine frames, seeds 1, 2", shown)

    def test_what_one_engine_does_not_know_is_empty(self):
        self.add_both()
        path = self.folder / "found.json"
        done = call("compare", self.frames, self.flows, "--metric", "pfc_pauses", "--json", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("note: the engine flow does not know pfc_pauses: - stands for that",
                      done.stdout)
        self.assertRegex(done.stdout, r"\necmp +2 +\d+ +- +- +- +- +- +- +nothing to compare")
        self.assertNotIn("nan", done.stdout.lower())
        (point, _) = json.loads(path.read_text())["points"]
        self.assertGreater(point["mean_a"], 0)
        self.assertEqual((point["mean_b"], point["difference"], point["difference_percent"]),
                         (None, None, None))

    def test_what_neither_folder_knows_cannot_be_compared(self):
        self.add_both()
        done = call("compare", self.flows, self.flows, "--metric", "pfc_pauses")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr,
                         "^--metric pfc_pauses: error: the engine flow does not know it")

    def test_engines_of_one_folder_are_compared_along_their_key(self):
        self.add_both()
        both = self.folder / "both"
        shutil.copytree(self.frames, both / "frames")
        shutil.copytree(self.flows, both / "flow")
        done = call("compare", both, "--by", "engine", "--baseline", "frames")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\nflow +rails +2 .*\+9\.85 %")
        done = call("compare", both, "--by", "engine", "--baseline", "frames", "--metric", "drops")
        self.assertEqual(done.returncode, 2, "no point has drops here, and they are not null")

    def test_figures_say_what_there_is_not(self):
        self.add_both()
        done = call("plot", self.flows)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("queue-ccdf left out: the engine flow has no queues", done.stdout)
        drawn = {path.stem for path in (self.flows / "figures").glob("*.png")}
        self.assertLessEqual({"cct", "message-cdf", "link-utilisation", "nic-load"}, drawn)

    def test_figures_say_why_there_are_no_messages(self):
        note = "messages.csv is not written: 2,400,000 messages; set record.messages to true"
        synthetic.write_flows(self.flows / "only", notes=[note])
        (self.flows / "only" / "messages.csv").unlink()
        self.assertIn(f"message-cdf left out: {note}", call("plot", self.flows).stdout)

    def test_report_says_what_there_is_not(self):
        self.add_both()
        done = call("report", self.flows)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (self.flows / "report.html").read_text(encoding="utf-8")
        self.assertIn("4 of 4 points have no queues.csv: the engine flow has no queues.", page)
        self.assertNotIn("Longest queue", page)
        self.assertIn("<dt>Engine</dt><dd>flow</dd>", page)
        both = self.folder / "both"
        shutil.copytree(self.frames, both / "frames")
        shutil.copytree(self.flows, both / "flow")
        self.assertEqual(call("report", both).returncode, 0)
        page = (both / "report.html").read_text(encoding="utf-8")
        self.assertIn("4 of 8 points have no queues.csv: the engine flow has no queues.", page)

    def test_a_figure_that_needs_frames_names_the_engine(self):
        synthetic.write_flows(self.flows)
        with self.assertRaisesRegex(ResultError, "lacks queue_max_bytes, which the engine flow"):
            read_point(self.flows).get("queue_max_bytes")


if __name__ == "__main__":
    unittest.main()
