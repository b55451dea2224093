# SPDX-License-Identifier: GPL-2.0-only
import contextlib
import io
import json
import os
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import command_lines
import command_record
import commands_net
import plain_output
import records

# A program that prints what it is called with, and writes a result.
PROGRAM = """#!/bin/sh
echo "$*" "$HOME/x" seconds
echo "no such thing" >&2
mkdir -p out
echo "{\\"wall_s\\": $$}" > out/result.json
exit 3
"""


def plain(text):
    return plain_output.normalise(text, {})


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def read(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return plain_output.read_file(path, {})


class Rules(unittest.TestCase):
    def test_paths_become_words_as_whole_names(self):
        places = {"/tmp/a": "FOLDER", "/tmp/a/tools": "TOOLS"}
        self.assertEqual(plain_output.normalise("/tmp/a/x /tmp/a: /tmp/a/tools/rails /tmp/ab", places),
                         "FOLDER/x FOLDER: TOOLS/rails /tmp/ab")

    def test_measured_values_of_json_are_left_out_and_others_stay(self):
        for value in ("3.5e-06", "17", '"a \\"text\\""', '{\n "ns3": "3.37"\n}'):
            for key in ("wall_s", "version", "peak_rss_bytes", "seconds", "memory_limit_bytes"):
                self.assertEqual(json.loads(plain(f'{{"{key}": {value}, "cct_s": 3.5}}')),
                                 {key: "*", "cct_s": 3.5})

    def test_the_length_of_a_table_with_measured_times_is_left_out(self):
        form = '"file": "{}",\n      "bytes": {}'.format
        self.assertEqual(plain(form("plans.csv", 17)), plain(form("plans.csv", 18)))
        self.assertNotEqual(plain(form("links.csv", 17)), plain(form("links.csv", 18)))

    def test_writers_users_and_processes(self):
        self.assertEqual(plain("10ab4f1ada17-4c8db3efe0ef-7313cc2d053c-17450-66944\n"), "WRITER\n")
        self.assertEqual(plain("squeue --user=1000 of process 12 and pid 7, 3 processes"),
                         "squeue --user=USER of process PID and pid PID, 3 processes")

    def test_estimates(self):
        self.assertEqual(plain("run x  (0.0 s to 1.5 min, 21 MiB)\nin about 2.0 h with 1 process"),
                         "run x  (TIME to TIME, MEMORY)\nin about TIME with 1 process")
        self.assertEqual(plain("time limit of 0.001 s"), "time limit of 0.001 s")

    def test_the_font_cache_of_matplotlib_is_not_mentioned(self):
        self.assertEqual(
            plain("Matplotlib is building the font cache; this may take a moment.\nx\n"), "x\n")

    def test_times_measured_in_the_table_of_a_study(self):
        table = "run  plan [us]  here [us]\na            0  {:>9}\nresults: out 5\n".format
        self.assertEqual(plain(table(12)), plain(table(345)))
        self.assertIn("results: out 5", plain(table(12)))
        self.assertNotEqual(plain(table(12)), plain(table(12).replace("0  ", "1  ", 1)))


class Files(Folder):
    def test_measured_columns_of_tables_are_left_out(self):
        self.assertEqual(self.read("a.csv", b'point,wall_s,x\n"a,b",3.5,1\nc\n'),
                         'point,wall_s,x\n"a,b",*,1\nc\n')
        self.assertEqual(self.read("b.csv", b"point,x\r\na,3.5\r\n"), "point,x\r\na,3.5\r\n")

    def test_databases_are_read_as_tables(self):
        path = self.folder / "index.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE points (point, wall_s, x)")
            database.execute("INSERT INTO points VALUES ('a', 3.5, 1)")
            database.execute("CREATE TABLE artefacts (point, file, kind, bytes)")
            database.execute("INSERT INTO artefacts VALUES ('a', 'plans.csv', 'plans', 5)")
            database.execute("INSERT INTO artefacts VALUES ('a', 'links.csv', 'links', 6)")
            database.commit()
        self.assertEqual(plain_output.read_file(path, {}),
                         "artefacts\npoint,file,kind,bytes\na,plans.csv,plans,*\n"
                         "a,links.csv,links,6\npoints\npoint,wall_s,x\na,*,1\n")
        self.assertEqual(self.read("no.sqlite", b"no database"), "no database")

    def test_what_is_no_text_has_none(self):
        self.assertIsNone(self.read("a.pcap", b"\xff\xfe"))


