# SPDX-License-Identifier: GPL-2.0-only
"""A figure of a paper from nothing to its table, by the program itself."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import paths

ENVIRONMENT = {**os.environ, "RAILS_LAUNCHER": "", "MPLBACKEND": "agg"}


@unittest.skipIf(paths.lacking("matplotlib"), paths.lacking("matplotlib"))
class Figure(unittest.TestCase):
    def reproduce(self, *words):
        command = [sys.executable, "-B", paths.ROOT / "plots" / "reproduce.py", *words]
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_figure_is_run_drawn_and_judged_and_not_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = Path(folder)
            said = self.reproduce("micro-moe", "8", "--quick", "--csv")
            self.assertIn("micro-moe-zipf: 63 of 63 points would be run, in about ", said)
            self.assertIn("**Reproduced.** Of 13 published values 13 are the same as ours", said)
            for name in ("figure-08.png", "figure-08.svg", "figure-08.csv"):
                self.assertGreater((self.folder / "results/quick/micro-moe" / name).stat().st_size, 0)
            self.assertIn("0 of 63 points would be run", self.reproduce("micro-moe", "8", "--quick", "--dry-run"))


if __name__ == "__main__":
    unittest.main()
