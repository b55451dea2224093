# SPDX-License-Identifier: GPL-2.0-only
"""Figures of MicroMoE from token counts."""

import shutil
import tempfile
import unittest
from pathlib import Path

from programs import call

TABLES = {
    "figure-07": "model,s,share,plain,static,full,speedup_static,speedup_full\n"
    "A,0,0.8,1,1,1,1,1\nA,0,0.4,1,1,1,1,1\n"
    "A,1,0.8,2,1.2,1,1.5,1.8\nA,1,0.4,2,1.2,1,1.25,1.5\n",
    "figure-08": "s,plain,random,static,full,random_median,static_median,full_largest,floor\n"
    "0,1,1,1,1,1,1,1.001,1\n2,2.8,2.6,2.52,1,2.5,2.48,1.004,2.478\n",
    "figure-09": "system,mean_ms,sent_ms,got_ms\nplain,1.3,1.5,2\nfull,1.4,1.5,1.5\n",
    "figure-11": "gpus,experts,flow_us,routing_us,communication_us\n"
    "8,32,30,10,1000\n64,256,200,500,33000\n",
}


class Figures(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, *names):
        for name in names:
            (self.folder / f"{name}.csv").write_text(TABLES[name], encoding="utf-8")

    def draw(self):
        return call("micro_moe", "--results", self.folder)

    def test_every_figure_is_drawn_and_put_into_words(self):
        self.write(*TABLES)
        done = self.draw()
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in TABLES:
            self.assertTrue((self.folder / f"{name}.png").stat().st_size > 0)
        # 1.369 lies between 1 and 1.8 at 0.46, between 1 and 1.5 at 0.74
        self.assertIn("mean speed-up 1.369: reached at s = 0.46 to 0.74", done.stdout)
        self.assertIn("full: at most 1.0040 in any draw", done.stdout)
        self.assertIn("no replacement, s = 2: median 2.480, mean 2.520, floor 2.478", done.stdout)
        self.assertIn("full: +0.10 ms in the mean, -0.50 ms of the GPU that gets most", done.stdout)
        self.assertIn("LP 1 200 us, routing 500 us, LP 4 33 ms", done.stdout)

    def test_figures_that_are_not_there_are_left_out(self):
        self.write("figure-08")
        self.assertEqual(self.draw().returncode, 0)
        self.assertEqual(len(list(self.folder.glob("*.png"))), 1)

    def test_a_folder_without_any_is_an_error(self):
        done = self.draw()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no figure-07.csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
