# SPDX-License-Identifier: GPL-2.0-only
"""How every program in Python ends: with one line on standard error where it cannot do what it was asked for."""

import os
import signal
import sys
import traceback
from pathlib import Path

from .errors import Error, cut, reason_of
from .plain_text import escaped, escaped_name

BAD_INPUT = 2


class _Escaping:
    """A stream without control characters: what it writes may be the text of a file of others."""

    def __init__(self, stream):
        self.unescaped = stream

    def write(self, text):
        self.unescaped.write(escaped(text))
        return len(text)

    def __getattr__(self, name):
        return getattr(self.unescaped, name)


def complain(line):
    """One line on standard error, be it there or not."""
    try:
        print(escaped_name(cut(line)), file=sys.stderr, flush=True)
    except OSError:
        pass


def end_with(main, name):
    """
    Ends the process with the status of main(), and without a traceback whatever happens in it.

    :param name: how users call the program
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # names of files and folders may hold anything
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_Escaping, streams)
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
        status = _fail(f"{name}: error: interrupted", 128 + signal.SIGINT)
    except Exception as error:  # pylint: disable=broad-except
        status = _fail(f"{name}: error: {_defect(error)}")
    _forget_output()
    sys.stdout, sys.stderr = streams
    sys.exit(status)


def _fail(line, status=BAD_INPUT):
    complain(line)
    return status


def _defect(error):
    """What is not the user's mistake but ours, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a defect of this program, please report it: {text} ({Path(last.filename).name}:{last.lineno})"


def _forget_output():
    """Keeps Python from writing at its end what could not be written before."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
