# SPDX-License-Identifier: GPL-2.0-only
import unittest
from pathlib import Path

import paths  # noqa: F401
from railsplots.errors import ResultError
from railsplots.point import Point
from railsplots.point_filter import PointFilter, condition, file_name, values_of


def point(scheme="rails", seed=1, axes=None, **config):
    result = {
        "seed": seed,
        "status": 0,
        "cct_s": 1,
        "lower_bound_s": 1,
        "cct_over_bound": 1,
        "axes": axes,
        "config": {"seed": seed, "balance": {"type": scheme}, **config},
    }
    return Point(Path(scheme), result)


class Values(unittest.TestCase):
    """The same as test/sweep has for the filter of `./rails sweep`."""

    def test_a_key_has_its_value_as_the_configuration_writes_it(self):
        one = point(transport={"mtu": "4096B"}, switch={"alpha": 1.0, "pfc": True}, none=None)
        values = values_of(one)
        self.assertEqual(values["transport.mtu"], {"4096B"})
        self.assertEqual(values["switch.alpha"], {"1.0"})
        self.assertEqual(values["switch.pfc"], {"true"})
        self.assertEqual(values["seed"], {"1"})
        self.assertEqual(values["none"], {"null"})

    def test_a_component_goes_by_its_type_and_by_its_label(self):
        values = values_of(point(axes={"balance": "rails-4MB"}))
        self.assertEqual(values["balance"], {"rails", "rails-4MB"})
        self.assertEqual(values["balance.type"], {"rails"})

    def test_items_of_lists_go_by_their_place(self):
        values = values_of(point(workload={"phases": ["dispatch", {"compute": "2ms"}], "none": []}))
        self.assertEqual(values["workload.phases.0"], {"dispatch"})
        self.assertEqual(values["workload.phases.1.compute"], {"2ms"})
        self.assertEqual(values["workload.none"], {"null"})


class Filter(unittest.TestCase):
    def setUp(self):
        self.points = [
            point(scheme, seed, transport={"mtu": mtu})
            for scheme, mtu in (("ecmp", "1024B"), ("rails", "4096B"))
            for seed in (1, 2)
        ]

    def choose(self, *conditions):
        return PointFilter(conditions).choose(self.points)

    def refuse(self, text, *conditions):
        with self.assertRaises(ResultError) as caught:
            self.choose(*conditions)
        self.assertEqual(str(caught.exception), text)

    def test_all_conditions_hold_together(self):
        self.assertEqual(self.choose("balance=rails"), self.points[2:])
        self.assertEqual(self.choose("balance.type=rails", "seed=2"), self.points[3:])
        self.assertEqual(self.choose(), self.points)

    def test_a_point_without_the_key_is_not_chosen(self):
        self.points.append(point("even-split"))
        self.assertEqual(self.choose("transport.mtu=1024B"), self.points[:2])

    def test_a_value_that_no_point_has_is_answered_by_those_there_are(self):
        self.refuse(
            "--where balance: error: no point has the value 'jsq'; there are ecmp, rails",
            "balance=jsq",
        )

    def test_values_that_never_go_together_are_told(self):
        self.refuse(
            "--where: error: no point has all these values together",
            "balance=rails",
            "transport.mtu=1024B",
        )

    def test_a_key_that_no_point_has_is_answered_by_the_nearest(self):
        self.refuse(
            "--where transport.mut: error: no point has such a key; did you mean 'transport.mtu'? "
            "Known: balance, balance.type, seed, transport.mtu",
            "transport.mut=1024B",
        )

    def test_another_form_is_refused(self):
        for text in ("balance", "=rails", "balance="):
            self.refuse(
                f"--where {text}: error: expected KEY=VALUE, such as balance=rails", text
            )

    def test_conditions_name_files_and_points(self):
        self.assertEqual(file_name(["a.b=4MB", "c=x/y z"]), "a.b=4MB,c=x-y-z")
        self.assertEqual(condition(self.points[0], "transport.mtu"), "transport.mtu=1024B")
        labelled = point(axes={"balance": "rails 2"})
        self.assertEqual(condition(labelled, "balance"), "'balance=rails 2'")


if __name__ == "__main__":
    unittest.main()
