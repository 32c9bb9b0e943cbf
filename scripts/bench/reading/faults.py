"""The measures that a set of entries is read wrongly by, alike for every set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.bench.measure import Measure, exactly, measured


def wrong_or_invented(name: str, figures: Mapping[str, Any], how: str) -> Measure:
    """Return the share of wrong and invented values as the measure `name`_wrong_or_invented, without a target."""
    return measured(
        f"{name}_wrong_or_invented",
        figures["wrong_or_invented_share"] or 0.0,
        "of 1",
        None,
        f"values wrong or invented among all values given; {how}",
    )


def silent_wrong(name: str, figures: Mapping[str, Any], how: str) -> Measure:
    """Return the number of entries that are wrong and passed as the measure `name`_silent_wrong; it must be 0."""
    return measured(
        f"{name}_silent_wrong",
        figures["silent_wrong"],
        "entries",
        exactly(0),
        f"passed without review with a required field wrong; {how}",
    )
