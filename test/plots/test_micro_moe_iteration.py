# SPDX-License-Identifier: GPL-2.0-only
"""MicroMoE as simulated iterations, beside f (1 - 1/r)."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call

STAGES, MICROBATCHES = 2, 4
EVEN = 0.1 * (MICROBATCHES + STAGES - 1) / MICROBATCHES  # experts on the path, if all have the mean


def write(folder, policy, experts, rest, largest, adaptive=None, **changes):
    """A run in which experts take 0.1 s of a GPU in the mean, and so long on the critical path."""
    config = {
        "topology.domains": 2,
        "topology.gpus_per_domain": 8,
        "workload.model.type": changes.pop("model", "gpt-a"),
        "workload.load.preset": "aux-loss",
        "workload.load.first_iteration": 5000,
        "workload.experts.type": policy,
        "workload.parallel.pp": STAGES,
        "workload.batch.micro": 4,
        "workload.batch.global": 4 * 8 * MICROBATCHES,
        "workload.microbatches": 0,
        **changes.pop("config", {}),
    }
    if adaptive is not None:
        config["workload.experts.adaptive"] = adaptive
    times = {"experts": experts, "dispatch": 0.25 * rest, "expert-planning": 0.05 * rest}
    kinds = [{"name": name, "type": "x", "busy_s": 0.1, "critical_s": time}
             for name, time in times.items()]
    synthetic.write_flows(
        folder,
        config=config,
        graph={"kinds": kinds},
        iteration_s=experts + rest,
        expert_max_over_mean=largest,
        messages=20,
        **changes,
    )


class Iterations(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.own = self.folder / "micro-moe-iteration"

    def draw(self):
        return call("micro_moe_iteration", "--results", self.folder)

    def write_all(self, rest=0.1):
        """Loads of twice the mean become even; all else takes as long."""
        write(self.own / "plain", "plain-ep", 2 * EVEN, 0.1, 2)
        write(self.own / "full", "micro-moe", EVEN, rest, 1, True)
        write(self.own / "flex", "flex-moe", 1.5 * EVEN, 0.1, 1.5)

    def test_a_gain_of_even_loads_is_that_of_the_formula(self):
        self.write_all()
        done = self.draw()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.own / "figures" / "micro-moe-iteration.png").stat().st_size > 0)
        # 0.35 s become 0.225 s; experts have 0.25 s of the 0.35 s.
        self.assertIn("balancing loss, gpt-a: MicroMoE 1.556, FlexMoE 1.217", done.stdout)
        self.assertIn("balancing loss: mean 1.556, paper 1.369", done.stdout)
        self.assertIn("balancing loss: 1.278 over FlexMoE in the mean, paper 1.139", done.stdout)
        self.assertIn("needs 0.54 to 0.54 at these loads", done.stdout)
        self.assertIn("f 0.714, r 2.000 to 1.000 (on the path 2.000 to 1.000)", done.stdout)
        self.assertIn("1 gains that leave loads even: off by 0.0% at most with the mean", done.stdout)

    def test_what_else_takes_longer_is_named(self):
        self.write_all(rest=0.14)
        text = self.draw().stdout
        self.assertIn("formula +17.8%, on the path +17.8%", text)
        self.assertIn("planning +7 ms, exchanges +10 ms, rest +23 ms of 265", text)

    def test_a_stage_that_is_waited_for_shows_on_the_path_alone(self):
        self.write_all()
        write(self.folder / "micro-moe-one-stage" / "plain", "plain-ep", 2 * EVEN, 0.1, 1.8)
        write(self.folder / "micro-moe-one-stage" / "full", "micro-moe", EVEN, 0.1, 1, True)
        text = self.draw().stdout.partition("micro-moe-one-stage")[2]
        self.assertIn("off by 5.8% at most with the mean, by 0.0% on the path", text)

    def test_a_dispatch_is_a_mean_over_seeds_beside_the_plain_one(self):
        for seed in (1, 2):
            for policy, sent, planned in (("plain-ep", 1.0, 0), ("micro-moe", 1.2, 0.1)):
                times = {"dispatch": sent + 0.1 * seed, "expert-planning": planned}
                kinds = [{"name": name, "type": "x", "critical_s": time * 1e-3}
                         for name, time in times.items()]
                synthetic.write_flows(
                    self.folder / "micro-moe-dispatch" / f"{policy} {seed}",
                    seed=seed,
                    config={"topology.nvlink_rate": "3600Gbps", "workload.experts.type": policy},
                    graph={"kinds": kinds},
                    expert_max_over_mean=1.5,
                    messages=20,
                )
        text = self.draw().stdout
        self.assertIn("micro-moe: tokens 1.35 ms, counts and planning 0.10 ms, +0.30 ms", text)
        self.assertIn("paper: 1.3 ms, MicroMoE +0.4 ms", text)

    def test_what_is_not_of_the_experiment_is_refused(self):
        self.write_all()
        write(self.own / "other", "llep", EVEN, 0.1, 1)
        done = self.draw()
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no point of experiments/micro-moe", done.stderr)
        shutil.rmtree(self.own / "other")
        write(self.own / "alone", "plain-ep", EVEN, 0.1, 1, model="gpt-b")
        self.assertIn("balancing loss, gpt-b: no Megatron-LM or MicroMoE", self.draw().stderr)

    def test_a_folder_without_any_is_an_error(self):
        done = self.draw()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no micro-moe-iteration, -one-stage or -dispatch in it", done.stderr)


if __name__ == "__main__":
    unittest.main()
