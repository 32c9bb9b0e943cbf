"""The measures that a set of entries is read wrongly by, alike for every set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.bench.measure import Measure, at_least, exactly, measured

_ENTRIES, _SILENT = "_entries", "_silent_wrong"
#: All held-out sets together.
_ALL = "heldout"
_PASSED_WRONG = "passed without review with a required field wrong"


def wrong_or_invented(name: str, figures: Mapping[str, Any], how: str) -> Measure:
    """Return the share of wrong and invented values as the measure `name`_wrong_or_invented, without a target."""
    return measured(
        f"{name}_wrong_or_invented",
        figures["wrong_or_invented_share"] or 0.0,
        "of 1",
        None,
        f"values wrong or invented among all values given; {how}",
    )


def silent_wrong(name: str, figures: Mapping[str, Any], how: str) -> list[Measure]:
    """Return the measures `name`_silent_wrong, which must be 0, and `name`_entries, of which it is the number."""
    return [
        measured(f"{name}{_ENTRIES}", figures["entries"], "entries", None, how),
        measured(f"{name}{_SILENT}", figures["silent_wrong"], "entries", exactly(0), f"{_PASSED_WRONG}; {how}"),
    ]


def silent_wrong_of_all(values: Mapping[str, float]) -> list[Measure]:
    """Return the sums of what `silent_wrong` counted, over the held-out sets of which `values` has both measures.

    `values` are the values of measures by name, of sums of an earlier run too. At least 600 entries are wanted,
    since 0 of a few says little.
    """
    counted = {name.removesuffix(_ENTRIES) for name in values if name.endswith(_ENTRIES)} - {_ALL}
    sets = sorted(name for name in counted if name + _SILENT in values)
    if not sets:
        return []
    how = f"the sum over the held-out sets, each as last measured: {', '.join(sets)}"
    return [
        measured(_ALL + _ENTRIES, sum(values[name + _ENTRIES] for name in sets), "entries", at_least(600), how),
        measured(
            _ALL + _SILENT,
            sum(values[name + _SILENT] for name in sets),
            "entries",
            exactly(0),
            f"{_PASSED_WRONG}; {how}",
        ),
    ]
