# SPDX-License-Identifier: GPL-2.0-only
"""
The experiments in experiments/load-balancing: where the numbers of each figure come from, how they
are drawn, and what is required of them. A figure's folder there has the published values.
"""

import math
from dataclasses import dataclass

from rails.plots import growth
from rails.errors import ResultError
from rails.reader.units import parse_number
from .balancers import balancer
from .comparison import Comparison, Sample, Tolerance, compare
from .figure import Check, Figure, load_figure, published_of, read_points

ROUND_TRIP_S = 6.253e-6  # 2 p + H (T_d + T_a), the unit of time of figure 4
STAGES = {  # in the order in which a frame meets them
    "edge_up": "edge to agg",
    "agg_up": "agg to core",
    "core_down": "core to agg",
    "agg_down": "agg to edge",
    "leaf_down": "edge to host",
}
PERMUTATION, ALL_TO_ALL = "permutation", "all-to-all"
SPRAYS = ("Host Pkt", "Switch Pkt", "Host AR", "Switch AR", "Host DR", "Ofan")
INCREASE = "CCT increase [%]"
FRAME_BYTES = 4178  # on the wire


def increase(points):
    """Completion time of the slowest flow over the published bound, less 1, in percent."""
    for point in points:
        yield point, 100 * (point.get("slowest_flow_s") / point.get("published_bound_s") - 1)


def increase_over_whole_fabric(points):
    """The same over the bound of the fabric without failures: that of the same seed."""
    bounds = {
        point.seed: point.get("published_bound_s")
        for point in points
        if failure_percent(point) == 0
    }
    for point in points:
        if point.seed in bounds:
            yield point, 100 * (point.get("slowest_flow_s") / bounds[point.seed] - 1)


def increase_over_payload(points):
    """The same over the bytes of the message at line rate and the round trip of a 4 KiB frame."""
    for point in points:
        rate = parse_number(point.config["topology.nic_rate"])
        message = 8 * parse_number(point.config["workload.bytes"]) / rate
        yield point, 100 * (point.get("slowest_flow_s") / (message + ROUND_TRIP_S) - 1)


def queue_max_kb(points):
    """Longest switch queue."""
    for point in points:
        yield point, point.get("queue_max_bytes") / 1e3


def traffic(point):
    return point.config["workload.type"]


def message_bytes(point):
    """What one host has for another."""
    for key in ("workload.bytes", "workload.matrix.bytes_per_pair"):
        if key in point.config:
            return parse_number(point.config[key])
    if point.config["workload.type"] == "connections":  # a list of equal ones
        return point.get("bytes") / point.get("messages")
    raise ResultError(point.folder, "its workload has no message size")


def message_frames(point):
    return math.ceil(message_bytes(point) / parse_number(point.config["transport.mtu"]))


def message_mib(point):
    return message_bytes(point) / 2**20


OTHER_PODS = "1 MiB, to other pods"  # for permutations whose messages all leave their pod


def message_text(point):
    size = message_bytes(point)
    return f"{size / 2**20:g} MiB" if size >= 2**19 else f"{size / 2**10:g} KiB"


