# SPDX-License-Identifier: GPL-2.0-only
"""
Kinds of experiments: what is compared in each, by which numbers, and what tables show of them.
Everything else asks the kind of a point instead of knowing kinds itself.
"""

from dataclasses import dataclass, field, replace

from .units import best_unit, significant


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
    own: str = ""  # its title where it is a multiple of bounds that differ

    def is_wanted(self, points):
        return self.where == "always" or self.has_any(point.number(self.key) for point in points)

    def has_any(self, numbers):
        """Whether there is something to show among numbers, of which those that are not known are None."""
        return any(number if self.where == "not 0" else number is not None for number in numbers)

    def heading(self, numbers):
        """Its title with the unit that suits all numbers, and the factor of that."""
        if not self.base:
            return self.title, self.factor
        unit, factor = best_unit([number or 0 for number in numbers], self.base)
        return f"{self.title} [{unit}]", factor


# What is said wherever multiples of bounds that differ are shown all the same.
OWN_BOUND = "over own bound: rows do not compare"


@dataclass(frozen=True)
class Measure:
    """What says how good a scheme is: one that is half as large is twice as good."""

    key: str
    title: str  # of a figure
    label: str  # of an axis
    none: str  # why there is none
    figure: str  # how the name of its figure begins
    times: str = ""  # behind a number
    one: str = ""  # what 1 is, which cannot be beaten; empty where it can
    of_baseline: bool = False  # the time over what the baseline has, all else equal
    base: str = ""  # as of best_unit(): no ratio, but a number with a unit

    def unit(self, values):
        """The unit that values are shown in, and its factor."""
        return best_unit(values, self.base) if self.base else ("", 1)

    def text(self, value):
        """A value for people."""
        if not self.base:
            return f"{value:.3f} {self.times}"
        unit, factor = self.unit([value])
        return f"{significant(value / factor)} {unit}"


@dataclass(frozen=True)
class Kind:
    """A kind of experiments."""

    name: str
    names: str
    component: str  # whose type is the scheme of a point
    word: str  # for a scheme
    words: str
    metric: str  # what is compared unless something else is asked for
    ratio: Measure
    metrics: tuple  # what a run that did not finish has no value of, whatever its file says
    needed: tuple  # numbers that every result has
    columns: tuple
    means: tuple
    took: str  # before the time that it took
    baseline: str  # the scheme that the others are held against, where it is there
    in_time: tuple = ()  # in place of the ratio where that does not compare: the first known one
    beside: tuple = ()  # numbers that a comparison shows beside what it compares
    parts: dict = field(default_factory=dict)  # of the component, and their usual types
    engines: tuple = ()  # that go without saying

    @property
    def type_key(self):
        return f"{self.component}.type"

    @property
    def named_by(self):
        """Components whose keys tell schemes of one type apart."""
        return tuple(self.parts) or (self.component,)

    def time_of(self, points):
        """What points are compared by whose bounds differ; of a study, which has none, the ratio."""
        known = (m for m in self.in_time if all(p.number(m.key) is not None for p in points))
        return next(known, (self.ratio, *self.in_time)[-1])

    def is_of_scheme(self, key):
        """True for a key of the schemes themselves."""
        return key.startswith(f"{self.component}.")

    def is_scheme(self, key):
        """True for a key that says which scheme it is."""
        names = (self.component, *self.parts)
        return key in names or key in {f"{name}.type" for name in names}

    def is_varied_by(self, points):
        """True when all points have its component, and not all the same."""
        found = {frozenset(i for i in p.config.items() if self.is_of_scheme(i[0])) for p in points}
        return all(self.type_key in p.config for p in points) and len(found) > 1

    def __hash__(self):
        return hash(self.name)


