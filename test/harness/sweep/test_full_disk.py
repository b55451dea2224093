# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps onto a disk that is full or cannot be written to. Needs a file system of its own."""

import json
import shutil
import subprocess
import time
import unittest

from sweep_program import DESCRIPTOR, PATIENCE, SweepTest, list_points


class SmallDisk(SweepTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.out = self.disk / "out"
        command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(self.disk)]
        mounted = subprocess.run(command, capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"SKIPPED: no file system can be mounted here: {mounted.stderr.strip()}")
        # As often as it takes: a process may just be looking.
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.disk)], check=True)

    def remount(self, options):
        command = ["mount", "-o", f"remount,{options}", str(self.disk)]
        subprocess.run(command, check=True)

    def fill(self):
        with open(self.disk / "ballast", "ab", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    def test_a_full_disk_is_said_and_what_is_done_is_kept(self):
        output, errors = self.sweep(self.out, "-j", 2, status=3)
        self.assertIn("No space left on device", errors)
        self.assertIn(f"{self.out}: error: no space is left on the disk; results that were", errors)
        self.assertIn("Free some space, and the same command goes on", errors)
        self.assertNotIn("json.exception", errors)
        done = self.assert_whole(self.out)
        self.assertTrue(0 < len(done) < 10, done)
        self.assert_nothing_hidden(self.out)
        stamps = [(self.out / point / "result.json").stat().st_ino for point in done]

        _, errors = self.sweep(self.out, status=3)  # still full
        self.assertIn("No space left on device", errors)
        self.assertEqual(self.assert_whole(self.out)[: len(done)], done)

        self.remount("size=16m")
        self.sweep(self.out)
        self.assertEqual(len(self.assert_whole(self.out)), 10)
        self.assertEqual(
            [(self.out / point / "result.json").stat().st_ino for point in done], stamps
        )
        self.assert_nothing_hidden(self.out)
        self.sweep("whole")
        self.assert_equal_results(self.out, self.folder / "whole")

    def test_results_that_were_to_be_replaced_stay_when_the_disk_is_full(self):
        self.remount("size=16m")
        self.sweep(self.out)
        used = int(subprocess.check_output(["du", "-k", "-s", self.disk]).split()[0])
        self.remount(f"size={used + 12}k")
        _, errors = self.sweep(self.out, "--force", status=3)
        self.assertIn("no space is left on the disk", errors)
        self.assertEqual(len(self.assert_whole(self.out)), 10)
        self.assert_nothing_hidden(self.out)

    def test_a_failure_that_cannot_be_recorded_stops_the_sweep(self):
        descriptor = self.write(
            "long.yaml",
            DESCRIPTOR.replace("200KB", "2GB") + "record: {messages: false}\nsweep: {repeat: 3}\n",
        )
        for seconds in (1, 8, 60):
            limit = ("--time-limit", f"{seconds}s")
            process = self.start("sweep", descriptor, "--out", self.out, "-j", 1, *limit)
            self.wait_until(lambda: list(self.out.glob(".*.partial-*")), "no point has begun")
            self.fill()
            _, errors = process.communicate(timeout=2 * PATIENCE)
            self.assertEqual(process.returncode, 3, errors)
            if not list(self.out.glob("*/failure.json")):
                break  # otherwise a busy machine has filled it too late
            (self.disk / "ballast").unlink()
            shutil.rmtree(self.out)
        self.assertIn("failure.json: error: cannot be written (No space left on device)", errors)
        self.assertIn("no space is left on the disk", errors)
        self.assertEqual(errors.count(f"time limit of {seconds} s"), 1, errors)
        self.assert_nothing_hidden(self.out)
        (self.disk / "ballast").unlink()
        self.sweep_long(descriptor)

    def sweep_long(self, descriptor):
        """Now the failures can be recorded."""
        command = ("sweep", descriptor, "--out", self.out, "--time-limit", "0.2s")
        self.run_program(*command, status=3)
        for point in list_points(self.out):
            failure = json.loads((self.out / point / "failure.json").read_text())
            self.assertEqual(failure["reason"], "time limit of 0.2 s")

    def test_a_disk_that_becomes_read_only(self):
        self.remount("size=16m")
        self.sweep(self.out, "--where", "seed=1")
        slow = self.write("slow.yaml", DESCRIPTOR.replace("200KB", "2MB") + "sweep: {repeat: 8}\n")
        process = self.start("sweep", slow, "--out", self.disk / "slow", "-j", 1)
        self.wait_until(lambda: list_points(self.disk / "slow"), "no point has ended")
        for _ in range(100):
            command = ["mount", "-o", "remount,ro", str(self.disk)]
            if subprocess.run(command, capture_output=True).returncode == 0:
                break
            time.sleep(0.01)  # a file is just being written
        else:
            self.skipTest("SKIPPED: the file system could not be made read-only")
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn("Read-only file system", errors)
        done = self.assert_whole(self.disk / "slow")
        self.assertGreater(len(done), 0)
        _, errors = self.sweep(self.out, status=2)
        self.assertIn("Read-only file system", errors)
        self.remount("rw")
        self.sweep(self.out)
        self.assertEqual(len(self.assert_whole(self.out)), 10)
        self.run_program("sweep", slow, "--out", self.disk / "slow")
        self.assertEqual(len(self.assert_whole(self.disk / "slow")), 8)
        self.assert_nothing_hidden(self.disk / "slow")


if __name__ == "__main__":
    unittest.main()
