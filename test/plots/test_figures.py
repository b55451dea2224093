# SPDX-License-Identifier: GPL-2.0-only
import itertools
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from concurrent.futures import Future
from pathlib import Path
from unittest import mock

import synthetic
from paths import PLOTS
from programs import call
from rails.plots import layout, style
from rails.plots.case_figures import (
    completion,
    completion_cdf,
    iteration,
    link_utilisation,
    message_cdf,
    nic_load,
    queue_ccdf,
    throughput,
)
from rails.plots.draw import draw
from rails.plots.layout import Skip
from rails.plots.results import load
from rails.plots.sweep_figure import along_axes

OF_ONE_CASE = {"cct", "cct-cdf", "message-cdf", "queue-ccdf", "nic-load", "link-utilisation"}


class AtOnce:
    """In place of processes, which tests should not be copied into."""

    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @staticmethod
    def submit(function, *arguments):
        done = Future()
        done.set_result(function(*arguments))
        return done


def demo(folder):
    with mock.patch("demo.ProcessPoolExecutor", AtOnce):
        return call("demo", folder)


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check_drawn(self, names, folder=None):
        """Exactly these figures are there."""
        folder = folder or self.folder / "figures"
        self.assertEqual({path.name for path in folder.iterdir()},
                         {f"{name}.{kind}" for name in names for kind in ("png", "svg")})

    def check_pictures(self, names, folder):
        """Each is a real picture of each kind."""
        for name in names:
            png = (folder / f"{name}.png").read_bytes()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(png), 5000)
            svg = xml.etree.ElementTree.parse(folder / f"{name}.svg").getroot()
            self.assertGreater(len(list(svg.iter("{http://www.w3.org/2000/svg}path"))), 10)


