# SPDX-License-Identifier: GPL-2.0-only
import csv
import math
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
import synthetic_balancers as synthetic
from paths import PLOTS
from programs import call
from papers import comparison_figures
from rails.plots import growth, own_files, style
from papers.balancers import BALANCERS, balancer, look
from papers.comparison import Row, Tolerance
from papers.comparison_page import Block, Table, comparison_block, growth_block, growth_tables, write_block, write_tables
from papers.figure import load_figure
from papers.load_balancing import (
    FIGURES,
    GROWTH_SOURCES,
    NAMES,
    THEOREM_SOURCES,
    VARIANT_SOURCES,
    growth_checks,
    load_queues,
    load_two_measures,
    message_frames,
    simple_rr_variant,
    theorem_setting,
)
from papers.published import Published, number_or_word, read_published
from rails.errors import ResultError
from rails.reader.result_folder import load_folder

EXPERIMENTS = PLOTS.parent / "experiments" / "load-balancing"
FIGURE = {figure.name: figure for figure in FIGURES}
FIGURE_1 = {
    "Flow": 339,
    "Subflow": 151,
    "Flowlet": 246,
    "Host Pkt": 7.99,
    "Switch Pkt": 10.1,
    "Host AR": 7.74,
    "Switch AR": 6.31,
    "Host DR": 1.44,
    "Ofan": 0.91,
}


def exponents_of(queues):
    return {name: entry.mean_exponent for name, entry in queues.items()}


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def load(self, name):
        return load_figure(FIGURE[name], self.folder, EXPERIMENTS)

    def run_program(self, *arguments):
        return call("reproduce", "load-balancing", "--kept", *arguments, "--results", self.folder)


class Folders(unittest.TestCase):
    def test_every_figure_has_descriptors_a_text_and_published_values(self):
        self.assertEqual({path.name for path in EXPERIMENTS.iterdir() if path.is_dir()}, set(NAMES))
        for name in NAMES:
            for file in ("README.md", "paper.csv"):
                self.assertTrue((EXPERIMENTS / name / file).exists(), f"{name}/{file}")

    def test_every_descriptor_is_the_source_of_its_figure_and_the_other_way_round(self):
        sources = {figure.name: set(figure.sources) for figure in FIGURES}
        sources["queue-growth"] = {*GROWTH_SOURCES, *VARIANT_SOURCES, *THEOREM_SOURCES}
        for name, expected in sources.items():
            found = {path.stem for path in (EXPERIMENTS / name).glob("*.yaml")}
            self.assertEqual(found, expected, name)

    def test_published_values_are_of_known_schemes_and_cases(self):
        for figure in FIGURES:
            for case, scheme, x in read_published(EXPERIMENTS / figure.name / "paper.csv"):
                self.assertIn(case, figure.cases, figure.name)
                for name in scheme.split(" over "):
                    self.assertIn(name, BALANCERS, figure.name)
                if figure.style == "lines":
                    self.assertIsInstance(x, float, figure.name)

    def test_published_values_that_make_no_sense_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "paper.csv"
            head = "case,scheme,x,value,kind\n"
            for text, reason in (
                ("scheme,value\n", "expected the columns"),
                (head + "a,Ofan,,1,guess\n", ":2: error: unknown kind guess"),
                (head + "a,Ofan,,1,exact\na,Ofan,,2,exact\n", ":3: error: .* is there twice"),
            ):
                path.write_text(text)
                with self.assertRaisesRegex(ResultError, reason):
                    read_published(path)
        self.assertEqual(number_or_word("inf"), math.inf)
        self.assertEqual(number_or_word("edge to agg"), "edge to agg")


class OfOnesOwn(Temporary):
    def test_a_balancer_beside_those_of_the_paper_has_a_row_and_its_own_look(self):
        synthetic.BALANCE["modulo"] = ("flow", {"type": "modulo", "divisor": 2})
        self.addCleanup(synthetic.BALANCE.pop, "modulo")
        synthetic.write_bars(self.folder, "figure-01-permutation", {"Ofan": 0.9, "modulo": 12.0})
        place = self.folder / "load-balancing"
        done = self.run_program("figure-01", "--csv", "--format", "pdf")
        self.assertIn(str(place / "figure-01.pdf"), done.stdout)
        self.assertFalse((place / "figure-01.png").exists())
        with open(place / "figure-01.csv", newline="", encoding="utf-8") as file:
            rows = {(row["case"], row["scheme"]): row for row in csv.DictReader(file)}
        self.assertEqual(rows["permutation", "modulo"]["paper"], "")
        self.assertEqual(float(rows["permutation", "modulo"]["ours"]), 12)
        self.assertEqual(float(rows["permutation", "Ofan"]["paper"]), 0.91)


