# SPDX-License-Identifier: GPL-2.0-only
"""Figures as Axes: those of ./rails plot, of one result, of a sweep, of several results together."""

import json
import shutil
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import paths
import rails
from experiments import GRAPH, SWEPT, InFolder

ABSENT = paths.lacking("matplotlib", "numpy")


@unittest.skipIf(ABSENT, ABSENT)
class Figures(InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.sweep = rails.sweep(SWEPT, out=Path(folder) / "sweep")

    def tearDown(self):
        from matplotlib import pyplot

        pyplot.close("all")
        super().tearDown()

    def test_a_distribution_of_messages_has_a_curve_for_each_scheme(self):
        axes = self.sweep.plot("message-cdf")
        curves = {line.get_label(): line.get_xydata() for line in axes.lines}
        self.assertEqual(set(curves), {"ecmp", "rail-source", "rails"})
        self.assertEqual(axes.get_xlabel(), "from posting to the last byte in GPU memory [us]")
        end = max(max(result.point.message_times()) for result in self.sweep.where("balance=rails"))
        self.assertAlmostEqual(curves["rails"][-1][0], 1e6 * end)
        self.assertEqual(curves["rails"][-1][1], 1)

    def test_it_is_a_figure_of_pyplot_which_a_notebook_shows(self):
        from matplotlib import pyplot

        self.assertEqual(pyplot.get_fignums(), [])
        axes = self.sweep.plot("cct")
        self.assertEqual([pyplot.figure(number) for number in pyplot.get_fignums()], [axes.figure])

    def test_it_is_the_figure_of_the_command(self):
        from matplotlib import pyplot
        from rails.plots import draw, style
        from rails.plots.results import load

        drawn = draw.draw(load(self.sweep.folder), Path("figures"), "small", form=draw.Form(("svg",)))
        names = [path.stem for path in drawn.files]
        self.assertEqual(sorted(self.sweep.figures), sorted(names))
        for name in names:
            axes = self.sweep.plot(name, title="small")
            figure = axes[0].figure if isinstance(axes, list) else axes.figure
            with style.house_style():
                style.save(figure, Path("ours"), name, ("svg",))
            self.assertEqual(Path(f"ours/{name}.svg").read_text(), Path(f"figures/{name}.svg").read_text(), name)
            pyplot.close(figure)

    def test_panels_are_a_list(self):
        panels = self.sweep.plot("queue-ccdf")
        self.assertIsInstance(panels, list)
        self.assertEqual({axes.figure for axes in panels}, {panels[0].figure})

    def test_results_of_several_folders_in_one_figure(self):
        both = [self.sweep.where("balance=ecmp")[0], rails.run({**SWEPT, "sweep": {}}, {"balance": "rails"})]
        axes = rails.plot(both, "cct", title="both")
        self.assertEqual([tick.get_text() for tick in axes.get_yticklabels()], ["ecmp", "rails"])
        self.assertEqual(axes.get_title(loc="left"), "both")

    def test_a_folder_does_for_what_is_in_it(self):
        folder = self.sweep.folder / "balance=ecmp,seed=1"
        for given in (folder, [str(folder), self.sweep.where("balance=rails")]):
            labels = {tick.get_text() for tick in rails.plot(given, "cct").get_yticklabels()}
            self.assertIn("ecmp", labels)
        self.assertIn("absent", str(self.error(rails.plot, "absent")))

    def test_a_width_is_a_number(self):
        self.assertIn("expected 2 to 20 inches, not '3.3in'", str(self.error(self.sweep.plot, "cct", width="3.3in")))

    def test_an_iteration(self):
        axes = rails.run(GRAPH).plot("iteration")
        self.assertIn("attention", {text.get_text() for text in axes.get_legend().get_texts()})

    def test_what_does_not_apply_is_told_with_what_does(self):
        with self.assertRaises(rails.Error) as caught:
            self.sweep.plot("iteration")
        self.assertIn("message-cdf", caught.exception.remedy)
        more = rails.sweep(SWEPT, {"sweep.seed": [1], "sweep.transport.mtu": ["1024B", "4096B"]}, "more")
        self.assertEqual(more.figures, ("cct-by-mtu",))
        with self.assertRaisesRegex(rails.Error, "for the others take points that differ in schemes and seeds alone, by where"):
            more.plot("message-cdf")
        self.assertTrue(more.where("transport.mtu=1024B").plot("message-cdf").lines)

    def test_settings_stay_the_user_s_but_for_what_shows_figures_in_a_notebook(self):
        import matplotlib
        from rails.plots import style

        before = dict(matplotlib.rcParams)
        self.addCleanup(matplotlib.interactive, False)
        with style.house_style():
            matplotlib.interactive(True)  # as the first figure of a notebook does
        self.assertEqual({**matplotlib.rcParams}, {**before, "interactive": True})

    def test_drawing_leaves_results_as_they_are(self):
        labelled = [{"congestion_control": "none", "label": "free"}, {"congestion_control": "dcqcn", "label": "controlled"}]
        found = rails.sweep(SWEPT, {"sweep.transport": labelled}, "labelled")
        before = json.dumps([(result.point.config, result.point.result) for result in found])
        found.plot()
        self.assertEqual(json.dumps([(result.point.config, result.point.result) for result in found]), before)

    def test_threads_draw_what_they_would_draw_alone(self):
        sizes = [3.3, 5.0, None, 7.0]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda width: self.sweep.plot("message-cdf", width=width).figure, sizes * 2))
        widths = [figure.get_size_inches()[0] for figure in found]
        self.assertEqual(widths, [3.3, 5.0, 6.8, 7.0] * 2)

    def test_one_thread_draws_at_a_time(self):
        from rails import drawing
        from rails.plots import style

        drawing_now, most = [], []

        def figure(results, title):
            drawing_now.append(title)
            time.sleep(0.02)
            most.append(len(drawing_now))
            drawing_now.remove(title)
            return style.new_figure(4, 3)[0]

        with mock.patch.object(drawing.draw, "figures_of", lambda results: {"own": figure}):
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda title: self.sweep.plot("own", title=title), "abcdefgh"))
        self.assertEqual(most, [1] * 8)


