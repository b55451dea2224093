# SPDX-License-Identifier: GPL-2.0-only
"""The version of the module, and where the clone is whose launcher the package calls; see pyproject.toml."""

import re
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build import build
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Build(build):
    """Leaves nothing behind in the clone, nor takes anything up that is left of a former time."""

    def initialize_options(self):
        super().initialize_options()
        self.build_base = tempfile.mkdtemp(prefix="rails-build-")


class BuildPy(build_py):
    """Writes the clone into the package."""

    def run(self):
        super().run()
        if (ROOT / "rails").is_file() and not self.editable_mode:
            place = Path(self.build_lib) / "rails" / "clone.txt"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"{ROOT}\n", encoding="utf-8")


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^set\(RAILS_VERSION (.*)\)$", text, re.MULTILINE)[1]


setup(version=version(), cmdclass={"build": Build, "build_py": BuildPy})
