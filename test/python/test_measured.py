# SPDX-License-Identifier: GPL-2.0-only
"""Trainings and exchanges that others have measured: the tables, the rule, the null model, what it comes to."""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import paths
from rails.errors import Error, cut
from rails.measured import communication, rule
from rails.measured.comparison import Prediction, comparable, null_step, summary_of
from rails.measured.machines import topology_of
from rails.measured.models import MODELS, as_keys, operations_per_token
from rails.measured.runs import fit, step_of
from rails.measured.table import anchors_of, read_table

FOLDER = paths.ROOT / "experiments" / "measured"
GIVEN = paths.ROOT.parent / "shared" / "measured"
PROGRAM = os.environ.get("RAILS_EXPERIMENT")
HEAD = "row,model,gpu,gpus,precision,global,step_s,use"
PLAIN = "one,mixtral-8x7b,h100,16,bf16,128,5.8,anchor"


def table(*lines):
    """The rows of a table of so many lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        return read_table(file.name)


def row(text="", head=HEAD, first=PLAIN):
    """The only row of a table, with more cells behind it: "tp=2,pp=8"."""
    more = dict(pair.split("=") for pair in text.split(",") if pair)
    cells = dict(zip(head.split(","), first.split(","))) | more
    return table(",".join(cells), ",".join(cells.values()))[0][0]


def described(found):
    return rule.descriptor_of(found, 0.4)


class Tables(unittest.TestCase):
    """What a table has to be, its own and a user's."""

    def test_the_table_is_whole(self):
        rows, left = read_table(FOLDER / "measured.csv")
        self.assertGreaterEqual(sum(found.use == "predict" for found in rows), 60)
        self.assertGreaterEqual(len({found.study for found in rows}), 8)
        self.assertTrue(all(found.reason for found in left))
        self.assertEqual(set(anchors_of(rows)), {found.group for found in rows})

    def test_every_cited_row_is_listed(self):
        if not GIVEN.is_dir():
            self.skipTest(f"there is no {GIVEN}, whose rows these are")
        listed = collect(FOLDER / "measured.csv", "stated")
        for name in ("megatron-bridge", "bridge-cards", "training-other"):
            cited = cited_values(GIVEN / f"measured-{name}.csv")
            for text in cited:
                self.assertIn(text, listed, name)
        with open(GIVEN / "measured-communication.csv", encoding="utf-8") as file:
            given = [(cells["system"], cells["gpus"], cells["unit"]) for cells in csv.DictReader(file)]
        exchanges, left = communication.read_exchanges(FOLDER / "communication.csv")
        self.assertEqual(len(exchanges) + len(left), len(given))

    def test_releases_of_one_layout_count_once(self):
        rows, _ = read_table(FOLDER / "measured.csv")
        seen = {}
        for found in rows:
            if found.study == "bridge" and found.use == "predict":
                layout = (found.model, found.gpu, found.gpus, found.precision, found.batch, found.micro)
                layout += (found.shape, found.layout)
                self.assertNotIn(layout, seen, f"{found.name} and {seen.get(layout)}")
                seen[layout] = found.name

    def test_a_step_follows_from_what_is_measured(self):
        tokens = row("step_s=,tokens_s_gpu=4096", HEAD, PLAIN)
        self.assertAlmostEqual(tokens.step_s, 128 * 4096 / 16 / 4096)
        flops = row("step_s=,tflops_gpu=250", HEAD, PLAIN)
        operations = 128 * 4096 * operations_per_token("mixtral-8x7b", 4096)
        self.assertAlmostEqual(flops.step_s, operations / 16 / 250e12)

    def test_mistakes_are_told_with_their_line(self):
        for lines, told in (
            ((HEAD, PLAIN.replace("h100", "h10")), ":2: error: unknown gpu h10; did you mean 'h100'?"),
            ((HEAD, PLAIN, PLAIN), ":3: error: row one is in line 2 too; give it another name"),
            ((HEAD + ",tp", PLAIN + ",3"), ":2: error: tp x cp x pp is 3, which does not divide 16 GPUs"),
            ((HEAD + ",pp", PLAIN + ",0"), ":2: error: pp is 0; expected a whole number from 1 on"),
            ((HEAD, PLAIN.replace("128", "100")), ":2: error: 100 sequences are no multiple of micro x replicas"),
            ((HEAD + ",flushes", PLAIN + ",3"), ":2: error: 128 sequences are no multiple of micro x replicas x flushes"),
            ((HEAD, PLAIN.replace("5.8", "fast")), ":2: error: step_s is fast; expected a number above 0"),
            ((HEAD, PLAIN.replace("5.8", "")), ":2: error: nothing is measured; give one of step_s"),
            ((HEAD + ",iteration", PLAIN + ",95"), ":2: error: iteration 95 decides about natural loads, and these are"),
            ((HEAD + ",iteration", PLAIN + ",-1"), ":2: error: iteration is -1; expected a whole number from 0 on"),
            ((HEAD, PLAIN.replace("128", "\u00b2")), ":2: error: global is \u00b2; expected a whole number from 1 on"),
            ((HEAD + ",flushes", PLAIN + "," + "9" * 5000), "; expected a whole number from 1 on, of up to nine digits"),
            ((HEAD, PLAIN.replace("h100", "9" * 5000)), f":2: error: unknown gpu {'9' * 57}...;"),
            ((HEAD, PLAIN.replace("h100", "x" * 5000)), f":2: error: unknown gpu {'x' * 57}...;"),
            ((HEAD + ",source", PLAIN + "," + "x" * 200000), ":2: error: this is no CSV: field larger than"),
            ((HEAD, PLAIN.replace("one", "../one")), ":2: error: row '../one' becomes a folder"),
            ((HEAD,), ": error: there is no row; write one for each training"),
            ((HEAD + ",layout", PLAIN + ",even"), ":2: error: unknown layout even"),
            (
                (HEAD + ",pp,layout", PLAIN + ",4,loss and embedding as layers"),
                ":2: error: 34 layers, loss and embedding as layers, are no multiple of pp x vpp, 4",
            ),
            ((HEAD.replace("gpus", "gpu_count"), PLAIN), ":1: error: unknown column gpu_count"),
            ((HEAD.replace(",gpus", ""), PLAIN.replace(",16", "")), ":1: error: column gpus is missing"),
            ((HEAD, PLAIN + ",more"), ":2: error: expected 8 cells"),
            ((HEAD, PLAIN.replace("anchor", "no")), ":2: error: use is no, and reason is empty"),
        ):
            with self.assertRaises(Error) as raised:
                table(*lines)
            self.assertIn(told, str(raised.exception))
            self.assertLess(len(str(raised.exception)), 400, "long texts are cut")

    def test_a_table_of_a_spreadsheet_is_read(self):
        plain, _ = table(HEAD, PLAIN)
        marked, _ = table("\ufeff" + HEAD.replace(",", ", "), PLAIN.replace(",", ", "))
        self.assertEqual(vars(marked[0]) | {"place": ""}, vars(plain[0]) | {"place": ""})

    def test_a_group_needs_one_anchor(self):
        rows, _ = table(HEAD, PLAIN.replace("anchor", "predict"))
        with self.assertRaises(Error) as raised:
            anchors_of(rows)
        self.assertIn("set use to anchor in the plainest of these rows", str(raised.exception))
        rows, _ = table(HEAD, PLAIN, PLAIN.replace("one", "two"))
        with self.assertRaises(Error) as raised:
            anchors_of(rows)
        self.assertIn("one is the anchor of this study", str(raised.exception))


