# SPDX-License-Identifier: GPL-2.0-only
"""Policies of experts that are programs: what the command line takes, and what is left in folders."""

import json
import shlex
import sys
from pathlib import Path

from sweep_program import SweepTest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

STUDY = """\
experts:
  model: {type: deepseek-v3, experts: 32, expert_groups: 1, top_groups: 1}
  load: {type: synthetic, preset: no-aux}
  gpus: 16
  gpus_per_domain: 8
  iterations: 4
  warm_up: 2
  policy: {type: external, name: mine, period: 2}
"""

TRAINING = """\
topology: {type: rail, domains: 2, gpus_per_domain: 4}
workload:
  type: training
  model: {type: mixtral-8x7b, layers: 2}
  parallel: {ep: 8}
  experts: {type: external, name: mine}
balance: rails
transport: {congestion_control: none}
engine: flow
"""

# Writes down that it was started, and leaves experts where they are.
STAYS = """\
import sys
open("started", "a").write("x")
for line in sys.stdin:
    print("{}", flush=True)
"""


class Policies(SweepTest):
    def setUp(self):
        super().setUp()
        self.study = self.write("study.yaml", STUDY)
        self.script = self.write("mine.py", STAYS)

    def command(self, script="mine.py"):
        return "--policy-command", f"mine={shlex.quote(sys.executable)} {script}"

    def count_starts(self):
        started = self.folder / "started"
        return len(started.read_text()) if started.exists() else 0

    def read_result(self, *path):
        return json.loads(self.folder.joinpath(*path, "result.json").read_text())

    def assert_unknown(self, *words):
        """No file but the script itself has a word of the command."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path.name != "mine.py":
                for word in words:
                    self.assertNotIn(word.encode(), path.read_bytes(), path)

    def test_what_runs_nothing_starts_nothing(self):
        self.run_program("validate", self.study)
        self.run_program("validate", self.study, "--print")
        self.run_program("describe", "external")
        self.run_program("run", self.study, "--dry-run", *self.command())
        self.assertEqual(self.count_starts(), 0)

    def test_a_run_without_the_command_says_what_to_give(self):
        for words in (["run"], ["sweep"], ["run", "--dry-run"]):
            _, errors = self.run_program(*words, self.study, status=2)
            self.assertIn('--policy-command mine="python3 mine.py"', errors)
            self.assertIn("study.yaml", errors)
        self.assertFalse((self.folder / "results").exists())

    def test_a_command_that_cannot_be_read_is_rejected(self):
        for text, fault in (("mine", "expected NAME=COMMAND"), ("mine='", "a quote stays open")):
            _, errors = self.run_program("run", self.study, "--policy-command", text, status=2)
            self.assertIn(f"--policy-command {text}: error: {fault}", errors)

    def test_a_run_says_that_a_program_decided(self):
        self.run_program("run", self.study, "--out", "out", *self.command())
        self.assertEqual(self.count_starts(), 1)
        result = self.read_result("out")
        self.assertIn("placed by an external program, 'mine'", " ".join(result["notes"]))
        self.assertEqual(len(result["version"]["libraries"]["policy mine"]), 64)
        self.assert_unknown("mine.py", sys.executable)
        self.assert_nobody_is_left()

    def test_a_training_is_led_by_a_program(self):
        self.write("training.yaml", TRAINING)
        self.run_program("validate", "training.yaml")
        self.assertEqual(self.count_starts(), 0)
        self.run_program("run", "training.yaml", "--out", "out", *self.command())
        self.assertIn("placed by an external program", " ".join(self.read_result("out")["notes"]))

    def test_a_sweep_takes_no_results_of_another_program(self):
        sets = ("--set", "sweep={repeat: 2}")
        self.run_program("sweep", self.study, "--out", "out", *sets, *self.command())
        self.assertEqual(self.count_starts(), 2)
        self.run_program("sweep", self.study, "--out", "out", *sets, *self.command())
        self.assertEqual(self.count_starts(), 2)
        self.script.write_text(STAYS + "# another one\n")
        self.run_program("sweep", self.study, "--out", "out", *sets, "--any-version", *self.command())
        self.assertEqual(self.count_starts(), 2)
        self.run_program("sweep", self.study, "--out", "out", *sets, *self.command())
        self.assertEqual(self.count_starts(), 4)
        self.write("theirs.py", self.script.read_text())
        self.run_program("sweep", self.study, "--out", "out", *sets, *self.command("theirs.py"))
        self.assertEqual(self.count_starts(), 6)

    def test_resuming_needs_the_command_again(self):
        sets = ("--set", "sweep={repeat: 2}")
        self.run_program("sweep", self.study, "--out", "out", *sets, *self.command())
        self.assert_unknown("mine.py", sys.executable)
        _, errors = self.run_program("sweep", "--resume", "out", status=2)
        self.assertIn("--policy-command mine=", errors)
        self.run_program("sweep", "--resume", "out", *self.command())
        self.assertEqual(self.count_starts(), 2)

    def test_experts_asks_a_program(self):
        policy = "{type: external, name: mine, period: 2}"
        size = ("--gpus", 16, "--experts", 32, "--gpus-per-domain", 8, "--warm-up", 2)
        self.run_program("experts", *size, "--policy", policy, "--policy", "eplb", *self.command())
        self.assertEqual(self.count_starts(), 1)

    def test_a_program_that_fails_ends_the_run_with_its_place(self):
        self.write("mine.py", STAYS.replace('"{}"', '"{}" if "kind" in line else "oops"'))
        _, errors = self.run_program("run", self.study, *self.command(), status=2)
        self.assertIn("the external policy 'mine', layer 0, line 2: its answer is no JSON", errors)
        self.assertFalse((self.folder / "results" / "study" / "result.json").exists())
        self.assert_nobody_is_left()

    def test_the_example_places_and_divides(self):
        example = EXAMPLES / "external-policy" / "hottest.py"
        self.run_program(
            "run", self.study, "--out", "out", "--set", "experts.placement=true", *self.command(shlex.quote(str(example)))
        )
        figures = self.read_result("out")
        self.assertTrue("replica" in (self.folder / "out" / "placement.csv").read_text())
        self.assertLess(figures["max_over_mean"], figures["max_over_mean_before"])

    def test_no_command_goes_to_a_cluster(self):
        arguments = ("--set", "sweep={repeat: 2}", "--launcher", "slurm")
        _, errors = self.run_program("sweep", self.study, *arguments, *self.command(), status=2)
        self.assertIn("not with --launcher slurm", errors)
