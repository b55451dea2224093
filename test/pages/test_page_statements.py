# SPDX-License-Identifier: GPL-2.0-only
"""Statements of pages on their tables, in pages that are written here."""

import tempfile
import unittest
from pathlib import Path

from page_statements import read_statements
from published_cells import PageError

PAGE = """\
.. statement
   table: cells
{keys}

- *Zipf* takes {prose}.

.. results: cells

========  ====  ======  ========
Load      Size  rails   in turn
========  ====  ======  ========
zipf 0.8  64    -77 %   1.054
          4     -82 %   1.050
uniform   64    +0 %    1.020
========  ====  ======  ========
"""


class Statements(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = Path(folder.name) / "page.rst"

    def check(self, says, prose="77 to 82 % less, 77 or 82 %, 80 %", **keys):
        keys = {"columns": "rails", "says": says, **keys}
        lines = "\n".join(f"   {key}: {value}" for key, value in keys.items())
        self.page.write_text(PAGE.format(keys=lines, prose=prose), encoding="utf-8")
        (found,) = read_statements(self.page)
        return found.check()

    def test_a_range_is_the_least_and_the_most_of_its_cells(self):
        self.assertEqual(self.check("77 to 82 %", where="Load = zipf*"), "")
        self.assertEqual(self.check("at most 82 %"), "")
        self.assertIn("the table has 77 to 82, 79.5 in the median, in 2 cells", self.check("77 to 80 %", where="Load = zipf*"))

    def test_a_cell_that_is_empty_has_what_stands_above(self):
        self.assertEqual(self.check("82 %", where="Load = zipf*; Size = 4"), "")

    def test_one_number_is_that_of_all_cells_and_medians_are_named(self):
        self.assertIn("says 82 %", self.check("82 %", where="Load = zipf*"))
        self.assertEqual(self.check("77 % in the median"), "")

    def test_numbers_are_compared_to_the_digits_printed(self):
        self.assertEqual(self.check("1.05", "1.05", columns="in*", where="Load = zipf*"), "")
        self.assertIn("says 1.06", self.check("1.06", "1.06", columns="in*", where="Load = zipf*"))

    def test_a_number_that_the_paragraph_lacks_is_named(self):
        with self.assertRaisesRegex(PageError, "page.rst:1: the paragraph that follows has no 83"):
            self.check("77 to 83 %")

    def test_tables_columns_and_cells_that_are_not_there_are_named(self):
        for keys, message in (
            ({"where": "Rate = 1"}, "no column 'Rate'"),
            ({"columns": "ecmp"}, "no column 'ecmp'"),
            ({"where": "Load = moe"}, "no cell of cells is meant"),
            ({"colour": "x"}, "expected each of"),
        ):
            with self.assertRaisesRegex(PageError, message):
                self.check("82 %", **keys)


if __name__ == "__main__":
    unittest.main()
