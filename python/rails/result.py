# SPDX-License-Identifier: GPL-2.0-only
"""What a run and a sweep left, for notebooks."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, overload

from . import arguments, tables
from .errors import Error, told
from .reader.nearest_name import suggest
from .reader.point import Point
from .reader.result_folder import ResultFolder, load_filled, load_folder
from .reader.units import with_unit

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Temporary:
    """A folder that is there as long as somebody has what is in it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="rails-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Result:
    """
    What a run left: numbers of its result.json by their keys, as in result["cct_s"], and its tables.

    :param keeper: what its folder is kept by
    """

    def __init__(self, point: Point, keeper: object = None) -> None:
        self.point = point
        self.folder = Path(point.folder)
        self._keeper = keeper

    def __repr__(self) -> str:
        parts = [repr(self.name), self.scheme, f"seed {self.seed}"]
        measure = point_measure(self.point)
        parts.append(measure if self.point.finished else self.point.outcome)
        return f"<rails.Result {', '.join(filter(None, parts))}>"

    @property
    def name(self) -> str:
        """Name of the experiment; of a point of a sweep that of the point."""
        return self.folder.name if self.axes else str(self.point.result.get("name", self.folder.name))

    @property
    def status(self) -> int:
        """0, or 3 or 4 as the run ended with."""
        return int(self.point.status)

    @property
    def seed(self) -> int:
        return int(self.point.seed)

    @property
    def scheme(self) -> str:
        """What is compared in experiments of its kind: the type of its balance, or of its policy for experts."""
        return str(self.point.labels.get(self.point.kind.component, self.point.config[self.point.kind.type_key]))

    @property
    def axes(self) -> dict[str, str]:
        """Its values on the axes of its sweep, by key; empty of a run of its own."""
        return dict(self.point.result.get("axes") or {})

    @property
    def config(self) -> dict[str, Any]:
        """The effective configuration with all defaults; a descriptor itself."""
        return dict(self.point.result["config"])

    @property
    def data(self) -> dict[str, Any]:
        """All of its result.json."""
        return dict(self.point.result)

    def __getitem__(self, key: str) -> Any:
        """What result.json has for a key; what is nested by its dotted key, as optical.dark_s."""
        value: Any = self.point.result
        for part in arguments.text("key", key, "'cct_s'").split("."):
            if not isinstance(value, Mapping) or part not in value:
                reason = f"there is no '{key}'{suggest(key, sorted(self.point.result))}"
                raise Error(self.folder / "result.json", reason)
            value = value[part]
        return value

    def __contains__(self, key: str) -> bool:
        try:
            self[key]
        except Error:
            return False
        return True

    @property
    def cct_s(self) -> float | None:
        """Completion time; None of a run that did not finish."""
        return self.point.number("cct_s")

    @property
    def lower_bound_s(self) -> float | None:
        """Time that no scheme can beat."""
        return self.point.number("lower_bound_s")

    @property
    def iteration_s(self) -> float | None:
        """Time of an iteration, where there are iterations."""
        return self.point.number("iteration_s")

    @property
    def fingerprint(self) -> str | None:
        """Tells whether two runs were the same to the picosecond."""
        return self.point.result.get("fingerprint")

    @told
    def table(self, name: str, columns: Iterable[str] | None = None) -> pandas.DataFrame:
        """
        A table, such as "messages": all of it, or the columns asked for. Of a result of gigabytes no
        more than these get into memory.
        """
        return tables.read_table(self.point, name, columns)

    @cached_property
    def messages(self) -> pandas.DataFrame:
        """messages.csv: a row for each message. Read once."""
        return self.table("messages")

    @cached_property
    def links(self) -> pandas.DataFrame:
        """links.csv: a row for each direction of a cable."""
        return self.table("links")

    @cached_property
    def queues(self) -> pandas.DataFrame:
        """queues.csv: the time that queues of a class of ports spent in each bin of lengths."""
        return self.table("queues")

    @cached_property
    def circuits(self) -> pandas.DataFrame:
        """circuits.csv: when which circuits were there."""
        return self.table("circuits")

    @cached_property
    def placement(self) -> pandas.DataFrame:
        """placement.csv: which GPUs have which experts."""
        return self.table("placement")

    @cached_property
    def kinds(self) -> pandas.DataFrame:
        """The kinds of a graph or a training: a row for each, with its times."""
        return tables.kinds_of(self.point)

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures that apply to it."""
        return figures_of(self)

    def plot(self, figure: str | None = None, **options: Any) -> Axes | list[Axes]:
        """A figure, see rails.plot()."""
        return plot(self, figure, **options)

    @told
    def save(self, folder: str | os.PathLike[str]) -> Result:
        """A copy of all its files in a folder that is not there yet, or empty."""
        place = arguments.path("folder", folder)
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise Error(place, "the folder is not empty; name one that is not there")
        try:
            shutil.copytree(self.folder, place, symlinks=True, dirs_exist_ok=True)
        except OSError as error:
            raise Error(place, f"cannot be written ({error.strerror or error})") from None
        return load_result(place)


class UnfinishedRun(Error):
    """A run that ended with status 3 or 4, and left a result without a completion time."""

    result: Result

    @property
    def remedy(self) -> str:
        """None: its reason says how the run ended."""
        return ""


class Sweep:
    """
    What a sweep left: a sequence of the results that are there, whole or with a status, in the order
    of the sweep.
    """

    def __init__(self, folder: ResultFolder, keeper: object = None) -> None:
        self.folder = Path(folder.path)
        self.content = folder
        self._keeper = keeper
        self._results = [Result(point, keeper) for point in folder.points]

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<rails.Sweep {str(self.folder)!r}: {len(self.whole)} whole{failed}>"

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    @overload
    def __getitem__(self, which: int | str) -> Result: ...

    @overload
    def __getitem__(self, which: slice) -> list[Result]: ...

    def __getitem__(self, which: int | str | slice) -> Result | list[Result]:
        """A result by its number, or by its values on the axes, as balance=rails,seed=1; of a slice a list."""
        if not isinstance(which, str):
            try:
                return self._results[which]
            except (IndexError, TypeError):
                reason = f"there is no point {arguments.shown(which)}; there are {len(self)}, by number or by values"
                raise Error(self.folder, reason) from None
        names = {os.path.relpath(result.folder, self.folder): result for result in self}
        found = which if which in names else next((name for name in names if _same_values(name, which)), None)
        if found is None:
            raise Error(self.folder, f"there is no point '{which}'{suggest(which, list(names))}")
        return names[found]

    @property
    def whole(self) -> list[Result]:
        """Results of runs that ended well."""
        return [result for result in self if result.point.finished]

    @property
    def failed(self) -> list[Result]:
        """What is left of runs that did not."""
        return [result for result in self if not result.point.finished]

    @property
    def status(self) -> int:
        """The highest of its points."""
        return max((result.status for result in self), default=0)

    @property
    def notes(self) -> list[str]:
        """What must be known before its points are counted together, and what cannot be read."""
        return self.content.notes + self.content.damaged

    @cached_property
    def table(self) -> pandas.DataFrame:
        """A row for each point: its values on the axes, its status, and the numbers of its result.json."""
        return tables.numbers_of(result.point for result in self)

    @told
    def where(self, *conditions: str) -> Sweep:
        """Only the points with some values, as "balance=rails"; all must hold."""
        chosen = load_folder(self.folder, arguments.texts("where", conditions, "'balance=rails'"), everything=True)
        own = {result.folder for result in self}
        chosen.points = [point for point in chosen.points if Path(point.folder) in own]
        chosen.left_over, chosen.unreadable = [], []
        return Sweep(chosen, self._keeper)

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures that apply to it."""
        return figures_of(self)

    def plot(self, figure: str | None = None, **options: Any) -> Axes | list[Axes]:
        """A figure, see rails.plot()."""
        return plot(self, figure, **options)


