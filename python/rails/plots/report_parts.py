# SPDX-License-Identifier: GPL-2.0-only
"""
The parts of a report. Folders whose points can be compared make one part together, others have
parts of their own.
"""

from ..reader.joined_folders import refuse_what_is_twice, together
from ..reader.kinds import STUDY
from ..reader.result_folder import read_sweep
from .options import cases_of
from .report_groups import Groups
from .results import Results

_FOLDER = "folder"  # the axis of folders that hold the same points


class Part:
    """
    Some folders of one kind of work.
    :param id: a prefix of what a page has once in each part; empty of the only one
    """

    def __init__(self, folders, id=""):
        self.id = id
        self.folders = folders
        self.sweeps = [read_sweep(folder.path) for folder in folders]
        self._names = _names(folders)
        self._folder_of = {
            point.folder: name
            for folder, name in zip(folders, self._names)
            for point in folder.points
        }
        merged = together(folders)
        self.results = Results(merged, grid=False)
        if self._has_same_points():
            for point in merged.points:
                point.config[_FOLDER] = self._folder_of[point.folder]
            self.results = Results(merged, grid=False)
        self.groups = Groups(self.results)
        self.cases = cases_of(self.groups)

    @property
    def path(self):
        """What the names of points are relative to."""
        return self.results.folder.path

    @property
    def has_folders(self):
        return len(self.folders) > 1

    @property
    def words(self):
        """What options are called."""
        return "policies" if self.results.kind is STUDY and not self.groups.axes else "options"

    @property
    def question(self):
        """What its options are compared for."""
        if self.results.kind is STUDY:
            return "Which policy has the most even load?"
        return "Which option is fastest?" if len(self.groups.of) > 1 else "How long does it take?"

    @property
    def title(self):
        """What its work is."""
        return " and ".join(sorted(_work_of(self.results.folder.points))).capitalize()

    def heading(self, text):
        """A heading, with what it is about where there are other parts."""
        return f"{self.title}: {text[0].lower()}{text[1:]}" if self.id else text

    def folders_of(self, option):
        """Where the points of an option come from."""
        points = [*option.points, *option.failed]
        return ", ".join(dict.fromkeys(self._folder_of[point.folder] for point in points))

    @property
    def missing(self):
        """How many points have not run yet; 0 where not all sweeps say how many they have."""
        known = [sweep.get("points", 0) for sweep in self.sweeps]
        results = self.results
        there = len(results.points) + len(results.failed) + len(results.unreadable)
        return max(0, sum(known) - there) if all(known) else 0

    def _has_same_points(self):
        """True where two folders have a point at the same place."""
        owner = {}
        for point in self.results.points + self.results.failed:
            name = self._folder_of[point.folder]
            if owner.setdefault(point.place(self.results.axes), name) != name:
                return True
        return False


def parts_of(folders):
    """The parts that some folders make."""
    refuse_what_is_twice(folders)
    groups = {}
    for folder in folders:
        groups.setdefault((folder.kind, frozenset(_work_of(folder.points))), []).append(folder)
    ids = [""] if len(groups) == 1 else [f"part{number}-" for number in range(1, len(groups) + 1)]
    return [Part(group, id) for group, id in zip(groups.values(), ids)]


def _work_of(points):
    """The types of workloads, or that it is a study."""
    return {str(point.config.get("workload.type", point.own_kind.names)) for point in points}


def _names(folders):
    """Short names of folders that differ."""
    names = [folder.name for folder in folders]
    return names if len({*names}) == len(names) else [str(folder.path) for folder in folders]
