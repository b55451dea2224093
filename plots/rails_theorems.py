#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The theorems of RailS beside results of experiments/rails/theorems: draws the channels that two servers
have over the rate of NVLink, and compares loads of NICs with linear programs and with plans computed
a second time.
"""

from pathlib import Path

from railsplots import program, rails_theorems, style
from railsplots.errors import ResultError
from railsplots.page_tables import simple_table
from railsplots.result_folder import read_whole


def main(arguments=None):
    parser = program.parser("rails_theorems", __doc__)
    parser.add_argument(
        "--results",
        metavar="DIR",
        type=Path,
        default=Path("results"),
        help="holds the folders channels, channels-queue-pairs and loads, or some of them",
    )
    parser.add_argument("--figures-to", metavar="DIR", type=Path, help="another place for the figure")
    options = parser.parse_args(arguments)
    folders = {name: options.results / name for name in ("channels", "channels-queue-pairs", "loads")}
    found = {name: read_whole(path) for name, path in folders.items() if path.is_dir()}
    if not found:
        raise ResultError(options.results, "holds none of " + ", ".join(folders))
    lines = []
    swept = found.get("channels", []) + found.get("channels-queue-pairs", [])
    if swept:
        used = rails_theorems.channels(swept)
        with style.house_style():
            drawing = rails_theorems.draw_channels(used)
            place = options.figures_to or options.results / "figures"
            for path in style.save(drawing, place, "rails-channels"):
                print(path)
        lines += ["", simple_table(rails_theorems.channel_rows(used))]
    if "loads" in found:
        lines += rails_theorems.describe_loads(rails_theorems.cases(found["loads"]))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    program.run(main)
