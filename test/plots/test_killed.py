# SPDX-License-Identifier: GPL-2.0-only
"""
Importers, figures and reports that are killed before a call that changes files, or run out of disk: what was there
before is there whole, or what is new, and nothing else is gone. Some moments are tried; RAILS_EVERY_CALL=1 tries all.
"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import synthetic
from paths import PLOTS
from rails.plots import own_files
from stop_at import EVERY_CALL, KILLED, StopAt

SCRIPT = "torchrun pretrain_gpt.py --num-layers {} --hidden-size 64 --num-attention-heads 4 --seq-length 128 \\\n"
OPTIONS = "  --vocab-size 1000 --micro-batch-size 1 --global-batch-size 8 --num-experts 8 --moe-router-topk 2 --expert-model-parallel-size 8"


class Killed(unittest.TestCase):
    kills = 0

    @classmethod
    def setUpClass(cls):
        cls.stop_at = StopAt(cls)

    @classmethod
    def tearDownClass(cls):
        print(f"killed {cls.kills} times")

    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        self.kept = self.place / "kept"
        self.work = self.place / "work"
        self.kept.mkdir()
        (self.kept / "mine.txt").write_text("mine")

    def call(self, command, *options):
        """Runs a command in a fresh copy of what is kept. Returns its status and how often it changes files."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.kept, self.work)
        *found, self.said = self.stop_at.call(
            (sys.executable, "-B", *command),
            options,
            cwd=self.work,
            env={**os.environ, "PYTHONPATH": str(PLOTS.parent / "python"), "MPLCONFIGDIR": str(self.stop_at.folder)},
        )
        return found

    def stop_everywhere(self, command, check, moments):
        """Stops a command at some moments of its own, and lets it run out of disk, and looks at what is left."""
        self.call(command)  # caches of libraries, which are not its own
        status, calls, writes = self.call(command)
        self.assertEqual(status, 0, self.said)
        check()
        for option, count in (("-n", calls), ("-f", writes)):
            self.assertGreater(count, 0)
            for number in range(1, count + 1, 1 if EVERY_CALL else max(1, count // moments)):
                with self.subTest(option=option, number=number):
                    status, *_ = self.call(command, option, number)
                    type(self).kills += status == KILLED
                    self.assertNotEqual(status, 0)
                    self.assertNotIn("Traceback", self.said)
                    self.assertEqual((self.work / "mine.txt").read_text(), "mine")
                    check()

    def test_a_descriptor_that_import_replaces(self):
        for name, layers in (("old", 2), ("new", 3)):
            (self.kept / f"{name}.sh").write_text(SCRIPT.format(layers) + OPTIONS)
        command = ("-m", "rails.imports", "megatron", "new.sh", "--out", "made.yaml")
        old = ("-m", "rails.imports", "megatron", "old.sh", "--out", "made.yaml")
        self.assertEqual(self.call(old)[0], 0, self.said)
        shutil.copy(self.work / "made.yaml", self.kept)
        before = (self.kept / "made.yaml").read_text()
        self.assertEqual(self.call(command)[0], 0, self.said)
        after = (self.work / "made.yaml").read_text()
        self.assertNotEqual(before, after)
        self.stop_everywhere(
            command, lambda: self.assertIn((self.work / "made.yaml").read_text(), (before, after)), 4
        )

    def test_figures_and_a_page_that_are_replaced(self):
        folder = self.kept / "sweep"
        synthetic.write_sweep(folder, ("ecmp", "rails"), (1, 2), messages=20)
        whole = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
        plot = (PLOTS / "plot.py", "sweep", "--format", "svg")
        page = (PLOTS / "report.py", "sweep")
        for command in (plot, page):
            self.assertEqual(self.call(command)[0], 0, self.said)
            shutil.rmtree(self.kept)
            shutil.copytree(self.work, self.kept)
        made = [path.relative_to(self.kept) for path in self.kept.rglob("*") if path.suffix in (".svg", ".html")]
        self.assertGreater(len(made), 2)

        def check():
            for path, content in whole.items():
                self.assertEqual((self.work / "sweep" / path).read_bytes(), content)
            for path in made:
                text = (self.work / path).read_text()
                self.assertTrue(own_files.is_own(self.work / path), path)
                self.assertTrue(text.rstrip().endswith(("</svg>", "</html>")), path)

        for command in (plot, page):
            self.stop_everywhere(command, check, 2)


if __name__ == "__main__":
    unittest.main()