class Plot(Temporary):
    def test_a_sweep_over_schemes_and_seeds_gets_every_figure(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"))
        done = call("plot", self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_drawn(OF_ONE_CASE)
        for path in (self.folder / "figures").iterdir():
            self.assertIn(str(path), done.stdout)

    def test_a_single_run_gets_all_but_the_distribution_over_seeds(self):
        synthetic.write_point(self.folder / "run")
        done = call("plot", self.folder / "run")
        self.assertEqual(done.returncode, 0)
        self.assertIn("cct-cdf left out", done.stdout)
        self.check_drawn(OF_ONE_CASE - {"cct-cdf"}, self.folder / "run" / "figures")

    def test_iterations_get_a_figure_of_their_own(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), iterations=2)
        self.assertEqual(call("plot", self.folder).returncode, 0)
        self.check_drawn(OF_ONE_CASE | {"iteration"})

    def test_another_axis_gets_its_figure_and_a_condition_the_rest(self):
        for chunk in ("1MB", "whole"):
            for seed in (1, 2):
                synthetic.write_point(
                    self.folder / chunk / str(seed), "rails", seed, config={"balance.chunk": chunk}
                )
        self.assertEqual(call("plot", self.folder).returncode, 0)
        self.check_drawn({"cct-by-chunk"})
        self.assertEqual(call("plot", self.folder, "--where", "balance.chunk=1MB").returncode, 0)
        self.check_drawn({"cct-by-chunk"} | {"balance.chunk=1MB-" + name for name in OF_ONE_CASE})

    def test_a_run_with_messages_that_were_given_up_is_drawn(self):
        synthetic.write_point(self.folder / "run")
        path = self.folder / "run" / "messages.csv"
        lines = path.read_text().splitlines()
        lines[1] = lines[1].rpartition(",")[0] + ","
        path.write_text("\n".join(lines) + "\n")
        done = call("plot", self.folder / "run")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_drawn(OF_ONE_CASE - {"cct-cdf"}, self.folder / "run" / "figures")

    def test_figures_that_no_longer_apply_are_removed_and_nothing_else(self):
        synthetic.write_sweep(self.folder / "sweep", ("ecmp", "rails"), (1, 2))
        figures = self.folder / "sweep" / "figures"
        call("plot", self.folder / "sweep")
        shutil.copy(figures / "cct-cdf.png", figures / "my-cct-cdf.png")
        for scheme in ("ecmp", "rails"):
            shutil.rmtree(self.folder / "sweep" / f"balance={scheme},seed=2")
        done = call("plot", self.folder / "sweep")
        self.assertIn("cct-cdf left out", done.stdout)
        (figures / "my-cct-cdf.png").unlink()
        self.check_drawn(OF_ONE_CASE - {"cct-cdf"}, figures)

    def test_a_run_without_traffic_is_drawn_and_nothing_of_it_is_called_damaged(self):
        for scheme, seed in itertools.product(("ecmp", "rails"), (1, 2)):
            place = self.folder / "sweep" / f"{scheme}{seed}"
            synthetic.write_point(place, scheme, seed, cct_over_bound=None, cct_s=0.0,
                                  messages=0)
            text = (place / "links.csv").read_text().splitlines()
            rows = [",".join([*r[:7], "", *r[8:]]) for r in (line.split(",") for line in text[1:])]
            (place / "links.csv").write_text("\n".join([text[0], *rows]) + "\n")
        for command in ("report", "plot"):
            done = call(command, self.folder / "sweep")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("link-utilisation left out: links.csv knows no link that carried anything", done.stdout)
        for mtu, seed in ((1, 3), (2, 4)):
            config = {"transport.mtu": f"{mtu}KiB"}
            synthetic.write_point(self.folder / "axis" / str(mtu), "rails", seed, config=config,
                                  cct_over_bound=None)
        for command in ("report", "plot"):
            self.assertEqual(call(command, self.folder / "axis").returncode, 0)

    def test_a_dollar_in_a_name_is_a_dollar(self):
        synthetic.write_point(self.folder / "run", name="$x_{$", messages=20)
        self.assertEqual(call("plot", self.folder / "run").returncode, 0)

    def test_failed_points_are_named_and_the_rest_is_drawn(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"))
        shutil.rmtree(self.folder / "balance=ecmp,seed=3")
        done = call("plot", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("failed: ecmp, seed 3", done.stderr)
        self.check_drawn(OF_ONE_CASE)

    def test_a_missing_or_empty_folder_is_status_2_with_a_message(self):
        for folder in (self.folder, self.folder / "nowhere"):
            done = call("plot", folder)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith(f"{folder}: error: "), done.stderr)
            self.assertFalse((folder / "figures").exists())

    def test_the_same_results_give_the_same_bytes(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1, 2))
        figures = self.folder / "figures"
        call("plot", self.folder, pictures=True)
        self.check_drawn(OF_ONE_CASE)
        self.check_pictures(OF_ONE_CASE, figures)
        first = {path.name: path.read_bytes() for path in figures.iterdir()}
        call("plot", self.folder, pictures=True)
        self.assertEqual(first, {path.name: path.read_bytes() for path in figures.iterdir()})


class Demo(Temporary):
    def test_all_workloads_get_their_figures(self):
        for workload in ("mixtral", "sparse", "free"):
            synthetic.write_sweep(self.folder / workload, ("rails",), (1, 2), messages=20)
        command = [sys.executable, "-B", str(PLOTS / "demo.py"), str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = {f"{workload}-{name}" for workload in ("mixtral", "sparse", "free") for name in OF_ONE_CASE}
        self.check_drawn(names)
        self.check_pictures(names, self.folder / "figures")

    def test_a_missing_workload_is_status_2_and_others_are_shown(self):
        synthetic.write_sweep(self.folder / "mixtral", ("ecmp", "rails"), (1, 2))
        done = demo(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("sparse: error: no such folder", done.stderr)
        self.check_drawn({f"mixtral-{name}" for name in OF_ONE_CASE})
        self.assertNotIn("look at first", done.stdout)

    def test_it_ends_with_the_path_of_one_picture_and_sentences_from_the_results(self):
        for scheme, ratio in (("ecmp", 3.25), ("rails", 1.5)):
            synthetic.write_point(self.folder / "sparse" / scheme, scheme, over_bound=ratio, messages=20)
        synthetic.write_point(self.folder / "free" / "rails", "rails", over_bound=1.05, messages=20)
        *_, picture, first, second, told, why = demo(self.folder).stdout.splitlines()
        self.assertEqual(picture, str(self.folder / "figures" / "sparse-cct.png"))
        self.assertTrue(Path(picture).exists())
        self.assertIn("with each of 2 ways to choose NICs", first)
        self.assertRegex(second, r"so many times the bound: rails 1\.50, ecmp 3\.25\.$")
        # Times without congestion control stand behind those with it, and why.
        self.assertEqual(told, "Without congestion control: rails 1.05.")
        self.assertIn("since DCQCN lowers the rate", why)


class Contents(Temporary):
    """What the figures show, read back from the drawing."""

    def test_bars_are_as_long_as_the_mean_over_seeds(self):
        for seed, cct in ((1, 2e-3), (2, 4e-3)):
            synthetic.write_point(self.folder / str(seed), "rails", seed, cct_s=cct)
        axes = completion(load(self.folder), "").axes[0]
        (bar,) = axes.containers[0].patches
        self.assertAlmostEqual(bar.get_width(), 3.0)
        self.assertEqual(axes.get_xlabel(), "completion time [ms]")

    def test_bars_tell_how_many_points_failed(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"))
        shutil.rmtree(self.folder / "balance=rails,seed=1")
        texts = [text.get_text() for text in completion(load(self.folder), "").axes[0].texts]
        shown = [text for text in texts if "×" in text]
        self.assertEqual(["1 of 3 left out" in text for text in shown], [False, True])

    def test_the_text_on_a_mean_stands_beside_no_mark_of_a_seed(self):
        for seed, cct in ((1, 2e-3), (2, 4e-3)):
            synthetic.write_point(self.folder / str(seed), "rails", seed, cct_s=cct)
        figure = completion(load(self.folder), "")
        figure.canvas.draw()
        axes = figure.axes[0]
        end = axes.get_window_extent().x1
        (text,) = (text for text in axes.texts if "×" in text.get_text())
        self.assertGreater(text.get_window_extent().x0, end)

    def test_a_scheme_that_always_fails_has_its_row(self):
        synthetic.write_point(self.folder / "good", "rails")
        synthetic.write_point(self.folder / "stuck", "ecmp", status=3)
        axes = completion(load(self.folder), "").axes[0]
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["rails", "ecmp"])
        self.assertIn("did not finish", [text.get_text() for text in axes.texts])

    def test_nic_load_shows_sent_and_received_of_each_scheme_on_one_scale(self):
        synthetic.write_sweep(self.folder, ("ecmp", "rails"), (1,))
        images = [image for axes in nic_load(load(self.folder), "").axes for image in axes.images]
        self.assertEqual(len(images), 4)
        self.assertEqual(len({image.get_clim() for image in images}), 1)

    def test_nic_load_compares_the_worst_nic_with_the_even_share_of_the_busiest_server(self):
        loads = [[9, 3], [5, 5]]  # even share of the busiest server: 6
        synthetic.write_point(self.folder / "run", nic_tx_bytes=loads, nic_rx_bytes=loads)
        title = nic_load(load(self.folder / "run"), "").axes[0].get_title()
        self.assertEqual(title, "rails, sent and received\nworst NIC 1.50 × even")

    def test_schemes_with_the_same_load_of_nics_share_a_panel(self):
        even, uneven = [[5, 5], [5, 5]], [[9, 1], [5, 5]]
        for scheme, sent in (("ecmp", uneven), ("rails", even), ("even-split", even)):
            loads = {"nic_tx_bytes": sent, "nic_rx_bytes": even}
            synthetic.write_point(self.folder / scheme, scheme, messages=9, **loads)
        panels = [axes for axes in nic_load(load(self.folder), "").axes if axes.images]
        self.assertEqual(len(panels), 2)
        self.assertIn("rails, sent and received", panels[1].get_title())

    def test_nics_of_a_large_fabric_are_sorted_in_place_of_a_map(self):
        loads = [[n % 7, 3] for n in range(100)]
        synthetic.write_point(self.folder / "run", nic_tx_bytes=loads, nic_rx_bytes=loads)
        figure = nic_load(load(self.folder / "run"), "")
        self.assertFalse(any(axes.images for axes in figure.axes))
        curve = list(figure.axes[0].lines[0].get_ydata())
        self.assertEqual(curve, sorted(curve, reverse=True))
        self.assertEqual(curve[0], 6 / 4.5)

    def test_a_bar_many_times_as_long_as_the_others_is_torn_and_that_is_said(self):
        for scheme, cct in (("ecmp", 31e-3), ("rails", 1e-3), ("random", 1.3e-3), ("even-split", 1e-3)):
            synthetic.write_point(self.folder / scheme, scheme, cct_s=cct, messages=9)
        axes = completion(load(self.folder), "").axes[0]
        self.assertLess(axes.get_xlim()[1], 1.6)
        self.assertIn("torn bars are longer", axes.get_xlabel())
        self.assertTrue(any(text.get_text().startswith("31 ms") for text in axes.texts))
        two = layout.bar_end([31, 1])
        self.assertEqual(two, 31, "of two none is the one that is far off")

    def test_a_distribution_needs_ten_values_and_fewer_are_points(self):
        for seeds, what in ((9, "single seeds"), (10, "")):
            place = self.folder / str(seeds)
            synthetic.write_sweep(place, ("ecmp", "rails"), range(1, seeds + 1), messages=9)
            axes = completion_cdf(load(place), "").axes[0]
            self.assertEqual(any(what in text.get_text() for text in axes.texts), bool(what))
            self.assertEqual(len(axes.lines[0].get_xdata()), seeds if what else seeds + 1)
            times = message_cdf(load(place), "").axes[0]
            self.assertFalse(times.texts, "all seeds together are enough")

    def test_values_of_a_sweep_can_be_told_apart_however_large_one_of_them_is(self):
        for number, ratio in enumerate((1.0, 1.3, 31.0)):
            config = {"workload.matrix.density": 0.1 * (number + 1)}
            synthetic.write_point(self.folder / str(number), over_bound=ratio, config=config, messages=9)
        axes = along_axes(load(self.folder), "").axes[0]
        low, high = (axes.transData.transform((0, y))[1] for y in (1.0, 1.3))
        self.assertGreater((high - low) / axes.get_window_extent().height, 0.05)

    def test_a_panel_without_any_point_is_not_drawn(self):
        cases = ((0.0, "[]"), (0.01, "[]"), (0.0, '[{"at": "0s", "nic": "server3-nic2", "state": "down"}]'))
        for number, (share, schedule) in enumerate(cases):
            config = {"failures.random.probability": share, "failures.schedule": schedule}
            for density in (0.1, 0.2, 0.3):
                config["workload.matrix.density"] = density
                place = self.folder / f"{number}-{density}"
                synthetic.write_point(place, config=config, messages=9)
        figure = along_axes(load(self.folder), "")
        headings = [axes.get_title() for axes in figure.axes if axes.get_visible()]
        self.assertEqual(len(headings), 3)
        self.assertIn("probability 0, schedule server3-nic2\ndown", headings)

    def test_iteration_is_split_into_compute_and_communication(self):
        synthetic.write_point(self.folder / "run", iterations=2, iteration_s=10e-3)
        compute, communication = iteration(load(self.folder / "run"), "").axes[0].containers
        self.assertAlmostEqual(compute[0].get_width(), 4.0)
        self.assertAlmostEqual(communication[0].get_width(), 6.0)

    def test_iteration_of_a_graph_is_its_critical_path_by_stages(self):
        kinds = [
            {"name": "attention", "type": "compute", "critical_s": 2e-3},
            {"name": "hidden", "type": "communication", "critical_s": 0},
            {"name": "dispatch", "type": "communication", "critical_s": 3e-3},
        ]
        graph = {"iterations": 2, "kinds": kinds}
        synthetic.write_point(self.folder / "run", iterations=2, iteration_s=5e-3, graph=graph)
        axes = iteration(load(self.folder / "run"), "").axes[0]
        attention, dispatch = axes.containers
        self.assertAlmostEqual(attention[0].get_width(), 2.0)
        self.assertAlmostEqual(dispatch[0].get_x(), 2.0)
        self.assertAlmostEqual(dispatch[0].get_width(), 3.0)
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels, ["attention", "dispatch"])

    def test_queue_curve_is_the_time_weighted_distribution(self):
        synthetic.write_point(self.folder / "run")
        (self.folder / "run" / "queues.csv").write_text(
            "port_class,bytes_low,bytes_high,seconds\n"
            "leaf_down,0,1,3\nleaf_down,10000,20000,1\n"
        )
        (line,) = queue_ccdf(load(self.folder / "run"), "").axes[0].lines
        self.assertEqual(list(line.get_ydata()), [0.25, 0.01])  # 0 has no place on a log axis
        self.assertEqual(list(line.get_xdata()), [1000, 20000])  # empty: at the left edge
        axes = line.axes
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertGreater(axes.get_ylim()[0], 0.01)

    def test_utilisation_is_sorted_and_classes_without_traffic_are_left_out(self):
        synthetic.write_point(self.folder / "run")
        (self.folder / "run" / "links.csv").write_text(
            "port_class,utilisation\nnic_tx,0.2\nnic_tx,0.9\nleaf_up,0\n"
        )
        figure = link_utilisation(load(self.folder / "run"), "")
        (axes,) = [axes for axes in figure.axes if axes.get_visible()]
        self.assertEqual(list(axes.lines[0].get_ydata()), [90, 20])

    def test_throughput_is_drawn_where_something_failed(self):
        failures = {
            "events": [{"at_s": 2e-4, "what": "nic server3-nic2", "state": "down"}],
            "convergences_s": [],
        }
        synthetic.write_point(self.folder / "run", failures=failures)
        axes = throughput(load(self.folder / "run"), "").axes[0]
        curve, line = axes.lines
        self.assertGreater(max(curve.get_ydata()), 0)
        self.assertEqual(line.get_xdata()[0] * 1e-3, 2e-4)
        drawing = draw(load(self.folder / "run"), self.folder / "figures", "")
        self.assertIn("throughput.png", [path.name for path in drawing.files])
        self.assertEqual(drawing.damaged, [])

    def test_a_figure_without_its_file_is_left_out_with_the_reason(self):
        synthetic.write_point(self.folder / "run")
        (self.folder / "run" / "messages.csv").unlink()
        with self.assertRaisesRegex(Skip, "messages.csv is absent"):
            message_cdf(load(self.folder / "run"), "")

    def test_a_sweep_is_drawn_through_the_means_over_the_bound(self):
        for density, ratios in ((0.1, (2.0, 4.0)), (1.0, (1.0, 1.5))):
            for seed, ratio in enumerate(ratios):
                synthetic.write_point(
                    self.folder / f"{density}-{seed}", "rails", seed, over_bound=ratio,
                    config={"workload.matrix.density": density},
                )
        (line, *_) = along_axes(load(self.folder), "").axes[0].lines
        self.assertEqual(list(line.get_xdata()), [0.1, 1.0])
        self.assertAlmostEqual(line.get_ydata()[0], 3.0)
        self.assertAlmostEqual(line.get_ydata()[1], 1.25)

    def test_points_without_the_key_of_an_axis_are_a_level_line(self):
        for number, gain in enumerate((0.1, 0.2)):
            config = {"transport.gain": gain}
            synthetic.write_point(self.folder / f"{number}", "rails", config=config)
        synthetic.write_point(self.folder / "none", "ecmp", over_bound=2.5)
        lines = along_axes(load(self.folder), "").axes[0].lines
        (level,) = (line for line in lines if line.get_label() == "ecmp")
        self.assertEqual([round(y, 6) for y in level.get_ydata()], [2.5, 2.5])

    def test_schemes_keep_distinct_looks_also_without_colour(self):
        looks = [style.look(scheme) for scheme in style.SCHEMES]
        for part in (0, 2):
            self.assertEqual(len({look[part] for look in looks}), len(looks))
        self.assertEqual(len({(look[1], look[2]) for look in looks}), len(looks))

    def test_schemes_of_a_user_come_last_and_differ(self):
        names = ["zigzag", "rails", "alternate"]
        self.assertEqual(sorted(names, key=style.scheme_order), ["rails", "alternate", "zigzag"])
        self.assertNotEqual(style.look("zigzag", names), style.look("alternate", names))

    def test_variants_of_a_scheme_are_shades_of_its_colour_with_marks_of_their_own(self):
        names = ("ecmp", "rails (chunk 1 MB)", "rails (chunk 4 MB)", "rails (chunk whole)")
        looks = [style.look(name, names) for name in names]
        self.assertEqual(looks[1], style.look("rails"))
        for part in (0, 2):
            self.assertEqual(len({look[part] for look in looks}), len(looks))

    def test_a_scheme_of_a_user_looks_the_same_in_folders_with_other_schemes(self):
        for others in ((), ("rails",), ("ecmp", "rails", "my-balancer"), tuple(style.SCHEMES)):
            self.assertEqual(style.look("zigzag", ("zigzag", *others)), style.look("zigzag"))


if __name__ == "__main__":
    unittest.main()
