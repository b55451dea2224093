# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a page, which sorts and filters them."""

from dataclasses import dataclass
from html import escape

MISSING = "–"


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and what it is sorted by."""

    text: str
    order: object = None  # the text itself when None
    markup: str = ""  # instead of the text
    numeric: bool = True
    kind: str = ""  # in place of what numeric says

    def html(self, title):
        """
        The cell below a title, which stands beside it where a page is too narrow for columns.
        """
        kind = self.kind or ("number" if self.numeric else "word")
        kind += " missing" * (self.text == MISSING)
        order = escape(str(self.text if self.order is None else self.order))
        return (
            f'<td class="{kind}" data-title="{escape(title)}" data-order="{order}">'
            f"{self.markup or escape(self.text)}</td>"
        )


def word(text, order=None, markup=""):
    return Cell(text, order, markup, numeric=False)


def number(value, form, factor=1):
    """A number; a dash where there is none."""
    return Cell(MISSING, "") if value is None else Cell(format(value / factor, form), repr(value))


def html_table(key, caption, head, rows, remark="", kind=""):
    """
    :param caption: what the table is, for those who do not see it
    :param head: titles of columns, and whether each holds numbers
    :param rows: lists of Cell
    :param remark: what is to be known of all rows
    :param kind: a class of its own
    """
    kinds = {True: "number", False: "word"}
    titles = "".join(
        f'<th scope="col" class="{kinds[numeric]}">{breakable(title)}</th>'
        for title, numeric in head
    )
    lines = "\n".join(row_of([cell.html(title) for cell, (title, _) in zip(row, head)]) for row in rows)
    return (
        f'<div class="table"><table id="{key}" class="{f"sorted {kind}".strip()}">'
        f"{caption_of(caption, remark)}\n"
        f"<thead><tr>{titles}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>"
    )


def row_of(cells):
    return f"<tr>{''.join(cells)}</tr>"


def caption_of(text, remark=""):
    """The caption of a table: its remark is seen, the text only heard."""
    return f'<caption><span class="unseen">{escape(text)}</span>{escape(remark)}</caption>'


def breakable(key):
    """A dotted key that may go on in the next line."""
    return escape(key).replace(".", ".<wbr>")


def section(key, title, *parts):
    """A part of the page with a heading; empty without anything below it."""
    if not any(parts):
        return ""
    return (
        f'<section aria-labelledby="{key}-title"><h2 id="{key}-title">{escape(title)}</h2>\n'
        + "\n".join(part for part in parts if part)
        + "\n</section>"
    )


def note(text):
    return f'<p class="note">{escape(text)}</p>'


def axis_cells(axes):
    """A function of a configuration that makes the cells of some axes."""
    places = {axis.key: {v: n for n, v in enumerate(axis.values)} for axis in axes}

    def cells(config):
        for axis in axes:
            value = config.get(axis.key)
            known = value is not None
            text = axis.ticks[places[axis.key][value]] if known else MISSING
            yield Cell(text, places[axis.key][value] if known else -1)

    return cells
