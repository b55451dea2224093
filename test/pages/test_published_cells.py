# SPDX-License-Identifier: GPL-2.0-only
"""Cells that pages name, in pages that are written here."""

import json
import tempfile
import unittest
from pathlib import Path

from published_cells import PageError, find_unnamed, read_cells, read_value

TABLE = """\
=====  ====  =======
Model  Rate  MN/FT
=====  ====  =======
A      100G  1.03
       400G  -0.5 %
B      100G  12,300 (0.97)
=====  ====  =======
"""


class PublishedCells(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read(self, text, name="page.rst"):
        page = self.folder / name
        page.write_text(text, encoding="utf-8")
        return read_cells(page)

    def cell(self, row, more="", table=TABLE):
        return self.read(f".. cell\n   row: {row}\n   column: MN/FT\n   run: a.yaml\n   where: b=1\n{more}\n{table}")[0]

    def test_a_cell_is_that_of_its_row_and_column_with_what_stands_above(self):
        self.assertEqual(self.cell("A | 100G").printed, "1.03")
        self.assertEqual(self.cell("A | 400G").printed, "-0.5")
        self.assertEqual(self.cell("B | 100G", "   number: 2\n").printed, "0.97")

    def test_a_value_agrees_to_the_printed_digits_and_no_further(self):
        cell = self.cell("A | 100G")
        self.assertTrue(cell.agrees(1.0349))
        self.assertFalse(cell.agrees(1.0351))
        self.assertFalse(cell.agrees(1.0249))
        self.assertTrue(self.cell("B | 100G").agrees(12300.4))

    def test_a_signed_percentage_is_what_a_ratio_differs_from_one(self):
        cell = self.cell("A | 400G")
        self.assertTrue(cell.agrees(0.9951))
        self.assertFalse(cell.agrees(0.9958))
        zero = self.cell("A | 100G", table=TABLE.replace("1.03", "-0.00 %"))
        self.assertTrue(zero.agrees(1.00001))
        self.assertFalse(zero.agrees(1.001))

    def test_tables_of_data_and_of_markdown_are_read_too(self):
        (self.folder / "data.csv").write_text("case,ours\nx,7.5\n", encoding="utf-8")
        keys = "row: x\ncolumn: ours\nrun: a\nwhere: none\n"
        self.assertEqual(self.read(".. cell\n  table: data.csv\n  " + keys.replace("\n", "\n  ").rstrip() + "\n")[0].printed, "7.5")
        text = f"<!-- cell\n{keys}-->\n\n| case | ours |\n|---|---|\n| y | 1 |\n| x | 8 |\n"
        self.assertEqual(self.read(text, "README.md")[0].printed, "8")

    def test_what_is_not_there_is_told_with_its_line(self):
        for row, more in (("C | 100G", ""), ("A | 100G", "   colour: red\n"), ("A | 100G", "   of: c=1\n")):
            with self.assertRaisesRegex(PageError, "page.rst:1: "):
                self.cell(row, more)

    def test_marked_tables_without_a_cell_are_found(self):
        page = self.folder / "page.rst"
        cell = ".. cell\n   row: A | 100G\n\n"
        page.write_text(f"{cell}.. results: one\n\n{TABLE}\n.. results: two\n", encoding="utf-8")
        self.assertEqual(find_unnamed(page), ["two"])

    def test_a_derived_table_names_the_one_that_it_comes_from(self):
        text = f".. cell\n   derived: one\n\n.. results: two\n\n{TABLE}\n"
        with self.assertRaisesRegex(PageError, "no table 'one'"):
            self.read(text)
        self.assertEqual(self.read(f"{text}.. results: one\n\n{TABLE}\n"), [])

    def test_a_table_of_an_outcome_has_the_rows_of_its_file(self):
        outcome = self.folder / "outcome.txt"
        text = f".. cell\n   outcome: {outcome}\n\n.. results: two\n\n{TABLE}\n"
        with self.assertRaisesRegex(PageError, "there is no"):
            self.read(text)
        lines = [line for line in TABLE.splitlines() if line and not line.startswith("=")]
        outcome.write_text("\n".join(lines).replace("  ", "    "), encoding="utf-8")
        self.assertEqual(self.read(text), [])
        outcome.write_text("\n".join(lines[:-1]), encoding="utf-8")
        with self.assertRaisesRegex(PageError, "outcome.txt has no line"):
            self.read(text)

    def test_a_value_is_the_mean_of_as_many_points_as_named(self):
        for name, time in (("a", 1), ("b", 2)):
            (self.folder / "out" / name).mkdir(parents=True)
            kinds = [{"name": "dispatch", "s": 3 * time}]
            result = {"cct_s": time, "bound_s": 0.5, "graph": {"kinds": kinds}}
            (self.folder / "out" / name / "result.json").write_text(json.dumps(result), encoding="utf-8")
        out = self.folder / "out"
        self.assertEqual(read_value(out, self.cell("A | 100G", "   points: 2\n")), 1.5)
        own = self.cell("A | 100G", "   points: 2\n   metric: graph.kinds.dispatch.s\n   second: bound_s\n")
        self.assertEqual(read_value(out, own), 9)
        with self.assertRaisesRegex(PageError, "2 points, expected 1"):
            read_value(out, self.cell("A | 100G"))


if __name__ == "__main__":
    unittest.main()
