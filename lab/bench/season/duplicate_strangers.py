"""Entries sent twice, written by somebody who has not seen the code: nothing was tuned on them."""

from __future__ import annotations

import json
from pathlib import Path

from lab.bench.measure import Measure, measured
from lab.bench.office import offices
from lab.bench.season.duplicates import found_pairs, tell
from pipeline.duplicates.comparison import Subject

#: {"entries": [{"id", "name", "school", "grade", "essay"}], "same": [[id, id]]}
FILE = Path(__file__).parent / "strangers_duplicates.json"


def measure() -> list[Measure]:
    """Find the pairs that a stranger says are one entry."""
    given = json.loads(FILE.read_text(encoding="utf-8"))
    place = {one["id"]: number for number, one in enumerate(given["entries"])}
    subjects = [Subject(one["name"], one["school"], one["grade"], one["essay"]) for one in given["entries"]]
    same = {(min(pair), max(pair)) for pair in ([place[one], place[other]] for one, other in given["same"])}
    with offices("duplicates_strangers", 1) as (office,):
        _, pairs = found_pairs(office, subjects)
    tell(subjects, same, pairs)
    of = f"{len(same)} pairs among {len(subjects)} entries, written by somebody who has not seen the code"
    right = len(pairs & same)
    return [
        measured("duplicate_strangers_recall", right / len(same), "share", None, of),
        measured("duplicate_strangers_precision", right / max(1, len(pairs)), "share", None, of),
    ]