class Record(Folder):
    def describe(self, output="", before=None, after=None):
        return command_record.describe(0, output, "", before or {}, after or {})

    def test_what_is_printed_and_written_is_read_as_it_was(self):
        lines = command_record.describe(
            2, "a\n\n== b\n", "no end", {"gone": "", "same": "", "new": "1\n"},
            {"same": "", "new": "2\n", "a.pcap": None, "long": "x\n" * 99})
        self.assertEqual(lines[:4], ["| a", "|", "| == b", "! no end (no end of line)"])
        self.assertEqual(lines[4:6], ["+ a.pcap", "- gone"])
        self.assertRegex(lines[6], r"\+ long \(99 lines, [0-9a-f]{12}\)")
        self.assertRegex(lines[7], r"~ new \(1 lines, [0-9a-f]{12}\)")
        self.assertEqual(lines[8:], ["  > 2", "= 2"])
        commands = {"a $ rails": lines, "a $ rails run  # again": ["= 0"], "b $ rails": ["= 1"]}
        command_record.write(self.folder / "record", commands)
        self.assertEqual(command_record.read(self.folder / "record"), commands)

    def test_long_outputs_differ_by_their_digests(self):
        self.assertEqual(len(self.describe("x\n" * 99)), 2)
        self.assertNotEqual(self.describe("x\n" * 99), self.describe("x\n" * 98 + "y\n"))
        self.assertNotEqual(self.describe("x" * 999), self.describe("x" * 998 + "y"))

    def test_white_space_at_the_end_counts(self):
        self.assertNotEqual(self.describe("x \n"), self.describe("x\n"))
        self.assertNotEqual(self.describe("x\n\n"), self.describe("x\n"))
        self.assertNotEqual(self.describe("x"), self.describe("x\n"))

    def test_a_failure_is_shown_without_its_configuration(self):
        text = json.dumps({"reason": "time limit", "config": {str(n): n for n in range(99)}})
        lines = self.describe(after={"out/failure.json": text})
        self.assertIn('  >  "reason": "time limit"', lines)
        self.assertNotEqual(
            lines, self.describe(after={"out/failure.json": text.replace("98", "97")}))
        self.assertIn("  > {", self.describe(after={"out/failure.json": "{\n"}))

    def test_every_difference_is_told(self):
        told = command_record.compare({"a $ x": ["| one", "= 0"], "a $ y": ["= 0"]},
                                      {"a $ x": ["| two", "= 0"], "a $ z": ["= 0"]})
        self.assertEqual(told, ["a $ x", "  - | one", "  + | two", "    = 0",
                                "a $ y: only in the record before",
                                "a $ z: only in the record after"])

    def test_what_is_no_record_is_refused(self):
        path = self.folder / "record"
        for content in (b"", b"\xff", b"== a\n", b"$ x\n= 0\n", b"== a\n\n$ x\nfoo\n"):
            path.write_bytes(content)
            with self.assertRaises(records.RecordError):
                command_record.read(path)
        with self.assertRaises(records.RecordError):
            command_record.read(self.folder / "none")


