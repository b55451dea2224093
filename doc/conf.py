# SPDX-License-Identifier: GPL-2.0-only
"""
The site of these pages, and a manual in PDF, by Sphinx; ./rails docs makes both. The folder of the sources is that of
the repository, so that README.md and the pages of experiments/ are part of it: sphinx-build -c doc . OUT
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "doc" / "site"))

project = "rails"
author = "the authors of rails"
copyright = "2026, the authors of rails"  # noqa: A001
release = version = re.search(r"^set\(RAILS_VERSION (.+)\)$", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M)[1]

root_doc = "doc/index"
extensions = ["myst_parser", "page_links"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
# Nothing else of the repository is looked at; a clone that is in use has large folders.
PARTS = {"doc", "experiments", "README.md", "CHANGES.md", "CONTRIBUTING.md", "FEATURES.md", "SECURITY.md"}
exclude_patterns = [entry.name for entry in ROOT.iterdir() if entry.name not in PARTS]
exclude_patterns.append("experiments/load-balancing/*/README.md")  # its page says the same of all figures
language = "en"
highlight_language = "none"
smartquotes = False
nitpicky = True

rails_other_code = ["doc/notebook"]

html_theme = "furo"
html_favicon = "figures/icon.png"
html_logo = "figures/icon.png"
html_title = f"rails {release}"
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "other-forms.html",
        "sidebar/scroll-end.html",
    ]
}
templates_path = ["site/templates"]
html_static_path = ["site/static"]
html_css_files = ["rails.css"]
html_copy_source = False
html_show_sphinx = False

latex_documents = [("doc/index", "rails.tex", "rails, a module for ns-3", "", "manual")]
latex_logo = "figures/icon.png"
latex_elements = {"papersize": "a4paper", "pointsize": "10pt", "extraclassoptions": "openany,oneside"}
