"""Whether a run is worse than an earlier one over the same files, and in which values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scripts.regression.lost_values import changes

#: Figures of the summary, and whether a higher value is better.
_FIGURES = (
    ("three_right", True),
    ("split_right", True),
    ("complete_typed_passed", True),
    ("essay_words_in_range", True),
    ("silent_wrong", False),
    ("bad_values_on_passed", False),
    ("errors", False),
)


class BaselineMismatchError(Exception):
    """The baseline was made from other files or in another mode."""


@dataclass
class Comparison:
    """A sentence for each finding."""

    #: Figures that went down.
    worse: list[str] = field(default_factory=list)
    #: Single values that were right and are not, or that became wrong; with file, before and after.
    lost: list[str] = field(default_factory=list)
    #: Values that became right: the baseline should be renewed.
    won: list[str] = field(default_factory=list)


def compare_reports(report: Mapping[str, Any], baseline: Mapping[str, Any]) -> Comparison:
    """Compare a report with a baseline (or another report). Raises BaselineMismatchError."""
    modes = [mode for mode in report["modes"] if mode in baseline["modes"]]
    if not modes:
        raise BaselineMismatchError(
            "the baseline was made in another mode; `--use-orchestrator both` compares graph and direct way"
        )
    found = Comparison()
    for mode in modes:
        now, before = report["modes"][mode], baseline["modes"][mode]
        _refuse_other_files(now, before)
        found.worse += [f"{mode}: {line}" for line in _figures(now["summary"], before["summary"])]
        for change in changes(now["files"], before["files"]):
            (found.lost if change.worse else found.won).append(f"{mode}: {change}")
    return found


def as_baseline(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a report that later runs are compared with: small enough to commit, without times."""
    return {
        "ocr_provider": report["ocr_provider"],
        "modes": {
            mode: {
                "summary": {name: run["summary"][name] for name in ("entries", *dict(_FIGURES), "fields")},
                "files": [_slim(file) for file in run["files"]],
            }
            for mode, run in report["modes"].items()
        },
    }


def _slim(file: Mapping[str, Any]) -> dict[str, Any]:
    slim = {name: file[name] for name in ("file", "sha256", "error", "kind", "split_right") if name in file}
    if "entries" in file:
        slim["entries"] = [
            {
                **{name: entry[name] for name in ("pages", "pages_read", "passed", "silent_wrong")},
                "faults": {
                    name: {key: fault[key] for key in ("verdict", "true", "predicted")}
                    for name, fault in entry["faults"].items()
                },
            }
            for entry in file["entries"]
        ]
    return slim


def _refuse_other_files(now: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    new, old = ({file["sha256"]: file["file"] for file in run["files"]} for run in (now, before))
    if new.keys() == old.keys():
        return
    added = [new[digest] for digest in new.keys() - old.keys()]
    gone = [old[digest] for digest in old.keys() - new.keys()]
    raise BaselineMismatchError(
        f"the baseline was made from other files: {len(added)} are new ({_some(added)}), "
        f"{len(gone)} are gone ({_some(gone)}); if that is meant, renew it with --write-baseline"
    )


def _some(names: list[str]) -> str:
    return ", ".join(sorted(names)[:3]) or "none"


def _figures(new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[str]:
    for name, more_is_better in _FIGURES:
        # An older report may lack a figure.
        before = old.get(name, new[name])
        if (new[name] < before) if more_is_better else (new[name] > before):
            yield f"{name} was {before}, is {new[name]}"
    for name, counts in new["fields"].items():
        yield from _field(name, counts, old["fields"].get(name, {}))


def _field(name: str, new: Mapping[str, int], old: Mapping[str, int]) -> Iterator[str]:
    if new["right"] < old.get("right", 0):
        yield f"{name}: right was {old['right']}, is {new['right']}"
    bad_now, bad_before = new["wrong"] + new["invented"], old.get("wrong", 0) + old.get("invented", 0)
    if bad_now > bad_before:
        yield f"{name}: wrong or invented was {bad_before}, is {bad_now}"
