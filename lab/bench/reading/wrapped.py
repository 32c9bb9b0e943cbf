"""How much of re-flowed headers whose cells wrap is right, and what is put together wrongly and not seen."""

from __future__ import annotations

from pathlib import Path

from lab.bench.measure import Measure, at_least, exactly, measured
from lab.bench.reading.faults import silent_wrong
from lab.bench.reading.held_out import scores_of
from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.figures import entry_figures
from scripts.regression.scoring.score import HEADLINE

#: The fields whose cells wrap.
CELLS = (*HEADLINE, "father_figure_name")
_PUT_TOGETHER = (Verdict.WRONG, Verdict.INVENTED)


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out wrapped headers, without a school list or a model, and score their cells."""
    entries = [entry for score in scores_of(corpus) for entry in score.entries]
    verdicts = [entry.verdicts[name] for entry in entries for name in CELLS]
    filled = [verdict for verdict in verdicts if verdict is not Verdict.EMPTY]
    figures = entry_figures(entries)
    how = f"{len(entries)} held-out re-flowed headers in two columns whose cells wrap, without model or schools"
    return [
        measured(
            "heldout_wrapped_cells_right",
            filled.count(Verdict.RIGHT) / max(len(filled), 1),
            "of 1",
            at_least(0.97),
            f"{len(filled)} cells with name, school, grade or father figure; {how}",
        ),
        measured(
            "heldout_wrapped_cells_wrong_unseen",
            sum(entry.verdicts[name] in _PUT_TOGETHER for entry in entries if entry.passed for name in CELLS),
            "cells",
            exactly(0),
            f"wrong or invented in entries that passed without review; {how}",
        ),
        *silent_wrong("heldout_wrapped", figures, how),
        measured(
            "heldout_wrapped_passed",
            figures["complete_typed_passed_share"] or 0.0,
            "of 1",
            None,
            f"passed without review among the {figures['complete_typed']} that hold name, school and grade; {how}",
        ),
    ]