@unittest.skipIf(paths.lacking("scipy", "pandas"), paths.lacking("scipy", "pandas"))
class Compare(InFolder):
    def test_a_key_of_a_sweep_is_compared_as_the_command_does(self):
        found = rails.sweep(SWEPT, {"sweep.seed": [1, 2, 3, 4, 5]}, "here")
        compared = rails.compare(found, by="balance", baseline="ecmp")
        table = compared.table.set_index("value")
        self.assertEqual(set(table.index), {"rail-source", "rails"})
        ecmp = [result.cct_s for result in found.where("balance=ecmp")]
        self.assertAlmostEqual(table.loc["rails", "mean_a"], sum(ecmp) / 5)
        self.assertEqual(table.loc["rails", "verdict"], "differs")
        self.assertIn("compared with ecmp", repr(compared))
        self.assertEqual([result.scheme for result in found][::5], ["ecmp", "rail-source", "rails"])

    def test_comparing_leaves_results_as_they_are(self):
        labelled = [{"congestion_control": "none", "label": "free"}, {"congestion_control": "dcqcn", "label": "controlled"}]
        found = rails.sweep(SWEPT, {"sweep.transport": labelled}, "labelled")
        before = json.dumps([result.point.config for result in found])
        rails.compare(found, by="balance")
        self.assertEqual(json.dumps([result.point.config for result in found]), before)

    def test_two_folders_point_by_point(self):
        first = rails.sweep(SWEPT, out="first")
        rails.sweep(SWEPT, {"topology.nic_rate": "200Gbps"}, "second")
        table = rails.compare(first, "second").table
        self.assertEqual(len(table), 3)
        self.assertTrue((table["mean_b"] > 1.5 * table["mean_a"]).all())
        with self.assertRaisesRegex(rails.Error, "expected two results"):
            rails.compare(first)


if __name__ == "__main__":
    unittest.main()