class Names(Temporary):
    def test_every_balancer_is_known_by_its_name(self):
        for scheme in synthetic.BALANCE:
            synthetic.write_run(self.folder / scheme, scheme, 1, 5)
        found = {point.folder.name: balancer(point.config) for point in load_folder(self.folder).points}
        self.assertEqual(found, {scheme: scheme for scheme in BALANCERS})

    def test_a_combination_that_the_paper_lacks_goes_by_its_types(self):
        config = {"balance.host.type": "reps", "balance.switch.type": "drill"}
        self.assertEqual(balancer(config), "reps, drill")
        self.assertEqual(balancer({"balance.switch.type": "modulo"}), "modulo")
        self.assertEqual(balancer({"balance.host.type": "turns"}), "turns")

    def test_balancers_of_ones_own_can_be_told_apart(self):
        self.assertNotEqual(look("modulo"), look("flow, turns"))


class Measures(Temporary):
    def test_increase_is_over_the_published_bound_and_averaged_over_seeds(self):
        synthetic.write_bars(self.folder, "figure-01-permutation", {"Ofan": 2.0})
        row = self.load("figure-01").row("permutation", "Ofan")
        self.assertEqual(len(row.values), 3)
        np.testing.assert_allclose([row.low, row.mean, row.high], [1.98, 2, 2.02], rtol=1e-9)
        self.assertEqual(row.paper, Published(0.91, "simulator"))
        self.assertAlmostEqual(row.deviation, 1.09)

    def test_runs_that_failed_are_named_and_not_counted(self):
        synthetic.write_bars(self.folder, "figure-12-permutation", {"Ofan": 2.0})
        path = self.folder / "figure-12-permutation" / "Ofan,seed=1" / "result.json"
        path.write_text(path.read_text().replace('"status": 0', '"status": 3'))
        comparison = self.load("figure-12")
        self.assertEqual(len(comparison.row("permutation", "Ofan").values), 2)
        self.assertIn("figure-12-permutation/Ofan,seed=1: did not finish (status 3)", comparison.failures)
        self.assertIn("no such folder", comparison.failures[1])

    def test_figure_4_counts_time_in_round_trips(self):
        for number, word in enumerate(("0s", "9380ns", "62530ns", "never")):
            folder = self.folder / "figure-04-permutation" / str(number)
            synthetic.write_run(folder, "Host AR", 1, 5, failures={"convergence": word})
        rows = [row for row in self.load("figure-04").rows if len(row.values)]
        self.assertEqual([row.x for row in rows], [0, 1.5, 10, math.inf])

    def test_figure_5_compares_with_the_bound_without_failures(self):
        folder = self.folder / "figure-05"
        for probability in (0, 0.01):
            failures = {"random": {"probability": probability}}
            place = folder / str(probability)
            synthetic.write_run(place, "Ofan", 1, 10, failures=failures)
        path = folder / "0.01" / "result.json"
        bound = f'"published_bound_s": {synthetic.BOUND_S}'
        self.assertIn(bound, path.read_text())
        path.write_text(path.read_text().replace(bound, '"published_bound_s": 1.0'))
        row = self.load("figure-05").row("permutation", "Ofan", 1.0)
        self.assertAlmostEqual(row.mean, 10)

    def test_figure_6_has_the_longest_queue_as_a_second_case(self):
        synthetic.write_bars(self.folder, "figure-06", {"JSQ": 50})
        comparison = load_two_measures(FIGURE["figure-06"], self.folder, EXPERIMENTS)
        self.assertEqual(comparison.row("longest queue", "JSQ").mean, 50)  # KB
        self.assertEqual(comparison.row("longest queue", "JSQ").paper.value, 700)
        self.assertAlmostEqual(comparison.row("CCT increase", "JSQ").mean, 50)

    def test_overload_is_that_of_the_worst_link_beyond_one_message(self):
        # 32 KiB are 8 frames; 12 on a link are half as many again, and too few are no overload.
        links = [{"port_class": "edge_up", "data_frames": n} for n in (8, 12, 3)]
        links += [{"port_class": "agg_up", "data_frames": 2}]
        links += [{"port_class": "leaf_down", "data_frames": 99}]
        folder = self.folder / "figure-07" / "one"
        synthetic.write_run(folder, "JSQ", 1, 5, links=links, workload__bytes="32KiB")
        comparison = self.load("figure-07")
        measured = {row.x: row.mean for row in comparison.of("32 KiB") if len(row.values)}
        expected = {"edge to agg": 50, "agg to core": 0, "core to agg": 0, "agg to edge": 0}
        self.assertEqual(measured, expected)

    def test_a_mean_queue_is_that_of_the_ports_of_a_stage(self):
        links = [{"port_class": "agg_up", "queue_mean_bytes": 1000 * n} for n in (8, 12)]
        links += [{"port_class": "nic_tx", "queue_mean_bytes": 1}]
        synthetic.write_run(self.folder / "figure-17" / "one", "Host DR", 1, 5, links=links)
        rows = [row for row in self.load("figure-17").rows if row.count]
        self.assertEqual([(row.scheme, row.x, row.mean, row.paper.value) for row in rows], [("Host DR", "agg to core", 10, 14.5)])

    def test_figure_16_counts_pairs_of_messages_that_a_link_to_an_edge_carried_whole(self):
        links = [{"port_class": "agg_down", "data_frames": frames} for frames in (3 * 256, 2 * 256 - 1, 250, 0)]
        links += [{"port_class": "leaf_down", "data_frames": 512}]
        synthetic.write_run(self.folder / "figure-16" / "one", "JSQ", 1, 5, links=links)
        (row,) = [row for row in self.load("figure-16").rows if row.count]
        self.assertEqual((row.scheme, row.x, row.mean, row.paper.value), ("JSQ", 128, 3 + 1, 40))

    def test_marks_and_rates_of_reps_are_kept_apart(self):
        for load, name in ((0.980373, "full"), (0.960766, "98")):
            synthetic.write_run(
                self.folder / "reps-marks" / name,
                "Host AR",
                1,
                5,
                workload__bytes="50MiB",
                transport__congestion_control__load=load,
                switch={"port_buffer": "800KB", "ecn": {"kmin": "160KB"}},
            )
        places = [(row.case, row.x) for row in self.load("reps-marks").rows if row.count]
        self.assertEqual(places, [("50 MiB", 20), ("50 MiB, rate 0.98", 20)])

    def test_figure_18_is_the_ratio_of_the_longest_queues_of_a_seed(self):
        for seed in (1, 2):
            for scheme, queue in (("Host DR", 3000 * seed), ("Ofan", 2000)):
                place = self.folder / "figure-18" / f"{scheme} {seed}"
                synthetic.write_run(place, scheme, seed, 5, topology__k=8)
                path = place / "result.json"
                changed = re.sub(r'"queue_max_bytes": [\d.]+', f'"queue_max_bytes": {queue}', path.read_text())
                self.assertIn(str(queue), changed)
                path.write_text(changed)
        (row,) = [row for row in self.load("figure-18").rows if row.count]
        self.assertEqual((row.x, row.low, row.high, row.paper.value), (128, 1.5, 3, 1.245))

    def test_a_column_that_is_absent_is_named(self):
        folder = self.folder / "figure-07" / "one"
        synthetic.write_run(folder, "JSQ", 1, 5, links=[{"port_class": "edge_up"}])
        with self.assertRaisesRegex(ResultError, "links.csv:2: error: data_frames: expected a number, found ''"):
            self.load("figure-07")

    def test_a_frame_at_the_end_counts_as_one(self):
        synthetic.write_run(self.folder / "run", "JSQ", 1, 5, workload__bytes="4097B")
        self.assertEqual(message_frames(load_folder(self.folder).points[0]), 2)


