"""How much of essays whose header has hardly a label is right: openings by people who had not seen the reader."""

from __future__ import annotations

from pathlib import Path

from lab.bench.measure import Measure, at_least, measured
from lab.bench.reading.faults import silent_wrong
from lab.bench.reading.held_out import scores_of
from scripts.regression.scoring.figures import entry_figures


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out openings with their traps."""
    return _measures("heldout_unlabelled", corpus, "openings full of traps")


def measure_everyday(corpus: Path) -> list[Measure]:
    """Read the held-out openings as most children write them."""
    return _measures("heldout_everyday_header", corpus, "openings as most children write them")


def measure_strangers(corpus: Path) -> list[Measure]:
    """Read the held-out openings of another writer."""
    return _measures("strangers_headers", corpus, "openings of another writer", 0.85)


def _measures(name: str, corpus: Path, what: str, right: float = 0.93) -> list[Measure]:
    """Score what is read without a school list or a model; of the entries the share `right` should be right."""
    entries = [entry for score in scores_of(corpus) for entry in score.entries]
    figures = entry_figures(entries)
    how = f"{len(entries)} {what}, by somebody who had not seen the reader, typed, without model or schools"
    return [
        measured(
            f"{name}_three_right",
            figures["three_right_share"] or 0.0,
            "of 1",
            at_least(right),
            f"name, school and grade all right (absent ones left empty); {how}",
        ),
        *silent_wrong(name, figures, how),
        measured(
            f"{name}_passed",
            figures["complete_typed_passed_share"] or 0.0,
            "of 1",
            None,
            f"passed without review among the {figures['complete_typed']} that hold name, school and grade; {how}",
        ),
    ]
