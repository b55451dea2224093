# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps of the real program: limits, failures, odd places, tables."""

import json
import os
import pty
import resource
import signal
import sqlite3
import subprocess
import unittest

from sweep_program import DESCRIPTOR, PATIENCE, PROGRAM, SweepTest, list_points, make_environment, without_progress

# One point that is too large for the limits below beside one that is small.
LARGE = """\
topology: {type: rail, domains: 2, gpus_per_domain: 8}
workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 40KB}}
balance: rails
sweep: {topology.domains: [2, 64]}
"""
TOO_LARGE = "domains=64"

MATRIX = "0,0,1000000,1000000\n" * 2 + "1000000,1000000,0,0\n" * 2


class Limits(SweepTest):
    def read_failure(self, point):
        return json.loads((self.folder / "out" / point / "failure.json").read_text())

    def sweep_large(self, *arguments, bytes_per_pair="40KB"):
        self.descriptor = self.write("large.yaml", LARGE.replace("40KB", bytes_per_pair))
        return self.sweep("out", *arguments, status=3)

    def test_a_memory_limit_is_hit_and_the_others_go_on(self):
        _, errors = self.sweep_large("--memory-limit", "40MiB")
        failure = self.read_failure(TOO_LARGE)
        self.assertEqual(failure["reason"], "out of memory (memory limit of 40 MiB)")
        self.assertEqual((failure["status"], failure["attempts"]), (3, 1))
        self.assertIn("out of memory", errors)
        self.assertTrue((self.folder / "out" / "domains=2" / "result.json").exists())
        self.assert_nothing_hidden(self.folder / "out")

    def test_memory_that_ends_anywhere_is_the_limit_and_no_crash(self):
        for limit in ("1MiB", "12MiB", "20MiB", "30MiB", "50MiB", "60MiB", "70MiB"):
            with self.subTest(limit=limit):
                self.sweep_large("--memory-limit", limit, "--force")
                failure = self.read_failure(TOO_LARGE)
                self.assertTrue(failure["reason"].startswith("out of memory"), failure["reason"])
                self.assertEqual(failure["attempts"], 1)

    def test_a_time_limit_is_hit_and_the_others_go_on(self):
        self.descriptor = self.write("large.yaml", LARGE.replace("40KB", "1MB"))
        small = self.folder / "out" / "domains=2" / "result.json"
        limit = self.sweep_in_time(small.exists, seconds=1)
        failure = self.read_failure(TOO_LARGE)
        self.assertEqual(failure["reason"], f"time limit of {limit[:-1]} s")
        self.assertEqual((failure["status"], failure["attempts"]), (3, 1))
        self.assertGreaterEqual(failure["wall_s"], int(limit[:-1]))
        self.assertTrue(small.exists())

    def test_few_files_may_be_open(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

        self.descriptor = self.write("many.yaml", DESCRIPTOR + "sweep: {repeat: 40}\n")
        self.sweep("out", "-j", 64, preexec_fn=limit)
        self.assertEqual(len(self.assert_whole(self.folder / "out")), 40)


class Failures(SweepTest):
    def test_the_command_of_a_failure_completes_the_sweep_from_where_it_began(self):
        odd = "o d'd \"$x\""
        (self.folder / odd).mkdir()
        self.descriptor = self.write(f"{odd}/it's one.yaml", DESCRIPTOR + "sweep: {repeat: 2}\n")
        large = "workload.matrix.bytes_per_pair=1MB"
        phases = "workload.phases=[dispatch, {gap: 1us}]"
        sets = ("--set", large, "--set", phases)
        arguments = ("sweep", "it's one.yaml", *sets, "--out", "re sults", "--time-limit", "0.01s")
        self.run_program(*arguments, status=3, cwd=self.folder / odd)
        out = self.folder / odd / "re sults"
        self.assertEqual(list_points(out), ["seed=1", "seed=2"])
        for point in list_points(out):
            failure = json.loads((out / point / "failure.json").read_text())
            environment = make_environment(self.mark)
            done = subprocess.run(
                ["sh", "-c", failure["command"]], cwd=out.parent, env=environment, capture_output=True
            )
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.assert_whole(out), ["seed=1", "seed=2"])
        plan = ("sweep", self.descriptor, *sets, "--out", out, "--dry-run")
        self.assertIn("0 of 2 points would be run", self.run_program(*plan)[0])