class Rule(unittest.TestCase):
    """What a row becomes."""

    def test_a_plain_row(self):
        descriptor = described(row())
        workload = descriptor["workload"]
        self.assertEqual(descriptor["topology"], {"type": "rail", "server": "dgx-h100", "domains": 2, "leaf_ports": 2})
        self.assertEqual(workload["model"], {"type": "mixtral-8x7b"})
        self.assertEqual(workload["batch"], {"micro": 1, "global": 128, "sequence": 4096})
        self.assertEqual((workload["schedule"], workload["exchange"], workload["recompute"]), ("1f1b", "pairs", "none"))
        self.assertEqual(workload["load"], {"type": "imbalance", "workload": "w0"})
        self.assertEqual(workload["compute"], {"type": "profile", "device": "h100", "efficiency": 0.4, "graphs": False})
        self.assertEqual(workload["data"], {"type": "distributed-optimizer", "overlap_parameters": True})

    def test_loads_are_even_only_where_they_were(self):
        for loads, even in (("forced", True), ("capacity", True), ("natural", False)):
            workload = described(row(f"loads={loads}"))["workload"]
            self.assertEqual("load" in workload, even)
            self.assertEqual("fast_forward" in workload, even)

    def test_natural_loads_are_those_of_the_iteration_that_was_measured(self):
        early = described(row("loads=natural,iteration=95"))["workload"]["load"]
        self.assertEqual(early, {"type": "synthetic", "first_iteration": 95})

    def test_copies_are_those_of_tokens_that_choose_at_random(self):
        self.assertEqual(rule.files_of(row()), {})
        found = row("dispatcher=deepep,ep=16,tp=2", HEAD, PLAIN.replace("mixtral-8x7b", "kimi-k2"))
        self.assertEqual(described(found)["workload"]["load"], {"type": "trace", "path": "even.csv"})
        rows = list(csv.reader(rule.files_of(found)["even.csv"].splitlines()))
        counts = [[int(cell) for cell in cells[4:]] for cells in rows[1:]]
        self.assertEqual([cells[3] for cells in rows[1:]], [str(rank) for rank in range(16)])
        self.assertEqual({sum(tokens) for tokens in counts}, {4096 // 2 * 8})
        for tokens in (*counts, [sum(column) for column in zip(*counts)]):
            self.assertLessEqual(max(tokens) - min(tokens), 1)
        for other in ("dispatcher=deepep,loads=natural", "dispatcher=deepep,study=automodel"):
            self.assertEqual(rule.files_of(row(other)), {})

    def test_each_column_has_its_key(self):
        found = row(
            "tp=2,pp=4,vpp=2,ep=2,dispatcher=hybridep,overlap=exchange delayed,recompute=moe_act layernorm,"
            "graphs=full,data=fsdp",
        )
        workload = described(found)["workload"]
        self.assertEqual(
            workload["schedule"], {"type": "interleaved", "overlap": "exchange", "delayed_weights": True}
        )
        self.assertEqual(workload["exchange"], {"type": "deduplicated", "piece": "1MB", "sms": 32})
        self.assertEqual(workload["recompute"], ["moe_act", "layernorm"])
        self.assertEqual(workload["data"], {"type": "fsdp"})
        self.assertTrue(workload["compute"]["graphs"])

    def test_embedding_and_loss_count_as_layers(self):
        text = "tp=1,pp=8,gpus=64,layout=loss and embedding as layers"
        found = row(text, HEAD, PLAIN.replace("mixtral-8x7b", "qwen3-235b"))
        self.assertEqual(described(found)["workload"]["parallel"]["layout"], [11, 12, 12, 12, 12, 12, 12, 11])

    def test_precisions(self):
        kinds = (("bf16", "bf16", 2), ("fp8-tensor", "fp8-block", 1), ("mxfp8", "mxfp8", 2))
        for precision, said, parameters in kinds:
            workload = described(row(f"precision={precision}"))["workload"]
            self.assertEqual(workload["precision"], said)
            self.assertEqual(workload["bytes"]["parameters"], parameters)
            self.assertEqual(workload["bytes"]["dispatch"], 2)  # Megatron's, whatever it computes in

    def test_racks_are_taken_by_groups_of_64(self):
        self.assertEqual(topology_of("gb200", 256)["domains"], 4)
        self.assertEqual(topology_of("gb200", 256)["gpus_per_domain"], 64)
        self.assertEqual(topology_of("gb200", 8)["gpus_per_domain"], 8)
        self.assertEqual(topology_of("b300", 256)["nic_rate"], "800Gbps")

    def test_nothing_of_a_row_but_its_columns_decides(self):
        rows, _ = read_table(FOLDER / "measured.csv")
        for found in rows:
            changed = {"name": "other", "place": "", "source": "", "assumed": "", "step_s": 1.0}
            other = type(found)(**{**vars(found), **changed})
            one, two = described(found), described(other)
            self.assertEqual({**one, "name": ""}, {**two, "name": ""})

    @unittest.skipUnless(PROGRAM, "RAILS_EXPERIMENT names no program")
    def test_the_program_takes_what_is_made(self):
        rows, _ = read_table(FOLDER / "measured.csv")
        exchanges, _ = communication.read_exchanges(FOLDER / "communication.csv")
        chosen = {(found.study, found.gpu, found.schedule): found for found in rows if found.gpus <= 256 or found.study == "deepseek"}
        made = [(described(found), rule.files_of(found)) for found in chosen.values()]
        chosen = {(found.study, found.gpu, found.operation): found for found in exchanges}
        made += [(communication.descriptor_of(found), {}) for found in chosen.values()]
        with tempfile.TemporaryDirectory() as folder:
            for descriptor, files in made:
                file = Path(folder) / "one.json"
                file.write_text(json.dumps(descriptor), encoding="utf-8")
                for name, text in files.items():
                    (Path(folder) / name).write_text(text, encoding="utf-8")
                ended = subprocess.run([PROGRAM, "validate", file], capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, 0, ended.stderr)


class Operations(unittest.TestCase):
    """What a model computes, and the null model."""

    def test_a_token_of_mixtral_by_hand(self):
        # A layer: queries and results 2 x 2 x 4096 x 4096, keys and values 2 x 2 x 4096 x 1024, attention over half of
        # the sequence 2 x 2 x 2048 x 4096, two experts 2 x 6 x 4096 x 14336, gate 2 x 4096 x 8; then the head.
        layer = 4 * 4096**2 + 4 * 4096 * 1024 + 4 * 2048 * 4096 + 12 * 4096 * 14336 + 16 * 4096
        self.assertEqual(operations_per_token("mixtral-8x7b", 4096), 3 * (32 * layer + 2 * 4096 * 32000))

    def test_rates_that_others_state(self):
        # Megatron-Bridge 26.08 and 25.09: tokens and operations a second of a GPU.
        for model, predictions, tokens, rate in (
            ("qwen3-235b", 0, 7280, 1077e12),
            ("qwen3-30b-a3b", 0, 39936, 923e12),
            ("deepseek-v3", 1, 4912, 1276e12),
            ("moonlight-16b-a3b", 0, 22528.026, 386.59e12),
        ):
            self.assertLess(abs(tokens * operations_per_token(model, 4096, predictions) / rate - 1), 0.02, model)

    def test_the_null_model_by_hand(self):
        anchor = row()
        longer = row("sequence=8192,global=64,gpus=32,use=predict")
        ratio = operations_per_token("mixtral-8x7b", 8192) / operations_per_token("mixtral-8x7b", 4096)
        self.assertAlmostEqual(null_step(longer, anchor), 5.8 * ratio / 2)
        self.assertAlmostEqual(null_step(anchor, anchor), 5.8)

    @unittest.skipUnless(PROGRAM, "RAILS_EXPERIMENT names no program")
    def test_models_are_those_of_the_program(self):
        for name, model in MODELS.items():
            if len(as_keys(name)) > 1:
                continue  # it stands on another one
            ended = subprocess.run([PROGRAM, "describe", model.type], capture_output=True, text=True, check=True)
            lines = [line.strip() for line in ended.stdout.splitlines() if line.startswith("  ") and ": " in line]
            said = dict(line.split(": ", 1) for line in lines)
            for key, value in vars(model).items():
                if key not in ("type", "source"):
                    self.assertEqual(said[key], str(value), f"{name}: {key}")

    def test_other_models_say_what_differs(self):
        differs = {"layers": 80, "hidden": 8192, "heads": 64, "expert_ffn": 28672, "vocabulary": 128256}
        said = {"type": "mixtral-8x22b", "label": "llama3-8x70b", **differs}
        self.assertEqual(as_keys("llama3-8x70b"), said)
        self.assertEqual(as_keys("qwen3-30b-a3b"), {"type": "qwen3-30b"})
        self.assertEqual(as_keys("qwen3-235b"), {"type": "qwen3-235b"})


class Fitted(unittest.TestCase):
    """One number for a group."""

    def test_an_anchor_takes_as_long_as_measured(self):
        for sent, computed in ((0.0, 1.0), (2.0, 1.5), (4.0, 0.5)):

            class Line:
                calls = 0

                def run(self, _, efficiency):
                    self.calls += 1
                    return {"iteration_s": sent + computed / efficiency}

            line = Line()
            found = fit(line, row())
            self.assertAlmostEqual((sent + computed / found) / 5.8, 1, delta=0.001)
            self.assertLessEqual(line.calls, 4)

    def test_a_step_of_several_pipelines_updates_once(self):
        found = row("flushes=4")
        self.assertEqual(described(found)["workload"]["batch"]["global"], 128 // 4)
        kinds = [{"name": "experts", "busy_s": 1.0}, {"name": "optimizer", "busy_s": 0.25}]
        result = {"iteration_s": 2.0, "graph": {"kinds": kinds}}
        self.assertEqual(step_of(found, result), 4 * 1.75 + 0.25)
        self.assertEqual(step_of(row(), result), 2.0)

    def test_an_anchor_that_nothing_makes_so_fast(self):
        class Slow:
            def run(self, _, efficiency):
                return {"iteration_s": 6 + 0.1 / efficiency}

        with self.assertRaises(Error) as raised:
            fit(Slow(), row())
        self.assertIn("no efficiency up to 1 makes one take 5.8 s", str(raised.exception))

    def test_what_it_comes_to(self):
        anchor = row()
        rows = [row(f"row=r{step},step_s={step},use=predict") for step in (4, 6, 6.1, 9)]
        predictions = [Prediction(found, step, 5.8) for found, step in zip(rows, (4.4, 6.0, 5.0, 5.0))]
        found = summary_of(predictions, fixed=[anchor])
        # Errors 10, 0, 18, 44 %. Pairs apart by more than 5 %: r4 with all, r9 with all, 6.1 with the anchor.
        self.assertEqual((found.rows, round(found.median_error, 3), found.near), (4, 0.14, 0.75))
        self.assertEqual((found.right, found.pairs), (4, 8))
        null = summary_of(predictions, True, [anchor])
        self.assertEqual((null.right, null.pairs), (0, 8))

    def test_only_the_same_work_has_an_order(self):
        self.assertTrue(comparable(row(), row("tp=2")))
        for other in ("gpus=32", "global=256", "sequence=8192,global=64", "precision=mxfp8"):
            self.assertFalse(comparable(row(), row(other)), other)


class Exchanges(unittest.TestCase):
    """Communication alone."""

    @classmethod
    def setUpClass(cls):
        cls.rows, _ = communication.read_exchanges(FOLDER / "communication.csv")

    def of(self, name):
        return next(found for found in self.rows if found.name == name)

    def test_a_bandwidth_counts_the_own_server(self):
        # Over two servers nearly every token goes to both: 8 of 256 experts miss one of them once in 290.
        found = self.of("deepep-v2-combine-h100-16-bf16")
        miss = 1.0
        for place in range(8):
            miss *= (128 - place) / (256 - place)
        self.assertAlmostEqual(communication.counted_bytes(found), 8192 * 7168 * 2 * 2 * (1 - miss))
        self.assertAlmostEqual(communication.value_of(found, 0.002), communication.counted_bytes(found) / 0.002 / 1e9)

    def test_low_latency_counts_each_expert(self):
        # DeepEP states 98 GB/s for 77 us.
        found = self.of("deepep-v1-dispatch-h800-8-fp8-2")
        self.assertAlmostEqual(communication.counted_bytes(found) / 77e-6 / 1e9, 98, delta=0.5)

    def test_the_rule(self):
        workload = communication.descriptor_of(self.of("deepep-v2-dispatch-h100-16-fp8"))["workload"]
        self.assertEqual(workload["exchange"], {"type": "deduplicated", "piece": "1MB"})
        self.assertEqual(workload["matrix"]["hidden"], 7168 * 33 // 32)
        self.assertEqual(workload["phases"], ["dispatch"])
        found = communication.descriptor_of(self.of("fusco-round-trip-h100-64"))
        self.assertEqual(found["workload"]["exchange"], "pairs")
        self.assertEqual(found["topology"]["nics_per_domain"], 10)

    def test_exchanges_have_the_links_of_steps(self):
        for name in ("deepep-v2-dispatch-h100-16-fp8", "deepep-v1-dispatch-h800-8-fp8", "uccl-ep-dispatch-mi300x-64-fp8"):
            topology = communication.descriptor_of(self.of(name))["topology"]
            self.assertEqual(topology.get("nvlink_rate"), topology_of(self.of(name).gpu, 8).get("nvlink_rate"))

    def test_both_nics_of_a_gpu_are_taken(self):
        for name, balance in (("uccl-ep-dispatch-h100-16-fp8", "even-split"), ("uccl-ep-dispatch-b200-16-fp8", "")):
            found = communication.descriptor_of(self.of(name))
            self.assertEqual(found["balance"], balance or "rail-destination")

    def test_an_error_is_one_of_time(self):
        found = self.of("deepep-v2-combine-h100-16-bf16")  # 81 GB/s
        self.assertAlmostEqual(communication.error_of(found, 90), -0.1)
        self.assertAlmostEqual(communication.error_of(self.of("deepep-v1-dispatch-h800-8-fp8-2"), 84.7), 0.1)


@unittest.skipIf(paths.lacking("matplotlib"), paths.lacking("matplotlib"))
class Dots(unittest.TestCase):
    """Those of a study in the figure."""

    def test_many_that_are_close_stay_with_their_study(self):
        from rails.measured.figure import _dots  # pylint: disable=import-outside-toplevel

        axes = unittest.mock.Mock()
        _dots(axes, 3, [1.007**step for step in range(40)], {})
        places = [call.args[1] for call in axes.plot.call_args_list]
        self.assertEqual(len(places), 40)
        self.assertEqual(set(places), {3, 2.95})
        self.assertTrue(all(here != there for here, there in zip(places, places[1:])))


@unittest.skipIf(paths.lacking("matplotlib"), paths.lacking("matplotlib"))
@unittest.skipUnless(PROGRAM, "RAILS_EXPERIMENT names no program")
class Command(unittest.TestCase):
    """./rails measured from end to end, on a table of one's own."""

    def test_a_table_of_ones_own(self):
        from rails.measured.program import main  # pylint: disable=import-outside-toplevel

        head = "row,model,gpu,gpus,precision,global,sequence,ep,step_s,use"
        lines = [head, "a,mixtral-8x7b,h100,16,bf16,32,1024,8,0.9,anchor"]
        lines.append("b,mixtral-8x7b,h100,32,bf16,64,1024,8,0.9,predict")
        with tempfile.TemporaryDirectory() as folder:
            file, results = Path(folder) / "own.csv", Path(folder) / "results"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            out, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                status = main(["--csv", str(file), "--results", str(results), "--table", str(Path(folder) / "t.csv")])
            self.assertEqual(status, 0, errors.getvalue())
            self.assertTrue((results / "measured.png").exists())
            runs = errors.getvalue().count(" s\n")
            with open(Path(folder) / "t.csv", encoding="utf-8") as table_file:
                predicted = {cells["row"]: cells for cells in csv.DictReader(table_file)}
            self.assertEqual(predicted["a"]["error %"], "anchor")
            self.assertAlmostEqual(float(predicted["a"]["predicted s"]), 0.9, delta=0.001)
            # As much for each GPU, and gradients that go round among twice as many.
            self.assertGreater(float(predicted["b"]["error %"]), 0)
            self.assertEqual(predicted["b"]["null error %"], "+0.0")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
                main(["--csv", str(file), "--results", str(results)])
            self.assertEqual(errors.getvalue().count(" s\n"), runs, "runs were repeated")

    def test_how_many_runs_at_the_same_time_has_the_range_of_other_commands(self):
        from rails.measured.program import main  # pylint: disable=import-outside-toplevel

        for jobs in ("0", "-1", "4097", "1.5", "9" * 5000):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as end:
                main([f"--jobs={jobs}", "--list"])
            self.assertEqual(end.exception.code, 2)
            self.assertIn(f"{cut(jobs)}: expected 1 to 4096", errors.getvalue())


def collect(path, column):
    with open(path, encoding="utf-8") as file:
        return [cells[column] for cells in csv.DictReader(file)]


def cited_values(path):
    """What each cited row states, as the table says it."""
    units = {"step_s": "s", "tok_s_gpu": "tokens/s/GPU", "tflops_gpu": "TFLOPS/GPU", "mfu_pct": "% MFU"}
    units["Tokens / sec / GPU"] = "tokens/s/GPU"
    order = ["Tokens / sec / GPU"] if "bridge.csv" in str(path) else ["step_s", "tok_s_gpu", "tflops_gpu", "mfu_pct"]
    with open(path, encoding="utf-8") as file:
        for cells in csv.DictReader(file):
            found = next((name for name in order if cells.get(name)), None)
            if found and cells[found] != "OOM":
                yield f"{cells[found]} {units[found]}"


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
