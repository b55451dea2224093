# SPDX-License-Identifier: GPL-2.0-only
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
import synthetic
from synthetic_failures import write_failure, write_sweep_record
from rails.errors import ResultError
from rails.reader.kinds import SIMULATION
from rails.reader.result_folder import load_folder
from rails.plots.results import Results, load


class Loading(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_a_single_run_is_one_point(self):
        synthetic.write_point(self.folder / "run", "rails", seed=4)
        results = load(self.folder / "run")
        self.assertEqual(len(results.points), 1)
        self.assertEqual((results.schemes, results.seeds), (["rails"], [4]))
        self.assertEqual((results.axes, results.failures, results.absent), ([], [], []))

    def test_a_whole_sweep_has_all_points_in_the_usual_order(self):
        synthetic.write_sweep(self.folder / "sweep")
        results = load(self.folder / "sweep")
        self.assertEqual(len(results.points), 24)
        self.assertEqual(results.schemes, list(synthetic.SCHEMES))
        self.assertEqual([point.seed for point in results.of("rails")], [1, 2, 3])
        self.assertEqual(results.failures, [])

    def test_points_may_lie_at_any_depth(self):
        for seed in (1, 2):
            synthetic.write_point(self.folder / f"a/b/seed={seed}", "rails", seed)
        self.assertEqual(load(self.folder).seeds, [1, 2])

    def test_an_absent_point_is_named_by_scheme_and_seed(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"))
        shutil.rmtree(self.folder / "balance=ecmp,seed=2")
        results = load(self.folder)
        self.assertEqual(results.failures, ["ecmp, seed 2: no result"])
        self.assertEqual((results.absent_of("ecmp"), results.absent_of("rails")), (1, 0))

    def test_a_point_without_result_is_named_by_its_folder(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"))
        (self.folder / "balance=ecmp,seed=2" / "result.json").unlink()
        results = load(self.folder)
        self.assertEqual(results.failures, ["balance=ecmp,seed=2: result.json is missing"])
        self.assertEqual(results.absent_of("ecmp"), 1)

    def test_a_point_with_status_does_not_count(self):
        synthetic.write_sweep(self.folder, ("rails",), (1, 2))
        synthetic.write_point(self.folder / "stuck", "rails", 3, status=3)
        results = load(self.folder)
        self.assertEqual(results.seeds, [1, 2])
        self.assertEqual(results.failures, ["rails, seed 3: did not finish (status 3)"])
        self.assertEqual(results.absent_of("rails"), 1)

    def test_a_failure_beside_a_result_is_of_the_last_run_and_the_number_is_not_used(self):
        synthetic.write_sweep(self.folder, ("rails",), (1, 2))
        write_failure(self.folder / "again", "rails", 2)
        point = self.folder / "balance=rails,seed=2"
        shutil.move(self.folder / "again" / "failure.json", point / "failure.json")
        (self.folder / "again").rmdir()
        results = load(self.folder)
        self.assertEqual((results.seeds, results.failures),
                         ([1], ["rails, seed 2: time limit of 10 s"]))
        (failed,) = results.failed
        self.assertEqual((failed.cct_s, failed.outcome), (None, "failed: time limit of 10 s"))

    def test_a_run_that_did_not_finish_has_no_metrics_whatever_its_file_says(self):
        for status in (3, 4):
            numbers = dict.fromkeys(SIMULATION.metrics, 0.1)
            synthetic.write_point(self.folder / str(status), status=status, drops=7, **numbers)
        for point in Results(load_folder(self.folder)).failed:
            self.assertEqual({point.result[key] for key in SIMULATION.metrics}, {None})
            self.assertEqual((point.cct_s, point.ratio, point.result["drops"]), (None, None, 7))
            self.assertEqual(point.outcome, f"did not finish (status {point.status})")

    def test_a_run_that_did_not_finish_may_have_no_metrics(self):
        synthetic.write_point(self.folder / "good", "rails")
        nulls = {"cct_s": None, "cct_over_bound": None, "busbw_Bps": None, "explain": None}
        place = self.folder / "bad"
        synthetic.write_point(place, "ecmp", status=3)
        result = json.loads((place / "result.json").read_text())
        (place / "result.json").write_text(json.dumps({**result, **nulls}))
        results = load(self.folder)
        self.assertEqual(results.failures, ["ecmp, seed 1: did not finish (status 3)"])
        self.assertEqual(results.folder.damaged, [])

    def test_a_scheme_that_always_fails_is_known(self):
        synthetic.write_sweep(self.folder / "good", ("rails",), (1, 2))
        synthetic.write_sweep(self.folder / "bad", ("ecmp",), (1, 2), status=4)
        results = load(self.folder)
        self.assertEqual((results.schemes, results.failed_schemes), (["rails"], ["ecmp"]))
        self.assertEqual(results.failures, [
            f"ecmp, seed {seed}: did not finish (status 4)" for seed in (1, 2)
        ])

    def test_a_point_that_ended_without_a_result_is_named_with_the_reason(self):
        synthetic.write_sweep(self.folder, ("rails",), (1, 2))
        write_failure(self.folder / "slow", "rails", 3)
        write_failure(self.folder / "again", "ecmp", 1, reason="memory limit of 1 GiB")
        results = load(self.folder)
        self.assertEqual(results.failures, ["ecmp, seed 1: memory limit of 1 GiB",
                                            "rails, seed 3: time limit of 10 s",
                                            "ecmp, seed 2: no result", "ecmp, seed 3: no result"])
        self.assertEqual((results.schemes, results.failed_schemes), (["rails"], ["ecmp"]))
        self.assertEqual([point.reason for point in results.failed],
                         ["memory limit of 1 GiB", "time limit of 10 s"])

    def test_a_sweep_that_says_what_failed_need_not_be_a_grid(self):
        synthetic.write_point(self.folder / "a", "ecmp", 1, config={"workload.bytes": "1MB"})
        synthetic.write_point(self.folder / "b", "rails", 2, config={"workload.bytes": "2MB"})
        self.assertEqual(len(load(self.folder).absent), 6)
        write_sweep_record(self.folder)
        self.assertEqual(load(self.folder).failures, [])
        write_failure(self.folder / "c", "rails", 3, {"workload": {"bytes": "2MB"}})
        results = load(self.folder)
        self.assertEqual(results.failures, ["rails, seed 3, bytes 2 MB: time limit of 10 s"])
        self.assertEqual((results.absent_of("rails"), results.absent_of("ecmp")), (1, 0))

    def test_a_damaged_result_is_named_with_the_reason(self):
        synthetic.write_sweep(self.folder, ("rails",), (1,))
        (self.folder / "cut").mkdir()
        (self.folder / "cut" / "result.json").write_text('{"seed": 1,')
        (self.folder / "old").mkdir()
        (self.folder / "old" / "result.json").write_text(
            '{"config": {"balance": {}}, "seed": 1, "status": 3}'
        )
        (self.folder / "list").mkdir()
        (self.folder / "list" / "failure.json").write_text('{"config": []}')
        failures = [str(entry) for entry in load(self.folder).unreadable]
        self.assertIn("cut: result.json is not JSON", failures[0])
        self.assertEqual(failures[1], "list: failure.json lacks seed")
        self.assertEqual(failures[2], "old: result.json lacks config.balance.type, a name")

    def test_figures_and_hidden_folders_are_not_taken_for_a_point(self):
        synthetic.write_sweep(self.folder, ("rails",), (1,))
        (self.folder / "figures").mkdir()
        (self.folder / ".rails").mkdir()
        synthetic.write_point(self.folder / ".half", "ecmp", 1)
        self.assertEqual(load(self.folder).failures, [])

    def test_nothing_to_draw_is_an_error_that_says_why(self):
        with self.assertRaisesRegex(ResultError, "no such folder"):
            load(self.folder / "nowhere")
        with self.assertRaisesRegex(ResultError, "no whole result"):
            load(self.folder)
        synthetic.write_point(self.folder / "only", status=4)
        with self.assertRaisesRegex(ResultError, "no whole result.*status 4"):
            load(self.folder)

    def test_message_times_are_those_between_servers(self):
        synthetic.write_point(self.folder / "run")
        (self.folder / "run" / "messages.csv").write_text(
            "phase,pair_id,source,destination,rail,bytes,start_s,end_s\n"
            "0,0,0,9,3,100,0.5,2.0\n0,1,0,1,-1,100,0,1\n1,2,9,0,0,100,2.0,2.25\n"
        )
        self.assertEqual(list(load(self.folder / "run").points[0].message_times()), [1.5, 0.25])


class Axes(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.number = 0

    def add(self, scheme="rails", seed=1, **config):
        self.number += 1
        keys = {key.replace("__", "."): value for key, value in config.items()}
        synthetic.write_point(self.folder / str(self.number), scheme, seed, config=keys)

    def test_an_axis_is_a_key_that_differs_sorted_by_size(self):
        for density in (1.0, 0.05, 0.2):
            self.add(workload__matrix__density=density, switch__buffer="64MiB")
        (axis,) = load(self.folder).axes
        self.assertEqual((axis.key, axis.values), ("workload.matrix.density", [0.05, 0.2, 1.0]))
        self.assertTrue(axis.numeric)

    def test_a_swept_component_is_known_by_its_name_and_type(self):
        self.add(transport__congestion_control__type="none")
        self.add(
            transport__congestion_control__type="dcqcn",
            transport__congestion_control__gain=0.5,
        )
        (axis,) = load(self.folder).axes
        self.assertEqual((axis.name, axis.values), ("congestion_control", ["dcqcn", "none"]))

    def test_words_come_after_numbers(self):
        for chunk in ("whole", "16MB", "256KB", "4MB"):
            self.add(balance__chunk=chunk)
        (axis,) = load(self.folder).axes
        self.assertEqual(axis.ticks, ["256 KB", "4 MB", "16 MB", "whole"])
        self.assertFalse(axis.numeric)

    def test_a_default_of_one_scheme_is_no_axis(self):
        self.add("rails", balance__chunk="4MB")
        self.add("round-robin", balance__chunk="1MB")
        self.add("ecmp")
        self.assertEqual(load(self.folder).axes, [])

    def test_a_key_that_follows_from_another_is_no_axis(self):
        for rate, kmax in (("100Gbps", "400KB"), ("400Gbps", "1600KB")):
            for seed in (1, 2):
                self.add(seed=seed, topology__nic_rate=rate, switch__ecn__kmax=kmax)
        self.assertEqual(len(load(self.folder).axes), 1)

    def test_another_load_is_an_axis_though_the_key_of_a_scheme_goes_with_it(self):
        self.add("rails", balance__chunk="4MB", workload__matrix__density=0.1)
        self.add("ecmp", balance__chunk="whole", workload__matrix__density=0.1)
        self.add("rails", balance__chunk="1MB", workload__matrix__density=0.9)
        self.assertEqual([axis.key for axis in load(self.folder).axes], ["workload.matrix.density"])

    def test_a_scheme_that_lacks_the_key_misses_nothing(self):
        for chunk in ("1MB", "4MB"):
            self.add("rails", balance__chunk=chunk)
        self.add("even-split")
        self.assertEqual(load(self.folder).absent, [])

    def test_an_absent_point_of_a_grid_is_named_with_its_values(self):
        for density in (0.1, 0.2):
            for scheme in ("ecmp", "rails"):
                if (density, scheme) != (0.2, "ecmp"):
                    self.add(scheme, workload__matrix__density=density)
        self.assertEqual(load(self.folder).failures, ["ecmp, seed 1, density 0.2: no result"])


class Schemes(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, name, balance, **changes):
        config = {f"balance.{key}": value for key, value in balance.items()}
        synthetic.write_point(self.folder / name, "ecmp", 1, config=config, **changes)

    def test_strategies_at_hosts_and_switches_tell_schemes_apart(self):
        for host in ("flow", "spray"):
            for switch in ("ecmp", "jsq"):
                self.add(f"{host}-{switch}", {"host.type": host, "switch.type": switch})
        results = load(self.folder)
        self.assertEqual(results.schemes, ["ecmp", "ecmp + host spray",
                                           "ecmp + host spray + switch jsq", "ecmp + switch jsq"])
        self.assertEqual((results.axes, results.absent), ([], []))

    def test_so_do_the_keys_of_strategies_of_one_type(self):
        for own in (True, False):
            keys = {"switch.type": "round-robin", "switch.reshuffle": 0, "switch.own": own}
            self.add(f"{own}", keys)
        self.add("other", {"switch.type": "jsq"})
        results = load(self.folder)
        self.assertEqual(results.schemes, ["ecmp + switch jsq",
                                           "ecmp + switch round-robin (own false)",
                                           "ecmp + switch round-robin (own true)"])
        self.assertEqual(results.axes, [])

    def test_a_key_that_is_swept_on_its_own_is_an_axis(self):
        for count in (1, 8):
            keys = {"host.type": "subflow", "host.count": count}
            self.add(str(count), keys, axes={"balance.host.count": str(count)})
        results = load(self.folder)
        self.assertEqual(results.schemes, ["ecmp + host subflow"])
        self.assertEqual([axis.key for axis in results.axes], ["balance.host.count"])


if __name__ == "__main__":
    unittest.main()