def _same_values(name: str, other: str) -> bool:
    """Do two names of points have the same values, in whatever order?"""
    return sorted(name.split(",")) == sorted(other.split(","))


Plotted = Union[Result, Sweep, str, "os.PathLike[str]"]


@told
def load(
    folder: str | os.PathLike[str], where: Iterable[str] = (), everything: bool = False
) -> Result | Sweep:
    """
    What `./rails run` or `./rails sweep` left in a folder: a Result, or a Sweep of several.

    :param where: only points with these values, as "balance=rails"
    :param everything: points that are left over from an earlier sweep in the folder count too
    """
    place = arguments.path("folder", folder)
    content = load_filled(place, arguments.texts("where", where, "'balance=rails'"), everything)
    is_run = [Path(point.folder) for point in content.points] == [place]
    return Result(content.points[0]) if is_run else Sweep(content)


def load_result(folder: Path, keeper: object = None) -> Result:
    """The result of a single run."""
    content = load_folder(folder)
    if len(content.points) != 1:
        raise content.nothing()
    return Result(content.points[0], keeper)


def point_measure(point: Point) -> str:
    """What a run is judged by, with its unit."""
    for key in ("iteration_s", "cct_s"):
        if (value := point.number(key)) is not None:
            over = point.number("cct_over_bound")
            return with_unit(value, "s") + (f", {over:.3f} x bound" if over else "")
    value = point.number(point.kind.metric)
    return "" if value is None else f"{point.kind.metric} {value:.3f}"


@told
def plot(
    results: Plotted | Iterable[Plotted],
    figure: str | None = None,
    *,
    title: str | None = None,
    width: float | None = None,
    ci: float | None = None,
) -> Axes | list[Axes]:
    """
    A figure of `./rails plot`, of one result or of several together: its Axes, a list of them where it
    has several panels. The figure is one of pyplot, so that a notebook shows it.

    :param results: what run(), sweep() and load() return, or folders
    :param figure: its name; without one the first that applies
    :param title: in place of the name of the experiment
    :param width: in inches, of a column of a paper
    :param ci: the confidence of intervals in percent, in place of the range over seeds
    """
    tables.need("matplotlib", "a figure")
    from .drawing import axes_of

    return axes_of(_together(results), figure, title, width, ci)


@told
def figures_of(results: Plotted | Iterable[Plotted]) -> tuple[str, ...]:
    """Names of the figures that apply to some results."""
    tables.need("matplotlib", "a figure")
    from .drawing import names_of

    return names_of(_together(results))


def _together(results: Plotted | Iterable[Plotted]) -> ResultFolder:
    """Points of results as those of one folder."""
    parts = [results] if isinstance(results, (Result, Sweep)) else arguments.parts("results", results)
    given = [part if isinstance(part, (Result, Sweep)) else load(part) for part in parts]
    if len(given) == 1 and isinstance(given[0], Sweep):
        return given[0].content
    points: list[Point] = []
    for part in given:
        points += part.content.points if isinstance(part, Sweep) else [part.point]
    return ResultFolder(given[0].folder if given else Path(), points)
