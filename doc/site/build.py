#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Makes the site: pages of C++ classes by Doxygen, the manual as PDF where LaTeX is there, all other pages by Sphinx. A
warning of Doxygen or Sphinx is an error, and so is a link inside of the site that leads nowhere.
"""

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import check_links

ROOT = Path(__file__).resolve().parents[2]
MARK = ".buildinfo"  # which Sphinx writes
START = "doc/index.html"
MANUAL = "rails.pdf"
LATEX = ("tabulary.sty", "tgtermes.sty", "titlesec.sty", "needspace.sty")  # of what Sphinx uses, those of other packages
LATEX_PACKAGES = "latexmk, texlive-latex-extra, texlive-fonts-recommended, tex-gyre and librsvg2-bin"


class SiteError(Exception):
    """What is wrong, in words for a user."""


def run(command, what, **options):
    """Runs a program, which says nothing where nothing is wrong."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", **options, check=False)
    said = done.stdout.strip().replace(f"{ROOT}/", "")
    if done.returncode:
        raise SiteError(f"{said}\n{what}: failed")
    return said


def find_version():
    return re.search(r"^set\(RAILS_VERSION (.+)\)$", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M)[1]


def make_classes(folder, tags):
    """Doxygen's pages, and the file in which it says where what stands."""
    folder.mkdir(parents=True)
    settings = (ROOT / "doc" / "Doxyfile").read_text("utf-8")
    settings += f'PROJECT_NUMBER = {find_version()}\nOUTPUT_DIRECTORY = "{folder}"\nGENERATE_TAGFILE = "{tags}"\n'
    run(["doxygen", "-"], "Doxygen", input=settings)


def make_pages(builder, folder, settings=()):
    with tempfile.TemporaryDirectory() as trees:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-c", "doc", "-b", builder, "-d", trees]
        command += [f"-j{os.cpu_count()}", *(word for setting in settings for word in ("-D", setting)), ".", str(folder)]
        run(command, "Sphinx")


def find_missing_latex():
    missing = [name for name in ("pdflatex", "latexmk", "kpsewhich", "rsvg-convert") if not shutil.which(name)]
    if not missing:
        missing = [name for name in LATEX if subprocess.run(["kpsewhich", name], stdout=subprocess.DEVNULL, check=False).returncode]
    return missing


def make_manual(folder):
    """The pages as one PDF; False where LaTeX is not there."""
    missing = find_missing_latex()
    if missing:
        print(f"no PDF: there is no {', '.join(missing)} (in Debian these are in {LATEX_PACKAGES})")
        return False
    with tempfile.TemporaryDirectory() as made:
        make_pages("latex", made)
        run(["make", "-C", made, "LATEXMKOPTS=-silent -interaction=nonstopmode", "all-pdf"], "LaTeX")
        shutil.copy(Path(made, MANUAL), folder / MANUAL)
    return True


def make_site(folder, with_manual):
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise SiteError(f"{folder} has files that are not of a site; give another folder, or an empty one")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        # Beside its place, so that a site that is there stays until there is a new one.
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder.parent, prefix=folder.name + "-")))
        site, tags = made / "site", made / "tags.xml"
        make_classes(site / "classes", tags)
        settings = [f"rails_tags={tags}"]
        if with_manual and make_manual(site):
            settings.append(f"rails_manual={MANUAL}")
        make_pages("html", site, settings)
        (site / "index.html").write_text(
            f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>rails</title>\n'
            f'<meta http-equiv="refresh" content="0; url={START}">\n<a href="{START}">rails</a>\n',
            "utf-8",
        )
        pages, links, wrong = check_links.check(site, beside=["classes"])  # Doxygen's own links are as they are
        if wrong:
            raise SiteError("\n".join(wrong) + f"\n{len(wrong)} links lead nowhere")
        shutil.rmtree(folder, ignore_errors=True)
        site.rename(folder)
    return pages, links


def main():
    parser = argparse.ArgumentParser(prog="./rails docs", description=__doc__.strip(), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=Path, default=os.environ.get("RAILS_DOCS"), help="folder of the site (default: in the cache)")
    parser.add_argument("--no-pdf", action="store_true", help="only pages of HTML")
    arguments = parser.parse_args()
    if not arguments.out:
        parser.error("where to? give --out DIR")
    folder = Path(os.path.abspath(arguments.out))
    try:
        pages, links = make_site(folder, not arguments.no_pdf)
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{pages} pages, and {links} links that lead somewhere")
    print(f"{folder}/index.html")
    if (folder / MANUAL).exists():
        print(folder / MANUAL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
