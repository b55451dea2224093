# SPDX-License-Identifier: GPL-2.0-only
"""
What the pages write for a reader of the repository, for Sphinx. `text <other.rst>`_ becomes a link to that page, a link to
another file one to a copy of it, and the name of a class, a function or a header of this module one to what Doxygen has
of it. Tables of contents inside pages are left out where the theme shows one.
"""

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.transforms.post_transforms.images import ImageConverter
from sphinx.util import logging

LOG = logging.getLogger(__name__)
CLASSES = "classes"  # the folder of the site that has Doxygen's pages


def _is_external(uri):
    return re.match(r"[a-z][a-z0-9+.-]*:|//|#|$", uri) is not None


class FileLinks(SphinxTransform):
    """Links to files, while a page is read."""

    default_priority = 750  # docutils has then resolved names, and made tables of contents

    def apply(self, **_):
        for node in list(self.document.findall(nodes.reference)):
            uri = node.get("refuri", "")
            if not _is_external(uri) and not node.get("internal"):
                self._lead(node, *unquote(uri).partition("#")[::2])
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node["reftype"] == "myst":
                self._lead(node, *unquote(node["reftarget"]).partition("#")[::2])

    def _lead(self, node, path, anchor):
        folder = os.path.dirname(self.env.docname)
        target = os.path.normpath(os.path.join(folder, path))
        page = os.path.splitext(target)[0]
        if page in self.env.found_docs:
            link = addnodes.pending_xref(
                "", refdomain="rails", reftype="page", reftarget=page, anchor=anchor, refdoc=self.env.docname, refwarn=True
            )
            link += nodes.inline("", "", *node.children)
        else:  # Sphinx warns where there is no such file
            link = addnodes.download_reference("", "", *node.children, reftarget="/" + target, refdoc=self.env.docname)
        link.source, link.line = node.source, node.line
        node.replace_self(link)


class PageLinks(SphinxPostTransform):
    """Links to other pages, once all are read."""

    default_priority = 5  # before Sphinx asks its domains

    def run(self, **_):
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link["refdomain"] != "rails":
                continue
            uri = self.app.builder.get_relative_uri(self.env.docname, link["reftarget"])
            anchor = link["anchor"]
            if anchor:
                if anchor not in _find_anchors(self.env, link["reftarget"]):
                    LOG.warning("%s has no heading #%s", link["reftarget"], anchor, location=link)
                uri += "#" + anchor
            link.replace_self(nodes.reference("", "", *link.children[0].children, internal=True, refuri=uri))


def _find_anchors(env, page):
    return {name for node in env.get_doctree(page).findall(nodes.Element) for name in node.get("ids", [])}


class LocalContents(SphinxPostTransform):
    """The theme has the headings of a page at its side, the manual of all pages at its beginning."""

    default_priority = 6

    def run(self, **_):
        for topic in list(self.document.findall(nodes.topic)):
            if "contents" in topic["classes"]:
                topic.parent.remove(topic)
        for title in self.document.findall(nodes.title):
            title.attributes.pop("refid", None)  # which led back to there


class CellLengths(SphinxPostTransform):
    """Tells the style sheet which cells of a table are sentences, and which a number or a word or two."""

    default_priority = 800

    def run(self, **_):
        for cell in self.document.findall(nodes.entry):
            length = len(cell.astext())
            if length > 30 or length <= 16:
                cell["classes"].append("long" if length > 30 else "short")


class CodeLinks(SphinxPostTransform):
    """Names of classes, functions and headers, from the file of tags that Doxygen writes."""

    default_priority = 700
    formats = ("html",)

    def run(self, **_):
        names = self.env.rails_tags
        if not names or self.env.docname in self.config.rails_other_code:
            return
        start = "../" * self.env.docname.count("/") + CLASSES + "/"
        for literal in list(self.document.findall(nodes.literal)):
            where = names.get(literal.astext())
            if where and not isinstance(literal.parent, (nodes.reference, addnodes.download_reference)):
                link = nodes.reference("", "", internal=False, refuri=start + where, classes=["code"])
                literal.replace_self(link)
                link += literal


class DrawingConverter(ImageConverter):
    """Drawings as PDF, as LaTeX knows no SVG."""

    conversion_rules = [("image/svg+xml", "application/pdf")]

    def is_available(self):
        return True

    def convert(self, source, target):
        subprocess.run(["rsvg-convert", "-f", "pdf", "-o", target, source], check=True)
        return True


def read_tags(path, root):
    """
    Where Doxygen tells of what, by the names that pages use: `Port` and `ns3::rails::Port`, `Port::Arrive()`,
    `ns3/rails-port.h`, `model/fabric/rails-port.cc`. A name that means several things is left out, and so is one that could
    be a word or a key as well: `ns3`.
    """
    found = {}

    def add(name, where):
        found.setdefault(name, set()).add(where)

    for compound in ElementTree.parse(path).getroot():
        name, where = compound.findtext("name"), compound.findtext("filename")
        if compound.get("kind") == "namespace":
            add(name, where)
            for member in compound.findall("member"):
                end = "()" if member.get("kind") == "function" else ""
                add(member.findtext("name") + end, f"{member.findtext('anchorfile')}#{member.findtext('anchor')}")
        elif compound.get("kind") in ("class", "struct") and name.startswith("ns3::rails::"):  # not those of ns-3
            short = name.split("::")[-1]
            for form in {name, name.removeprefix("ns3::"), name.removeprefix("ns3::rails::"), short}:
                add(form, where)
                for member in compound.findall("member[@kind='function']"):
                    place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
                    add(f"{form}::{member.findtext('name')}()", place)
        elif compound.get("kind") == "file":
            file = Path(compound.findtext("path"), name)
            short = (file.relative_to(root) if file.is_relative_to(root) else file).with_suffix("")
            for form in (name, f"ns3/{name}", f"{short}.h", f"{short}.cc", str(short)):
                add(form, where)
    # An overloaded function is told of where its first form is; the others stand beside it.
    def choose(places):
        files = {place.partition("#")[0] for place in places}
        return min(places) if len(files) == 1 else None

    return {name: choose(places) for name, places in found.items() if choose(places) and re.search("[A-Z/:.]", name)}


def _begin(app):
    tags = app.config.rails_tags
    app.env.rails_tags = read_tags(tags, Path(app.srcdir)) if tags else {}


def _tell_templates(app, _page, _template, context, _doctree):
    context.update(rails_tags=app.config.rails_tags, rails_manual=app.config.rails_manual)


def setup(app):
    app.add_config_value("rails_tags", "", "env")  # the file that Doxygen has written
    app.add_config_value("rails_other_code", [], "html")  # pages whose names are not those of C++
    app.add_config_value("rails_manual", "", "html")  # the PDF beside the pages
    app.add_transform(FileLinks)
    for transform in (PageLinks, LocalContents, CodeLinks, CellLengths, DrawingConverter):
        app.add_post_transform(transform)
    app.connect("builder-inited", _begin)
    app.connect("html-page-context", _tell_templates)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
