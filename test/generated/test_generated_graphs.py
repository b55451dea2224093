# SPDX-License-Identifier: GPL-2.0-only
"""What must hold of graphs, trainings and jobs on both engines.

Descriptors are drawn at random, GENERATED_GRAPHS of them, by default 12.
"""

import csv
import math
import os
import unittest

import known_deviations
from drawn_graphs import FLOWS, TOLERANCES, draw_graphs
from flow_notes import get_range
from programs import REFUSED, for_each, run_whole
from reported_ends import find_off, get_ends, get_own_times

COUNT = int(os.environ.get("GENERATED_GRAPHS", "12"))
SAME = ("status", "fingerprint", "cct_s", "cct_sender_s", "phases", "frames", "frame_hops")
BYTES = ("bytes", "messages", "nic_tx_bytes", "nic_rx_bytes")

PART = 1e-9  # flows are added up in floating point
PS = 1.001e-12  # an iteration of a graph is cut to whole picoseconds

# Part of the frames' time by which flows without a note may be off, for reasons in doc/flow.rst:
# queues share a cable by what arrives, flows evenly; which of two stages is first follows from it.
BAND = 0.05


def get_time(result):
    """The time of an iteration, or of the run where it is no graph."""
    return result["iteration_s"] if "graph" in result else result["cct_s"]


def get_cable_bytes(outcome):
    """Bytes on every cable and way, of links.csv."""
    return [(row["node"], row["port"], row["bytes"])
            for row in csv.DictReader(outcome.links.splitlines())]


def find_wrong_factors(result):
    """What is wrong with the explanation of a graph, a line each."""
    explain = result["explain"]
    critical = {kind["name"]: kind["critical_s"] for kind in result["graph"]["kinds"]}
    chains = [(kind["name"], kind, critical[kind["name"]]) for kind in explain["kinds"]]
    chains.append(("the path", explain, result["cct_s"]))
    found = []
    for name, chain, time in chains:
        times = chain["times_s"]
        factors = [factor for factor in chain["factors"].values() if factor is not None]
        if min(factors) < 1 or len(factors) != (4 if result["engine"] == "flow" else 5):
            found.append(f"{name}: {chain['factors']}")
        if abs(math.prod(factors) * times["t0"] / times["t5"] - 1) > PART:
            found.append(f"{name}: {math.prod(factors)} instead of {times}")
        iterations = result["cct_s"] / result["iteration_s"] if chain is not explain else 1
        if abs(times["t5"] - time * iterations) > iterations * PS:
            found.append(f"{name}: {times['t5']} instead of {time} an iteration")
    return found


class GeneratedGraphs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs, cls.refused = draw_graphs(COUNT)

    def test_both_engines_refuse_the_same_and_end_what_they_accept(self):
        self.assertEqual([drawn.name for drawn in self.refused
                          if drawn.frames.refusal != drawn.flows.refusal
                          or drawn.frames.status != REFUSED], [])
        self.assertEqual([(drawn.name, engine, outcome.result["report"])
                          for drawn in self.runs for engine, outcome in drawn.outcomes
                          if outcome.status != 0], [])

    def test_punctual_nodes_change_nothing(self):
        def differences(drawn):
            other = run_whole(drawn.descriptor, ["record.punctual=true"]).result
            return [(drawn.name, key) for key in SAME if other[key] != drawn.frames.result[key]]

        self.assertEqual(for_each(differences, self.runs), [])

    def test_factors_multiply_to_the_time_on_the_path_and_explaining_changes_nothing(self):
        def mistakes(drawn):
            found = []
            for sets, outcome in (((), drawn.frames), (FLOWS, drawn.flows)):
                other = run_whole(drawn.descriptor, [*sets, "record.explain=true"]).result
                found += [key for key in SAME if other[key] != outcome.result[key]]
                if "graph" in other and other["status"] == 0:
                    found += find_wrong_factors(other)
            return [(drawn.name, mistake) for mistake in found]

        self.assertEqual(for_each(mistakes, self.runs), [])

    def test_nothing_is_below_its_bound(self):
        found = []
        for drawn in self.runs:
            for engine, outcome in drawn.outcomes:
                result = outcome.result
                least = 1 - PART if engine == "flows" else 1
                found += [(drawn.name, engine, time) for time, bound in (
                    ("cct_s", "lower_bound_s"), ("cct_sender_s", "lower_bound_sender_s"))
                    if result[time] < least * result[bound]]
                if result["cct_over_bound"] is not None and result["cct_over_bound"] < least:
                    found.append((drawn.name, engine, "cct_over_bound"))
        self.assertEqual(found, [])

    def test_critical_path_adds_up_to_the_iteration(self):
        found = []
        for drawn in self.runs:
            for engine, outcome in drawn.outcomes:
                if "graph" in outcome.result:
                    parts = sum(kind["critical_s"] for kind in outcome.result["graph"]["kinds"])
                    time = outcome.result["iteration_s"]
                    if abs(parts - time) > PS:
                        found.append((drawn.name, engine, parts, time))
        self.assertEqual(found, [])

    def test_both_engines_move_the_same_bytes(self):
        found = []
        for drawn in self.runs:
            frames, flows = drawn.frames.result, drawn.flows.result
            found += [(drawn.name, key) for key in BYTES if frames[key] != flows[key]]
            if "graph" in frames:
                of_kinds = [[(kind["name"], kind["bytes"]) for kind in result["graph"]["kinds"]]
                            for result in (frames, flows)]
                if of_kinds[0] != of_kinds[1]:
                    found.append((drawn.name, *of_kinds))
        self.assertEqual(found, [])

    def test_messages_that_are_hashed_for_themselves_take_the_same_cables_on_both_engines(self):
        self.assertEqual([drawn.name for drawn in self.runs
                          if drawn.descriptor["transport"]["qp_per"] == "message"
                          and "host" not in drawn.descriptor["balance"]
                          and get_cable_bytes(drawn.frames) != get_cable_bytes(drawn.flows)], [])

    def test_times_of_both_engines_agree(self):
        found = {}
        for drawn in self.runs:
            part = get_time(drawn.flows.result) / get_time(drawn.frames.result)
            low, high = get_range(drawn.flows.result, BAND)
            if not low <= part <= high:
                found[drawn.name] = part
        known_deviations.compare(self, found, known_deviations.ENGINES, self.runs)

    def test_ends_are_within_the_tolerance_and_iterations_where_it_bounds_no_end(self):
        found = {}
        for drawn in self.runs:
            for part, outcome in zip(TOLERANCES, drawn.tolerated):
                ends, others = get_ends(drawn.flows), get_ends(outcome)
                if is_unbounded(outcome):
                    ends = {name: end for name, end in ends.items() if name == "iteration_s"}
                elif others.keys() != ends.keys():
                    found[drawn.name] = "other messages"
                if off := find_off(ends, others, part):
                    found[drawn.name] = f"{part}: {len(off)} ends, up to {off[0]}"
        known_deviations.compare(self, found, known_deviations.TOLERANCE, self.runs)

    def test_messages_are_within_their_shift_of_their_own_time_or_a_note_says_so(self):
        self.assertEqual([(drawn.name, outcome.result["shift"], off[0])
                          for drawn in self.runs
                          for outcome in drawn.tolerated if not is_unbounded(outcome)
                          if (off := find_off(get_own_times(drawn.flows), get_own_times(outcome),
                                              outcome.result["shift"]["part"]))], [])


def is_unbounded(outcome):
    """Whether a note says that the tolerance bounds no end of a run."""
    return any("bounds no end" in note for note in outcome.result.get("notes", ()))


if __name__ == "__main__":
    unittest.main()