class LeftOut(SweepTest):
    STUDY = """\
experts: {model: {type: gpt-32x1.3b, experts: 8}, gpus: 8, gpus_per_domain: 8, tokens: 64, layers: 1}
sweep: {experts.policy: [plain-ep, {type: lplb, topology: cube}, llep]}
"""
    TRAINING = """\
topology: {type: rail, domains: 1, gpus_per_domain: 8}
workload:
  {type: training, model: {type: mixtral-8x7b, layers: 1}, parallel: {ep: 8}, batch: {global: 8, sequence: 64}}
engine: {type: flow, assume_ideal: true}
balance: rails
sweep: {workload.experts: [plain-ep, {type: lplb, topology: cube}]}
"""

    def test_policies_that_cannot_work_are_listed_and_the_others_are_run(self):
        self.descriptor = self.write("study.yaml", self.STUDY)
        output, errors = self.sweep("out")
        self.assertRegex(output, r"(?m)^left out: policy=lplb: a GPU has 1 experts at home")
        self.assertIn("study.yaml:2:36: warning: policy=lplb is left out: ", errors)
        self.assertEqual(self.assert_whole(self.folder / "out"), ["policy=llep", "policy=plain-ep"])
        output, _ = self.sweep("out")
        self.assertIn("2 of 2 points had their result already", output)
        output, _ = self.run_program("sweep", "--resume", "out")
        self.assertRegex(output, r"(?m)^left out: policy=lplb: a GPU has 1 experts at home")
        self.assertEqual(self.assert_whole(self.folder / "out"), ["policy=llep", "policy=plain-ep"])
        _, errors = self.run_program(
            "run", self.descriptor, "--point", "policy=lplb", "--out", "one", status=2
        )
        self.assertIn("--point policy=lplb: error: a GPU has 1 experts at home", errors)
        self.sweep("none", "--set", "experts.policy={type: lplb, topology: cube}", status=2)
        self.assertFalse((self.folder / "none").exists())

    def test_so_are_those_of_trainings(self):
        self.descriptor = self.write("training.yaml", self.TRAINING)
        output, errors = self.run_program("validate", self.descriptor)
        self.assertIn("valid, 1 points", output)
        self.assertIn("experts=lplb is left out: a GPU has 1 experts at home", errors)


