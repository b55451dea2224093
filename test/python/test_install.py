# SPDX-License-Identifier: GPL-2.0-only
"""pip install ./python, without a network."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import paths
from experiments import SMALL, InFolder

ABSENT = paths.lacking("pip", "setuptools", "wheel")
CALL = """\
import json, sys, rails
from rails.launcher import find_launcher
print(rails.__file__, find_launcher(), rails.run(json.loads(sys.argv[1])).status, sep="\\n")
"""


@unittest.skipIf(ABSENT, ABSENT)
class Install(InFolder):
    def test_an_installed_package_calls_the_clone_that_it_came_from(self):
        clone, there = self.folder / "a clone", self.folder / "there"
        unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(paths.PYTHON, clone / "python", ignore=unwanted)
        for name in ("CMakeLists.txt", "rails"):
            shutil.copy(paths.ROOT / name, clone)
        options = ["--no-build-isolation", "--no-deps", "--no-index", "--no-compile", "--quiet", "--target", there]
        command = [sys.executable, "-m", "pip", "install", *options, "./python"]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

        # All of the package, and nothing that a build leaves in the clone but what says what was installed.
        files = {path.relative_to(clone / "python") for path in (clone / "python" / "rails").rglob("*") if path.is_file()}
        found = {path.relative_to(there) for path in (there / "rails").rglob("*") if path.is_file()}
        self.assertEqual(found, files | {Path("rails/clone.txt")})
        self.assertEqual({path.name for path in (clone / "python").iterdir()},
                         {"rails", "ns3_rails.egg-info", *(path.name for path in paths.PYTHON.iterdir()
                                                           if path.suffix != ".egg-info")} - {"__pycache__"})
        version = re.search(r"RAILS_VERSION (.*)\)", (paths.ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertTrue((there / f"ns3_rails-{version}.dist-info").is_dir())

        environment = {key: value for key, value in os.environ.items() if key not in ("RAILS_LAUNCHER", "PYTHONPATH")}
        command = [sys.executable, "-c", CALL, json.dumps(SMALL)]
        told = subprocess.run(command, env={**environment, "PYTHONPATH": str(there)}, capture_output=True, text=True,
                              check=True).stdout.splitlines()
        self.assertEqual(told, [str(there / "rails" / "__init__.py"), str(clone / "rails"), "0"])


if __name__ == "__main__":
    unittest.main()