class Requirements(Temporary):
    def test_tolerances_hold_up_to_their_limit(self):
        paper = Published(8, "exact")
        for tolerance, good, bad, text in (
            (Tolerance("", (), within=2), 10, 10.1, "+-2"),
            (Tolerance("", (), within=2), 6, 5.9, "+-2"),
            (Tolerance("", (), at_most=3), 3, 3.1, "<= 3"),
            (Tolerance("", (), above=100), 101, 100, "> 100"),
        ):
            self.assertTrue(tolerance.holds(Row("", "", "", np.array([good]), paper)))
            self.assertFalse(tolerance.holds(Row("", "", "", np.array([bad]), paper)))
            self.assertEqual(str(tolerance), text)

    def test_the_third_of_figure_3_is_checked_scheme_by_scheme(self):
        values = {"Host Pkt": 31, "Switch Pkt": 29, "Host AR": 10, "Switch AR": 31}
        options = {"workload": "all-to-all"}
        synthetic.write_bars(self.folder, "figure-03-all-to-all", values, (2,), **options)
        (function,) = FIGURE["figure-03"].checks
        checks = function(self.load("figure-03"))
        self.assertEqual([check.holds for check in checks], [True, False, True])


class Growth(Temporary):
    EXPONENTS = {"JSQ": 1.0, "RSQ": 0.5, "Host Pkt": 0.48, "Host DR": 0.05, "Ofan": 0.0}

    def test_a_power_is_found_again(self):
        queues = {
            seed: {m: seed * m**power for m in (256, 512, 1024)}
            for seed, power in ((1, 0.4), (2, 0.5), (3, 0.6))
        }
        exponent = growth.fit(queues)
        self.assertAlmostEqual(exponent.mean, 0.5)
        # 0.1 standard deviation, 3 seeds: 4.303 * 0.1 / sqrt(3)
        self.assertAlmostEqual(exponent.high - exponent.mean, 0.24843, 4)

    def test_intervals_decide_which_is_above(self):
        low, high = growth.interval([0.1, 0.1, 0.12]), growth.interval([0.5, 0.51, 0.52])
        self.assertTrue(high.is_above(low))
        self.assertFalse(growth.interval([0.1, 0.9]).is_above(low))
        self.assertFalse(growth.interval([0.9]).is_above(low))

    def test_the_stage_with_the_longest_queues_is_taken(self):
        synthetic.write_growth(self.folder, self.EXPONENTS)
        queues, failures = load_queues(self.folder, GROWTH_SOURCES, lambda p: balancer(p.config))
        self.assertEqual(failures, [])
        self.assertEqual({entry.stage for entry in queues.values()}, {"agg_down"})
        self.assertAlmostEqual(queues["JSQ"].mean_exponent.mean, 1)
        self.assertAlmostEqual(queues["Ofan"].at(256, queues["Ofan"].longest), 3 * 1.02)
        self.assertEqual({check.holds for check in growth_checks(exponents_of(queues))}, {True})

    def test_requirements_fail_where_they_should(self):
        synthetic.write_growth(self.folder, {**self.EXPONENTS, "JSQ": 0.5, "Ofan": 0.2})
        queues, _ = load_queues(self.folder, GROWTH_SOURCES, lambda p: balancer(p.config))
        failed = [check.text for check in growth_checks(exponents_of(queues)) if not check.holds]
        self.assertEqual(
            failed,
            ["JSQ above RSQ, intervals disjoint", "Ofan: at most 0.15"],
        )

    def test_theorems_ask_for_an_interval_that_contains_1_where_starts_are_spread(self):
        for starts in (True, False):
            synthetic.write_growth(
                self.folder,
                {"Simple RR": 1, "JSQ": 0.8 if starts else 0.5, "RSQ": 0.5, "Host DR": 0, "Ofan": 0.2},
                name=THEOREM_SOURCES[0],
                transport__congestion_control__random_start=starts,
            )
        queues, _ = load_queues(self.folder, THEOREM_SOURCES[:1], theorem_setting)
        self.assertEqual({place[:2] for place in queues}, {("k = 8", "spread"), ("k = 8", "equal")})
        tables = growth_tables({}, {}, queues, {("exponent", "JSQ", ""): Published(1, "theory")})
        self.assertEqual([row[1:4] for row in tables[0].rows[1:3]], [["spread", "Simple RR", ""], ["spread", "JSQ", "1"]])
        findings = growth_block("Queues", tables).findings
        self.assertIn("- k = 8, Simple RR: the interval contains 1 (1.000 to 1.000): met", findings)
        self.assertIn("- k = 8, JSQ: the interval contains 1 (0.800 to 0.800): **not met**", findings)
        self.assertIn("- k = 8, Ofan: at most 0.15: **not met**", findings)
        self.assertEqual(findings.count("k = 8"), 5)

    def test_variants_of_simple_round_robin_are_kept_apart(self):
        for own in (False, True):
            for jitter in (0.01, 0):
                synthetic.write_growth(
                    self.folder,
                    {"Simple RR": 0.9},
                    name=VARIANT_SOURCES[0],
                    balance__switch__own_ack_counter=own,
                    transport__congestion_control__jitter=jitter,
                )
        variants, _ = load_queues(self.folder, VARIANT_SOURCES[:1], simple_rr_variant)
        expected = {("k = 8", c, j) for c in ("own", "shared") for j in ("1 %", "none")}
        self.assertEqual(set(variants), expected)