class Places(SweepTest):
    def test_links_and_slashes_lead_to_the_same_folder(self):
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to("real")
        self.sweep("link")
        self.assertEqual(len(self.assert_whole(self.folder / "real")), 10)
        for name in ("real", "real/", "link/", "./link/../real", str(self.folder / "real")):
            output, _ = self.sweep(name)
            self.assertIn("10 of 10 points had their result already", output, name)
        output, _ = self.sweep(".", cwd=self.folder / "real")
        self.assertIn("10 of 10 points had their result already", output)
        self.assert_nothing_hidden(self.folder / "real")

    def test_places_that_cannot_be(self):
        self.write("file", "x")
        (self.folder / "dangling").symlink_to("nowhere")
        for name in ("file", "file/below", "dangling", "/proc/sweep"):
            _, errors = self.sweep(name, status=2)
            self.assertIn(f"{name}: error: the folder cannot be written to", errors)

    def test_a_matrix_is_found_beside_the_descriptor_and_its_content_counts(self):
        self.write("sub/m.csv", MATRIX)
        self.descriptor = self.write(
            "sub/sweep.yaml",
            "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
            "workload: {type: all-to-all, matrix: {type: file, path: m.csv}}\n"
            "balance: rails\nsweep: {repeat: 2}\n",
        )
        self.descriptor = self.descriptor.relative_to(self.folder)
        self.sweep("out")
        output, _ = self.sweep("../out", cwd=self.folder / "sub", status=2)
        self.descriptor = self.folder / self.descriptor
        output, _ = self.sweep("../out", cwd=self.folder / "sub")
        self.assertIn("2 of 2 points had their result already", output)
        self.write("sub/m.csv", MATRIX.replace("1000000,0,0\n", "1000001,0,0\n"))
        output, _ = self.sweep("out")
        self.assertIn("2 points made from files that have changed since: run again", output)

    def test_a_descriptor_that_is_edited_meanwhile_is_run_as_it_was(self):
        self.descriptor = self.write("sweep.yaml", DESCRIPTOR + "sweep: {repeat: 40}\n")
        process = self.start("sweep", self.descriptor, "--out", "out", "-j", 1)
        self.wait_until(lambda: list_points(self.folder / "out"), "no point has ended")
        self.descriptor.write_text("nonsense: [\n")
        _, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, without_progress(errors)), (0, ""))
        self.assertEqual(len(self.assert_whole(self.folder / "out")), 40)
        record = json.loads((self.folder / "out/.rails/sweep.json").read_text())
        self.assertEqual(record["text"], DESCRIPTOR + "sweep: {repeat: 40}\n")

    def test_standard_files_may_be_closed(self):
        for number, closed in enumerate(("<&-", ">&-", "2>&-", "<&- >&- 2>&-")):
            command = f'"$0" sweep sweep.yaml --out out{number} {closed}'
            done = subprocess.run(
                ["sh", "-c", command, PROGRAM], cwd=self.folder, capture_output=True
            )
            self.assertEqual(done.returncode, 0, closed)
            self.assertEqual(len(self.assert_whole(self.folder / f"out{number}")), 10)

    def test_temporary_folder_may_be_missing(self):
        self.sweep("out", env={**make_environment(self.mark), "TMPDIR": "/nonexistent"})

    def test_more_processes_than_cores(self):
        self.descriptor = self.write("many.yaml", DESCRIPTOR + "sweep: {repeat: 80}\n")
        self.sweep("out", "-j", 64)
        self.assertEqual(len(self.assert_whole(self.folder / "out")), 80)

    def test_an_interrupt_at_a_terminal(self):
        self.descriptor = self.write("many.yaml", DESCRIPTOR + "sweep: {repeat: 400}\n")
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            command = [PROGRAM, "sweep", "many.yaml", "--out", "out"]
            os.execve(PROGRAM, command, make_environment(self.mark))
        self.wait_until(lambda: len(list_points(self.folder / "out")) > 3, "no point has ended")
        os.write(terminal, b"\x03")
        text = b""
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # how Linux tells that nobody holds the other end
                break
            if not piece:
                break
            text += piece
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 128 + signal.SIGINT, text)
        self.assertLess(len(list_points(self.folder / "out")), 400)
        self.assertIn(b"of 400 done", text)  # the bar
        self.assertIn(b"interrupted", text)
        self.assert_nobody_is_left()
        self.assert_nothing_hidden(self.folder / "out")
        self.assert_whole(self.folder / "out")


class Tables(SweepTest):
    def setUp(self):
        super().setUp()
        self.descriptor = self.write(
            "sweep.yaml",
            DESCRIPTOR + "sweep: {transport.congestion_control: [none, dcqcn], repeat: 2,\n"
            "        points: [{topology.domains: 64, workload.matrix.bytes_per_pair: 16MB}]}\n",
        )
        self.sweep_in_time(
            lambda: len(list((self.folder / "out").glob("*/result.json"))) == 4, seconds=2
        )

    def test_the_index_made_again_is_the_same(self):
        index = self.folder / "out" / "index.sqlite"
        before = index.read_bytes()
        index.unlink()
        output, _ = self.run_program("index", "out")
        self.assertIn("6 points: out/index.sqlite", output)
        self.assertEqual(index.read_bytes(), before)

    def test_pandas_reads_what_is_in_the_database(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("SKIPPED: pandas is not here")
        self.run_program("index", "out", "--json", "table.json", "--csv", "table.csv")
        table = pandas.read_json(self.folder / "table.json", orient="table").reset_index()
        # As texts: an empty one and nothing are the same in CSV.
        cells = pandas.read_csv(self.folder / "table.csv", dtype=str, keep_default_na=False)
        connection = sqlite3.connect(self.folder / "out" / "index.sqlite")
        rows = pandas.read_sql("SELECT * FROM points", connection)
        connection.close()
        self.assertEqual(list(cells.columns), list(rows.columns))
        self.assertEqual(set(table.columns), set(rows.columns))
        self.assertEqual(list(table["state"]).count("failed"), 2)
        for column in rows.columns:
            for own, other, cell in zip(rows[column], table[column], cells[column]):
                with self.subTest(column=column):
                    if pandas.isna(own):
                        self.assertTrue(pandas.isna(other), other)
                        self.assertEqual(cell, "")
                    elif isinstance(own, str):
                        self.assertEqual((str(other), cell), (own, own))
                    else:
                        number = {"true": 1, "false": 0}.get(cell, cell)
                        self.assertAlmostEqual(float(other), float(own))
                        self.assertAlmostEqual(float(number), float(own))


if __name__ == "__main__":
    unittest.main()
