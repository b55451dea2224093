# SPDX-License-Identifier: GPL-2.0-only
"""How programs end: status, and one line on standard error."""

import os
import pickle
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import synthetic
from paths import PLOTS
from programs import call
from rails.errors import MissingFile, ResultError
from rails.reader.result_files import write_at_once


def start(name, *arguments, **options):
    command = [sys.executable, "-B", str(PLOTS / f"{name}.py"), *map(str, arguments)]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)


class Ends(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        synthetic.write_sweep(self.folder / "run", ("ecmp", "rails"), (1, 2), messages=40)
        self.run_folder = self.folder / "run"

    def test_a_reader_that_has_enough_is_no_error_and_leaves_no_traceback(self):
        read, write = os.pipe()
        os.close(read)
        for name, options in (("compare", ("--by", "balance")), ("report", ())):
            done = start(name, self.run_folder, *options, stdout=write)
            self.assertEqual((done.returncode, done.stderr), (141, ""))
        os.close(write)
        self.assertGreater((self.run_folder / "report.html").stat().st_size, 1_000_000)

    def test_output_onto_a_full_disk_is_an_error_of_one_line(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = start("compare", self.run_folder, "--by", "balance", stdout=full)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "standard output: error: No space left on device\n")

    def test_a_wrong_option_is_told_in_one_line_with_the_command_as_typed(self):
        for name, arguments in (
            ("plot", ()),
            ("report", (self.run_folder, "--nonsense")),
            ("compare", (self.run_folder,)),
            ("compare", (self.run_folder, self.run_folder, "--alpha", "x")),
            ("demo", ()),
            ("reproduce", ("--nonsense",)),
        ):
            done = call(name, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, rf"\A\./rails {name}: error: .*\n\Z")

    def test_help_calls_the_program_as_users_do(self):
        self.assertRegex(call("plot", "--help").stdout, r"^usage: \./rails plot ")
        listed = set(re.findall(r"(?m)^  (\w+)", (PLOTS.parent / "harness/command/rails-command-list.inc").read_text()))
        for path in sorted(PLOTS.glob("*.py")):
            found = re.match(r"usage: (\./rails (\w+)|plots/\S+) ", call(path.stem, "--help").stdout)
            self.assertTrue(found, path)
            self.assertTrue(found[2] in listed if found[2] else found[1] == f"plots/{path.name}", f"{path}: {found[1]}")

    def test_the_list_of_commands_has_the_options_of_each(self):
        text = (PLOTS.parent / "harness/command/rails-command-list.inc").read_text()
        for name in ("plot", "report", "compare", "engines", "reproduce"):
            lines = re.findall(rf"^  {name} (.*)$", text, re.MULTILINE)
            listed = set(re.findall(r"--[\w-]+", " ".join(lines)))
            known = set(re.findall(r"(?<!\w)--[\w-]+", call(name, "--help").stdout))
            self.assertEqual(listed, known - {"--help"})

    def test_a_folder_without_results_is_refused_also_beside_one_that_has_some(self):
        names = "bare", "notes/of/others", "drawn/figures", "cut/seed=1"
        for name in names:
            (self.folder / name).mkdir(parents=True)
        (self.folder / "notes/of/others/a.txt").write_text("x")
        (self.folder / "cut/seed=1/result.json").write_text("{")
        for name in names:
            folder = self.folder / name.partition("/")[0]
            for words in (
                ("plot", folder),
                ("report", folder),
                ("report", self.run_folder, folder),
                ("compare", folder, "--by", "balance"),
                ("compare", self.run_folder, folder, "--by", "balance"),
                ("compare", self.run_folder, folder),
                ("engines", folder),
                ("engines", self.run_folder, folder),
            ):
                done = call(*words)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, rf"\A{folder}: error: no whole result in it; .*expected what.*\n\Z")
        self.assertEqual(list(self.folder.rglob("report*.html")), [])

    def test_a_folder_that_cannot_be_written_to_is_named(self):
        for name, file in (("plot", "figures"), ("report", "report.html")):
            with mock.patch("rails.reader.result_files.tempfile.mkstemp", side_effect=_read_only):
                done = call(name, self.run_folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{self.run_folder / file}", done.stderr)
            self.assertRegex(done.stderr, r"\A.*: error: cannot be written \(Read-only file .*\n\Z")

    def test_a_page_that_finds_no_space_leaves_the_old_one_as_it_was(self):
        page = self.run_folder / "report.html"
        page.write_text('<meta name="generator" content="rails">old')
        done = start("report", self.run_folder, stdout=subprocess.DEVNULL, preexec_fn=_small_files)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\A.*report.html: error: cannot be written \(.*\)\n\Z")
        self.assertTrue(page.read_text().endswith("old"))
        self.assertEqual([path.name for path in self.run_folder.glob(".*")], [])
        done = call("report", self.run_folder, "--out", "/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr, "/dev/full: error: cannot be written (No space left on device)\n"
        )

    def test_a_defect_of_ours_is_one_line_too(self):
        with mock.patch("plot.load", side_effect=KeyError("x")):
            done = call("plot", self.run_folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\A.*: error: a defect .* KeyError: 'x' \(.*:\d+\)\n\Z")

    def test_an_interruption_is_no_traceback(self):
        with mock.patch("plot.load", side_effect=KeyboardInterrupt):
            done = call("plot", self.run_folder)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (130, 1))

    def test_names_that_are_no_text_can_be_told(self):
        folder = self.folder / os.fsdecode(b"\xff")
        folder.mkdir()
        self.assertEqual(call("plot", folder).stderr.count("\n"), 1)


class Errors(unittest.TestCase):
    def test_they_come_whole_from_other_processes(self):
        for error in (ResultError(Path("x"), "reason"), MissingFile(Path("y"))):
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))


class Files(unittest.TestCase):
    def test_what_is_written_is_whole_or_absent(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "below" / "file"
            write_at_once(path, "new")
            self.assertEqual(path.read_text(), "new")
            self.assertEqual(path.stat().st_mode & 0o777, 0o666 & ~_umask())
            with mock.patch("os.replace", side_effect=OSError(28, "No space")):
                with self.assertRaisesRegex(ResultError, r"file: error: cannot be .*\(No space\)"):
                    write_at_once(path, "newer")
            with mock.patch("os.replace", side_effect=KeyboardInterrupt):
                with self.assertRaises(KeyboardInterrupt):
                    write_at_once(path, "newer")
            self.assertEqual([p.name for p in path.parent.iterdir()], ["file"])
            self.assertEqual(path.read_text(), "new")


def _read_only(*_, **__):
    raise OSError(30, "Read-only file system")


def _small_files():
    """Lets no file grow beyond a megabyte, as if the disk were full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    unittest.main()
