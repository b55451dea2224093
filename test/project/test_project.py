# SPDX-License-Identifier: GPL-2.0-only
"""One version, licences of all files, the icon, the image, and what runs on a host of repositories."""

import re
import struct
import subprocess
import unittest
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".c", ".cc", ".h", ".inc", ".py", ".sh", ".cmake", ".yaml", ".yml", ".rst", ".css", ".toml", ".cff", ".svg"}
CORPORA = ("test/fuzz/corpus/", "test/schema/")  # inputs, each as short as what it is to show
LEFT_OUT = {"LICENSES", "results", ".git", ".cache", "__pycache__"}  # of a clone that is in use


def read(path):
    return (ROOT / path).read_text("utf-8")


def list_files():
    """All files of the repository; those of git where it is one, as a clone that is in use has others."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=False)
    if done.returncode == 0 and done.stdout:
        names = [name.decode() for name in done.stdout.split(b"\0") if name]
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not LEFT_OUT & set(path.relative_to(ROOT).parts)]


def get_version():
    return re.search(r"^set\(RAILS_VERSION (\d+\.\d+\.\d+)\)$", read("CMakeLists.txt"), re.M)[1]


class VersionTest(unittest.TestCase):
    def test_all_name_the_same(self):
        version = get_version()
        self.assertEqual(re.search(r"^version: (.+)$", read("CITATION.cff"), re.M)[1], version)
        self.assertEqual(re.search(r"^## \[(.+)\]", read("CHANGES.md"), re.M)[1], version)
        told = subprocess.run([ROOT / "rails", "--version"], capture_output=True, encoding="utf-8", check=True).stdout
        self.assertRegex(told, rf"^rails {re.escape(version)}( \(commit .+\))?$")

    def test_each_release_names_the_ns3_that_it_was_tested_with(self):
        releases = re.split(r"^## ", read("CHANGES.md"), flags=re.M)[1:]
        self.assertGreater(len(releases), 0)
        for release in releases:
            self.assertRegex(release, r"\A\[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)\n")
            self.assertRegex(release, r"\n### Tested with\n\n- ns-3\.\d+", release[:30])


class CitationTest(unittest.TestCase):
    def test_it_has_what_the_format_asks_for(self):
        text = read("CITATION.cff")
        for key in ("cff-version", "message", "title", "authors", "type", "license"):
            self.assertEqual(len(re.findall(rf"^{key}:", text, re.M)), 1, key)
        self.assertIn("\nlicense: GPL-2.0-only\n", text)


class LicenceTest(unittest.TestCase):
    def test_there_is_one_and_its_text(self):
        self.assertEqual(read("LICENSES/GPL-2.0-only.txt"), read("LICENSE"))
        self.assertEqual([path.name for path in (ROOT / "LICENSES").iterdir()], ["GPL-2.0-only.txt"])

    def test_files_of_every_kind_have_it(self):
        annotation = read("REUSE.toml").partition("[[annotations]]")[2]
        self.assertIn('\npath = "**"\n', annotation)
        self.assertIn('\nSPDX-License-Identifier = "GPL-2.0-only"\n', annotation)
        self.assertIn("\nSPDX-FileCopyrightText = ", annotation)

    def test_sources_say_so_themselves(self):
        form = re.compile(rb"SPDX-License-Identifier(?:: | = \")(.+?)(?:\"| -->| \*/)?$", re.M)
        count = 0
        for path in list_files():
            if str(path.relative_to(ROOT)).startswith(CORPORA):
                continue
            begin = path.read_bytes()[:600]
            if path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Dockerfile", "Doxyfile") or begin.startswith(b"#!"):
                count += 1
                # An empty file has nothing that could be licensed.
                self.assertTrue(not begin or form.search(begin), f"{path} does not begin with its licence")
        self.assertGreater(count, 1000)


class IconTest(unittest.TestCase):
    def test_it_is_as_the_app_store_of_ns3_asks(self):
        """PNG, 100 x 100, with an alpha channel that leaves something transparent."""
        data = (ROOT / "doc/figures/icon.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
        self.assertEqual((width, height, depth, colour), (100, 100, 8, 6))
        pixels, place = b"", 8
        while place < len(data):
            (length,) = struct.unpack(">I", data[place : place + 4])
            if data[place + 4 : place + 8] == b"IDAT":
                pixels += data[place + 8 : place + 8 + length]
            place += length + 12
        rows = zlib.decompress(pixels)
        # The first row has nothing above it: without a filter, or with those two that then add nothing to its first pixel.
        self.assertEqual(rows[1:5], b"\0\0\0\0")
        self.assertGreater(len(set(rows)), 10)


class ImageTest(unittest.TestCase):
    def list_steps(self):
        text = re.sub(r" \\\n\s*", " ", read("Dockerfile"))
        return [line for line in text.splitlines() if line and not line.startswith("#")]

    def list_packages(self):
        tables = ("build", "plot", "report", "compare", "import")
        script = f'. "{ROOT}/setup/packages.sh"; printf "%s\\n" ' + " ".join(f'"${name}_packages"' for name in tables)
        told = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", check=True).stdout
        return sorted({line.split()[0] for line in told.splitlines() if line.strip()})

    def test_its_steps_are_those_of_the_launcher(self):
        update = "apt-get update && apt-get install -y --no-install-recommends "
        runs = [step.removeprefix("RUN ") for step in self.list_steps() if step.startswith("RUN ")]
        self.assertEqual(len(runs), 2)
        self.assertEqual(runs[0], update + " ".join(self.list_packages()))
        self.assertEqual(runs[1], "./rails setup")
        self.assertEqual(self.list_steps()[0], "FROM debian:bookworm")


class ModulesTest(unittest.TestCase):
    def test_ns3_finds_those_that_are_needed_and_no_others(self):
        """In the text of the module, by the names of variables."""
        named = set(re.findall(r"\{lib([^}]*[^obj])\}", read("CMakeLists.txt")))
        self.assertEqual(named, {"core", "network", "rails"})


class ExamplesTest(unittest.TestCase):
    def test_ns3_runs_all(self):
        """As test.py reads its list, and as CMake knows them."""
        names = {}
        exec(read("test/examples-to-run.py"), names)  # so does test.py
        self.assertEqual(names["python_examples"], [])
        for _, *conditions in names["cpp_examples"]:
            self.assertEqual(set(conditions) - {"True", "False"}, set())
        told = [name.split()[0] for name, _, _ in names["cpp_examples"]]
        self.assertEqual(told, sorted(re.findall(r"^ *NAME (\S+)$", read("examples/CMakeLists.txt"), re.M)))


class HostedTest(unittest.TestCase):
    def test_what_a_host_runs_is_there(self):
        steps = re.findall(r"^ +- run: (\S.*)$", read(".github/workflows/all.yml"), re.M)
        own = [step for step in steps if step.startswith(".")]
        self.assertEqual(own, [".ci/run", "./rails docs --out site"])
        for step in own:
            self.assertTrue((ROOT / step.split()[0]).is_file(), step)


if __name__ == "__main__":
    unittest.main()
