# SPDX-License-Identifier: GPL-2.0-only
"""What a page says beside its figures: means over seeds, failures, why a point is slow."""

import re
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
import synthetic
from programs import call
from rails.plots import figure_data
from rails.plots.report_explain import explain
from rails.plots.report_figures import figures
from rails.plots.report_means import means
from rails.plots.report_outages import outages
from rails.plots.report_parts import parts_of
from rails.reader.result_folder import load_folder
from synthetic_failures import EXPLANATION, OUTAGE

MEAN = "workload.matrix.mean"


def cells(section, table):
    """The rows of a table of a section, as texts."""
    (text,) = re.findall(rf'<table id="{table}".*?</table>', section, re.S)
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    return [
        [re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, scheme="rails", seed=1, **changes):
        place = self.folder / f"{len(list(self.folder.iterdir()))}"
        synthetic.write_point(place, scheme, seed, messages=20, **changes)
        return place

    def part(self):
        (part,) = parts_of([load_folder(self.folder)])
        return part


class Means(Temporary):
    def test_each_scheme_has_mean_spread_and_number_of_points(self):
        for seed, cct in enumerate((1e-3, 2e-3, 3e-3), 1):
            self.add(seed=seed, cct_s=cct, lower_bound_s=1e-3, busbw_Bps=2e9)
        _, row = cells(means(self.part()), "means")
        self.assertEqual(
            row, ["rails", "3", "2.000", "1.000", "2.000", "1.000", "2.000", "0.000"]
        )

    def test_what_did_not_finish_is_in_no_mean_and_is_counted(self):
        for seed, cct in ((1, 1e-3), (2, 3e-3)):
            self.add(seed=seed, cct_s=cct, lower_bound_s=1e-3)
        self.add(seed=3, cct_s=1e-9, lower_bound_s=1e-3, status=3)
        self.add("ecmp", seed=1, status=4)
        head, ecmp, rails = cells(means(self.part()), "means")
        self.assertEqual((rails[1], rails[2], rails[-1]), ("2", "2.000", "1 of 3 left out"))
        self.assertEqual((ecmp[1], ecmp[2], ecmp[-1]), ("0", "–", "did not finish"))
        self.assertEqual(len(head), len(rails))

    def test_each_case_has_its_own(self):
        for mean, cct in (("1MB", 1e-3), ("2MB", 4e-3)):
            for seed in (1, 2):
                self.add(seed=seed, cct_s=cct, config={MEAN: mean})
        rows = cells(means(self.part()), "means")[1:]
        shown = [["1 MB", "2", "1.000"], ["2 MB", "2", "4.000"]]
        self.assertEqual([row[1:4] for row in rows], shown)

    def test_single_points_need_no_means(self):
        self.add()
        self.assertEqual(means(self.part()), "")

    def test_no_number_of_an_unfinished_run_is_on_the_page(self):
        self.add(cct_s=2e-3, lower_bound_s=1e-3)
        self.add(seed=2, cct_s=0.777e-3, lower_bound_s=1e-3, busbw_Bps=777e9, status=3)
        done = call("report", self.folder)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        page = page[page.index("</style>") : page.rindex('<script type="application/json"')]
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("777", page)
        self.assertIn("did not finish (status 3)", page)


class Outages(Temporary):
    def add_failing(self, **changes):
        counts = {"link_losses": 7, "unroutable_frames": 0, "retransmitted_frames": 9}
        return self.add(failures=OUTAGE, **{**counts, **changes})

    def test_what_failed_when_and_what_it_cost_is_told(self):
        self.add_failing(seed=1)
        self.add_failing(seed=2, link_losses=9)
        section = outages(self.part())
        self.assertEqual(
            cells(section, "events")[1:],
            [["200", "nic server3-nic2", "down", "1", "220"],
             ["600", "nic server3-nic2", "up", "1", "620"]],
        )
        (row,) = cells(section, "losses")[1:]
        self.assertEqual(row, ["rails", "8 (7 to 9)", "0", "9", "4"])

    def test_a_routing_that_never_knew_is_told(self):
        self.add(failures={**OUTAGE, "convergences_s": []})
        rows = cells(outages(self.part()), "events")
        self.assertEqual({row[-1] for row in rows[1:]}, {"never"})

    def test_a_page_without_figures_refers_to_none_and_counts_its_only_point_in_words(self):
        self.add_failing(status=3, notes=["warning: odd"])
        call("report", self.folder)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("No figures: no point has a result.", page)
        self.assertNotIn("The figure of throughput", page)
        self.assertIn("<strong>The only point did not finish or failed.</strong> It comes", page)
        self.assertIn("<strong>The only point:</strong> warning: odd", page)
        self.add_failing(seed=2)
        call("report", self.folder)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("The figure of throughput shows", page)
        self.assertIn("<strong>1 of 2 points did not finish", page)

    def test_many_failures_are_shortened(self):
        self.add(failures={**OUTAGE, "events": OUTAGE["events"][:1] * 40})
        rows = cells(outages(self.part()), "events")[1:]
        self.assertEqual((len(rows), rows[-1][1]), (13, "and 28 more"))

    def test_without_failures_there_is_no_section_and_no_figure(self):
        self.add()
        part = self.part()
        self.assertEqual(outages(part), "")
        found, notes = figures(part.groups)
        self.assertNotIn("throughput", [figure.key for figure in found])
        self.assertEqual(notes, [])

    def test_throughput_is_drawn_with_a_line_at_each_failure(self):
        self.add_failing()
        (figure,) = (f for f in figures(self.part().groups)[0] if f.key == "throughput")
        lines = [t for t in figure.traces if t["name"] == "failures"]
        self.assertEqual([line["x"][0] for line in lines], [0.2, 0.6])
        self.assertEqual(lines[0]["text"][0], "0.2 ms: nic server3-nic2 down")
        self.assertEqual([t["name"] for t in figure.traces if t not in lines], ["rails"])


class Throughput(Temporary):
    HEAD = "phase,pair_id,source,destination,rail,bytes,start_s,end_s\n"

    def rates(self, rows, seen_s, **changes):
        place = self.add(failures=OUTAGE, **changes)
        (place / "messages.csv").write_text(self.HEAD + rows)
        (point,) = load_folder(place).points
        return figure_data.throughput([point], seen_s)

    def test_payload_is_spread_from_the_message_before_to_the_last_byte(self):
        # Two messages of one way behind each other, one of another GPU pair all the time.
        rows = "0,1,0,9,2,1000,0,1\n0,1,0,9,2,3000,0,2\n0,2,1,9,2,2000,0,2\n"
        times, rates = self.rates(rows, 2, cct_s=2.0)
        np.testing.assert_allclose(rates[times < 1], 1000 + 1000, rtol=1e-6)
        np.testing.assert_allclose(rates[times > 1], 3000 + 1000, rtol=1e-6)

    def test_all_that_arrived_is_counted_once_and_nothing_else(self):
        rows = "0,1,0,9,2,1000,0.1,0.7\n0,1,0,9,2,500,0.2,\n"  # the second was given up
        rows += "0,1,0,1,-1,9999,0,3\n0,2,8,1,3,10,2,2.9\n"  # the first stayed in its server
        times, rates = self.rates(rows, 1, cct_s=3.0)
        widths = np.where(times < 1, 1 / 120, 2 / 30)
        self.assertAlmostEqual(float(np.sum(rates * widths)), 1010, places=6)

    def test_what_is_seen_goes_beyond_the_last_change_but_not_to_a_time_out(self):
        def seen(**changes):
            place = self.add(failures=OUTAGE, **changes)
            return figure_data.time_of_interest(load_folder(place).points)

        self.assertAlmostEqual(seen(cct_s=16e-3, lower_bound_s=1e-3), 4 * 6.2e-4)
        self.assertAlmostEqual(seen(cct_s=16e-3, lower_bound_s=4e-3), 6e-3)
        self.assertAlmostEqual(seen(cct_s=1e-3, lower_bound_s=1e-3), 1e-3)

    def test_no_message_is_no_throughput(self):
        _, rates = self.rates("", 1)
        self.assertEqual(rates.max(), 0)


class Explain(Temporary):
    PLAN_ONLY = {
        "factors": {**dict.fromkeys(EXPLANATION["factors"]), "plan": 1.25},
        "nic": None,
        "cable": None,
        "sentence": None,
    }

    def section(self):
        return explain(self.part())

    def test_factors_shares_and_the_sentence_are_there(self):
        self.add(cct_s=3e-3, lower_bound_s=1e-3, explain=EXPLANATION)
        text = self.section()
        (row,) = cells(text, "explain")[1:]
        numbers = ["1.250", "2.000", "1.000", "1.000", "1.200", "3.000"]
        self.assertEqual(row[1:], numbers)
        self.assertTrue(row[0].startswith("rails, seed 1"))
        for part in ("The plan is &lt;even&gt;.", "server3-nic2", "rail0-leaf0 to rail0-spine1"):
            self.assertIn(part, row[0])
        widths = [float(w) for w in re.findall(r'class="\w+" style="width: ([\d.]+)%', text)]
        self.assertEqual(widths, [40, 10, 30, 10, 10] * 2)  # of NIC and cable
        self.assertIn('aria-label="busy 40%, paused 10%, rate or window 30%', text)
        self.assertNotIn("record.explain", text)

    def test_where_only_the_plan_is_known_the_way_to_the_rest_is_told(self):
        self.add(explain=self.PLAN_ONLY)
        self.add(seed=2, explain=EXPLANATION)
        text = self.section()
        self.assertEqual(cells(text, "explain")[1][1:6], ["1.250", "–", "–", "–", "–"])
        self.assertIn("1 of 2 points know their plan only", text)
        self.assertIn("--set record.explain=true", text)

    def test_graphs_have_a_row_for_each_kind_of_transfer_on_the_path(self):
        chain = {"plan": 1.5, "routes": 2.0, "repeats": None, "outages": 1.0, "waiting": 1.0}
        whole = {**chain, "plan": 1.0, "routes": 1.25}
        kinds = [{"name": "dispatch", "transfers": 3, "factors": chain}]
        found = {"factors": whole, "nic": None, "cable": None, "sentence": None, "kinds": kinds}
        self.add(explain=found, cct_over_bound=7)
        text = self.section()
        one, other = cells(text, "explain")[1:]
        self.assertEqual(one[1:], ["1.000", "1.250", "–", "1.000", "1.000", "1.250"])
        self.assertTrue(other[0].endswith("dispatch"), other)
        self.assertEqual(other[1:], ["1.500", "2.000", "–", "1.000", "1.000", "3.000"])
        self.assertIn("critical path", text)
        self.assertNotIn("Completion time over the bound", text)

    def test_results_without_the_key_have_no_such_section(self):
        self.add()
        self.add(seed=2, status=3, explain=None)
        self.assertEqual(self.section(), "")

    def test_points_that_did_not_finish_are_counted(self):
        self.add(explain=EXPLANATION)
        self.add(seed=2, status=3, explain=None)
        self.assertIn("1 point did not finish: nothing to explain.", self.section())


class Classes(unittest.TestCase):
    def test_every_class_of_ports_has_a_plain_name(self):
        root = Path(__file__).resolve().parents[2]
        found = set()
        for folder in ("helper", "model"):
            for path in (root / folder).rglob("*.cc"):
                found |= set(re.findall(r'"((?:\w+_)?(?:up|down|tx))"', path.read_text()))
        found -= {"up", "down"}  # states of a cable
        self.assertIn("rail_spine_down", found)
        self.assertEqual(found - set(figure_data.PORT_CLASSES), set())


if __name__ == "__main__":
    unittest.main()
