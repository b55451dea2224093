# SPDX-License-Identifier: GPL-2.0-only
"""Opens a report in headless Chromium and does with it what its readers do."""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "plots"))
import synthetic  # noqa: E402
from programs import call  # noqa: E402
from synthetic_failures import (  # noqa: E402
    EXPLANATION,
    NASTY,
    OUTAGE,
    write_failure,
    write_sweep_record,
)
from synthetic_studies import write_studies  # noqa: E402
from synthetic_trainings import write_training, write_trainings  # noqa: E402

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1250,1000"
).split()
MEAN = "workload.matrix.mean"
SCHEMES = ("ecmp", "rail-source", "rails")
FIGURES = (
    f"by-{MEAN}".replace(".", "-"),
    "message-cdf",
    "throughput",
    "queue-ccdf",
    "links",
)
WAIT_S = 20


def write_results(folder):
    """Two cases of three schemes, and four points that failed in three ways."""
    for mean, slower in (("1MB", 1), ("20MB", 1.5)):
        for scheme in SCHEMES:
            for seed in (2, 10):
                place = folder / f"{mean},{scheme},{seed}"
                ratio = synthetic.SCHEMES[scheme] * slower
                more = {"wall_s": seed / 3, "failures": OUTAGE, "explain": EXPLANATION}
                synthetic.write_point(place, scheme, seed, ratio, config={MEAN: mean}, **more)
    config = {"workload": {"matrix": {"mean": "1MB"}}}
    for seed in (3, 4):
        write_failure(folder / f"failed-{seed}", "ecmp", seed, config=config, reason=NASTY)
    synthetic.write_point(
        folder / "broken", "rails", 5, config={MEAN: "1MB"}, status=4, report=f"drop\n{NASTY}"
    )
    (folder / "cut").mkdir()
    (folder / "cut" / "result.json").write_text("{")
    write_sweep_record(folder, name="a sweep with failures")


def write_report(*folders):
    done = call("report", *folders)
    # For what is damaged, which the page names too.
    assert done.returncode == (2 if "result.json" in done.stderr else 0), done


def setUpModule():
    """Starts a browser for all tests."""
    profile = tempfile.mkdtemp()
    unittest.addModuleCleanup(shutil.rmtree, profile)
    options = Options()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    Browser.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    unittest.addModuleCleanup(Browser.browser.quit)


