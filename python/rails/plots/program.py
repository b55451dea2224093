# SPDX-License-Identifier: GPL-2.0-only
"""
How every program of this folder begins and ends: its options, what it writes and says, and, when it
cannot do what it was asked for, one line on standard error and status 2.
"""

import argparse
import os
import signal
import sys
import traceback
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Error, reason_of
from . import style
from .page_tables import fill, simple_table

BAD_INPUT = 2
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
            for path in style.save(figure, folder, name, formats):
                print(path)
    if getattr(options, "page", None):
        fill(options.page, {name: simple_table(rows) for name, rows in told.tables.items()})
    for line in told.lines:
        print(line)


def parser(command, description):
    """A parser that calls the program as users do."""
    return Parser(prog=f"./rails {command}", description=description)


def complain(line):
    """One line on standard error, be it there or not."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass


def run(main):
    """
    Ends the process with the status of main(), and without a traceback whatever happens in it.
    """
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of libraries, to those who work on this program
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # names of folders may hold anything
    try:
        status = main()
        sys.stdout.flush()
    except Error as error:
        status = _fail(str(error), error.status)
    except BrokenPipeError:
        # Whoever read the output has enough of it; so would a program in C++ end.
        status = 128 + signal.SIGPIPE
    except OSError as error:
        status = _fail(f"{error.filename or 'standard output'}: error: {reason_of(error)}")
    except KeyboardInterrupt:
        status = _fail(f"{_name()}: error: interrupted", 128 + signal.SIGINT)
    except MemoryError:
        status = _fail(f"{_name()}: error: out of memory; --where KEY=VALUE shows a part")
    except Exception as error:  # pylint: disable=broad-except
        status = _fail(f"{_name()}: error: {_defect(error)}")
    _forget_output()
    sys.exit(status)


def _fail(line, status=BAD_INPUT):
    complain(line)
    return status


def _name():
    return Path(sys.argv[0]).name


def _defect(error):
    """What is not the user's mistake but ours, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(f"{type(error).__name__}: {error}".split())
    place = f"{Path(last.filename).name}:{last.lineno}"
    return f"a defect of this program, please report it: {text} ({place})"


def _forget_output():
    """Keeps Python from writing at its end what could not be written before."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