class Page(Temporary):
    def read_csv(self, name):
        with open(self.folder / "figures" / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_the_block_of_figure_1_has_what_a_reader_looks_for(self):
        synthetic.write_bars(self.folder, "figure-01-permutation", FIGURE_1)
        block = comparison_block(self.load("figure-01"), FIGURE["figure-01"])
        rows = block.tables[0].rows
        places = ["case", "scheme", "paper", "paper kind", "ours", "lowest", "highest", "seeds"]
        checked = ["deviation", "tolerance", "within", "band low", "band high", "in band"]
        self.assertEqual(rows[0], places + checked)
        row = ["permutation", "Switch Pkt", "10.1", "exact", "10.1", "10.0", "10.2", "3", "+0.00"]
        self.assertIn(row + ["+-2", "yes", "8", "10.8", "yes"], rows)
        self.assertEqual({row[3] for row in rows if row[1] == "Ofan"}, {"simulator"})
        self.assertIn("No order of the paper is inverted, of 35.", block.findings)
        self.assertIn("**Near.** Of 16 published values 9 are the same as ours", block.findings)
        met = "- permutation: Flow above Subflow and Flowlet, all above 100 %: met"
        self.assertIn(met, block.findings)

    def test_what_is_not_met_is_said(self):
        found = {**FIGURE_1, "Switch AR": 9, "Ofan": 1.6}
        synthetic.write_bars(self.folder, "figure-01-permutation", found)
        block = comparison_block(self.load("figure-01"), FIGURE["figure-01"])
        within = block.tables[0].rows[0].index("within")
        missed = [row[1] for row in block.tables[0].rows if row[within] == "no"]
        self.assertEqual(missed, ["Switch AR", "Ofan"])
        self.assertTrue(block.findings.startswith("3 of 35 orders of the paper inverted, 3 of them in all seeds."))
        wrong = "- permutation: Switch AR (9.00) above Host AR (7.74); paper 6.31, 7.74"
        self.assertIn(wrong, block.findings)

    def test_text_of_people_stays_when_blocks_change(self):
        page = self.folder / "page.rst"
        write_block(page, "one", Block("Title", [], "first"), "load-balancing")
        write_block(page, "two", Block("Other", [], "x"), "load-balancing")
        page.write_text(page.read_text().replace(".. end of one\n", ".. end of one\n\nWhy so.\n"))
        write_block(page, "one", Block("Title", [], "second"), "load-balancing")
        text = page.read_text()
        self.assertNotIn("first", text)
        self.assertEqual(text.count("Title\n-----"), 1)
        self.assertLess(text.index("second"), text.index("Why so."))
        self.assertIn("Other\n-----", text)

    def test_tables_are_data_files_that_the_page_names(self):
        page = self.folder / "page.rst"
        tables = [
            Table([["scheme", "ours"], ["RSQ, own", "1.5"], ["Ofan", ""]], "this by scheme"),
            Table([["size"], ["k = 8"]], "that", "-more"),
        ]
        block = Block("Title", tables, "All is met.")
        written = write_tables(self.folder / "figures", "load-balancing-one", block)
        names = ["load-balancing-one.csv", "load-balancing-one-more.csv"]
        self.assertEqual(written, [self.folder / "figures" / name for name in names])
        write_block(page, "one", block, "load-balancing")
        expected = [{"scheme": "RSQ, own", "ours": "1.5"}, {"scheme": "Ofan", "ours": ""}]
        self.assertEqual(self.read_csv(names[0]), expected)
        self.assertEqual(self.read_csv(names[1]), [{"size": "k = 8"}])
        text = page.read_text()
        line = "`load-balancing-one.csv <figures/load-balancing-one.csv>`_: this by scheme; 2 rows."
        self.assertLess(text.index(line), text.index("All is met."))
        self.assertNotIn("RSQ", text)

    def test_the_page_of_the_repository_has_a_data_file_for_every_figure(self):
        page = (PLOTS.parent / "doc" / "load-balancing-results.rst").read_text(encoding="utf-8")
        folder = PLOTS.parent / "doc" / "figures"
        found = re.findall(r"<figures/(\S+\.csv)>`_: (.*); (\d+) rows\.$", page, re.M)
        named = {name: (holds, int(rows)) for name, holds, rows in found}
        files = {}
        for path in folder.glob("load-balancing-*.csv"):
            with open(path, newline="", encoding="utf-8") as lines:
                files[path.name] = list(csv.reader(lines))
        self.assertEqual(set(named), set(files))
        self.assertEqual({f"load-balancing-{name}.csv" for name in NAMES} - set(files), set())
        for name, (_, rows) in named.items():
            self.assertEqual({len(line) for line in files[name]}, {len(files[name][0])}, name)
            self.assertEqual(len(files[name]) - 1, rows, name)
            self.assertTrue(own_files.is_own(folder / name), name)  # or it could not be written again
        for figure in FIGURES:
            load = load_two_measures if figure.name == "figure-06" else load_figure
            table = comparison_block(load(figure, self.folder, EXPERIMENTS), figure).tables[0]
            name = f"load-balancing-{figure.name}.csv"
            self.assertEqual(named[name][0], table.holds)
            # What the paper has is there without any results.
            places = table.rows[0].index("paper kind") + 1
            published = [row[:places] for row in files[name] if row[places - 1]]
            self.assertEqual(published, [row[:places] for row in table.rows], name)


class Program(Temporary):
    def check_drawn(self, names):
        folder = self.folder / "load-balancing"
        expected = {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
        self.assertEqual({path.name for path in folder.iterdir()}, expected)

    def test_every_figure_that_has_results_is_drawn_and_tabled(self):
        for case in ("permutation", "all-to-all"):
            synthetic.write_bars(self.folder, f"figure-01-{case}", FIGURE_1, workload=case)
        for k in (8, 10):
            schemes = {"Ofan": k / 8, "Host AR": k}
            place = self.folder / "figure-08-permutation"
            synthetic.write_bars(place, str(k), schemes, topology__k=k)
        links = [{"port_class": stage, "data_frames": 300} for stage in synthetic.STAGES]
        synthetic.write_bars(self.folder, "figure-07", {"JSQ": 5}, links=links)
        synthetic.write_bars(self.folder, "ack-echo-permutation", {"Host AR": 5})
        synthetic.write_growth(self.folder, Growth.EXPONENTS)
        done = self.run_program()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = {"figure-01", "figure-07", "figure-08", "ack-echo", "queue-growth"}
        self.check_drawn(names)
        for title in ("Figure 1: no failure", "Queue growth: permutation"):
            self.assertIn(f"\n{title}", done.stdout)

    def test_what_cannot_be_drawn_is_status_2_with_a_message(self):
        done = self.run_program("figure-03")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no result of figure-03", done.stderr)
        done = self.run_program("figure-02")
        self.assertEqual(done.returncode, 2)
        self.assertIn("load-balancing figure-02: error: not built: a diagram", done.stderr)
        done = self.run_program("figure-21")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no figure figure-21 of load-balancing", done.stderr)


class Drawing(Temporary):
    """What the figures show, read back from the drawing."""

    def test_bars_stand_beside_the_papers(self):
        synthetic.write_bars(self.folder, "figure-12-permutation", {"Ofan": 2, "Host AR": 8})
        with style.house_style():
            figure = comparison_figures.bars(self.load("figure-12"), FIGURE["figure-12"])
        axes = figure.axes[0]
        widths = sorted(round(bar.get_x() + bar.get_width(), 3) for bar in axes.patches)
        self.assertEqual(widths, [0.87, 2, 8, 8.63, 9.96])
        self.assertIn("8.63", [text.get_text() for text in axes.texts])

    def test_infinity_has_its_place_at_the_right(self):
        for number, word in enumerate(("0s", "never")):
            folder = self.folder / "figure-04-permutation" / str(number)
            synthetic.write_run(folder, "Host AR", 1, 5, failures={"convergence": word})
        with style.house_style():
            figure = comparison_figures.lines(self.load("figure-04"), FIGURE["figure-04"])
        labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
        self.assertEqual((labels[0], labels[-1]), ("0", "∞"))


if __name__ == "__main__":
    unittest.main()