COMPLETION_TIME = Measure(
    key="cct_s",
    title="Completion time",
    label="completion time",
    none="nothing was sent",
    figure="cct",
    base="us, ms",
)
ITERATION_TIME = Measure(
    key="iteration_s",
    title="Iteration time",
    label="iteration time",
    none="there is no iteration",
    figure="iteration",
    base="ms",
)
WHOLE_TIME = Measure(  # of a training of which a part is run
    key="whole_iteration_s",
    title="Estimated whole iteration",
    label="estimated time of a whole iteration",
    none="there is no iteration",
    figure="iteration",
    base="ms",
)
# Tokens that are dropped count as tokens of a second: they never stand without the share.
_TOKENS = (
    Column("tokens_per_s", "Tokens/s", ",.0f", where="known"),
    Column("expert_dropped_share", "Tokens dropped [%]", ".2f", 0.01, where="not 0"),
)
_POLICY = (  # what a policy of experts does to a training, and what that costs
    Column("expert_max_over_mean", "Max/mean", where="known"),
    Column("expert_parameters_exposed_s", "Experts' parameters exposed", base="s", where="known"),
    Column("expert_planning_exposed_s", "Planning exposed", base="s", where="known"),
    Column("iteration_with_moves_s", "Iteration with moves", base="s", where="known"),
    Column("memory_bytes", "Memory of a GPU", base="B", where="known"),
)
_SENT = Column("bytes", "Bytes sent", base="B", where="known")
# How settled the experts of a synthetic load are: which policies are ahead depends on that.
_AGE = Column("load_first_iteration", "Age of the training [iterations]", ",.0f", where="known")
_WHOLE = Column("whole_iteration_s", "Whole iteration, estimated", base="s", where="known")
_TRAINING = (
    _WHOLE,
    _AGE,
    Column("expert_max_over_mean_before", "Max/mean before", where="known"),
    *_POLICY,
    *_TOKENS,
    Column("expert_copies", "Copies", ".1f", where="known"),
    Column("mfu", "MFU [%]", ".2f", 0.01, where="known"),
    Column("mfu_fp8", "MFU over FP8 [%]", ".2f", 0.01, where="known"),
    Column("expert_slots_per_layer", "Slots of each layer", ".0f", where="not 0"),
    Column("expert_slots_shared", "Slots shared by layers", ".0f", where="not 0"),
    Column("expert_memory_bytes", "Experts on the fullest GPU", base="B", where="known"),
)
TRAINING_NUMBERS = ("tokens_per_s", *(column.key for column in _TRAINING))
_EVENTS = (
    Column("pfc_pauses", "PFC pauses", ",.0f", where="not 0"),
    Column("ecn_marks", "ECN marks", ",.0f", where="not 0"),
    Column("drops", "Drops", ",.0f", where="not 0"),
    Column("link_losses", "Lost on links", ",.0f", where="not 0"),
    Column("retransmitted_frames", "Retransmitted frames", ",.0f", where="not 0"),
    Column("abandoned_messages", "Messages given up", ",.0f", where="not 0"),
    Column("circuit_share", "Bytes by circuits [%]", ".1f", 0.01, where="known"),
    Column("reconfigurations", "Moves of circuits", ",.0f", where="not 0"),
    Column("dark_s", "Dark", base="s", where="not 0"),
    Column("wall_s", "Took [s]", ".2f"),
)
_QUEUE = Column("queue_max_bytes", "Longest queue", base="B", where="known")
SIMULATION = Kind(
    name="simulation",
    names="simulations",
    component="balance",
    word="Scheme",
    words="Schemes",
    metric="cct_s",
    in_time=(WHOLE_TIME, ITERATION_TIME, COMPLETION_TIME),
    ratio=Measure(
        key="cct_over_bound",
        title="Completion time over bound",
        label="completion time over lower bound",
        times="× bound",
        none="no point has a bound above 0",
        figure="cct",
        one="lower bound",
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
        *TRAINING_NUMBERS,
    ),
    needed=("cct_s", "lower_bound_s"),
    columns=(
        Column("cct_s", "Completion", base="s", is_main=True),
        Column("lower_bound_s", "Lower bound", base="s"),
        Column("cct_over_bound", "Over bound", own="Over own bound"),
        Column("busbw_Bps", "Bus bandwidth [GB/s]", ".2f", 1e9, where="known"),
        _QUEUE,
        Column("iteration_s", "Iteration", base="s", where="not 0"),
        *_TRAINING,
        *_EVENTS,
    ),
    beside=_TOKENS,
    means=(
        Column("cct_s", "Completion", base="s"),
        Column("cct_over_bound", "Over bound", own="Over own bound"),
        Column("busbw_Bps", "Bus bandwidth [GB/s]", factor=1e9, where="known"),
        Column("iteration_s", "Iteration", base="ms", where="known"),
        _WHOLE,
        *_TOKENS,
    ),
    took="Simulated in",
    baseline="ecmp",
    parts={"balance.host": "flow", "balance.switch": "ecmp"},
    engines=("frames",),
)

