# SPDX-License-Identifier: GPL-2.0-only
"""
How every program of this folder begins and ends: its options, and, when it cannot do what it was
asked for, one line on standard error and status 2.
"""

import argparse
import os
import signal
import sys
import traceback
import warnings
from pathlib import Path

from .errors import ResultError, reason_of

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
    except ResultError as error:
        status = _fail(str(error))
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
