# SPDX-License-Identifier: GPL-2.0-only
"""
Iterations under policies of experts and under ways to balance traffic: what each saves alone, what
both save together, and what the product of the two would be.
"""

from dataclasses import dataclass, field

PLAIN = "plain-ep"
FIRST = "ecmp"
DEDUPLICATED = "rails, deduplicated"
BALANCES = (FIRST, "rail-source", "rails", DEDUPLICATED)
FABRICS = {"rail": "rails with spines, Mixtral 8x7B", "fat-tree": "fat-tree 3:1, DeepSeek-V3"}
LOADS = ("w1", "w5", "trace", "no-aux", "aux-loss")
COPIES = ("expert-weights", "expert-gradients", "expert-planning", "expert-counts", "expert-moves")


@dataclass
class Case:
    """A load on a fabric: results by policy and way to balance."""

    fabric: str
    load: str
    results: dict = field(default_factory=dict)

    def seconds(self, policy, balance):
        return self.results[policy, balance]["iteration_s"]

    def share(self, policy, balance):
        """Time of an iteration over that without any policy under the first balance."""
        return self.seconds(policy, balance) / self.seconds(PLAIN, FIRST)

    def product(self, policy, balance):
        """What the same share would be if both saved what each saves alone."""
        return self.share(policy, FIRST) * self.share(PLAIN, balance)

    def policies(self):
        return list(dict.fromkeys(policy for policy, _ in self.results))

    def best(self, balance):
        """The policy with the shortest iteration."""
        return min(self.policies(), key=lambda policy: self.seconds(policy, balance))


def balance_of(config):
    name = config["balance.type"]
    return f"{name}, deduplicated" if config["workload.exchange.type"] == "deduplicated" else name


def load_of(config):
    kind = config["workload.load.type"]
    return kind if kind == "trace" else config.get("workload.load.workload", config.get("workload.load.preset"))


def cases(points):
    """Cases that have all their points, in the order of fabrics and loads."""
    found = {}
    for point in points:
        key = (point.config["topology.type"], load_of(point.config))
        case = found.setdefault(key, Case(*key))
        case.results[point.config["workload.experts.type"], balance_of(point.config)] = point.result
    order = [(fabric, load) for fabric in FABRICS for load in LOADS]
    return [found[key] for key in order if key in found and _is_whole(found[key])]


def _is_whole(case):
    return all((policy, balance) in case.results for policy in case.policies() for balance in BALANCES)


def exposed(result, kinds=COPIES):
    """Seconds in which a GPU of the mean has such kinds under way and computes nothing."""
    return sum(
        kind["exposed_s"] or 0 for kind in result["graph"]["kinds"] if kind["name"] in kinds
    )


def interaction(case, balance="rails"):
    """
    Of the best policy under a balance: shares of time of it alone, of the balance alone, their
    product, and of both.
    """
    policy = case.best(balance)
    return (
        policy,
        case.share(policy, FIRST),
        case.share(PLAIN, balance),
        case.product(policy, balance),
        case.share(policy, balance),
    )


def losses(case):
    """Points at which a policy takes longer than none under the same balance."""
    return [
        (policy, balance, case.seconds(policy, balance) / case.seconds(PLAIN, balance))
        for policy in case.policies()
        for balance in BALANCES
        if case.seconds(policy, balance) > case.seconds(PLAIN, balance)
    ]
