# SPDX-License-Identifier: GPL-2.0-only
"""The site of all pages, and what Sphinx says of pages that are wrong."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = [sys.executable, ROOT / "doc" / "site" / "build.py"]


def run(*command):
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name, "site")
        cls.done = run(*BUILD, "--no-pdf", "--out", cls.site)

    def read(self, page):
        return (self.site / page).read_text("utf-8")

    def setUp(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)

    def test_it_says_what_it_made(self):
        pages = [*(ROOT / "doc").glob("*.rst"), *(ROOT / "doc" / "descriptor").glob("*.rst")]
        said = re.fullmatch(r"(\d+) pages, and (\d+) links that lead somewhere\n(.+)\n", self.done.stdout)
        self.assertGreater(int(said[1]), len(pages))
        self.assertGreater(int(said[2]), 2000)
        self.assertEqual(said[3], f"{self.site}/index.html")
        for page in pages:
            self.assertTrue((self.site / page.relative_to(ROOT)).with_suffix(".html").exists(), page)
        self.assertIn('url=doc/index.html"', self.read("index.html"))

    def test_it_begins_with_two_ways_in(self):
        start = self.read("doc/index.html")
        for title, link in (("Design a cluster", "design-a-cluster.html"), ("Study a balancer", "tutorial.html#a-researcher-s-day")):
            way = re.search(rf"<strong>{title}</strong>.*?</div>", start, re.S)
            self.assertTrue(f'href="{link}"' in way[0], link)

    def test_code_leads_to_its_page(self):
        for page, name, place in (
            ("doc/classes.html", "RdmaNic", r"\.\./classes/classns3_1_1rails_1_1RdmaNic\.html"),
            ("doc/development.html", "RdmaNic::Pull()", r"\.\./classes/classns3_1_1rails_1_1RdmaNic\.html#\w+"),
            ("doc/development.html", "model/host/rdma-nic.cc", r"\.\./classes/rdma-nic_8h\.html"),
            ("doc/own-balancer.html", "SumsBalancer", r"\.\./classes/classns3_1_1rails_1_1SumsBalancer\.html"),
        ):
            form = rf'<a class="code reference external" href="{place}"><code[^>]*><span class="pre">{re.escape(name)}</span>'
            self.assertTrue(re.search(form, self.read(page)), name)
        for page, name in (("doc/results.html", "ns3"), ("doc/notebook.html", "Sweep"), ("doc/hosts.html", "NetDevice")):
            form = rf'<code[^>]*><span class="pre">{name}</span></code>'
            self.assertTrue(re.search(form, self.read(page)), name)
            self.assertFalse(re.search("/classes/[^>]*>" + form, self.read(page)), name)

    def test_cells_say_whether_they_are_sentences(self):
        page = self.read("doc/descriptor/workload.html")
        self.assertRegex(page, r'<td class="short"><p>(count|[a-z]+)</p></td>')
        for length, text in re.findall(r'<td class="(short|long)"><p>([^<]*)</p></td>', page):
            self.assertEqual(length == "long", len(text) > 30, text)

    def test_files_come_along(self):
        link = re.search(r'href="(\.\./_downloads/[^"]+/load-balancing-figure-01\.csv)"', self.read("doc/load-balancing-results.html"))
        self.assertEqual((self.site / "doc" / link[1]).read_bytes(), (ROOT / "doc/figures/load-balancing-figure-01.csv").read_bytes())

    def test_it_can_be_searched(self):
        index = self.read("searchindex.js")
        for word in ("dcqcn", "watchdog", "nvlink"):
            self.assertTrue(re.search(rf'\b{word}"?: ?\[', index), word)

    def test_a_page_has_its_headings_once(self):
        page = self.read("doc/rails.html")
        self.assertEqual(page.count('href="#scope-and-limitations">Scope and'), 1)
        self.assertEqual(page.count("Scope and Limitations</a>"), 1)
        self.assertFalse("contents local" in page)

    def test_a_folder_of_other_files_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mine.txt")
            file.write_text("mine", "utf-8")
            done = run(*BUILD, "--no-pdf", "--out", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("has files that are not of a site", done.stderr)
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["mine.txt"])


class SmallSiteTest(unittest.TestCase):
    """Pages beside `page.rst` and `other.txt`, of which each says one thing, right or wrong."""

    def make(self, texts, end):
        """What Sphinx says of pages, by their numbers."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            (source / "conf.py").write_text(
                f'import sys\nsys.path.insert(0, "{ROOT}/doc/site")\nextensions = ["page_links", "myst_parser"]\n', "utf-8"
            )
            (source / "index.rst").write_text("Start\n=====\n\n.. toctree::\n   :glob:\n\n   *\n", "utf-8")
            (source / "page.rst").write_text("Page\n====\n\nA heading\n---------\n\nText\n", "utf-8")
            (source / "other.txt").write_text("text", "utf-8")
            for number, text in enumerate(texts):
                (source / f"{number}.{end}").write_text(text, "utf-8")
            done = run(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", source, source / "html")
            said = [re.search(rf"/{number}\.{end}:\d*:? ?(.*)", done.stderr) for number in range(len(texts))]
            self.assertEqual(done.returncode != 0, any(said), done.stderr)
            return [line[1] if line else "" for line in said]

    def test_links(self):
        targets = {
            "page.rst": "",
            "page.rst#a-heading": "",
            "other.txt": "",
            "https://example.org/page.rst": "",
            "nowhere.rst": "download file not readable",
            "nowhere.csv": "download file not readable",
            "page.rst#nowhere": "page has no heading #nowhere",
        }
        said = self.make([f"Begin\n=====\n\n`there <{target}>`_\n" for target in targets], "rst")
        for (target, problem), words in zip(targets.items(), said):
            self.assertEqual(bool(words), bool(problem), target)
            self.assertIn(problem, words)
        said = self.make([f"# Begin\n\n[there]({target})\n" for target in targets], "md")
        for (target, problem), words in zip(targets.items(), said):
            self.assertEqual(bool(words), bool(problem), target)

    def test_what_else_is_wrong(self):
        wrong = ("Begin\n====\n", "Begin\n=====\n\n`there`_\n", "Begin\n=====\n\n.. figure:: no.png\n", "Begin\n=====\n\n.. nothing::\n")
        self.assertNotIn("", self.make(wrong, "rst"))


if __name__ == "__main__":
    unittest.main()
