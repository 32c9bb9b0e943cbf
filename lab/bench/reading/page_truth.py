"""What passes that is not what the page shows, and what of a file is gone without a word."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from core.config import get_settings
from lab.bench.measure import Measure, at_least, exactly, measured
from lab.bench.reading.corpora import labels_of
from lab.bench.reading.held_out import WORKERS
from scripts.regression.pool import read_all
from scripts.regression.read_file import read_file
from scripts.regression.scoring.page_truth import Seen, see_file

_NAME = "heldout_page_truth"


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out files of every kind of trouble, without a school list or a model, and judge them."""
    seen = see_corpus(corpus)
    print(faults_told(seen), file=sys.stderr)
    return measures_of(seen)


def see_corpus(corpus: Path, cache: Path | None = None) -> list[Seen]:
    """Read every file of a corpus, pictures of all kinds among them, and judge each by its label.

    Recognised pages are kept in the folder `cache`, if there is one.
    """
    labels = labels_of(corpus)
    paths = sorted(corpus / label["file"] for label in labels.values())
    reader = partial(
        read_file, use_orchestrator=True, ocr_provider=get_settings().ocr_provider, cache_dir=cache, schools=None
    )
    return [
        see_file(reading, labels[reading.sha256]) for reading in read_all(paths, reader, WORKERS, "page truth")
    ]


def measures_of(seen: Sequence[Seen]) -> list[Measure]:
    """The measures of judged files."""
    entries, passed = sum(one.entries for one in seen), sum(one.passed for one in seen)
    kinds = len({one.kind for one in seen})
    how = (
        f"{len(seen)} held-out files of {kinds} kinds with {entries} entries, whose bytes say more, less or "
        f"something else than their pages show, by the orchestrator without model or schools"
    )
    return [
        measured(f"{_NAME}_files", len(seen), "files", at_least(400), how),
        measured(f"{_NAME}_entries", entries, "entries", None, how),
        measured(
            f"{_NAME}_silent_wrong",
            sum(len(one.silent) for one in seen),
            "entries",
            exactly(0),
            f"passed without a person and name, school, grade or essay is not what the displayed page shows, or "
            f"no machine could have known; {passed} passed; {how}",
        ),
        measured(
            "heldout_file_parts_lost",
            sum(len(one.lost) for one in seen),
            "entries",
            exactly(0),
            f"entries of a file that are gone, and no entry and no refusal says so; {how}",
        ),
        measured(
            f"{_NAME}_beside_wrong",
            sum(len(one.beside) for one in seen),
            "entries",
            None,
            f"passed with the father's name, phone or e-mail wrong or not read; {how}",
        ),
        measured(
            f"{_NAME}_right",
            sum(one.right for one in seen) / max(len(seen), 1),
            "of 1",
            None,
            f"files of which every value of every entry is right; {how}",
        ),
    ]


def faults_told(seen: Sequence[Seen]) -> str:
    """What was silently wrong or lost, a line each."""
    lines = []
    for one in seen:
        lines += [f"{one.file} ({one.way}) silent: {what}" for what in one.silent]
        lines += [f"{one.file} ({one.way}) lost: {what}" for what in one.lost]
    return "\n".join(lines)
