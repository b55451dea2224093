# SPDX-License-Identifier: GPL-2.0-only
"""Small experiments, as mappings and in folders of their own."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
import rails

SMALL = {  # some 20 ms
    "name": "small",
    "topology": {"type": "rail", "domains": 4, "gpus_per_domain": 4, "spines": 4},
    "transport": {"congestion_control": "none"},
    "workload": {"type": "all-to-all", "matrix": {"type": "sparse", "density": 0.3, "mean": "200KB"}},
    "balance": "rails",
}
SWEPT = {**SMALL, "sweep": {"balance": ["ecmp", "rail-source", "rails"], "seed": [1, 2]}}
GRAPH = {
    **SMALL,
    "engine": "flow",
    "workload": {
        "type": "graph",
        "iterations": 2,
        "stages": [
            {"name": "attention", "type": "compute", "time": "300us"},
            {"name": "dispatch", "type": "exchange", "matrix": {"type": "uniform", "bytes_per_pair": "64KB"}},
            {"name": "combine", "type": "return", "of": "dispatch"},
        ],
    },
}
TRAINING = {
    "topology": {
        "type": "nic-groups",
        "domains": 4,
        "gpus_per_domain": 4,
        "nics_per_domain": 4,
        "fabrics": {
            "ocs": {"type": "optical", "region": 4, "nic_rate": "400Gbps"},
            "eps": {"type": "leaf-spine", "nic_rate": "400Gbps", "leaf_ports": 32, "spines": 8},
        },
        "nic_groups": [{"nics": [0, 1, 2], "fabric": "ocs"}, {"nics": [3], "fabric": "eps"}],
    },
    "transport": {"congestion_control": "none", "loss_recovery": "selective-repeat"},
    "engine": "flow",
    "workload": {
        "type": "training",
        "model": "mixtral-8x7b",
        "layers": 2,
        "microbatches": 1,
        "parallel": {"ep": 8},
        "batch": {"micro": 1, "global": 16, "sequence": 1024},
        "experts": {"type": "ultra-ep", "slots": 1},
    },
    "balance": {"type": "delegates", "host": "spray", "other": {"type": "delegates", "uses_circuits": False}},
    "record": {"placement": True},
}


class InFolder(unittest.TestCase):
    """Tests in a working directory of their own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def error(self, function, *arguments, **options):
        with self.assertRaises(rails.Error) as caught:
            function(*arguments, **options)
        return caught.exception

    def tearDown(self):
        left = [path.name for path in self.folder.iterdir() if path.name.startswith(".rails-")]
        self.assertEqual(left, [], "a descriptor was left behind")
