# SPDX-License-Identifier: GPL-2.0-only
"""The figure of optical circuits."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from rails.plots import circuit_figure, results

HEADER = "start_s,end_s,region,server_a,server_b,circuits,bytes,dark_s\n"
LINES = (
    "0.000,0.001,0,0,1,2,4000000,0\n"
    "0.002,0.004,0,1,2,1,1000000,0.001\n"
    "0.002,0.004,1,4,5,1,9000000,0.001\n"
)


class Circuits(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, scheme, lines=None):
        folder = self.folder / scheme
        synthetic.write_point(folder, scheme, 1, over_bound=2)
        if lines is not None:
            (folder / "circuits.csv").write_text(HEADER + lines, encoding="utf-8")
            path = folder / "result.json"
            result = json.loads(path.read_text(encoding="utf-8"))
            size = len(HEADER + lines)
            result["artefacts"] = [*result.get("artefacts", []),
                                   {"file": "circuits.csv", "bytes": size}]
            path.write_text(json.dumps(result), encoding="utf-8")

    def test_the_report_has_what_circuits_carry_and_how_long_they_were_dark(self):
        self.add("rails", LINES)
        path = self.folder / "rails" / "result.json"
        result = json.loads(path.read_text(encoding="utf-8"))
        result["optical"] = {"reconfigurations": 3, "circuit_share": 0.704, "dark_s": 0.05}
        path.write_text(json.dumps(result), encoding="utf-8")
        call("report", self.folder)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        for text in ("Bytes by circuits", "70.4", "Moves of circuits", "Dark"):
            self.assertIn(text, page)

    def figure(self):
        return circuit_figure.circuits(results.load(self.folder), "title")

    def test_a_row_for_each_pair_of_servers_of_the_first_region(self):
        self.add("rails", LINES)
        axes = self.figure().axes[0]
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         ["0 – 1", "1 – 2"])
        bars = sorted((patch.get_x(), patch.get_width()) for patch in axes.patches)
        self.assertEqual([(round(x, 9), round(width, 9)) for x, width in bars],
                         [(0, 1), (1, 1), (2, 2)], "in ms: live, dark, live")
        self.assertEqual([text.get_text() for text in axes.texts], ["2"], "side by side")

    def test_colours_are_bytes_by_circuit_and_time(self):
        self.add("rails", LINES)
        first, dark, second = self.figure().axes[0].patches
        self.assertNotEqual(first.get_facecolor(), second.get_facecolor())
        self.assertEqual(dark.get_hatch(), "////")

    def test_schemes_without_circuits_have_no_panel(self):
        self.add("rails", LINES)
        self.add("ecmp")
        self.assertEqual(len(self.figure().axes), 2, "a panel and its scale")

    def test_plot_draws_it_where_there_are_circuits_and_removes_it_where_there_are_none(self):
        self.add("rails", LINES)
        self.assertIn("circuits.png", call("plot", self.folder).stdout)
        drawn = self.folder / "figures" / "circuits.png"
        self.assertTrue(drawn.exists())
        shutil.rmtree(self.folder / "rails")
        self.add("rails")
        self.assertNotIn("circuits.png", call("plot", self.folder).stdout)
        self.assertFalse(drawn.exists())


if __name__ == "__main__":
    unittest.main()
