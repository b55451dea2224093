# SPDX-License-Identifier: GPL-2.0-only
"""What the comparison of MixNet with other fabrics depends on: each grid from its results."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from papers import mixnet, mixnet_grids, mixnet_tables
from rails.errors import ResultError
from rails.reader.result_folder import read_whole
from test_mixnet_cost import PRINTED

MODEL = "workload.model.type"
PAIR = "workload.compute.expert_token"


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, seconds, fabric, config, rate="100Gbps", **changes):
        """A point of a folder; its place is known by its number."""
        key = "topology.fabrics.ocs.nic_rate" if fabric == "nic-groups" else "topology.nic_rate"
        config = {"topology.type": fabric, key: rate, MODEL: "mixtral-8x22b", **config}
        place = len(list((self.folder / name).glob("*")))
        synthetic.write_flows(self.folder / name / str(place), config=config, cct_s=seconds, messages=5, **changes)

    def read(self, name):
        return read_whole(self.folder / name)

    def write_alphas(self):
        for optical, rate, seconds in ((6, "100Gbps", 10.0), (2, "45.68Gbps", 12.0), (2, "25.95Gbps", 15.0)):
            groups = [
                {"nics": list(range(optical)), "fabric": "ocs"},
                {"nics": list(range(optical, 8)), "fabric": "eps"},
            ]
            config = {PAIR: "12207ns", "topology.nic_groups": groups, "topology.fabrics.eps.nic_rate": rate}
            shares = {"circuit_share": optical / 8}
            self.write("mixnet-alpha", seconds, "nic-groups", config, optical=shares)

    def write_experts(self):
        load = {PAIR: "12207ns", "workload.load.preset": "aux-loss"}
        plain = {**load, "workload.experts.type": "plain-ep"}
        balanced = {**load, "workload.experts.type": "micro-moe", "workload.experts.slots": 2}
        for seconds, fabric, config in ((10, "nic-groups", plain), (9, "rail", plain), (6, "rail", balanced)):
            self.write("mixnet-experts-8x22b", float(seconds), fabric, config)
        for seconds, experts, delay in ((10, plain, "25ms"), (8, balanced, "25ms"), (7, balanced, "10us")):
            config = {**experts, "optical.reconfiguration_delay": delay}
            if experts is balanced:
                config["workload.experts.slots"] = 1
            self.write("mixnet-balanced-8x22b", float(seconds), "nic-groups", config)


class Alphas(Temporary):
    def test_the_lower_of_two_rates_is_where_a_nic_is_as_dear_at_any(self):
        self.write_alphas()
        found = mixnet_grids.alphas(self.read("mixnet-alpha"))
        self.assertEqual(found["100 ms", "fixed", 2], (15.0, 0.25))
        self.assertEqual(found["100 ms", "proportional", 2], (12.0, 0.25))

    def test_both_rules_begin_at_six(self):
        self.write_alphas()
        lines = list(mixnet_grids.describe_alphas(mixnet_grids.alphas(self.read("mixnet-alpha"))))
        self.assertIn("6 of 8 1.000 (75 % by circuits), 2 of 8 1.500 (25 % by circuits)", lines[0])
        self.assertIn("2 of 8 1.200", lines[1])


class Servers(Temporary):
    def test_fabrics_are_over_the_fat_tree_of_their_size(self):
        for count, times in ((128, (10.0, 11.0, 9.0)), (512, (20.0, 20.0, 19.0))):
            for fabric, seconds in zip(("fat-tree", "nic-groups", "rail"), times):
                self.write("mixnet-servers", seconds, fabric, {PAIR: "6104ns", "topology.domains": count})
        found = mixnet_grids.servers(self.read("mixnet-servers"))
        lines = list(mixnet_grids.describe_servers(found, 2.0))
        self.assertIn("128 servers 10.000 s, MN/FT 1.100, RO/FT 0.900, per dollar 1.82", lines[0])
        self.assertIn("512 servers 20.000 s, MN/FT 1.000, RO/FT 0.950, per dollar 2.00", lines[0])


class Computes(Temporary):
    def test_times_are_over_the_middle_one_of_their_model(self):
        for model, unit in (("mixtral-8x22b", 12207), ("mixtral-8x7b", 6104)):
            for factor in (0.5, 1, 2):
                config = {MODEL: model, PAIR: f"{unit * factor:g}ns"}
                self.write("mixnet-compute", 10 * factor, "fat-tree", config)
                self.write("mixnet-compute", 10 * factor + 1, "nic-groups", config)
        found = mixnet_grids.computes(self.read("mixnet-compute"))
        self.assertEqual(found["Mixtral 8x7B", 100, 0.5, "MN"], 6.0)
        papers = {model: {(100, "MN"): 1.05, (100, "FT"): 1.0} for model in mixnet.MODELS}
        lines = list(mixnet_grids.describe_computes(found, papers))
        self.assertIn("MN/FT x 0.5 1.200, x 1 1.100, x 2 1.050 (paper 1.050)", lines[0])


class Oversubscribed(Temporary):
    def test_is_set_beside_mixnet_and_the_whole_tree(self):
        config = {PAIR: "12207ns", "topology.edge_oversubscription": 3}
        self.write("mixnet-oversubscribed", 15.0, "fat-tree", config)
        found = mixnet_grids.oversubscribed(self.read("mixnet-oversubscribed"))
        cells = {mixnet.Cell("100 ms", 100, "MN"): 10.0, mixnet.Cell("100 ms", 100, "FT"): 12.0}
        ratios = mixnet_grids.over_mixnet(found, {"Mixtral 8x22B": cells})
        self.assertEqual(ratios["Mixtral 8x22B", "100 ms", 100], (1.5, 1.25))
        lines = list(mixnet_grids.describe_oversubscribed(ratios))
        self.assertIn("(paper: up to 1.6): 100G 1.500 (1.250 of the 1:1 tree)", lines[0])

    def test_a_whole_tree_is_refused(self):
        config = {PAIR: "12207ns", "topology.edge_oversubscription": 1}
        self.write("mixnet-oversubscribed", 15.0, "fat-tree", config)
        with self.assertRaisesRegex(ResultError, "not oversubscribed"):
            mixnet_grids.oversubscribed(self.read("mixnet-oversubscribed"))


class Statics(Temporary):
    def test_circuits_are_over_those_of_algorithm_1(self):
        runs = (("greedy", 10.0, 0.83, 1.2), ("exact", 9.0, 0.87, 1.2), ("static", 8.0, 0, 0))
        for circuits, seconds, share, stall in runs:
            kind = {"name": "reconfiguration", "type": "communication", "bytes": 0, "exposed_s": 0}
            kind["critical_s"] = stall
            graph = {"iterations": 1, "compute_s": 0.1, "kinds": [kind]}
            config = {PAIR: "12207ns", "optical.circuits.type": circuits, "workload.load.spread": 0.09}
            optical = {"circuit_share": share, "reconfigurations": 512 * (circuits != "static")}
            self.write("s", seconds, "nic-groups", config, graph=graph, optical=optical)
        ((spread, points),) = mixnet_grids.by_spread(self.read("s")).items()
        found = mixnet_grids.statics(points)
        (line,) = mixnet_grids.describe_statics(found, spread)
        self.assertIn("static 0.800 (unknown by circuits, stalls 0.00 s)", line)
        models = {"Mixtral 8x22B": {mixnet.Cell("100 ms", 100, "FT"): 16.0}}
        row = mixnet_tables.statics(found, models)[1]
        self.assertEqual(row[3:], ["83.0 %", "87.0 %", "10.000", "0.900", "0.800", "0.500"])
        self.assertEqual(mixnet_tables.statics(found, {})[1][3:], row[3:-1])


class Loads(Temporary):
    def test_rails_with_all_nics_stand_for_themselves(self):
        for fabric, scheme, seconds in (
            ("fat-tree", "ecmp", 10.0),
            ("nic-groups", "delegates", 7.0),
            ("rail", "rail-source", 8.0),
            ("rail", "rails", 6.0),
        ):
            options = {"over_bound": 2, "expert_max_over_mean": 3.67}
            self.write("s", seconds, fabric, {"workload.load.preset": "uniform"}, scheme=scheme, **options)
        found = mixnet_grids.loads(self.read("s"))
        paper = {(100, "FT"): 1.0, (100, "MN"): 1.212}
        (line,) = mixnet_grids.describe_loads(found, paper)
        self.assertIn("busiest GPU 3.67 of the mean: over the fat-tree MN 0.700, RO 0.800, RO, all NICs 0.600", line)
        row = mixnet_tables.loads(found, paper)[1]
        self.assertEqual(row, ["equal", "3.67", "100G", "10.000", "0.700", "0.800", "0.600", "1.212"])


class Experts(Temporary):
    def test_are_over_mixnet_with_plain_expert_parallelism(self):
        self.write_experts()
        points = self.read("mixnet-experts-8x22b") + self.read("mixnet-balanced-8x22b")
        found = mixnet_grids.experts(points)
        self.assertEqual(found["100 ms", "aux-loss", 100, "RO micro-moe 2"], 6.0)
        lines = list(mixnet_grids.describe_experts("Mixtral 8x22B", found))
        self.assertIn("100G: iteration over MixNet's (10.000 s): rail-optimized, plain 0.900", lines[0])
        self.assertIn("2 slots 0.600", lines[0])
        self.assertIn("MixNet, MicroMoE, 1 slot 0.800", lines[0])
        self.assertIn("moves in 10 us, MicroMoE, 1 slot 0.700", lines[0])
        head, row = mixnet_tables.experts({"Mixtral 8x22B": found})
        self.assertEqual(dict(zip(head, row))["MixNet, MicroMoE, 1 slot"], "0.800")
        self.assertEqual(dict(zip(head, row))["In 10 us, plain"], "")

    def test_what_has_nothing_to_be_compared_with_is_left_out(self):
        config = {PAIR: "12207ns", "workload.load.preset": "aux-loss", "workload.experts.type": "plain-ep"}
        self.write("mixnet-experts-8x22b", 9.0, "rail", config)
        self.assertEqual(mixnet_grids.experts(self.read("mixnet-experts-8x22b")), {})

    def test_the_same_run_twice_with_two_results_is_refused(self):
        self.write_experts()
        config = {PAIR: "12207ns", "workload.load.preset": "aux-loss", "workload.experts.type": "plain-ep"}
        self.write("mixnet-balanced-8x22b", 11.0, "nic-groups", config)
        with self.assertRaisesRegex(ResultError, "takes 11.0 s, and another run of the same 10.0 s"):
            mixnet_grids.experts(self.read("mixnet-experts-8x22b") + self.read("mixnet-balanced-8x22b"))


class Settings(Temporary):
    def test_a_low_efficiency_is_eight_times_the_operations(self):
        for efficiency, seconds in ((0.4, 1.0), (0.05, 2.0)):
            for fabric in mixnet.FABRICS:
                self.write("mixnet-llama", seconds, fabric, {"workload.compute.efficiency": efficiency})
        found = mixnet.iterations(self.read("mixnet-llama"))
        self.assertEqual(mixnet.settings_of(found), ["operations", mixnet.EIGHTFOLD])
        self.assertEqual(found[mixnet.Cell(mixnet.EIGHTFOLD, 100, "MN")], 2.0)


class Paper(unittest.TestCase):
    def test_both_layouts_of_qwen_stand_beside_the_same_values(self):
        path = Path(__file__).resolve().parents[2] / "experiments" / "mixnet" / "paper.csv"
        for group in (16, 32):
            paper = mixnet.read_paper(path, f"Qwen-MoE, EP {group}")
            self.assertEqual(paper[100, "MN"], 6.174)
        with self.assertRaisesRegex(ResultError, "has no values of Nothing"):
            mixnet.read_paper(path, "Nothing")


class Program(Temporary):
    def setUp(self):
        super().setUp()
        self.write_alphas()
        self.write_experts()
        for name in ("mixnet-8x22b", "mixnet-fixed-8x22b", "mixnet-llama"):
            for rate in ("100Gbps", "400Gbps"):
                for fabric, seconds in (("fat-tree", 10.0), ("nic-groups", 11.0), ("rail", 9.0)):
                    self.write(name, seconds, fabric, {PAIR: "12207ns"}, rate)
        (self.folder / "costs.txt").write_text(PRINTED, encoding="utf-8")

    def call(self, *options):
        return call("mixnet", "--results", self.folder, "--cost", self.folder / "costs.txt", *options)

    def test_draws_all_that_is_there_and_writes_the_tables_of_the_page(self):
        tables = ("fabrics", "fits", "per-dollar", "models", "alphas", "fixed", "experts")
        page = self.folder / "page.rst"
        page.write_text("".join(f".. results: {name}\n\n.. end: {name}\n\n" for name in tables))
        told = self.call("--page", page)
        self.assertEqual(told.returncode, 0, told.stderr)
        for name in ("mixnet", "mixnet-cost", "mixnet-per-dollar", "mixnet-models", "mixnet-grids", "mixnet-experts"):
            self.assertTrue((self.folder / f"{name}.png").is_file(), name)
        self.assertIn("public matrix, Mixtral 8x22B, 100 ms: 100G MN/FT 1.100", told.stdout)
        text = page.read_text(encoding="utf-8")
        self.assertIn("100 ms              fixed                1.000   1.500", text)
        self.assertRegex(text, r"100 ms  +1\.10  +1\.10  +0\.90  +0\.90 ")
        self.assertRegex(text, r"rail-optimized  +all  +cost  +1\.55  +1\.85 ")
        self.assertRegex(text, r"paper's text  +1\.2 to 1\.5  +1\.4 to 1\.8  +2\.2  +2 to 2\.4")
        self.assertRegex(text, r"fat-tree  +Mixtral 8x22B  +100 ms  +1\.41 \(0\.91\)")
        self.assertRegex(text, r"balancing loss  100G  10\.000  +0\.900  +0\.600")

    def test_a_page_without_place_for_a_table_is_named(self):
        (self.folder / "page.rst").write_text("nothing\n", encoding="utf-8")
        told = self.call("--page", self.folder / "page.rst")
        self.assertEqual(told.returncode, 2)
        self.assertIn("has no lines '.. results: fabrics'", told.stderr)


if __name__ == "__main__":
    unittest.main()
