# SPDX-License-Identifier: GPL-2.0-only
"""./rails import: reads what it is given, writes a descriptor, says what is not in it."""

import argparse
import os
import signal
import sys
import traceback
from pathlib import Path

from . import hugging_face, training
from .descriptor import write
from .errors import ImportRefused
from .values import Value

BAD_INPUT = 2
_USAGE = """\
Usage: ./rails import hf CONFIG [ARGUMENT OF MEGATRON]... [--out FILE] [--gpus N]

Writes a descriptor of a training: the model from config.json of Hugging Face. doc/import.rst tells all.
"""


class Parser(argparse.ArgumentParser):
    """Tells a wrong option in one line."""

    def error(self, message):
        complain(f"{self.prog}: error: {message}; ./rails import --help tells all")
        sys.exit(BAD_INPUT)


def main(arguments=None):
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words or words[0] in ("--help", "-h"):
        print(_USAGE, end="")
        return 0 if words else BAD_INPUT
    options = _read_options(words)
    made = _import_hf(options)
    training.check(made)
    text = write(made)
    if options.out:
        _write_at_once(options.out, text)
        print(options.out)
    else:
        print(text, end="")
    for line in made.unmapped:
        complain(f"note: not in the descriptor: {line}")
    return 0


def _read_options(words):
    parser = Parser(prog="./rails import", allow_abbrev=False, add_help=False)
    parser.add_argument("kind", choices=["hf"])
    parser.add_argument("config", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--gpus", type=int)
    return parser.parse_args(words)


def _import_hf(options):
    model = hugging_face.read_model(options.config)
    gpus = Value(options.gpus, "--gpus", "--gpus") if options.gpus else None
    return training.of_model(model, options.config.name, gpus)


def _write_at_once(path, text):
    """A file is whole or absent."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, "utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def complain(line):
    """One line on standard error, be it there or not."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass


def run(arguments=None):
    """Ends the process with the status of main(), and without a traceback whatever happens in it."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # names of files may hold anything
    try:
        status = main(arguments)
        sys.stdout.flush()
    except ImportRefused as error:
        status = _fail(str(error))
    except BrokenPipeError:
        # Whoever read the output has enough of it; so would a program in C++ end.
        status = 128 + signal.SIGPIPE
    except OSError as error:
        status = _fail(f"{error.filename or 'standard output'}: error: {error.strerror or type(error).__name__}")
    except KeyboardInterrupt:
        status = _fail("./rails import: error: interrupted", 128 + signal.SIGINT)
    except Exception as error:  # pylint: disable=broad-except
        status = _fail(f"./rails import: error: {_defect(error)}")
    _forget_output()
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
