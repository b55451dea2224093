# SPDX-License-Identifier: GPL-2.0-only
"""Ways in which the files of a result can be damaged, for tests only."""

import json


def _replaced(**changes):
    """Other values for keys of result.json; `...` takes a key out."""

    def damage(point):
        result = json.loads((point / "result.json").read_text())
        result.update(changes)
        kept = {key: value for key, value in result.items() if value is not ...}
        (point / "result.json").write_text(json.dumps(kept))

    return damage


def _written(name, content):
    def damage(point):
        (point / name).write_bytes(content.encode() if isinstance(content, str) else content)

    return damage


def _edited(name, old, new):
    def damage(point):
        text = (point / name).read_text()
        assert old in text
        (point / name).write_text(text.replace(old, new, 1))

    return damage


def _folder_instead(name):
    def damage(point):
        (point / name).unlink()
        (point / name).mkdir()

    return damage


def _cut(name):
    def damage(point):
        text = (point / name).read_text()
        (point / name).write_text(text[: len(text) // 2])

    return damage


def _without_end(path):
    path.write_bytes(path.read_bytes()[:-3])


def _column_gone(name, column):
    return _edited(name, column, "something_else")


# Each makes a point of a sweep unreadable.
OF_RESULT = {
    "empty": _written("result.json", ""),
    "cut": _cut("result.json"),
    "null": _written("result.json", "null"),
    "a list": _written("result.json", "[1, 2]"),
    "not UTF-8": _written("result.json", b'{"name": "\xff\xfe"}'),
    "nested deeply": _written("result.json", "[" * 200_000),
    "a folder": _folder_instead("result.json"),
    "NaN": _replaced(cct_s=float("nan")),
    "infinity": _replaced(cct_over_bound=float("inf")),
    "too large for a number": _edited("result.json", '"lower_bound_s": ', '"lower_bound_s": 1e999'),
    "more digits than a number has": _edited("result.json", '"seed": ', '"seed": ' + "9" * 400),
    "text for a number": _replaced(cct_s="fast"),
    "no completion time": _replaced(cct_s=None),
    "a negative time": _replaced(cct_s=-1e-3),
    "true for a number": _replaced(cct_over_bound=True),
    "a list for a number": _replaced(busbw_Bps=[1, 2]),
    "no seed": _replaced(seed=...),
    "half a seed": _replaced(seed=1.5),
    "no status": _replaced(status=...),
    "text for a status": _replaced(status="done"),
    "no configuration": _replaced(config=...),
    "a list for a configuration": _replaced(config=["balance"]),
    "no scheme": _replaced(config={"seed": 1}),
    "a list for a scheme": _replaced(config={"balance": {"type": ["rails"]}}),
    "NICs without a number": _replaced(nic_tx_bytes=[["much"]]),
    "servers of unequal size": _replaced(nic_rx_bytes=[[1, 2], [3]]),
    "no NIC": _replaced(nic_rx_bytes=[]),
    "text for phases": _replaced(phases="dispatch"),
    "a phase without a name": _replaced(phases=[{"iteration": 0, "start_s": 0, "end_s": 1}]),
    "a list for versions": _replaced(version=["0.1.0"]),
    "numbers for axes": _replaced(axes={"seed": 1}),
    "text for failures": _replaced(failures="none"),
    "text for factors": _replaced(explain={"factors": {"plan": "even"}}),
    "a list for an engine": _replaced(engine=[[]]),
    "a mapping for a name": _replaced(name={}),
    "half a character": _replaced(name="\ud800"),
    "a number for a fingerprint": _replaced(fingerprint=7),
}
# Each costs the figures of one table.
OF_TABLES = {
    "messages.csv is empty": _written("messages.csv", ""),
    "messages.csv has other columns": _column_gone("messages.csv", "start_s"),
    "messages.csv is cut": _cut("messages.csv"),
    "messages.csv lacks its last digit": lambda point: _without_end(point / "messages.csv"),
    "messages.csv is a folder": _folder_instead("messages.csv"),
    "queues.csv has text for numbers": _edited("queues.csv", ",0,1,", ",0,one,"),
    "queues.csv has NaN": _edited("queues.csv", ",0,1,", ",0,nan,"),
    "queues.csv is not UTF-8": _written("queues.csv", b"port_class,bytes_high,seconds\n\xff,1,1\n"),
    "links.csv has other columns": _column_gone("links.csv", "utilisation"),
    "links.csv has a row too long": _edited("links.csv", "nic_tx,", "nic_tx,,,"),
    "links.csv has zeros in it": _written("links.csv", b"port_class,utilisation\nleaf_up,\0\0\n"),
}


def _sweep_file(name, content):
    def damage(folder):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)

    return damage


# Each makes a whole folder unreadable.
OF_FOLDERS = {
    "sweep.json is cut": _sweep_file(".rails/sweep.json", '{"name": '),
    "sweep.json is a list": _sweep_file(".rails/sweep.json", "[]"),
    "points.json is a mapping": _sweep_file("points.json", "{}"),
    "points.json has numbers": _sweep_file("points.json", "[1]"),
}


def record_sizes(point):
    """Says in result.json how large the tables are, as a run does."""
    result = json.loads((point / "result.json").read_text())
    result["artefacts"] = [
        {"file": path.name, "bytes": path.stat().st_size} for path in sorted(point.glob("*.csv"))
    ]
    (point / "result.json").write_text(json.dumps(result))
