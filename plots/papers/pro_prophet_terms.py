# SPDX-License-Identifier: GPL-2.0-only
"""
The time model of Pro-Prophet (arXiv 2411.10003, eq. 1 to 6 and 8) beside simulated iterations of
experiments/pro-prophet/pro-prophet-terms and -skew: what each term takes there, from messages.csv.
A server has one GPU and one NIC there, and an iteration one micro-batch.
"""

from dataclasses import dataclass

import numpy as np

from rails.errors import ResultError
from rails.reader.result_files import read_table
from rails.reader.units import parse_number

EXCHANGES = ("dispatch", "combine", "combine-backward", "dispatch-backward")
COPIES = ("expert-weights", "expert-gradients")
BACKWARD = ("combine-backward", "dispatch-backward", "expert-gradients")
TERMS = {
    "exchange": "A2A (eq. 1)",
    "forward": "FEC (eq. 2)",
    "backward": "BEC (eq. 3)",
    "weights": "Trans (eq. 4)",
    "gradients": "Agg (eq. 5)",
    "blocking": "layer, blocking (eq. 6)",
    "scheduled": "layer, scheduled (eq. 8)",
}
_COLUMNS = dict.fromkeys(("source", "destination", "bytes", "start_s", "end_s"), float)
_TIMES_BACK = 2  # of computing, as long as forward


@dataclass(frozen=True)
class Rates:
    """What the model knows of a cluster and a model."""

    gpus: int
    bandwidth: float  # B, bytes per second
    token_s: float  # 1/t: seconds of an input at an expert
    token_bytes: float
    expert_bytes: float
    inputs: int  # of a GPU
    other_s: float  # FNEC; BNEC takes twice as long


@dataclass(frozen=True)
class Work:
    """What a layer has to do."""

    received: int  # max R
    computed: int  # max H
    shadows: int  # s
    excluded: int  # n


def rates_of(point, bandwidth):
    """The rates of a point of pro-prophet-terms or pro-prophet-skew; bandwidth in bytes per second."""

    def number(key):
        return parse_number(point.config[f"workload.{key}"])

    hidden, element = number("model.hidden"), number("bytes_per_element")
    inputs = number("batch.micro") * number("batch.sequence") * number("model.top_k")
    return Rates(
        gpus=int(number("parallel.ep")),
        bandwidth=bandwidth,
        token_s=number("compute.expert_token"),
        token_bytes=hidden * element,
        expert_bytes=2 * hidden * number("model.expert_ffn") * element,
        inputs=int(inputs),
        other_s=number("compute.attention"),
    )


def model_terms(rates, work):
    """Seconds of each of TERMS; those of layers with what the rest of the layer computes."""
    forward = work.computed * rates.token_s
    share = (rates.gpus - work.excluded) / rates.gpus
    transfer = work.shadows * share * rates.expert_bytes / rates.bandwidth
    exchange = work.received * rates.token_bytes / rates.bandwidth
    other = (1 + _TIMES_BACK) * rates.other_s
    unshadowed = len(EXCHANGES) * exchange + (1 + _TIMES_BACK) * forward + other
    hidden = forward + rates.other_s
    return {
        "exchange": exchange,
        "forward": forward,
        "backward": _TIMES_BACK * forward,
        "weights": transfer,
        "gradients": transfer,
        "blocking": unshadowed + 2 * transfer,
        "scheduled": unshadowed
        + max(0, transfer - hidden)
        + max(0, transfer - _TIMES_BACK * hidden),
    }


