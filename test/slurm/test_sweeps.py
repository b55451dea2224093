# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps on a real Slurm, undisturbed and with all that can happen to one on the way."""

import contextlib
import fcntl
import filecmp
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.environ["RAILS_EXPERIMENT"]
CLUSTER = Path(__file__).parent / "cluster"
SBATCH = shutil.which("sbatch")
SCHEMES = ["ecmp", "rail-source", "rails", "even-split"]
SEEDS = 10
POINTS = len(SCHEMES) * SEEDS
# Points of 0.1 to 0.3 s.
DESCRIPTOR = f"""
topology: {{type: rail, domains: 2, gpus_per_domain: 4, spines: 4}}
transport: {{congestion_control: none}}
workload:
  type: all-to-all
  matrix: {{type: sparse, density: 1, mean: 6MB}}
balance: {{type: rails}}
sweep:
  balance: [{", ".join(SCHEMES)}]
  repeat: {SEEDS}
"""
# Nothing takes nearly as long, even on a machine that is several times slower.
PATIENCE = 400
NOT_FINISHED = 3

folder = None
environment = None


def setUpModule():
    global folder, environment
    folder = Path(tempfile.mkdtemp(prefix="rails-slurm."))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    descriptor = folder / "sweep.yaml"
    descriptor.write_text(DESCRIPTOR)
    # Settings of a user, or of a job that this runs in, are not meant for the cluster made here.
    environment = {
        key: value
        for key, value in os.environ.items()
        if not re.match(r"SLURM|SBATCH_|SQUEUE_|SCANCEL_|RAILS_LAUNCHER", key)
    }


def reference():
    """The same sweep on this machine alone: made by the first who asks of all that share a folder (check-slurm)."""
    shared = Path(os.environ.get("RAILS_SHARED", folder))
    with open(shared / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "local" / "index.sqlite").exists():
            run([PROGRAM, "sweep", folder / "sweep.yaml", "--out", shared / "local"], check=True)
    return shared / "local"


def run(command, check=False, **arguments):
    return subprocess.run(
        [str(word) for word in command],
        **{"env": environment, "cwd": folder, **arguments},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=check,
        timeout=PATIENCE,
    )


