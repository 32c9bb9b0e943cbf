"""What deciding the entries of a file together adds: stacks of one school by many hands, never seen before."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.config import get_settings
from lab.bench.measure import Measure, at_least, measured
from lab.bench.reading.corpora import labels_of
from lab.bench.reading.faults import silent_wrong
from lab.bench.reading.held_out import WORKERS
from scripts.regression.files import entry_files
from scripts.regression.pool import read_all
from scripts.regression.read_file import read_file
from scripts.regression.scoring.compare import Verdict, plain
from scripts.regression.scoring.figures import entry_figures
from scripts.regression.scoring.score import EntryScore, score_files
from scripts.regression.together import Together, changes_of

FATHER = "father_figure_name"


def measure(corpus: Path) -> list[Measure]:
    """Read the stacks with the joint pass over each file and without it, and compare."""
    with tempfile.TemporaryDirectory() as cache:
        alone, together = (_read(corpus, Path(cache), how) for how in (Together.NONE, Together.FILE))
    schools = [entry for entry in together if entry.truth and entry.truth["school_name"]]
    families = [entry for entry in together if entry.truth and shares_family_name(entry.truth)]
    how = f"{len(together)} handwritten entries in stacks of one school each, without a school list"
    return [
        measured(
            "heldout_stack_school_right",
            share_right(schools, "school_name"),
            "of 1",
            at_least(0.97),
            f"of the {len(schools)} with a school; {how}",
        ),
        measured(
            "heldout_stack_school_right_alone",
            share_right([entry for entry in alone if entry.truth and entry.truth["school_name"]], "school_name"),
            "of 1",
            None,
            "the same without the joint pass",
        ),
        measured(
            "heldout_family_father_right",
            share_of_family_names(families),
            "of 1",
            at_least(0.9),
            f"family name of the father right, of the {len(families)} entries whose child has it too; {how}",
        ),
        measured(
            "heldout_family_father_right_alone",
            share_of_family_names([e for e in alone if e.truth and shares_family_name(e.truth)]),
            "of 1",
            None,
            "the same without the joint pass",
        ),
        measured(
            "heldout_family_father_whole_right",
            share_right(families, FATHER),
            "of 1",
            None,
            "the whole name of the father, of the same entries",
        ),
        *silent_wrong("heldout_stack", entry_figures(together), how),
    ]


def shares_family_name(truth: Mapping[str, Any]) -> bool:
    """Whether the child has the family name of the father."""
    father, child = truth[FATHER], truth["student_name"]
    return bool(father and child) and family_name(father) in plain(child).split()[1:]


def family_name(person: str) -> str:
    """The last word of a person's name, as it is compared."""
    return plain(person).split()[-1] if plain(person) else ""


def share_right(entries: Sequence[EntryScore], field: str) -> float:
    """Share of the entries of which a field is right."""
    return sum(entry.verdicts[field] is Verdict.RIGHT for entry in entries) / max(len(entries), 1)


def share_of_family_names(entries: Sequence[EntryScore]) -> float:
    """Share of the entries of which the father's family name is right."""
    right = 0
    for entry in entries:
        assert entry.truth is not None
        read = entry.prediction.father_figure_name if entry.prediction else None
        right += family_name(read or "") == family_name(entry.truth[FATHER])
    return right / max(len(entries), 1)


def _read(corpus: Path, cache: Path, together: Together) -> list[EntryScore]:
    provider, files = get_settings().ocr_provider, entry_files(corpus)
    reader = partial(
        read_file,
        use_orchestrator=False,
        ocr_provider=provider,
        cache_dir=cache,
        changes=changes_of(together, files, provider, cache, None, WORKERS),
    )
    scores = score_files(read_all(files, reader, WORKERS, f"together: {together}"), labels_of(corpus))
    return [entry for score in scores for entry in score.entries]
