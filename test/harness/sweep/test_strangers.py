# SPDX-License-Identifier: GPL-2.0-only
"""Folders of results that anybody may have made: what a sweep takes from one, and what it does not."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from sweep_program import DESCRIPTOR, PATIENCE, SweepTest

PLOTS = Path(__file__).resolve().parents[3] / "plots"
LABELS = """\
topology: {type: rail, domains: 2, gpus_per_domain: 2}
transport: {congestion_control: none}
workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 1MB}}
balance: {type: rails}
sweep:
  balance: [{type: rail-source, label: "LABEL"}, {type: rails, label: "x"}]
"""
FILE = """\
topology: {type: rail, domains: 2, gpus_per_domain: 2}
transport: {congestion_control: none}
workload: {type: all-to-all, matrix: {type: file, path: m.csv}}
balance: {type: rails}
sweep: {repeat: 2}
"""
MATRIX = "0,1000,1000,1000\n1000,0,1000,1000\n1000,1000,0,1000\n1000,1000,1000,0\n"

# Notes that it was loaded.
LIBRARY = """\
#include <stdio.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("loaded", "w")); }
"""
# Writes down its arguments; the queue is in a file.
SLURM = """\
#!/bin/sh
for word; do printf '[%s]' "$word"; done >> "$0.calls"; echo >> "$0.calls"
case $0 in
    */sbatch) for last; do :; done; cp "$last" "$0.script"; echo 17 ;;
    */scontrol) echo 'MaxArraySize = 1001' ;;
    */squeue) cat "$0.queue" 2>/dev/null || : ;;
