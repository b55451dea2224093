# SPDX-License-Identifier: GPL-2.0-only
"""
Which files these programs have written: they replace no others unless they are told to. A page and a figure have a mark
in them; a table is known by its first line, since a mark would be in the way of what reads it.
"""

import os
import re
import stat

from ..errors import ResultError, reason_of

MARK = "rails"  # where a format says which program made a file
_READ = 1 << 16  # bytes from either end
_MARKS = (
    rb'<meta name="generator" content="rails">',
    rb"tEXtSoftware\0rails",
    rb"<dc:title>rails</dc:title>",  # of the program, in what SVG tells of a file
    rb"/Creator \(rails\)",
    rb'"correction": "Holm"',
)
_FIRST_LINES = (
    rb"% .*: \S+ by \S+; seeds: \d+( to \d+)?",  # of a comparison in LaTeX
    rb"point,.*,interval,seeds,p(,.*)?",  # the same as CSV
    rb"cell,seeds,frames_cct_s,.*",  # of engines
    rb"(.*,)?mean,error,least,most,points(,.*)?",  # and of figures
    rb".*:points(,.*)?,unit",
    rb"(.*,)?scheme,paper,paper kind,ours,.*",  # of what a paper says
    rb".*,exponent of the mean,exponent of the mean low,.*",  # and of growth
    rb'"?(?P<curve>.+?):[^,]*,"?(?P=curve)\b.*',  # of curves
    rb"(place,before|iteration,.*:before|policy,side,bytes|case,policy,before,with|server,rail|scheme,server,other),.*",
)
_MARKED = re.compile(b"|".join(_MARKS))
_BEGINS = re.compile(b"|".join(_FIRST_LINES))


def refuse_foreign(paths, force=None, is_named=True):
    """
    ResultError where a file would be replaced that these programs have not written.

    :param force: whether the option `--force` was given; None where there is none
    :param is_named: users have named the files themselves, so a link and a device are what they want
    """
    for path in paths if not force else ():
        reason = _why_not(path, is_named)
        if reason:
            remedy = "name another file" if is_named else "move it away"
            raise ResultError(path, f"{reason}; {remedy}{_or(force, 'replace')}")


def refuse_folder(folder, force=None):
    """The same for a folder of a result that others may have made."""
    if os.path.islink(folder) and not force:
        raise ResultError(folder, f"is a link out of the result; remove it{_or(force, 'follow')}")


def is_own(path):
    """True for a file that these programs have written, be it through a link."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            text = file.read(_READ)
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - _READ))
            text += file.read(_READ)
    except OSError:
        return False
    return bool(_MARKED.search(text) or _BEGINS.fullmatch(text.partition(b"\n")[0]))


def _or(force, verb):
    return "" if force is None else f", or {verb} it by --force"


def _why_not(path, is_named):
    try:
        if not is_named and os.path.islink(path):
            return "is a link"
        found = os.stat(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be written ({reason_of(error)})"
    if not stat.S_ISREG(found.st_mode):
        return "" if is_named and not stat.S_ISDIR(found.st_mode) else "is no file"
    return "" if found.st_size == 0 or is_own(path) else "is there, and ./rails has not written it"
