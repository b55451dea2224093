# SPDX-License-Identifier: GPL-2.0-only
"""Simulated iterations beside the time model and the tables of Pro-Prophet."""

import csv
import itertools
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
from programs import call
from papers import pro_prophet_cells as cells
from papers import pro_prophet_hot as hot
from papers import pro_prophet_terms as terms
from rails.errors import ResultError
from rails.reader.result_folder import load_folder

GPUS, INPUTS, SECOND_PER_TOKEN, ATTENTION = 4, 16, 0.1, 0.5
BANDWIDTH = 1e6  # an expert takes a second, a token 1 ms
SETTING = {
    "workload.parallel.ep": GPUS,
    "workload.model.hidden": 250,
    "workload.model.expert_ffn": 500,
    "workload.model.top_k": 1,
    "workload.model.heads": 1,
    "workload.batch.micro": 1,
    "workload.batch.sequence": INPUTS,
    "workload.bytes_per_element": "4B",
    "workload.compute.expert_token": "100ms",
    "workload.compute.attention": "500ms",
    "workload.copy_pieces": 8,
    "workload.warm_up": 1,
    "workload.experts.excluded": 0,
    "workload.load.preset": "no-aux",
    "workload.load.exponent": 1.5,
}


class Iteration:
    """
    Messages of an iteration that does what the model says: every GPU has as many inputs for each
    expert, and the expert of GPU 0 is on all others.
    """

    def __init__(self, layers, late=0):
        self.rows = []
        self.now = 0
        self.late = late
        self.experts = 0
        for _ in range(layers):
            self.copy("expert-weights", [0, 1, 2, 3])
            self.now += ATTENTION
            self.exchange("dispatch")
            self.compute(1)
            self.exchange("combine", is_back=True)
        for _ in range(layers):
            self.exchange("combine-backward")
            self.compute(2)
            self.copy("expert-gradients", [3, 2, 1, 0])
            self.exchange("dispatch-backward", is_back=True)
            self.now += 2 * ATTENTION

    def add(self, kind, source, destination, size, end):
        self.rows.append((0, 0, source, destination, 0, size, self.now, end, kind))

    def copy(self, kind, chain):
        for source, destination in zip(chain, chain[1:]):
            self.add(kind, source, destination, 1e6, self.now + 1)
        self.now += 1

    def exchange(self, kind, is_back=False):
        tokens = INPUTS // GPUS
        end = self.now + (GPUS - 1) * tokens / 1000 + self.late
        for source, home in itertools.product(range(GPUS), range(1, GPUS)):
            if source != home:
                ends = (home, source) if is_back else (source, home)
                self.add(kind, *ends, 1000 * tokens, end)
        self.now = end

    def compute(self, times):
        seconds = times * SECOND_PER_TOKEN * (INPUTS + INPUTS // GPUS)
        self.experts += seconds
        self.now += seconds


def write_result(folder, config, **changes):
    """A run of which nothing but result.json is looked at."""
    folder.mkdir(parents=True)
    result = {"status": 0, "seed": 1, "engine": "flow", "cct_s": 1, "lower_bound_s": 1}
    result.update(cct_over_bound=1, config={"balance": {"type": "ecmp"}, **config}, **changes)
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")


def write_iteration(folder, transfers, layers, late=0, **config):
    """An iteration; scheduled, it takes what is hidden less, and nobody looks at its messages."""
    made = Iteration(layers, late)
    hidden = (1 + 1) * layers if transfers == "scheduled" else 0  # all of Trans and of Agg
    graph = {"kinds": [{"name": "experts", "type": "compute", "critical_s": made.experts}]}
    write_result(
        folder,
        {**SETTING, "workload.layers": layers, "workload.expert_transfers": transfers, **config},
        graph=graph,
        iteration_s=made.now - hidden,
    )
    columns = "phase pair_id source destination rail bytes start_s end_s kind".split()
    with open(folder / "messages.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *made.rows])


def write_sweeps(folder):
    for layers, transfers in itertools.product((2, 4), ("blocking", "scheduled")):
        name = f"layers={layers},transfers={transfers}"
        write_iteration(folder / "pro-prophet-terms" / name, transfers, layers)
    for transfers in ("blocking", "scheduled"):
        write_iteration(folder / "pro-prophet-skew" / transfers, transfers, 2, late=0.006)
    for size in (16, 64):
        write_result(
            folder / "pro-prophet-bandwidth" / str(size),
            {"workload.matrix.bytes_per_pair": f"{size}KiB"},
            busbw_Bps=BANDWIDTH * size / 16,
        )


def write_tables(folder, series=None):
    """One combination of unknowns. Seconds: Pro-Prophet takes 3, FasterMoE 4, and so on."""
    for name, (seconds, experts, timing) in (series or SYSTEMS).items():
        for cluster, topk, model in CELLS:
            config = {
                "topology.server": f"pro-prophet-{cluster.lower()}",
                "workload.model.type": f"pro-prophet-{model.lower()}",
                "workload.model.top_k": topk,
                "workload.load.first_iteration": 0,
                "workload.compute.efficiency": 0.25,
                "workload.model.vocabulary": 1,
                "workload.expert_transfers": timing,
                **{f"workload.experts.{key}": value for key, value in experts.items()},
            }
            write_result(folder / f"{name} {cluster} {model} {topk}", config, iteration_s=seconds)


HOT = [24, 24, 1, 1]  # tokens of each GPU by expert: two hot
EVEN = [20, 10, 10, 10]


def write_hot(folder, copies):
    """Two loads; plans that copy so many experts to the three other GPUs, by policy."""
    folder.mkdir(parents=True)
    for name in ("hot-equal", "hot-zipf"):
        rows = [(0, layer, 0, rank, *loads) for layer, loads in enumerate((HOT, EVEN)) for rank in range(4)]
        with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["iteration", "layer", "microbatch", "rank", *"abcd"], *rows])
        for number, (policy, shadows) in enumerate(copies):
            config = {"experts.load.path": str(folder / f"{name}.csv"), "experts.model.type": "pro-prophet-m"}
            config.update({f"experts.policy.{key}": value for key, value in policy.items()})
            place = folder / f"{name}-{number}"
            write_result(place, config)
            largest = [
                hot.balance(np.array([loads] * 4), many).max() / (sum(loads))
                for loads, many in zip((HOT, EVEN), shadows)
            ]
            rows = [(layer, 3 * many, most) for layer, (many, most) in enumerate(zip(shadows, largest))]
            with open(place / "plans.csv", "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([["layer", "copies", "max_over_mean"], *rows])


OURS_HOT = {"type": "pro-prophet"}
HOT_PLANS = [
    ({"type": "faster-moe", "variant": "published"}, (0, 0)),
    ({"type": "faster-moe", "variant": "published", "bandwidth": "24Gbps"}, (1, 0)),
    ({"type": "faster-moe", "variant": "artifact"}, (2, 1)),
    ({"type": "faster-moe", "variant": "master"}, (0, 1)),
    (OURS_HOT, (2, 0)),
    ({**OURS_HOT, "balance_tolerance": 3.0}, (0, 0)),
    ({**OURS_HOT, "bandwidth": "24Gbps"}, (2, 0)),
]
CELLS = [
    *itertools.product(("HPNV",), (1, 2), ("S", "M", "L", "DS", "DM")),
    *itertools.product(("LPWNV",), (1, 2), ("S", "M", "DS", "DM")),
]
OURS = {"type": "pro-prophet", "variant": "algorithm-1", "scheduled": True}
PUBLISHED = {"type": "faster-moe", "variant": "published"}
SYSTEMS = {
    "plain": (6, {"type": "plain-ep"}, "published"),
    "padded": (9, {"type": "deepspeed-moe"}, "published"),
    "capacity_1": (2, {"type": "deepspeed-moe", "capacity_factor": 1.0}, "published"),
    "capacity_2": (4, {"type": "deepspeed-moe", "capacity_factor": 2.0}, "published"),
    "capacity_4": (8, {"type": "deepspeed-moe", "capacity_factor": 4.0}, "published"),
    "faster_moe_artifact": (5, {**PUBLISHED, "variant": "artifact"}, "published"),
    "faster_moe_published": (4, PUBLISHED, "published"),
    "faster_moe_master": (3, {**PUBLISHED, "variant": "master"}, "published"),
    "faster_moe_launched": (4.5, {**PUBLISHED, "variant": "artifact"}, "blocking"),
    "faster_moe_overlapped": (2, PUBLISHED, "overlapped"),
    "planner": (4, {**OURS, "scheduled": False}, "blocking"),
    "planner_scheduler": (3.5, {**OURS, "scheduled": False}, "scheduled"),
    "full": (3, OURS, "scheduled"),
    "full_1": (3.25, {**OURS, "balance_tolerance": 1.0}, "scheduled"),
    "full_3": (3.5, {**OURS, "balance_tolerance": 3.0}, "scheduled"),
    "released": (4, {**OURS, "variant": "released"}, "scheduled"),
}


class Model(unittest.TestCase):
    RATES = terms.Rates(16, 1e9, 1e-6, 1000, 1e6, 1000, 1e-3)

    def test_terms_are_those_of_the_equations(self):
        found = terms.model_terms(self.RATES, terms.Work(1500, 2000, 3, 4))
        expected = {
            "exchange": 1.5e-3,
            "forward": 2e-3,
            "backward": 4e-3,
            "weights": 2.25e-3,
            "gradients": 2.25e-3,
            "blocking": 6e-3 + 6e-3 + 3e-3 + 4.5e-3,
            "scheduled": 6e-3 + 6e-3 + 3e-3,
        }
        for name, seconds in expected.items():
            self.assertAlmostEqual(found[name], seconds, msg=name)

    def test_what_computing_does_not_hide_is_exposed(self):
        found = terms.model_terms(self.RATES, terms.Work(0, 1000, 5, 0))
        self.assertAlmostEqual(found["scheduled"], 3e-3 + 3e-3 + (5e-3 - 2e-3) + (5e-3 - 4e-3))

    def test_a_chain_takes_longer_by_its_first_piece(self):
        self.assertEqual(terms.chain_factor(16, 14), 2)
        self.assertEqual(terms.chain_factor(2, 5), 1)


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def load(self, name):
        return load_folder(self.folder / name).points

    def test_an_iteration_as_the_model_has_it_has_no_errors(self):
        write_sweeps(self.folder)
        found = terms.equal_loads(self.load("pro-prophet-terms"), BANDWIDTH)
        case = terms.Case(GPUS, 8, 1)
        self.assertEqual(list(found), [case])
        self.assertEqual(len(found[case]), 4 + 4 + 2)
        for name, (simulated, model) in found[case].items():
            self.assertAlmostEqual(simulated, model, msg=name)
        self.assertAlmostEqual(found[case]["dispatch"][1], 0.012)
        self.assertAlmostEqual(found[case]["backward"][1], 4)

    def test_exchanges_that_end_late_are_seen_in_their_term_and_in_layers(self):
        write_sweeps(self.folder)
        found = terms.unequal_loads(self.load("pro-prophet-skew"), BANDWIDTH)
        self.assertEqual(list(found), [("no-aux", 1.5, 1)])
        own = found["no-aux", 1.5, 1]
        self.assertAlmostEqual(own["exchange"][0] / own["exchange"][1], 1.5)
        self.assertAlmostEqual(own["blocking"][0] - own["blocking"][1], 8 * 0.006)
        for name in ("forward", "weights", "gradients"):
            self.assertAlmostEqual(*own[name], msg=name)
        # Transfers of the first layer are exposed: the model has them in full.
        self.assertAlmostEqual(own["scheduled"][0] + 2 - own["scheduled"][1], 8 * 0.006)

    def test_a_gpu_that_sends_nothing_in_a_layer_is_told(self):
        write_sweeps(self.folder)
        path = self.folder / "pro-prophet-terms" / "layers=2,transfers=blocking" / "messages.csv"
        rows = [row for row in path.read_text().splitlines() if not row.endswith(",dispatch")]
        path.write_text("\n".join(rows) + "\n")
        with self.assertRaisesRegex(ResultError, "sends no dispatch in a layer"):
            terms.equal_loads(self.load("pro-prophet-terms"), BANDWIDTH)

    def test_points_become_cells(self):
        write_tables(self.folder / "pro-prophet-tables")
        found = cells.read_tables(self.load("pro-prophet-tables"))
        self.assertEqual(found.cells, [(cluster, float(topk), model) for cluster, topk, model in CELLS])
        self.assertEqual(set(found.seconds), set(SYSTEMS))
        for name, (seconds, _, _) in SYSTEMS.items():
            self.assertTrue(np.all(found.seconds[name] == seconds), name)
        self.assertEqual({name: list(own) for name, own in found.unknowns.items()},
                         {"load": ["volatile"], "efficiency": [0.25], "vocabulary": [1]})
        band = next(band for band in cells.bands(found) if band[3:5] == ("padded", "full"))
        self.assertEqual(band[5:], (3, 3, 3))

    def test_a_missing_point_is_told(self):
        write_tables(self.folder / "pro-prophet-tables")
        shutil.rmtree(self.folder / "pro-prophet-tables" / "plain HPNV S 1")
        with self.assertRaisesRegex(ResultError, "not every cell"):
            cells.read_tables(self.load("pro-prophet-tables"))

    def test_all_is_drawn_and_put_into_words(self):
        write_sweeps(self.folder)
        write_tables(self.folder / "pro-prophet-tables")
        files = [self.folder / "terms.csv", self.folder / "bands.csv"]
        done = call(
            "pro_prophet_simulated", "--results", self.folder, "--terms", files[0], "--bands", files[1]
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(self.folder.glob("*.svg"))), 2)
        self.assertIn("s=1 C=8 (chain 1.250): dispatch +0.0 %", done.stdout.replace("-0.0", "+0.0"))
        self.assertIn("unequal loads, A2A (eq. 1): +50.0 to +50.0 %", done.stdout)
        self.assertIn("1 combinations of unknowns, 18 cells", done.stdout)
        self.assertIn(
            "Pro-Prophet above FasterMoE, published: 18 of 18 cells, all 18 in 1 of 1 "
            "combinations, medians of 18 cells; 1.333 to 1.333, median 1.333",
            done.stdout,
        )
        self.assertIn("Pro-Prophet above FasterMoE, master: 0 of 18 cells, all 18 in 0 of 1", done.stdout)
        self.assertIn("HPNV S k=1 (volatile, 0.25, 1.0) 1.000", done.stdout)
        self.assertEqual([len(path.read_text().splitlines()) for path in files], [17, 1 + 18 * 55])

    def test_terms_without_their_bandwidth_are_left_out_and_the_rest_is_drawn(self):
        write_sweeps(self.folder)
        write_tables(self.folder / "pro-prophet-tables")
        shutil.rmtree(self.folder / "pro-prophet-bandwidth")
        done = call("pro_prophet_simulated", "--results", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([path.name for path in self.folder.glob("*.svg")], ["pro-prophet-tables.svg"])
        self.assertIn(f"left out: terms, for which there is no {self.folder / 'pro-prophet-bandwidth'}", done.stdout)

    def test_few_hot_experts_have_the_ratio_of_their_deviations(self):
        self.assertEqual(hot.split_in_two(np.array([1, 24, 1, 24]))[0], 2)
        self.assertAlmostEqual(hot.split_in_two(np.array([1, 24, 1, 24]))[1], 0.96)
        write_hot(self.folder / "pro-prophet-hot", HOT_PLANS)
        two, one = hot.read_layers(self.load("pro-prophet-hot"))["hot-equal", "M"]
        self.assertEqual((two.hot, one.hot), (2, 1))
        # Both on all GPUs leave 48 on all and 4 more on two; none, 96 on two and 4 on two.
        self.assertAlmostEqual(two.ratio("published, links of the cluster"), 46 / 2)
        self.assertAlmostEqual(two.ratio("published, links of the cluster", hot.RELEASED), 1)
        self.assertAlmostEqual(two.ratio("artifact"), 1)
        self.assertGreater(two.ratio("published, B of 24 Gb/s for all links"), 10)

    def test_recorded_experts_of_a_gpu_are_one(self):
        path = self.folder / "trace.csv"
        counts = [0] * 32
        counts[4], counts[5], counts[30] = 6, 4, 2
        path.write_text("head\n" + "".join(f"0,0,0,{rank},{','.join(map(str, counts))}\n" for rank in (0, 1)))
        self.assertEqual(hot.read_recorded(path), [(1, 10 / 12)])

    def test_a_plan_that_does_not_take_the_heaviest_is_told(self):
        write_hot(self.folder / "pro-prophet-hot", HOT_PLANS)
        path = self.folder / "pro-prophet-hot" / "hot-equal-4" / "plans.csv"
        path.write_text(path.read_text().replace("0,6,", "0,3,"))
        with self.assertRaisesRegex(ResultError, "layer 0: not the heaviest"):
            hot.read_layers(self.load("pro-prophet-hot"))

    def test_few_hot_experts_are_drawn_and_put_into_words(self):
        write_hot(self.folder / "pro-prophet-hot", HOT_PLANS)
        trace = self.folder / "trace.csv"
        trace.write_text("head\n0,0,0,0,9" + 31 * ",1" + "\n")
        done = call("pro_prophet_simulated", "--results", self.folder, "--trace", trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "pro-prophet-hot.svg").exists())
        self.assertIn(
            "hot-equal, M, over published, links of the cluster: 1.00 to 23.00 (2 hot, 96 %); "
            "11.01 in 1 of 2; 2 hot from 96 %",
            done.stdout,
        )
        self.assertIn("recorded: 1 loads; 100% with one hot", done.stdout)

    def test_sweeps_that_are_not_there_are_left_out(self):
        write_sweeps(self.folder)
        shutil.rmtree(self.folder / "pro-prophet-skew")
        self.assertEqual(call("pro_prophet_simulated", "--results", self.folder).returncode, 0)
        self.assertEqual(len(list(self.folder.glob("*.png"))), 1)

    def test_a_folder_without_any_is_an_error(self):
        done = call("pro_prophet_simulated", "--results", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no folder pro-prophet-terms", done.stderr)


if __name__ == "__main__":
    unittest.main()
