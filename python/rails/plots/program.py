# SPDX-License-Identifier: GPL-2.0-only
"""
How every program of this folder begins and ends: its options, what it writes and says, and, when it
cannot do what it was asked for, one line on standard error and status 2.
"""

import argparse
import math
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from ..ending import BAD_INPUT, complain, end_with
from ..errors import Error
from . import style
from .own_files import refuse_foreign
from .page_tables import fill, simple_table

WHERE = "only points with this value of a key, a component's type or a label of the sweep"


class Parser(argparse.ArgumentParser):
    """Tells a wrong option in one line."""

    def error(self, message):
        complain(f"{self.prog}: error: {message}; {self.prog} --help tells all")
        sys.exit(BAD_INPUT)

    def add_selection(self):
        """The options that choose points of a folder."""
        self.add_argument(
            "--where",
            metavar="KEY=VALUE",
            action="append",
            default=[],
            help=WHERE + "; may be repeated, then all must hold",
        )
        self.add_argument(
            "--all",
            action="store_true",
            help="points left over from an earlier sweep in the folder as well",
        )

    def add_force(self):
        """The option that lets a program replace what it has not written."""
        self.add_argument("--force", action="store_true", help="replaces files that ./rails has not written")

    def add_results(self, holds, figures="the folder of results", results=Path("results")):
        """
        The options of programs that draw the results of experiments.

        :param holds: what the folder of results has in it
        :param figures: where figures go unless said otherwise: a path, or in words
        """
        self.add_argument("--results", metavar="DIR", type=Path, default=results, help=f"holds {holds}")
        default = figures if isinstance(figures, Path) else None
        self.add_argument(
            "--figures-to", metavar="DIR", type=Path, default=default, help=f"default: {figures}"
        )

    def add_formats(self, usual="png and svg"):
        """The option that says which files there are of a figure."""
        self.add_argument(
            "--format",
            metavar="|".join(style.FORMATS),
            choices=list(style.FORMATS),
            action="append",
            dest="formats",
            help=f"may be repeated; default: {usual}",
        )

    def add_page(self, default=None, name="FILE"):
        """The option of a page of the documentation. :param name: which page has the tables"""
        self.add_argument(
            "--page", metavar="FILE", type=Path, default=default, help=f"writes the tables of {name} into it"
        )


@dataclass
class Told:
    """What is said of results besides figures: lines, and rows by the name of a table of a page."""

    lines: list = field(default_factory=list)
    tables: dict = field(default_factory=dict)

    def add(self, name, lines, rows):
        self.lines += lines
        self.tables[name] = rows


def finish(options, drawings, told, folder=None):
    """
    Saves figures, fills the tables of the page, prints what is said.

    :param drawings: pairs of a name and a figure, or a function that draws it; may be made on the way
    :param folder: of figures unless options say otherwise; the one of results by default
    """
    folder = options.figures_to or folder or options.results
    with style.house_style():
        for name, drawing in drawings:
            figure = drawing() if callable(drawing) else drawing
            formats = getattr(options, "formats", None) or style.USUAL_FORMATS
            refuse_foreign([folder / f"{name}.{form}" for form in formats])
            for path in style.save(figure, folder, name, formats):
                print(path)
    if getattr(options, "page", None):
        fill(options.page, {name: simple_table(rows) for name, rows in told.tables.items()})
    for line in told.lines:
        print(line)


def number_in(wanted, kind=float):
    """The type of an option that takes a number of a Range."""

    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not wanted.holds(value):
            raise argparse.ArgumentTypeError(f"{text}: expected {wanted.text}")
        return value

    return read


def parser(command, description):
    """A parser that calls the program as users do."""
    return Parser(prog=f"./rails {command}", description=description)


def script_parser(path, description):
    """The same for a program that no command stands for."""
    return Parser(prog=f"plots/{Path(path).name}", description=description)


def run(main):
    """
    Ends the process with the status of main(), and without a traceback whatever happens in it.
    """
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of libraries, to those who work on this program
    name = Path(sys.argv[0]).name

    def main_in_memory():
        try:
            return main()
        except MemoryError:
            raise Error(name, "out of memory; --where KEY=VALUE shows a part") from None

    end_with(main_in_memory, name)
