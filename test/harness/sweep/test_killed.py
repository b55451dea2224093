# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps that are killed and go on."""

import json
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from sweep_program import DESCRIPTOR, PATIENCE, SweepTest, find_processes, list_points, without_progress

PROCESSES = 2
POINTS = 40


class Killed(SweepTest):
    whole = None  # the same sweep, undisturbed

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(1)

    def setUp(self):
        super().setUp()
        self.descriptor = self.write(
            "sweep.yaml",
            DESCRIPTOR + f"sweep: {{balance: [rails, rail-source], repeat: {POINTS // 2}}}\n",
        )
        if self.whole is None:
            begin = time.monotonic()
            self.sweep("whole", "-j", PROCESSES)
            type(self).seconds = time.monotonic() - begin
            type(self).whole = self.keep(self.folder / "whole")

    def start_sweep(self, out, *arguments):
        command = ("sweep", self.descriptor, "--out", out, "-j", PROCESSES, *arguments)
        return self.start(*command, stdout=subprocess.DEVNULL)

    def test_a_sweep_killed_at_any_moment_goes_on(self):
        killed_in_between = 0
        for number in range(8):
            with self.subTest(number=number):
                killed_in_between += self.kill_and_go_on(Path(self.folder) / f"out{number}")
        self.assertGreater(killed_in_between, 3, "most were killed before or after the runs")

    def kill_and_go_on(self, out):
        process = self.start_sweep(out)
        # Any moment of the sweep, not of the clock: the machine may be busy.
        ended = self.random.randrange(POINTS)
        self.wait_until(
            lambda: len(list_points(out)) >= ended or process.poll() is not None,
            f"{ended} points have not ended",
        )
        time.sleep(self.random.uniform(0, self.seconds / POINTS))
        process.kill()
        process.communicate()
        self.assert_nobody_is_left()

        done = self.assert_whole(out) if out.exists() else []
        stamps = {point: (out / point / "result.json").stat() for point in done}
        in_flight = list(out.glob(".*.partial-*"))
        self.assertLessEqual(len([path for path in in_flight if path.is_dir()]), PROCESSES)

        plan, _ = self.sweep(out, "--dry-run")
        self.assertIn(f"{POINTS - len(done)} of {POINTS} points would be run", plan)
        self.sweep(out, "-j", PROCESSES)
        for point, before in stamps.items():
            after = (out / point / "result.json").stat()
            self.assertEqual((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))
        self.assertEqual(len(self.assert_whole(out)), POINTS)
        self.assert_equal_results(out, self.whole)
        self.assert_nothing_hidden(out)
        self.assert_nobody_is_left()
        return 0 < len(done) < POINTS

    def test_points_that_are_killed_are_run_again(self):
        out = self.folder / "out"
        process = self.start_sweep(out, "--retries", 100)
        killed = 0
        while process.poll() is None:
            time.sleep(self.random.uniform(0, 0.04))
            for child in find_processes(self.mark):
                if child != process.pid and process.poll() is None and killed < 30:
                    try:
                        os.kill(child, signal.SIGKILL)
                        killed += 1
                    except ProcessLookupError:
                        pass
        _, errors = process.communicate()
        self.assertEqual(process.returncode, 0, errors)
        self.assertGreater(errors.count("its process was ended: Killed; it is tried once more"), 3)
        self.assert_equal_results(out, self.whole)
        self.assert_nothing_hidden(out)
        self.assert_nobody_is_left()

    def test_a_point_that_is_always_killed_is_recorded_and_the_others_go_on(self):
        process = self.start_sweep("out", "--retries", 0)
        killed = []
        while process.poll() is None and not killed:
            time.sleep(0.01)
            killed = [child for child in find_processes(self.mark) if child != process.pid][:1]
            for child in killed:
                os.kill(child, signal.SIGKILL)
        _, errors = process.communicate()
        failures = list((self.folder / "out").glob("*/failure.json"))
        if not failures:
            self.skipTest("SKIPPED: the process had just ended by itself")
        self.assertEqual((process.returncode, len(failures)), (4, 1), errors)
        self.assertEqual(json.loads(failures[0].read_text())["attempts"], 1)
        self.sweep("out", "--only-failed")
        self.assert_equal_results(self.folder / "out", self.whole)

    def test_requests_to_end_are_followed_at_once(self):
        for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(request=request):
                out = self.folder / f"out{request}"
                process = self.start_sweep(out)
                self.wait_until(lambda: list_points(out), "no point has ended")
                process.send_signal(request)
                _, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 128 + request)
                self.assertLess(len(list_points(out)), POINTS)
                self.assertIn("the same command goes on with the points that are missing", errors)
                self.assert_nobody_is_left()
                self.assert_nothing_hidden(out)
                self.assert_whole(out)
                self.sweep(out)
                self.assert_equal_results(out, self.whole)

    def test_a_request_to_end_does_not_wait_for_what_runs(self):
        text = DESCRIPTOR.replace("200KB", "1TB") + "sweep: {repeat: 3}\n"
        hours = self.write("hours.yaml", text)
        out = self.folder / "hours"
        process = self.start("sweep", hours, "--out", out, "-j", PROCESSES)
        self.wait_until(lambda: list(out.glob(".*.partial-*")), "no point has begun")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assert_nobody_is_left()

    def test_a_run_that_is_interrupted_says_what_is_left(self):
        self.descriptor = self.write("run.yaml", DESCRIPTOR.replace("200KB", "200MB"))
        out = self.folder / "one"
        for request in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(request=request):
                process = self.start("run", self.descriptor, "--out", out, "--force")
                self.wait_until(lambda: list(self.folder.glob(".one.partial-*")), "nothing is run")
                process.send_signal(request)
                _, errors = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 128 + request)
                self.assertIn(f"rails: interrupted ({signal.strsignal(request)}); nothing", errors)
                self.assertIn(f"{out} is as it was before; the same command starts again", errors)
                self.assertFalse(out.exists())
                self.assert_nothing_hidden(self.folder)
        small = ("--set", "workload.matrix.bytes_per_pair=1KB")
        self.run_program("run", self.descriptor, "--out", out, *small)
        before = (out / "result.json").read_text()
        process = self.start("run", self.descriptor, "--out", out, "--force")
        self.wait_until(lambda: list(self.folder.glob(".one.partial-*")), "nothing is run")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual((out / "result.json").read_text(), before)

    def test_sweeps_into_one_folder_at_once(self):
        for number in range(5):
            with self.subTest(number=number):
                out = self.folder / f"out{number}"
                both = [self.start_sweep(out) for _ in range(2)]
                for process in both:
                    _, errors = process.communicate(timeout=PATIENCE)
                    self.assertEqual((process.returncode, without_progress(errors)), (0, ""))
                self.assertEqual(len(self.assert_whole(out)), POINTS)
                self.assert_equal_results(out, self.whole)
                self.assert_nothing_hidden(out)


if __name__ == "__main__":
    unittest.main()
