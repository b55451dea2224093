# SPDX-License-Identifier: GPL-2.0-only
"""Programs that stop_at.c stops at one of the calls that change files. RAILS_EVERY_CALL=1 tries all of these."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

EVERY_CALL = os.environ.get("RAILS_EVERY_CALL") == "1"
KILLED = 128 + 9
_CANNOT = 77


class StopAt:
    """
    The compiled program; SkipTest where there is no compiler, or no process can be traced.

    :param test: the class of tests that uses it, with which its folder goes
    """

    def __init__(self, test):
        self.folder = Path(tempfile.mkdtemp(prefix="rails-sweep-"))
        test.addClassCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self._program = self.folder / "stop_at"
        command = ["cc", "-O1", "-o", self._program, Path(__file__).with_suffix(".c")]
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode != 0:
            raise unittest.SkipTest(f"SKIPPED: no C compiler: {compiled.stderr}")
        if subprocess.run([self._program, "true"], check=False).returncode == _CANNOT:
            raise unittest.SkipTest("SKIPPED: no process can be traced here")

    def call(self, command, options, **others):
        """
        Runs a command up to a moment. Returns its status, how often it changes files, how often it writes, and what it
        prints.

        :param options: those of stop_at, :param others: those of subprocess.run()
        """
        counts = self.folder / "counts"
        counts.unlink(missing_ok=True)
        words = [str(word) for word in (self._program, "-c", counts, *options, *command)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, **others)
        calls, writes = map(int, counts.read_text().split()) if counts.exists() else (0, 0)
        return done.returncode, calls, writes, done.stdout + done.stderr
