# SPDX-License-Identifier: GPL-2.0-only
"""rails.sweep(): what it runs, what is left of it when it is ended, and how it goes on."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

import paths
import rails
from experiments import SMALL, SWEPT, InFolder
from rails import progress

# Ten points of some 0.3 s.
LONG = {
    **SMALL,
    "name": "long",
    "workload": {"type": "all-to-all", "matrix": {"type": "uniform", "bytes_per_pair": "2MB"}},
    "sweep": {"seed": list(range(1, 11))},
}
PATIENCE_S = 120


def whole(folder):
    return sorted(folder.glob("*/result.json"))


def wait_for(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it took too long")
        time.sleep(0.01)


class Sweep(InFolder):
    def test_a_sequence_of_results_in_the_order_of_the_sweep(self):
        found = rails.sweep(SWEPT, jobs=2)
        self.assertEqual(found.folder, Path("results/small"))
        self.assertEqual([result.name for result in found][:2], ["balance=ecmp,seed=1", "balance=ecmp,seed=2"])
        self.assertEqual((len(found), found.status, found.failed), (6, 0, []))
        self.assertEqual(found["balance=rails,seed=2"].axes, {"balance": "rails", "seed": "2"})
        self.assertEqual({result.scheme for result in found.where("balance=rails")}, {"rails"})
        self.assertEqual([result.seed for result in found.where("balance=rails", "seed=2")], [2])
        with self.assertRaisesRegex(rails.Error, "did you mean 'balance=rails,seed=2'"):
            found["balance=rail,seed=2"]
        self.assertEqual(found["seed=2,balance=rails"].name, "balance=rails,seed=2")
        self.assertEqual([result.name for result in found[4:]], ["balance=rails,seed=1", "balance=rails,seed=2"])
        self.assertEqual(repr(rails.load("results/small")), repr(found))

    def test_what_is_whole_is_not_run_again(self):
        rails.sweep(SWEPT, out="here", where=["balance=rails"])
        before = {path: path.stat().st_mtime_ns for path in whole(Path("here"))}
        self.assertEqual(len(before), 2)
        found = rails.sweep(SWEPT, out="here")
        self.assertEqual((len(found), len(before)), (6, 2))
        self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before)
        shutil.rmtree("here/balance=ecmp,seed=1")
        self.assertEqual(len(rails.load("here").whole), 5)
        self.assertEqual(len(rails.sweep(resume="here").whole), 6)

    def test_a_sweep_of_one_point(self):
        self.assertEqual([result.scheme for result in rails.sweep(SMALL, out="one")], ["rails"])

    def test_points_that_fail_are_told_and_the_others_are_there(self):
        stuck = {**SWEPT, "watchdog": {"no_progress_after": "100ms"}, "sweep": {"failures.schedule": [
            {"label": "none", "value": []},
            {"label": "all", "value": [{"at": "1us", "link": [f"server0-nic{nic}"], "state": "down"} for nic in range(4)]},
        ]}}
        with self.assertWarnsRegex(UserWarning, "here: 1 of 2 points failed: .*did not finish"):
            found = rails.sweep(stuck, out="here")
        self.assertEqual((found.status, len(found.whole), len(found.failed)), (3, 1, 1))
        self.assertIsNone(found.failed[0].cct_s)

    def test_what_is_wrong_is_told_before_anything_is_run(self):
        with self.assertRaises(rails.Error) as caught:
            rails.sweep({**SWEPT, "sweep": {"balance": ["ecmp", "rials"]}}, out="here")
        self.assertEqual((caught.exception.status, Path("here").exists()), (2, False))
        self.assertTrue(caught.exception.place.startswith("sweep"), caught.exception.place)
        with self.assertRaisesRegex(rails.Error, "expected a descriptor"):
            rails.sweep()
        with self.assertRaisesRegex(rails.Error, "with_ and options alone"):
            rails.sweep(SWEPT, resume="here")

    @unittest.skipIf(paths.lacking("pandas"), paths.lacking("pandas"))
    def test_the_table_has_a_row_for_each_point(self):
        found = rails.sweep(SWEPT, out="here")
        table = found.table
        self.assertEqual(list(table["balance"]), ["ecmp"] * 2 + ["rail-source"] * 2 + ["rails"] * 2)
        self.assertEqual(list(table["seed"]), [1, 2] * 3)
        self.assertEqual(list(table["cct_s"]), [result.cct_s for result in found])
        self.assertEqual(table.groupby("balance")["cct_over_bound"].mean().idxmin(), "rails")
        self.assertIn("lower_bound_parts.server_send_s", table.columns)


class Ended(InFolder):
    """A sweep that somebody ends while it runs."""

    def check_rest(self):
        """What is whole stays as it is, the rest is run."""
        left = whole(Path("here"))
        self.assertTrue(0 < len(left) < 10, left)
        before = {path: path.stat().st_mtime_ns for path in left}
        found = rails.sweep(LONG, out="here")
        self.assertEqual((len(found.whole), found.status), (10, 0))
        self.assertEqual({path: path.stat().st_mtime_ns for path in left}, before)

    def test_cancelled(self):
        cancel = threading.Event()

        def end():
            wait_for(lambda: whole(Path("here")))
            cancel.set()

        ender = threading.Thread(target=end)
        ender.start()
        found = rails.sweep(LONG, out="here", jobs=1, cancel=cancel)
        ender.join()
        self.assertEqual(len(found.whole), len(whole(Path("here"))))
        self.assertTrue(all(result.cct_s for result in found))
        self.check_rest()

    def test_cancelled_where_interrupts_are_ignored(self):
        """As in a script that another one has started in the background."""
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.test_cancelled()

    def test_interrupted(self):
        code = "import json, sys, rails; rails.sweep(json.loads(sys.argv[1]), out='here', jobs=1)"
        environment = {**os.environ, "PYTHONPATH": str(paths.PYTHON)}
        process = subprocess.Popen([sys.executable, "-c", code, json.dumps(LONG)], env=environment,
                                   stderr=subprocess.PIPE, text=True)
        wait_for(lambda: whole(Path("here")))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
        self.assertIn("KeyboardInterrupt", said)
        self.check_rest()  # which is refused as long as another sweep is at work there


class Shown(InFolder):
    """How far a command is."""

    def test_a_terminal_has_the_bar_in_one_line(self):
        reader, writer = pty.openpty()
        code = "import json, sys, rails; rails.sweep(json.loads(sys.argv[1]), out='here', jobs=1)"
        with open(reader, "rb", buffering=0) as terminal:
            process = subprocess.Popen([sys.executable, "-c", code, json.dumps(LONG)], stderr=writer,
                                       env={**os.environ, "PYTHONPATH": str(paths.PYTHON)})
            os.close(writer)
            said = b""
            try:
                while data := terminal.read(1 << 16):
                    said += data
            except OSError:  # the other side is closed
                pass
            self.assertEqual(process.wait(), 0)
        lines = said.decode().split("\r")
        self.assertTrue(any(line.startswith("[####") and " of 10 done" in line for line in lines), lines)
        self.assertNotIn("\n", said.decode())
        self.assertEqual(lines[-1], "")

    def test_a_notebook_has_a_bar_below_the_cell(self):
        shown = []

        class Bar(progress.NotebookProgress):
            MOMENT_S = 0

            def _display(self, data):
                shown.append(data)
                self._handle = self

        with mock.patch("rails.commands.progress_for", lambda wanted: Bar()):
            rails.sweep(LONG, out="here", jobs=1)
        self.assertTrue(any('max="10"></progress>' in data["text/html"] for data in shown), shown)
        self.assertEqual(shown[-1], {"text/plain": "", "text/html": ""})

    def test_a_notebook_is_told_at_once_of_what_takes_minutes(self):
        shown = []
        bar = progress.NotebookProgress()
        with mock.patch.object(bar, "_display", lambda data: shown.append(data["text/plain"])):
            bar.take(b"rails: x: error: no\nrails: fetching ns-3\n\r[##--] 1 of 2 done")
            self.assertEqual(shown, ["rails: fetching ns-3"])
            bar.MOMENT_S = 0
            bar.take(b"\r[###-] 1 of 2 done, soon")
        self.assertEqual(shown[-1], "[###-] 1 of 2 done, soon")

    def test_nobody_is_shown_anything_where_nobody_looks(self):
        self.assertIs(type(progress.progress_for(False)), progress.Progress)
        with mock.patch("rails.progress._is_terminal", lambda: False):
            self.assertIs(type(progress.progress_for(None)), progress.Progress)
        with mock.patch("rails.progress._is_terminal", lambda: True):
            self.assertIs(type(progress.progress_for(None)), progress.TerminalProgress)

    def test_lines_are_kept_apart_from_progress(self):
        taken = progress.Progress()
        for data in (b"rails: bui", b"lding\n\r[#-] 1 of 2 done\r    \r\xc3", b"\xa4.yaml: er", b"ror: no\n", b"end"):
            taken.take(data)
        taken.close()
        self.assertEqual(taken.text, "rails: building\n\u00e4.yaml: error: no\nend\n")

    def test_progress_is_shown_as_soon_as_it_is_there(self):
        shown = []
        taken = progress.Progress()
        taken.show = shown.append
        for data in (b"\r[#-] 1 of 2 done", b"\r    \rrails: 3 of 60 steps \x1b", b"[K"):
            taken.take(data)
        self.assertEqual(shown[0], "[#-] 1 of 2 done")
        self.assertEqual(shown[-1], "rails: 3 of 60 steps")


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
