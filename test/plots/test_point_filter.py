# SPDX-License-Identifier: GPL-2.0-only
"""
What becomes of --where; the rules of it are tested where they are kept, in
test/harness/sweep/point-filter-test.cc.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import synthetic
from paths import PLOTS
from rails.reader.point import Point
from rails.errors import Error
from rails.reader.point_filter import choose, condition, file_name
from rails.reader.result_folder import load_folder


def point(scheme="rails", axes=None, **config):
    result = {
        "seed": 1,
        "status": 0,
        "cct_s": 1,
        "lower_bound_s": 1,
        "cct_over_bound": 1,
        "axes": axes,
        "config": {"seed": 1, "balance": {"type": scheme}, **config},
    }
    return Point(Path(scheme), result)


class Choice(unittest.TestCase):
    def test_the_program_chooses_by_configuration_and_labels(self):
        points = [
            point("ecmp", transport={"mtu": "1024B"}),
            point("rails", {"balance": "rails 2"}, switch={"alpha": 1.0}),
            point("rails", switch={"alpha": 1.0, "words": "\u00e4"}),
        ]
        self.assertEqual(choose(points, ["balance=ecmp"]), points[:1])
        self.assertEqual(choose(points, ["balance=rails 2"]), points[1:2])
        self.assertEqual(choose(points, ["balance=rails", "switch.alpha=1.0"]), points[1:])
        self.assertEqual(choose(points, ["switch.words=\u00e4"]), points[2:])

    def test_what_chooses_no_point_is_told_in_one_line_and_shows_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write_sweep(Path(folder), ("ecmp", "rails"), (1,))
            command = [sys.executable, PLOTS / "plot.py", folder, "--where", "balanc=rails"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(
                done.stderr,
                r"\A--where balanc: error: no point has such a key; did you mean 'balance'\?.*\n\Z",
            )
            self.assertFalse((Path(folder) / "figures").exists())

    def test_without_a_condition_no_program_is_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic.write_sweep(Path(folder), ("ecmp", "rails"), (1,))
            with no_program():
                self.assertEqual(len(load_folder(folder).points), 2)
                with self.assertRaises(Error):
                    load_folder(folder, ["balance=rails"])


class Words(unittest.TestCase):
    def test_a_value_is_called_as_the_configuration_writes_it_or_by_its_label(self):
        one = point(axes={"transport": "small"}, switch={"alpha": 1.0, "pfc": True}, none=None)
        texts = {key: one.text(key) for key in ("switch.alpha", "switch.pfc", "none", "seed")}
        expected = {"switch.alpha": "1.0", "switch.pfc": "true", "none": "null", "seed": "1"}
        self.assertEqual(texts, expected)
        self.assertEqual((one.text("balance"), one.text("transport")), ("rails", "small"))
        self.assertIsNone(one.text("switch"))

    def test_conditions_name_files_and_points(self):
        self.assertEqual(file_name(["a.b=4MB", "c=x/y z"]), "a.b=4MB,c=x-y-z")
        small = point(transport={"mtu": "1024B"})
        self.assertEqual(condition(small, "transport.mtu"), "transport.mtu=1024B")
        self.assertEqual(condition(point(axes={"balance": "rails 2"}), "balance"), "'balance=rails 2'")


@contextlib.contextmanager
def no_program():
    """Where nothing is built."""
    with mock.patch.dict(os.environ, {"RAILS_EXPERIMENT": "/nowhere"}):
        yield


if __name__ == "__main__":
    unittest.main()
