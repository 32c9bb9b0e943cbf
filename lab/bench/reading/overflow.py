"""How many handwritten answers that leave their place are read right, and what is taken wrongly and not seen."""

from __future__ import annotations

from pathlib import Path

from lab.bench.measure import Measure, at_least, measured
from lab.bench.reading.faults import silent_wrong, wrong_or_invented
from lab.bench.reading.held_out import scores_of
from lab.samples.hand.overflow import WAYS
from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.figures import entry_figures
from scripts.regression.scoring.score import EntryScore


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out forms, without a school list or a model, and score the answers that left their place."""
    entries = [entry for score in scores_of(corpus) for entry in score.entries]
    verdicts = [verdict for entry in entries for verdict in _moved(entry)]
    figures = entry_figures(entries)
    how = f"{len(entries)} held-out scanned forms, one or two answers by hand out of place, no model or schools"
    return [
        measured(
            "heldout_overflow_right",
            verdicts.count(Verdict.RIGHT) / max(len(verdicts), 1),
            "of 1",
            at_least(0.8),
            f"of {len(verdicts)} answers that left their place in {len(WAYS)} ways; {how}",
        ),
        measured(
            "heldout_overflow_three_right",
            figures["three_right_share"] or 0.0,
            "of 1",
            None,
            f"name, school and grade all right, in their place or not; {how}",
        ),
        wrong_or_invented("heldout_overflow", figures, how),
        *silent_wrong("heldout_overflow", figures, how),
    ]


def _moved(entry: EntryScore) -> list[Verdict]:
    """Return the verdicts of the answers that left their place."""
    ways = entry.truth["hazards"] if entry.truth else []
    return [entry.verdicts[WAYS[way].field] for way in ways if way in WAYS]
