"""How much of entries never seen in development is right, split, flagged and passed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from core.config import get_settings
from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.reading.corpora import labels_of
from lab.bench.reading.faults import silent_wrong
from scripts.regression.files import entry_files
from scripts.regression.pool import read_all
from scripts.regression.read_file import read_file
from scripts.regression.scoring.figures import entry_figures, file_figures
from scripts.regression.scoring.score import EntryScore, FileScore, score_files
from scripts.regression.scoring.writing import Writing

WORKERS = 2
#: For each way of writing: what its measure is called, its target, and what it is.
WRITTEN = (
    (Writing.TYPED, "heldout_three_right", 0.95, "typed (native text, Word)"),
    (Writing.HANDWRITTEN, "heldout_three_right_handwritten", 0.80, "with a header in a handwriting font"),
    (Writing.PRINTED, "heldout_three_right_printed", 0.90, "typed, but scanned, photographed or in outlines"),
)


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out corpus through the orchestrator, without a school list or a model, and score it."""
    scores = scores_of(corpus)
    entries = [entry for score in scores for entry in score.entries]
    figures = file_figures(scores)
    how = (
        f"{len(scores)} held-out files, {figures['entries']} entries, by the orchestrator without model or schools"
    )
    return [
        *(_three_right(entries, *written, how) for written in WRITTEN),
        measured(
            "heldout_split_right", figures["split_right_share"], "of 1", exactly(1), f"files split rightly; {how}"
        ),
        *silent_wrong("heldout_mixed", figures, how),
        measured(
            "heldout_auto_share_complete_typed",
            figures["complete_typed_passed_share"] or 0.0,
            "of 1",
            at_least(0.8),
            f"passed without review among the {figures['complete_typed']} typed entries that hold name, school "
            f"and grade; {how}",
        ),
        measured(
            "heldout_wrong_or_invented",
            figures["wrong_or_invented_share"] or 0.0,
            "of 1",
            at_most(0.02),
            f"values wrong or invented among all values given; {how}",
        ),
        measured(
            "heldout_essay_words_in_range",
            figures["essay_words_in_range_share"] or 0.0,
            "of 1",
            at_least(0.97),
            f"of {figures['essays']} essays; {how}",
        ),
    ]


def scores_of(corpus: Path, cache: Path | None = None) -> list[FileScore]:
    """Read a corpus by the orchestrator, without a school list or a model, in worker processes, and score it.

    Recognised pages are kept in the folder `cache`, if there is one.
    """
    reader = partial(
        read_file, use_orchestrator=True, ocr_provider=get_settings().ocr_provider, cache_dir=cache, schools=None
    )
    return score_files(read_all(entry_files(corpus), reader, WORKERS, "held out"), labels_of(corpus))


def _three_right(
    entries: Sequence[EntryScore], writing: Writing, name: str, bound: float, what: str, how: str
) -> Measure:
    group = [entry for entry in entries if entry.writing is writing]
    figures = entry_figures(group)
    return measured(
        name,
        figures["three_right_share"] or 0.0,
        "of 1",
        at_least(bound),
        f"name, school and grade all right (absent ones left empty) in {len(group)} entries {what}; {how}",
    )
