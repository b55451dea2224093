# SPDX-License-Identifier: GPL-2.0-only
"""Every kind of figure can be read: no text on another one, nothing cut off, every tick with a label."""

import csv
import io
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
from canvas import faults
from railsplots import figure_table, style
from railsplots.draw import figures_of
from railsplots.layout import Skip
from railsplots.results import load
from synthetic_folders import FOLDERS, LONG


# Figures that look alike here where schemes and the fabric do.
SAME = {"message_cdf", "queue_ccdf", "nic_load", "link_utilisation"}


def _form(results):
    """How many schemes there are, whether names are long, and how many servers."""
    names = [len(scheme) > 20 for scheme in results.schemes]
    servers = len(results.points[0].result.get("nic_tx_bytes") or ())
    return len(names) // 3, any(names), servers


class Canvas(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_every_figure_of_every_folder_can_be_read(self):
        drawn, known = set(), set()
        for number, (what, write) in enumerate(FOLDERS.items()):
            folder = self.folder / str(number)
            write(folder)
            results = load(folder)
            title = LONG if "long name" in what else what
            for name, function in figures_of(results).items():
                own = (function, *_form(results))
                if own in known and function.__name__ in SAME:
                    continue
                known.add(own)
                with self.subTest(folder=what, figure=name), style.house_style():
                    try:
                        figure = function(results, title)
                    except Skip:
                        continue
                    drawn.add(function.__name__)
                    self.assertEqual(faults(figure), [])
                    head, *rows = csv.reader(io.StringIO(figure_table.as_csv(figure)))
                    self.assertEqual({len(row) for row in rows}, {len(head)}, "its table")
        self.assertGreaterEqual(len(drawn), 12, drawn)


if __name__ == "__main__":
    unittest.main()
