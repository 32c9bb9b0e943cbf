"""Whether a run is worse than an earlier one over the same files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class BaselineMismatchError(Exception):
    """The baseline was made from other files or in another mode."""


def compare_reports(report: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[str]:
    """What got worse, a sentence each. Raises BaselineMismatchError."""
    modes = [mode for mode in report["modes"] if mode in baseline["modes"]]
    if not modes:
        raise BaselineMismatchError("the baseline holds none of the modes of this run")
    return [
        worse for mode in modes for worse in _compare_mode(mode, report["modes"][mode], baseline["modes"][mode])
    ]


def _compare_mode(mode: str, now: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    if {file["sha256"] for file in now["files"]} != {file["sha256"] for file in before["files"]}:
        raise BaselineMismatchError("the baseline was made from other files")
    new, old = now["summary"], before["summary"]
    for name, more_is_better in (
        ("three_right", True),
        ("split_right", True),
        ("complete_typed_passed", True),
        ("silent_wrong", False),
        ("errors", False),
    ):
        if (new[name] < old[name]) if more_is_better else (new[name] > old[name]):
            yield f"{mode}: {name} was {old[name]}, is {new[name]}"
    for field, counts in new["fields"].items():
        yield from _compare_field(f"{mode}: {field}", counts, old["fields"].get(field, {}))


def _compare_field(name: str, new: Mapping[str, int], old: Mapping[str, int]) -> Iterator[str]:
    if new["right"] < old.get("right", 0):
        yield f"{name}: right was {old['right']}, is {new['right']}"
    bad_now, bad_before = new["wrong"] + new["invented"], old.get("wrong", 0) + old.get("invented", 0)
    if bad_now > bad_before:
        yield f"{name}: wrong or invented was {bad_before}, is {bad_now}"
