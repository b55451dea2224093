# SPDX-License-Identifier: GPL-2.0-only
"""What a report opens on: options of a sweep in order, and the sentence to quote."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
import synthetic_studies
from rails.plots.growth import difference
from rails.plots.report_answer import answer
from rails.plots.report_parts import parts_of
from rails.plots.report_sentence import sentence, summary
from rails.reader.result_folder import load_folder
from rails.plots.shortened_runs import shortened
from synthetic_failures import write_failure
from synthetic_trainings import write_training
from test_report_sections import cells

MEAN = "workload.matrix.mean"
CHUNK = "balance.chunk"


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, times_ms, scheme="rails", **changes):
        """Runs of a scheme by their times, with seeds from 1."""
        for seed, time in enumerate(times_ms, 1):
            place = self.folder / str(len(list(self.folder.iterdir())))
            numbers = {"cct_s": 1e-3 * time, "lower_bound_s": 1e-3}
            synthetic.write_point(place, scheme, seed, messages=5, **{**numbers, **changes})

    def part(self):
        (part,) = parts_of([load_folder(self.folder)])
        return part

    def sentence(self):
        (case,) = self.part().cases
        return sentence(case)

    def rows(self, number=0):
        return cells(answer(self.part()), f"options{number}")


class Sentence(Temporary):
    def test_the_fastest_is_named_with_its_spread_and_how_far_the_next_is(self):
        self.add((2.0, 2.1, 2.2), "ecmp")
        self.add((1.0, 1.1, 1.2), "rails")
        self.add((3.0, 3.1, 3.2), "random")
        self.assertEqual(
            self.sentence(),
            "Of 3 options, “rails” is fastest: 1.10 ms (n = 3, sd 0.10 ms), 1.91 times as fast as the "
            "next, “ecmp”. The slowest, “random”, takes 2.82 times as long.",
        )

    def test_what_is_within_the_spread_over_seeds_is_level(self):
        self.add((1.0, 1.1, 1.2), "ecmp")
        self.add((1.1, 0.9, 1.2), "rails")
        self.add((3.0, 3.1, 3.2), "random")
        self.assertIn("“rails” has the lowest mean: 1.07 ms (n = 3, sd 0.15 ms); “ecmp” is level "
                      "with it. The slowest, “random”", self.sentence())

    def test_all_can_be_level(self):
        self.add((1.0, 1.1), "ecmp")
        self.add((1.1, 1.0), "rails")
        self.assertEqual(
            self.sentence(), "All 2 options are level, between 1.05 ms and 1.05 ms (n = 2)."
        )

    def test_seeds_that_agree_settle_what_means_alone_do_not(self):
        self.add((1.0, 2.0, 3.0), "ecmp")
        self.add((0.9, 1.9, 2.91), "rails")
        self.assertIn("“rails” is fastest: 1.90 ms (n = 3, sd 1.0 ms), 1.05 times", self.sentence())

    def test_a_difference_that_needs_more_seeds_says_so(self):
        self.add((1.0, 1.1), "ecmp")
        self.add((0.9, 1.04), "rails")
        self.assertIn("“ecmp”, though more seeds would have to confirm that.", self.sentence())

    def test_single_runs_tell_no_spread(self):
        self.add((2.0,), "ecmp")
        self.add((1.0,), "rails")
        self.assertIn("1.00 ms (one run), 2.00 times as fast as the next, “ecmp” (single runs do not "
                      "tell their spread).", self.sentence())

    def test_a_small_difference_has_the_digits_that_show_it(self):
        self.add((1.002, 1.002), "ecmp")
        self.add((1.0, 1.0), "rails")
        self.assertIn("1.002 times as fast", self.sentence())
        self.assertEqual([row[5] for row in self.rows()[1:]], ["1.000", "1.002"])

    def test_one_option_and_none(self):
        self.add((2.0, 2.2))
        self.assertEqual(self.sentence(), "There is one option, “rails”: 2.10 ms (n = 2, sd 0.14 ms).")
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for scheme in ("ecmp", "rails"):
            write_failure(self.folder / scheme, scheme, 1)
        self.assertEqual(
            self.sentence(), "No option has a result: all 2 failed or did not finish."
        )

    def test_what_failed_is_counted_and_what_a_mean_leaves_out(self):
        self.add((1.0, 1.1), "rails")
        self.add((2.0, 2.1), "random")
        write_failure(self.folder / "some", "rails", 3)
        write_failure(self.folder / "all", "ecmp", 1)
        text = self.sentence()
        self.assertIn("(n = 2, sd 0.071 ms, 1 of 3 left out)", text)
        self.assertTrue(text.endswith("1 further option has no result."), text)
        self.assertEqual(self.rows()[-1][0], "ecmp")
        self.assertEqual(self.rows()[-1][-1], "failed: time limit of 10 s")

    def test_an_oracle_is_no_rival(self):
        synthetic_studies.write_studies(self.folder)
        (case,) = self.part().cases
        text = sentence(case, "policies")
        self.assertTrue(text.startswith("Of 3 policies, “llep” has the most even load: 1.10"), text)
        first = self.rows()[1]
        self.assertEqual((first[0], first[-1]), ("oracle", "oracle: does what no real system can"))


class Options(Temporary):
    def test_options_are_compared_where_they_do_the_same_work(self):
        for mean, slower in (("1MB", 1), ("4MB", 4)):
            for chunk in ("256KB", "whole"):
                config = {MEAN: mean, CHUNK: chunk}
                self.add((slower * len(chunk),), config=config)
        cases = self.part().cases
        self.assertEqual([case.name for case in cases], ["matrix.mean 1 MB", "matrix.mean 4 MB"])
        names = ["rails (chunk 256 KB)", "rails (chunk whole)"]
        self.assertEqual([[o.name for o in case.options] for case in cases], [names] * 2)

    def test_of_several_cases_it_says_in_how_many_an_option_is_best(self):
        for number, mean in enumerate(("1MB", "2MB", "3MB", "4MB", "5MB"), 1):
            self.add((1.0, 1.1), "rails", config={MEAN: mean})
            self.add((2.0, 2.1) if number < 4 else (1.1, 1.0), "ecmp", config={MEAN: mean})
        part = self.part()
        self.assertEqual(summary(part.cases), "“rails” is fastest, or level with the fastest, in all 5 "
                         "cases; “ecmp” in 2 of 5.")
        self.add((0.9, 0.95), "random", config={MEAN: "1MB"})
        cases = self.part().cases
        self.assertEqual(summary(cases), "“rails” is fastest, or level with the fastest, in 4 of 5 "
                         "cases; “ecmp” in 2 of 5; “random” in 1 of 1.")
        self.assertIn("in both cases", summary(cases[1:3]))
        self.assertEqual(summary(part.cases[:1]), "")
        text = answer(part)
        self.assertEqual(text.count("<summary>matrix.mean 5 MB</summary>"), 1)
        self.assertEqual((text.count("<summary>"), text.count("<h3>")), (1, 4))

    def test_ways_to_do_the_same_work_are_options(self):
        keys = ("workload.parallel.pp", "workload.exchange", "workload.experts.slots")
        for key in keys:
            for number, value in enumerate((1, 2)):
                self.add((1 + number,), config={key: value})
            (case,) = self.part().cases
            name = key.rpartition(".")[2]
            self.assertEqual([o.name for o in case.options], [f"{name} 1", f"{name} 2"])
            shutil.rmtree(self.folder)
            self.folder.mkdir()

    def test_the_number_of_gpus_is_part_of_the_work_and_not_how_they_are_divided(self):
        for domains, gpus in ((2, 8), (4, 4), (8, 8)):
            sizes = {"topology.domains": domains, "topology.gpus_per_domain": gpus}
            self.add((1.0,), config=sizes)
        cases = self.part().cases
        self.assertEqual([case.name for case in cases], ["16 GPUs", "64 GPUs"])
        self.assertEqual([o.name for o in cases[0].options],
                         ["domains 2", "domains 4"])

    def test_labels_stand_for_themselves(self):
        for number, (label, nics) in enumerate((("four NICs", 4), ("eight NICs", 8)), 1):
            config = {"topology.type": "rail", "topology.nics_per_domain": nics}
            self.add((number, number), config=config, labels={"topology": label})
        self.assertEqual([row[0] for row in self.rows()[1:]], ["four NICs", "eight NICs"])

    def test_fabrics_are_named_by_their_type_and_come_in_the_order_of_their_times(self):
        for fabric, time in (("fat-tree", 3), ("rail", 1), ("leaf-spine", 2)):
            self.add((time, time + 0.1), config={"topology.type": fabric, "topology.k": time})
        self.assertEqual([row[0] for row in self.rows()[1:]], ["rail", "leaf-spine", "fat-tree"])
        self.assertEqual([row[2] for row in self.rows()], ["Completion time [ms]", "1.05", "2.05", "3.05"])

    def test_trainings_are_compared_by_the_time_of_an_iteration(self):
        for policy in ("plain-ep", "eplb"):
            write_training(self.folder / policy, policy, tokens_per_s=1.5e6)
        head, best, _ = self.rows()
        self.assertEqual(head[2:], ["Iteration time [ms]", "n", "× best", "tokens/s"])
        self.assertEqual((best[0], best[2], best[-1]), ("eplb", "230", "1,500,000"))

    def name_baseline(self, baseline):
        (self.folder / ".rails").mkdir(exist_ok=True)
        (self.folder / ".rails" / "sweep.json").write_text(json.dumps({"baseline": baseline}))

    def test_a_baseline_of_the_sweep_is_what_others_are_held_against(self):
        for number, fabric in enumerate(("rail", "fat-tree"), 1):
            for scheme, slower in (("rails", 1), ("ecmp", 1.5)):
                config = {"topology.type": fabric}
                self.add((number * slower, number * slower), scheme, config=config)
        self.name_baseline({"topology": "fat-tree"})
        head, *rows = self.rows()
        self.assertEqual(head[5:], ["× best", "× topology fat-tree"])
        self.assertEqual({row[0]: row[-1] for row in rows},
                         {"rail, rails": "0.500", "rail, ecmp": "0.500", "fat-tree, rails": "1.000",
                          "fat-tree, ecmp": "1.000"})
        self.assertIn("× NAME: over the option that has this value", answer(self.part()))
        self.name_baseline({"topology": "fat-tree", "balance": "ecmp"})
        head, *rows = self.rows()
        self.assertEqual(head[-1], "× topology fat-tree, balance ecmp")
        self.assertEqual([row[-1] for row in rows], ["0.333", "0.500", "0.667", "1.000"])
        self.assertIn("“rail, rails” is fastest: 1.00 ms (n = 2, sd 0 ms), 1.50 times as fast as the "
                      "next, “rail, ecmp”. The slowest, “fat-tree, ecmp”", self.sentence())

    def test_bars_begin_at_zero_and_one_that_is_far_longer_is_cut(self):
        for scheme, time in (("ecmp", 31.0), ("rails", 1.0), ("random", 2.0), ("round-robin", 1.5)):
            self.add((time,), scheme)
        widths = re.findall(r'<i class="(cut|whole)" style="width: ([\d.]+)%', answer(self.part()))
        (kinds, lengths) = zip(*widths)
        self.assertEqual(kinds, ("whole", "whole", "whole", "cut"))
        lengths = [float(length) for length in lengths]
        self.assertAlmostEqual(lengths[2], 2 * lengths[0], delta=0.05)
        self.assertEqual(lengths[3], 100)


class Shortened(Temporary):
    NOTES = ["shortened: the first 2 of 32 layers", "shortened: 2 of 8 micro-batches", "other"]

    def test_what_is_not_a_whole_iteration_is_said_of_every_table(self):
        for seed in (1, 2):
            write_training(self.folder / str(seed), "eplb", seed, notes=self.NOTES)
        points = load_folder(self.folder).points
        text = "Shortened runs, not a whole iteration: the first 2 of 32 layers, 2 of 8 micro-batches."
        self.assertEqual(shortened(points), text)
        self.assertTrue(self.sentence().endswith(text))

    def test_some_of_the_runs_are_counted(self):
        for seed, notes in ((1, self.NOTES[:1]), (2, ["job b: " + self.NOTES[1]]), (3, [])):
            write_training(self.folder / str(seed), "eplb", seed, notes=notes)
        self.assertEqual(
            shortened(load_folder(self.folder).points),
            "2 of 3 runs are shortened, not a whole iteration: 1 with the first 2 of 32 layers; "
            "1 with b: 2 of 8 micro-batches.",
        )

    def test_whole_runs_need_no_words(self):
        self.add((1.0,), notes=["largest oversubscription of a switch: 1"])
        self.assertEqual(shortened(load_folder(self.folder).points), "")


class Difference(unittest.TestCase):
    def test_the_same_seeds_are_compared_one_by_one(self):
        mean, spread = difference({1: 1.0, 2: 5.0, 3: 9.0}, {1: 2.0, 2: 6.1, 3: 9.9})
        self.assertAlmostEqual(mean.mean, 1.0)
        self.assertAlmostEqual(spread, 0.1)
        self.assertAlmostEqual(mean.high - mean.mean, 4.303 * 0.1 / 3**0.5, places=6)

    def test_other_seeds_are_compared_as_samples(self):
        # By hand: variances 1 and 4 of three each, Welch's degrees of freedom 2.94.
        mean, spread = difference({1: 1.0, 2: 2.0, 3: 3.0}, {4: 3.0, 5: 5.0, 6: 7.0})
        self.assertAlmostEqual(mean.mean, 3.0)
        self.assertAlmostEqual(spread, 5**0.5)
        self.assertAlmostEqual(mean.mean - mean.low, 4.303 * (5 / 3) ** 0.5, places=6)

    def test_a_single_seed_tells_nothing(self):
        self.assertIsNone(difference({1: 1.0}, {1: 2.0, 2: 3.0}))


if __name__ == "__main__":
    unittest.main()
