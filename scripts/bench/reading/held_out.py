"""How much of entries never seen in development is right, split, flagged and passed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from core.config import get_settings
from scripts.bench.measure import Measure, at_least, at_most, exactly, measured
from scripts.bench.reading.corpora import labels_of
from scripts.regression.compare import Verdict
from scripts.regression.files import entry_files
from scripts.regression.pool import read_all
from scripts.regression.prediction import FileReading
from scripts.regression.read_file import read_file
from scripts.regression.score import EntryScore, FileScore, score_files

WORKERS = 2
#: Kinds of which the header is written by hand.
BY_HAND = ("hand", "photo")


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out corpus through the orchestrator, without a school list or a model, and score it."""
    readings = _read_all(entry_files(corpus))
    scores = score_files(readings, labels_of(corpus))
    entries = [entry for score in scores for entry in score.entries]
    real = [entry for entry in entries if entry.truth is not None]
    how = f"{len(scores)} held-out files, {len(real)} entries, through the orchestrator, no model, no school list"
    return [*_right(real, how), *_split(scores, how), *_trust(entries, how), *_values(entries, real, how)]


def _read_all(paths: Sequence[Path]) -> list[FileReading]:
    reader = partial(
        read_file, use_orchestrator=True, ocr_provider=get_settings().ocr_provider, cache_dir=None, schools=None
    )
    return read_all(paths, reader, WORKERS, "held out")


def _right(real: Sequence[EntryScore], how: str) -> list[Measure]:
    typed = [entry for entry in real if entry.truth and entry.truth["typed"]]
    hand = [entry for entry in real if not _is_typed(entry) and any(word in entry.kind for word in BY_HAND)]
    stacks = [entry for entry in real if not _is_typed(entry) and "typed" in entry.kind and entry not in hand]
    groups = (
        ("heldout_three_right", typed, 0.95, "typed (native text)"),
        ("heldout_three_right_handwritten", hand, 0.75, "written in handwriting fonts, scanned or photographed"),
        ("heldout_three_right_typed_stacks", stacks, 0.90, "in typed, scanned stacks"),
    )
    return [
        measured(
            name,
            _share(entry.three_right for entry in group),
            "of 1",
            at_least(bound),
            f"name, school and grade all right (absent ones left empty) in {len(group)} entries {what}; {how}",
        )
        for name, group, bound, what in groups
    ]


def _is_typed(entry: EntryScore) -> bool:
    return bool(entry.truth and entry.truth["typed"])


def _split(scores: Sequence[FileScore], how: str) -> list[Measure]:
    share = _share(score.split_right for score in scores)
    return [measured("heldout_split_right", share, "of 1", exactly(1), f"files split rightly; {how}")]


def _trust(entries: Sequence[EntryScore], how: str) -> list[Measure]:
    complete = [entry for entry in entries if entry.complete_typed]
    return [
        measured(
            "heldout_silent_wrong",
            sum(entry.silent_wrong for entry in entries),
            "entries",
            exactly(0),
            f"passed without review with a required field wrong; {how}",
        ),
        measured(
            "heldout_auto_share_complete_typed",
            _share(entry.passed for entry in complete),
            "of 1",
            at_least(0.8),
            f"passed without review among {len(complete)} typed entries that hold name, school and grade; {how}",
        ),
    ]


def _values(entries: Sequence[EntryScore], real: Sequence[EntryScore], how: str) -> list[Measure]:
    verdicts = [verdict for entry in entries for verdict in entry.verdicts.values()]
    given = [v for v in verdicts if v in (Verdict.RIGHT, Verdict.WRONG, Verdict.INVENTED)]
    counted = [entry for entry in real if entry.verdicts["word_count"] is not Verdict.EMPTY]
    return [
        measured(
            "heldout_wrong_or_invented",
            _share(verdict is not Verdict.RIGHT for verdict in given),
            "of 1",
            at_most(0.02),
            f"of {len(given)} values given; {how}",
        ),
        measured(
            "heldout_essay_words_in_range",
            _share(entry.verdicts["word_count"] is Verdict.RIGHT for entry in counted),
            "of 1",
            at_least(0.97),
            f"of {len(counted)} entries with an essay; {how}",
        ),
    ]


def _share(flags: Iterable[bool]) -> float:
    given = list(flags)
    return sum(given) / len(given) if given else 0.0
