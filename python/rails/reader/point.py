# SPDX-License-Identifier: GPL-2.0-only
"""One run that ended, as its folder tells it."""

import copy
import json
from math import inf

from ..errors import MissingFile, NotWritten, ResultError
from .foreign_files import read_json
from .kinds import kind_of
from .result_files import read_table
from .result_form import check_failure, check_result
from .units import parse_number

_LONGEST_KEY = 512

# What is null under an engine that moves no frames.
OF_FRAMES = (
    "frames",
    "frame_hops",
    "pause_frames",
    "drops",
    "unroutable_frames",
    "link_losses",
    "retransmitted_frames",
    "ecn_marks",
    "cnps",
    "pfc_pauses",
    "pfc_paused_s",
    "queue_max_bytes",
)


EXPOSED = {  # by the sum of their exposed times: stages of a training by which policies differ
    "expert_planning_exposed_s": ("expert-planning", "expert-counts"),
    "expert_parameters_exposed_s": (
        "expert-moves",
        "expert-weights",
        "expert-gradients",
        "expert-data",  # of experts that several GPUs hold for good
    ),
}


class Point:
    """
    One run that ended, well or with a status.

    :param result: what its result.json or failure.json says
    :param has_result: False for what ended without a result
    """

    def __init__(self, folder, result, has_result=True):
        self.folder = folder
        self.has_result = has_result
        self.status = result["status"]
        self.finished = has_result and self.status == 0
        self.own_kind = self.kind = kind_of(result["config"])
        nothing = {} if self.finished else dict.fromkeys(self.kind.metrics)
        self.config = dict(flatten(result["config"]))
        self.labels = result.get("labels") or {}  # of components and values, by their keys
        self.named = set()  # keys in its configuration that stand for a component with a label
        self.result = {**result, **self._exposed(result), **nothing}
        self.scheme = str(self.config[self.kind.type_key])
        self.scheme_rank = 0  # the place of its scheme among those of other points
        self.seed = result["seed"]
        self.order = inf  # its number in the sweep that it is of
        self.cct_s = self.result.get("cct_s")  # None of a study
        self.bound_s = self.result.get("lower_bound_s")
        self.ratio = self.result[self.kind.ratio.key]  # None without traffic

    def copied(self):
        """One like it that can be named and divided otherwise."""
        own = copy.copy(self)
        own.config, own.result, own.named = dict(self.config), dict(self.result), set()
        return own

    def _exposed(self, result):
        """Time in which GPUs wait for planning and for parameters of experts in a training."""
        if "workload.experts.type" not in self.config or not result.get("graph"):
            return {}
        stages = {stage["name"]: stage for stage in result["graph"]["kinds"]}
        return {
            key: float(sum(stages.get(name, {}).get("exposed_s") or 0 for name in names))
            for key, names in EXPOSED.items()
        }

    @property
    def gpus(self):
        """How many GPUs there are; None where the configuration does not say."""
        keys = ("topology.domains", "topology.gpus_per_domain")
        sizes = [parse_number(self.config.get(key)) for key in keys]
        return None if None in sizes else sizes[0] * sizes[1]

    @property
    def identity(self):
        """Its configuration without labels, which change nothing."""
        return {key: value for key, value in self.config.items() if key not in self.named}

    @property
    def reason(self):
        """Why it has no metrics, in one line."""
        if not self.has_result:
            return str(self.result.get("reason") or f"status {self.status}")
        report = str(self.result.get("report", "")).partition("\n")[0]
        return f"did not finish (status {self.status})" + (f": {report}" if report else "")

    @property
    def outcome(self):
        """How it ended, in one line."""
        if self.finished:
            return "done"
        return self.reason if self.has_result else f"failed: {self.reason}"

    @property
    def version(self):
        """What computed it: names and their values."""
        return self.result.get("version") or {}

    @property
    def engine(self):
        """What simulated it: frames, or flows."""
        return self.result.get("engine") or str(self.config.get("engine.type", "frames"))

    def lacks(self, key):
        """True for a number of its result.json that only an engine of frames knows."""
        return key in OF_FRAMES and self.result.get(key, 0) is None

    def why_absent(self, name):
        """Why it has no file of that name, in a line; empty where nothing is known of it."""
        if name == "queues.csv" and self.lacks("queue_max_bytes"):
            return f"the engine {self.engine} has no queues"
        notes = map(str, self.result.get("notes") or [])
        return next((note for note in notes if note.startswith(f"{name} is not written")), "")

    def place(self, axes):
        """Where it stands in a sweep: scheme, seed, and its values on the axes."""
        return (self.scheme, self.seed, *(self.config.get(axis.key) for axis in axes))

    def text(self, key):
        """
        What its value of a key is called: by the label that the user gave it, or the sweep, as the
        configuration writes it, of a component its type; None where it has no such key.
        """
        label = self.labels.get(key, (self.result.get("axes") or {}).get(key))
        if label is not None:
            return label
        for name in (key, f"{key}.type"):
            if name in self.config:
                value = self.config[name]
                return value if isinstance(value, str) else json.dumps(value)
        return None

    def get(self, key):
        """What its result.json has for a key that figures cannot do without."""
        if self.result.get(key) is None:
            why = f", which the engine {self.engine} does not know" * self.lacks(key)
            raise ResultError(self.folder / "result.json", f"lacks {key}{why}")
        return self.result[key]

    def number(self, key):
        """
        A number of its result.json, also of those below `failures` and `optical`; None where there
        is none.
        """
        value = self.result.get(key)
        for section in ("failures", "optical"):
            if value is None:
                value = (self.result.get(section) or {}).get(key)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value if is_number else None

    def messages(self):
        """Columns of messages.csv; NaN is the end of a message that was given up."""
        columns = ("phase", "source", "destination", "rail", "bytes", "start_s", "end_s")
        return self._table("messages.csv", dict.fromkeys(columns, float), ("start_s", "end_s"))

    def ends_of(self, kind):
        """When messages of a kind ended, which is a phase, a stage, or what a training sends."""
        table = self._table("messages.csv", {"kind": str, "end_s": float}, ("end_s",))
        ends = [end for name, end in zip(table["kind"], table["end_s"]) if name == kind]
        if not ends:
            raise ResultError(self.folder / "messages.csv", f"has no messages of the kind {kind}")
        return ends

    def message_times(self):
        """Completion times of all messages between servers that arrived, in seconds."""
        columns = dict.fromkeys(("rail", "start_s", "end_s"), float)
        table = self._table("messages.csv", columns, ("start_s", "end_s"))
        times = (table["end_s"] - table["start_s"])[table["rail"] >= 0]
        return times[times == times]  # without NaN

    def circuits(self):
        """Columns of circuits.csv."""
        columns = ("start_s", "end_s", "region", "server_a", "server_b", "circuits", "bytes", "dark_s")
        return self._table("circuits.csv", dict.fromkeys(columns, float))

    def queue_bins(self):
        """Columns of queues.csv."""
        columns = {"port_class": str, "bytes_high": float, "seconds": float}
        return self._table("queues.csv", columns)

    def plans(self):
        """Columns of plans.csv."""
        columns = ("iteration", "layer", "microbatch", "max_over_mean_before", "max_over_mean")
        return self._filled("plans.csv", columns)

    def gpu_loads(self):
        """Columns of gpu_loads.csv."""
        return self._filled("gpu_loads.csv", ("before", "after"))

    def links(self, *numbers):
        """The class of each port in links.csv, and some of its numbers; NaN where there is none."""
        columns = {"port_class": str, **dict.fromkeys(numbers, float)}
        # A run that took no time has no rates, and what only frames have is empty without them.
        whole = self.cct_s and not self.lacks("frames")
        return self._table("links.csv", columns, () if whole else numbers)

    def file(self, name):
        """The path of a file that the run wrote; ResultError where it is not as long as the run left it."""
        path = self.folder / name
        if not path.exists():
            reason = self.why_absent(name)
            raise NotWritten(path, reason) if reason else MissingFile(path)
        for artefact in self.result.get("artefacts") or []:
            if artefact["file"] == name and path.is_file():
                size, expected = path.stat().st_size, artefact["bytes"]
                if size != expected:
                    raise ResultError(path, f"has {size} bytes; the run wrote {expected}")
        return path

    def _filled(self, name, columns):
        """Columns of a file of numbers that has a row at least."""
        table = self._table(name, dict.fromkeys(columns, float))
        if not len(table[columns[0]]):
            raise ResultError(self.folder / name, "has no rows; expected what a run wrote")
        return table

    def _table(self, name, columns, gaps=()):
        """Columns of a file."""
        return read_table(self.file(name), columns, gaps)


def read_point(folder):
    """
    The point of a folder; ResultError, with the name of a file for a place, if it is none. Beside a
    failure a result is that of an earlier run, and does not count.
    """
    has_result = not (folder / "failure.json").exists()
    path = folder / ("result.json" if has_result else "failure.json")
    result = read_json(path)
    try:
        (check_result if has_result else check_failure)(result)
        return Point(folder, result, has_result)
    except ValueError as error:
        raise ResultError(path, str(error)) from None


def flatten(value, prefix=""):
    """Leaves of nested mappings by their dotted key; ValueError where one is longer than any that a descriptor has."""
    for key, item in value.items():
        if len(prefix) + len(key) > _LONGEST_KEY:
            raise ValueError(f"config: a key of more than {_LONGEST_KEY} characters")
        if isinstance(item, dict):
            yield from flatten(item, f"{prefix}{key}.")
        else:
            yield prefix + key, json.dumps(item) if isinstance(item, list) else item
