# SPDX-License-Identifier: GPL-2.0-only
"""Tables of results in a page of the documentation."""

import re

from ..errors import ResultError
from ..reader.result_files import write_at_once


def fill(page, tables):
    """
    Puts tables, by name, into a page: between the lines ".. results: NAME" and ".. end: NAME".
    """
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        form = re.compile(rf"(?s)(\.\. results: {name}\n).*?(\n\.\. end: {name}\n)")
        if not form.search(text):
            raise ResultError(page, f"has no lines '.. results: {name}' and '.. end: {name}'")
        text = form.sub(lambda found, own=table: found[1] + "\n" + own + found[2], text)
    write_at_once(page, text)


def simple_table(rows):
    """Rows as a simple table of reStructuredText, the first one being its head."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    line = "  ".join("=" * width for width in widths)
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([line, lines[0], line, *lines[1:], line]) + "\n"