_ITERATION = Column("iteration_s", "Iteration", base="s", is_main=True)
_OVER_PLAIN = Column("iteration_over_plain_ep", "Over plain-ep", where="known")
# A policy changes what is sent and computed, and with it the lower bound: times are compared.
TRAINING = replace(
    SIMULATION,
    name="training under policies of experts",
    names="trainings under policies of experts",
    component="workload.experts",
    word="Policy",
    words="Policies",
    metric="iteration_s",
    in_time=(WHOLE_TIME, ITERATION_TIME),
    ratio=Measure(
        key="iteration_over_plain_ep",
        title=" over that of plain-ep",  # behind those of the time
        label=" over that of plain-ep",
        times="× plain-ep",
        none="there is no iteration",
        figure="iteration",
        of_baseline=True,
    ),
    columns=(_ITERATION, _OVER_PLAIN, *_TRAINING, _QUEUE, *_EVENTS),
    means=(_AGE, _ITERATION, _WHOLE, _OVER_PLAIN, *_POLICY, *_TOKENS),
    beside=(*_POLICY, _SENT, *_TOKENS),
    baseline="plain-ep",
    parts={},
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
    ratio=Measure(
        key="max_over_mean",
        title="Load of the busiest GPU over the mean",
        label="load of the busiest GPU over the mean",
        times="× mean",
        none="no point has a load",
        figure="max-over-mean",
        one="even load",
    ),
    metrics=(
        _AGE.key,
        "max_over_mean_before",
        "max_over_mean",
        "max_over_mean_worst",
        "copies",
        "copies_from_one_gpu",
        "replica_bytes",
        *_BYTES,
        "bytes_inside",
        "bytes_across",
        "placements",
        "local_share",
        "dropped_share",
        "planning_s",
        "slots_per_layer",
        "slots_shared",
        "expert_memory_bytes",
    ),
    needed=("max_over_mean_before", "max_over_mean", "bytes_inside", "bytes_across"),
    columns=(
        _AGE,
        *_BALANCE,
        Column("copies", "Copies", ".1f"),
        Column("copies_from_one_gpu", "Most from one GPU", ".0f"),
        Column("replica_bytes", "Replicas on the fullest GPU", base="B", where="known"),
        *_SUMS,
        *(
            Column(f"{key}_bytes_{where}", f"{title} {where}", base="B", where="not 0")
            for key, title in _MOVED.items()
            for where in ("inside", "across")
        ),
        Column("placements", "Placed anew in an iteration", ".2f", where="not 0"),
        *_SHARES,
        *_PLANNING,
        Column("slots_per_layer", "Slots of each layer", ".0f", where="known"),
        Column("slots_shared", "Slots shared by layers", ".0f", where="known"),
        Column("expert_memory_bytes", "Experts on the fullest GPU", base="B", where="known"),
        Column("wall_s", "Took [s]", ".2f"),
    ),
    means=(_AGE, *_BALANCE[:2], Column("copies", "Copies", ".1f"), *_SUMS, *_PLANNING[:1]),
    took="Worked out in",
    baseline="plain-ep",
    engines=("experts",),
)
# What a time would be about if no hash had put flows on the same cables (`explain`).
WITHOUT_ROUTES = Column("without_routes", "without routes", base="us, ms")
IN_TIME = {measure.key: measure for kind in (SIMULATION, TRAINING) for measure in kind.in_time}
KINDS = (SIMULATION, TRAINING, STUDY)
_REFINED = {SIMULATION: (TRAINING,)}  # by what differs between points
_SECTION = "experts"  # that only a study has


def kind_of(config):
    """The kind of an experiment, by its effective configuration."""
    return STUDY if _SECTION in config else SIMULATION


def renamed(columns, own_bounds):
    """Columns whose headings say so where multiples are of bounds that differ."""
    return tuple(
        replace(column, title=column.own) if own_bounds and column.own else column
        for column in columns
    )


def settle_kind(points):
    """Gives points of one kind the one that they are of together: by what differs between them."""
    own = points[0].own_kind if points else None
    kind = next((kind for kind in _REFINED.get(own, ()) if kind.is_varied_by(points)), own)
    for point in points:
        point.kind = kind


def kind_of_all(points):
    """The kind that points have in common."""
    return points[0].kind if points else SIMULATION
