# SPDX-License-Identifier: GPL-2.0-only
"""A record of command lines as a text that is read and compared by eye: its form."""

import difflib
import json

import records

LONGEST_OUTPUT = 45  # lines; of longer ones the record has a digest
LONGEST_FILE = 12
WIDEST = 400
_HEAD = "# What command lines print, how they end and which files they write.\n" \
        "# test/tools/commands-net record writes it; test/net/command_lines.py has the commands.\n" \
        "#   | standard output   ! standard error   = exit status\n" \
        "#   + new file   ~ changed file   - file that is gone   > what a short file holds\n"


def _digest(text):
    return f"{len(text.splitlines())} lines, {records.digest(text.encode())[:12]}"


def _mark(mark, text, longest):
    """Returns lines of a text behind a mark; one line where there are too many."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif text:
        lines[-1] += " (no end of line)"
    if len(lines) > longest:
        return [f"{mark} ({_digest(text)})"]
    return [mark if not line else f"{mark} {line}" if len(line) <= WIDEST else
            f"{mark} {line[:WIDEST]}... ({_digest(line)})" for line in lines]


def _without_config(text):
    """Returns a failure.json without its configuration, which is that of a result."""
    try:
        failure = json.loads(text)
    except ValueError:
        return text
    failure.pop("config", None)
    return json.dumps(failure, indent=1) + "\n"


def _describe_file(name, text):
    if text is None:
        return [name]
    lines = [f"{name} ({_digest(text)})"]
    if name.endswith("/failure.json"):
        text = _without_config(text)
    if len(text.splitlines()) <= LONGEST_FILE and "\0" not in text:
        lines += _mark("  >", text, LONGEST_FILE)
    return lines


def describe(status, output, errors, before, after):
    """Returns the lines of a command.

    before, after -- texts of files (None for what is no text) by their names
    """
    lines = _mark("|", output, LONGEST_OUTPUT) + _mark("!", errors, LONGEST_OUTPUT)
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            lines.append(f"- {name}")
        elif name not in before or before[name] != after[name]:
            first, *other = _describe_file(name, after[name])
            lines += [("~ " if name in before else "+ ") + first, *other]
    return [*lines, f"= {status}"]


def write(path, commands):
    """Writes a record.

    commands -- lines of what a command resulted in by its name, "SCENE $ COMMAND"
    """
    text = _HEAD
    scene = None
    for name, lines in commands.items():
        found, _, command = name.partition(" $ ")
        if found != scene:
            scene = found
            text += f"\n== {scene}\n"
        text += "\n".join(["", f"$ {command}", *lines, ""])
    path.write_text(text, encoding="utf-8")


def read(path):
    """Returns what write() wrote; RecordError when it did not write that."""
    commands, scene, lines = {}, None, None
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise records.RecordError(f"{path}: error: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise records.RecordError(f"{path}: error: not a record of commands-net") from error
    for line in text.split("\n"):
        if line.startswith("== "):
            scene = line[3:]
        elif line.startswith("$ ") and scene:
            lines = commands[f"{scene} {line}"] = []
        elif line.startswith(("|", "!", "=", "+ ", "~ ", "- ", "  >")) and lines is not None:
            lines.append(line)
        elif line and not line.startswith("#"):
            raise records.RecordError(f"{path}: error: not a record of commands-net: {line}")
    if not commands:
        raise records.RecordError(f"{path}: error: no commands in it")
    return commands


def compare(before, after):
    """Returns lines that say what differs between the commands of two records."""
    points = [{name: {"lines": lines} for name, lines in commands.items()}
              for commands in (before, after)]
    told = []
    for name, key, one, other in records.compare(*points):
        if key is None:
            told.append(records.describe((name, key, one, other)))
            continue
        told.append(name)
        told += [f"  {line}" for line in difflib.ndiff(one, other) if not line.startswith("?")]
    return told
