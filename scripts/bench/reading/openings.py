"""How much of essays whose header has hardly a label is right: openings by people who had not seen the reader."""

from __future__ import annotations

from pathlib import Path

from scripts.bench.measure import Measure, at_least, exactly, measured
from scripts.bench.reading.corpora import FOLDER, SEED, labels_of
from scripts.bench.reading.held_out import read_held_out
from scripts.regression.files import entry_files
from scripts.regression.scoring.figures import entry_figures
from scripts.regression.scoring.score import score_files
from scripts.samples.corpus import write_corpus
from scripts.samples.openings import draw_openings
from scripts.samples.part import HELD_OUT


def measure(_: Path) -> list[Measure]:
    """Draw the held-out openings, read them without a school list or a model, and score them."""
    folder = FOLDER / "openings"
    write_corpus(folder, draw_openings(HELD_OUT, SEED), HELD_OUT)
    scores = score_files(read_held_out(entry_files(folder)), labels_of(folder))
    entries = [entry for score in scores for entry in score.entries]
    figures = entry_figures(entries)
    how = f"{len(entries)} openings by somebody who had not seen the reader, typed, without model or schools"
    return [
        measured(
            "heldout_unlabelled_three_right",
            figures["three_right_share"] or 0.0,
            "of 1",
            at_least(0.93),
            f"name, school and grade all right (absent ones left empty); {how}",
        ),
        measured(
            "heldout_unlabelled_silent_wrong",
            sum(entry.silent_wrong for entry in entries),
            "entries",
            exactly(0),
            f"passed without review with a required field wrong; {how}",
        ),
    ]
