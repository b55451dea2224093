#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The examples that ns-3's test.py runs: (name and arguments, whether to run it, whether under Valgrind)."""

cpp_examples = [
    ("rails-all-to-all", "True", "True"),
    ("rails-custom-balancer", "True", "True"),
    ("rails-failure", "True", "True"),
    ("rails-graph", "True", "True"),
    ("rails-incast", "True", "True"),
    ("rails-micro-moe-figures", "True", "False"),
    ("rails-pro-prophet-tables --table=skew", "True", "False"),
]

python_examples = []