class Collector:
    """A process that was started to run a sweep on the cluster."""

    def __init__(self, test, words, environ):
        self.log = Path(tempfile.mkstemp(dir=folder, suffix=".log")[1])
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [PROGRAM, "sweep", *[str(word) for word in words]],
                env=environ,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=output,
                start_new_session=True,
            )
        test.addCleanup(self.end, signal.SIGKILL)

    def end(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def wait(self):
        return self.process.wait(PATIENCE)

    def said(self):
        """What it wrote to standard error."""
        return self.log.read_text()


class SlurmTest(unittest.TestCase):
    """What all have: a cluster of their own and a sweep in a folder of its own."""

    SETTINGS = ()  # lines of slurm.conf that replace the cluster's

    @classmethod
    def setUpClass(cls):
        cls.cluster_folder = folder / cls.__name__
        cls.addClassCleanup(run, [CLUSTER, "stop", cls.cluster_folder])
        started = run([CLUSTER, "start", cls.cluster_folder, *cls.SETTINGS])
        if started.returncode != 0:
            raise RuntimeError(started.stderr)
        exports = shlex.split(cls.control("env"))
        cls.environment = environment | dict(word.split("=", 1) for word in exports[1:])

    @classmethod
    def control(cls, command):
        done = run([CLUSTER, command, cls.cluster_folder])
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def setUp(self):
        self.out = folder / self.id().rsplit(".", 1)[1]

    def start(self, *words, environ=None, descriptor=DESCRIPTOR, chunk="0.5s"):
        file = folder / "sweep.yaml"
        if descriptor is not DESCRIPTOR:
            file = self.out.with_suffix(".yaml")
            file.write_text(descriptor)
        words = [file, "--out", self.out, "--launcher", "slurm", "--chunk-time", chunk, *words]
        return Collector(self, words, environ or self.environment)

    def make_fakes(self, **programs):
        """An environment with programs in place of others."""
        fakes = self.out.with_suffix(".bin")
        fakes.mkdir()
        for name, text in programs.items():
            (fakes / name).write_text(text)
            (fakes / name).chmod(0o755)
        return self.environment | {"PATH": f"{fakes}:{os.environ['PATH']}"}

    def make_gate(self):
        """An environment in which the later half of all tasks waits until the gate, a file, is there; and the gate.

        However slow the machine: until then the sweep has not ended. A task that waits writes the file "<gate>.waits".
        """
        gate = self.out.with_suffix(".gate")
        task = (
            "#!/bin/bash\n"
            "if ((2 * SLURM_ARRAY_TASK_ID >= SLURM_ARRAY_TASK_MAX)); then\n"
            f"    touch {gate}.waits\n"
            f"    until [[ -e {gate} ]]; do sleep 0.1; done\n"
            "fi\n"
            "exec ./task.sh\n"
        )
        sbatch = f'#!/bin/bash\nexec {SBATCH} "${{@:1:$#-1}}" "${{0%/*}}/task"\n'
        return self.make_fakes(task=task, sbatch=sbatch), gate

    def resume(self, environ=None):
        return Collector(self, ["--resume", self.out, "--launcher", "slurm"], environ or self.environment)

    def wait_until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                self.fail(f"waited {PATIENCE} s in vain until {what}")
            time.sleep(0.05)

    def wait_for_points(self, count):
        self.wait_until(lambda: len(self.get_results()) >= count, f"{count} points have ended")

    def get_results(self):
        """What tells a result from one that replaced it, by point."""
        results = {}
        for file in self.out.glob("[!.]*/result.json"):
            with contextlib.suppress(FileNotFoundError):
                results[file.parent.name] = (file.stat().st_ino, file.stat().st_mtime_ns)
        return results

    def get_rounds(self):
        return [
            json.loads((self.out / f".rails/slurm/round-{number}/tasks.json").read_text())
            for number in range(len(list(self.out.glob(".rails/slurm/round-*"))))
        ]

    def get_queue(self, states="all"):
        """The tasks that have not ended, as "1_2 RUNNING"."""
        command = ["squeue", "--noheader", "--array", "--format=%i %T"]
        lines = run(command, check=True, env=self.environment).stdout.splitlines()
        return [line for line in lines if states == "all" or line.endswith(states)]

    def assert_ended(self, collector, status):
        ended = collector.wait()
        self.assertEqual(ended, status, collector.said())

    def assert_complete(self, points=None):
        """Asserts that every point is there as the same sweep on one machine has it."""
        expected = reference()
        names = sorted(points or (path.parent.name for path in expected.glob("*/result.json")))
        if points is None:
            self.assertEqual(len(names), POINTS)
        self.assertEqual(sorted(self.get_results()), names)
        for name in names:
            mine, theirs = self.out / name, expected / name
            files = sorted(os.listdir(theirs))
            self.assertEqual(sorted(os.listdir(mine)), files, name)
            files.remove("result.json")
            self.assertEqual(filecmp.cmpfiles(mine, theirs, files, shallow=False)[0], files, name)
            self.assertEqual(read_result(mine), read_result(theirs), name)
        self.assert_nothing_hidden()
        for file in filter(Path.is_file, self.out.rglob("*")):
            self.assertNotIn(str(folder).encode(), file.read_bytes(), f"{file}: a path of this machine")

    def assert_nothing_hidden(self):
        hidden = [path for path in self.out.rglob(".*") if path != self.out / ".rails"]
        self.assertEqual(hidden, [])

    def assert_kept(self, earlier):
        now = self.get_results()
        self.assertEqual({name: now.get(name) for name in earlier}, earlier, "they were run again")


def read_result(point):
    """The bytes of a result, but for how long it took and what memory."""
    text = (point / "result.json").read_text()
    text, count = re.subn(r'"(wall_s|peak_rss_bytes)": [-+.e\d]+', r'"\1": 0', text)
    assert count == 2, text
    return text


class SweepTest(SlurmTest):
    """On a cluster that works."""

    def test_undisturbed_sweep_is_that_of_one_machine(self):
        self.out = folder / "it's 50%a \"odd\" $HOME; `x`"
        collector = self.start()
        self.assert_ended(collector, 0)
        self.assert_complete()
        rounds = self.get_rounds()
        self.assertEqual(len(rounds), 1, collector.said())
        self.assertGreater(len(rounds[0]), 1)
        logs = list(self.out.glob(".rails/slurm/round-0/task-*.log"))
        self.assertEqual(len(logs), len(rounds[0]))
        self.assertTrue((self.out / "index.sqlite").exists())
        self.assertNotIn("nothing runs", collector.said())

    def test_force_runs_all_again(self):
        points = [f"balance={SCHEMES[0]},seed={seed}" for seed in range(1, SEEDS + 1)]
        subset = ["--where", f"balance={SCHEMES[0]}"]
        self.assert_ended(self.start(*subset), 0)
        earlier = self.get_results()
        self.assertEqual(sorted(earlier), sorted(points))
        self.assert_ended(self.start(*subset), 0)
        self.assert_kept(earlier)
        self.assertEqual(len(self.get_rounds()), 1)
        self.assert_ended(self.start(*subset, "--force"), 0)
        self.assert_complete(points)
        self.assertFalse(set(earlier.items()) & set(self.get_results().items()))

    def test_held_job_says_why_nothing_runs(self):
        collector = self.start("--slurm-option=--hold", "--where", "seed=1")
        self.wait_until(lambda: "JobHeldUser" in collector.said(), "the reason is told")
        for task in self.get_queue():
            run(["scontrol", "release", task.split("_")[0]], check=True, env=self.environment)
        self.assert_ended(collector, 0)
        self.assertEqual(collector.said().count("JobHeldUser"), 1, collector.said())


class InterruptionTest(SlurmTest):
    """Sweeps whose process ends before its tasks, or that are to end with them."""

    def test_tasks_outlive_who_started_them(self):
        gated, gate = self.make_gate()
        killed = self.start("--at-once", "1", environ=gated)
        self.wait_for_points(POINTS // 5)
        killed.end(signal.SIGKILL)
        earlier = self.get_results()
        self.assertLess(len(earlier), POINTS)
        hung_up = self.resume()
        self.wait_for_points(POINTS // 4)
        self.assertEqual(hung_up.end(signal.SIGHUP), 128 + signal.SIGHUP, hung_up.said())
        self.assertIn("Hangup", hung_up.said())
        self.assertIn(f"'rails sweep --resume {self.out} --trust'", hung_up.said())
        self.assertTrue(self.get_queue())
        earlier |= self.get_results()
        self.assertLess(len(earlier), POINTS)
        again, resumed = self.start("--at-once", "1"), self.resume()
        gate.touch()
        self.assert_ended(again, 0)
        self.assert_ended(resumed, 0)
        self.assert_kept(earlier)
        self.assertEqual(len(self.get_rounds()), 1, again.said())
        self.assertNotIn(" submitted in ", hung_up.said() + again.said() + resumed.said())
        self.assert_complete()

    def test_other_labels_wait_for_who_collects(self):
        gated, gate = self.make_gate()
        collector = self.start("--at-once", "1", environ=gated)
        self.wait_for_points(POINTS // 4)
        renamed = DESCRIPTOR.replace("rails, even-split]", "{type: rails, label: RailS}, even-split]")
        other = self.start(descriptor=renamed)
        self.assert_ended(other, 2)
        self.assertIn("another sweep is at work in this folder", other.said())
        gate.touch()
        self.assert_ended(collector, 0)
        self.assertEqual(len(self.get_rounds()), 1, collector.said())
        self.assert_complete()
        self.assert_ended(self.start(descriptor=renamed), 0)
        self.assertEqual(len([name for name in self.get_results() if "balance=RailS" in name]), SEEDS)
        self.assertEqual(len(self.get_rounds()), 1, "nothing is run for a name")

    def test_what_ended_while_nobody_collected_is_collected(self):
        killed = self.start("--where", "balance=rails")
        self.wait_until(self.get_queue, "tasks are in the queue")
        killed.end(signal.SIGKILL)
        self.wait_until(lambda: not self.get_queue(), "all tasks have ended")
        earlier = self.get_results()
        self.assertEqual(len(earlier), SEEDS)
        self.assert_ended(self.resume(), 0)
        self.assert_kept(earlier)
        self.assertEqual(len(self.get_rounds()), 1)

    def test_cancelled_sweep_stays_cancelled_until_it_is_started_again(self):
        collector = self.start("--at-once", "1", environ=self.make_gate()[0])
        self.wait_for_points(POINTS // 4)
        cancel = run([PROGRAM, "sweep", "--cancel", f"{self.out}/"], env=self.environment)
        self.assertEqual(cancel.returncode, 0, cancel.stderr)
        self.assert_ended(collector, NOT_FINISHED)
        self.assertIn("was cancelled", collector.said())
        self.wait_until(lambda: not self.get_queue(), "the tasks have gone")
        self.assert_nothing_hidden()
        earlier = self.get_results()
        self.assertLess(len(earlier), POINTS)
        self.assertEqual(len(self.get_rounds()), 1)
        self.assert_ended(self.start(), 0)
        self.assert_kept(earlier)
        self.assert_complete()
        self.assertEqual(len(self.get_rounds()), 2)


class FailureTest(SlurmTest):
    """Points that fail, tasks that are always lost."""

    ENDLESS = "mean=100GB,seed=1"
    DESCRIPTOR = DESCRIPTOR.split("sweep:")[0] + (
        "sweep: {workload.matrix.mean: [10KB, 20KB, 40KB, 100GB], repeat: 1}\n"
    )

    def read_failure(self):
        return json.loads((self.out / self.ENDLESS / "failure.json").read_text())

    def test_point_that_fails_is_recorded_once_by_each_start(self):
        for attempt in (1, 2):
            collector = self.start("--time-limit", "1s", descriptor=self.DESCRIPTOR)
            self.assert_ended(collector, NOT_FINISHED)
            failure = self.read_failure()
            self.assertEqual(failure["reason"], "time limit of 1 s")
            self.assertIn(f"{self.ENDLESS}: error: it ended with status 3", collector.said())
            self.assertEqual(failure["status"], NOT_FINISHED)
            self.assertIn(f"--point {self.ENDLESS} ", failure["command"])
            self.assertEqual(len(self.get_results()), 3)
            self.assertEqual(len(self.get_rounds()), attempt, collector.said())
        self.assertEqual(self.get_rounds()[1], [[self.ENDLESS]])
        self.assert_nothing_hidden()

    def test_point_whose_tasks_are_always_lost_is_given_up(self):
        # A task that holds the point ends before it has run any.
        task = (
            "#!/usr/bin/python3\n"
            "import json, os, signal\n"
            'points = json.load(open("tasks.json"))[int(os.environ["SLURM_ARRAY_TASK_ID"])]\n'
            f'if "{self.ENDLESS}" in points: os.kill(os.getpid(), signal.SIGKILL)\n'
            'os.execv("./task.sh", ["task.sh"])\n'
        )
        sbatch = f'#!/bin/bash\nexec {SBATCH} "${{@:1:$#-1}}" "${{0%/*}}/task"\n'
        collector = self.start(
            environ=self.make_fakes(task=task, sbatch=sbatch),
            descriptor=self.DESCRIPTOR,
            chunk="1000h",
        )
        self.assert_ended(collector, NOT_FINISHED)
        self.assertIn("lost in Slurm", self.read_failure()["reason"])
        self.assertIn(f"{self.ENDLESS}: error: its tasks were lost", collector.said())
        # In the end each had a task of its own.
        self.assertEqual([len(tasks) for tasks in self.get_rounds()], [1, 1, 4], collector.said())
        self.assertEqual(len(self.get_results()), 3)
        self.assertEqual(self.get_queue(), [])

    def test_cluster_without_slurm_is_refused(self):
        collector = self.start(environ=environment | {"PATH": str(folder / "nowhere")})
        self.assert_ended(collector, 2)
        self.assertIn("install slurm-client or use --launcher local", collector.said())
        self.assertEqual(self.get_rounds(), [])

    def test_folder_that_slurm_cannot_name_is_refused(self):
        self.out = folder / "back\\slash"
        collector = self.start()
        self.assert_ended(collector, 2)
        self.assertIn("choose another folder by --out", collector.said())
        self.assertEqual(self.get_queue(), [])

    def test_job_that_slurm_refuses_leaves_nothing(self):
        collector = self.start("--partition", "none")
        self.assert_ended(collector, 2)
        self.assertIn("invalid partition", collector.said())
        self.assertEqual(self.get_rounds(), [])


class LostNodeTest(SlurmTest):
    """A cluster that loses tasks."""

    def test_lost_tasks_and_lost_node(self):
        gated, gate = self.make_gate()
        collector = self.start(environ=gated)
        self.wait_for_points(POINTS // 5)
        other = self.resume(gated)
        jobs = {task.split("_")[0] for task in self.get_queue()}
        run(["scancel", *jobs], check=True, env=self.environment)
        earlier = self.get_results()
        self.assertLess(len(earlier), POINTS)
        again = "points whose tasks were lost submitted in "
        self.wait_until(
            lambda: again in collector.said() + other.said(), "what was lost is submitted again"
        )
        self.wait_for_points(len(earlier) + 2)
        self.control("kill-slurmd")
        earlier |= self.get_results()
        self.assertLess(len(earlier), POINTS)
        self.assertIsNone(collector.process.poll(), collector.said())
        gate.touch()
        self.control("start-slurmd")
        self.assert_ended(collector, 0)
        self.assert_ended(other, 0)
        said = collector.said() + other.said()
        self.assertEqual(said.count(" submitted in "), len(self.get_rounds()), said)
        self.assert_kept(earlier)
        self.assert_complete()


class LostControllerTest(SlurmTest):
    """A cluster that does not answer."""

    # The tasks go on meanwhile: no node is lost because its messages are late.
    SETTINGS = ("SlurmdTimeout=300", "MessageTimeout=20", "BatchStartTimeout=60")

    def test_controller_that_is_away_is_asked_again(self):
        gated, gate = self.make_gate()
        collector = self.start("--at-once", "1", chunk="1s", environ=gated)
        waits = Path(f"{gate}.waits")
        self.wait_until(waits.exists, "a task waits")
        # A controller that is killed before it has written down a task's start starts it twice, and gives up the node.
        files = [waits, self.cluster_folder / "state" / "job_state"]
        self.wait_until(
            lambda: time.time() - max(file.stat().st_mtime for file in files) > 10,
            "the controller has written down what runs",
        )
        self.control("kill-slurmctld")
        self.wait_until(lambda: "does not answer" in collector.said(), "it is told")
        time.sleep(5)  # some more questions without an answer
        self.assertIsNone(collector.process.poll(), collector.said())
        gate.touch()
        self.control("start-slurmctld")
        self.assert_ended(collector, 0)
        self.assertEqual(collector.said().count("does not answer"), 1, collector.said())
        self.assertEqual(len(self.get_rounds()), 1, collector.said())
        self.assert_complete()


class SilenceTest(SlurmTest):
    """A cluster that does not say whether it has taken a job."""

    def test_job_that_was_not_taken_is_submitted_until_it_is(self):
        failures = 3
        sbatch = (
            '#!/bin/bash\necho >>"$0.calls"\n'
            f'(($(wc -l <"$0.calls") > {failures})) && exec {SBATCH} "$@"\n'
            'echo "sbatch: error: Socket timed out on send/recv operation" >&2\nexit 1\n'
        )
        collector = self.start("--where", "seed=1", environ=self.make_fakes(sbatch=sbatch))
        self.assert_ended(collector, 0)
        self.assertEqual(len(self.get_rounds()), failures + 1, collector.said())
        self.assertEqual(len(self.get_results()), len(SCHEMES))


if __name__ == "__main__":
    unittest.main()
