# SPDX-License-Identifier: GPL-2.0-only
"""Runs, sweeps and indexes that are killed before each call that changes files, or run out of disk.

Whatever the moment, the next start finds the old or the new result whole, and what a user keeps beside it. Some moments
are tried; RAILS_EVERY_CALL=1 tries all of them.
"""

import itertools
import json
import shutil
import sqlite3
import unittest

from stop_at import EVERY_CALL, KILLED, StopAt
from sweep_program import PATIENCE, PROGRAM, SweepTest, list_points, make_environment

# Of a few milliseconds, with tables of some kinds.
DESCRIPTOR = """\
topology: {type: rail, domains: 2, gpus_per_domain: 2}
workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1KB}}
balance: rails
"""

# What a user keeps in a folder of results.
NOTES = ("notes.txt", "figures/one.png", "figures/deep/two.svg", "thesis/chapter.tex", "report.html")


class Lost(SweepTest):
    kills = 0
    full = 0

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stop_at = StopAt(cls)

    @classmethod
    def tearDownClass(cls):
        print(f"killed {cls.kills} times, without space on the disk {cls.full} times")

    def setUp(self):
        super().setUp()
        self.run_file = self.write("run.yaml", DESCRIPTOR)
        self.sweep_file = self.write("sweep.yaml", DESCRIPTOR + "sweep: {seed: [1, 2, 3]}\n")
        self.out = self.folder / "r" / "out"
        self.out.parent.mkdir()

    def call(self, arguments, *options):
        """Runs the program up to a moment. Returns its status, how often it changes files and how often it writes."""
        *found, self.said = self.stop_at.call(
            (PROGRAM, *arguments), options, cwd=self.folder, env=make_environment(self.mark), timeout=PATIENCE
        )
        return found

    def keep_notes(self, *folders):
        for folder, note in itertools.product(folders, NOTES):
            (folder / note).parent.mkdir(parents=True, exist_ok=True)
            (folder / note).write_text(f"mine {note}")

    def assert_notes(self, *folders):
        for folder, note in itertools.product(folders, NOTES):
            self.assertEqual((folder / note).read_text(), f"mine {note}")

    def seed_of(self, folder):
        """The seed of the whole result that is in a folder; none without one."""
        try:
            result = json.loads((folder / "result.json").read_text())
        except FileNotFoundError:
            return None
        for artefact in result["artefacts"]:
            self.assertEqual((folder / artefact["file"]).stat().st_size, artefact["bytes"])
        return result["seed"]

    def choose(self, count, step):
        """The calls before which a program is stopped, from 1 on."""
        return range(1, count + 1) if EVERY_CALL else range(1, count + 1, step)

    def stop_everywhere(self, prepare, command, check, step, ended=0):
        """Stops a command at many moments, on file systems of both kinds, and lets it run out of disk.

        prepare -- makes what is there before
        command -- what is stopped
        check   -- looks at what is left, is given the status
        step    -- how many calls lie between two moments, unless all are tried
        ended   -- the status that it has when nothing stops it
        """
        prepare()
        kept = self.folder / "kept"
        shutil.move(self.out.parent, kept)

        def start(*options):
            shutil.rmtree(self.out.parent, ignore_errors=True)
            shutil.copytree(kept, self.out.parent, symlinks=True)
            return self.call(command, *options)

        for kind in ((), ("-x",)):
            status, calls, writes = start(*kind)
            self.assertEqual(status, ended, self.said)
            self.assertGreater(calls, 5)
            for number in self.choose(calls, step):
                with self.subTest(kind=kind, killed=number):
                    status, *_ = start(*kind, "-n", number)
                    type(self).kills += status == KILLED
                    check(status)
        for number in self.choose(writes, step):
            with self.subTest(full=number):
                status, *_ = start("-f", number)
                type(self).full += 1
                self.assertIn(status, (0, 2, 3), self.said)
                check(status)
        shutil.rmtree(kept)

    def make_run(self):
        self.run_program("run", self.run_file, "--out", self.out)
        self.keep_notes(self.out)

    def make_sweep(self):
        self.run_program("sweep", self.sweep_file, "--out", self.out)
        self.keep_notes(*(self.out / point for point in list_points(self.out)))

    def test_a_run_that_replaces_a_result(self):
        command = ("run", self.run_file, "--out", self.out, "--set", "seed=2")

        def check(status):
            self.check_run(command)

        self.stop_everywhere(self.make_run, (*command, "--force"), check, 11)

    def check_run(self, command):
        self.run_program(*command, status=2)  # it is refused without --force, but puts back
        self.assertIn(self.seed_of(self.out), (1, 2))
        self.assert_notes(self.out)
        self.run_program(*command, "--force")
        self.assertEqual(self.seed_of(self.out), 2)
        self.assert_notes(self.out)
        self.assert_nothing_hidden(self.out.parent)

    def test_a_run_that_is_killed_again_while_it_recovers(self):
        command = ("run", self.run_file, "--out", self.out, "--set", "seed=2", "--force")
        self.make_run()
        kept = self.folder / "kept"
        shutil.move(self.out.parent, kept)
        for kind in ((), ("-x",)):
            for first in self.choose(60, 25):
                shutil.rmtree(self.out.parent, ignore_errors=True)
                shutil.copytree(kept, self.out.parent)
                if self.call(command, *kind, "-n", first)[0] != KILLED:
                    break
                left = self.folder / "left"
                shutil.move(self.out.parent, left)
                for second in self.choose(60, 19):
                    with self.subTest(kind=kind, first=first, second=second):
                        shutil.rmtree(self.out.parent, ignore_errors=True)
                        shutil.copytree(left, self.out.parent)
                        status, *_ = self.call(command, *kind, "-n", second)
                        type(self).kills += status == KILLED
                        self.check_run(command[:-1])
                        if status != KILLED:
                            break
                shutil.rmtree(left)

    def test_a_sweep(self):
        command = ("sweep", self.sweep_file, "--out", self.out, "-j", 1)

        def check(status):
            self.run_program(*command)
            self.assertEqual([self.seed_of(self.out / point) for point in list_points(self.out)], [1, 2, 3], status)
            self.assertEqual(len(json.loads((self.out / "points.json").read_text())), 3)
            self.assertEqual(self.count_rows(), 3)
            self.assert_nothing_hidden(self.out.parent)

        self.stop_everywhere(lambda: None, command, check, 41)

    def test_a_sweep_that_replaces_results(self):
        command = ("sweep", self.sweep_file, "--out", self.out, "-j", 1)

        def check(status):
            # Nothing is run again: each point has its old result or the new one, which may be put back by the start.
            kept = {path.name: path.stat().st_ino for path in self.out.rglob("result.json")}
            self.assertGreaterEqual(len(kept), 1)
            output, _ = self.run_program(*command)
            self.assertIn("3 of 3 points had their result already", output, status)
            points = [self.out / f"seed={seed}" for seed in (1, 2, 3)]
            self.assertEqual([self.seed_of(point) for point in points], [1, 2, 3])
            self.assert_notes(*points)
            self.assertEqual(self.count_rows(), 3)
            self.run_program(*command, "--force")
            self.assert_notes(*points)
            self.assert_nothing_hidden(self.out.parent)

        self.stop_everywhere(self.make_sweep, (*command, "--force"), check, 41)

    def test_a_sweep_whose_points_fail(self):
        command = ("sweep", self.sweep_file, "--out", self.out, "-j", 1)

        def check(status):
            points = [self.out / f"seed={seed}" for seed in (1, 2, 3)]
            for point in points:
                results = [point / "result.json", point / "earlier-result.json"]
                kept = [json.loads(path.read_text())["seed"] for path in results if path.exists()]
                self.assertEqual([f"seed={seed}" for seed in kept], [point.name], status)
            self.run_program(*command)
            self.assertEqual([self.seed_of(point) for point in points], [1, 2, 3])
            self.assert_notes(*points)
            self.run_program(*command, "--force")
            self.assert_notes(*points)
            self.assert_nothing_hidden(self.out.parent)

        large = ("--set", "topology.domains=32", "--set", "topology.gpus_per_domain=8")
        fails = (*command, *large, "--force", "--memory-limit", "1MiB")
        self.stop_everywhere(self.make_sweep, fails, check, 41, 3)

    def test_an_index(self):
        def prepare():
            self.make_sweep()
            shutil.rmtree(self.out / "seed=2")

        def check(status):
            self.assertIn(self.count_rows(), (2, 3), status)
            table = self.folder / "table.csv"
            if table.exists():
                self.assertEqual(len(table.read_text().splitlines()), 3)
            self.run_program("index", self.out)
            self.assertEqual(self.count_rows(), 2)
            self.assert_notes(self.out / "seed=1", self.out / "seed=3")
            self.assert_nothing_hidden(self.out.parent)
            for path in self.folder.glob(".table.csv.*"):
                path.unlink()

        self.stop_everywhere(prepare, ("index", self.out, "--csv", "table.csv"), check, 11)

    def count_rows(self):
        connection = sqlite3.connect(self.out / "index.sqlite")
        self.addCleanup(connection.close)
        return connection.execute("SELECT count(*) FROM points").fetchone()[0]


if __name__ == "__main__":
    unittest.main()
