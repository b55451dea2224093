# SPDX-License-Identifier: GPL-2.0-only
"""The check of links, on small sites."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "doc" / "site"))

import check_links  # noqa: E402


class LinksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "site")

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, "utf-8")

    def find(self, link, beside=()):
        """What is said of a link of one page to another."""
        self.write("doc/a.html", f'<p id="here"><a class="x" href="{link}">text</a></p>')
        self.write("other/b c.html", "<section id='head'><a name=\"old\"></a><img src='../p.png'></section>")
        self.write("p.png", "")
        return check_links.check(self.folder, beside)[2]

    def test_links_that_lead_somewhere(self):
        for link in (
            "../other/b%20c.html",
            "../other/b%20c.html#head",
            "../other/b%20c.html?x=1#old",
            "#here",
            "",
            "../p.png#any",
            "https://www.nsnam.org/nowhere",
            "mailto:nobody@example.org",
            "//example.org/x",
            "data:image/png;base64,AA==",
        ):
            self.assertEqual(self.find(link), [], link)

    def test_links_that_lead_nowhere(self):
        for link, problem in {
            "c.html": "there is no such file",
            "../other": "there is no such file",
            "../../outside.html": "there is no such file",
            "../other/b%20c.html#heads": "that page has no such place",
            "#nowhere": "that page has no such place",
        }.items():
            (self.folder.parent / "outside.html").write_text("", "utf-8")
            self.assertEqual(self.find(link), [f"doc/a.html: {link}: {problem}"])

    def test_what_is_beside_is_led_to_alone(self):
        self.assertEqual(self.find("../other/b%20c.html#nowhere", ["other"]), ["doc/a.html: ../other/b%20c.html#nowhere: that page has no such place"])
        self.write("other/d.html", '<a href="nowhere.html">')
        self.assertEqual(self.find("../other/d.html", ["other"]), [])
        self.assertEqual(self.find("../other/d.html"), ["other/d.html: nowhere.html: there is no such file"])

    def test_it_counts(self):
        self.find("#here")
        self.assertEqual(check_links.check(self.folder)[:2], (2, 2))


if __name__ == "__main__":
    unittest.main()
