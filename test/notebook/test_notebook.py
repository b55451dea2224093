# SPDX-License-Identifier: GPL-2.0-only
"""
The notebook of examples/ does what it shows: executed from the beginning, its cells have the texts
that are committed, and figures where there are figures.
"""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
PATIENCE_S = 600


def execute(folder):
    """The notebook with what its cells show now, in a clone of what it needs."""
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # the kernel warns of a debugger otherwise
    for name in ("experiments", "python", "doc"):
        (folder / name).symlink_to(ROOT / name)
    here = folder / "examples"
    here.mkdir()
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, timeout=PATIENCE_S, kernel_name="python3", resources={"metadata": {"path": here}})
    client.execute()
    for cell in notebook.cells:  # when, by which version and how far it was says nothing
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not _is_progress(output)]
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def _is_progress(output):
    return output["output_type"] == "display_data" and not any(output["data"].values())


def shown(notebook):
    """What each cell shows: its text, and which kinds of figures."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            figures = sorted(kind for kind in data if kind.startswith("image/"))
            text = output.get("text") or ("" if figures else data.get("text/plain", ""))
            if text.strip() or figures:
                found.append((cell.source, text, figures))
    return found


class Notebook(unittest.TestCase):
    def test_it_shows_what_is_committed(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        executed = execute(folder)
        if os.environ.get("RAILS_WRITE_PAGES") == "1":
            nbformat.write(executed, NOTEBOOK)
        committed = nbformat.read(NOTEBOOK, as_version=4)
        self.assertEqual(shown(executed), shown(committed))
        figures = [kinds for _, _, kinds in shown(committed) if kinds]
        self.assertEqual(figures, [["image/png"]] * 3)
        errors = [output for cell in committed.cells for output in cell.get("outputs", [])
                  if output["output_type"] == "error" or output.get("name") == "stderr"]
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
