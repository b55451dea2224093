# SPDX-License-Identifier: GPL-2.0-only
"""The YAML that trainings are written in: what is read, and where it stands."""

import unittest

from called import plain
from rails.imports.errors import ImportRefused
from rails.imports.yaml_text import read_yaml

try:
    import yaml
except ImportError:
    yaml = None

READ = {
    "a: 1\nb: two words  # three\nc: -2\nd: 1e-3\ne:\n": {"a": 1, "b": "two words", "c": -2, "d": 0.001, "e": None},
    "a: true\nb: False\nc: null\nd: ~\n": {"a": True, "b": False, "c": None, "d": None},
    "a: 'it''s'\nb: \"a\\\"b # c\"\n'c d': 1\n--x-y: 2\n": {"a": "it's", "b": 'a"b # c', "c d": 1, "--x-y": 2},
    "a: [1, x y, 'z, 1']\nb: {c: 1, d: [2]}\ne: []\n": {"a": [1, "x y", "z, 1"], "b": {"c": 1, "d": [2]}, "e": []},
    "a: [1,\n    2,  # two\n    3]\nb: 1\n": {"a": [1, 2, 3], "b": 1},
    "a:\n- 1\n- b: 2\n  c: 3\n-\n  - 4\nd: 5\n": {"a": [1, {"b": 2, "c": 3}, [4]], "d": 5},
    "a:\n  - 1\n  - x: y\nb:\n  c:\n    d: 1\n": {"a": [1, {"x": "y"}], "b": {"c": {"d": 1}}},
    "a: one\n  two\n  three\nb: 1\n": {"a": "one two three", "b": 1},
    "a: 'one\n  two'\nb: 1\n": {"a": "one two", "b": 1},
    "a: >\n  one\n  two\nb: |-\n  x\n  y: z\n": {"a": "one two", "b": "x\ny: z"},
    "---\na: &n\n  b: 1\nc: *n\nd:\n  <<: *n\n  e: 2\n...\n": {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}},
    "a: !!str x\nb: http://x:1/y\nc: a#b\n": {"a": "x", "b": "http://x:1/y", "c": "a#b"},
    "--moe-layer-freq: ([0]*3+[1]*58)\nn: ${TP}\n": {"--moe-layer-freq": "([0]*3+[1]*58)", "n": "${TP}"},
    "": {},
    "# nothing\n": {},
}
REFUSED = {
    "a: 1\n b: 2\n": "f:1:4: error: a value and keys below it",
    "a:\n  b: 1\n c: 2\n": "f:3:2: error: it is indented otherwise",
    "a: 1\nx\n": "f:2:1: error: expected KEY: VALUE, found 'x'",
    "a: 1\nb: 1\na: 2\n": "f:3:1: error: a is given twice, otherwise in line 1",
    "a: [1, 2\n": "f:1:4: error: [ is not closed",
    "a: [1} \n": "f:1:4: error: expected , or ], found '}'",
    "a: {b}\n": "f:1:4: error: expected KEY: VALUE in braces",
    "a: [1] 2\n": "f:1:8: error: unexpected '2'",
    'a: "x\n': "f:1:4: error: \" is not closed",
    "a:\n\tb: 1\n": "f:2:1: error: a tab",
    "a: *b\n": "f:1:4: error: there is no anchor 'b' before",
    "<<: 1\n": "error: << is for mappings",
    "a: " + "[" * 500 + "\n": "nested more than 100 deep",
    "\n".join(" " * depth + "a:" for depth in range(500)): "nested more than 100 deep",
}


class Yaml(unittest.TestCase):
    def test_what_is_read(self):
        for text, expected in READ.items():
            self.assertEqual(plain(read_yaml(text, "f")), expected, text)

    @unittest.skipIf(yaml is None, "there is no PyYAML")
    def test_others_read_the_same(self):
        for text, expected in READ.items():
            found = yaml.safe_load(text) or {}
            if "1e-3" in text:
                found["d"] = float(found["d"])  # PyYAML wants 1.0e-3
            found = {key: value.strip() if isinstance(value, str) else value for key, value in found.items()}
            self.assertEqual(found, expected, text)

    def test_where_values_stand(self):
        items = read_yaml("a:\n  bc:   12\n  d: [x]\n", "f").value["a"].value
        self.assertEqual([(item.line, item.column) for item in items.values()], [(2, 9), (3, 6)])

    def test_what_is_refused(self):
        for text, expected in REFUSED.items():
            with self.assertRaises(ImportRefused) as caught:
                read_yaml(text, "f")
            self.assertIn(expected, str(caught.exception), text[:40])


if __name__ == "__main__":
    unittest.main()
