# SPDX-License-Identifier: GPL-2.0-only
"""The JSON Schema of descriptors and the program agree on what is a descriptor."""

import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import jsonschema
import yaml

import descriptor_yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = os.environ["RAILS_EXPERIMENT"]
sys.path.insert(0, str(ROOT / "python"))
key_names = importlib.import_module("rails.reader.key_names")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def list_files(folder):
    return sorted((HERE / folder).glob("*.yaml"))


class SchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(run("schema").stdout)
        jsonschema.Draft202012Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def find_schema_error(self, path):
        """Returns what the schema has against a file; None when it has nothing."""
        try:
            error = jsonschema.exceptions.best_match(
                self.validator.iter_errors(descriptor_yaml.read(path)))
        except yaml.YAMLError as syntax_error:
            return str(syntax_error)
        return error and f"{error.json_path}: {error.message[:200]}"

    def find_program_error(self, path):
        """Returns what the program has against a file; None when it has nothing."""
        result = run("validate", str(path))
        self.assertIn(result.returncode, (0, 2), result.stderr)
        return result.stderr if result.returncode else None

    def test_both_accept_good_files(self):
        files = list_files("good")
        self.assertGreaterEqual(len(files), 25)
        for path in files:
            with self.subTest(path.name):
                self.assertIsNone(self.find_schema_error(path))
                self.assertIsNone(self.find_program_error(path))

    def test_both_refuse_bad_files(self):
        files = list_files("bad")
        self.assertGreaterEqual(len(files), 25)
        for path in files:
            with self.subTest(path.name):
                self.assertIsNotNone(self.find_schema_error(path), "the schema accepts it")
                self.assertIsNotNone(self.find_program_error(path), "the program accepts it")

    def test_what_is_wrong_is_told_of_its_own_key(self):
        # Of alternatives (anyOf) an editor tells only that none fits, and marks the whole section.
        sections = {"topology": {"type": "rail"}, "balance": {"type": "rails"},
                    "workload": {"type": "all-to-all", "matrix": {"type": "uniform"}}}
        for change, place, word in (
                ({"balance": {"type": "rails", "chunkk": "1MB"}}, "$.balance", "'chunkk'"),
                ({"balance": {"type": "rails", "chunk": "1Mb"}}, "$.balance.chunk", "'1Mb'"),
                ({"balance": {"type": "rials"}}, "$.balance.type", "'rails'"),
                ({"balance": "rials"}, "$.balance", "'rails'"),
                ({"balance": "ns3::rails::Rials"}, "$.balance", "ns3::rails::RailsBalancer"),
                ({"topology": {"type": "rail", "nic_rate": "400G"}}, "$.topology.nic_rate", "'400G'"),
                ({"workload": {"type": "all-to-all", "matrix": {"type": "sparse", "mea": "1MB"}}},
                 "$.workload.matrix", "'mea'"),
                ({"workload": {"type": "all-to-all", "matrix": "uniform", "phases": ["dispach"]}},
                 "$.workload.phases[0]", "'dispatch'"),
                ({"workload": {"type": "ring", "rings": "automatik"}}, "$.workload.rings",
                 "'automatic'"),
                ({"sweep": {"zip": {"transport.mut": ["1KB"]}}}, "$.sweep.zip", "'transport.mut'")):
            with self.subTest(change):
                errors = list(self.validator.iter_errors({**sections, **change}))
                self.assertEqual([error.json_path for error in errors], [place])
                self.assertIn(word, errors[0].message)

    def test_only_the_program_refuses_what_a_schema_cannot_say(self):
        for path in list_files("beyond"):
            with self.subTest(path.name):
                self.assertTrue(path.read_text(encoding="utf-8").startswith("# "), "why?")
                self.assertIsNone(self.find_schema_error(path))
                self.assertIsNotNone(self.find_program_error(path), "the program accepts it")

    def test_schema_accepts_the_experiments(self):
        files = sorted((ROOT / "experiments").rglob("*.yaml"))
        self.assertGreater(len(files), 30)
        for path in files:
            with self.subTest(path.name):
                self.assertIsNone(self.find_schema_error(path))

    def test_program_accepts_the_experiments(self):
        # The large ones take seconds; that all are valid is a test of the program itself.
        for path in sorted((ROOT / "experiments").glob("*.yaml")):
            with self.subTest(path.name):
                error = self.find_program_error(path)
                if error and path.stem == "trace":
                    self.assertIn("no such file", error)  # traces are not part of the module
                else:
                    self.assertIsNone(error)

    def test_schema_accepts_effective_configurations(self):
        # All keys of the chosen components at once, with their defaults.
        for path in list_files("good"):
            with self.subTest(path.name):
                text = run("validate", str(path), "--print").stdout
                decoder = json.JSONDecoder()
                while text.strip():
                    config, end = decoder.raw_decode(text.lstrip())
                    text = text.lstrip()[end:]
                    error = jsonschema.exceptions.best_match(self.validator.iter_errors(config))
                    self.assertIsNone(error)

    def test_every_reference_leads_somewhere(self):
        def walk(node):
            if isinstance(node, dict):
                if isinstance(node.get("$ref"), str):
                    target = self.schema
                    for part in node["$ref"].removeprefix("#/").split("/"):
                        target = target[part]
                for value in node.values():
                    walk(value)
            elif isinstance(node, list):
                for value in node:
                    walk(value)

        walk(self.schema)

    def test_plots_know_the_keys_that_have_two_names(self):
        known = {}
        for name, definition in self.schema["$defs"].items():
            for key, value in definition.get("properties", {}).items():
                text = value.get("description", "") if isinstance(value, dict) else ""
                if declared := re.match(r"Another name of (\w+)\. ", text):
                    component = name.partition("=")[0]
                    known[f"{component}.{key}"] = f"{component}.{declared[1]}"
        self.assertGreaterEqual(len(known), 5)
        self.assertEqual({key: key_names.declared_name(key) for key in known}, known)

    def test_every_key_has_a_description(self):
        definitions = self.schema["$defs"]
        count = 0
        for name, definition in definitions.items():
            if name in ("sweep", "zip"):
                continue
            for key, value in definition.get("properties", {}).items():
                if key not in ("type", "label"):
                    count += 1
                    self.assertIn("Default: ", value["description"], f"{name} {key}")
        self.assertGreater(count, 150)


if __name__ == "__main__":
    unittest.main()
