# SPDX-License-Identifier: GPL-2.0-only
import json
import re
import shutil
import tempfile
import unittest
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import synthetic
from plotly.offline import get_plotlyjs
from programs import call
from synthetic_failures import NASTY, write_failure, write_sweep_record
from rails.plots.report_figures import Groups, figures
from rails.plots.report_parts import parts_of
from rails.plots.report_table import table
from rails.reader.point import Point
from rails.reader.point_filter import file_name
from rails.reader.result_folder import ResultFolder, load_folder
from rails.plots.results import Results, load

MEAN = "workload.matrix.mean"


def report(folder, *options):
    return call("report", folder, *options)


def points_of(folder):
    """The table of points of a folder."""
    (part,) = parts_of([load_folder(folder)])
    return table(part)


def read(folder):
    return Results(load_folder(folder), grid=False)


def draw(folder):
    """The figures of a folder by key, and what was left out."""
    found, notes = figures(Groups(read(folder)))
    return {figure.key: figure for figure in found}, notes


class Page(HTMLParser):
    """The elements of a page: how often each is there, its text, and every address in it."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.addresses, self.failed = {}, [], 0
        self._open = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.texts.setdefault(tag, []).append("")
        self._open.append(tag)
        attrs = dict(attrs)
        self.failed += tag == "tr" and attrs.get("class") == "failed"
        self.addresses += [attrs[name] for name in ("src", "href", "srcset") if name in attrs]

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        for tag in set(self._open):
            self.texts[tag][-1] += data


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def page(self, *options, status=0):
        done = report(self.folder, *options)
        self.assertEqual((done.returncode, not done.stderr), (status, status == 0))
        text = Path(done.stdout.splitlines()[-1]).read_text(encoding="utf-8")
        self.assertIn(get_plotlyjs(), text)
        return Page(text.replace(get_plotlyjs(), ""))  # 8 MB that nobody here reads


class TheFile(Temporary):
    def test_it_is_alone_and_loads_nothing(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1, 2))
        page = self.page()
        self.assertEqual(page.addresses, [])
        self.assertNotIn("link", page.texts)
        self.assertEqual([path.name for path in self.folder.glob("*.html")], ["report.html"])

    def test_it_goes_where_it_is_told_to(self):
        synthetic.write_point(self.folder / "run")
        done = report(self.folder, "--out", self.folder / "own.html")
        self.assertEqual(done.stdout.splitlines()[-1], str(self.folder / "own.html"))
        self.assertTrue((self.folder / "own.html").exists())
        self.assertFalse((self.folder / "report.html").exists())

    def test_no_text_of_a_user_becomes_markup(self):
        synthetic.write_sweep(self.folder, ("ecmp",), (1, 2), config={"workload.path": NASTY})
        plain = self.page()
        synthetic.write_point(self.folder / "else", "ecmp", 1, config={"workload.path": "<p>"})
        write_failure(self.folder / "bad", NASTY, 1, reason=NASTY)
        write_sweep_record(self.folder, name=NASTY)
        page = self.page()
        self.assertEqual(page.texts["h1"], [NASTY])
        self.assertEqual(page.texts["title"], [NASTY])
        self.assertEqual(len(page.texts["script"]), len(plain.texts["script"]))
        self.assertNotIn("b", page.texts)
        self.assertIn(NASTY, page.texts["pre"])
        json.loads(page.texts["script"][0])

    def test_it_says_what_was_run(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1, 2, 3, 7))
        write_failure(self.folder / "bad", "random", 1)
        less = {"module": "0.1.0", "ns3": "3.37"}
        write_failure(self.folder / "other", "random", 2, version=less)
        write_sweep_record(self.folder, name="mine", text="workload: {type: all-to-all}", points=12)
        page = self.page()
        facts = dict(zip(page.texts["dt"], page.texts["dd"]))
        self.assertEqual(facts["Points"], "8 done, 2 failed, 2 not run yet")
        self.assertIn("2 points have not run yet: they may change what is said here.", page.texts["p"])
        self.assertEqual(facts["Seeds"], "1 to 3, 7")
        self.assertEqual(facts["Versions"], "rails 0.1.0, ns-3 3.37, GCC 12.2.0, optimized build")
        self.assertEqual(facts["Set on the command line"], "workload.matrix.mean=1MB")
        self.assertRegex(facts["Written"], r"^20\d\d-\d\d-\d\d \d\d:\d\d.* UTC$")
        self.assertIn("workload: {type: all-to-all}", page.texts["pre"])

    def test_a_condition_narrows_it_down(self):
        for mean in ("1MB", "2MB"):
            synthetic.write_sweep(self.folder / mean, ("rails",), (1,), config={MEAN: mean})
        write_sweep_record(self.folder, points=12)
        page = self.page("--where", f"{MEAN}=2MB")
        facts = dict(zip(page.texts["dt"], page.texts["dd"]))
        self.assertEqual(facts["Points"], "1 done")  # whatever the sweep has besides
        for bad in ("nonsense", f"{MEAN}=3MB"):
            self.assertEqual(report(self.folder, "--where", bad).returncode, 2)

    def test_a_condition_leaves_the_whole_page_as_it_is(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1,))
        whole = self.folder / "report.html"
        report(self.folder)
        before = whole.read_bytes()
        done = report(self.folder, "--where", "balance=rails", "--where", "seed=1")
        page = self.folder / "report-balance=rails,seed=1.html"
        self.assertEqual(done.stdout.splitlines()[-1], str(page))
        self.assertTrue(page.exists())
        self.assertEqual(whole.read_bytes(), before)

    def test_many_long_conditions_make_a_name_that_a_file_can_have(self):
        synthetic.write_point(self.folder / "run", "rails", messages=10,
                              config={f"x{n}.{'key' * 12}": "v" * 40 for n in range(5)})
        where = [f"--where=x{n}.{'key' * 12}={'v' * 40}" for n in range(5)]
        done = call("report", self.folder, *where)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = [file_name([w[8:] for w in where[:count]]) for count in (3, 4, 5)]
        self.assertEqual(len({*names}), 3)
        self.assertLessEqual(max(map(len, names)), 120)
        self.assertTrue((self.folder / f"report-{names[-1]}.html").exists())

    def test_an_axis_with_one_value_has_no_figure(self):
        for chunk in ("1MB", "whole"):
            synthetic.write_point(self.folder / chunk, config={"balance.chunk": chunk})
        synthetic.write_point(self.folder / "e", "ecmp", config={"balance.other": "7"})
        synthetic.write_point(self.folder / "f", "ecmp")
        found, _ = draw(self.folder)
        self.assertEqual([key for key in found if key.startswith("by-")], ["by-balance.chunk"])

    def test_what_lacks_the_key_of_an_axis_has_no_curve_along_it(self):
        for spines in (1, 2):
            config = {"topology.type": "rail", "topology.spines": spines}
            synthetic.write_point(self.folder / str(spines), config=config)
        synthetic.write_point(self.folder / "tree", config={"topology.type": "fat-tree"})
        found, _ = draw(self.folder)
        traces = [t for t in found["by-topology.spines"].traces if "scheme" in t["meta"]]
        self.assertEqual([t["x"] for t in traces], [[1, 2]])

    def test_lists_along_an_axis_have_short_labels_that_differ(self):
        start = [{"at": "10us", "link": ["rail0-leaf0", "rail0-spine0"]}]
        for seed, at in enumerate(("20us", "30us"), 1):
            middle = {"at": at, "link": ["rail0-leaf1", "rail0-spine1"]}
            schedule = [*start, *start, middle]
            synthetic.write_point(self.folder / at, "rails", 1, messages=10,
                                  config={"failures.schedule": schedule})
        results = load(self.folder)
        (axis,) = results.axes
        first, second = axis.ticks
        self.assertEqual(second, first + " (2)")
        self.assertEqual(first, "rail0-leaf0 to rai...t 10 us and 1 more")
        found, _ = figures(Groups(results))
        (along,) = (f for f in found if "ticktext" in f.layout.get("xaxis", {}))
        self.assertEqual(along.layout["xaxis"]["ticktext"], [first, second])
        page = self.folder / "report.html"
        call("report", self.folder)
        self.assertIn(f">{escape(second)}</option>", page.read_text(encoding="utf-8"))
        shown = call("compare", self.folder, self.folder).stdout
        self.assertIn(f"rails, schedule {second}  ", shown)
        self.assertNotIn("rail0-leaf1", shown)

    def test_nothing_to_report_on_is_an_error(self):
        for folder in (self.folder, self.folder / "nowhere"):
            done = report(folder)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, "^.*: error: (no whole result in it|no such folder)")

    def test_a_damaged_record_of_the_sweep_is_named(self):
        synthetic.write_point(self.folder / "run")
        write_sweep_record(self.folder)
        (self.folder / ".rails" / "sweep.json").write_text("[")
        done = report(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^.*sweep.json: error: is not JSON")


class Failures(Temporary):
    def test_each_is_a_row_with_all_that_is_known(self):
        synthetic.write_sweep(self.folder, ("rails",), (1, 2))
        write_failure(self.folder / "slow", "ecmp", 1)
        synthetic.write_point(
            self.folder / "broken", "ecmp", 2, status=4, report="drop on a lossless class\nport 3"
        )
        (self.folder / "cut").mkdir()
        (self.folder / "cut" / "result.json").write_text("{")
        page = self.page(status=2)  # for what is damaged
        self.assertEqual(page.failed, 3)
        text = " ".join(page.texts["td"])
        self.assertIn("failed: time limit of 10 s", text)
        self.assertIn("did not finish (status 4): drop on a lossless class", text)
        self.assertIn("unreadable: result.json is not JSON", text)
        shown = page.texts["pre"]
        self.assertIn(f"./rails run '{NASTY}.yaml' --set balance=ecmp", shown)
        self.assertIn(f"stuck: queue pair 3 to 9\n{NASTY}", shown)
        self.assertIn("drop on a lossless class\nport 3", shown)
        self.assertIn("3 of 5 points did not finish or failed.", " ".join(page.texts["p"]))

    def test_a_warning_stands_at_the_top_once_with_the_number_of_its_points(self):
        note = f"warning: balance.host: out of order: {NASTY}"
        synthetic.write_sweep(self.folder / "a", ("rails",), (1, 2), notes=[note, "other"])
        synthetic.write_sweep(self.folder / "b", ("ecmp",), (1,))
        shown = self.page().texts["p"]
        self.assertEqual([text for text in shown if "warning" in text], [f"2 of 3 points: {note}"])

    def test_a_folder_of_failures_has_a_page_without_figures(self):
        for seed in (1, 2):
            write_failure(self.folder / str(seed), "rails", seed)
        page = self.page()
        self.assertEqual(page.failed, 2)
        self.assertEqual(json.loads(page.texts["script"][0])[0]["figures"], [])
        self.assertIn("No figures: no point has a result.", page.texts["p"])

    def test_figures_tell_what_failed(self):
        for mean in ("1MB", "2MB"):
            config = {MEAN: mean}
            synthetic.write_sweep(self.folder / mean, ("ecmp",), (1, 2), config=config)
        config = {"workload": {"matrix": {"mean": "2MB"}}}
        write_failure(self.folder / "one", "ecmp", 3, config=config)
        write_failure(self.folder / "all", "rails", 1, config=config)
        found, _ = draw(self.folder)
        crosses = [t for t in found[f"by-{MEAN}"].traces if t["meta"]["role"] == "failed"]
        self.assertEqual([trace["name"] for trace in crosses], ["ecmp", "rails"])
        for trace in crosses:
            self.assertEqual((trace["x"], trace["text"]), ([2e6], ["2 MB: 1 did not finish"]))

    def test_a_point_that_was_never_there_has_not_failed(self):
        synthetic.write_point(self.folder / "a", "ecmp", 1, config={MEAN: "1MB"})
        synthetic.write_point(self.folder / "b", "rails", 2, config={MEAN: "2MB"})
        page = self.page()
        self.assertEqual(page.failed, 0)
        self.assertNotIn("failed", json.dumps(json.loads(page.texts["script"][0])[0]["figures"]))


class Table(Temporary):
    def orders(self, column):
        """What the rows are sorted by in a column, by its title."""
        text = points_of(self.folder)
        heads = re.findall(r'<th scope="col" class="(?:number|word)">(.*?)</th>', text)
        titles = [head.replace("<wbr>", "") for head in heads]
        place = next(n for n, title in enumerate(titles) if title.startswith(column))
        rows = [re.findall(r'data-order="([^"]*)"', row) for row in text.split("<tr")[2:]]
        return [row[place] for row in rows]

    def test_numbers_sort_as_numbers_whatever_is_shown(self):
        for seed, cct in ((1, 9e-4), (2, 1e-3), (10, 2.5e-5)):
            synthetic.write_point(self.folder / str(seed), "rails", seed, cct_s=cct)
        self.assertEqual(sorted(map(float, self.orders("Completion"))), [2.5e-5, 9e-4, 1e-3])
        self.assertEqual(self.orders("Seed"), ["1", "2", "10"])

    def test_values_of_an_axis_sort_by_size(self):
        chunks = ("16MB", "256KB", "4MB", "whole")
        for chunk in chunks:
            synthetic.write_point(self.folder / chunk, config={"balance.chunk": chunk})
        by_folder = dict(zip(chunks, self.orders("balance.chunk")))
        self.assertEqual(by_folder, {"256KB": "0", "4MB": "1", "16MB": "2", "whole": "3"})

    def test_counters_that_are_all_zero_have_no_column(self):
        synthetic.write_point(self.folder / "run", pfc_pauses=0, drops=7)
        text = points_of(self.folder)
        self.assertIn(">Drops<", text)
        self.assertNotIn("PFC", text)


class Figures(Temporary):
    def test_plotly_knows_all_that_is_asked_of_it(self):
        for mean in ("1MB", "2MB", "4MB"):
            for chunk in ("1MB", "whole"):
                config = {MEAN: mean, "balance.chunk": chunk}
                synthetic.write_sweep(self.folder / mean / chunk, ("rails",), (1, 2), config=config)
            synthetic.write_sweep(self.folder / mean, ("ecmp",), (1, 2), config={MEAN: mean})
        found, notes = draw(self.folder)
        self.assertEqual(set(found), {f"by-{MEAN}", "by-balance.chunk", "message-cdf",
                                      "queue-ccdf", "links"})
        self.assertEqual(notes, [])
        for figure in found.values():
            go.Figure({"data": figure.traces, "layout": figure.layout})  # raises on what is unknown

    def test_every_case_has_its_own_traces(self):
        for mean in ("1MB", "2MB"):
            for chunk in ("1MB", "4MB"):
                config = {MEAN: mean, "balance.chunk": chunk}
                synthetic.write_point(self.folder / mean / chunk, "rails", config=config)
            synthetic.write_point(self.folder / mean / "e", "even-split", config={MEAN: mean})
        found, _ = draw(self.folder)
        places = [(t["name"], t["meta"]["place"]) for t in found["message-cdf"].traces]
        for mean in (0, 1):
            self.assertIn(("even-split", {MEAN: mean}), places)  # whatever the chunk is
            for chunk in (0, 1):
                self.assertIn(("rails", {"balance.chunk": chunk, MEAN: mean}), places)
        self.assertEqual(len(places), 6)
        along = [t["meta"]["place"] for t in found[f"by-{MEAN}"].traces if t["name"] == "rails"]
        self.assertEqual(along, [{"balance.chunk": 0}, {"balance.chunk": 1}])

    def test_a_scheme_with_one_value_of_a_schemes_key_is_there_at_all_of_them(self):
        for chunk in ("1MB", "4MB", "16MB"):
            synthetic.write_point(self.folder / chunk, "rails", config={"balance.chunk": chunk})
        synthetic.write_point(self.folder / "e", "ecmp", config={"balance.chunk": "whole"})
        found, _ = draw(self.folder)
        places = {(t["name"], *t["meta"]["place"].values()) for t in found["message-cdf"].traces}
        self.assertEqual(places, {("ecmp",), ("rails", 0), ("rails", 1), ("rails", 2)})
        along = {t["name"]: t for t in found["by-balance.chunk"].traces}
        self.assertEqual((along["ecmp"]["x"], along["ecmp"]["mode"]), ([0, 3], "lines"))
        rails = along["rails"]
        self.assertEqual((rails["x"], rails["mode"]), ([0, 1, 2], "lines+markers"))

    def test_a_scheme_that_is_at_one_value_of_a_case_is_not_there_at_others(self):
        for chunk, mean in (("1MB", "1MB"), ("4MB", "1MB"), ("1MB", "2MB")):
            config = {"balance.chunk": chunk, MEAN: mean}
            synthetic.write_point(self.folder / chunk / mean, "rails", config=config)
        found, _ = draw(self.folder)
        along = {t["meta"]["place"].get(MEAN): t for t in found["by-balance.chunk"].traces}
        self.assertEqual((along[0]["x"], along[1]["x"]), ([1e6, 4e6], [1e6]))

    def test_the_first_choice_is_a_case_that_is_there(self):
        for mean, mtu in (("1MB", "1KiB"), ("2MB", "4KiB"), ("2MB", "4KiB")):
            config = {MEAN: mean, "transport.mtu": mtu}
            place = self.folder / f"{mean}-{len(list(self.folder.iterdir()))}"
            synthetic.write_point(place, seed=len(place.name), config=config)
        groups = Groups(read(self.folder))
        self.assertEqual(len(groups.axes), 1)  # the other follows from it
        self.assertEqual(list(groups.first_choice().values()), [1])

    def test_what_would_be_an_empty_panel_has_no_curve(self):
        for scheme in ("ecmp", "rails"):
            synthetic.write_point(self.folder / scheme, scheme)
        queues = self.folder / "rails" / "queues.csv"
        rows = queues.read_text().splitlines()
        kept = [row for row in rows if not row.startswith("leaf_up") or ",0,1," in row]
        queues.write_text("\n".join(kept) + "\n")
        found, _ = draw(self.folder)
        for key in ("queue-ccdf", "links"):  # rails sends nothing over spines
            panels = {(t["name"], t["xaxis"]) for t in found[key].traces}
            place = found[key].panels.index("leaf to spine (leaf_up)")
            axis = f"x{place + 1}"
            self.assertIn(("ecmp", axis), panels)
            self.assertNotIn(("rails", axis), panels)

    def test_curves_are_those_of_the_files(self):
        synthetic.write_point(self.folder / "run")
        point = read(self.folder).points[0]
        (curve,) = draw(self.folder)[0]["message-cdf"].traces
        times = 1e6 * np.sort(point.message_times())  # most are below a millisecond
        self.assertAlmostEqual(curve["x"][0], times[0], delta=1e-4 * times[0])
        self.assertAlmostEqual(curve["x"][-1], times[-1], delta=1e-4 * times[-1])
        middle = np.interp(0.5, curve["y"], curve["x"])
        self.assertAlmostEqual(middle, np.median(times), delta=0.01 * times[-1])

    def test_tables_that_were_not_recorded_are_said_to_be_missing(self):
        synthetic.write_sweep(self.folder, ("rails",), (1, 2))
        for path in self.folder.glob("*/queues.csv"):
            path.unlink()
        (self.folder / "balance=rails,seed=1" / "links.csv").unlink()
        found, notes = draw(self.folder)
        missing = "left out. 2 of 2 points have no queues.csv."
        self.assertEqual(notes, [f"Queue lengths by port class: {missing}"])
        self.assertEqual(found["links"].notes, ["1 of 2 points have no links.csv."])

    def test_a_damaged_table_costs_only_its_curve(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1,))
        place = self.folder / "balance=rails,seed=1"
        (place / "messages.csv").write_text("phase,pair\n1,2\n")
        (place / "links.csv").write_text("port_class,utilisation\nleaf_up,\n")
        found, _ = draw(self.folder)
        self.assertEqual([trace["name"] for trace in found["message-cdf"].traces], ["ecmp"])
        self.assertIn("messages.csv of rails cannot be read", found["message-cdf"].notes[0])
        self.assertIn("links.csv of rails cannot be read", found["links"].notes[0])

    def test_strategies_at_hosts_and_switches_are_schemes_with_their_own_look(self):
        for host in ("flow", "spray", "reps", "subflow", "plb"):
            for switch in ("ecmp", "adaptive", "jsq"):
                synthetic.write_point(
                    self.folder / f"{host}-{switch}",
                    "ecmp",
                    config={"balance.host.type": host, "balance.switch.type": switch},
                )
        found, _ = draw(self.folder)
        self.assertEqual(set(found), {"message-cdf", "queue-ccdf", "links"})  # no axis
        curves = found["message-cdf"].traces
        self.assertEqual(len({trace["name"] for trace in curves}), 15)
        looks = {(t["meta"]["light"], t["line"]["dash"]) for t in curves}
        self.assertGreaterEqual(len(looks), 12)

    def test_a_large_sweep_stays_small(self):
        for number in range(60):
            synthetic.write_point(
                self.folder / str(number), seed=1, config={MEAN: f"{number + 1}MB"}
            )
        groups = Groups(read(self.folder))
        self.assertEqual(groups.limit, 200)
        groups.limit, groups.with_curves = 20, dict(list(groups.of.items())[:5])
        groups.notes = ["Only for 5 of 60"]
        found = {figure.key: figure for figure in figures(groups)[0]}
        self.assertEqual(len(found["message-cdf"].traces), 5)
        self.assertEqual(found["message-cdf"].notes, ["Only for 5 of 60"])
        self.assertTrue(all(len(t["x"]) <= 20 for key in ("message-cdf", "queue-ccdf", "links")
                            for t in found[key].traces))


class ManyGroups(unittest.TestCase):
    """How much a page may hold, without the files that it would be drawn from."""

    def groups(self, count):
        config = {"balance": {"type": "rails"}, "seed": 1}
        result = {"seed": 1, "status": 0, "cct_s": 1, "lower_bound_s": 1, "cct_over_bound": 1}
        points = []
        for number in range(count):
            mean = {"workload": {"mean": number}}
            points.append(Point(Path(str(number)), {**result, "config": {**config, **mean}}))
        return Groups(Results(ResultFolder(Path(), points), grid=False))

    def test_curves_get_thinner_and_then_fewer(self):
        few, many, most = (self.groups(count) for count in (100, 400, 4000))
        self.assertEqual((few.limit, few.notes), (200, []))
        self.assertEqual(many.limit, 55)
        self.assertIn("thinned to 55 points", many.notes[0])
        self.assertEqual((most.limit, len(most.with_curves)), (15, 1481))
        self.assertIn("Only for 1481 of 4000", most.notes[0])
        for groups in (few, many, most):
            self.assertLessEqual(groups.limit * len(groups.with_curves) * 9, 200_000)


if __name__ == "__main__":
    unittest.main()
