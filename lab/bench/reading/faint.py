"""How much of forms in faint pencil is read right, and what is invented."""

from __future__ import annotations

from pathlib import Path

from lab.bench.measure import Measure, measured
from lab.bench.reading.faults import silent_wrong, wrong_or_invented
from lab.bench.reading.held_out import scores_of
from lab.samples.sets.faint import LIGHTNESS
from scripts.regression.scoring.figures import entry_figures


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out forms, without a school list or a model, and score them."""
    figures = entry_figures([entry for score in scores_of(corpus) for entry in score.entries])
    low, high = LIGHTNESS
    how = f"{figures['entries']} held-out grey scans, pencil of lightness {low} to {high}, no model or schools"
    return [
        measured(
            "heldout_faint_three_right",
            figures["three_right_share"] or 0.0,
            "of 1",
            None,
            f"name, school and grade all right (absent ones left empty); {how}",
        ),
        wrong_or_invented("heldout_faint", figures, how),
        *silent_wrong("heldout_faint", figures, how),
    ]
