# SPDX-License-Identifier: GPL-2.0-only
"""What reading an input may cost: all that follows an input charges one budget, so that no input takes long."""

import os
import sys
from contextlib import contextmanager

from ..reader.foreign_files import open_regular
from .errors import ImportRefused

MOST_WORK = 1_200_000  # about a quarter of a microsecond each
PER_SETTING = 300  # work of comparing a name with all that are known, and of telling it
LARGEST = 4 << 20  # bytes of a file, as of a descriptor
DEEPEST = 100  # lists and maps inside each other, as in a descriptor
MOST_VALUES = 200_000  # of a document with what its aliases stand for, as of a descriptor
_MOST_BITS = 1000  # of a whole number: a float has no more
STDIN = "-"
TOO_LONG = "it takes too long to be followed: no configuration of a training has as much in it"
_TOO_LARGE = "it is larger than {} KiB: expected a configuration or a script"


class Budget:
    """
    Work that is left for a command, and where the reader is, which a message points to.

    :param place: a file, with the line where it is known
    """

    def __init__(self, place="./rails import", work=MOST_WORK):
        self.place = str(place)
        self._left = work
        self._depth = 0
        self._stdin = None

    def spend(self, work=1):
        """Counts work. Costs that grow with a size are counted before they arise."""
        self._left -= work
        if self._left < 0:
            self.refuse(TOO_LONG)

    def make(self, size, work=None):
        """
        Counts a value that is made.

        :param size: how many values it is, with all that it holds, :param work: of making it, where it is not its size
        """
        if size > MOST_VALUES:
            self.refuse(f"a value that stands for more than {MOST_VALUES} others: it is no configuration of a training")
        self.spend(size if work is None else work)

    def number(self, value):
        """A whole number that has become no larger than any that is written out."""
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            self.refuse("a number of more than 300 digits")
        return value

    @contextmanager
    def deeper(self, levels=1):
        """Counts levels of what is inside each other."""
        self._depth += levels
        try:
            if self._depth > DEEPEST:
                self.refuse(f"it is nested more than {DEEPEST} deep")
            yield
        finally:
            self._depth -= levels

    def refuse(self, told):
        raise ImportRefused(self.place, told)

    def read(self, path, most=LARGEST, errors="strict"):
        """The text of a regular file, or of standard input; `place` is that file from here on."""
        self.place = str(path)
        if self.place != STDIN:
            data = _read_file(path, most)
        else:  # which is there once, and may be asked for again
            data = self._stdin = sys.stdin.buffer.read(most + 1) if self._stdin is None else self._stdin
        if len(data) > most:
            self.refuse(_TOO_LARGE.format(most >> 10))
        try:
            return data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise ImportRefused(path, f"it is no text: byte {error.start} is not UTF-8") from error


def _read_file(path, most):
    """Up to one byte more than there may be."""

    def refuse(kind):
        what = kind if kind == "a folder" else "a device or a pipe"
        raise ImportRefused(path, f"this is {what}: expected a file, or a configuration by --hf {STDIN} < FILE")

    with open_regular(path, refuse, mode="rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise ImportRefused(path, _TOO_LARGE.format(most >> 10))
        return file.read(most + 1)
