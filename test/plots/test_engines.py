# SPDX-License-Identifier: GPL-2.0-only
"""Runs by flows beside the same runs by frames, on made-up folders."""

import csv
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np

import synthetic
from programs import call
from rails.plots.engine_comparison import compare_changes, compare_engines
from rails.errors import ResultError
from rails.reader.result_folder import load_folder

HEAD = ("phase", "pair_id", "source", "destination", "rail", "bytes", "start_s", "end_s")


class Engines(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.frames, self.flow = self.folder / "frames", self.folder / "flow"
        for folder in (self.frames, self.flow):
            folder.mkdir()

    def add(self, engine, cct_s, scheme="rails", seed=1, config=None, pauses=0, **changes):
        """A run; the engine of flows knows no pauses, and writes a key that is new."""
        of_flow = engine == "flow"
        own = {"engine.type": engine, **({"engine.tolerance": 0.0} if of_flow else {})}
        place = self.folder / engine / str(len(list((self.folder / engine).iterdir())))
        synthetic.write_point(
            place,
            scheme,
            seed,
            config={**own, **(config or {})},
            engine=engine,
            cct_s=cct_s,
            lower_bound_s=cct_s / 2,
            pfc_pauses=None if of_flow else pauses,
            pfc_paused_s=None if of_flow else 1e-6 * pauses,
            nic_tx_bytes=[[1, 2]],
            nic_rx_bytes=[[2, 1]],
            **changes,
        )
        return place

    def add_twins(self, frames_s, flow_s, **more):
        for engine, cct_s in (("frames", frames_s), ("flow", flow_s)):
            self.add(engine, cct_s, **more)

    def compare(self):
        return compare_engines([load_folder(self.frames), load_folder(self.flow)])

    def engines(self, *options):
        return call("engines", self.frames, self.flow, *options)

    def test_a_cell_is_the_mean_of_signed_errors_over_its_seeds(self):
        for seed, flow_s in enumerate((1.04e-3, 0.99e-3, 0.97e-3), 1):
            self.add_twins(1e-3, flow_s, seed=seed)
        [cell] = self.compare().cells
        self.assertAlmostEqual(cell.mean_error, 0)
        self.assertAlmostEqual(cell.worst_error, 0.04)
        self.assertEqual(self.engines().returncode, 0)

    def test_a_cell_beyond_three_percent_is_a_fault_and_sprayed_beyond_five(self):
        spray = {"balance.host.type": "spray"}
        self.add_twins(1e-3, 0.96e-3)
        self.add_twins(1e-3, 0.96e-3, config=spray)
        done = self.engines()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "beyond its limit: rails: -4.00 %, beyond 3.00 %\n")
        self.add_twins(1e-3, 1.06e-3, config={"balance.switch.type": "ofan"})
        self.assertIn("rails + switch ofan: +6.00 %, beyond 5.00 %", self.engines().stderr)
        self.assertEqual(self.engines("--limit", "7").returncode, 0)
        self.assertEqual(self.engines("--no-limit").returncode, 0)

    def test_a_limit_is_a_number_that_an_error_can_be_beyond(self):
        for limit in ("nan", "-1", "inf", "x"):
            done = self.engines(f"--limit={limit}")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{limit}: expected a number of percent that is not negative", done.stderr)

    def test_a_paused_run_by_frames_is_a_fault_unless_there_are_no_limits(self):
        self.add_twins(1e-3, 1e-3, pauses=3)
        done = self.engines()
        self.assertEqual(done.returncode, 1)
        self.assertIn("rails: 3 pauses, which flows do not have", done.stderr)
        done = self.engines("--no-limit")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"rails .* 3 +0.003\n")

    def test_schemes_that_frames_separate_must_be_ordered_alike(self):
        for scheme, frames_s, flow_s in (
            ("ecmp", 1.10e-3, 1.075e-3),
            ("rails", 1.00e-3, 1.00e-3),
            ("even-split", 1.05e-3, 1.08e-3),
            ("rail-source", 1.18e-3, 1.15e-3),
        ):
            self.add_twins(frames_s, flow_s, scheme=scheme)
        comparison = self.compare()
        # ecmp and even-split are nearer to each other than 6 %.
        self.assertEqual((comparison.separated, comparison.disorders), (4, []))
        self.add_twins(1.0e-3, 1.02e-3, scheme="rails", seed=2)
        self.add_twins(1.07e-3, 1.01e-3, scheme="ecmp", seed=2)
        self.assertEqual(self.compare().separated, 2)  # of two pairs with the same seeds
        shutil.rmtree(self.frames)
        shutil.rmtree(self.flow)
        self.setUp()
        self.add_twins(1.0e-3, 1.02e-3)
        self.add_twins(1.07e-3, 1.01e-3, scheme="ecmp")
        [disorder] = self.compare().disorders
        self.assertEqual((disorder.first.scheme, disorder.second.scheme), ("rails", "ecmp"))
        self.assertIn("ecmp: takes +7.00 % longer than rails by frames", self.engines().stderr)

    def test_configurations_and_seeds_are_not_mixed(self):
        for size, flow_s in (("1MB", 1.01e-3), ("2MB", 1.02e-3)):
            for seed in (1, 2):
                config = {"workload.bytes": size}
                self.add_twins(1e-3, flow_s + 1e-5 * seed, seed=seed, config=config)
        self.add("frames", 1e-3, seed=3, config={"workload.bytes": "1MB"})
        self.add("flow", 1e-3, seed=1, config={"workload.bytes": "3MB"})
        comparison = self.compare()
        errors = [[round(error, 4) for error in cell.errors] for cell in comparison.cells]
        self.assertEqual(errors, [[0.02, 0.03], [0.03, 0.04]])
        alone = {"frames": ["rails, bytes 1 MB, seed 3"], "flow": ["rails, bytes 3 MB, seed 1"]}
        self.assertEqual(comparison.alone, alone)
        self.assertIn("only by frames: rails, bytes 1 MB, seed 3\n", self.engines().stdout)

    def test_cells_name_the_workload_where_there_are_several(self):
        self.add_twins(1e-3, 1e-3, config={"workload.type": "permutation"})
        matrix = {"workload.type": "all-to-all", "workload.matrix.type": "uniform"}
        self.add_twins(1e-3, 1e-3, config=matrix)
        labels = [cell.label for cell in self.compare().cells]
        self.assertEqual(labels, ["rails, all-to-all, matrix uniform", "rails, permutation"])

    def test_a_key_that_came_with_a_newer_program_does_not_keep_runs_apart(self):
        for kind, new in (("permutation", {}), ("all-to-all", {"workload.groups.size": 0})):
            self.add("frames", 1e-3, config={"workload.type": kind})
            self.add("flow", 1e-3, config={"workload.type": kind, **new})
        comparison = self.compare()
        self.assertEqual(len(comparison.cells), 2)
        self.assertEqual(comparison.keys["workload.groups.size"], (["(unknown)"], ["0"]))

    def test_what_only_points_without_a_twin_have_tells_them_apart(self):
        self.add_twins(1e-3, 1e-3, config={"workload.matrix.type": "uniform"})
        for density in (0.1, 0.4):
            matrix = {"workload.matrix.type": "sparse", "workload.matrix.density": density}
            self.add("flow", 1e-3, config=matrix)
        comparison = self.compare()
        self.assertEqual(len(comparison.cells), 1)
        self.assertEqual(len(comparison.alone["flow"]), 2)
        self.assertNotIn("workload.matrix.density", comparison.keys)

    def test_one_folder_can_hold_both_engines(self):
        self.add_twins(1e-3, 1.01e-3)
        done = call("engines", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 cells, 1 runs by both engines", done.stdout)

    def test_without_both_engines_nothing_can_be_compared(self):
        self.add("frames", 1e-3)
        with self.assertRaisesRegex(ResultError, "no whole result of the engine flow"):
            self.compare()
        self.add("flow", 1e-3, config={"workload.bytes": "2MB"}, seed=2)
        self.assertEqual(self.engines().returncode, 2)
        self.add("flow", 1e-3, seed=1)
        self.add("flow", 1e-3, seed=1)
        with self.assertRaisesRegex(ResultError, "is the same run by the same engine"):
            self.compare()

    def test_messages_are_matched_by_what_they_are_and_not_by_their_place(self):
        one, two = (0, 10, 0, 10, 1, 400, 0.0), (0, 10, 0, 10, 2, 400, 0.0)
        late = (1, 10, 0, 10, 1, 400, 1.0)
        other = (0, 11, 0, 11, 1, 400, 0.0)
        self.write(self.add("frames", 2.0), [(*one, 1.0), (*two, 2.0), (*one, 3.0), (*late, 2.0)])
        # Of two that are alike the first is the first; what one engine alone sent has no error.
        flow = self.add("flow", 2.0)
        self.write(flow, [(*late, 1.5), (*one, 1.1), (*other, 9.0), (*one, 3.3), (*two, 2.0)])
        [twins] = self.compare().twins
        found = np.sort(twins.message_errors)
        np.testing.assert_allclose(found, [-0.5, 0, 0.1, 0.1], atol=1e-12)

    def test_messages_that_did_not_end_have_no_error(self):
        rows = [(0, 10, 0, 10, 1, 400, 0.0, 1.0), (0, 11, 0, 11, 1, 400, 0.0, "")]
        self.write(self.add("frames", 2.0), rows)
        self.write(self.add("flow", 2.0), rows)
        [twins] = self.compare().twins
        self.assertEqual(list(twins.message_errors), [0])

    def test_runs_without_their_messages_are_compared_all_the_same(self):
        self.add_twins(1e-3, 1.01e-3)
        for file in self.flow.glob("*/messages.csv"):
            file.unlink()
        [cell] = self.compare().cells
        self.assertIsNone(cell.message_errors)
        self.assertEqual(self.engines().returncode, 0)

    def test_payload_of_nics_and_bytes_of_ports_are_looked_at(self):
        self.add_twins(1e-3, 1e-3)
        self.assertIn("payload of every NIC: equal in 1 of 1 runs", self.engines().stdout)
        [path] = self.flow.glob("*/result.json")
        result = json.loads(path.read_text())
        result["nic_tx_bytes"] = [[1, 3]]
        path.write_text(json.dumps(result))
        self.assertIn("payload of every NIC: equal in 0 of 1 runs", self.engines().stdout)
        [twins] = self.compare().twins
        self.assertEqual(twins.port_error, 0)
        [links] = self.flow.glob("*/links.csv")
        with open(links, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        column = rows[0].index("bytes")
        busiest = max(int(row[column]) for row in rows[1:])
        rows[1][column] = str(int(rows[1][column]) + busiest // 100)
        with open(links, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        [twins] = self.compare().twins
        self.assertAlmostEqual(twins.port_error, 0.01, places=5)

    def test_a_change_is_measured_from_the_usual_configuration_seed_by_seed(self):
        usual = {"topology.cables": "[]", "failures.schedule": "[]"}
        for seed, base in ((1, 1e-3), (2, 2e-3)):
            self.add_twins(base, 0.9 * base, seed=seed, config=usual)
            cut = {**usual, "topology.cables": "[half]"}
            self.add_twins(1.5 * base, 0.9 * 1.52 * base, seed=seed, config=cut)
            dead = {**usual, "failures.schedule": "[dead]"}
            self.add_twins(1.2 * base, 0.9 * 1.16 * base, seed=seed, config=dead)
        found = {
            change.label: (round(change.by_frames, 4), round(change.difference, 4))
            for change in compare_changes(self.compare())
        }
        expected = {"rails, cables [half]": (0.5, 0.02), "rails, schedule [dead]": (0.2, -0.04)}
        self.assertEqual(found, expected)
        done = self.engines("--changes")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("rails, schedule [dead]: flows differ by -4.00 %", done.stderr)
        self.assertEqual(self.engines("--changes", "--limit", "4.5").returncode, 0)

    def test_table_and_figure_are_written(self):
        self.add_twins(1e-3, 1.01e-3)
        self.add_twins(2e-3, 2.02e-3, scheme="ecmp")
        table, figure = self.folder / "table.csv", self.folder / "errors"
        done = self.engines("--csv", table, "--figure", figure)
        self.assertEqual(done.returncode, 0)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["cell"] for row in rows], ["ecmp", "rails"])
        self.assertEqual([row["mean_error"] for row in rows], ["0.01", "0.01"])
        for kind in ("png", "svg"):
            self.assertTrue(figure.with_suffix(f".{kind}").exists())

    @staticmethod
    def write(folder, rows):
        with open(folder / "messages.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([HEAD, *rows])


if __name__ == "__main__":
    unittest.main()