class Scenes(Folder):
    SCENES = (command_lines.Scene("one", ("rails run one.yaml", "rm -r out && echo gone")),
              command_lines.Scene("two", ("rails list",)))

    def setUp(self):
        super().setUp()
        program = self.folder / "program"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        for patch in (mock.patch.dict(os.environ, RAILS_EXPERIMENT=str(program)),
                      mock.patch.object(command_lines, "SCENES", self.SCENES),
                      mock.patch.object(commands_net, "RECORD", self.folder / "commands.txt")):
            patch.start()
            self.addCleanup(patch.stop)

    def call(self, *words):
        with mock.patch.object(sys, "argv", ["commands-net", *map(str, words)]), \
                contextlib.redirect_stdout(io.StringIO()) as printed, \
                contextlib.redirect_stderr(printed):
            status = commands_net.main()
        return status, printed.getvalue()

    def test_a_record_holds_what_commands_print_and_write(self):
        self.assertEqual(self.call("record", commands_net.RECORD)[0], 0)
        self.assertEqual(command_record.read(commands_net.RECORD), {
            "one $ rails run one.yaml": [
                "| run one.yaml FOLDER/x seconds", "! no such thing",
                mock.ANY, '  > {"wall_s": "*"}', "= 3"],
            "one $ rm -r out && echo gone": ["| gone", "- out/result.json", "= 0"],
            "two $ rails list": ["| list FOLDER/x seconds", "! no such thing", mock.ANY,
                                 '  > {"wall_s": "*"}', "= 3"]})

    def test_check_tells_what_differs_from_the_record_and_how_to_record(self):
        self.call("record", commands_net.RECORD)
        self.assertEqual(self.call("check", "-j", "1"), (0, ""))
        text = commands_net.RECORD.read_text()
        commands_net.RECORD.write_text(text.replace("no such thing", "nothing", 1))
        status, printed = self.call("check")
        self.assertEqual(status, 1)
        self.assertIn("one $ rails run one.yaml\n", printed)
        self.assertIn("  - ! nothing\n  + ! no such thing\n", printed)
        self.assertIn("commands-net record", printed)
        self.assertNotIn("two $", printed)

    def test_compare_counts_commands(self):
        self.call("record", self.folder / "a")
        self.call("record", self.folder / "b", "--only", "two")
        self.assertEqual(self.call("compare", self.folder / "a", self.folder / "a"),
                         (0, "3 of 3 commands agree\n"))
        status, printed = self.call("compare", self.folder / "a", self.folder / "b")
        self.assertEqual((status, printed.splitlines()[-1]), (1, "1 of 3 commands agree"))

    def test_scenes_that_need_a_python_are_left_out_by_name(self):
        self.call("record", commands_net.RECORD)
        drawn = command_lines.Scene("one", self.SCENES[0].commands, python=True)
        with mock.patch.object(command_lines, "SCENES", (drawn, self.SCENES[1])), \
                mock.patch.object(commands_net, "_find_python", return_value=None):
            status, printed = self.call("check")
            self.assertEqual((status, "NOT tested: one" in printed), (0, True))
            self.assertEqual(self.call("record", self.folder / "other")[0], 2)

    def test_without_a_program_nothing_is_recorded(self):
        with mock.patch.dict(os.environ, RAILS_EXPERIMENT=str(self.folder / "none")):
            status, printed = self.call("record", self.folder / "other")
        self.assertEqual((status, (self.folder / "other").exists()), (2, False))
        self.assertIn("names no program", printed)


class Table(unittest.TestCase):
    def test_commands_of_a_scene_have_different_names(self):
        names = [f"{scene.name} $ {command}" for scene in command_lines.SCENES
                 for command in scene.commands]
        self.assertEqual(len(names), len(set(names)))

    def test_a_scene_has_the_files_that_it_names(self):
        scene = command_lines.Scene("x", ("rails validate one.yaml --with none",))
        self.assertEqual(scene.get_files().keys(), {"one.yaml"})

    def test_every_file_is_used(self):
        used = {name for scene in command_lines.SCENES for name in scene.get_files()}
        self.assertEqual(used, command_lines.FILES.keys())


if __name__ == "__main__":
    unittest.main()
