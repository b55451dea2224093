# SPDX-License-Identifier: GPL-2.0-only
"""What notebooks call: the commands of ./rails as functions."""

from __future__ import annotations

import os
import re
import tempfile
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .arguments import parts, path, shown, texts, word
from .descriptor import Descriptor, Source, as_json, as_text, given, set_options
from .ending import BAD_INPUT
from .errors import Error, told
from .launcher import SET_UP_FAILED, Argument, Ended, call, read_answer
from .progress import progress_for
from .reader.result_folder import load_folder
from .result import Result, Sweep, Temporary, UnfinishedRun, load_result
from .tables import need

_NOT_FINISHED = (3, 4)  # of runs that leave a result all the same
_ARGUMENTS = {"--force": "force=True", "--out": "out=FOLDER", "--with DIR": "with_=[DIR]"}


@told
def run(
    descriptor: Descriptor,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    with_: Sequence[Argument] = (),
    progress: bool | None = None,
) -> Result:
    """
    Runs one experiment.

    :param descriptor: a file, its text, or a mapping
    :param set: values in place of the descriptor's, by their dotted keys
    :param out: folder of the result; by default one that goes with the Result (Result.save() keeps it)
    :param force: replaces a result that is there
    :param with_: folders of components of your own, or libraries that ./rails build made
    :param progress: False: shows nothing; by default terminals and notebooks are told how far it is
    :raises Error: where it cannot be run, or ended with status 3 or 4; its result is that of the error then
    """
    place, keeper = _place(out, "result")
    with given(descriptor) as source:
        common: list[Argument] = [source.path, *set_options(set), *_with(with_)]
        said = _checked(["validate", *common], source, progress)
        if points := re.search(r": valid, (\d+) points?$", said, re.MULTILINE):
            reason = f"has a sweep of {points[1]} points; take rails.sweep(), or fix what it varies by set={{KEY: VALUE}}"
            raise source.located(Error(source.path, reason))
        ended = call(["run", *common, "--out", place, *["--force"] * bool(force)], progress_for(progress))
        if ended.status in _NOT_FINISHED and (place / "result.json").exists():
            raise _unfinished(ended, load_result(place, keeper))
        if ended.status:
            raise source.located(_failed(ended))
    return load_result(place, keeper)


@told
def sweep(
    descriptor: Descriptor | None = None,
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    *,
    jobs: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    where: Iterable[str] = (),
    force: bool = False,
    only_failed: bool = False,
    with_: Sequence[Argument] = (),
    options: Sequence[str] = (),
    progress: bool | None = None,
    cancel: threading.Event | None = None,
) -> Sweep:
    """
    Runs the points of a sweep that have no result yet. Interrupted or cancelled, it leaves those that
    are whole; called again, it goes on from there.

    :param descriptor: a file, its text, or a mapping
    :param set: values in place of the descriptor's, by their dotted keys
    :param out: folder of the results (default: results/NAME)
    :param jobs: how many points run at the same time (default: number of cores)
    :param resume: takes up the sweep in this folder again, in place of a descriptor; libraries, a launcher and files
        outside of it are not taken from there: name them by with_ and options, or confirm them by options=["--trust"]
    :param where: only points with these values, as "balance=rails"
    :param force: runs points that have their result again
    :param only_failed: only what failed before
    :param with_: folders of components of your own, or libraries that ./rails build made
    :param options: other options of `./rails sweep`
    :param progress: False: shows nothing; by default terminals and notebooks have a bar
    :param cancel: once it is set, what runs is ended, and the Sweep has what is whole
    :raises Error: where nothing could be run; of points that failed a warning tells, and the Sweep
    """
    if cancel is not None and not hasattr(cancel, "is_set"):
        raise Error("cancel", f"expected a threading.Event, not {shown(cancel)}")
    if resume is not None:
        others = (descriptor, set, out, jobs, where or None, force or None, only_failed or None)
        if any(value is not None for value in others):
            raise Error("rails.sweep", "resume goes on with what the sweep began with; it takes with_ and options alone")
        folder = path("resume", resume)
        again: list[Argument] = ["sweep", "--resume", folder, *_with(with_), *parts("options", options)]
        ended = call(again, progress_for(progress), cancel)
        return _swept(ended, folder, Source(folder))
    if descriptor is None:
        raise Error("rails.sweep", "expected a descriptor; or resume=FOLDER")
    with given(descriptor) as source:
        common: list[Argument] = [source.path, *set_options(set), *_with(with_)]
        if out is None:
            folder = Path("results") / _effective(common, source)["name"]
        else:
            folder = path("out", out)
        conditions = [f"--where={text}" for text in texts("where", where, "'balance=rails'")]
        arguments: list[Argument] = ["sweep", *common, "--out", folder, *conditions, *parts("options", options)]
        arguments += ["--force"] * bool(force) + ["--only-failed"] * bool(only_failed)
        arguments += [] if jobs is None else ["-j", as_json(jobs, "jobs")]
        ended = call(arguments, progress_for(progress), cancel)
        return _swept(ended, folder, source)


@told
def validate(
    descriptor: Descriptor,
    set: Mapping[str, Any] | None = None,
    *,
    with_: Sequence[Argument] = (),
) -> dict[str, Any]:
    """
    Checks a descriptor with all points of its sweep; Error names what is wrong.

    :return: the effective configuration with all defaults, that of a sweep before anything is varied
    """
    with given(descriptor) as source:
        return _effective([source.path, *set_options(set), *_with(with_)], source)


class Text(str):
    """A text that a notebook shows as it is."""

    def __repr__(self) -> str:
        return str(self).rstrip("\n")


