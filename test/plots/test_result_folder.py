# SPDX-License-Identifier: GPL-2.0-only
"""What belongs to a folder, and what computed it."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from rails.reader.result_folder import load_folder

VERSION = {"module": "0.1.0", "ns3": "3.37", "program": "ab" * 32}


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, name, scheme="rails", seed=1, folder=None, **changes):
        place = (folder or self.folder) / name
        synthetic.write_point(place, scheme, seed, messages=10, **changes)

    def page(self, *options):
        done = call("report", self.folder, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Path(done.stdout.splitlines()[-1]).read_text(encoding="utf-8")


class LeftOver(Temporary):
    def setUp(self):
        super().setUp()
        for seed in (1, 2):
            self.add(f"seed={seed}", seed=seed)
        self.add("seed=3,old", seed=3)
        (self.folder / "points.json").write_text(json.dumps(["seed=1", "seed=2", "seed=4"]))

    def test_points_of_an_earlier_sweep_are_named_and_not_counted(self):
        folder = load_folder(self.folder)
        self.assertEqual([point.seed for point in folder.points], [1, 2])
        self.assertEqual(folder.left_over, ["seed=3,old"])
        text = "1 point left over from an earlier sweep, not counted without --all: seed=3,old"
        self.assertEqual(folder.notes, [text])
        self.assertIn(text, self.page())
        self.assertIn(f"note: {text}", call("plot", self.folder).stderr)

    def test_all_counts_them(self):
        folder = load_folder(self.folder, everything=True)
        self.assertEqual([point.seed for point in folder.points], [1, 2, 3])
        self.assertEqual(folder.notes, [])
        self.assertNotIn("left over", self.page("--all"))

    def test_a_folder_of_nothing_else_says_so(self):
        (self.folder / "points.json").write_text("[]")
        for arguments in (
            ("plot", self.folder),
            ("report", self.folder),
            ("compare", self.folder, "--by", "balance"),
            ("compare", self.folder, self.folder),
        ):
            done = call(*arguments)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
            self.assertIn("no whole result in it; 3 points left over from an earlier", done.stderr)

    def test_without_a_list_all_belong(self):
        (self.folder / "points.json").unlink()
        self.assertEqual(len(load_folder(self.folder).points), 3)

    def test_each_sweep_below_a_folder_has_its_own_list(self):
        for seed in (1, 2):
            self.add(f"seed={seed}", seed=seed, folder=self.folder / "other")
        (self.folder / "other" / "points.json").write_text('["seed=2"]')
        folder = load_folder(self.folder)
        self.assertEqual(folder.left_over, ["other/seed=1", "seed=3,old"])


class Versions(Temporary):
    def test_results_of_one_program_need_no_note(self):
        for seed in (1, 2):
            libraries = {"libmine.so": "c" * 64}
            self.add(str(seed), seed=seed, version={**VERSION, "libraries": libraries})
        self.add("3", seed=3, version={"module": "0.1.0"})  # that does not tell its program
        self.assertEqual(load_folder(self.folder).notes, [])

    def test_results_of_several_programs_are_told_with_their_number(self):
        for seed, program in ((1, "a"), (2, "a"), (3, "b")):
            self.add(str(seed), seed=seed, version={**VERSION, "program": program * 64})
        note = "results of different versions: program aaaaaaaaaaaa (2 points), bbbbbbbbbbbb "
        note += "(1 point)"
        self.assertEqual(load_folder(self.folder).notes, [note])
        page = self.page()
        self.assertIn(f'<p class="warning" role="status">{note}</p>', page.replace("\n", " "))
        self.add("4", "ecmp", version=VERSION)
        done = call("compare", self.folder, "--by", "balance")
        self.assertIn("note: results of different versions: program ", done.stdout)

    def test_so_are_those_of_several_builds_of_a_library(self):
        for seed, build in ((1, "c"), (2, "d")):
            libraries = {"libmine.so": build * 64}
            self.add(str(seed), seed=seed, version={**VERSION, "libraries": libraries})
        (note,) = load_folder(self.folder).notes
        self.assertIn("library libmine.so cccccccccccc (1 point), dddddddddddd (1 point)", note)

    def test_so_are_those_of_libraries_whose_names_say_nothing(self):
        cases = {
            "of two files": ({"0123456789abcdef.so": "c" * 64}, {"fedcba9876543210.so": "d" * 64}),
            "of a file and a folder": ({"0123456789abcdef.so": "c" * 64}, {"stripe": "d" * 64}),
            "one more": ({"a": "c" * 64}, {"a": "c" * 64, "stripe-0123456789ab": "d" * 64}),
        }
        for name, sides in cases.items():
            for seed, libraries in enumerate(sides, 1):
                version = {**VERSION, "libraries": libraries}
                self.add(str(seed), seed=seed, folder=self.folder / name, version=version)
        first, second, third = (load_folder(self.folder / name).notes for name in cases)
        of = "results of different versions: a library of components cccccccccccc (1 point), "
        self.assertEqual(first, [of + "a library of components dddddddddddd (1 point)"])
        self.assertEqual(second, [of + "library stripe dddddddddddd (1 point)"])
        self.assertRegex(third[0], "library a c+ .1 point., library a c+ and library stripe d+ .1")

    def test_the_same_library_under_another_name_and_another_component_are_no_mixture(self):
        cases = (("rails", 1, "stripe", "c"), ("rails", 2, "0123456789abcdef.so", "c"),
                 ("ecmp", 1, "weave", "d"))
        for scheme, seed, name, content in cases:
            version = {**VERSION, "libraries": {name: content * 64}}
            self.add(f"{scheme}{seed}", scheme, seed=seed, version=version)
        self.assertEqual(load_folder(self.folder).notes, [])

    def test_libraries_of_two_folders_are_compared_by_readable_names(self):
        names = {"a": "0123456789abcdef.so", "b": "stripe-0123456789abcdef.so", "c": "stripe"}
        for (folder, name), content in zip(names.items(), "cdd"):
            version = {**VERSION, "libraries": {name: content * 64}}
            self.add("1", folder=self.folder / folder, version=version)
        shown = call("compare", self.folder / "a", self.folder / "b").stdout
        self.assertIn("a library of components cccccccccccc in a; none in b", shown)
        self.assertIn("library stripe none in a; dddddddddddd in b", shown)
        self.assertNotIn("note:", call("compare", self.folder / "b", self.folder / "c").stdout)

    def test_folders_of_different_versions_are_compared_with_a_note(self):
        for name, program in (("a", "a"), ("b", "b")):
            for seed in (1, 2):
                version = {**VERSION, "program": program * 64}
                self.add(f"{seed}", seed=seed, folder=self.folder / name, version=version)
        done = call("compare", self.folder / "a", self.folder / "b")
        self.assertIn(
            "note: computed by different versions: program aaaaaaaaaaaa in a; bbbbbbbbbbbb in b",
            done.stdout,
        )


if __name__ == "__main__":
    unittest.main()
