# SPDX-License-Identifier: GPL-2.0-only
"""
Points chosen by the values of their keys. The C++ program chooses, as it does for `./rails sweep
--where`; everything else here needs no program.
"""

import json
import re
import shlex
import tempfile
from hashlib import sha256

from ..launcher import checked, read_answer
from ..progress import progress_for
from ..published import published

_LONGEST = 120  # bytes of conditions in the name of a file


def choose(points, conditions):
    """
    The points that fulfil all conditions, KEY=VALUE each; Error when there is none.
    """
    known = [
        {
            "config": point.result["config"],
            "axes": point.result.get("axes") or {},
            "labels": point.labels,
        }
        for point in points
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(known, file)
        file.flush()
        # The launcher brings the program up to date, which takes its time where there is none.
        chosen = checked(["choose", file.name, *(f"--where={text}" for text in conditions)], progress_for(None))
    return [points[place] for place in read_answer(chosen)]


def condition(point, key):
    """KEY=VALUE as one writes it to choose points like this one, quoted for a shell."""
    return shlex.quote(f"{key}={point.text(key) or 'none'}")


def file_name(conditions):
    """Conditions as a part of the name of a file, as points are named: balance=rails,seed=1."""
    name = ",".join(re.sub(r"[^\w.=+-]", "-", published(condition)) for condition in conditions).encode()
    if len(name) > _LONGEST:
        digest = sha256("\n".join(conditions).encode("utf-8", "replace")).hexdigest()
        name = name[: _LONGEST - 13] + f"-{digest[:12]}".encode()
    return name.decode(errors="ignore")
