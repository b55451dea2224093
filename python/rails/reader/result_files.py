# SPDX-License-Identifier: GPL-2.0-only
"""Reads and writes single files: CSV with checks, and all or nothing."""

import csv
import io
import math
import os
import tempfile
from pathlib import Path

from ..errors import ResultError, cut, reason_of
from ..plain_text import escaped_name
from .foreign_files import lines_of, open_foreign, sound_number


def read_table(path, columns, gaps=()):
    """
    Columns of a CSV file by name.

    :param columns: the wanted ones, and whether each holds `float` or `str`
    :param gaps: those of them in which a cell may be empty; it is NaN then
    :return: arrays of numbers, lists of texts
    """
    try:
        with open_foreign(path) as file:
            return _read_rows(path, csv.reader(lines_of(path, file)), columns, gaps)
    except OSError as error:
        raise ResultError(path, f"cannot be read ({reason_of(error)})") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise ResultError(path, f"is not CSV ({error})") from None


def write_table(path, columns, rows):
    """Rows as CSV; numbers with four significant digits."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    for row in rows:
        table.writerow([f"{value:.4g}" if isinstance(value, float) else value for value in row])
    write_at_once(path, text.getvalue())


def write_at_once(path, content):
    """Writes a file beside its place and renames it, so that it is whole or as it was."""
    path = Path(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        _write_to_device(path, data)
        return
    beside = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, path)
    except OSError as error:
        raise ResultError(path, f"cannot be written ({reason_of(error)})") from None
    finally:
        if beside is not None and os.path.exists(beside):
            os.unlink(beside)


def _write_to_device(path, data):
    """What cannot be replaced, such as a pipe: written as it is."""
    try:
        with open(path, "wb") as file:
            file.write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ResultError(path, f"cannot be written ({reason_of(error)})") from None


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _read_rows(path, rows, columns, gaps):
    names = next(rows, [])
    missing = [name for name in columns if name not in names]
    if missing:
        raise ResultError(path, f"has no column {', '.join(missing)}; expected what a run wrote")
    places = [names.index(name) for name in columns]
    found = [[] for _ in columns]
    texts = {}  # few different ones in many rows
    for row in rows:
        if len(row) != len(names):
            reason = f"there are {len(row)} cells; expected {len(names)}"
            raise ResultError(f"{path}:{rows.line_num}", reason)
        for values, place, (name, kind) in zip(found, places, columns.items()):
            cell = row[place]
            if kind is float:
                cell = math.nan if name in gaps and not cell else _number(cell)
            else:
                cell = texts.setdefault(cell, escaped_name(cell)) if cell not in texts else texts[cell]
            if cell is None:
                reason = f"{name}: expected a number, found '{escaped_name(cut(row[place]))}'"
                raise ResultError(f"{path}:{rows.line_num}", reason)
            values.append(cell)
    import numpy as np  # only here, so that all else needs Python alone

    kinds = columns.values()
    arrays = (np.array(v) if kind is float else v for v, kind in zip(found, kinds))
    return dict(zip(columns, arrays))


def _number(text):
    """None where the text is none."""
    try:
        return sound_number(text)
    except ValueError:
        return None
