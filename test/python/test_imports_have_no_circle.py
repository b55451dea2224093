# SPDX-License-Identifier: GPL-2.0-only
"""No file of the package and of the plotting scripts imports, through whatever others, itself."""

import ast
import tempfile
import unittest
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from paths import PYTHON, ROOT


def modules_below(folder):
    """The files of a folder by the names that they are imported by."""
    found = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name, path, modules):
    """Which modules a file imports: at its beginning, in functions, and for types alone."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            place = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                part = f"{place}.{alias.name}"
                yield part if part in modules else place


def circle_in(modules):
    """The modules of one circle in order; empty where there is none."""
    graph = {name: modules.keys() & set(imported(name, path, modules)) for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


class Imports(unittest.TestCase):
    def test_no_circle_in_the_package_and_the_plotting_scripts(self):
        modules = {**modules_below(PYTHON), **modules_below(ROOT / "plots")}
        self.assertLessEqual({"rails", "rails.errors", "rails.plots.style", "papers.figure", "report"}, modules.keys())
        self.assertEqual(circle_in(modules), [])

    def test_circles_of_each_kind_are_found(self):
        for low in (
            "from .high import High",
            "from . import high",
            "import p.high",
            "def late():\n    from .high import High",
            "if TYPE_CHECKING:\n    from .high import High",
            "import p",
            "from .low import Low",
        ):
            with self.subTest(low), tempfile.TemporaryDirectory() as folder:
                package = Path(folder) / "p"
                package.mkdir()
                (package / "__init__.py").write_text("from .high import High")
                (package / "high.py").write_text("from p.low import Low")
                (package / "low.py").write_text("import os, p.other")
                self.assertEqual(circle_in(modules_below(Path(folder))), [])
                (package / "low.py").write_text(low)
                self.assertIn("p.low", circle_in(modules_below(Path(folder))))


if __name__ == "__main__":
    unittest.main()
