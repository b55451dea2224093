# SPDX-License-Identifier: GPL-2.0-only
"""workload.model: its keys, and what holds for a model whatever it was read from."""

from .errors import ImportRefused
from .values import MOST, ours

KEYS = (
    "layers",
    "dense_layers",
    "hidden",
    "heads",
    "kv_heads",
    "head_width",
    "ffn",
    "experts",
    "top_k",
    "expert_groups",
    "top_groups",
    "expert_hidden",
    "expert_ffn",
    "shared_ffn",
    "vocabulary",
    "query_rank",
    "kv_rank",
    "rope_width",
    "gated",
    "balancing",
)
MOST_LAYERS, MOST_EXPERTS = 10_000, 100_000
NONE = "there is none"
TIED = "embedding and head are one matrix, and two here: memory and gradients have both"


class Model:
    """
    A model as a descriptor has it: values by key, and what cannot be said of it.

    :param kind: the model of rails whose keys are given anew
    :param facts: where it is that model itself: numbers of it, which the descriptor need not repeat
    """

    def __init__(self, kind, label, facts=None):
        self.type = kind
        self.label = label
        self.facts = facts or {}
        self.keys = {}
        self.unmapped = []  # lines
        self.ahead = ""  # what to say of its multi-token prediction where nothing else does
        self.predictions = 0  # layers of it that the input has
        self.capacity = None  # factor of experts that do not take all tokens
        self.is_tied = False  # embedding and head are one matrix there

    @property
    def is_named(self):
        """True where the type says all that is not given."""
        return bool(self.facts)

    @property
    def is_dense(self):
        return self.number("dense_layers") == self.number("layers")

    def has(self, key):
        return self.is_named or key in self.keys

    def set(self, key, value):
        if value is not None:
            self.keys[key] = value

    def number(self, key):
        return self.keys[key].value if key in self.keys else self.facts.get(key, 0)

    def in_order(self):
        return {key: self.keys[key] for key in (*KEYS, "mtp_layers") if key in self.keys}

    def complete(self):
        """Keys that say of a model that it does not have something."""
        if self.is_named:
            return
        for key in ("expert_hidden", "shared_ffn", "query_rank", "kv_rank", "rope_width"):
            self.keys.setdefault(key, ours(0, NONE))
        for key in ("expert_groups", "top_groups"):
            self.keys.setdefault(key, ours(1, NONE))

    def check(self):
        """Refuses what no model can be."""
        if self.is_named:
            return
        self._check_most("layers", MOST_LAYERS, f"{MOST_LAYERS} layers are the most")
        self._check_most("shared_ffn", MOST, f"{MOST} is the most")
        self._check_divides("kv_heads", "heads")
        self._check_divides("expert_groups", "experts")
        experts, groups = self.number("experts"), self.number("expert_groups")
        self._check_most("top_k", experts, f"there are {experts} experts")
        self._check_most("top_groups", groups, f"there are {groups} groups of experts")
        reached = self.number("top_groups") * (experts // groups)
        self._check_most("top_k", reached, f"the groups that a token reaches have {reached} experts")
        self._check_most("dense_layers", self.number("layers"), f"there are {self.number('layers')} layers")

    def _check_most(self, key, most, why):
        found = self.keys[key]
        if found.value > most:
            raise ImportRefused(found.spot, f"{found.origin}: {found.value}, but {why}: change one of them")

    def _check_divides(self, key, other):
        part, whole = self.keys[key], self.keys[other]
        if whole.value % part.value:
            raise ImportRefused(
                part.spot,
                f"{part.origin}: {part.value} does not divide {whole.origin}: {whole.value}",
            )


def lay_dense(model, is_dense, origin):
    """
    Sets how many layers are dense. A descriptor has them first: others are moved there, and that is said.

    :param is_dense: for each layer whether it has no experts
    """
    count = sum(is_dense)
    model.set("dense_layers", origin.but(count))
    if is_dense[:count] != [True] * count:
        model.unmapped.append(
            f"{origin.origin}: {count} dense layers lie between those with experts: here they are the first ones, so "
            "stages of a pipeline have other layers than there"
        )


def set_dense(model, ffn, why):
    """A model without experts: all its layers are dense ones, and the keys of experts say nothing."""
    layers = model.keys["layers"]
    model.set("dense_layers", layers.but(layers.value, f", all of them: {why}"))
    model.set("ffn", ffn)
    for key in ("experts", "top_k", "expert_ffn"):
        model.set(key, ours(1, "of no layer"))
    model.set("balancing", ours("no-aux", "of no layer"))