class Phases:
    """
    What was sent in the iteration of a point with blocking transfers, by layer. A GPU posts all of a
    dispatch at once; parameters that it sends before it posts one are of the same layer, gradients
    those of the last tokens that it has posted on the way back.
    """

    def __init__(self, point, rates):
        self.rates = rates
        self.layers = int(point.config["workload.layers"])
        self._folder = point.folder
        table = read_table(point.folder / "messages.csv", {**_COLUMNS, "kind": str})
        kinds = np.array(table["kind"])
        self._kinds = {
            name: {key: table[key][kinds == name] for key in _COLUMNS} for name in (*EXCHANGES, *COPIES)
        }
        self._layer_of = {}
        for first, others in (
            ("dispatch", ("combine", "expert-weights")),
            ("combine-backward", ("dispatch-backward", "expert-gradients")),
        ):
            posts = self._find_posts(first)
            for name in (first, *others):
                self._layer_of[name] = self._find_layers(name, posts)

    def _find_posts(self, name):
        """Times at which each GPU posts a kind, one for each layer."""
        own = self._kinds[name]
        posts = [np.unique(own["start_s"][own["source"] == gpu]) for gpu in range(self.rates.gpus)]
        if any(len(times) != self.layers for times in posts):
            raise ResultError(self._folder / "messages.csv", f"a GPU sends no {name} in a layer")
        return posts

    def _find_layers(self, name, posts):
        """The layer of each message: of the tokens that its GPU posts at that time or before."""
        own = self._kinds[name]
        layers = np.empty(len(own["source"]), dtype=int)
        for gpu, times in enumerate(posts):
            at = own["source"] == gpu
            layers[at] = np.searchsorted(times, own["start_s"][at], side="right") - 1
        if name == "expert-weights":
            return layers + 1  # they are before the tokens
        return self.layers - 1 - layers if name in BACKWARD else layers

    def _get(self, name, layer):
        at = self._layer_of[name] == layer
        return {key: values[at] for key, values in self._kinds[name].items()}

    def tokens(self, layer):
        """Inputs that each GPU receives from others, and that it computes."""
        own = self._get("dispatch", layer)
        many = own["bytes"] / self.rates.token_bytes
        received = np.bincount(own["destination"].astype(int), many, self.rates.gpus)
        sent = np.bincount(own["source"].astype(int), many, self.rates.gpus)
        return received, received + self.rates.inputs - sent

    def work(self, layer, excluded=0):
        received, computed = self.tokens(layer)
        copied = self._get("expert-weights", layer)["bytes"].sum() / self.rates.expert_bytes
        shadows = copied / (self.rates.gpus - 1 - excluded)
        return Work(int(received.max()), int(computed.max()), round(shadows), excluded)

    def _arrivals(self, name, layer):
        """When each GPU has all its tokens, and its own have arrived."""
        own = self._get(name, layer)
        at = np.zeros(self.rates.gpus)
        for end in ("source", "destination"):
            np.maximum.at(at, own[end].astype(int), own["end_s"])
        return at

    def exchange(self, name, layer):
        """Seconds from when the last GPU posts its tokens until the last has arrived."""
        own = self._get(name, layer)
        return own["end_s"].max() - own["start_s"].max()

    def forward(self, layer):
        """The longest that a GPU takes from its last token to what it sends back."""
        own = self._get("combine", layer)
        arrived = self._arrivals("dispatch", layer)[own["source"].astype(int)]
        return (own["start_s"] - arrived).max()

    def weights(self, layer):
        """Seconds of parameters, from the end of the layer before; 0 without any."""
        own = self._get("expert-weights", layer)
        begin = self._get("combine", layer - 1)["end_s"].max() if layer > 0 else 0
        return own["end_s"].max() - begin if len(own["end_s"]) else 0

    def gradients(self, layer):
        """Seconds of gradients, from when the last GPU has computed its experts; 0 without any."""
        own = self._get("expert-gradients", layer)
        computing = _TIMES_BACK * self.rates.token_s * self.tokens(layer)[1]
        begin = (self._arrivals("combine-backward", layer) + computing).max()
        return own["end_s"].max() - begin if len(own["end_s"]) else 0


def chain_factor(gpus, pieces):
    """
    What a copy takes down a chain of GPUs over what it takes from one to the next: the first of its
    pieces goes all the way.
    """
    return (gpus - 2 + pieces) / pieces