def hosts(point):
    return float(int(point.config["topology.k"]) ** 3 // 4)


def payload_kib(point):
    return parse_number(point.config["transport.mtu"]) / 2**10


def convergence_round_trips(point):
    word = point.config["failures.convergence"]
    return math.inf if word == "never" else round(parse_number(word) / ROUND_TRIP_S, 2)


def failure_percent(point):
    return 100 * float(point.config.get("failures.random.probability", 0))


ECHO_SETTINGS = (
    "data class: the ACK's mark",  # as in the paper
    "data class: the data's mark",
    "control class: the data's mark",
    "our defaults",
)


def marks_percent(point):
    """Part of a port's queue above which switches mark."""
    marks, queue = (parse_number(point.config[f"switch.{key}"]) for key in ("ecn.kmin", "port_buffer"))
    return 100 * marks / queue


def rate_and_message(point):
    rate = float(point.config["transport.congestion_control.load"]) * FRAME_BYTES / 4096
    return message_text(point) + (f", rate {rate:.2f}" if rate < 0.999 else "")


def echo_setting(point):
    """How ACKs travel and which mark they bring, and what of a frame travels, in words."""
    if parse_number(point.config["transport.data_header"]) > 0:
        return ECHO_SETTINGS[-1]
    mark = {"ack-own-mark": "the ACK's mark", "data-mark": "the data's mark"}
    return f"{point.config['transport.ack_class']} class: {mark[point.config['transport.echo']]}"


def worst_overload(points):
    """Frames on the most loaded link of each stage beyond those of one message, in percent."""
    for point in points:
        frames = message_frames(point)
        worst = dict.fromkeys(STAGES, 0.0)
        links = point.links("data_frames")
        for stage, sent in zip(links["port_class"], links["data_frames"]):
            if stage in worst:
                worst[stage] = max(worst[stage], 100 * (sent / frames - 1))
        for stage, name in list(STAGES.items())[:4]:  # an edge has one way to a host
            yield point, worst[stage], name


def mean_queues(points):
    """Mean queue of each stage, over time and over its ports, in KB."""
    for point in points:
        queues = {}
        for stage, mean in zip(*point.links("queue_mean_bytes").values()):
            queues.setdefault(stage, []).append(mean / 1e3)
        for stage, name in STAGES.items():
            if stage in queues:
                yield point, sum(queues[stage]) / len(queues[stage]), name


def queue_ratio(points):
    """Figure 18: the longest queue of Host DR over that of Ofan, of the same hosts and seed."""
    longest = {}
    for point in points["figure-18"]:
        own = longest.setdefault((hosts(point), point.seed), {})
        own[balancer(point.config)] = point.get("queue_max_bytes")
    for (many, seed), own in longest.items():
        if len(own) == 2:
            yield Sample(PERMUTATION, "Host DR over Ofan", many, seed, own["Host DR"] / own["Ofan"])


def synchronised_pairs(points):
    """
    Figure 16: pairs of messages that keep in step on a link down to an edge switch, which has carried as many messages as
    it has frames of whole ones.
    """
    for point in points:
        frames, pairs = message_frames(point), 0
        for stage, sent in zip(*point.links("data_frames").values()):
            messages = round(sent / frames) if stage == "agg_down" else 0
            pairs += messages * (messages - 1) // 2
        yield point, pairs


def load_two_measures(figure, results, experiments):
    """Figure 6: two measures of the same runs, a case each."""
    comparison = load_figure(figure, results, experiments)
    queues = [
        Sample(figure.cases[1], balancer(point.config), "", point.seed, value)
        for source in figure.sources
        for point, value in queue_max_kb(read_points(results, source, []))
    ]
    other = compare(queues, published_of(figure, experiments), figure.cases)
    rows = comparison.of(figure.cases[0]) + other.of(figure.cases[1])
    return Comparison(rows, comparison.failures)


# Requirements on several schemes.


def _figure_1_order(comparison):
    means = [_mean(comparison, PERMUTATION, name) for name in ("Flow", "Subflow", "Flowlet")]
    known = None not in means
    return [
        Check(
            "permutation: Flow above Subflow and Flowlet, all above 100 %",
            known and means[0] > max(means[1:]) and min(means) > 100 if known else None,
        )
    ]


def _figure_3_third(comparison):
    checks = []
    host = _mean(comparison, ALL_TO_ALL, "Host AR")
    for name in ("Host Pkt", "Switch Pkt", "Switch AR"):
        other = _mean(comparison, ALL_TO_ALL, name)
        known = None not in (host, other)
        checks.append(
            Check(
                f"all-to-all: Host AR at most a third of {name}",
                host <= other / 3 if known else None,
            )
        )
    return checks


def _mean(comparison, case, scheme, x=""):
    row = comparison.row(case, scheme, x)
    return None if row is None else row.mean


# Queue growth.

GROWTH_SCHEMES = (
    "Simple RR",
    "Simple RR, shared",
    "JSQ",
    "RSQ",
    "Host Pkt",
    "Switch Pkt",
    "Switch AR",
    "Host DR",
    "Ofan",
)


@dataclass
class Queues:
    """Queue lengths of one scheme, or one variant of it, in frames."""

    means: dict  # by seed, by frames of a message: of the most loaded stage, mean over its ports
    longest: dict  # the same of the longest queue anywhere
    stage: str  # the most loaded one

    @property
    def mean_exponent(self):
        return growth.fit(self.means)

    @property
    def longest_exponent(self):
        return growth.fit(self.longest)

    def at(self, frames, lengths):
        """Length at a message length, mean over seeds."""
        found = [by_frames[frames] for by_frames in lengths.values() if frames in by_frames]
        return sum(found) / len(found) if found else None


def load_queues(results, sources, key):
    """
    :param sources: folders of results
    :param key: of a point: the name of its scheme or variant
    :return: Queues by key, and a line for each run without a result
    """
    failures, stages, longest = [], {}, {}
    for source in sources:
        for point in read_points(results, source, failures):
            place, frames = key(point), message_frames(point)
            queues = {}
            most = 0.0
            links = point.links("queue_mean_bytes", "queue_max_bytes")
            for stage, mean, longest_here in zip(*links.values()):
                if stage in STAGES:
                    queues.setdefault(stage, []).append(mean / FRAME_BYTES)
                    most = max(most, longest_here / FRAME_BYTES)
            by_seed = stages.setdefault(place, {}).setdefault(point.seed, {})
            by_seed[frames] = {name: sum(all_) / len(all_) for name, all_ in queues.items()}
            longest.setdefault(place, {}).setdefault(point.seed, {})[frames] = most
    found = {}
    for place, seeds in stages.items():
        stage = _most_loaded(seeds)
        means = {
            seed: {frames: lengths[stage] for frames, lengths in by_frames.items()}
            for seed, by_frames in seeds.items()
        }
        found[place] = Queues(means, longest[place], stage)
    return found, failures


def _most_loaded(seeds):
    """The stage with the longest queues in the longest messages: the same one for all lengths."""
    last = max(frames for by_frames in seeds.values() for frames in by_frames)
    sums = {}
    for by_frames in seeds.values():
        for stage, mean in by_frames.get(last, {}).items():
            sums[stage] = sums.get(stage, 0.0) + mean
    return max(sums, key=sums.get)


def growth_checks(exponents):
    """What is required of the exponents of the means, by scheme."""
    checks = []
    for upper, lower in (
        [("JSQ", "RSQ"), ("JSQ", "Host Pkt")]
        + [(random, flat) for random in ("RSQ", "Host Pkt") for flat in ("Host DR", "Ofan")]
    ):
        known = exponents.get(upper) and exponents.get(lower)
        holds = exponents[upper].is_above(exponents[lower]) if known else None
        checks.append(Check(f"{upper} above {lower}, intervals disjoint", holds))
    ranges = {"RSQ": (0.35, 0.6), "Host Pkt": (0.35, 0.6), "Host DR": (-9, 0.15), "Ofan": (-9, 0.15)}
    return checks + [_range_check(name, exponents.get(name), *ends) for name, ends in ranges.items()]


def _range_check(name, found, low, high):
    text = f"{low} to {high}" if low > 0 else f"at most {high}"
    return Check(f"{name}: {text}", low <= found.mean <= high if found else None)


def theorem_setting(point):
    """Size of the network, starts of the senders and scheme."""
    spread = point.config["transport.congestion_control.random_start"]
    return f"k = {point.config['topology.k']}", "spread" if spread else "equal", balancer(point.config)


def theorem_checks(exponents):
    """
    What the theorems say of the exponents of the means, where the starts of senders are spread.

    :param exponents: by size of the network and scheme
    """
    checks = []
    for (size, scheme), found in exponents.items():
        name = f"{size}, {scheme}"
        if scheme in ("Simple RR", "JSQ"):
            ends = f"{found.low:.3f} to {found.high:.3f}"
            checks.append(Check(f"{name}: the interval contains 1 ({ends})", found.low <= 1 <= found.high))
        else:
            checks.append(_range_check(name, found, *((0.35, 0.6) if scheme == "RSQ" else (-9, 0.15))))
    return checks


def simple_rr_variant(point):
    """Details of simple round robin that the paper does not give: k, ACK counter, jitter."""
    own = point.config.get("balance.switch.own_ack_counter", False)
    jitter = float(point.config["transport.congestion_control.jitter"])
    return (
        f"k = {point.config['topology.k']}",
        "own" if own else "shared",
        f"{100 * jitter:g} %" if jitter else "none",
    )


GROWTH_SOURCES = ("queue-growth",)
VARIANT_SOURCES = ("queue-growth-simple-rr-k8", "queue-growth-simple-rr-k16")
THEOREM_SOURCES = ("theorems",)

_BOTH = (PERMUTATION, ALL_TO_ALL)


def _both(name):
    return {f"{name}-{case}": case for case in _BOTH}


FIGURES = (
    Figure(
        "figure-01",
        "Figure 1: no failure, 128 hosts, 1 MiB",
        {**_both("figure-01"), **{f"figure-01-{case}-plb": case for case in _BOTH}},
        increase,
        _BOTH,
        "bars",
        unit=INCREASE,
        tolerances=(
            Tolerance(PERMUTATION, ("Host Pkt", "Switch Pkt", "Host AR", "Switch AR"), within=2),
            Tolerance(PERMUTATION, ("Host DR",), at_most=3),
            Tolerance(PERMUTATION, ("Ofan",), at_most=1.5),
            Tolerance(PERMUTATION, ("Flow", "Subflow", "Flowlet"), above=100),
            Tolerance(ALL_TO_ALL, SPRAYS, at_most=1),
            Tolerance(ALL_TO_ALL, ("Flow",), above=30),
        ),
        checks=(_figure_1_order,),
        bands={
            "Host Pkt": (7.4, 10.1),
            "Switch Pkt": (8.0, 10.8),
            "Host AR": (6.4, 8.6),
            "Switch AR": (5.3, 7.2),
            "Host DR": (1.22, 1.66),
            "Ofan": (0.77, 1.05),
        },
    ),
    Figure(
        "figure-03",
        "Figure 3: 1 % of links failed, routing never converges",
        _both("figure-03"),
        increase,
        _BOTH,
        "bars",
        unit=INCREASE,
        checks=(_figure_3_third,),
    ),
    Figure(
        "figure-04",
        "Figure 4: 1 % of links failed, routing converges after G",
        _both("figure-04"),
        increase,
        _BOTH,
        "lines",
        unit=INCREASE,
        across="G [round-trip times of 6.253 us]",
        x=convergence_round_trips,
    ),
    Figure(
        "figure-05",
        "Figure 5: links failed, routing has converged; over the bound without failures",
        {"figure-05": PERMUTATION},
        increase_over_whole_fabric,
        (PERMUTATION,),
        "lines",
        unit=INCREASE,
        across="probability that a link failed [%]",
        x=failure_percent,
    ),
    Figure(
        "figure-06",
        "Figure 6: buffers without limit, permutation of 1 MiB",
        {"figure-06": "CCT increase"},
        increase,
        ("CCT increase", "longest queue"),
        "bars",
        unit="CCT increase [%] | longest queue [KB]",
    ),
    Figure(
        "figure-07",
        "Figure 7: most loaded link of each stage, permutation",
        {"figure-07": message_text, "figure-07-other-pods": OTHER_PODS},
        worst_overload,
        ("1 MiB", "32 KiB", OTHER_PODS),
        "stages",
        unit="worst overload of a link [%]",
        across="stage",
        words=tuple(STAGES.values()),
    ),
    Figure(
        "figure-08",
        "Figure 8: size of the network, 1 MiB",
        {**_both("figure-08"), "figure-08-all-to-all-250": ALL_TO_ALL},
        increase,
        _BOTH,
        "lines",
        unit=INCREASE,
        across="hosts",
        x=hosts,
    ),
    Figure(
        "figure-09",
        "Figure 9: buffers of 20 frames, 1 MiB",
        _both("figure-09"),
        increase,
        _BOTH,
        "bars",
        unit=INCREASE,
    ),
    Figure(
        "figure-10",
        "Figure 10: size of messages",
        {f"figure-10-{case}{length}": case for case in _BOTH for length in ("", "-long")},
        increase,
        _BOTH,
        "lines",
        unit=INCREASE,
        across="message [MiB]",
        x=message_mib,
    ),
    Figure(
        "figure-11",
        "Figure 11: size of frames, permutation",
        {"figure-11-short": "0.5 MiB", "figure-11-long": "16 MiB"},
        increase_over_payload,
        ("0.5 MiB", "16 MiB"),
        "lines",
        unit=INCREASE,
        across="payload of a frame [KiB]",
        x=payload_kib,
    ),
    Figure(
        "figure-12",
        "Figure 12: selective acknowledgements, 1 MiB",
        _both("figure-12"),
        increase,
        _BOTH,
        "bars",
        unit=INCREASE,
    ),
    Figure(
        "figure-13",
        "Figure 13: delay-based congestion control, permutation",
        {"figure-13": message_text},
        increase,
        ("1 MiB", "16 MiB"),
        "bars",
        unit=INCREASE,
    ),
    Figure(
        "figure-14",
        "Figure 14: Llama-3 with FSDP on 1,024 GPUs, delay-based congestion control",
        {"figure-14": PERMUTATION},
        increase,
        (PERMUTATION,),
        "lines",
        unit=INCREASE,
        across="packets of a flow",
        x=lambda point: float(message_frames(point)),
    ),
    Figure(
        "figure-16",
        "Figure 16: pairs of messages in step on links to edge switches, 1 MiB",
        {f"figure-16{end}": PERMUTATION for end in ("", "-8192")},
        synchronised_pairs,
        (PERMUTATION,),
        "lines",
        unit="pairs in step",
        across="hosts",
        x=hosts,
    ),
    *(
        Figure(
            f"figure-{number}",
            f"Figure {number}: mean queues by stage, {scheme}, 1,024 hosts, permutation of 4 MiB",
            {f"figure-{number}": PERMUTATION},
            mean_queues,
            (PERMUTATION,),
            "stages",
            unit="mean queue [KB]",
            across="stage",
            words=tuple(STAGES.values()),
        )
        for number, scheme in ((17, "Host DR"), (19, "Ofan"))
    ),
    Figure(
        "figure-18",
        "Figure 18: longest queue of Host DR over that of Ofan, permutation of 1 MiB",
        {"figure-18": PERMUTATION},
        gather=queue_ratio,
        cases=(PERMUTATION,),
        style="lines",
        unit="ratio of longest queues",
        across="hosts",
    ),
    Figure(
        "ack-echo",
        "What the faithful setting changes, 1 MiB",
        {f"ack-echo-permutation{plb}": "permutation" for plb in ("", "-plb")},
        increase,
        ("permutation",),
        "settings",
        unit=INCREASE,
        across="setting",
        words=ECHO_SETTINGS,
        x=echo_setting,
    ),
    Figure(
        "reps-marks",
        "Host AR by the marks of switches and the rate of senders",
        {
            "reps-marks": rate_and_message,
            "reps-marks-failures-permutation": "1 MiB, links failed",
            "reps-marks-failures-all-to-all": "all-to-all of 54 hosts, links failed",
        },
        increase,
        (
            "1 MiB",
            "1 MiB, rate 0.98",
            "50 MiB",
            "50 MiB, rate 0.98",
            "1 MiB, links failed",
            "all-to-all of 54 hosts, links failed",
        ),
        "lines",
        unit=INCREASE,
        across="marks above [% of the queue]",
        x=marks_percent,
    ),
)
GROWTH = "queue-growth"
NAMES = tuple(figure.name for figure in FIGURES) + (GROWTH,)
