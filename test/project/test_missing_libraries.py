# SPDX-License-Identifier: GPL-2.0-only
"""What an ns-3 tree without one of the libraries builds: all but the parts that need it."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = os.environ.get("RAILS_BUILD")


@unittest.skipUnless(BUILD, "RAILS_BUILD does not name a build folder")
class MissingLibraries(unittest.TestCase):
    def configure(self, package):
        """What CMake says of a tree without a package, and the names of its targets."""
        tree = re.search("CMAKE_HOME_DIRECTORY:INTERNAL=(.*)", (Path(BUILD) / "CMakeCache.txt").read_text())[1]
        with tempfile.TemporaryDirectory() as folder:
            options = [
                "-DNS3_ENABLED_MODULES=rails",
                "-DNS3_EXAMPLES=ON",
                "-DNS3_TESTS=ON",
                "-DNS3_PYTHON_BINDINGS=OFF",
                f"-DNS3_OUTPUT_DIRECTORY={folder}/output",
                f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON",
            ]
            saved = Path(tree) / ".lock-ns3_linux_build"  # which CMake writes into the tree
            before = saved.read_bytes() if saved.exists() else None
            try:
                done = subprocess.run(
                    ["cmake", "-G", "Ninja", "-S", tree, "-B", f"{folder}/build", *options],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
            finally:
                saved.write_bytes(before) if before is not None else saved.unlink(missing_ok=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            targets = subprocess.run(
                ["ninja", "-C", f"{folder}/build", "-t", "targets", "all"],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            ).stdout
        return " ".join(done.stdout.split()), {line.split(":")[0] for line in targets.splitlines()}

    def test_the_module_is_left_out_and_listed(self):
        said, targets = self.configure("Boost")
        self.assertIn("The rails module is left out: on Debian and Ubuntu, apt install libboost-dev", said)
        self.assertRegex(said, r"Modules that cannot be built: .*\brails\b")
        self.assertEqual([target for target in targets if "librails" in target], [])

    def test_the_program_is_left_out_and_the_examples_stay(self):
        said, targets = self.configure("CLI11")
        self.assertIn("left out: on Debian and Ubuntu, apt install libcli11-dev", said)
        programs = {"rails-all-to-all", "rails-experiment", "rails-gtest", "rails-custom-balancer"}
        self.assertEqual(programs & targets, {"rails-all-to-all"})
        batches = [target for target in targets if "batches/librails-obj" in target]
        self.assertGreater(len(batches), 10, "sources go in batches in any tree")


if __name__ == "__main__":
    unittest.main()
