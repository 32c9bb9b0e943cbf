"""The measures of a group of entries or files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scripts.regression.scoring.compare import SCORED, Verdict, verdict
from scripts.regression.scoring.evidence import ENOUGH
from scripts.regression.scoring.proposals import cases, proposal_figures
from scripts.regression.scoring.score import GOOD, HEADLINE, EntryScore, FileScore

COUNTED = (Verdict.RIGHT, Verdict.MISSED, Verdict.WRONG, Verdict.INVENTED)
#: Fields whose place is judged: those of the table that stand somewhere, and the essay.
PLACED = (*(name for name in SCORED if name != "word_count"), "essay_text")


def file_figures(scores: Sequence[FileScore]) -> dict[str, Any]:
    """What is known of files, and of the entries in them."""
    split = sum(score.split_right for score in scores)
    return {
        "files": len(scores),
        "split_right": split,
        "split_right_share": share(split, len(scores)),
        "errors": sum(score.reading.error is not None for score in scores),
        "seconds": round(sum(score.reading.seconds for score in scores), 2),
        **entry_figures([entry for score in scores for entry in score.entries]),
    }


def entry_figures(entries: Sequence[EntryScore]) -> dict[str, Any]:
    """Return the figures of entries, regardless of their files."""
    labelled = [entry for entry in entries if entry.truth is not None]
    passed = [entry for entry in entries if entry.passed]
    return {
        "entries": len(labelled),
        **_counted("three_right", [entry.three_right for entry in labelled]),
        **_counted("as_found", [entry.as_found for entry in labelled]),
        "second_reader": _second_reader(labelled),
        "passed_without_review": len(passed),
        "silent_wrong": sum(entry.silent_wrong for entry in entries),
        "bad_values_on_passed": sum(entry.bad_values for entry in passed),
        **_complete_typed([entry for entry in labelled if entry.complete_typed]),
        "wrong_or_invented_share": _wrong_share(entries),
        "proposals": proposal_figures(cases(entries)),
        **_essays(labelled),
        "outcomes": dict(sorted(Counter(outcome(entry) for entry in entries).items())),
        "fields": {name: _field_counts(entries, name) for name in SCORED},
        "evidence": {name: counts for name in PLACED if (counts := _evidence(entries, name))["of"]},
    }


def outcome(entry: EntryScore) -> str:
    """The entry's outcome; "not_found" for a label without a prediction."""
    return (entry.prediction.outcome or "none") if entry.prediction else "not_found"


def share(part: int, whole: int) -> float | None:
    """Return part / whole, None if whole is 0."""
    return round(part / whole, 4) if whole else None


def _counted(name: str, hits: Sequence[bool]) -> dict[str, Any]:
    return {name: sum(hits), f"{name}_share": share(sum(hits), len(hits))}


def _second_reader(labelled: Sequence[EntryScore]) -> dict[str, dict[str, int]]:
    """Count the values of name, school and grade by agreement of the two readers, and how many of each are right.

    A value of the record is judged, that of the second reader where only that one has a value.
    """
    found: dict[str, dict[str, int]] = {}
    for entry in labelled:
        for name in HEADLINE:
            seen = entry.prediction.seen.get(name) if entry.prediction else None
            if seen is None or seen.agreement is None or entry.truth is None:
                continue
            group = found.setdefault(seen.agreement, {"values": 0, "first_right": 0, "second_right": 0})
            group["values"] += 1
            group["first_right"] += entry.verdicts[name] in GOOD
            group["second_right"] += verdict(name, entry.truth, seen.second) in GOOD
    return found


def _complete_typed(entries: Sequence[EntryScore]) -> dict[str, Any]:
    return {
        "complete_typed": len(entries),
        **_counted("complete_typed_passed", [entry.passed for entry in entries]),
    }


def _essays(labelled: Sequence[EntryScore]) -> dict[str, Any]:
    """Essays that are there, and how many of them were counted within the label's range."""
    essays = [entry for entry in labelled if entry.truth and entry.truth["word_count"]]
    return {
        "essays": len(essays),
        **_counted("essay_words_in_range", [entry.verdicts["word_count"] is Verdict.RIGHT for entry in essays]),
    }


def _field_counts(entries: Sequence[EntryScore], name: str) -> dict[str, int]:
    counts = Counter(entry.verdicts[name] for entry in entries)
    return {kind.value: counts[kind] for kind in COUNTED}


def _evidence(entries: Sequence[EntryScore], name: str) -> dict[str, Any]:
    """Of the values that are right and whose true box is known, how many were read from that box."""
    found = [
        overlap
        for entry in entries
        if entry.verdicts[_judged_by(name)] is Verdict.RIGHT and (overlap := entry.overlap(name)) is not None
    ]
    right = sum(overlap >= ENOUGH for overlap in found)
    return {"right": right, "of": len(found), "share": share(right, len(found))}


def _judged_by(name: str) -> str:
    """The essay is right as far as the table goes when its words are."""
    return "word_count" if name == "essay_text" else name


def _wrong_share(entries: Sequence[EntryScore]) -> float | None:
    """Return the share of wrong or invented values among all values given."""
    bad = sum(entry.bad_values for entry in entries)
    right = sum(verdict is Verdict.RIGHT for entry in entries for verdict in entry.verdicts.values())
    return share(bad, bad + right)
