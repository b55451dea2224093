# SPDX-License-Identifier: GPL-2.0-only
"""Iterations on MixNet beside other fabrics, and over the delay of circuits."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from papers import mixnet
from rails.errors import ResultError
from rails.reader.result_folder import read_whole

TIMES = {"fat-tree": 10.0, "nic-groups": 11.0, "rail": 9.5}
SETTINGS = {"given": {"expert_token": "12207ns"}, "half": {"expert_token": "7446ns"}, "flops": {}}


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, place, seconds, config, **changes):
        synthetic.write_flows(self.folder / name / place, config=config, cct_s=seconds, **changes)

    def write_fabrics(self, without=()):
        for setting, compute in SETTINGS.items():
            for rate, factor in ((100, 1.2), (400, 1.0)):
                for fabric, seconds in TIMES.items():
                    if (setting, rate, fabric) in without:
                        continue
                    key = "topology.fabrics.eps.nic_rate" if fabric == "nic-groups" else "topology.nic_rate"
                    config = {"topology.type": fabric, key: f"{rate}Gbps"}
                    config.update({f"workload.compute.{name}": value for name, value in compute.items()})
                    self.write("mixnet-8x22b", f"{setting} {rate} {fabric}", seconds * factor, config)

    def write_delays(self):
        for delay, seconds in (("1us", 2.0), ("25ms", 2.5), ("1s", 8.0)):
            config = {
                "topology.type": "nic-groups",
                "workload.compute.expert_token": "12207ns",
                "optical.circuits.type": "greedy",
                "optical.reconfiguration_delay": delay,
            }
            kind = {"name": "reconfiguration", "type": "communication", "bytes": 0}
            kind.update({"critical_s": 0.5, "exposed_s": 0.5})
            graph = {"iterations": 1, "compute_s": 0.1, "kinds": [kind]}
            self.write("mixnet-delay", delay, seconds, config, graph=graph)


class Fabrics(Temporary):
    def test_values_are_over_the_best_cell_of_a_setting(self):
        self.write_fabrics()
        found = mixnet.iterations(read_whole(self.folder / "mixnet-8x22b"))
        own = mixnet.normalised(found, "61 ms")
        self.assertAlmostEqual(own[400, "RO"], 1)
        self.assertAlmostEqual(own[100, "MN"], 11 * 1.2 / 9.5)
        self.assertEqual({cell.setting for cell in found}, {"100 ms", "61 ms", "operations"})

    def test_ratios_stand_beside_those_of_the_paper(self):
        self.write_fabrics()
        found = mixnet.iterations(read_whole(self.folder / "mixnet-8x22b"))
        paper = {(rate, name): 1.0 for rate in (100, 400) for name in ("FT", "MN", "RO")}
        lines = list(mixnet.describe(found, paper))
        self.assertIn("400G MN/FT 1.100 (paper 1.000), RO/FT 0.950 (1.000)", lines[0])
        self.assertIn("largest error of a cell +38.9 % (MN at 100G: 1.389, paper 1.000)", lines[1])

    def test_a_fabric_that_lacks_is_named(self):
        self.write_fabrics(without=[("half", 400, "rail")])
        with self.assertRaisesRegex(ResultError, "no rail-optimized at 400G, 61 ms"):
            mixnet.iterations(read_whole(self.folder / "mixnet-8x22b"))


class Delays(Temporary):
    def test_iterations_are_over_that_with_the_shortest_delay(self):
        self.write_delays()
        lines = list(mixnet.describe_delays(mixnet.delays(read_whole(self.folder / "mixnet-delay"))))
        self.assertIn("1e-06 s 1.000, 0.025 s 1.250, 1 s 4.000", lines[0])
        self.assertIn("at 25 ms circuits that move have 20.0 % of the path", lines[1])


class Program(Temporary):
    def test_draws_what_is_there(self):
        self.write_delays()
        told = call("mixnet", "--results", self.folder)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertTrue((self.folder / "mixnet.png").is_file())

    def test_without_results_it_says_what_it_looks_for(self):
        told = call("mixnet", "--results", self.folder)
        self.assertEqual(told.returncode, 2)
        self.assertIn("mixnet-8x22b", told.stderr)


if __name__ == "__main__":
    unittest.main()
