# SPDX-License-Identifier: GPL-2.0-only
"""Calls ./rails import within the process of a test, reads what it wrote, and has rails check it."""

import io
import json
import os
import re
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import paths  # noqa: F401
from rails.imports import program
from rails.imports.yaml_text import read_yaml

RAILS = os.environ.get("RAILS_EXPERIMENT")


class ImportTest(unittest.TestCase):
    """A folder for files, and what is looked at of descriptors."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "model"  # which models are named after
        self.folder.mkdir()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text, indent=2), "utf-8")
        return str(path)

    def call(self, *words):
        """Status, standard output and standard error."""
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            try:
                program.run([str(word) for word in words])
            except SystemExit as end:
                status = end.code
        for stream in streams:
            stream.flush()
        return status, *(stream.buffer.getvalue().decode("utf-8") for stream in streams)

    def made(self, *words):
        """A descriptor as its text."""
        status, text, said = self.call(*words)
        self.assertEqual(status, 0, said)
        return text

    def workload(self, *words):
        """The workload of a descriptor, by keys."""
        return workload_of(self.made(*words))

    def assert_valid(self, text):
        if RAILS is None:
            return
        path = self.write("made.yaml", text)
        done = subprocess.run([RAILS, "validate", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stderr}\n{text}")

    def assert_refused(self, words, *parts):
        """One line with the place, what is wrong and the remedy; nothing on standard output."""
        status, text, said = self.call(*words)
        self.assertEqual((status, text), (2, ""), said)
        self.assertRegex(said, r"\A[^\n]*: error: [^\n]*\n\Z")
        self.assertNotIn("defect", said)
        for part in parts:
            self.assertIn(part, said)


def workload_of(text):
    """The workload of a descriptor that was made, by keys."""
    return plain(read_yaml(text, "made"))["workload"]


def plain(item):
    """A document without where its parts stand."""
    if isinstance(item.value, dict):
        return {key: plain(part) for key, part in item.value.items()}
    if isinstance(item.value, list):
        return [plain(part) for part in item.value]
    return item.value


def notes_of(text):
    """What a descriptor says at its end that it has not."""
    found = text.partition("# Not in this descriptor")[2]
    lines = re.sub(r"\n#   ", " ", found).split("\n")
    return [line.removeprefix("# - ") for line in lines if line.startswith("# - ")]


def origins_of(text):
    """Where values are from, by their last key."""
    found, above = {}, ""
    for line in text.split("\n"):
        comment = re.fullmatch(r" +# (.*)", line)
        value = re.fullmatch(r" *(\w+): .*?(?: # (.*))?", line)
        if comment:
            above = f"{above} {comment.group(1)}".strip()
        elif value:
            found[value.group(1)] = value.group(2) or above
            above = ""
    return found
