# SPDX-License-Identifier: GPL-2.0-only
"""The theorems of RailS by load arithmetic, and what is read from results of theirs."""

import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
import synthetic
from programs import call
from papers import rail_loads, rails_theorems
from rails.reader.result_folder import read_whole

MATRICES = 200
SOLVER = unittest.skipUnless(rail_loads.has_solver(), "there is no SciPy (python3-scipy)")


def draw_servers(random):
    """A random matrix between servers, sparse or not, equal or not."""
    count = int(random.integers(2, 7))
    servers = random.exponential(64e6, (count, count)) ** random.choice([0.5, 1, 1.3])
    servers *= random.random((count, count)) < random.choice([0.2, 0.5, 1])
    servers[:, random.integers(count)] *= random.choice([1, 5])
    return servers.astype(np.int64)


@SOLVER
class MinMaxLoad(unittest.TestCase):
    def test_program_finds_the_largest_sum_over_the_rails(self):
        random = np.random.default_rng(1)
        for _ in range(MATRICES):
            servers, rails = draw_servers(random), int(random.integers(1, 9))
            expected = rail_loads.closed_form(servers, rails)
            found = rail_loads.least_load(servers, rails)
            self.assertLessEqual(abs(found - expected), 1e-9 * expected)

    def test_program_needs_no_even_sums(self):
        # One server sends 8 to one and 4 to another one, which gets 6 from the third.
        servers = [[0, 8, 4], [0, 0, 0], [0, 0, 6]]
        self.assertAlmostEqual(rail_loads.least_load(servers, 2), 6)
        servers = [[0, 8, 4], [0, 0, 0], [0, 12, 0]]
        self.assertAlmostEqual(rail_loads.least_load(servers, 2), 10)

    def test_what_stays_in_a_server_does_not_count(self):
        self.assertEqual(rail_loads.least_load([[5, 0], [0, 7]], 4), 0)


class LongestFirst(unittest.TestCase):
    def test_whole_flows_leave_receivers_uneven(self):
        gpus = np.zeros((6, 6), dtype=np.int64)
        gpus[0, 2] = gpus[0, 4] = 10
        sent, received = rail_loads.longest_first(gpus, 2)
        self.assertEqual(sent.tolist(), [[10, 10], [0, 0], [0, 0]])
        self.assertEqual(received.tolist(), [[0, 0], [10, 0], [0, 10]])
        _, received = rail_loads.longest_first(gpus, 2, 5)
        self.assertEqual(received.tolist(), [[0, 0], [5, 5], [5, 5]])

    def test_the_longest_comes_first(self):
        gpus = np.zeros((4, 4), dtype=np.int64)
        gpus[0, 2], gpus[0, 3], gpus[1, 2] = 2, 3, 5
        sent, _ = rail_loads.longest_first(gpus, 2)
        self.assertEqual(sent.tolist(), [[5, 5], [0, 0]])

    def test_ties_go_to_the_rail_of_the_own_number(self):
        gpus = np.zeros((6, 6), dtype=np.int64)
        gpus[2, 0] = 3
        sent, _ = rail_loads.longest_first(gpus, 2)
        self.assertEqual(sent.tolist(), [[0, 0], [0, 3], [0, 0]])

    def test_even_is_one(self):
        self.assertEqual(rails_theorems.unevenness(np.array([[2, 2], [0, 0]])), 1)
        self.assertEqual(rails_theorems.unevenness(np.array([[1, 3], [2, 2]])), 1.5)
        self.assertEqual(rails_theorems.unevenness(np.zeros((2, 2))), 1)


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write_channels(self, scheme, gpu, cct):
        synthetic.write_point(
            self.folder / "channels" / f"{scheme} {gpu}",
            scheme,
            config={
                "topology.nvlink_rate": "2800Gbps",
                "topology.nic_rate": "400Gbps",
                "topology.gpus_per_domain": 8,
                "transport.qp_per": "nic-pair",
                "workload.matrix.type": "file" if gpu else "uniform",
                **({"workload.matrix.path": f"../x/{gpu}.csv"} if gpu else {}),
            },
            cct_s=cct,
            axes={"topology.nvlink_rate": "2800Gbps"},
        )

    def test_channels_are_what_the_busiest_server_moves(self):
        one = 64e6 * 8 / 400e9 * (1 + 82 / 4096)  # over one NIC
        self.write_channels("rail-source", "hot-source", one)
        self.write_channels("even-split", "hot-source", one / 8)
        self.write_channels("even-split", "", one)
        used = rails_theorems.channels(read_whole(self.folder / "channels"))
        self.assertEqual(set(used), {"hot-source", "uniform"})
        self.assertEqual(used["uniform"]["rails"], [])
        for load, scheme, expected in (
            ("hot-source", "rail-source", 1),
            ("hot-source", "even-split", 8),
            ("uniform", "even-split", 8),
        ):
            ((rate, found),) = used[load][scheme]
            self.assertEqual(rate, 7)
            self.assertAlmostEqual(found, expected)

    def write_loads(self, scheme, sent, received, chunk="whole"):
        folder = self.folder / "loads" / f"{scheme} {chunk}"
        synthetic.write_point(
            folder,
            scheme,
            config={
                "topology.gpus_per_domain": 2,
                "topology.domains": 3,
                "workload.matrix.type": "sparse",
                "balance.chunk": chunk,
                "record.messages": scheme == "rail-source",
            },
            nic_tx_bytes=sent,
            nic_rx_bytes=received,
        )
        lines = ["phase,pair_id,source,destination,rail,bytes,start_s,end_s",
                 "0,0,0,2,0,10,0,1", "0,1,0,4,0,4,0,1", "0,2,0,4,0,6,0,1", "0,3,0,1,-1,9,0,1"]
        (folder / "messages.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_counterexample(self, received=10):
        none = [0, 0]
        self.write_loads("rail-source", [[20, 0], none, none], [none, [10, 0], [10, 0]])
        self.write_loads("even-split", [[10, 10], none, none], [none, [5, 5], [5, 5]])
        self.write_loads("rails", [[10, 10], none, none], [none, [received, 10 - received], [0, 10]])

    def test_loads_are_compared_with_plans_made_a_second_time(self):
        self.write_counterexample()
        (case,) = rails_theorems.cases(read_whole(self.folder / "loads"))
        self.assertEqual(case.servers().tolist(), [[0, 10, 10], [0, 0, 0], [0, 0, 0]])
        self.assertEqual(case.bound(), 10)
        self.assertEqual(case.placed["rail-source"].worst(), 20)
        self.assertEqual(rails_theorems.check_plans([case]), (3, 3))
        self.assertEqual(rails_theorems.check_even([case]), {"sent": 0, "received": 0})

    def test_another_load_is_seen(self):
        self.write_counterexample(received=9)
        (case,) = rails_theorems.cases(read_whole(self.folder / "loads"))
        self.assertEqual(rails_theorems.check_plans([case]), (2, 3))

    def test_nothing_there_is_one_line(self):
        ended = call("rails_theorems", "--results", self.folder)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("holds none of channels", ended.stderr)


if __name__ == "__main__":
    unittest.main()
