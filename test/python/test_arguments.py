# SPDX-License-Identifier: GPL-2.0-only
"""Whatever functions are given, what they cannot take is told as rails.Error, with its name and what is expected."""

import math
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import paths
import rails
from experiments import SMALL, SWEPT, InFolder

QUICK = {**SMALL, "engine": "flow"}


class NoPath:
    def __fspath__(self):
        return 5


LOOP, RING = {}, []
LOOP["a"] = LOOP
RING.append(RING)
HUGE = 10**5000
NO_TEXTS = (12, HUGE, b"x", [1], {"a": 1}, {1}, object(), NoPath(), slice(1), len)
NO_WORDS = ("a\0b", "\ud800", *NO_TEXTS)
NO_NUMBERS = ("0.05", "", b"1", math.nan, math.inf, -math.inf, HUGE, -1, 0, 1e9, 1j, [1], {}, object())
NO_VALUES = (math.nan, math.inf, HUGE, "\ud800", "x\udcff", [math.nan], RING, object(), NoPath(), [{(1,): 2}], 1j, {1})


class Arguments(InFolder):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.point = rails.run(QUICK, out=Path(holder.name) / "run")
        cls.sweep = rails.sweep({**QUICK, "sweep": SWEPT["sweep"]}, out=Path(holder.name) / "sweep", progress=False)

    def refuse(self, place, function, values):
        for value in values:
            with self.subTest(place=place, type=type(value)):
                error = self.error(function, value)
                self.assertRegex(str(error), rf"^{place}: error: ")
                self.assertEqual(error.status, 2)

    def test_values_of_descriptors(self):
        self.refuse("seed", lambda value: rails.run({**QUICK, "seed": value}), NO_VALUES)
        self.refuse("descriptor", lambda value: rails.run({**QUICK, "workload": value}), [LOOP])
        self.refuse("--set seed", lambda value: rails.run(QUICK, {"seed": value}), (*NO_VALUES, LOOP))
        self.refuse("descriptor", lambda key: rails.run({**QUICK, key: 1}), (b"x", HUGE, math.nan, len))
        self.refuse("set", lambda key: rails.run(QUICK, {key: 1}), (b"x", HUGE, math.nan, len))
        self.refuse("descriptor", rails.validate, ("\ud800", "name: \ud800", "a\0b", b"x", HUGE, NoPath(), [1]))
        self.refuse("gpus", lambda value: rails.experts(gpus=value), NO_VALUES[:4])
        self.refuse("name", lambda value: rails.cost({**QUICK, "name": value}), ("a/b", "/dev/null", "a" * 300, *NO_VALUES))
        self.refuse("jobs", lambda value: rails.sweep(SWEPT, jobs=value), NO_VALUES[:4])

    def test_names_and_folders(self):
        for name, function in {
            "out": lambda value: rails.run(QUICK, out=value),
            "with_": lambda value: rails.describe(with_=[value]),
            "resume": lambda value: rails.sweep(resume=value),
            "folder": rails.load,
            "fabrics": lambda value: rails.cost(value if isinstance(value, str) else [value]),
            "./rails describe": rails.describe,
        }.items():
            self.refuse(name, function, NO_WORDS)
        self.refuse("folder", self.point.save, NO_WORDS)
        self.refuse("results", lambda value: rails.compare(self.sweep, value), NO_WORDS)

    def test_texts_one_by_one_or_alone(self):
        self.refuse("where", lambda value: rails.load(self.sweep.folder, where=[value]), NO_TEXTS)
        self.refuse("where", lambda value: rails.sweep(SWEPT, out="here", where=value), (12, None, object()))
        self.refuse("options", lambda value: rails.sweep(SWEPT, out="here", options=value), (12, None, object()))
        self.refuse("results", rails.plot, (12, None, object()))
        self.refuse("columns", lambda value: self.point.table("links", value), (12, [12]))
        self.refuse("figure", self.point.plot, NO_TEXTS)
        self.refuse("table", self.point.table, NO_TEXTS)
        self.refuse("key", lambda value: self.point[value], NO_TEXTS)
        self.assertEqual(len(rails.load(self.sweep.folder, where="balance=rails")), 2)
        self.assertTrue("cct_s" in self.point and "cct" not in self.point)

    def test_points_of_a_sweep_by_number(self):
        self.refuse(self.sweep.folder, lambda which: self.sweep[which], (6, -7, HUGE, 1.5, None, b"x", slice("a"), object()))
        self.assertIs(self.sweep[-1], self.sweep[5])

    def test_flags_are_true_or_false_as_python_has_it(self):
        for flag in ("", None, HUGE):
            self.assertEqual(rails.run(QUICK, force=flag).status, 0)

    def test_what_cancels_is_known_before_anything_is_run(self):
        self.refuse("cancel", lambda value: rails.sweep(SWEPT, out="here", cancel=value), ("x", 1, True))
        self.assertFalse(Path("here").exists())

    @unittest.skipIf(paths.lacking("matplotlib"), paths.lacking("matplotlib"))
    def test_figures_have_the_ranges_of_the_command(self):
        self.refuse("width", lambda value: self.sweep.plot("cct", width=value), (*NO_NUMBERS, 1.9, 20.1, "3in"))
        self.refuse("ci", lambda value: self.sweep.plot("cct", ci=value), (*NO_NUMBERS, 49, 100))
        self.refuse("title", lambda value: self.sweep.plot("cct", title=value), ("\ud800", *NO_TEXTS))

    @unittest.skipIf(paths.lacking("scipy"), paths.lacking("scipy"))
    def test_comparisons_have_the_ranges_of_the_command(self):
        self.refuse("alpha", lambda value: rails.compare(self.sweep, by="balance", alpha=value), (*NO_NUMBERS, 1, None))
        for name in ("by", "baseline", "metric"):
            self.refuse(name, lambda value, key=name: rails.compare(self.sweep, **{"by": "balance", key: value}), NO_TEXTS)
        self.refuse("rails.compare", lambda by: rails.compare(by=by), ["balance"])


class Places(InFolder):
    """What the system refuses."""

    def test_a_name_that_is_too_long_and_one_that_is_not_utf_8(self):
        long, other = "a" * 300, os.fsdecode(b"x\xff")
        for function in (rails.load, rails.plot, lambda name: rails.run(QUICK, out=name), rails.run(QUICK).save):
            self.assertIn("File name too long", str(self.error(function, long)))
        rails.run(QUICK, out=f"{other}/here")
        self.assertEqual(rails.load(f"{other}/here").status, 0)

    def test_no_working_directory_and_no_folder_for_what_is_temporary(self):
        with mock.patch.object(tempfile, "tempdir", "/nowhere"):
            for function in (rails.run, rails.cost):
                self.assertRegex(str(self.error(function, QUICK)), "^/nowhere/.*: error: No such file or directory$")
        Path("gone").mkdir()
        os.chdir("gone")
        Path("../gone").resolve().rmdir()
        self.assertIn("the working directory is gone", str(self.error(rails.run, QUICK)))
        os.chdir(self.folder)

    def test_a_result_whose_folder_is_gone(self):
        result = rails.run(QUICK, out="here")
        shutil.rmtree("here")
        for function in (lambda: result.messages, lambda: result.save("there"), lambda: rails.load(result.folder)):
            self.error(function)

    def test_a_program_that_is_another(self):
        with mock.patch.dict(os.environ, {"RAILS_EXPERIMENT": "/bin/true"}):
            self.assertIn("/bin/true: error: answers with something else", str(self.error(rails.validate, QUICK)))


if __name__ == "__main__":
    unittest.main()
