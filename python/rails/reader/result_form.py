# SPDX-License-Identifier: GPL-2.0-only
"""
The form of result.json and failure.json, as far as anything here relies on it. A form is a function
of a value and its name that raises ValueError when the value is something else.
"""

from .kinds import STUDY, TRAINING_NUMBERS, kind_of

_LONGEST = 256  # characters of a name


def check_result(value):
    """ValueError when a result does not have the form of one."""
    _RESULT(value, "result.json")
    _check_scheme(value)
    if value["status"] == 0:
        kind = kind_of(value["config"])
        for key in kind.needed:
            _number(value.get(key), key)
        if kind.ratio.key not in value:  # null without traffic
            raise ValueError(f"lacks {kind.ratio.key}")


def check_failure(value):
    """The same for the record of why there is no result."""
    _FAILURE(value, "failure.json")
    _check_scheme(value)


def check_sweep(value):
    """The same for what a sweep says of itself."""
    _SWEEP(value, "sweep.json")


def check_names(value):
    """The same for the names of the points of a sweep."""
    _list(_text)(value, "points.json")


def _check_scheme(value):
    found, key = value["config"], kind_of(value["config"]).type_key
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if not isinstance(found, str) or len(found) > _LONGEST:
        raise ValueError(f"lacks config.{key}, a name")


def _wrong(value, name, expected):
    found = str(value)
    found = found if len(found) <= 40 else found[:37] + "..."
    return ValueError(f"{name}: expected {expected}, found {found}")


def _whole(value, name):
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(value, name, "a whole number")


def _number(value, name):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise _wrong(value, name, "a number that is not negative")


def _text(value, name):
    if not isinstance(value, str):
        raise _wrong(value, name, "a text")


def _word(value, name):
    """A text that names something."""
    _text(value, name)
    if len(value) > _LONGEST:
        raise _wrong(value, name, f"a name of at most {_LONGEST} characters")


def _truth(value, name):
    if not isinstance(value, bool):
        raise _wrong(value, name, "true or false")


def _anything(*_):
    pass


def _or_null(form):
    return lambda value, name: None if value is None else form(value, name)


def _list(form):
    def check(value, name):
        if not isinstance(value, list):
            raise _wrong(value, name, "a list")
        for number, item in enumerate(value):
            form(item, f"{name}[{number}]")

    return check


def _mapping(needed, known=None, others=_anything):
    """
    :param needed: forms of the keys that must be there
    :param known: forms of keys that may be there
    :param others: form of all other keys
    """
    forms = {**needed, **(known or {})}

    def check(value, name):
        if not isinstance(value, dict):
            raise _wrong(value, name, "a mapping")
        for key in needed:
            if key not in value:
                raise ValueError(f"lacks {key if '.json' in name else f'{name}.{key}'}")
        for key, item in value.items():
            forms.get(key, others)(item, key if ".json" in name else f"{name}.{key}")

    return check


def _matrix(value, name):
    _list(_list(_number))(value, name)
    if not value or not value[0] or len({len(row) for row in value}) > 1:
        raise _wrong(value, name, "rows of equal length")


_TEXTS = _mapping({}, others=_word)
_PHASE = _mapping(
    {"name": _word, "iteration": _whole, "start_s": _or_null(_number), "end_s": _or_null(_number)}
)
_EVENT = _mapping({"at_s": _number, "what": _word, "state": _word})
_FAILED = _mapping(
    {},
    {
        "cables": _whole,
        "abandoned_messages": _whole,
        "events": _list(_EVENT),
        "convergences_s": _list(_number),
    },
)
_SHARES = _mapping({"name": _word}, others=_or_null(_number))
_FACTORS = _mapping({}, others=_or_null(_number))
_EXPLAIN = _mapping(
    {"factors": _FACTORS},
    {
        "nic": _or_null(_SHARES),
        "cable": _or_null(_SHARES),
        "sentence": _or_null(_text),
        "kinds": _list(_mapping({"name": _word, "factors": _FACTORS})),
    },
)
_KIND = _mapping(
    {"name": _word, "type": _word, "critical_s": _number}, others=_or_null(_number)
)
_JOB = _mapping({"name": _word, "servers": _list(_whole)}, others=_or_null(_number))
_COLLECTIVE = _mapping({"kind": _word, "algorithm": _word, "rings": _whole})
_GRAPH = _mapping(
    {"kinds": _list(_KIND)},
    {"jobs": _list(_JOB), "collectives": _list(_COLLECTIVE)},
    others=_or_null(_number),
)
_VERSION = _mapping({}, {"libraries": _or_null(_TEXTS)}, others=_word)
_IDENTITY = {"config": _mapping({}), "seed": _whole, "status": _whole}
_NAMES = {
    **dict.fromkeys(("name", "engine"), _or_null(_word)),
    **dict.fromkeys(("reason", "report"), _or_null(_text)),
}
_KNOWN = {**_NAMES, "axes": _or_null(_TEXTS), "labels": _or_null(_TEXTS), "version": _or_null(_VERSION)}
_FAILURE = _mapping(_IDENTITY, _KNOWN)
_SWEEP = _mapping(
    {},
    {
        "name": _word,
        "points": _whole,
        "sets": _or_null(_list(_text)),
        "text": _text,
        "baseline": _or_null(_TEXTS),
    },
)
_NUMBERS = (
    "cct_s cct_sender_s lower_bound_s lower_bound_sender_s cct_over_bound iteration_s "
    "slowest_flow_s published_bound_s algbw_Bps busbw_Bps bytes messages frames frame_hops "
    "pause_frames drops unroutable_frames link_losses retransmitted_frames ecn_marks cnps "
    "pfc_pauses pfc_paused_s queue_max_bytes events sim_s wall_s peak_rss_bytes"
).split()
_RESULT = _mapping(
    _IDENTITY,
    {
        **_KNOWN,
        **dict.fromkeys(_NUMBERS, _or_null(_number)),
        **dict.fromkeys(TRAINING_NUMBERS + STUDY.metrics, _or_null(_number)),
        "planning_measured_s": _or_null(_number),
        "oracle": _or_null(_truth),
        "phases": _or_null(_list(_PHASE)),
        "nic_tx_bytes": _or_null(_matrix),
        "nic_rx_bytes": _or_null(_matrix),
        "notes": _or_null(_list(_anything)),
        "failures": _or_null(_FAILED),
        "graph": _or_null(_GRAPH),
        "explain": _or_null(_EXPLAIN),
        "fingerprint": _or_null(_word),
        "artefacts": _or_null(_list(_mapping({"file": _word, "bytes": _whole}))),
    },
)
