# SPDX-License-Identifier: GPL-2.0-only
"""Rows of the CSV files that say what papers have."""

import csv

from rails.errors import ResultError


def read_rows(path, columns):
    """Pairs of a row, by column, and its place; ResultError where a file has other columns."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != columns:
            raise ResultError(path, f"expected the columns {','.join(columns)}")
        for row in rows:
            yield row, f"{path}:{rows.line_num}"