@told
def describe(name: str | None = None, *, with_: Sequence[Argument] = ()) -> Text:
    """
    A component's keys with units, defaults, meaning and source.

    :param name: section, key or type; without one all that there is, in a line each
    """
    command: list[Argument] = ["list"] if name is None else ["describe", name]
    ended = call([*command, *_with(with_)], progress_for(None))
    if ended.status:
        raise _failed(ended)
    return Text(ended.output)


@told
def experts(
    out: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    progress: bool | None = None,
    **options: Any,
) -> Sweep:
    """
    What policies of experts do with token counts: balance, copies, bytes, planning time.

    :param out: folder of the results; by default one that goes with the Sweep
    :param options: those of `./rails experts`, as gpus=64, gpus_per_domain=8, policy=["eplb", "llep"]
    """
    folder, keeper = _place(out, "experts")
    arguments: list[Argument] = ["experts", "--out", folder, *["--force"] * bool(force), *_options(options)]
    ended = call(arguments, progress_for(progress))
    return _swept(ended, folder, Source(folder), keeper)


class Cost:
    """What fabrics cost, counted device by device: its text is that of the command."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        self.data = data
        self.rule: str = data["rule"]
        self.prices: str = data["prices"]

    @property
    def notes(self) -> list[str]:
        """What must be known of how they were counted."""
        found = [note for fabric in self.data["fabrics"] for note in fabric.get("notes") or []]
        return [*(self.data.get("notes") or []), *found]

    @property
    def table(self) -> Any:
        """A row for each fabric: its devices, and what it costs, as a DataFrame."""
        rows = [
            {**{k: v for k, v in fabric.items() if not isinstance(v, (dict, list))}, **fabric["devices"]}
            for fabric in self.data["fabrics"]
        ]
        return need("pandas", "the table of costs").DataFrame(rows)

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


@told
def cost(*fabrics: str | os.PathLike[str] | Mapping[str, Any], **options: Any) -> Cost:
    """
    What fabrics cost in US dollars.

    :param fabrics: descriptors, or else names of fabrics such as "fat-tree"; the first is what others are compared with
    :param options: those of `./rails cost`, as servers=64, rate="400Gbps", prices="prices.yaml"
    """
    with tempfile.TemporaryDirectory(prefix="rails-") as folder:
        answer = Path(folder) / "cost.json"
        named: list[Argument] = []
        sources: list[Source] = []
        for number, fabric in enumerate(fabrics):
            if isinstance(fabric, Mapping):
                text, keys = as_text({"name": f"fabric-{number + 1}", **fabric})
                sources.append(Source(Path(folder) / f"{number}.yaml", keys))
                sources[-1].path.write_text(text, encoding="utf-8")
                named.append(sources[-1].path)
            else:
                named.append(word("fabrics", fabric))
        ended = call(["cost", *named, "--json", answer, *_options(options)], progress_for(None))
        if ended.status:
            error = _failed(ended)
            for source in sources:
                error = source.located(error)
            raise error
        return Cost(ended.output, read_answer(answer.read_text(encoding="utf-8")))


def _place(out: Argument | None, name: str) -> tuple[Path, Temporary | None]:
    """Where results go, and what keeps a folder that nobody has named."""
    if out is not None:
        return path("out", out), None
    keeper = Temporary()
    return keeper.path / name, keeper


def _with(components: Sequence[Argument]) -> list[Argument]:
    return [part for folder in parts("with_", components) for part in ("--with", word("with_", folder))]


def _options(options: Mapping[str, Any]) -> list[str]:
    """Named arguments as options of a command; lists are options that are given several times."""
    found = []
    for name, value in options.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        text = [word(name, item) if isinstance(item, (str, os.PathLike)) else as_json(item, name) for item in values]
        found += [f"--{name.replace('_', '-')}={item}" for item in text]
    return found


def _effective(arguments: Sequence[Argument], source: Source) -> dict[str, Any]:
    """The effective configuration; behind it stands what a sweep varies."""
    found: dict[str, Any] = read_answer(_checked(["validate", "--print", *arguments], source, None))
    return found


def _checked(arguments: Sequence[Argument], source: Source, progress: bool | None) -> str:
    """What a command says of a descriptor."""
    ended = call(arguments, progress_for(progress))
    if ended.status:
        raise source.located(_failed(ended))
    return ended.output


def _failed(ended: Ended) -> Error:
    """What a command says of its failure, with the options that it names as arguments."""
    error = ended.error()
    reason = error.reason
    for option, argument in _ARGUMENTS.items():
        reason = reason.replace(option, argument)
    return Error(error.place, reason, error.status, error.output)


def _unfinished(ended: Ended, result: Result) -> UnfinishedRun:
    """What is told of a run that left a result without a completion time."""
    error = UnfinishedRun(result.folder, result.point.reason, ended.status, ended.errors)
    error.result = result
    return error


def _swept(ended: Ended, folder: Path, source: Source, keeper: object = None) -> Sweep:
    """What a sweep left; Error where it could not begin."""
    is_over = ended.status == 0 or ended.status in _NOT_FINISHED
    if not (is_over or ended.cancelled) or ended.status in (SET_UP_FAILED, BAD_INPUT):
        raise source.located(_failed(ended))
    if not folder.exists():  # it was cancelled before
        raise Error(folder, "the sweep was cancelled before it had begun")
    found = Sweep(load_folder(folder), keeper)
    if ended.status in _NOT_FINISHED:
        failed = "; ".join(f"{result.name}: {result.point.reason}" for result in found.failed[:3])
        more = f" and {len(found.failed) - 3} more" if len(found.failed) > 3 else ""
        warnings.warn(f"{folder}: {len(found.failed)} of {len(found)} points failed: {failed}{more}", stacklevel=4)
    return found
