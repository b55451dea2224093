# SPDX-License-Identifier: GPL-2.0-only
"""rails.run(), what a result says, and what is told of what cannot be run."""

import contextlib
import json
import os
import pickle
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import paths
import rails
from experiments import SMALL, SWEPT, InFolder


class Run(InFolder):
    def test_a_mapping_a_text_and_a_file_are_the_same_experiment(self):
        text = "# the same\n" + json.dumps(SMALL, indent=1)
        Path("small.yaml").write_text(text, encoding="utf-8")
        found = [rails.run(given) for given in (SMALL, text, "small.yaml", Path("small.yaml"))]
        self.assertEqual(len({result.fingerprint for result in found}), 1)
        self.assertEqual({result.name for result in found}, {"small"})

    def test_a_text_has_any_form_of_yaml_and_needs_no_name(self):
        nameless = {key: value for key, value in SMALL.items() if key != "name"}
        inside = {**nameless, "record": {"explain": True}, "experts": {"model": {"name": 1}}}
        in_blocks = "\n".join(f"    {key}: {json.dumps(value)}" for key, value in nameless.items())
        for text in (json.dumps(nameless), "# a { in a remark\n" + json.dumps(nameless, indent=1), in_blocks):
            self.assertEqual(rails.run(text).name, "experiment", text)
        for text in (json.dumps(SMALL), json.dumps({**nameless, "name": "small"}), in_blocks + "\n    name: small"):
            self.assertEqual(rails.run(text).name, "small", text)
        self.assertEqual(rails.descriptor._named(json.dumps(inside))[:20], '{name: experiment, "')
        error = self.error(rails.run, "balance: rails")
        self.assertIn("required key 'topology.type' is missing", str(error))
        Path("a: b.yaml").write_text(json.dumps(SMALL), encoding="utf-8")
        self.assertEqual(rails.run("a: b.yaml").name, "small")

    def test_what_it_says_is_what_result_json_says(self):
        result = rails.run(SMALL, out="here")
        written = json.loads(Path("here/result.json").read_text(encoding="utf-8"))
        self.assertEqual(result.folder, Path("here"))
        self.assertEqual(result["cct_s"], written["cct_s"])
        self.assertEqual(result["lower_bound_parts.binding"], written["lower_bound_parts"]["binding"])
        self.assertEqual(result.config, written["config"])
        self.assertEqual((result.scheme, result.seed, result.status), ("rails", 1, 0))
        self.assertGreater(result.cct_s, result.lower_bound_s)
        self.assertRegex(repr(result), r"<rails.Result 'small', rails, seed 1, [\d.]+ us, 1\.\d+ x bound>")

    def test_values_are_set_as_python_has_them(self):
        changed = {"transport.mtu": "1024B", "switch.pfc": False, "seed": 7, "workload.matrix": {"type": "uniform",
                   "bytes_per_pair": "64KB"}, "workload.phases": ["dispatch", "combine"]}
        config = rails.run(SMALL, changed).config
        self.assertEqual((config["transport"]["mtu"], config["switch"]["pfc"], config["seed"]), ("1024B", False, 7))
        self.assertEqual(config["workload"]["phases"], ["dispatch", "combine"])

    def test_files_that_a_mapping_names_are_those_of_the_working_directory(self):
        rows = [["0" if a == b else "65536" for b in range(16)] for a in range(16)]
        Path("matrix.csv").write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
        result = rails.run({**SMALL, "workload": {"type": "all-to-all", "matrix": {"type": "file", "path": "matrix.csv"}}})
        self.assertEqual(result["bytes"], 16 * 15 * 65536)

    def test_without_a_folder_the_result_goes_with_its_object(self):
        result = rails.run(SMALL)
        folder, kept = result.folder, result.save("kept")
        self.assertTrue((folder / "result.json").exists())
        del result
        self.assertFalse(folder.exists())
        self.assertEqual(kept.fingerprint, rails.load("kept").fingerprint)
        with self.assertRaisesRegex(rails.Error, "kept: error: the folder is not empty"):
            kept.save("kept")

    def test_a_result_that_is_there_is_replaced_when_asked_for(self):
        rails.run(SMALL, out="here")
        with self.assertRaises(rails.Error) as caught:
            rails.run(SMALL, {"seed": 2}, "here")
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("force=True replaces it", caught.exception.remedy)
        self.assertEqual(rails.run(SMALL, {"seed": 2}, "here", force=True).seed, 2)

    def test_threads_get_what_they_would_get_alone(self):
        seeds = range(1, 9)
        alone = [rails.run(SMALL, {"seed": seed}).fingerprint for seed in seeds]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda seed: rails.run(SMALL, {"seed": seed}).fingerprint, seeds))
        self.assertEqual(together, alone)
        self.assertEqual(len(set(alone)), len(alone))

    def test_it_needs_nothing_but_python(self):
        code = "import json, sys, rails; result = rails.run(json.loads(sys.argv[1]), out='here'); print(result['cct_s']); " \
            "print(len(rails.sweep(json.loads(sys.argv[2]), out='there')), rails.load('there').status); print(result.messages)"
        command = [os.sys.executable, "-S", "-c", code, json.dumps(SMALL), json.dumps(SWEPT)]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(paths.PYTHON)}, capture_output=True, text=True,
                              check=False)
        time, counts = done.stdout.splitlines()
        self.assertGreater(float(time), 0)
        self.assertEqual(counts, "6 0")
        self.assertRegex(done.stderr.splitlines()[-1], "the table messages: error: needs pandas, .*; pip install pandas")


