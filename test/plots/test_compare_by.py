# SPDX-License-Identifier: GPL-2.0-only
"""Comparisons of the values of a key within one folder."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from rails.errors import ResultError
from rails.plots.key_comparison import compare_by
from rails.reader.result_folder import load_folder

MTU, CHUNK = "transport.mtu", "balance.chunk"


class By(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, scheme, ccts, config=None, first=1, **changes):
        for seed, cct in enumerate(ccts, first):
            place = self.folder / f"{len(list(self.folder.iterdir()))}"
            synthetic.write_point(
                place, scheme, seed, cct_s=cct, config=config, messages=1, **changes
            )

    def compare(self, key="balance", baseline=None, **options):
        return compare_by(load_folder(self.folder), key, baseline, **options)

    def refuse(self, text, *arguments):
        with self.assertRaises(ResultError) as caught:
            self.compare(*arguments)
        self.assertEqual(str(caught.exception), text)

    def test_points_are_paired_by_all_other_axes_and_the_seed(self):
        for mtu, factor in (("1024B", 1), ("4096B", 2)):
            self.add("ecmp", [factor * t for t in (1e-3, 2e-3, 3e-3)], {MTU: mtu})
            self.add("rails", [factor * t for t in (1.1e-3, 2.11e-3, 3.09e-3)], {MTU: mtu})
        found = self.compare()
        self.assertEqual((found.baseline, found.values), ("ecmp", ["rails"]))
        self.assertEqual(
            sorted((pair.value, pair.label) for pair in found.pairs),
            [("rails", "mtu 1024 B"), ("rails", "mtu 4096 B")],
        )
        for pair in found.pairs:
            self.assertAlmostEqual(pair.percent(pair.difference), 5)
            self.assertEqual((pair.test.name, pair.verdict), ("paired t-test", "differs"))
            self.assertAlmostEqual(pair.p_corrected, 2 * pair.test.p)  # Holm's, of two equal ones

    def test_a_key_is_known_by_both_of_its_names(self):
        for servers in (2, 4):
            self.add("rails", [servers * 1e-3], {"topology.domains": servers})
        found = self.compare("topology.servers")
        self.assertEqual((found.key, found.baseline, found.values), ("topology.domains", "2", ["4"]))
        self.assertEqual(len(found.pairs), 1)

    def test_hashes_that_may_decide_are_told_with_the_remedy(self):
        hashed = ["oversubscription", "warning: balance.host: a hash has put flows on one cable"]
        self.add("ecmp", (1e-3, 2e-3), notes=hashed)
        self.add("rails", (1e-3, 2e-3), notes=["warning: balance.host: frames overtake"])
        (note,) = self.compare().notes
        self.assertIn("flows on the same cables in 2 of 2 of ecmp and may decide", note)
        self.assertIn("balance.host: spray", note)

    def test_keys_of_the_schemes_do_not_keep_them_apart(self):
        self.add("ecmp", (1e-3, 2e-3))
        for chunk in ("1MB", "4MB"):
            self.add("rails", (1e-3, 2e-3), {CHUNK: chunk})
        found = self.compare()
        self.assertEqual([pair.label for pair in found.pairs], ["chunk 1 MB", "chunk 4 MB"])
        self.assertEqual((found.alone, found.aside), ([], []))

    def test_keys_that_change_together_are_named(self):
        for domains, spines in ((8, 1), (16, 2)):
            keys = {"topology.domains": domains, "topology.rail_spines": spines}
            self.add("rails", (1e-3, 2e-3), keys, axes={"topology.domains": str(domains)})
        found = self.compare("topology.domains")
        self.assertEqual((found.baseline, found.values), ("8", ["16"]))
        self.assertEqual(found.aside, ["topology.rail_spines"])
        self.assertEqual([pair.label for pair in found.pairs], ["rails"])

    def test_the_baseline_may_be_any_value(self):
        for scheme in ("ecmp", "rail-source", "rails"):
            self.add(scheme, (1e-3, 2e-3))
        found = self.compare("balance", "rails")
        self.assertEqual(found.values, ["ecmp", "rail-source"])
        self.refuse(
            "--baseline jsq: error: no point has this value of balance; "
            "there are ecmp, rail-source, rails",
            "balance",
            "jsq",
        )

    def test_the_baseline_is_one_that_finished(self):
        self.add("ecmp", (1e-3, 2e-3), status=3)
        self.add("rail-source", (1e-3, 2e-3))
        finished = "--by balance: error: points of rail-source only finished; expected two values"
        self.refuse(f"{finished} at least")
        self.add("rails", (1e-3, 2e-3))
        self.assertEqual(self.compare().baseline, "rail-source")
        self.refuse(
            "--baseline ecmp: error: none of its points finished; there are rail-source, rails",
            "balance",
            "ecmp",
        )

    def test_a_baseline_that_stands_for_several_is_refused(self):
        self.add("ecmp", (1e-3, 2e-3))
        for chunk in ("1MB", "4MB"):
            self.add("rails", (1e-3, 2e-3), {CHUNK: chunk})
        self.refuse(
            "--baseline rails: error: its points differ in balance.chunk too, and each could be "
            "the one to compare with; choose one by --where KEY=VALUE, name the folders "
            "of the points (DIR/POINT) in place of DIR, or take another baseline",
            "balance",
            "rails",
        )

    def test_labels_of_a_sweep_are_values(self):
        for host in ("flow", "spray"):
            label = {"flow": "ecmp", "spray": "ecmp+host-spray"}[host]
            self.add("ecmp", (1e-3, 2e-3), {"balance.host.type": host}, axes={"balance": label})
        self.assertEqual(self.compare().values, ["ecmp+host-spray"])
        self.assertEqual(self.compare("balance.host").values, ["spray"])

    def test_a_key_that_is_no_axis_is_answered_by_those_there_are(self):
        for mtu in ("1024B", "4096B"):
            for scheme in ("ecmp", "rails"):
                self.add(scheme, (1e-3,), {MTU: mtu})
        differ = "the points differ in balance, transport.mtu"
        self.refuse(f"--by nonsense: error: no point has such a key; {differ}", "nonsense")
        self.refuse(f"--by seed: error: seeds are repetitions; {differ}", "seed")

    def test_one_value_is_no_comparison(self):
        for mtu in ("1024B", "4096B"):
            self.add("rails", (1e-3,), {MTU: mtu})
        self.refuse(
            "--by balance: error: there is one value only, rails; "
            "the points differ in transport.mtu",
            "balance",
        )

    def test_points_without_a_partner_and_without_a_result_are_named(self):
        for scheme in ("ecmp", "rails"):
            self.add(scheme, (1e-3, 2e-3), {MTU: "1024B"})
        self.add("rails", (1e-3, 2e-3), {MTU: "4096B"})
        self.add("ecmp", (1e-4,), {MTU: "1024B"}, first=3, status=3)
        found = self.compare()
        self.assertEqual(found.alone, ["rails: mtu 4096 B, seeds 1, 2"])
        self.assertEqual(found.failed, ["ecmp, mtu 1024 B, seed 3: did not finish (status 3)"])
        (pair,) = found.pairs
        self.assertEqual((pair.left_out_a, pair.left_out_b, len(pair.a)), (1, 0, 2))
        done = call("compare", self.folder, "--by", "balance")
        self.assertRegex(done.stdout, r"rails +mtu 1024 B +2 of 3, 2 +1\.5 ")
        self.assertIn("left out: ecmp, mtu 1024 B, seed 3: did not finish", done.stdout)

    def test_conditions_choose_points(self):
        for mtu in ("1024B", "4096B"):
            for scheme in ("ecmp", "rails"):
                self.add(scheme, (1e-3, 2e-3), {MTU: mtu})
        done = call("compare", self.folder, "--by", "balance", "--where", f"{MTU}=1024B")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 comparison with ecmp", done.stdout)

    def test_types_are_paired_though_keys_of_theirs_have_values_in_common(self):
        for name, keys in {"rail": {"spines": 0}, "leaf-spine": {"spines": 8, "leaf_ports": 8},
                           "rail+spines-8": {"spines": 8}}.items():
            config = {f"topology.{key}": value for key, value in keys.items()}
            config["topology.type"] = name.partition("+")[0]
            for scheme in ("ecmp", "rails"):
                self.add(scheme, (1e-3, 2e-3), config, axes={"topology": name, "balance": scheme})
        found = self.compare("topology.type", "leaf-spine")
        self.assertEqual(found.alone, [])
        self.assertEqual(sorted(pair.label for pair in found.pairs),
                         ["ecmp, spines 0", "ecmp, spines 8", "rails, spines 0", "rails, spines 8"])
        self.assertIn("topology.spines", found.aside)

    def test_several_partners_are_told_with_the_remedy(self):
        for fabric, scheme, chunk in (
            ("rail", "ecmp", "4MB"), ("rail", "rails", "1MB"), ("tree", "ecmp", "4MB"),
            ("circuits", "even-split", "1MB"), ("circuits", "random", "8MB"),
        ):
            self.add(scheme, (1e-3, 2e-3), {"topology.type": fabric, CHUNK: chunk},
                     axes={"topology": fabric, "balance": scheme})
        found = self.compare("topology", "rail")
        self.assertEqual(sorted(pair.value for pair in found.pairs), ["circuits", "tree"])
        self.assertEqual(found.alone, ["circuits: random, seeds 1, 2"])
        self.assertTrue(any("several of rail could be it" in note for note in found.notes), found.notes)

    def test_a_key_that_is_swept_by_itself_keeps_points_apart(self):
        for kind, rate in (("rail", "400Gbps"), ("tree", "400Gbps"), ("tree", "200Gbps")):
            axes = {"topology.type": kind, "topology.nic_rate": rate}
            self.add("rails", (1e-3, 2e-3),
                     {"topology.type": kind, "topology.nic_rate": rate}, axes=axes)
        found = self.compare("topology.type", "rail")
        self.assertEqual(len(found.pairs), 1)
        self.assertEqual(found.alone, ["tree: rails, nic_rate 200 Gbps, seeds 1, 2"])

    def test_what_has_another_fabric_throughout_is_not_compared(self):
        self.add("ecmp", [1e-3, 2e-3], {"topology.type": "rail"})
        self.add("rails", [1e-3, 2e-3], {"topology.type": "rail"})
        self.add("random", [3e-3, 4e-3], {"topology.type": "nic-groups"})
        found = self.compare()
        self.assertEqual([pair.value for pair in found.pairs], ["rails"])
        self.assertTrue(any("all points of random have another topology.type" in note for note in found.notes))
        self.assertNotIn("topology.type", found.aside)

    def test_nothing_but_other_fabrics_is_refused_with_the_remedy(self):
        self.add("ecmp", [1e-3, 2e-3], {"topology.type": "rail"})
        self.add("random", [3e-3, 4e-3], {"topology.type": "nic-groups"})
        with self.assertRaisesRegex(ResultError, "another topology.type: expected --by topology"):
            self.compare()

    def test_what_does_other_work_is_refused(self):
        for kind, domains in (("rail", 8), ("tree", 16)):
            config = {"topology.type": kind, "topology.domains": domains,
                      "topology.gpus_per_domain": 8}
            self.add("rails", (1e-3, 2e-3), config)
        self.refuse("--by topology.type: error: the points of rail and tree have 64 and 128 GPUs, so "
                    "they do other work; expected points with as many, or --by topology.domains",
                    "topology.type")
        self.assertEqual(len(self.compare("topology.domains").pairs), 1)

    def test_so_is_another_workload(self):
        for scheme, mean in (("ecmp", "1MB"), ("rails", "2MB")):
            self.add(scheme, (1e-3, 2e-3), {"workload.matrix.mean": mean})
        self.refuse("--by balance: error: the points of ecmp and rails differ in workload.matrix.mean "
                    "too, so they do other work; expected --where KEY=VALUE for points of one "
                    "workload, or --by workload.matrix.mean")
        self.assertEqual(len(self.compare("workload.matrix.mean").pairs), 1)

    def test_failures_are_work_and_where_experts_are_is_a_way_to_do_it(self):
        config = {"workload.experts.slots": 1, "failures.random.probability": 0.0}
        self.add("ecmp", (1e-3, 2e-3), config)
        self.add("rails", (1e-3, 2e-3), {**config, "workload.experts.slots": 2})
        self.assertEqual(self.compare().aside, ["workload.experts.slots"])
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        self.add("ecmp", (1e-3, 2e-3), config)
        self.add("rails", (1e-3, 2e-3), {**config, "failures.random.probability": 0.1})
        with self.assertRaisesRegex(ResultError, "differ in failures.random.probability too, so they do other work"):
            self.compare()

    def test_the_baseline_of_the_sweep_is_the_usual_one(self):
        for scheme in ("ecmp", "rail-source", "rails"):
            self.add(scheme, (1e-3, 2e-3), axes={"balance": scheme})
        (self.folder / ".rails").mkdir()
        (self.folder / ".rails" / "sweep.json").write_text('{"baseline": {"balance": "rail-source"}}')
        self.assertEqual(self.compare().baseline, "rail-source")
        self.assertEqual(self.compare("balance", "rails").baseline, "rails")

    def test_the_same_as_json(self):
        self.add("ecmp", (1e-3, 2e-3))
        self.add("rails", (1.1e-3, 2.2e-3))
        path = self.folder.with_suffix(".json")
        self.addCleanup(path.unlink)
        done = call("compare", self.folder, "--by", "balance", "--json", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads(path.read_text())
        self.assertEqual((found["by"], found["baseline"]), ("balance", "ecmp"))
        (point,) = found["points"]
        self.assertEqual((point["value"], point["test"]), ("rails", "paired t-test"))
        self.assertAlmostEqual(point["difference_percent"], 10)


if __name__ == "__main__":
    unittest.main()
