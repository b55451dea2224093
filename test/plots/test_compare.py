# SPDX-License-Identifier: GPL-2.0-only
import json
import math
import shutil
import statistics
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from synthetic_failures import write_failure
from synthetic_trainings import write_training
from rails.plots import significance
from rails.plots.compare_table import aligned
from rails.plots.folder_comparison import compare_folders
from rails.errors import ResultError
from rails.reader.result_folder import load_folder

MEAN, MTU = "workload.matrix.mean", "transport.mtu"


def compare(*arguments):
    return call("compare", *arguments)


class Significance(unittest.TestCase):
    def test_the_paired_test_is_students_on_the_differences(self):
        a, b = [10.0, 12.0, 9.0, 11.0], [11.0, 14.0, 10.0, 12.5]
        found = significance.paired(a, b)
        self.assertEqual(found.name, "paired t-test")
        differences = [y - x for x, y in zip(a, b)]
        t = statistics.mean(differences) / (statistics.stdev(differences) / 2)
        # Student's distribution with 3 degrees of freedom has a closed form.
        angle = math.atan(t / math.sqrt(3))
        one_sided = 0.5 - (angle + math.sin(angle) * math.cos(angle)) / math.pi
        self.assertAlmostEqual(found.p, 2 * one_sided, places=9)

    def test_welchs_test_allows_for_unequal_spreads_and_sizes(self):
        found = significance.welch([1.0, 1.1, 0.9, 1.0, 1.05], [3.0, 9.0])
        self.assertEqual(found.name, "Welch's t-test")
        self.assertGreater(found.p, 0.3)  # nearly one degree of freedom; pooled it would be 0.02

    def test_one_value_cannot_be_tested(self):
        self.assertIsNone(significance.paired([1.0], [2.0]))
        self.assertIsNone(significance.welch([1.0, 2.0], [2.0]))

    def test_samples_without_any_spread_are_equal_or_different_for_certain(self):
        for test in (significance.paired, significance.welch):
            self.assertEqual(test([1.0, 1.0], [1.0, 1.0]).p, 1)
            self.assertEqual(test([1.0, 1.0], [2.0, 2.0]).p, 0)

    def test_holms_correction(self):
        found = significance.holm([0.01, 0.04, 0.03, 0.005])
        for value, expected in zip(found, [0.03, 0.06, 0.06, 0.02]):
            self.assertAlmostEqual(value, expected)
        self.assertEqual(significance.holm([0.7, 0.6]), [1, 1])
        self.assertEqual(significance.holm([]), [])


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.a, self.b = self.folder / "a", self.folder / "b"
        for folder in (self.a, self.b):
            folder.mkdir()

    def add(self, folder, cct_s, scheme="rails", seed=1, config=None, **changes):
        place = folder / f"{len(list(folder.iterdir()))}"
        synthetic.write_point(place, scheme, seed, config=config, cct_s=cct_s, **changes)

    def add_seeds(self, folder, ccts, first=1, **more):
        for seed, cct in enumerate(ccts, first):
            self.add(folder, cct, seed=seed, **more)

    def compare(self, **options):
        return compare_folders(load_folder(self.a), load_folder(self.b), **options)

    def test_the_same_seeds_are_compared_in_pairs(self):
        self.add_seeds(self.a, (1e-3, 2e-3, 3e-3))
        self.add_seeds(self.b, (1.1e-3, 2.11e-3, 3.09e-3))
        (pair,) = self.compare().pairs
        self.assertEqual((pair.test.name, pair.verdict), ("paired t-test", "differs"))
        self.assertAlmostEqual(pair.percent(pair.difference), 5)
        self.assertAlmostEqual(pair.spread, 1e-5)
        self.assertLess(pair.test.p, 0.01)  # though the seeds differ by far more than the folders

    def test_other_seeds_are_compared_as_samples(self):
        self.add_seeds(self.a, (1e-3, 2e-3, 3e-3))
        self.add_seeds(self.b, (1.1e-3, 2.11e-3, 3.09e-3), first=4)
        (pair,) = self.compare().pairs
        self.assertEqual((pair.test.name, pair.verdict), ("Welch's t-test", "no difference found"))
        self.assertGreater(pair.test.p, 0.5)

    def test_one_seed_allows_no_test_and_says_so(self):
        self.add(self.a, 1e-3)
        self.add(self.b, 2e-3)
        (pair,) = self.compare().pairs
        self.assertEqual((pair.verdict, pair.test, pair.spread), ("no test", None, None))
        done = compare(self.a, self.b)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\+100\.00 %.*no test: one seed only")

    def test_equal_fingerprints_are_identical_with_one_seed_too(self):
        for seeds in ((1,), (2, 3)):
            for seed in seeds:
                for folder in (self.a, self.b):
                    config = {MEAN: f"{len(seeds)}MB"}
                    self.add(folder, 1e-3, seed=seed, config=config, fingerprint=f"f{seed}")
        self.assertEqual([pair.verdict for pair in self.compare().pairs], ["identical"] * 2)

    def test_times_of_the_computer_are_tested_though_fingerprints_are_equal(self):
        for seed in (1, 2, 3):
            for folder, wall_s in ((self.a, 1.0), (self.b, 2.0)):
                wall_s += seed / 100 * (folder == self.a)
                self.add(folder, 1e-3, seed=seed, wall_s=wall_s, fingerprint=f"f{seed}")
        (pair,) = self.compare(metric="wall_s").pairs
        self.assertEqual(pair.verdict, "differs")

    def test_what_differs_most_for_certain_comes_first(self):
        cases = {
            "identical": (1e-3, 1e-3, 0),
            "noise": (1e-3, 1.001e-3, 2e-4),
            "small": (1e-3, 1.1e-3, 1e-6),
            "large": (1e-3, 0.5e-3, 1e-6),
        }
        for number, (name, (a, b, noise)) in enumerate(cases.items(), 1):
            for seed in (1, 2, 3, 4):
                config = {MEAN: f"{number}MB"}
                wobble = noise * (-1) ** seed
                fingerprint = f"{name}{seed}"
                self.add(self.a, a, seed=seed, config=config, fingerprint=fingerprint)
                fingerprint += "" if name == "identical" else "b"
                self.add(self.b, b + wobble, seed=seed, config=config, fingerprint=fingerprint)
        found = [(pair.label, pair.verdict) for pair in self.compare().pairs]
        self.assertEqual(found, [("rails, mean 4 MB", "differs"), ("rails, mean 3 MB", "differs"),
                                 ("rails, mean 2 MB", "no difference found"),
                                 ("rails, mean 1 MB", "identical")])

    def test_many_points_make_the_test_stricter(self):
        for number in range(1, 11):
            config = {MEAN: f"{number}MB"}
            self.add_seeds(self.a, (1e-3, 1e-3, 1e-3), config=config)
            self.add_seeds(self.b, (1.03e-3, 1.04e-3, 1.05e-3), config=config)
        pairs = self.compare().pairs
        self.assertTrue(all(pair.test.p < 0.05 < pair.p_corrected for pair in pairs))
        self.assertEqual({pair.verdict for pair in pairs}, {"beyond its spread, not significant"})
        self.assertEqual({p.verdict for p in self.compare(alpha=0.9).pairs}, {"differs"})

    def test_a_significant_difference_may_lie_within_the_spread(self):
        self.add_seeds(self.a, [1e-3] * 30)
        self.add_seeds(self.b, [1e-3 + (1e-5 if seed % 2 else -0.4e-5) for seed in range(30)])
        (pair,) = self.compare().pairs
        self.assertLess(pair.p_corrected, 0.05)
        self.assertEqual(pair.verdict, "differs within its spread")

    def test_quantities_are_the_same_however_they_are_written(self):
        self.add(self.a, 1e-3, config={MEAN: "16MiB"}, name="one")
        self.add(self.b, 1e-3, config={MEAN: "16384KiB"}, name="other")
        found = self.compare()
        self.assertEqual((len(found.pairs), found.keys), (1, {}))

    def test_points_of_one_folder_only_are_listed(self):
        for scheme in ("ecmp", "rails"):
            self.add_seeds(self.a, (1e-3, 2e-3), scheme=scheme)
        for scheme in ("rails", "random"):
            self.add_seeds(self.b, (1e-3, 2e-3), scheme=scheme)
        found = self.compare()
        self.assertEqual([pair.label for pair in found.pairs], ["rails"])
        self.assertEqual(found.only_in_a, ["ecmp, seeds 1, 2"])
        self.assertEqual(found.only_in_b, ["random, seeds 1, 2"])
        done = compare(self.a, self.b)
        self.assertEqual(done.returncode, 0)
        self.assertIn("only in a: ecmp, seeds 1, 2", done.stdout)
        self.assertIn("only in b: random, seeds 1, 2", done.stdout)

    def test_keys_that_differ_everywhere_are_named_and_left_aside(self):
        for scheme in ("ecmp", "rails"):
            for mtu, folder in (("1024B", self.a), ("4096B", self.b)):
                config = {MTU: mtu, **({"balance.chunk": "4MB"} if folder == self.b else {})}
                self.add_seeds(folder, (1e-3, 2e-3), scheme=scheme, config=config)
        found = self.compare()
        self.assertEqual(found.keys, {MTU: (["1024 B"], ["4096 B"]),
                                      "balance.chunk": (["(none)"], ["4 MB"])})
        self.assertEqual(sorted(pair.label for pair in found.pairs), ["ecmp", "rails"])
        done = compare(self.a, self.b)
        self.assertIn("differs everywhere: transport.mtu: 1024 B in a, 4096 B in b", done.stdout)

    def test_a_row_is_called_by_what_both_folders_share(self):
        for mean in ("1MB", "2MB"):
            self.add(self.a, 1e-3, "rails", config={MEAN: mean})
            self.add(self.b, 2e-3, "random", config={MEAN: mean})
        labels = sorted(pair.label for pair in self.compare().pairs)
        self.assertEqual(labels, ["mean 1 MB", "mean 2 MB"])
        for folder, scheme, host in (("c", "rails", None), ("d", "random", None),
                                     ("e", "rails", "spray")):
            (self.folder / folder).mkdir()
            config = {"balance.host.type": host} if host else {}
            self.add(self.folder / folder, 1e-3, scheme, config=config)
        for other, label in (("d", "all else equal"), ("e", "rails")):
            done = compare(self.folder / "c", self.folder / other)
            self.assertRegex(done.stdout, f"(?m)^{label}  ")

    def test_points_that_could_stand_for_one_another_are_refused(self):
        for mtu in ("1024B", "2048B"):
            self.add(self.a, 1e-3, config={MTU: mtu})
        self.add(self.b, 1e-3, config={MTU: "4096B"})
        with self.assertRaisesRegex(ResultError, "a: error: .* differ only in transport.mtu"):
            self.compare()
        self.assertEqual(compare(self.a, self.b).returncode, 2)

    def test_two_fabrics_are_paired_and_several_are_compared_along_their_key(self):
        packet = {"topology.type": "rail", "topology.spines": 0}
        tree = {"topology.type": "leaf-spine", "topology.spines": 8}
        circuits = {"topology.type": "nic-groups", "topology.nic_groups": "[1]"}
        for nics in (4, 8):
            for folder, fabric in ((self.a, packet), (self.b, circuits)):
                self.add(folder, 1e-3 / nics, config={**fabric, "topology.nics_per_domain": nics},
                         axes={"topology": f"{fabric['topology.type']} {nics}"})
        self.assertEqual(sorted(pair.label for pair in self.compare().pairs),
                         ["rails, nics_per_domain 4", "rails, nics_per_domain 8"])
        self.add(self.a, 5e-3, config={**tree, "topology.nics_per_domain": 8},
                 axes={"topology": "leaf-spine 8"})
        with self.assertRaisesRegex(ResultError, "compare the points of both folders by --by topology$"):
            self.compare()
        done = compare(self.a, self.b, "--by", "topology", "--baseline", "rail 8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "(?m)^2 folders of .*: .*nic-groups 8.* compared with rail 8 ")
        self.assertRegex(done.stdout, r"(?m)^leaf-spine 8 .* \+3900.00 %")
        done = compare(self.a, self.b, self.b, "--by", "topology")
        self.assertEqual(done.returncode, 2)
        self.assertIn("name each once", done.stderr)

    def test_what_routes_have_cost_is_divided_out_beside(self):
        hashed = ["warning: balance.host: a hash has put flows on the same cables"]
        for seed, routes in enumerate((1.25, 1.5), 1):
            explain = {"factors": {"plan": 1.0, "routes": routes}}
            self.add(self.a, 1e-3 * routes, "ecmp", seed, explain=explain, notes=hashed)
            self.add(self.b, 1.1e-3, "rails", seed, explain={"factors": {"plan": 1.0, "routes": 1.0}})
        found = self.compare()
        (means,) = [means for column, means in found.pairs[0].beside.items() if column.key == "without_routes"]
        for mean, wanted in zip(means, (1e-3, 1.1e-3)):
            self.assertAlmostEqual(mean, wanted)
        done = compare(self.a, self.b)
        self.assertRegex(done.stdout, r"(?m)^point +cct_s without routes \[ms\]")
        self.assertRegex(done.stdout, r"(?m)^all else equal +1 -> 1.1 \(\+10.00 %\)$")
        self.assertIn("-20.00 %", done.stdout)

    def test_tokens_of_a_second_are_written_in_full(self):
        for folder, scheme, rate in ((self.a, "ecmp", 582_249.4), (self.b, "rails", 1.5e7)):
            write_training(folder / "run", scheme=scheme, tokens_per_s=rate)
        self.assertIn(" 582,200 -> 15,000,000\n", compare(self.a, self.b, "--metric", "iteration_s").stdout)

    def test_tokens_of_a_second_stand_beside_those_that_are_dropped(self):
        write_training(self.a / "run", tokens_per_s=1e6)
        write_training(self.b / "run", tokens_per_s=2e6)
        self.assertNotIn("dropped", compare(self.a, self.b, "--metric", "iteration_s").stdout)
        shutil.rmtree(self.b / "run")
        write_training(self.b / "run", tokens_per_s=2e6, expert_dropped_share=0.25)
        said = compare(self.a, self.b, "--metric", "iteration_s").stdout
        self.assertRegex(said, r"(?m)^point.* Tokens/s +Tokens dropped \[%\]$")
        self.assertRegex(said, r" 1,000,000 -> 2,000,000 +0 -> 25\n")

    def test_routes_that_cost_nothing_or_are_unknown_are_not_divided_out(self):
        self.add(self.a, 1e-3, explain={"factors": {"routes": 1.001}})
        self.add(self.b, 2e-3, explain={"factors": {"routes": 1.0}})
        self.assertNotIn("without routes", compare(self.a, self.b).stdout)
        for folder in (self.a, self.b):
            shutil.rmtree(folder)
            folder.mkdir()
        self.add(self.a, 1e-3, explain={"factors": {"routes": 2.0}})
        self.add(self.b, 2e-3, explain={"factors": {"routes": None}})
        self.assertNotIn("without routes", compare(self.a, self.b).stdout)

    def test_cables_that_a_fabric_lacks_are_not_divided_out(self):
        hashed = "warning: balance.host: a hash has put flows on the same cables"
        cables = "largest oversubscription of a switch: "
        for place, notes in enumerate(([cables + "1", hashed], [cables + "2", hashed], [cables + "1"])):
            for side, routes in (("a", 2.0), ("b", 1.0)):
                (self.folder / f"{side}{place}").mkdir()
                explain = {"factors": {"routes": routes}}
                self.add(self.folder / f"{side}{place}", 1e-3, explain=explain, notes=notes)
        shown = ["without routes" in compare(*(self.folder / f"{side}{place}" for side in "ab")).stdout
                 for place in range(3)]
        self.assertEqual(shown, [True, False, False])

    def test_the_same_point_twice_is_refused(self):
        for _ in range(2):
            self.add(self.a, 1e-3)
        self.add(self.b, 1e-3)
        with self.assertRaisesRegex(ResultError, "a: error: 0 and 1 have the same configuration and seed"):
            self.compare()

    def test_folders_with_nothing_in_common_are_refused_with_the_reason(self):
        for folder, means in ((self.a, (1, 2)), (self.b, (2, 1))):
            for mean, mtu in zip(means, ("1KiB", "2KiB")):
                self.add(folder, 1e-3, config={MEAN: f"{mean}MB", MTU: mtu})
        with self.assertRaisesRegex(ResultError, "similar points differ in workload.matrix.mean$"):
            self.compare()

    def test_strategies_are_told_apart(self):
        for folder in (self.a, self.b):
            for host in ("flow", "spray"):
                self.add(folder, 1e-3, "ecmp", config={"balance.host.type": host})
        labels = sorted(pair.label for pair in self.compare().pairs)
        self.assertEqual(labels, ["ecmp", "ecmp + host spray"])

    def test_a_mean_says_how_many_points_it_leaves_out(self):
        for folder in (self.a, self.b):
            self.add_seeds(folder, (1e-3, 2e-3))
        self.add(self.b, 1e-6, seed=3, status=3)
        (pair,) = self.compare().pairs
        self.assertEqual((pair.left_out_a, pair.left_out_b), (0, 1))
        self.assertEqual(pair.verdict, "no difference found")
        shown = compare(self.a, self.b).stdout
        self.assertRegex(shown, r"rails +2, 2 of 3 +1\.5 +1\.5 ")
        self.assertIn("left out in b: rails, seed 3: did not finish (status 3)", shown)

    def test_failed_points_are_listed_and_not_compared(self):
        for folder in (self.a, self.b):
            self.add_seeds(folder, (1e-3, 2e-3))
        write_failure(self.b / "bad", "ecmp", 7)
        (self.a / "cut").mkdir()
        found = self.compare()
        self.assertEqual(found.failed_a, ["cut: result.json is missing"])
        self.assertEqual(found.failed_b, ["ecmp, seed 7: time limit of 10 s"])
        self.assertIn("left out in b: ecmp, seed 7: time limit", compare(self.a, self.b).stdout)

    def test_other_numbers_can_be_compared(self):
        self.add(self.a, 1e-3, queue_max_bytes=1000)
        self.add(self.b, 1e-3, queue_max_bytes=3000)
        done = compare(self.a, self.b, "--metric", "queue_max_bytes")
        self.assertRegex(done.stdout, r"queue_max_bytes \[KB\](.|\n)* 1 +3 +\+200\.00 %")
        done = compare(self.a, self.b, "--metric", "nonsense")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^--metric nonsense: error: .*expected one of .*busbw_Bps")

    def test_a_number_that_is_null_is_no_number_to_compare(self):
        self.add(self.a, 1e-3)
        self.add(self.b, 1e-3, busbw_Bps=None)
        done = compare(self.a, self.b, "--metric", "busbw_Bps")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^--metric busbw_Bps: error: .*/b/.* has null there, .*expected one of .*cct_s")

    def test_a_number_that_is_0_in_a_has_no_percentage(self):
        self.add_seeds(self.a, (1e-3, 2e-3), pfc_pauses=0)
        self.add_seeds(self.b, (1e-3, 2e-3), pfc_pauses=5)
        done = compare(self.a, self.b, "--metric", "pfc_pauses")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r" 0 +5 +\+5 ")

    def test_the_same_as_json(self):
        self.add_seeds(self.a, (1e-3, 2e-3), config={MTU: "1024B"})
        self.add_seeds(self.b, (1.1e-3, 2.2e-3), config={MTU: "4096B"})
        path = self.folder / "found.json"
        self.assertEqual(compare(self.a, self.b, "--json", path, "--alpha", "0.01").returncode, 0)
        found = json.loads(path.read_text())
        self.assertEqual((found["metric"], found["alpha"], found["correction"]),
                         ("cct_s", 0.01, "Holm"))
        self.assertEqual(found["differing_keys"], {MTU: {"a": ["1024 B"], "b": ["4096 B"]}})
        (point,) = found["points"]
        self.assertEqual((point["point"], point["seeds_a"], point["test"]),
                         ("rails", [1, 2], "paired t-test"))
        self.assertAlmostEqual(point["difference_percent"], 10)
        self.assertAlmostEqual(point["p_holm"], point["p"])

    def test_bad_input_ends_with_status_2(self):
        self.add(self.a, 1e-3)
        for arguments in ((self.a, self.b), (self.a, self.folder / "nowhere"), (self.a,),
                          (self.a, self.a, "--alpha", "2"), (self.a, self.a, "--alpha", "x")):
            done = compare(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("error: ", done.stderr)


class Table(unittest.TestCase):
    def test_columns_are_aligned(self):
        lines = aligned([("a", "b", ""), ("long", "1.0", "note")]).splitlines()
        self.assertEqual(lines, ["a       b", "long  1.0  note"])


if __name__ == "__main__":
    unittest.main()