esac
"""


class Strangers(SweepTest):
    def setUp(self):
        super().setUp()
        self.descriptor = self.write("sweep.yaml", DESCRIPTOR + "sweep: {repeat: 2}\n")
        self.out = self.folder / "out"

    def sweep_and_change(self, change):
        """Sweeps, removes a point, and changes what the folder says of the sweep."""
        self.sweep("out")
        point = next(path for path in self.out.glob("[!.]*") if path.is_dir())
        shutil.rmtree(point)
        self.change(change)
        return point

    def change(self, change):
        place = self.out / ".rails" / "sweep.json"
        sweep = json.loads(place.read_text())
        change(sweep)
        place.write_text(json.dumps(sweep))

    def resume(self, *arguments, status=0, **options):
        return self.run_program("sweep", "--resume", "out", *arguments, status=status, **options)

    def make_slurm(self):
        """An environment with programs in place of those of a cluster."""
        place = self.folder / "bin"
        for name in ("sbatch", "scancel", "scontrol", "squeue"):
            self.write(f"bin/{name}", SLURM).chmod(0o755)
        return {**os.environ, "PATH": f"{place}:{os.environ['PATH']}"}

    def resume_on_cluster(self, environment, *arguments):
        """Takes up a sweep until a job was submitted. Returns what it said, the call, and the script."""
        script = self.folder / "bin" / "sbatch.script"
        script.unlink(missing_ok=True)
        process = self.start("sweep", "--resume", "out", *arguments, env=environment)
        self.wait_until(lambda: script.exists() or process.poll() is not None, "no job")
        process.terminate()
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertTrue(script.exists(), errors)
        return errors, (self.folder / "bin" / "sbatch.calls").read_text(), script.read_text()


class Libraries(Strangers):
    def setUp(self):
        super().setUp()
        self.write("evil.c", LIBRARY)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "evil.so", "evil.c"], cwd=self.folder, check=True)

    def test_a_library_of_the_folder_is_named_and_not_loaded(self):
        self.sweep_and_change(lambda sweep: sweep["options"].update(libraries=["../evil.so"]))
        _, errors = self.resume(status=2)
        self.assertIn(f"out: error: the folder names what only you may:\n  library {self.folder}/evil.so\n", errors)
        self.assertIn("--with LIB", errors)
        self.assertIn("--trust", errors)
        self.assertFalse((self.folder / "loaded").exists())

    def test_a_library_is_loaded_when_the_folder_is_trusted_after_it_was_named(self):
        self.sweep_and_change(lambda sweep: sweep["options"].update(libraries=["../evil.so"]))
        _, errors = self.resume("--trust", status=2)
        self.assertIn(f"taken from the folder (--trust): library {self.folder}/evil.so\n", errors)
        self.assertIn("it brings no component", errors)
        self.assertTrue((self.folder / "loaded").exists())

    def test_a_task_takes_no_library_from_the_folder(self):
        self.sweep_and_change(lambda sweep: sweep["options"].update(libraries=["../evil.so"]))
        for words in ([], ["--sweep", "x"]):
            self.run_program("work", "out", "--round", 0, "--task", 0, *words, status=2)
        self.assertFalse((self.folder / "loaded").exists())


class Launchers(Strangers):
    def set_slurm(self, sweep):
        sweep["options"]["slurm"].update(used=True, partition="odd", options=["/evil.sh"])

    def test_a_launcher_of_the_folder_is_named_and_not_used(self):
        self.sweep_and_change(self.set_slurm)
        environment = self.make_slurm()
        _, errors = self.resume(status=2, env=environment)
        self.assertIn("\n  launcher slurm --partition odd --slurm-option=/evil.sh\n", errors)
        self.assertFalse((self.folder / "bin" / "sbatch.calls").exists())

    def test_a_launcher_that_is_given_comes_with_its_own_options(self):
        self.sweep_and_change(self.set_slurm)
        environment = self.make_slurm()
        arguments = ("--launcher", "slurm", "--slurm-option=--account=mine", "--chunk-time", "1s")
        _, calls, script = self.resume_on_cluster(environment, *arguments)
        self.assertIn("[--account=mine]", calls)
        self.assertNotIn("evil", calls + script)
        self.assertNotIn("odd", calls)
        self.resume("--launcher", "local", env=environment)

    def test_a_launcher_is_used_when_the_folder_is_trusted(self):
        self.sweep_and_change(self.set_slurm)
        errors, calls, _ = self.resume_on_cluster(self.make_slurm(), "--trust", "--partition", "mine")
        self.assertIn("(--trust): launcher slurm --slurm-option=/evil.sh\n", errors)
        self.assertIn("[--partition=mine]", calls)
        self.assertIn("[/evil.sh]", calls)

    def test_a_task_takes_what_it_needs_from_its_command_line(self):
        point = self.sweep_and_change(lambda sweep: None)
        environment = self.make_slurm()
        _, _, script = self.resume_on_cluster(environment, "--launcher", "slurm")
        run = ["/bin/sh", self.folder / "bin" / "sbatch.script"]
        environment["SLURM_ARRAY_TASK_ID"] = "0"
        self.assertRegex(script, " --sweep [0-9a-f]{64} ")
        self.change(lambda sweep: sweep.update(sets=["seed=7"]))
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the folder is of another sweep than this task was submitted for", done.stderr)
        self.assertFalse(point.exists())
        self.change(lambda sweep: sweep.update(sets=[], options={"libraries": ["/evil.so"]}))
        subprocess.run(run, env=environment, check=True)
        self.assertTrue((point / "result.json").exists())

    def test_jobs_of_others_with_names_that_begin_alike_are_let_be(self):
        self.sweep_and_change(lambda sweep: None)
        environment = self.make_slurm()
        _, calls, _ = self.resume_on_cluster(environment, "--launcher", "slurm")
        name = calls.split("[--job-name=")[1].split("]")[0]
        self.write("bin/squeue.queue", f"99|0|RUNNING|{name}x|None\n98|0|RUNNING|{name[:-1]}|None\n")
        self.resume_on_cluster(environment, "--launcher", "slurm")
        self.run_program("sweep", "--cancel", "out", env=environment)
        self.assertFalse((self.folder / "bin" / "scancel.calls").exists())

    def test_options_of_a_new_sweep_are_refused(self):
        self.sweep_and_change(lambda sweep: None)
        for words in (["-j", "2"], ["--force"], ["--retries", "3"]):
            _, errors = self.resume(*words, status=2)
            self.assertIn(f"{words[0]}: error: not with --resume", errors)
        _, errors = self.resume("--launcher", "lsf", status=2)
        self.assertIn("--launcher", errors)
        _, errors = self.sweep("other", "--trust", status=2)
        self.assertIn("--trust: error: only with --resume", errors)


class Files(Strangers):
    def setUp(self):
        super().setUp()
        self.descriptor = self.write("in/sweep.yaml", FILE)
        self.write("in/m.csv", MATRIX)

    def test_files_outside_of_the_folder_are_named_and_not_read(self):
        self.sweep_and_change(lambda sweep: None)
        (self.folder / "in" / "m.csv").write_text("a secret")
        _, errors = self.resume(status=2)
        self.assertIn(f"\n  file {self.folder}/in/m.csv\n", errors)
        self.assertNotIn("secret", errors)

    def test_files_are_read_when_the_folder_is_trusted(self):
        point = self.sweep_and_change(lambda sweep: None)
        _, errors = self.resume("--trust")
        self.assertIn(f"out: taken from the folder (--trust): file {self.folder}/in/m.csv\n", errors)
        self.assertTrue((point / "result.json").exists())

    def test_files_in_the_folder_belong_to_it(self):
        point = self.sweep_and_change(lambda sweep: sweep.update(source=str(self.out / "sweep.yaml")))
        for other in self.out.glob("seed=*"):
            shutil.rmtree(other)
        shutil.copy(self.folder / "in" / "m.csv", self.out)
        self.resume()
        self.assertTrue((point / "result.json").exists())
        (self.out / "m.csv").unlink()
        (self.out / "m.csv").symlink_to(self.folder / "in" / "m.csv")
        _, errors = self.resume(status=2)
        self.assertIn(f"\n  file {self.out}/m.csv\n", errors)

    def test_what_is_no_file_is_refused_at_once(self):
        os.mkfifo(self.folder / "pipe")
        for path in ("/dev/zero", "../pipe"):
            self.descriptor.write_text(FILE.replace("m.csv", path))
            _, errors = self.sweep("other", status=2)
            self.assertIn("sweep.yaml:3:", errors)
            self.assertIn("a pipe or a device, where a file is expected", errors)
        for path in ("/dev/zero", "pipe"):
            _, errors = self.run_program("run", path, status=2)
            self.assertIn(f"{path}: error: this is a pipe or a device; a descriptor is a file", errors)


class Records(Strangers):
    def test_what_is_of_another_kind_is_an_error_with_its_name(self):
        self.sweep_and_change(lambda sweep: None)
        good = (self.out / ".rails" / "sweep.json").read_text()
        for keys, value in (
            (["text"], 1),
            (["source"], []),
            (["sets"], [1]),
            (["options", "processes"], "many"),
            (["options", "processes"], 10**9),
            (["options", "time_limit_s"], -1),
            (["options", "where"], {}),
            (["options", "slurm"], []),
            (["options", "libraries"], [None]),
        ):
            with self.subTest(keys=keys, value=value):
                sweep = json.loads(good)
                inner = sweep
                for key in keys[:-1]:
                    inner = inner[key]
                inner[keys[-1]] = value
                (self.out / ".rails" / "sweep.json").write_text(json.dumps(sweep))
                _, errors = self.resume(status=2)
                self.assertIn(f"sweep.json: error: '{keys[-1]}' is not ", errors)

    def test_names_of_points_lead_nowhere_else(self):
        self.sweep_and_change(lambda sweep: None)
        shutil.copytree(self.out, self.folder / "elsewhere")
        (self.out / "points.json").write_text(json.dumps(["../elsewhere/seed=1", "/etc", "..", "seed=1"]))
        output, _ = self.run_program("explain", "out")
        self.assertNotIn("elsewhere", output)

    def test_a_folder_beside_is_not_looked_at(self):
        os.makedirs(self.folder / "beside")
        os.mkfifo(self.folder / "beside" / "index.sqlite")
        self.sweep("out")

    def test_an_endless_index_of_the_folder_is_said_and_not_used(self):
        self.sweep("out")
        index = self.out / "index.sqlite"
        index.unlink()
        os.mkfifo(index)
        output, _ = self.sweep("out", "--dry-run")
        self.assertEqual(output.count("index.sqlite: not used for expected times"), 1)


class Terminal(Strangers):
    def assert_printable(self, *texts):
        for text in texts:
            found = [letter for letter in text if letter < " " and letter not in "\n\t" or "\x7f" <= letter < "\xa0"]
            found += [letter for letter in text if letter in "\u202e\u2028\u2066"]
            self.assertEqual(found, [], text)

    def test_labels_do_not_reach_the_terminal_as_commands(self):
        self.descriptor.write_text(LABELS.replace("LABEL", "a\\u009b31m\\u202eb"))
        self.assert_printable(*self.sweep("out"))
        output, errors = self.run_program("explain", "out")
        self.assert_printable(output, errors)
        self.descriptor.write_text(LABELS.replace("LABEL", "\\e]0;pwned\\a"))
        output, errors = self.sweep("other", status=2)
        self.assert_printable(output, errors)
        self.assertIn("\\u001b]0;pwned\\u0007", errors)

    def test_texts_of_results_do_not_either(self):
        self.sweep("out")
        for path in self.out.glob("*/result.json"):
            result = json.loads(path.read_text())
            result.update(notes=["warning: \x1b[2J" + "x" * 100_000], name="\x1b[2J")
            path.write_text(json.dumps(result))
        for words in (["explain", "out"], ["index", "out"], ["sweep", "--resume", "out"]):
            output, errors = self.run_program(*words)
            self.assert_printable(output, errors)
            self.assertLess(len(output + errors), 20_000)

    def test_cells_of_a_table_do_not_either(self):
        self.descriptor.write_text(FILE)
        self.write("m.csv", MATRIX.replace("1000", "\x1b[31mred", 1))
        output, errors = self.sweep("out", status=2)
        self.assert_printable(output, errors)
        self.assertIn("found '\\u001b[31mred'", errors)
        self.write("m.csv", "x" * 100_000 + "\n")
        output, errors = self.sweep("out", status=2)
        self.assertLess(len(errors), 20_000)


class Published(Strangers):
    def test_what_is_handed_around_names_no_folder_of_mine(self):
        square = "\n".join(",".join("0" if row == column else "1MB" for column in range(16)) for row in range(16))
        self.write("home/in/data/square.csv", square.replace("MB", "000000"))
        matrix = "matrix: {type: file, path: data/square.csv}"
        text = re.sub("matrix: {[^}]*}", matrix, DESCRIPTOR)
        descriptor = self.write("home/in/sweep.yaml", text + "sweep: {repeat: 2}\n")
        home = self.folder / "home"
        with mock.patch.dict(os.environ, HOME=str(home)):
            for out in (home / "in" / "out", home / "out", self.folder / "scratch" / "out"):
                with self.subTest(out=out):
                    self.run_program("sweep", descriptor, "--out", out)
                    self.run_program("run", descriptor, "--point", "seed=1", "--out", out / "one")
                    failed = ("--out", out / "failed", "--time-limit", "0.001s")
                    self.run_program("sweep", descriptor, *failed, status=3)
                    self.run_program("index", out, "--csv", out / "t.csv", "--json", out / "t.json")
                    self.write_report(out)
                    files = [path for path in out.rglob("*") if path.is_file()]
                    names = {path.name for path in files}
                    self.assertLessEqual({"failure.json", "result.json", "report.html", "t.csv"}, names)
                    for path in files:
                        self.assertFalse(bytes(self.folder) in path.read_bytes(), path)
                    source = json.loads((out / ".rails" / "sweep.json").read_text())["source"]
                    beside = "~/" if out.is_relative_to(self.folder / "scratch") else "../"
                    self.assertTrue(source.startswith(beside), source)
                    # And it is found again.
                    self.run_program("sweep", "--resume", out, "--trust")

    def write_report(self, out):
        command = [sys.executable, PLOTS / "report.py", out, "--out", out / "report.html"]
        subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    unittest.main()