class Errors(InFolder):
    def test_they_have_place_remedy_and_status(self):
        error = self.error(rails.run, SMALL, {"topology.nic_rat": "400Gbps"})
        self.assertEqual((error.place, error.status), ("--set topology.nic_rat", 2))
        self.assertTrue(error.remedy.startswith("did you mean 'nic_rate'?"), error.remedy)
        self.assertTrue(str(error).startswith("--set topology.nic_rat: error: unknown key 'nic_rat' of rail; did you"))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_the_place_in_a_mapping_is_its_key_in_a_text_its_line(self):
        bad = {**SMALL, "transport": {"congestion_control": "none", "mtu": "4096"}}
        self.assertEqual(self.error(rails.validate, bad).place, "transport.mtu")
        self.assertEqual(self.error(rails.run, {**SMALL, "swich": {}}).place, "swich")
        self.assertEqual(self.error(rails.run, {"topology": SMALL["topology"]}).place, "descriptor")
        place = self.error(rails.run, json.dumps(bad, indent=1)).place
        line = json.dumps(bad, indent=1).splitlines().index('  "mtu": "4096"') + 1
        self.assertEqual(place, f"descriptor:{line}:10")

    def test_a_file_that_is_absent_and_a_value_that_is_none(self):
        self.assertEqual(str(self.error(rails.run, "absent.yaml")), "absent.yaml: error: no such file")
        self.assertIn("is no value of a descriptor", str(self.error(rails.run, {**SMALL, "seed": object()})))

    def test_what_is_no_descriptor_and_no_mapping(self):
        for given in (None, 12):
            self.assertIn("expected a file, its text or a mapping", str(self.error(rails.run, given)))
        self.assertIn("'balance': 'rails'}, not 'results/here'; a folder for", str(self.error(rails.run, SMALL, "results/here")))

    def test_options_are_called_as_the_functions_call_them(self):
        error = self.error(rails.run, SMALL, {"balance": "stripe"})
        self.assertTrue(error.remedy.endswith("one of your own needs with_=[DIR]"), error.remedy)
        self.assertIn("one of your own needs --with DIR", error.output)
        Path("here").mkdir()
        Path("here/mine").write_text("", encoding="utf-8")
        self.assertTrue(str(self.error(rails.run, SMALL, out="here")).endswith("choose another one by out=FOLDER"))
        error = self.error(rails.sweep, SWEPT, jobs=0)
        self.assertEqual(str(error), "sweep: error: -j: Value 0 not in range 1 to 4096")

    def test_a_sweep_is_no_single_experiment(self):
        error = self.error(rails.run, SWEPT)
        self.assertEqual(error.place, "descriptor")
        self.assertIn("has a sweep of 6 points; take rails.sweep()", str(error))

    def test_a_run_that_does_not_finish_has_its_result_in_the_error(self):
        stuck = {
            **SMALL,
            "transport": {"congestion_control": "none", "loss_recovery": {"type": "go-back-n", "timeout": "100us"}},
            "watchdog": {"no_progress_after": "1ms"},
            "failures": {"schedule": [{"at": "1us", "link": [f"server0-nic{nic}"], "state": "down"} for nic in range(4)]},
        }
        error = self.error(rails.run, stuck)
        self.assertEqual((error.status, error.result.status), (3, 3))
        self.assertIsNone(error.result.cct_s)
        self.assertEqual(error.remedy, "")
        self.assertGreater(error.result.lower_bound_s, 0)
        self.assertIn("did not finish (status 3)", str(error))
        self.assertEqual(error.remedy, "")

    def test_the_key_of_a_result_and_the_column_of_a_table_that_are_absent(self):
        result = rails.run(SMALL)
        self.assertIn("did you mean 'cct_s'?", self.error(lambda: result["cct"]).remedy)
        self.assertIn("has no graph", str(self.error(lambda: result.kinds)))
        self.assertIn("did you mean 'messages'?", self.error(result.table, "message").remedy)

    def test_without_a_clone_or_a_program_it_says_where_it_looked(self):
        with mock.patch.dict(os.environ, {"RAILS_EXPERIMENT": "/nowhere/program"}):
            error = self.error(rails.run, SMALL)
        self.assertEqual((error.place, error.status), (Path("/nowhere/program"), 1))
        with mock.patch.dict(os.environ), mock.patch.object(rails.launcher, "_HERE", self.folder / "a" / "b"):
            os.environ.pop("RAILS_EXPERIMENT", None)
            os.environ.pop("RAILS_LAUNCHER", None)
            error = self.error(rails.run, SMALL)
        self.assertIn(f"is in none of {self.folder}", str(error))
        self.assertIn("set RAILS_LAUNCHER", error.remedy)


