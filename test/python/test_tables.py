# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a result as DataFrames, whole or by columns."""

import csv
import json
import shutil
import tracemalloc
import unittest
from pathlib import Path

import paths
import rails
from experiments import GRAPH, SMALL, TRAINING, InFolder

ROWS = 400_000


@unittest.skipIf(paths.lacking("pandas"), paths.lacking("pandas"))
class Tables(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.result = rails.run(SMALL, {"record.queue_means": True})

    def rows(self, name):
        with open(self.result.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_columns_and_values_are_those_of_the_files(self):
        for name in ("messages", "links", "queues"):
            table, rows = getattr(self.result, name), self.rows(f"{name}.csv")
            self.assertEqual((list(table.columns), len(table)), (list(rows[0]), len(rows)))
            for column in table.columns:
                if table[column].dtype.kind in "if":
                    self.assertEqual(list(table[column]), [float(row[column]) for row in rows], column)
                else:
                    self.assertEqual(list(table[column]), [row[column] for row in rows], column)

    def test_times_are_those_of_the_run(self):
        messages = self.result.messages
        self.assertEqual(messages["end_s"].max(), self.result.cct_s)
        self.assertEqual(messages["bytes"].sum(), self.result["bytes"])
        self.assertIs(self.result.messages, messages)  # read once

    def test_columns_that_are_asked_for_in_their_order(self):
        table = self.result.table("links", ["bytes", "node"])
        self.assertEqual(list(table.columns), ["bytes", "node"])
        with self.assertRaisesRegex(rails.Error, "there is no column 'byte'; did you mean 'bytes'"):
            self.result.table("links", ["byte"])

    def test_words_stay_words_and_what_is_empty_is_no_number(self):
        shutil.copytree(self.result.folder, "here")
        path = Path("here/messages.csv")
        head, first, *rest = path.read_text(encoding="utf-8").splitlines()
        cells = first.split(",")
        cells[-2:] = ["", "NA"]
        path.write_text("\n".join([head, ",".join(cells), *rest]) + "\n", encoding="utf-8")
        document = json.loads(Path("here/result.json").read_text(encoding="utf-8"))
        document["artefacts"] = []
        Path("here/result.json").write_text(json.dumps(document), encoding="utf-8")
        messages = rails.load("here").messages
        self.assertEqual(messages["kind"][0], "NA")
        self.assertTrue(messages["end_s"].isna()[0])
        self.assertFalse(messages["end_s"].isna()[1:].any())

    def test_a_file_that_was_cut_and_one_that_was_not_written(self):
        shutil.copytree(self.result.folder, "here")
        with open("here/messages.csv", "a", encoding="utf-8") as file:
            file.truncate(100)
        with self.assertRaisesRegex(rails.Error, "messages.csv: error: has 100 bytes; the run wrote"):
            rails.load("here").messages
        for name, remedy in (("circuits", "optical switches"), ("placement", "record.placement")):
            with self.assertRaises(rails.Error) as caught:
                getattr(self.result, name)
            self.assertIn(remedy, caught.exception.remedy)
        with self.assertRaisesRegex(rails.Error, "messages.csv"):
            rails.run(SMALL, {"record.messages": False}).messages

    def test_kinds_of_a_graph(self):
        graph = rails.run(GRAPH)
        self.assertEqual(list(graph.kinds["name"]), ["attention", "dispatch", "combine"])
        self.assertAlmostEqual(graph.kinds["critical_s"].sum(), graph.iteration_s, 12)

    def test_circuits_and_placement_of_a_training(self):
        result = rails.run(TRAINING)
        routed = 2 * 16 * 1024 * result["config.workload.microbatches"]  # top-2 of 16 GPUs' tokens
        tokens = result.placement.groupby(["iteration", "layer"])["tokens"].sum()
        self.assertEqual(set(tokens), {routed})
        self.assertEqual(set(result.placement["role"]), {"home", "copy"})
        circuits = result.circuits
        self.assertTrue((circuits["end_s"] > circuits["start_s"]).all())
        self.assertLess(circuits["server_a"].max(), 4)

    def test_of_a_large_table_only_the_columns_asked_for_are_read(self):
        rails.run(SMALL, out="here")
        document = json.loads(Path("here/result.json").read_text(encoding="utf-8"))
        document["artefacts"] = []
        Path("here/result.json").write_text(json.dumps(document), encoding="utf-8")
        with open("here/messages.csv", "a", encoding="utf-8") as file:
            file.writelines(f"0,77,4,13,2,65536,0.000000000000,0.{n:012},dispatch\n" for n in range(ROWS))
        result = rails.load("here")
        rows, last, some = read(result, ["end_s"])
        self.assertGreater(rows, ROWS)
        self.assertEqual(last, (ROWS - 1) / 1e12)
        _, _, every = read(result, None)
        self.assertLess(8 * ROWS, some)
        self.assertLess(some, every / 3)


def read(result, columns):
    """How many rows there are, the end of the last message, and the most memory that it took."""
    tracemalloc.start()
    table = result.table("messages", columns)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(table), table["end_s"].iloc[-1], peak


if __name__ == "__main__":
    unittest.main()
