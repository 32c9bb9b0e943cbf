"""Adds scores up: for everything, and by kind, by part of the corpus and by how it was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scripts.regression.scoring.figures import entry_figures, file_figures, share
from scripts.regression.scoring.reliability import judged, reliability
from scripts.regression.scoring.score import EntryScore, FileScore
from scripts.regression.scoring.writing import Writing


def summarise(scores: Sequence[FileScore]) -> dict[str, Any]:
    """The figures of the tables. `by_part` is empty where no label names a part."""
    parts = sorted({score.part for score in scores if score.part})
    return {
        **_group(scores),
        "by_part": {part: _group([score for score in scores if score.part == part]) for part in parts},
    }


def _group(scores: Sequence[FileScore]) -> dict[str, Any]:
    entries = [entry for score in scores for entry in score.entries]
    kinds = sorted({score.kind for score in scores})
    by_writing = {way.value: [entry for entry in entries if entry.writing is way] for way in Writing}
    return {
        **file_figures(scores),
        "reliability": reliability(judged(entries)),
        "by_kind": {kind: file_figures([score for score in scores if score.kind == kind]) for kind in kinds},
        "by_writing": {
            way: {**entry_figures(own), "reliability": reliability(judged(own))}
            for way, own in by_writing.items()
            if own
        },
        "by_hazard": _by_hazard(entries),
    }


def _by_hazard(entries: Sequence[EntryScore]) -> dict[str, dict[str, Any]]:
    """For each hazard and damage that labels name: how many entries have it, and how many of these are right."""
    found: dict[str, list[bool]] = {}
    for entry in entries:
        for name in {*entry.truth.get("hazards", ()), *entry.truth.get("damage", ())} if entry.truth else ():
            found.setdefault(name, []).append(entry.three_right)
    return {
        name: {"entries": len(hits), "three_right": sum(hits), "three_right_share": share(sum(hits), len(hits))}
        for name, hits in sorted(found.items())
    }
