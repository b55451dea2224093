# SPDX-License-Identifier: GPL-2.0-only
"""RailS beside its baselines: cells, published ranges, reasons, iterations and what comes after."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from papers import rails_after, rails_iterations, rails_ranges, rails_reasons, rails_sizes
from papers import rails_grid as grid
from rails.errors import ResultError
from rails.plots.page_tables import simple_table

PAPER = Path(__file__).resolve().parents[2] / "experiments" / "rails" / "paper.csv"
PAGE = Path(__file__).resolve().parents[2] / "doc" / "rails-results.rst"
UNIFORM = {"type": "uniform", "bytes_per_pair": "1MB"}
SPARSE = {"type": "sparse", "density": 0.05, "mean": "1250KB"}
ZIPF = {"type": "zipf", "exponent": 1.2, "bytes_per_gpu": "64MB"}
MOE = {"type": "moe", "tokens_per_gpu": 244, "top_k": 2, "hidden": 4096, "bytes_per_element": "2B"}
BALANCES = {
    "ecmp": {"type": "ecmp", "host.type": "flow", "chunk": "whole"},
    "ecmp plb": {"type": "ecmp", "host.type": "plb"},
    "rail-source": {"type": "rail-source", "chunk": "whole"},
    "rails": {"type": "rails", "chunk": "automatic"},
    "rails 4 MB": {"type": "rails", "chunk": "4MB"},
    "even-split": {"type": "even-split"},
    "rails-plus": {"type": "rails-plus", "count_exchange": "2us"},
    "rails-plus, counts free": {"type": "rails-plus", "count_exchange": "0s"},
}
MELLANOX = {"type": "dcqcn", "preset": "mellanox"}
BOUND = 1e-3
KINDS = (("experts", "compute", 0.6), ("dispatch", "communication", 0.3), ("data", "communication", 0.1))


def config_of(balance, matrix, control):
    config = {"topology.domains": 8, "topology.gpus_per_domain": 8}
    for at, values in (
        ("balance", BALANCES[balance]),
        ("workload.matrix", matrix),
        ("transport.congestion_control", control or {"type": "none"}),
    ):
        config.update({f"{at}.{key}": value for key, value in values.items()})
    return config


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, balance, ratio, matrix=ZIPF, control=None, seed=1, name="collectives-8x8", **changes):
        """A run that took so many times the bound; its product of time and bandwidth is always the same."""
        place = self.folder / name / f"{len(list((self.folder / name).glob('*')))}"
        seconds = BOUND * ratio
        shares = {"name": "nic", "busy": 0.5, "rate_or_window": 0.25}
        factors = {"plan": ratio / 1.25, "routes": 1.0, "repeats": 1.0, "outages": 1.0, "waiting": 1.25}
        values = {
            "cct_s": seconds,
            "lower_bound_s": BOUND,
            "busbw_Bps": 64e6 / seconds,
            "explain": {"factors": factors, "nic": shares, "cable": None, "sentence": None},
            "ecn_marks": 0,
            "frames": 1000,
            "queue_max_bytes": 1_000_000,
        }
        config = config_of(balance, matrix, control)
        synthetic.write_point(place, BALANCES[balance]["type"], seed, ratio, config, **{**values, **changes})

    def read(self, name="collectives-8x8"):
        return grid.read(self.folder / name, grid.collective)

    def write_small(self, name="collectives-8x8"):
        for seed, more in ((1, 0), (2, 0.5)):
            for balance, ratio in (("ecmp", 4), ("rail-source", 2), ("rails", 2), ("rails 4 MB", 1.6)):
                self.write(balance, ratio + more, seed=seed, name=name)


class Sizes(Temporary):
    def write_size(self, balance, sent, ratio):
        matrix = {"type": "zipf", "exponent": 0.8, "bytes_per_gpu": sent}
        self.write(balance, ratio, matrix, name="sizes", lower_bound_acks_s=BOUND)

    def found(self):
        return grid.read(self.folder / "sizes", rails_sizes.size)

    def test_all_that_are_one_percent_behind_the_fastest_are_named(self):
        for balance, ratio in (("even-split", 1.0), ("rails", 1.009), ("rail-source", 1.02)):
            self.write_size(balance, "1GB", ratio)
        self.write_size("rails", "256KB", 2)
        rows = rails_sizes.table(self.found())
        self.assertEqual(rows[1], ["256 KB", "none", "", "2.000", "", "rails"])
        self.assertEqual(rows[2], ["1 GB", "none", "1.020", "1.009", "1.000", "rails, even-split"])

    def test_a_scheme_without_a_size_is_drawn_over_the_others(self):
        self.write_size("rails", "256KB", 2)
        self.write_size("rails", "1GB", 1.5)
        self.write_size("even-split", "1GB", 1)
        lines = {line.get_label(): list(line.get_ydata()) for line in rails_sizes.draw(self.found()).axes[0].lines}
        self.assertEqual([round(ratio, 9) for ratio in lines["rails"]], [2, 1.5])
        self.assertEqual(lines["even-split"], [1])


class Cells(Temporary):
    def test_are_named_by_load_size_and_control(self):
        for matrix in (UNIFORM, SPARSE, ZIPF, MOE):
            self.write("rails", 2, matrix)
        self.write("rails", 2, MOE, MELLANOX)
        names = [(load.name, load.size, control) for load, control in grid.places(self.read())]
        large = [("uniform", 64, "none"), ("zipf 1.2", 64, "none")]
        small = [("sparse 5 %", 4, "none"), ("moe", 4, "none"), ("moe", 4, "mellanox")]
        self.assertEqual(names, large + small)

    def test_schemes_are_told_apart(self):
        for balance in BALANCES:
            self.assertEqual(grid.scheme_of({f"balance.{k}": v for k, v in BALANCES[balance].items()}), balance)

    def test_a_change_is_that_of_mean_times_of_common_seeds(self):
        self.write_small()
        self.write("ecmp", 40, seed=3)
        found = self.read()
        place = grid.places(found)[0]
        self.assertAlmostEqual(grid.change(found, "rails", "ecmp", place), 4.5 / 8.5 - 1)
        self.assertIsNone(grid.change(found, "rails", "random", place))

    def test_a_point_that_is_there_twice_is_named(self):
        self.write("rails", 2)
        self.write("rails", 2)
        with self.assertRaisesRegex(ResultError, "the same as"):
            self.read()

    def test_an_unknown_load_is_named(self):
        self.write("rails", 2, {"type": "file"})
        with self.assertRaisesRegex(ResultError, '"file" is no load'):
            self.read()

    def test_a_zero_has_no_minus(self):
        self.assertEqual(grid.percent(-0.001), "+0 %")
        self.assertEqual(grid.percent(-0.126), "-13 %")


class Ranges(Temporary):
    def setUp(self):
        super().setUp()
        self.ranges = rails_ranges.read_ranges(PAPER)

    def test_each_has_a_source(self):
        self.assertEqual(list(self.ranges), ["busbw", "time", "iteration", "sparse", "up-to"])
        self.assertTrue(all("2510.19262" in published.source for published in self.ranges.values()))

    def test_ends_are_inside_and_beyond_gains_more(self):
        self.assertEqual(self.ranges["time"].split([-0.17, -0.78, -0.16, 0.5, -0.79]), (2, 2, 1))
        self.assertEqual(self.ranges["busbw"].split([0.2, 0.78, 0.1, 0.9]), (2, 1, 1))
        self.assertEqual(self.ranges["sparse"].split([1.0, 2.0, 0.9, 2.1]), (2, 1, 1))
        self.assertEqual(self.ranges["up-to"].split([-0.443, -0.1, 0.1, -0.45]), (2, 1, 1))

    def test_values_are_rounded_as_the_range_is(self):
        self.assertEqual(self.ranges["time"].split([-0.1651, -0.1649]), (1, 1, 0))

    def test_upper_ends_exclude_each_other(self):
        rows = {row[0]: row[1:] for row in rails_ranges.arithmetic_table(self.ranges)}
        self.assertEqual(rows["bus bandwidth +78 %"][1], "-43.8 %")
        self.assertEqual(rows["completion time -78 %"][0], "+355 %, 4.55 times")

    def test_stand_beside_ours(self):
        self.write_small()
        rows = rails_ranges.baseline_table(self.read(), self.ranges["time"])
        self.assertEqual(rows[1], ["ecmp", "-47 / -47 / -47", "1 / 0 / 0"])
        self.assertEqual(rows[2], ["rail-source", "+0 / +0 / +0", "0 / 1 / 0"])
        rows = rails_ranges.baseline_table(self.read(), self.ranges["busbw"])
        self.assertEqual(rows[1], ["ecmp", "+89 / +89 / +89", "0 / 0 / 1"])
        rows = rails_ranges.cell_table(self.read(), self.ranges["time"], "none")
        self.assertEqual(rows[1], ["zipf 1.2", "64 MB", "**-47 %**", "+0 %"])

    def test_bandwidth_that_does_not_fit_the_time_is_seen(self):
        self.write_small()
        self.assertLess(rails_ranges.identity(self.read()), 1e-12)
        self.write("ecmp plb", 3, busbw_Bps=64e6)
        self.assertGreater(rails_ranges.identity(self.read()), 1)


class Reasons(Temporary):
    def test_factors_are_geometric_means(self):
        self.write("rails", 2)
        self.write("rails", 8, seed=2)
        self.write("rails", 3, control=MELLANOX)
        row = rails_reasons.factor_table(self.read())[1]
        self.assertEqual(row, ["rails", "3.20", "1.00", "1.00", "1.25", "4.00", "1.25", "3.00", "25 %"])

    def test_what_has_no_explanation_is_left_out(self):
        self.write("rails", 2, explain=None)
        self.assertEqual(len(rails_reasons.factor_table(self.read())), 1)
        self.assertEqual(rails_reasons.plan_table(self.read())[1], ["zipf 1.2", "64 MB", ""])

    def test_times_over_the_bound_are_means_by_load_and_scheme(self):
        for balance, seed, ratio in (("rails", 1, 2), ("rails", 2, 3), ("rail-source", 1, 1.5)):
            self.write(balance, ratio, seed=seed)
        self.write("rails", 4, MOE)
        rows = rails_reasons.bound_table(self.read())
        self.assertEqual(rows[0], ["Load", "A GPU sends", "rail-source", "rails"])
        self.assertEqual(rows[1:], [["zipf 1.2", "64 MB", "1.500", "2.500"], ["moe", "4 MB", "", "4.000"]])

    def test_marks_are_of_a_thousand_frames(self):
        self.write("rails", 2, ecn_marks=30)
        self.write("rails", 2, seed=2, ecn_marks=10)
        self.assertEqual(rails_reasons.mark_table(self.read())[1], ["rails", "20", "1.0"])


class Iterations(Temporary):
    def write_iteration(self, balance, seconds, tensor=1, model="mixtral-8x7b"):
        config = config_of(balance, {}, None)
        config.update({"workload.type": "training", "workload.model.type": model})
        config.update({"workload.parallel.tp": tensor, "workload.load.preset": "no-aux"})
        config["topology.nic_rate"] = "100Gbps"
        kinds = [
            {"name": name, "type": kind, "bytes": 0, "critical_s": share * seconds} for name, kind, share in KINDS
        ]
        folder = self.folder / "iterations" / f"{balance} {tensor} {model}"
        graph = {"iterations": 1, "compute_s": 0.1, "kinds": kinds}
        synthetic.write_flows(folder, BALANCES[balance]["type"], config=config, cct_s=seconds, graph=graph)

    def setUp(self):
        super().setUp()
        for tensor in (1, 4):
            for balance, seconds in (("ecmp", 2.0), ("rail-source", 2.0), ("rails", 1.5), ("even-split", 1.0)):
                self.write_iteration(balance, seconds * tensor, tensor)
        self.found = grid.read(self.folder / "iterations", rails_iterations.iteration)
        self.published = rails_ranges.read_ranges(PAPER)["iteration"]

    def test_baselines_of_one_time_are_a_family(self):
        self.assertEqual(rails_iterations.families(self.found), {"ecmp": ["ecmp", "rail-source"]})
        rows = rails_iterations.baseline_table(self.found, self.published)
        self.assertEqual(rows[1:], [["ecmp, rail-source", "automatic", "2", "2 / 0 / 0", "-25 / -25 / -25"]])

    def test_cells_stand_by_model_and_rate(self):
        rows = rails_iterations.cell_table(self.found, self.published)
        self.assertEqual(rows[2], ["8x7B", "64", "4", "100G", "**-25 %**"])

    def test_the_path_is_of_computing_exchanges_and_the_rest(self):
        rows = rails_iterations.path_table(self.found)
        self.assertEqual(rows[1], ["1", "100G", "own NIC", "60 %", "30 %", "10 %", "2.00"])


class After(Temporary):
    def cells(self):
        return rails_after.cells(self.read("after-8x8"), self.read())

    def write_after(self, ratio, balance="rails-plus", **options):
        options.setdefault("lower_bound_acks_s", 1.25 * BOUND)
        self.write(balance, 1.25 * ratio, name="after-8x8", **options)

    def test_is_over_the_bound_with_acks(self):
        self.write("rails", 2.5)
        self.write_after(1.005)
        rows = rails_after.cell_table(self.cells())
        self.assertEqual(rows[0][3:], ["rails-plus", "rails"])
        self.assertEqual(rows[1][3:], ["1.005 met", "2.000 not"])

    def test_the_goal_is_met_by_all_seeds_or_in_the_mean(self):
        self.write("rails", 2)
        for seed, ratio in ((1, 1.005), (2, 1.014)):
            self.write_after(ratio, seed=seed)
        self.write_after(1.05, "rails-plus, counts free")
        rows = rails_after.cell_table(self.cells())
        self.assertEqual(rows[1][3], "1.010 (1.005-1.014) mean")
        self.assertEqual(rows[1][4], "1.050 not")

    def test_rate_control_may_cost_more_but_mark_nothing(self):
        self.write("rails", 2, control=MELLANOX)
        self.write_after(1.025, control=MELLANOX)
        self.write_after(1.025, "rails-plus, counts free", control=MELLANOX, ecn_marks=1)
        rows = rails_after.cell_table(self.cells())
        self.assertTrue(rows[1][3].endswith("met"))
        self.assertTrue(rows[1][4].endswith("not"))

    def test_small_loads_have_a_goal_of_their_own(self):
        self.write("rails", 2, SPARSE)
        self.write_after(1.039, matrix=SPARSE)
        self.assertTrue(rails_after.cell_table(self.cells())[1][3].endswith("met"))

    def test_what_is_behind_rails_is_told(self):
        self.write("rails", 1.25)
        self.write_after(1.02)
        rows = rails_after.behind_table(self.cells())
        self.assertEqual(rows[1:], [["rails-plus", "zipf 1.2", "64 MB", "none", "1.020"]])
        summary = {row[0]: row[3:] for row in rails_after.summary_table(self.cells())[1:]}
        self.assertEqual(summary["rails-plus"], ["1.01", "0 of 1", "0", "1.020 (zipf 1.2)", "0", "1"])

    def test_bounds_that_differ_are_named(self):
        self.write("rails", 2)
        self.write_after(1)
        self.write_after(1, "rails-plus, counts free", lower_bound_acks_s=BOUND)
        with self.assertRaisesRegex(ResultError, "is not that of other schemes"):
            self.cells()


class Program(Temporary):
    def test_fills_the_page_with_what_is_there_the_same_each_time(self):
        self.write_small()
        self.write("rails-plus", 1.3, name="after-8x8", lower_bound_acks_s=1.25 * BOUND)
        page = self.folder / "page.rst"
        texts = []
        for _ in range(2):
            page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
            told = call("rails_gains", "--results", self.folder, "--page", page)
            self.assertEqual(told.returncode, 0, told.stderr)
            texts.append(page.read_text(encoding="utf-8"))
        self.assertEqual(*texts)
        found = grid.read(self.folder / "collectives-8x8", grid.collective)
        published = rails_ranges.read_ranges(PAPER)["time"]
        self.assertIn(simple_table(rails_ranges.cell_table(found, published, "none")), texts[0])
        for name in ("rails-gains", "rails-bounds", "rails-factors"):
            self.assertTrue((self.folder / f"{name}.png").is_file())

    def test_a_folder_may_stand_in_that_of_its_question(self):
        self.write("rails", 2, name="collectives/collectives-8x8")
        self.assertEqual(call("rails_gains", "--results", self.folder).returncode, 0)

    def test_a_grid_that_has_no_result_yet_is_left_out(self):
        self.write("rails", 2)
        (self.folder / "collectives-16x8" / "begun").mkdir(parents=True)
        told = call("rails_gains", "--results", self.folder)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertNotIn("16x8", told.stdout)

    def test_without_results_it_says_what_it_looks_for(self):
        told = call("rails_gains", "--results", self.folder)
        self.assertEqual(told.returncode, 2)
        self.assertIn("collectives-8x8", told.stderr)


if __name__ == "__main__":
    unittest.main()
