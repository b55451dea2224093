# SPDX-License-Identifier: GPL-2.0-only
"""Takes out of what the program writes all that depends on the machine, the moment or the build."""

import csv
import io
import re
import sqlite3

import records

# Keys of result.json and columns of tables whose values are measured, or depend on the build.
MEASURED = records.LEFT_OUT - {"artefacts", "axes", "config", "name"} | {
    "planning_ns", "measured_on"}
# Keys of other files: what a point is estimated to take; the memory of the machine.
_ESTIMATED = {"seconds", "memory_limit_bytes"}
_STRING = r'"(?:[^"\\]|\\.)*"'
_KEYS = "|".join(sorted(MEASURED | _ESTIMATED))

# What is replaced, in this order, in all that is printed and in files.
RULES = (
    # A value of a measured key, as a text, a number or a map without maps in it.
    (rf'("(?:{_KEYS})"\s*:\s*)(?:{_STRING}|[-+.\deE]+|\{{[^{{}}]*\}})', r'\1"*"'),
    # A table with measured times may have other lengths.
    (r'("file": "plans.csv",\s*"bytes": )\d+', r'\1"*"'),
    # Who holds a lock: the machine, its boot, its namespace, the process and its begin.
    (r"\b[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{12}-\d+-\d+\b", "WRITER"),
    # Estimates of --dry-run.
    (r"\([\d.]+ (?:s|min|h) to [\d.]+ (?:s|min|h), [\d.]+ [MG]iB\)", "(TIME to TIME, MEMORY)"),
    (r"\bin about [\d.]+ (?:s|min|h)\b", "in about TIME"),
    # What Matplotlib says where it has not run before, on a slow machine.
    (r"Matplotlib is building the font cache[^\n]*\n", ""),
    # The user and processes.
    (r"--user=\d+", "--user=USER"),
    (r"\b(process|pid) \d+", r"\1 PID"),
)
_RULES = [(re.compile(pattern), text) for pattern, text in RULES]
_MEASURED_COLUMN = "here [us]"  # the last one of the table of a study


def _replace_last_column(text):
    """Replaces times that were measured here, in the table that a study prints."""
    lines = text.split("\n")
    for begin, line in enumerate(lines):
        if line.endswith(_MEASURED_COLUMN):
            for number in range(begin + 1, len(lines)):
                if len(lines[number]) != len(line):  # its last column is aligned to the right
                    break
                lines[number] = re.sub(r" +[\d.]+$", " *", lines[number])
    return "\n".join(lines)


def normalise(text, places):
    """Returns a text without what depends on the machine, the moment or the build.

    places -- words for paths that may occur in it
    """
    for path, word in sorted(places.items(), key=lambda place: -len(place[0])):
        text = re.sub(re.escape(path) + r"(?![\w.-])", word, text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _replace_last_column(text)


def _mask_columns(rows):
    masked = [number for number, name in enumerate(rows[0]) if name in MEASURED] if rows else []
    for row in rows[1:]:
        for number in masked:
            if number < len(row):
                row[number] = "*"
    return rows


def _write_table(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _read_database(path):
    """Returns the tables of a database one after another; None for what is none."""
    connection = sqlite3.connect(path)
    try:
        names = [name for name, in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        text = ""
        for name in names:
            found = connection.execute(f'SELECT * FROM "{name}"')
            rows = [[column[0] for column in found.description], *map(list, found)]
            if name == "artefacts":  # see RULES
                rows = [[*row[:3], "*"] if row[1] == "plans.csv" else row for row in rows]
            text += f"{name}\n{_write_table(_mask_columns(rows))}"
        return text
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def read_file(path, places):
    """Returns the text of a file, normalised; None where it has none."""
    if path.suffix == ".sqlite":
        text = _read_database(path)
        if text is not None:
            return normalise(text, places)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    if path.suffix == ".csv":
        first = next(csv.reader(io.StringIO(text)), [])
        if MEASURED.intersection(first):
            text = _write_table(_mask_columns(list(csv.reader(io.StringIO(text)))))
    return normalise(text, places)
