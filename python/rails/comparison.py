# SPDX-License-Identifier: GPL-2.0-only
"""What `./rails compare` finds, for notebooks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union

from . import arguments
from .errors import Error, told
from .reader.joined_folders import together
from .reader.result_folder import ResultFolder, load_filled
from .result import Result, Sweep
from .tables import need

if TYPE_CHECKING:
    import pandas

Compared = Union[str, "os.PathLike[str]", Result, Sweep]


class Comparison:
    """
    Points that were compared: its text is that of the command.

    :param data: what the command writes as JSON
    """

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        self.data = data

    @property
    def notes(self) -> list[str]:
        """What must be known of it."""
        return list(self.data["notes"])

    @property
    def table(self) -> pandas.DataFrame:
        """A row for each pair: means, their difference, the probability of chance, the verdict."""
        return need("pandas", "the table of a comparison").DataFrame(self.data["points"])

    def __repr__(self) -> str:
        return self.text


@told
def compare(
    *results: Compared,
    by: str | None = None,
    baseline: str | None = None,
    metric: str | None = None,
    alpha: float = 0.05,
    where: Iterable[str] = (),
) -> Comparison:
    """
    Compares two results or sweeps point by point, or with by the values of a key within all of them:
    which differ by more than their spread over seeds.

    :param results: folders, or what run(), sweep() and load() return
    :param by: a key, as "balance"
    :param baseline: with by: the value that others are compared with
    :param metric: the number of result.json to compare
    :param alpha: probability of calling any equal points different
    """
    if not results or by is None and (len(results) != 2 or baseline is not None):
        raise Error("rails.compare", "expected two results; or by=KEY, such as by='balance'")
    for name, value, example in (("by", by, "'balance'"), ("baseline", baseline, "'ecmp'"), ("metric", metric, "'cct_s'")):
        if value is not None:
            arguments.text(name, value, example)
    alpha = arguments.number("alpha", alpha, arguments.PROBABILITY)
    conditions = arguments.texts("where", where, "'balance=rails'")
    need("numpy", "a comparison")
    need("scipy", "a comparison")
    from .plots import compare_table, folder_comparison, key_comparison

    folders = [_folder(part, conditions) for part in results]
    if by is not None:
        found = key_comparison.compare_by(together(folders), by, baseline, metric, alpha)
        return Comparison(compare_table.key_as_text(found), compare_table.key_as_json(found))
    paths = [folder.path for folder in folders]
    found = folder_comparison.compare_folders(folders[0], folders[1], metric, alpha)
    return Comparison(
        compare_table.folders_as_text(found, *paths), compare_table.folders_as_json(found, *paths)
    )


def _folder(part: Compared, conditions: list[str]) -> ResultFolder:
    """Points of their own: comparing gives them other names."""
    if isinstance(part, Sweep) and not conditions:
        return part.content.copied()
    folder = part.folder if isinstance(part, (Result, Sweep)) else arguments.path("results", part)
    return load_filled(folder, conditions)
