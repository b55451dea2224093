# SPDX-License-Identifier: GPL-2.0-only
"""Reports on several folders: which are compared with each other, and what is refused."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
import synthetic_studies
from programs import call
from rails.plots.report_answer import answer
from rails.plots.report_parts import parts_of
from rails.reader.result_folder import load_folder
from synthetic_trainings import write_training
from test_report_sections import cells

ALL_TO_ALL = {"workload.type": "all-to-all"}


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, name, schemes=("rails",), seeds=(1, 2), config=None, **changes):
        config = {**ALL_TO_ALL, **(config or {})}
        for scheme in schemes:
            for seed in seeds:
                place = self.folder / name / f"{scheme}-{seed}"
                synthetic.write_point(place, scheme, seed, messages=5, config=config, **changes)
        return self.folder / name

    def parts(self, *folders):
        return parts_of([load_folder(folder) for folder in folders])

    def report(self, *arguments):
        return call("report", *arguments)

    def test_folders_of_one_kind_of_work_are_compared_and_each_option_says_where_it_is_from(self):
        one = self.add("one", ("ecmp",), config={"topology.type": "fat-tree"})
        other = self.add("other", ("ecmp", "rails"), config={"topology.type": "rail"})
        (part,) = self.parts(one, other)
        head, *rows = cells(answer(part), "options0")
        self.assertEqual(head[-1], "Folder")
        places = {row[0]: row[-1] for row in rows}
        self.assertEqual(
            places, {"fat-tree, ecmp": "one", "rail, ecmp": "other", "rail, rails": "other"}
        )

    def test_each_sweep_has_its_baseline(self):
        places = {}
        for name, schemes in (("packet", ("ecmp", "rails")), ("circuits", ("even-split", "random"))):
            places[name] = self.add(name, schemes, config={"topology.type": name})
            (places[name] / ".rails").mkdir()
            sweep = {"baseline": {"balance": schemes[0]}}
            (places[name] / ".rails" / "sweep.json").write_text(json.dumps(sweep))
        (part,) = self.parts(*places.values())
        head, *rows = cells(answer(part), "options0")
        columns = [head.index(f"× balance {scheme}") for scheme in ("ecmp", "even-split")]
        has_ratio = {row[0]: tuple(row[column] != "–" for column in columns) for row in rows}
        self.assertEqual(has_ratio, {
            "packet, ecmp": (True, False), "packet, rails": (True, False),
            "circuits, even-split": (False, True), "circuits, random": (False, True),
        })
        self.assertIsNone(part.results.baseline)
        note = "the sweeps have different baselines of balance: ecmp in packet, even-split in circuits"
        self.assertIn(note, part.results.folder.notes)

    def test_the_same_runs_in_two_folders_are_two_options(self):
        (part,) = self.parts(self.add("one"), self.add("other", cct_s=1.0))
        rows = cells(answer(part), "options0")[1:]
        self.assertEqual([(row[0], row[-1]) for row in rows],
                         [("folder one", "one"), ("folder other", "other")])

    def test_more_seeds_in_another_folder_belong_to_the_same_option(self):
        (part,) = self.parts(self.add("one", seeds=(1, 2)), self.add("other", seeds=(3,)))
        ((_, row),) = [cells(answer(part), "options0")]
        self.assertEqual((row[4], row[-1]), ("3", "one, other"))

    def test_other_work_is_a_part_of_its_own(self):
        one = self.add("one", ("ecmp", "rails"))
        for policy in ("plain-ep", "eplb"):
            write_training(self.folder / "training" / policy, policy)
        synthetic_studies.write_studies(self.folder / "study", ("plain-ep", "llep"), (1,))
        folders = (one, self.folder / "training", self.folder / "study")
        parts = self.parts(*folders)
        self.assertEqual([part.title for part in parts],
                         ["All-to-all", "Training", "Studies of policies for experts"])
        done = self.report(*folders)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = Path(done.stdout.splitlines()[-1]).read_text(encoding="utf-8")
        ids = re.findall(r'<[a-z0-9]+ [^<>]*?\bid="([\w-]+)"', page[page.index("<body>") :])
        self.assertEqual(len(ids), len({*ids}))
        (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
        self.assertEqual([part["id"] for part in json.loads(data)], ["part1-", "part2-", "part3-"])
        places = [page.index(f'id="part{n}-{what}-title"') for what in ("answer", "facts") for n in (1, 2, 3)]
        self.assertEqual(places, sorted(places))  # all answers come before what is behind them

    def test_the_page_lies_in_the_first_folder_and_is_named_by_the_others(self):
        one, other = self.add("one"), self.add("other", config={"transport.mtu": "1024B"})
        done = self.report(one, other)
        page = one / "report-with-other.html"
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, str(page)))
        self.assertEqual([path.name for path in self.folder.rglob("*.html")], [page.name])
        text = page.read_text(encoding="utf-8")
        self.assertIn(f"{one.name}, {other.name}</dd>", text)

    def test_what_is_twice_is_refused(self):
        one = self.add("one")
        for again in (one, self.folder, one / "rails-1", self.folder / "other" / ".." / "one"):
            (self.folder / "other").mkdir(exist_ok=True)
            done = self.report(one, again)
            self.assertEqual(done.returncode, 2)
            self.assertIn("its points would be there twice", done.stderr)

    def test_a_folder_without_results_is_refused_beside_others(self):
        (self.folder / "empty").mkdir()
        done = self.report(self.add("one"), self.folder / "empty")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no whole result in it", done.stderr)

    def test_points_of_all_folders_are_named_from_where_they_lie(self):
        one = self.add("one")
        other = self.add("other", config={"transport.mtu": "1024B"})
        (other / "cut").mkdir()
        (other / "cut" / "result.json").write_text("{")
        (part,) = self.parts(one, other)
        self.assertEqual([entry.name for entry in part.results.unreadable], ["other/cut"])
        done = self.report(one, other)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("error: result.json is not JSON"), 1)


if __name__ == "__main__":
    unittest.main()