class Browser(unittest.TestCase):
    """What readers do, and a folder for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def open(self, page):
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.browser.get(page.as_uri())

    def emulate(self, scheme):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, message):
        WebDriverWait(self.browser, WAIT_S).until(lambda _: condition(), message)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def column(self, title):
        """The cells below a heading, as shown."""
        headings = [heading.text for heading in self.find("#points thead th")]
        place = next(n for n, text in enumerate(headings) if text.startswith(title))
        return self.script(
            "return [...document.querySelectorAll('#points > tbody > tr')]"
            ".map((row) => row.cells[arguments[0]].textContent)",
            place,
        )

    def click_heading(self, title):
        heading = next(h for h in self.find("#points thead th") if h.text.startswith(title))
        self.script("arguments[0].scrollIntoView({block: 'center'})", heading)
        heading.click()

    def curves(self, key="links"):
        """The schemes whose curves are really there."""
        return self.script(
            """const figure = document.getElementById(`figure-${arguments[0]}`);
            const names = figure.calcdata.map(([first]) => first.trace)
              .filter((trace) => trace.visible === true).map((trace) => trace.name);
            return [...new Set(names)];""",
            key,
        )

    def legend_click(self, key, scheme):
        entry = self.script(
            """return [...document.querySelectorAll(`#figure-${arguments[0]} .legend .traces`)]
              .find((entry) => entry.textContent === arguments[1])
              .querySelector(".legendtoggle")""",
            key,
            scheme,
        )
        self.script("arguments[0].scrollIntoView({block: 'center'})", entry)
        webdriver.ActionChains(self.browser).move_to_element(entry).click().perform()


class ReportPage(Browser):
    """Each test opens the page afresh, unless the one before has only looked at it."""

    is_as_opened = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        write_results(cls.folder / "sweep")
        write_report(cls.folder / "sweep")

    def setUp(self):
        self.page = self.folder / "sweep" / "report.html"
        if not self.is_as_opened:
            self.emulate("light")
            self.open(self.page)
        type(self).is_as_opened = False

    def leave_as_opened(self):
        """The last that a test does which has changed nothing."""
        type(self).is_as_opened = True

    def test_there_are_no_script_errors(self):
        self.wait(lambda: self.find(".legendtoggle"), "no figure was drawn")
        self.assertEqual(self.browser.get_log("browser"), [])
        self.assertIsNone(self.script("return window.owned ?? null"))
        self.leave_as_opened()

    def test_nothing_is_asked_of_a_network(self):
        self.wait(lambda: self.find(".legendtoggle"), "no figure was drawn")
        entries = self.browser.get_log("performance")
        events = [json.loads(entry["message"])["message"] for entry in entries]
        asked = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
        asked = [url for url in asked if not url.startswith("data:")]
        self.assertEqual(asked, [self.page.as_uri()])
        self.leave_as_opened()

    def test_figures_are_drawn(self):
        for key in FIGURES:
            paths = self.script(
                """return [...document.querySelectorAll(
                  `#figure-${arguments[0]} :is(.scatterlayer .js-line, .barlayer path)`)]
                  .map((path) => [path.getAttribute("d").length, path.getBBox().width])""",
                key,
            )
            drawn = [length for length, width in paths if width > 20]
            self.assertGreaterEqual(len(drawn), len(SCHEMES), f"{key} has {paths}")
        curves = self.script(
            "return [...document.querySelectorAll('#figure-message-cdf .scatterlayer .js-line')]"
            ".map((path) => path.getAttribute('d').length)"
        )
        self.assertGreater(min(curves), 500)  # curves, not strokes
        self.leave_as_opened()

    def test_values_show_on_hover(self):
        bar = self.find(f"#figure-{FIGURES[0]} .scatterlayer .points path")[0]
        self.script("arguments[0].scrollIntoView({block: 'center'})", bar)
        box = self.script("const b = arguments[0].getBoundingClientRect();"
                          "return [b.left + b.width / 2, b.top + b.height / 2]", bar)
        self.browser.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": "mouseMoved", "x": box[0], "y": box[1]}
        )
        shown = f"#figure-{FIGURES[0]} .hovertext"
        self.wait(lambda: self.find(shown), "nothing shows on hover")
        text = self.script("return document.querySelector(arguments[0]).textContent", shown)
        self.assertRegex(text, r"1 MB: \d[\d.]* .*2 seeds")

    def test_a_click_on_a_heading_sorts_numbers_as_numbers(self):
        self.click_heading("Seed")
        first = self.column("Seed")
        numbers = [int(text) for text in first if text != "–"]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual((numbers[0], numbers[-1]), (2, 10))  # as words 10 would come first
        self.click_heading("Seed")
        numbers = [int(text) for text in self.column("Seed") if text != "–"]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        for title in ("Completion", "Took"):
            self.click_heading(title)
            texts = set(self.column(title)) - {"–", "did not finish"}
            numbers = [float(text) for text in self.column(title) if text in texts]
            self.assertGreater(len(numbers), 10)
            self.assertEqual(numbers, sorted(numbers))

    def test_values_of_an_axis_sort_by_size(self):
        self.click_heading(MEAN)
        values = [text for text in self.column(MEAN) if text != "–"]
        self.assertEqual(list(dict.fromkeys(values)), ["1 MB", "20 MB"])

    def test_the_filter_leaves_what_fits(self):
        self.find("input[type=search]")[0].send_keys("rail-source")
        self.wait(lambda: set(self.column("Scheme")) == {"rail-source"}, "the filter does nothing")
        self.find("input[type=search]")[0].send_keys(Keys.BACKSPACE * len("rail-source"))
        self.wait(lambda: set(self.column("Scheme")) > set(SCHEMES), "the rest does not come back")
        self.leave_as_opened()

    def test_a_click_in_a_legend_hides_a_scheme_in_all_figures(self):
        self.assertEqual(self.curves(), list(SCHEMES))
        self.legend_click("message-cdf", "rails")
        self.wait(lambda: len(self.curves()) == 2, "the scheme stays")
        self.assertEqual(self.curves(), ["ecmp", "rail-source"])
        drawn = self.find("#figure-message-cdf .scatterlayer .js-line")
        self.assertEqual(len(drawn), 2)
        self.assertFalse(self.find("input[value=rails]")[0].is_selected())
        self.legend_click("message-cdf", "rails")
        self.wait(lambda: len(self.curves()) == 3, "the scheme does not come back")
        self.leave_as_opened()

    def test_a_box_hides_a_scheme(self):
        box = self.find("input[value=ecmp]")[0]
        box.click()
        self.wait(lambda: len(self.curves()) == 2, "the scheme stays")
        self.assertEqual(self.curves(), ["rail-source", "rails"])
        box.click()
        self.wait(lambda: len(self.curves()) == 3, "the scheme does not come back")
        self.leave_as_opened()

    def test_another_case_shows_other_curves(self):
        self.legend_click("message-cdf", "ecmp")
        read = "return document.getElementById('figure-message-cdf').data.map((t) => t.x[50])"
        before = self.script(read)
        select = Select(self.find(f"select[name='{MEAN}']")[0])
        case = select.first_selected_option.text
        other = {"1 MB": "20 MB", "20 MB": "1 MB"}[case]
        select.select_by_visible_text(other)
        self.wait(lambda: self.script(read) != before, "the figure stays as it was")
        self.assertEqual(self.curves(), ["rail-source", "rails"])  # as chosen
        select.select_by_visible_text(case)
        self.wait(lambda: self.script(read) == before, "the case does not come back")
        self.legend_click("message-cdf", "ecmp")
        self.wait(lambda: len(self.curves()) == 3, "the scheme does not come back")
        self.leave_as_opened()

    def test_failed_points_are_seen_and_open(self):
        self.assertTrue(self.find("p.failures")[0].is_displayed())
        self.assertIn("4 of 16 points did not finish or failed", self.find("p.failures")[0].text)
        rows = self.find("#points tr.failed")
        self.assertEqual(len(rows), 4)
        self.assertEqual(rows, self.find("#points tbody tr")[:4])
        self.assertTrue(all(row.is_displayed() for row in rows))
        row = next(row for row in rows if NASTY in row.text)
        button = row.find_element(By.CSS_SELECTOR, "button")
        self.script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        details = self.find("dl.details")
        self.assertEqual(len(details), 1)
        for text in ("stuck: queue pair 3 to 9", f"./rails run '{NASTY}.yaml'", "2"):
            self.assertIn(text, details[0].text)
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        button.click()
        self.assertEqual(self.find("dl.details"), [])
        self.leave_as_opened()

    def test_it_follows_light_and_dark(self):
        read = """const figure = document.getElementById("figure-message-cdf");
            return [getComputedStyle(document.body).backgroundColor,
                    getComputedStyle(figure.querySelector(".xtitle")).fill,
                    figure.querySelector(".js-line").style.stroke]"""
        light = self.script(read)
        self.emulate("dark")

        def bright(colours):
            return [sum(map(int, colour[4:-1].split(",")[:3])) > 382 for colour in colours]

        # The figure is drawn anew behind the page.
        wanted = [not place for place in bright(light)]
        self.wait(lambda: bright(self.script(read)) == wanted, "not all of dark is the other way round")
        self.emulate("light")
        self.wait(lambda: self.script(read) == light, "not all of it is light again")
        self.leave_as_opened()

    def test_the_page_opens_on_bars_that_are_as_long_as_the_times(self):
        rows = self.script(
            """return [...document.querySelectorAll("#options0 tbody tr")].map((row) =>
              [row, row.querySelector(".bar i"), row.cells[2]]).filter(([, bar]) => bar !== null)
              .map(([row, bar, time]) => [row.cells[0].textContent, time.textContent,
                bar.getBoundingClientRect().left, bar.getBoundingClientRect().width,
                row.getBoundingClientRect().bottom])"""
        )
        self.assertEqual([row[0] for row in rows], ["rails", "rail-source", "ecmp"])
        self.assertEqual(len({left for _, _, left, *_ in rows}), 1)
        scales = [width / float(time) for _, time, _, width, _ in rows]
        self.assertLess(max(scales), 1.02 * min(scales))
        self.assertLess(rows[-1][-1], 1000)  # without scrolling
        self.leave_as_opened()

    def test_every_table_can_be_sorted(self):
        self.assertEqual(len(self.find("table.sorted")), 7)
        for heading in self.find("table.sorted th:not(.opener)"):
            self.assertIn("sorting", heading.get_attribute("class"))
        self.leave_as_opened()


class OtherPage(Browser):
    """Pages of other folders, one for each test."""

    def setUp(self):
        self.emulate("light")

    def test_what_is_said_beside_bars_touches_no_mark_of_a_seed(self):
        self.open_trainings(seeds=(1, 2), schemes=("rails",))
        marks, texts = (
            self.script(
                "return [...document.querySelectorAll(`#figure-iteration ${arguments[0]}`)]"
                ".map((mark) => mark.getBoundingClientRect())"
                ".map(({left, right}) => [left, right])",
                selector,
            )
            for selector in (".scatterlayer .points path", ".scatterlayer .textpoint")
        )
        self.assertEqual((len(marks), len(texts)), (6, 3))
        self.assertGreater(min(left for left, _ in texts), max(right for _, right in marks) + 5)

    def test_bars_of_policies_are_made_of_stages_that_stay(self):
        self.open_trainings(schemes=("ecmp", "rails"))
        self.assertEqual(self.browser.get_log("browser"), [])

        def shown():
            return self.script(
                """return document.getElementById("figure-iteration").data
                  .filter((trace) => trace.meta.role === "part" && trace.visible === true)
                  .map((trace) => trace.meta.scheme ?? trace.name)"""
            )

        whole = shown()
        self.assertEqual(whole.count("ultra-ep"), 6)
        bars = self.find("#figure-iteration .barlayer .point path")
        self.assertEqual(sum(bar.size["width"] > 1 for bar in bars), 14)
        self.legend_click("iteration", "experts")
        self.find("input[value=ultra-ep]")[0].click()
        self.wait(lambda: "ultra-ep" not in shown(), "the policy stays")
        self.assertEqual(shown(), [name for name in whole if name != "ultra-ep"])

    def open_trainings(self, **options):
        folder = self.folder / "trainings"
        write_trainings(folder, **options)
        self.addCleanup(shutil.rmtree, folder)
        write_report(folder)
        self.open(folder / "report.html")

    def test_a_case_without_a_result_has_words_in_place_of_empty_charts(self):
        folder = self.folder / "gaps"
        for mean, scheme in (("1MB", "ecmp"), ("2MB", "ecmp"), ("2MB", "rails")):
            for mtu in ("1024B", "4096B") if mean == "2MB" else ("1024B",):
                config = {MEAN: mean, "transport.mtu": mtu}
                synthetic.write_point(folder / f"{mean}{scheme}{mtu}", scheme, config=config)
        self.addCleanup(shutil.rmtree, folder)
        write_report(folder)
        self.open(folder / "report.html")
        Select(self.find(f"select[name='{MEAN}']")[0]).select_by_visible_text("1 MB")
        Select(self.find("select[name='transport.mtu']")[0]).select_by_visible_text("4096 B")
        chart = self.find("#figure-message-cdf")[0]
        self.wait(lambda: not chart.is_displayed(), "the chart stays, and is empty")
        words = chart.find_element(By.XPATH, "following-sibling::p")
        self.assertEqual(words.text, "No result for what is chosen.")
        Select(self.find("select[name='transport.mtu']")[0]).select_by_visible_text("1024 B")
        self.wait(chart.is_displayed, "the chart does not come back")
        self.assertEqual(self.curves("message-cdf"), ["ecmp"])
        self.assertFalse(words.is_displayed())

    def test_a_folder_of_failures_opens_without_errors(self):
        folder = self.folder / "failures"
        write_failure(folder / "one", "rails", 1)
        self.addCleanup(shutil.rmtree, folder)
        write_report(folder)
        self.open(folder / "report.html")
        self.assertEqual(self.browser.get_log("browser"), [])
        self.assertEqual(self.column("Status"), ["failed: time limit of 10 s"])


class NarrowPage(Browser):
    """Pages of several kinds on a telephone: 390 pixels wide."""

    WIDTH = 390
    # What cannot be seen whole: elements beyond the edges, boxes that scroll sideways, texts of a
    # figure that lie on each other.
    FAULTS = """
      const shown = (element) => !element.closest(".unseen") && element.checkVisibility();
      const width = document.documentElement.clientWidth, faults = [];
      const name = (element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`;
      if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls");
      for (const element of document.querySelectorAll("body *")) {
        if (!shown(element) || (element.closest("svg") && element.tagName !== "text")) continue;
        const { left, right } = element.getBoundingClientRect();
        if (right - left > 0 && right > -999 && (left < -0.5 || right > width + 0.5))
          faults.push(`beyond the edge: ${name(element)}`);
        const frame = element.closest("svg")?.getBoundingClientRect();
        if (frame && right - left > 0 && (left < frame.left - 0.5 || right > frame.right + 0.5))
          faults.push(`cut off: ${name(element)}`);
        if (element.scrollWidth > element.clientWidth + 1 && !element.closest("svg, .bar, select") &&
            getComputedStyle(element).overflowX !== "visible")
          faults.push(`scrolls sideways: ${name(element)}`);
      }
      for (const figure of document.querySelectorAll("figure")) {
        const texts = [...figure.querySelectorAll(
          ".annotation-text, .legendtext, .xtitle, .ytitle, .xtick text, .ytick text")].filter(shown);
        const boxes = texts.map((text) => text.getBoundingClientRect());
        boxes.forEach((one, n) => boxes.slice(n + 1).forEach((other, m) => {
          const over = (a, b) => Math.min(one[b], other[b]) - Math.max(one[a], other[a]);
          if (over("left", "right") > 2 && over("top", "bottom") > 3)
            faults.push(`on each other: ${texts[n].textContent} and ${texts[n + 1 + m].textContent}`);
        }));
      }
      return [...new Set(faults)];
    """

    def setUp(self):
        size = {"width": self.WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": True}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def look(self, *folders):
        write_report(*folders)
        page = next(folders[0].glob("report*.html"))
        self.open(page)
        self.wait(lambda: self.find(".main-svg"), "no figure was drawn")
        self.assertEqual(self.browser.get_log("browser"), [])
        self.assertEqual(self.script("return innerWidth"), self.WIDTH)
        self.assertEqual(self.script(self.FAULTS), [])

    def write(self, name):
        folder = self.folder / name
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def test_a_sweep_with_failures(self):
        folder = self.write("sweep")
        write_results(folder)
        self.look(folder)
        for button in self.find("td.opener button")[:2]:
            self.script("arguments[0].click()", button)
        self.assertEqual(self.script(self.FAULTS), [])

    def test_trainings_with_long_names(self):
        folder = self.write("trainings")
        notes = ["shortened: the first 2 of 32 layers", "shortened: 2 of 8 micro-batches"]
        keys = {"search_of_the_best_place": "thorough", "slots": 2}
        for policy in ("plain-ep", "eplb", "ultra-ep"):
            for fabric in ("rail", "leaf-spine-of-two-tiers"):
                for more in ({}, keys):
                    place = folder / f"{policy},{fabric},{len(more)}"
                    config = {"topology.type": fabric}
                    write_training(place, policy, keys=more, config=config, notes=notes)
        self.look(folder)
        captions = [caption.text for caption in self.find("caption")]
        self.assertEqual(len(captions), 2)
        for caption in captions:
            self.assertIn("the first 2 of 32 layers, 2 of 8 micro-batches", caption)

    def test_a_study(self):
        folder = self.write("study")
        write_studies(folder)
        self.look(folder)

    def test_a_single_run(self):
        folder = self.write("single")
        synthetic.write_point(folder)
        self.look(folder)

    def test_strategies_and_lists_with_long_names(self):
        folder = self.write("long")
        schedule = [{"at": "10us", "link": ["rail0-leaf0", "rail0-spine0"], "state": "down"}]
        for switch in ("round-robin", "adaptive"):
            for failures in ([], schedule):
                config = {"balance.host.type": "uec-oblivious", "balance.switch.type": switch,
                          "balance.switch.own_ack_counter": switch == "adaptive",
                          "failures.schedule": failures}
                synthetic.write_point(folder / f"{switch}{len(failures)}", "ecmp", config=config)
        self.look(folder)

    def test_several_folders(self):
        one, other = self.write("one"), self.write("other")
        write_studies(one)
        write_trainings(other, ("plain-ep", "ultra-ep"))
        self.look(one, other)
        self.assertEqual(len(self.find("form.choice")), 2)


if __name__ == "__main__":
    unittest.main()
