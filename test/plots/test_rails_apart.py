# SPDX-License-Identifier: GPL-2.0-only
"""What else decides on RailS: tables of grids that vary one thing apart."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from papers import rails_apart
from papers import rails_grid as grid

ZIPF = {"type": "zipf", "exponent": 0.8, "bytes_per_gpu": "64MB"}
MOE = {"type": "moe", "tokens_per_gpu": 3906, "top_k": 2, "hidden": 4096, "bytes_per_element": "2B"}
STAGES = [{"name": "dispatch", "type": "exchange", "matrix": ZIPF}]
SEND = {"name": "neighbour", "type": "send", "bytes": "16MB"}
DEAD = [{"at": "0s", "switch": "rail0-leaf0", "state": "down"}]
HALF = [{"at": "0s", "nic": "server0-nic0", "rate": "200Gbps"}]
BOUND = 1e-3
GRAPH = {"iterations": 1, "nodes": 1, "compute_s": 0.0, "kinds": []}


def kind(name, busy):
    times = dict.fromkeys(("exposed_s", "hidden_s", "critical_s"), 0.0)
    return {"name": name, "type": "communication", "bytes": 0, "busy_s": busy, **times}


def job(name, end):
    return {"name": name, "servers": [0], "start_s": 0.0, "end_s": end, "iterations": 1, "iteration_s": end}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, ratio, scheme="rails", seed=1, matrix=ZIPF, results=None, **options):
        """A run that took so many times the bound. :param options: keys of its descriptor, with __ for a dot"""
        config = {"topology.domains": 8, "topology.gpus_per_domain": 8, "transport.congestion_control.type": "none"}
        config.update({f"workload.matrix.{key}": value for key, value in matrix.items()})
        config.update({f"balance.{key}": value for key, value in (options.pop("balance", {})).items()})
        config.update({key.replace("__", "."): value for key, value in options.items()})
        values = {"cct_s": BOUND * ratio, "lower_bound_s": BOUND, "explain": None, **(results or {})}
        place = self.folder / str(len(list(self.folder.iterdir())))
        synthetic.write_point(place, scheme, seed, ratio, config, **values)

    def rows(self, name):
        place_of, name_of, table = rails_apart.TABLES[name]
        return table(grid.read(self.folder, place_of, name_of))

    def test_pieces_of_a_scheme_stand_in_a_row(self):
        for seed, ratio in ((1, 2), (2, 2.5)):
            self.write(ratio, seed=seed, balance={"chunk": "whole"})
            self.write(ratio - 1, seed=seed, balance={"chunk": "256KB"})
        self.write(1.25, "even-split")
        self.write(1.5, "rail-source", balance={"chunk": "whole"})
        head, *rows = self.rows("apart-pieces")
        self.assertEqual(head[2:], ["Without chunks", "whole", "16 MB", "4 MB", "1 MB", "256 KB", "automatic"])
        self.assertEqual(rows[0], ["zipf 0.8", "rail-source", "1.500", "", "", "", "", "", ""])
        self.assertEqual(rows[1], ["zipf 0.8", "rails", "", "2.250", "", "", "", "1.250", ""])
        self.assertEqual(rows[2], ["zipf 0.8", "even-split", "1.250", "", "", "", "", "", ""])

    def test_a_scheme_without_pieces_is_drawn_beside_all_of_them(self):
        self.write(1.25, "even-split")
        self.write(3, balance={"chunk": "whole"})
        self.write(2, balance={"chunk": "256KB"})
        place_of, name_of, _ = rails_apart.TABLES["apart-pieces"]
        drawn = rails_apart.draw_pieces(grid.read(self.folder, place_of, name_of)).axes[0].lines
        lines = {line.get_label(): [*zip(line.get_xdata(), line.get_ydata())] for line in drawn}
        self.assertEqual([(at, round(ratio, 9)) for at, ratio in lines["rails"]], [(0, 3), (4, 2)])
        self.assertEqual([ratio for _, ratio in lines["even-split"]], [1.25] * 6)

    def test_rates_are_columns(self):
        for rate, ratio in (("100Gbps", 1.5), ("400Gbps", 2)):
            self.write(ratio, balance={"chunk": "automatic"}, topology__nic_rate=rate)
        rows = [["Load", "Scheme", "100G", "400G"], ["zipf 0.8", "rails", "1.500", "2.000"]]
        self.assertEqual(self.rows("apart-rates"), rows)

    def test_recorded_loads_are_rows_by_layer(self):
        for iteration, layer in ((11, 4), (1, 20), (1, 4)):
            at = {"type": "trace", "iteration": iteration, "layer": layer}
            self.write(layer + iteration / 100, balance={"chunk": "automatic"}, matrix=at)
        self.assertEqual([row[:2] for row in self.rows("apart-trace")[1:]], [["4", "1"], ["4", "11"], ["20", "1"]])
        self.assertEqual(self.rows("apart-trace")[2][2:], ["1.000", "4.110"])

    def test_what_a_rail_costs_is_over_whole_rails(self):
        for ratio, schedule in ((2, []), (3, DEAD), (2.5, HALF)):
            self.write(ratio, balance={"chunk": "automatic"}, failures__schedule=schedule)
        self.assertEqual(self.rows("apart-failures")[1], ["zipf 0.8", "rails", "2.000", "1.500", "1.250"])

    def test_both_exchanges_are_over_their_own_bound(self):
        for exchange, bound in (("pairs", 1e-3), ("deduplicated", 5e-4)):
            results = {"lower_bound_acks_s": bound}
            self.write(2, balance={"chunk": "automatic"}, matrix=MOE, results=results, workload__exchange__type=exchange)
        rows = self.rows("apart-deduplicated")[1:]
        self.assertEqual(rows[0], ["64 MB", "none", "pairs", "1000.0", "2.000"])
        self.assertEqual(rows[1], ["64 MB", "none", "deduplicated", "500.0", "4.000"])

    def test_wrong_counts_stand_beside_right_ones(self):
        for scheme, wrong, ratio, marks in (
            ("rails-plus", {}, 1.01, 0),
            ("miscounted", {"least": 1.1, "most": 1.1}, 1.11, 0),
            ("miscounted", {"least": 0.9, "most": 1.1}, 1.05, 3),
            ("miscounted", {"least": 0.9, "most": 0.9}, 1.5, 7),
        ):
            options = {"balance": {"count_exchange": "0s", **wrong}}
            self.write(ratio, scheme, results={"lower_bound_acks_s": BOUND, "ecn_marks": marks}, **options)
        head, row = self.rows("miscounted")
        self.assertEqual(head[3:7], ["right", "-10 %", "-10 to +10 %", "+10 %"])
        self.assertEqual(row[3:], ["1.010", "1.500", "1.050", "1.110", "0", "7", "3", "0"])

    def test_a_dispatch_beside_a_neighbour_is_over_that_alone(self):
        for stages, busy, marks in ((STAGES, 1e-3, 0), ([*STAGES, SEND], 1.5e-3, 12)):
            graph = {**GRAPH, "kinds": [kind("dispatch", busy), kind("neighbour", 9)]}
            options = {"balance": {"count_exchange": "1us", "host.type": "spray"}, "workload__stages": stages}
            self.write(2, "rails-plus", results={"graph": graph, "ecn_marks": marks}, **options)
        row = ["zipf 0.8", "none", "rails-plus, counts free", "1.000", "1.500", "2.000", "0", "12"]
        self.assertEqual(self.rows("apart-neighbour-nics")[1], row)

    def test_a_job_beside_another_one_is_over_that_alone(self):
        for runs, end in ((False, 1e-3), (True, 1.25e-3)):
            jobs = [job("exchange", end), job("neighbour", 9)]
            options = {"balance": {"chunk": "automatic"}, "workload__jobs__neighbour__runs": runs}
            self.write(2, results={"graph": {**GRAPH, "jobs": jobs}}, **options)
        self.assertEqual(self.rows("apart-neighbour-servers")[1], ["none", "rails", "1.000", "1.250"])

    def test_a_job_on_the_same_uplinks_stands_beside_that_alone_by_paths(self):
        for host, runs, end, marks in (("flow", False, 1e-3, 0), ("flow", True, 1.25e-3, 5), ("spray", False, 2e-3, 0)):
            jobs = [job("exchange", end), job("neighbour", 3 * end)]
            options = {"balance": {"chunk": "automatic", "host.type": host}, "workload__jobs__neighbour__runs": runs}
            self.write(2, results={"graph": {**GRAPH, "jobs": jobs}, "ecn_marks": marks}, **options)
        row = ["hashed", "none", "rails", "1.000", "1.250", "3.750", "0", "5"]
        self.assertEqual(self.rows("apart-neighbour-uplinks")[1:], [row])

    def test_frames_stand_beside_flows(self):
        for engine, ratio in (("flow", 4), ("frames", 5)):
            options = {"engine__type": engine, "workload__parallel__tp": 1, "balance": {"chunk": "automatic"}}
            self.write(ratio, "rail-source", **options)
            self.write(3, "rails", **options)
        row = ["1", "rails", "3.00", "3.00", "1.000", "0.750", "0.600"]
        self.assertEqual(self.rows("iterations-frames")[2], row)


if __name__ == "__main__":
    unittest.main()
