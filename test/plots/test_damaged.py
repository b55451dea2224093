# SPDX-License-Identifier: GPL-2.0-only
"""What is wrong with a folder is told in lines with its place, and costs no more than it must."""

import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import synthetic
from damage import OF_FOLDERS, OF_RESULT, OF_TABLES, record_sizes
from programs import call

DAMAGED = "balance=rails,seed=2"


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.good = cls.folder / "good"
        synthetic.write_sweep(cls.good, ("ecmp", "rails"), (1, 2), messages=40)
        record_sizes(cls.good / DAMAGED)
        # What is drawn is tested elsewhere; here it only has to get that far.
        for name in ("programs.faults", "rails.plots.report_page._libraries"):
            patch = mock.patch(name, return_value=[])
            patch.start()
            cls.addClassCleanup(patch.stop)

    def copy(self):
        return Path(shutil.copytree(self.good, Path(tempfile.mkdtemp(dir=self.folder)) / "damaged"))

    def damaged(self, damage, name=DAMAGED):
        folder = self.copy()
        damage(folder / name)
        return folder

    def check_lines(self, done):
        """Lines with their place, and neither a traceback nor an excuse for one."""
        self.assertEqual(done.returncode, 2, done)
        self.assertNotEqual(done.stderr, "")
        for line in done.stderr.splitlines():
            self.assertRegex(line, "^[^ ].*: error: [^ ].*$")
            self.assertNotIn("defect", line)
        self.assertNotRegex(done.stdout, r"[^']\bnan\b")

    def test_each_damaged_result_is_named_and_the_rest_is_shown(self):
        folder = self.copy()
        for name, damage in OF_RESULT.items():
            shutil.copytree(folder / DAMAGED, folder / name)
            damage(folder / name)
        for done in (
            call("plot", folder),
            call("report", folder),
            call("compare", self.good, folder),
            call("compare", folder, "--by", "balance"),
        ):
            self.check_lines(done)
            lines = done.stderr.splitlines()
            self.assertEqual(len(lines), len(OF_RESULT))
            for line, name in zip(lines, sorted(OF_RESULT)):
                self.assertIn(f"{folder / name}: error: result.json ", line)
            self.assertNotEqual(done.stdout, "")

    def test_a_damaged_single_run_is_an_error_of_one_line(self):
        for name, damage in OF_RESULT.items():
            run = self.damaged(damage) / DAMAGED
            for done in (call("plot", run), call("compare", run, self.good)):
                with self.subTest(name):
                    self.check_lines(done)
                    self.assertEqual(len(done.stderr.splitlines()), 1)
                    self.assertEqual(done.stdout, "")

    def test_a_damaged_table_costs_its_figures(self):
        for name, damage in OF_TABLES.items():
            folder = self.damaged(damage)
            for program in ("plot", "report"):
                with self.subTest(name, program=program):
                    done = call(program, folder)
                    self.check_lines(done)
                    self.assertIn(f"{folder / DAMAGED / name.split()[0]}", done.stderr)
            self.assertEqual(call("compare", self.good, folder).returncode, 0)  # needs no tables

    def test_a_damaged_record_of_a_sweep_is_named(self):
        for name, damage in OF_FOLDERS.items():
            folder = self.damaged(damage, ".")
            with self.subTest(name):
                done = call("report", folder)
                self.check_lines(done)
                self.assertIn(f"{name.split()[0]}: error: ", done.stderr)
                self.assertFalse((folder / "report.html").exists())

    def test_there_are_thirty_ways_at_least(self):
        self.assertGreaterEqual(len(OF_RESULT) + len(OF_TABLES) + len(OF_FOLDERS), 30)


if __name__ == "__main__":
    unittest.main()
