# SPDX-License-Identifier: GPL-2.0-only
"""
Kinds of experiments: what is compared in each, by which numbers, and what tables show of them.
Everything else asks the kind of a point instead of knowing kinds itself.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Column:
    """A number of result.json in a table."""

    key: str
    title: str
    form: str = ".3f"
    factor: float = 1
    base: str = ""  # s, B: the unit is the one that suits all values, and stands in the heading
    where: str = "always"  # or "known", or "not 0": that is, for some point
    is_main: bool = False  # says in words where a point has no numbers


@dataclass(frozen=True)
class Ratio:
    """What says how good a scheme is, whatever the size of its load: 1 cannot be beaten."""

    key: str
    title: str  # of a figure
    label: str  # of an axis
    times: str  # behind a number
    one: str  # what 1 is
    none: str  # why there is none
    figure: str  # how the name of its figure begins


@dataclass(frozen=True)
class Kind:
    """A kind of experiments."""

    name: str
    names: str
    component: str  # whose type is the scheme of a point
    word: str  # for a scheme
    words: str
    metric: str  # what is compared unless something else is asked for
    ratio: Ratio
    metrics: tuple  # what a run that did not finish has no value of, whatever its file says
    needed: tuple  # numbers that every result has
    columns: tuple
    means: tuple
    took: str  # before the time that it took
    parts: dict = field(default_factory=dict)  # of the component, and their usual types
    engines: tuple = ()  # that go without saying

    @property
    def type_key(self):
        return f"{self.component}.type"

    @property
    def named_by(self):
        """Components whose keys tell schemes of one type apart."""
        return tuple(self.parts) or (self.component,)

    def is_of_scheme(self, key):
        """True for a key of the schemes themselves."""
        return key.startswith(f"{self.component}.")

    def is_scheme(self, key):
        """True for a key that says which scheme it is."""
        names = (self.component, *self.parts)
        return key in names or key in {f"{name}.type" for name in names}

    def __hash__(self):
        return hash(self.name)


SIMULATION = Kind(
    name="simulation",
    names="simulations",
    component="balance",
    word="Scheme",
    words="Schemes",
    metric="cct_s",
    ratio=Ratio(
        key="cct_over_bound",
        title="Completion time over bound",
        label="completion time over lower bound",
        times="× bound",
        one="lower bound",
        none="no point has a bound above 0",
        figure="cct",
    ),
    metrics=(
        "cct_s",
        "cct_sender_s",
        "cct_over_bound",
        "iteration_s",
        "slowest_flow_s",
        "cct_increase",
        "algbw_Bps",
        "busbw_Bps",
    ),
    needed=("cct_s", "lower_bound_s"),
    columns=(
        Column("cct_s", "Completion", base="s", is_main=True),
        Column("lower_bound_s", "Lower bound", base="s"),
        Column("cct_over_bound", "Over bound"),
        Column("busbw_Bps", "Bus bandwidth [GB/s]", ".2f", 1e9),
        Column("queue_max_bytes", "Longest queue", base="B", where="known"),
        Column("iteration_s", "Iteration", base="s", where="not 0"),
        Column("pfc_pauses", "PFC pauses", ",.0f", where="not 0"),
        Column("ecn_marks", "ECN marks", ",.0f", where="not 0"),
        Column("drops", "Drops", ",.0f", where="not 0"),
        Column("link_losses", "Lost on links", ",.0f", where="not 0"),
        Column("retransmitted_frames", "Retransmitted frames", ",.0f", where="not 0"),
        Column("abandoned_messages", "Messages given up", ",.0f", where="not 0"),
        Column("wall_s", "Took [s]", ".2f"),
    ),
    means=(
        Column("cct_s", "Completion", base="s"),
        Column("cct_over_bound", "Over bound"),
        Column("busbw_Bps", "Bus bandwidth [GB/s]", factor=1e9),
    ),
    took="Simulated in",
    parts={"balance.host": "flow", "balance.switch": "ecmp"},
    engines=("frames",),
)

_MOVED = {  # what is moved in a study, as keys and as headings have it
    "token": "Tokens",
    "weight": "Weights",
    "gradient": "Gradients",
    "move": "Moves",
    "sync": "Synchronisation",
}
_BYTES = tuple(f"{what}_bytes_{where}" for what in _MOVED for where in ("inside", "across"))
_BALANCE = (
    Column("max_over_mean_before", "Max/mean before"),
    Column("max_over_mean", "Max/mean", is_main=True),
    Column("max_over_mean_worst", "Worst plan"),
)
_SUMS = (
    Column("bytes_inside", "Bytes inside servers", base="B"),
    Column("bytes_across", "Bytes across servers", base="B"),
)
_SHARES = (
    Column("local_share", "Tokens kept local [%]", ".2f", 0.01),
    Column("dropped_share", "Tokens dropped [%]", ".2f", 0.01, where="not 0"),
)
_PLANNING = (
    Column("planning_s", "Planning", base="s"),
    Column("planning_measured_s", "Planning, measured here", base="s"),
)
STUDY = Kind(
    name="study of policies for experts",
    names="studies of policies for experts",
    component="experts.policy",
    word="Policy",
    words="Policies",
    metric="max_over_mean",
    ratio=Ratio(
        key="max_over_mean",
        title="Load of the busiest GPU over the mean",
        label="load of the busiest GPU over the mean",
        times="× mean",
        one="even load",
        none="no point has a load",
        figure="max-over-mean",
    ),
    metrics=(
        "max_over_mean_before",
        "max_over_mean",
        "max_over_mean_worst",
        "copies",
        "copies_from_one_gpu",
        *_BYTES,
        "bytes_inside",
        "bytes_across",
        "local_share",
        "dropped_share",
        "planning_s",
    ),
    needed=("max_over_mean_before", "max_over_mean", "bytes_inside", "bytes_across"),
    columns=(
        *_BALANCE,
        Column("copies", "Copies", ".1f"),
        Column("copies_from_one_gpu", "Most from one GPU", ".0f"),
        *_SUMS,
        *(
            Column(f"{key}_bytes_{where}", f"{title} {where}", base="B", where="not 0")
            for key, title in _MOVED.items()
            for where in ("inside", "across")
        ),
        *_SHARES,
        *_PLANNING,
        Column("wall_s", "Took [s]", ".2f"),
    ),
    means=(*_BALANCE[:2], Column("copies", "Copies", ".1f"), *_SUMS, *_PLANNING[:1]),
    took="Worked out in",
    engines=("experts",),
)
KINDS = (SIMULATION, STUDY)
_SECTION = "experts"  # that only a study has


def kind_of(config):
    """The kind of an experiment, by its effective configuration."""
    return STUDY if _SECTION in config else SIMULATION


def kind_of_all(points):
    """The kind that points have in common."""
    return points[0].kind if points else SIMULATION
