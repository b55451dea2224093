# SPDX-License-Identifier: GPL-2.0-only
"""From where on copies of experts are worth their way; tokens that are sent once."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from programs import call
from papers import copy_break_even, deduplication
from rails.errors import ResultError
from rails.reader.result_folder import read_whole

HIDDEN, WIDTH = 64, 128
# 600e12 operations and 450 GB/s: tokens that are computed while a copy crosses.
WHOLE = 600e12 / 450e9


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self):
        return call("copies", "--results", self.folder)


class BreakEven(Temporary):
    def write(self, policy, tokens, gain, fetches=1):
        """A run in which half of the tokens are moved; the gain is that of both ways."""
        folder = self.folder / "copies-break-even" / f"{policy} {tokens}"
        copy = 3 * HIDDEN * WIDTH * 2
        synthetic.write_flows(
            folder,
            config={
                "topology.domains": 1,
                "topology.nvlink_rate": "3600Gbps",
                "topology.nic_rate": "400Gbps",
                "workload.bytes_per_gradient": "4B",
                "workload.model.hidden": HIDDEN,
                "workload.model.expert_ffn": WIDTH,
                "workload.experts.type": policy,
                "workload.batch.micro": 1,
                "workload.batch.sequence": tokens,
                "workload.compute.peak": 600e12,
                "workload.compute.efficiency": 1,
            },
            graph={"kinds": [{"name": "expert-weights", "type": "communication", "critical_s": 0,
                              "bytes": fetches * copy}]},
            iteration_s=1 - gain,
            expert_max_over_mean_before=1.5,
            expert_max_over_mean=1.5 if policy == "plain-ep" else 1.0,
            messages=20,
        )
        lines = ["kind,end_s", f"combine,{0.5 - 2 * gain}", "combine,0.1", "combine-backward,0.9"]
        (folder / "messages.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def write_line(self, policy, offset, fetches=1):
        """Gains that are in proportion to what is moved beyond a number of tokens."""
        for tokens in (1000, 2000, 4000):
            gain = 0 if policy == "plain-ep" else (tokens / 2 - offset) * 1e-6
            self.write(policy, tokens, gain, fetches)

    def outcomes(self):
        return copy_break_even.break_even(read_whole(self.folder / "copies-break-even"))

    def test_the_sign_changes_where_it_does(self):
        self.write_line("plain-ep", 0)
        self.write_line("llep", WHOLE)
        (found,) = self.outcomes()
        self.assertAlmostEqual(found.both, 1)
        self.assertAlmostEqual(found.forward, 1)
        self.assertAlmostEqual(found.expected_both, (6 + 12) / 18)

    def test_weights_that_are_fetched_again_are_expected_to_cost_more(self):
        self.write_line("plain-ep", 0)
        self.write_line("echo", 4 / 3 * WHOLE, fetches=2)
        (found,) = self.outcomes()
        self.assertEqual(found.fetches, 2)
        self.assertAlmostEqual(found.expected_both, 24 / 18)
        self.assertAlmostEqual(found.error, 0)
        self.assertIn(
            "width 128, NVLink, gradient 4 B, echo: weights 2 times; forward 1.33, with the way back "
            "1.33 of F/BW (expected 1.00 and 1.33: ",
            self.call().stdout,
        )

    def test_a_sign_that_does_not_change_is_no_number(self):
        self.write_line("plain-ep", 0)
        self.write_line("llep", 1)
        self.assertNotEqual(self.outcomes()[0].both, self.outcomes()[0].both)

    def test_a_point_without_its_plain_one_is_refused(self):
        self.write_line("llep", WHOLE)
        with self.assertRaisesRegex(ResultError, "not the same in plain-ep"):
            self.outcomes()

    def test_rates_are_read_with_their_units(self):
        self.assertEqual(copy_break_even.parse_rate("400Gbps"), 400e9)
        self.assertEqual(copy_break_even.parse_rate("1.6Tbps"), 1.6e12)
        with self.assertRaises(ValueError):
            copy_break_even.parse_rate("400")


class Deduplication(Temporary):
    def write(self, exchange, seconds, skew, domains=16, scheme="rail-destination"):
        synthetic.write_flows(
            self.folder / "copies-deduplicated" / f"{exchange} {skew} {domains}",
            scheme,
            config={
                "topology.domains": domains,
                "workload.batch.sequence": 512,
                "workload.model.experts": 64,
                "workload.load.exponent": skew,
                "workload.exchange.type": exchange,
            },
            graph={"kinds": [{"name": name, "type": "communication", "critical_s": time, "bytes": 100 * time}
                             for name, time in (("dispatch", seconds), ("data", 7))]},
            expert_max_over_mean=skew,
            messages=20,
        )

    def test_times_of_exchanges_alone_are_compared(self):
        for skew, pairs in ((2.5, 1.2), (2.7, 1.4), (5, 2)):
            self.write("pairs", pairs, skew)
            self.write("deduplicated", 1, skew)
        done = self.call()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("one copy for each GPU, 2.56 of the mean: 1.20 to 1.40, median 1.30", done.stdout)
        self.assertIn("one copy for each GPU, 5.09 of the mean: 2.00 to 2.00", done.stdout)
        figure = self.folder / "copies-deduplicated" / "figures" / "copies-deduplicated.png"
        self.assertTrue(figure.stat().st_size > 0)

    def test_a_point_with_one_exchange_is_refused(self):
        self.write("pairs", 1, 2)
        done = self.call()
        self.assertEqual(done.returncode, 2)
        self.assertIn("not both exchanges", done.stderr)

    def test_near_is_15_percent_either_way(self):
        rows = [(skew, 1, 1) for skew in (0.8, 0.9, 1.1, 1.2)]
        self.assertEqual([row[0] for row in deduplication.near(rows, 1)], [0.9, 1.1])

    def test_a_point_that_did_not_end_well_is_named(self):
        self.write("pairs", 1, 2)
        self.write("deduplicated", 1, 2)
        folder = self.folder / "copies-deduplicated"
        synthetic.write_flows(folder / "stuck", messages=20, status=3, report="no progress")
        self.assertIn("stuck: error: did not finish (status 3): no progress", self.call().stderr)
        (folder / "stuck" / "result.json").write_text("{}")
        self.assertIn("stuck: error: result.json lacks", self.call().stderr)

    def test_a_folder_without_any_is_an_error(self):
        done = self.call()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no copies-break-even or copies-deduplicated in it", done.stderr)


if __name__ == "__main__":
    unittest.main()