class Answers(InFolder):
    def test_validate_has_all_defaults(self):
        config = rails.validate(SWEPT, {"seed": 3})
        self.assertEqual((config["name"], config["seed"], config["transport"]["mtu"]), ("small", 3, "4096B"))

    def test_describe_is_the_page_of_the_command(self):
        page = rails.describe("jsq")
        self.assertIn("Each frame takes the port with the shortest queue", page)
        self.assertEqual(repr(page), str(page).rstrip("\n"))
        self.assertIn("spines", rails.describe("rail"))
        self.assertGreater(len(rails.describe().splitlines()), 100)

    def test_cost_of_names_and_of_mappings(self):
        named = rails.cost("fat-tree", "mixnet", servers=16, rate="400Gbps")
        self.assertEqual([fabric["fabric"] for fabric in named.data["fabrics"]], ["fat-tree", "mixnet"])
        self.assertEqual(named.data["fabrics"][0]["gpus"], 128)
        self.assertIn("fat-tree over it", repr(named))
        own = rails.cost({**SMALL, "name": "mine"})
        self.assertEqual((own.rule, own.data["fabrics"][0]["gpus"]), ("wiring", 16))
        with self.assertRaisesRegex(rails.Error, "did you mean"):
            rails.cost("fat-tre")

    @unittest.skipIf(paths.lacking("pandas"), paths.lacking("pandas"))
    def test_the_table_of_costs(self):
        table = rails.cost("fat-tree", servers=16, rate="400Gbps").table
        self.assertAlmostEqual(table["cost_usd"][0] / table["gpus"][0], table["cost_per_gpu_usd"][0])
        self.assertIn("transceiver", table.columns)

    def test_experts_are_a_sweep_of_policies(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch("sys.stderr"))
            found = rails.experts(gpus=16, iterations=1, layers=1, microbatches=1, policy=["eplb", "plain-ep"])
        self.assertEqual([result.scheme for result in found], ["eplb", "plain-ep"])
        self.assertLess(found[0]["max_over_mean"], found[1]["max_over_mean"])


if __name__ == "__main__":
    unittest.main()
