#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The theorems of RailS beside results of experiments/rails/theorems: draws the channels that two servers
have over the rate of NVLink, and compares loads of NICs with linear programs and with plans computed
a second time.
"""

from papers import rails_theorems
from rails.plots import program
from rails.errors import ResultError
from rails.plots.page_tables import simple_table
from rails.reader.result_folder import read_whole

FOLDERS = ("channels", "channels-queue-pairs", "loads")


def drawings(results, told):
    """The figure of channels, where there are any."""
    folders = {name: results / name for name in FOLDERS}
    found = {name: read_whole(path) for name, path in folders.items() if path.is_dir()}
    if not found:
        raise ResultError(results, "holds none of " + ", ".join(FOLDERS))
    swept = found.get("channels", []) + found.get("channels-queue-pairs", [])
    if swept:
        used = rails_theorems.channels(swept)
        yield "rails-channels", rails_theorems.draw_channels(used)
        told.lines += ["", simple_table(rails_theorems.channel_rows(used))]
    if "loads" in found:
        told.lines += rails_theorems.describe_loads(rails_theorems.cases(found["loads"]))


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results(f"the folders {', '.join(FOLDERS)}, or some of them", "figures/ in the folder of results")
    options, told = parser.parse_args(arguments), program.Told()
    program.finish(options, drawings(options.results, told), told, options.results / "figures")
    return 0


if __name__ == "__main__":
    program.run(main)
