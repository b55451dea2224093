# SPDX-License-Identifier: GPL-2.0-only
"""What chunks of RailS are worth, and longest first beside chunks in turn: tables and figures of small grids."""

import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from papers import rails_chunks
from papers import rails_grid as grid

BOUND = 1e-3
ZIPF = {"type": "zipf", "exponent": 0.8}
RAIL = {"topology.type": "rail", "failures.schedule": []}
DEAD = [{"at": "0s", "switch": "rail0-leaf0", "state": "down"}]
NICS = [{"at": "0s", "nic": "server0-nic0", "state": "down"}]


def fabrics(slow):
    return {"topology.type": "nic-groups", "topology.fabrics": {"a": {"nic_rate": "400Gbps"}, "b": {"nic_rate": slow}}}


class Chunks(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, ratio, scheme="rails", size="64MB", seed=1, chunk="automatic", **config):
        own = {"topology.domains": 8, "topology.gpus_per_domain": 8, "engine.type": "frames"}
        own.update({f"workload.matrix.{key}": value for key, value in {**ZIPF, "bytes_per_gpu": size}.items()})
        own.update({"balance.chunk": chunk, **config})
        place = self.folder / str(len(list(self.folder.iterdir())))
        values = {"cct_s": BOUND * ratio, "lower_bound_s": BOUND, "explain": None}
        synthetic.write_point(place, scheme, seed, ratio, own, **values)

    def chunks(self):
        return grid.read(self.folder, rails_chunks.chunk)

    def turns(self):
        return grid.read(self.folder, rails_chunks.turn, rails_chunks.turn_name)

    def test_small_sizes_stand_beside_an_even_split(self):
        for size, ratio in (("64MB", 1.02), ("4MB", 1.05)):
            self.write(ratio, size=size)
            self.write(1.25 * ratio, size=size, chunk="4MB")
            self.write(1.04, "even-split", size=size)
        rows = [["packet-level", "4 MB", "1.050 / 1.040"], ["packet-level", "64 MB", "1.020"]]
        self.assertEqual(rails_chunks.law_table(self.chunks())[1:], rows)
        self.assertEqual(rails_chunks.scheme_table(self.chunks(), 64)[2], ["rails 4 MB", "1.275"])
        lines = list(rails_chunks.describe(self.chunks()))
        self.assertEqual(lines[0], "packet-level, from 16 MB: at most 1.020 of the bound, 1 cells")
        self.assertEqual(lines[1], "packet-level, below: at most 1.0 % behind an even split, 1 cells")
        drawn = {line.get_label(): list(line.get_xdata()) for line in rails_chunks.draw(self.chunks()).axes[0].lines}
        self.assertEqual(drawn["rails"], [4, 64])

    def test_longest_first_is_over_in_turn_with_the_same_chunks(self):
        for state, seconds in ((RAIL, 1), ({**RAIL, "failures.schedule": DEAD}, 1.25), ({**RAIL, "failures.schedule": NICS}, 1.5)):
            for seed in (1, 2):
                self.write(seconds, seed=seed, **state)
                self.write(2 * seed / 1.5, "round-robin", seed=seed, **state)
        self.write(1, chunk="whole", **fabrics("200Gbps"))
        self.write(2, "round-robin", chunk="whole", **fabrics("200Gbps"))
        self.write(1, "even-split", **RAIL)
        rows = rails_chunks.turn_table(self.turns())[1:]
        self.assertEqual([row[0] for row in rows], ["equal NICs", "a rail dead", "four NICs dead", "4 x 400G, 4 x 200G"])
        self.assertEqual(rows[0][1:], ["automatic", "0.50"])
        self.assertEqual(rows[3][1:], ["whole", "0.50"])
        axis = rails_chunks.draw_turns(self.turns()).axes[0]
        self.assertEqual([label.get_text() for label in axis.get_yticklabels()][0], "equal NICs, automatic")


if __name__ == "__main__":
    unittest.main()
