# SPDX-License-Identifier: GPL-2.0-only
"""TopoOpt, pooled NICs, options of circuits and failures: each from its results."""

from papers import mixnet, mixnet_choices, mixnet_turns
from test_mixnet_grids import MODEL, PAIR, Temporary

MODELS = {"Mixtral 8x22B": {mixnet.Cell("100 ms", 100, "FT"): 20.0, mixnet.Cell("100 ms", 100, "MN"): 25.0}}
PAPERS = {"Mixtral 8x22B": {(rate, name): 2.0 for rate in mixnet.RATES[0] for name in ("FT", "MN", "TO")}}
JOB = "workload.jobs.training"


class TopoOpt(Temporary):
    def test_the_best_split_counts_and_the_worst_is_told(self):
        for seconds, nics in ((22.0, 6), (33.0, 2)):
            config = {PAIR: "12207ns", "topology.region_nics": nics, "topology.strides": [8], "topology.spans": []}
            self.write("topoopt", seconds, "patch-panel", config)
        found = mixnet_choices.topoopt(self.read("topoopt"))
        self.assertAlmostEqual(mixnet_choices.best_over(found, MODELS, "FT")["Mixtral 8x22B", "100 ms", 100], 1.1)
        self.assertAlmostEqual(mixnet_choices.best_over(found, MODELS, "MN")["Mixtral 8x22B", "100 ms", 100], 0.88)
        (line,) = mixnet_choices.describe_topoopt(found, MODELS, PAPERS)
        self.assertIn("TO/FT 1.100 (paper 1.00)", line)
        self.assertIn("worst split 1.50 of it", line)
        self.assertEqual(mixnet_choices.table_topoopt(found, MODELS, PAPERS)[2][-1], "1.50 to 1.50")


class Pooled(Temporary):
    def test_both_are_over_the_fat_tree(self):
        for seconds, pools in ((25.0, "false"), (21.0, "true")):
            config = {PAIR: "12207ns", "topology.intra.pools_nics": pools}
            self.write("pooled", seconds, "nic-groups", config)
        found = mixnet_choices.pooled(self.read("pooled"))
        (line,) = mixnet_choices.describe_pooled(found, MODELS)
        self.assertIn("0.840; MN/FT 1.250, pooled 1.050", line)


class Turns(Temporary):
    def test_each_delay_is_over_the_shortest_of_mixnets_circuits(self):
        runs = (
            (10.0, "greedy", "1us", 4),
            (11.0, "birkhoff", "1us", 80),
            (12.0, "greedy", "25ms", 4),
            (44.0, "birkhoff", "25ms", 80),
            (9.0, "birkhoff", "1ms", 80),  # nothing beside it
        )
        for seconds, circuits, delay, moves in runs:
            config = {PAIR: "12207ns", "optical.circuits.type": circuits, "optical.reconfiguration_delay": delay}
            optical = {"reconfigurations": moves}
            self.write("turns", seconds, "nic-groups", config, optical=optical)
        found = mixnet_turns.turns(self.read("turns"))
        (line,) = mixnet_turns.describe(found)
        self.assertIn("1e-06 s 1.100 (20 times as many moves), 0.025 s 3.667 (20", line)
        head, moving, turning = mixnet_turns.table(found)
        self.assertEqual(head[4:], ["1 us", "1 ms", "25 ms"])
        self.assertEqual(moving[2:], ["MixNet's circuits", "4", "1.000", "", "1.200"])
        self.assertEqual(turning[2:], ["circuits that take turns", "80", "1.100", "", "4.400"])
        self.assertEqual(len(mixnet_turns.draw(found).axes), 1)


class Options(Temporary):
    def test_each_is_over_the_published_one(self):
        usual = {PAIR: "12207ns", "optical.circuits.type": "greedy"}
        runs = (
            (10.0, {}),
            (9.0, {"optical.dark": "changes"}),
            (8.0, {"optical.prediction.type": "copilot", "optical.dark": "changes"}),
            (7.0, {"optical.circuits.type": "static"}),
            (6.0, {"optical.device": "rotornet"}),
            (5.0, {"balance.other.type": "rails"}),
        )
        for seconds, changes in runs:
            self.write("options", seconds, "nic-groups", {**usual, **changes})
        found = mixnet_choices.options(self.read("options"))
        (line,) = mixnet_choices.describe_options(found)
        for text in (
            "only changes dark 0.900",
            "Copilot, only changes dark 0.800",
            "static, one a pair 0.700",
            "moves in 10 us 0.600",
            "RailS on the packet fabric 0.500",
        ):
            self.assertIn(text, line)


class Failures(Temporary):
    def test_each_is_over_the_run_without_any(self):
        down = [{"at": "0s", "nic": "server1-nic6", "state": "down"}]
        runs = (
            (10.0, [], [], []),
            (11.0, down, [], []),
            (12.0, down * 2, [], []),
            (13.0, [{"at": "0s", "nic": "server1-nic2", "state": "down"}], [], []),
            (14.0, [], [13], []),
            (15.0, [], [], [1]),
        )
        for seconds, schedule, gpus, servers in runs:
            config = {
                f"{JOB}.workload.model.type": "mixtral-8x22b",
                f"{JOB}.workload.compute.expert_token": "12207ns",
                "failures.schedule": schedule,
                f"{JOB}.failed_gpus": gpus,
                f"{JOB}.failed_servers": servers,
                MODEL: None,
            }
            self.write("failures", seconds, "nic-groups", config)
        found = mixnet_choices.failures(self.read("failures"))
        self.assertEqual(
            [round(found["Mixtral 8x22B", "100 ms", name], 6) for name in mixnet_choices.FAILURES],
            [1.1, 1.2, 1.3, 1.4, 1.5],
        )
        (line,) = mixnet_choices.describe_failures(found)
        self.assertIn("one GPU +40.00 % (paper +5.1 %)", line)

    def test_a_failed_gpu_is_over_its_own_load_without(self):
        for seconds, load, gpus in ((10.0, "no-aux", []), (11.0, "no-aux", [13]), (5.0, "uniform", []), (6.0, "uniform", [5])):
            config = {
                f"{JOB}.workload.model.type": "mixtral-8x22b",
                f"{JOB}.workload.compute.expert_token": "12207ns",
                f"{JOB}.workload.load.preset": load,
                "topology.gpus_per_domain": 8,
                f"{JOB}.failed_gpus": gpus,
                MODEL: None,
            }
            self.write("where", seconds, "nic-groups", config)
        rows = mixnet_choices.table_failed_gpus(mixnet_choices.failed_gpus(self.read("where")))
        self.assertEqual(rows[0][1:], ["no balancing loss, 100 ms", "equal, 100 ms"])
        self.assertEqual(rows[1:], [["0", "", "+20.00 %"], ["1", "+10.00 %", ""]])
