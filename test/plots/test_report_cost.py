# SPDX-License-Identifier: GPL-2.0-only
"""What fabrics cost in a report, and what that buys. The C++ program counts."""

import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import synthetic
from programs import call
from rails.plots import report_cost
from rails.plots.report_cost import Costs, cost
from rails.plots.report_parts import parts_of
from rails.reader.result_folder import load_folder
from synthetic_failures import EXPLANATION, OUTAGE
from synthetic_studies import write_studies
from test_report_sections import cells

# Four servers with two GPUs and NICs each. At 400 Gbps a NIC with its cable and port costs 4057 USD
# (1499 + 2 * 659 + 150 + 1090), a cable between two switches 3648 USD (2 * 659 + 150 + 2 * 1090).
RAIL = {"topology.type": "rail", "topology.domains": 4, "topology.gpus_per_domain": 2}
WORK = {"workload.type": "all-to-all", "workload.matrix.type": "uniform"}


class Cost(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, name, time_s, config=None, scheme="rail-source", **changes):
        config = {**WORK, **RAIL, **(config or {})}
        synthetic.write_point(
            self.folder / name, scheme, cct_s=time_s, lower_bound_s=1e-3, config=config, **changes
        )

    def section(self, *options):
        (part,) = parts_of([load_folder(self.folder)])
        return cost(part, Costs(options))

    def rows(self, *options):
        return cells(self.section(*options), "costs0")

    def test_options_come_with_what_a_dollar_buys_most_of_it_first(self):
        self.add("dear", 1e-3, {"topology.spines": 2})
        self.add("cheap", 1.2e-3, {"topology.spines": 0})
        head, *rows = self.rows()
        self.assertEqual(head, ["Option", "Cost [USD]", "per GPU [USD]", "Completion time [ms]",
                                "Per dollar", "× best"])
        self.assertEqual(rows[0], ["spines 0", "32,456", "4,057", "1.20", "1.00", "1.00"])
        self.assertEqual(rows[1][:4], ["spines 2", "47,048", "5,881", "1.00"])
        self.assertAlmostEqual(float(rows[1][4]), 4057 * 1.2 / 5881, delta=0.005)
        text = self.section()
        self.assertIn("“spines 0” does most for the money of its fabric, without servers and GPUs: that costs 4,057 USD for a GPU, and it "
                      "takes 1.20 times as long as the fastest, “spines 2”, which costs 5,881 USD.", text)
        self.assertIn("counted from the wiring, cable by cable; prices: ./rails cost --print.", text)

    def test_a_fabric_that_is_cheaper_and_level_is_said_to_be_level(self):
        for spines, times in ((0, (1.1e-3, 1.0e-3)), (2, (1.0e-3, 1.09e-3))):
            for seed, time in enumerate(times, 1):
                self.add(f"{spines}-{seed}", time, {"topology.spines": spines}, seed=seed)
        self.assertIn("costs 4,057 USD for a GPU, and it is level with the fastest, “spines 2”, which "
                      "costs 5,881 USD.", self.section())

    def test_trainings_buy_tokens(self):
        for spines, tokens in ((0, 1e6), (2, 3e6)):
            self.add(str(spines), 1e-3, {"topology.spines": spines}, tokens_per_s=tokens)
        rows = self.rows()
        self.assertEqual(rows[0][4], "tokens/s per USD")
        self.assertEqual([row[4] for row in rows[1:]], ["63.8", "30.8"])

    def test_tokens_that_are_dropped_are_said_beside_what_a_dollar_buys(self):
        self.add("all", 1e-3, {"topology.spines": 0}, tokens_per_s=1e6)
        self.add("some", 1e-3, {"topology.spines": 2}, tokens_per_s=3e6, expert_dropped_share=0.12)
        self.assertEqual([row[-1] for row in self.rows()], ["Remark", "drops 12 % of the tokens", "–"])

    def test_a_fabric_is_counted_once_and_what_cannot_be_counted_says_why(self):
        self.add("known", 1e-3)
        self.add("again", 2e-3, scheme="rails")
        self.add("odd", 3e-3, {"topology.nic_rate": "333Gbps"})
        rows = self.rows()
        self.assertEqual([row[1] for row in rows[1:]], ["32,456", "32,456", "–"])
        self.assertRegex(rows[-1][-1], "^.*333Gbps.*")
        self.assertNotIn("descriptor.yaml", rows[-1][-1])
        with patch.object(report_cost, "call", wraps=report_cost.call) as called:
            self.section()
        self.assertEqual(called.call_count, 2)  # for each fabric

    def test_the_rule_and_the_prices_can_be_others(self):
        self.add("a", 1e-3)
        self.assertEqual(self.rows("--rule=mixnet")[1][1], "76,232")  # 9529 USD for a GPU
        self.assertIn("by the rules of MixNet&#x27;s paper", self.section("--rule=mixnet"))

    def test_studies_have_no_fabric(self):
        write_studies(self.folder, ("llep",), (1,))
        self.assertIn("No cost: these are studies", self.section())

    def test_it_is_on_the_page_when_asked_for_and_options_of_it_need_it(self):
        self.add("a", 1e-3)
        for options, there in (((), False), (("--cost",), True)):
            done = call("report", self.folder, *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            page = Path(done.stdout.splitlines()[-1]).read_text(encoding="utf-8")
            self.assertEqual("What does it cost?" in page, there)
        done = call("report", self.folder, "--rule", "mixnet")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "error: --rule needs --cost")
        done = call("report", self.folder, "--cost", "--prices", "no/such.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^no/such.yaml: error: no such file")

    def test_every_table_of_a_page_says_that_its_runs_are_shortened(self):
        notes = ["shortened: the first 2 of 32 layers", "shortened: 2 of 8 micro-batches"]
        for seed in (1, 2):
            changes = {"notes": notes, "explain": EXPLANATION, "failures": OUTAGE, "link_losses": 7}
            self.add(str(seed), 1e-3, seed=seed, **changes)
        done = call("report", self.folder, "--cost")
        page = Path(done.stdout.splitlines()[-1]).read_text(encoding="utf-8")
        tables = re.findall(r'<table id="([\w-]+)".*?<caption>(.*?)</caption>', page, re.DOTALL)
        known = ["options0", "costs0", "explain", "events", "losses", "means", "points"]
        self.assertEqual([key for key, _ in tables], known)
        for key, caption in tables:
            self.assertIn("the first 2 of 32 layers, 2 of 8 micro-batches", caption, key)


if __name__ == "__main__":
    unittest.main()