@dataclass(frozen=True)
class Case:
    """A setting of pro-prophet-terms."""

    gpus: int
    pieces: int
    shadows: int
    excluded: int = 0
    has_attention: bool = False  # whose gradients are beside

    @property
    def name(self):
        text = f"s={self.shadows} C={self.pieces}"
        text += f" n={self.excluded}" if self.excluded else ""
        return text + (" with gradients of attention" if self.has_attention else "")


def _group(points, key):
    """Points by what a function says of them, and then by their transfers and number of layers."""
    groups = {}
    for point in points:
        own = groups.setdefault(key(point), {})
        own[point.config["workload.expert_transfers"], int(point.config["workload.layers"])] = point
    return dict(sorted(groups.items()))


def equal_loads(points, bandwidth):
    """
    Points of pro-prophet-terms: {Case: {term: (simulated, model)}}, in seconds. A layer takes what
    runs with more layers take longer; a case without such runs has no layers.
    """

    def setting(point):
        keys = ("copy_pieces", "warm_up", "experts.excluded", "model.heads")
        return tuple(int(point.config[f"workload.{key}"]) for key in keys)

    cases = {}
    for (pieces, _, excluded, heads), own in _group(points, setting).items():
        few, more = (choose(layers for _, layers in own) for choose in (min, max))
        point = own["blocking", few]
        phases = Phases(point, rates_of(point, bandwidth))
        last = few - 1  # the first layer has nothing before it
        work = phases.work(last, excluded)
        found = {name: phases.exchange(name, last) for name in EXCHANGES}
        found["forward"] = phases.forward(last)
        found["backward"] = _critical(point, "experts") / few - found["forward"]
        found["weights"] = phases.weights(last)
        found["gradients"] = phases.gradients(last)
        for timing in ("blocking", "scheduled"):
            if few < more:
                seconds = [own[timing, layers].get("iteration_s") for layers in (few, more)]
                found[timing] = (seconds[1] - seconds[0]) / (more - few)
        model = model_terms(phases.rates, work)
        cases[Case(phases.rates.gpus, pieces, work.shadows, excluded, heads > 1)] = {
            name: (seconds, model["exchange" if name in EXCHANGES else name])
            for name, seconds in found.items()
        }
    return cases


def _critical(point, name):
    """Seconds of the critical path of an iteration in a kind."""
    kinds = point.get("graph")["kinds"]
    return next(kind["critical_s"] for kind in kinds if kind["name"] == name)


def unequal_loads(points, bandwidth):
    """
    Points of pro-prophet-skew: {(preset, exponent, seed): {term: (simulated, model)}}, seconds of
    all layers together. An iteration has, besides its layers, transfers of the first that nothing
    hides.
    """

    def setting(point):
        preset = point.config["workload.load.preset"]
        exponent = 0 if preset == "uniform" else point.config["workload.load.exponent"]
        return preset, float(exponent), point.seed

    cases = {}
    for key, own in _group(points, setting).items():
        layers = next(layers for _, layers in own)
        point = own["blocking", layers]
        phases = Phases(point, rates_of(point, bandwidth))
        models = [model_terms(phases.rates, phases.work(layer)) for layer in range(layers)]
        total = {name: sum(model[name] for model in models) for name in TERMS}
        total["exchange"] *= len(EXCHANGES)
        total["scheduled"] += models[0]["blocking"] - models[0]["scheduled"]
        found = {
            "exchange": sum(phases.exchange(n, i) for n in EXCHANGES for i in range(layers)),
            "forward": sum(map(phases.forward, range(layers))),
            "weights": sum(map(phases.weights, range(layers))),
            "gradients": sum(map(phases.gradients, range(layers))),
            "blocking": point.get("iteration_s"),
            "scheduled": own["scheduled", layers].get("iteration_s"),
        }
        cases[key] = {name: (seconds, total[name]) for name, seconds in found.items()}
    return cases
