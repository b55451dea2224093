# SPDX-License-Identifier: GPL-2.0-only
"""Several result folders as one."""

import os
from math import inf
from pathlib import Path

from ..errors import ResultError
from .result_folder import ResultFolder, Unreadable

_LONGEST = 1_000_000  # more than any sweep has points


class _Together(ResultFolder):
    """Folders as one, with names relative to what is above all."""

    folders = ()

    @property
    def text(self):
        return f"{len(self.folders)} folders of {self.path}"

    @property
    def baselines(self):
        """Those of all sweeps, each once."""
        found = [baseline for folder in self.folders for baseline in folder.baselines]
        return [baseline for place, baseline in enumerate(found) if baseline not in found[:place]]

    @property
    def notes(self):
        """Those on all points, and where sweeps compare with different values of an axis."""
        by_axis = {}
        for folder in self.folders:
            for baseline in folder.baselines:
                for axis, label in baseline.items():
                    by_axis.setdefault(axis, {}).setdefault(label, folder.name)
        return super().notes + [
            f"the sweeps have different baselines of {axis}: "
            + ", ".join(f"{label} in {name}" for label, name in labels.items())
            for axis, labels in by_axis.items()
            if len(labels) > 1
        ]


def together(folders):
    """
    Some ResultFolders as one; the only one is itself. Each has its place behind the others in the
    order of values.
    """
    if len(folders) == 1:
        return folders[0]
    refuse_what_is_twice(folders)
    above = Path(os.path.commonpath([folder.path.resolve() for folder in folders]))
    merged = _Together(above, [point for folder in folders for point in folder.points])
    merged.folders = folders
    for number, folder in enumerate(folders):
        for point in folder.points:
            point.order = number * _LONGEST + (0 if point.order == inf else point.order)
        inside = os.path.relpath(folder.path, above)
        merged.left_over += [f"{inside}/{name}" for name in folder.left_over]
        merged.unreadable += [
            Unreadable(f"{inside}/{entry.name}", entry.reason, entry.damaged)
            for entry in folder.unreadable
        ]
    return merged


def refuse_what_is_twice(folders):
    """ResultError where a folder is there twice, or inside of another."""
    known = []
    for folder in folders:
        place = folder.path.resolve()
        for other in known:
            if place == other or other in place.parents or place in other.parents:
                reason = f"its points would be there twice, also as those of {other}; name each once"
                raise ResultError(folder.path, reason)
        known.append(place)
