"""Hold the entries of a file against what a person sees on its displayed pages, and count those that are gone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.scoring.compare import Verdict, plain, verdict
from scripts.regression.scoring.score import GOOD, HEADLINE

#: Values that are no reason by themselves to hold an entry back.
BESIDE = ("father_figure_name", "phone", "email")
#: Reasons that tell a person that a part of the file is missing among its entries.
NAMED = frozenset(("MORE_IN_FILE", "ATTACHMENTS", "DYNAMIC_FORM", "SPLIT_UNCERTAIN", "UNREAD_CONTENT"))
#: Share of the essay's words that have to agree, in order.
_ALIKE = 0.95
#: From which likeness two names, or two essays, are of one child whatever their pages.
_SAME_CHILD = 0.6
_TEXTS = (*HEADLINE, *BESIDE, "teacher_name", "city_or_location", "essay_text")


@dataclass
class Seen:
    """What became of one file. Each fault says of which entry it speaks and what it is."""

    file: str
    kind: str
    way: str
    #: Entries that passed without a person and are not what the pages show.
    silent: list[str] = field(default_factory=list)
    #: Entries of the file that are gone, and nobody is told.
    lost: list[str] = field(default_factory=list)
    #: Values beside the required ones that are wrong in entries that passed.
    beside: list[str] = field(default_factory=list)
    #: Wrong values in entries that wait for a person.
    shown: list[str] = field(default_factory=list)
    entries: int = 0
    passed: int = 0

    @property
    def right(self) -> bool:
        """Whether nothing is wrong or gone."""
        return not (self.silent or self.lost or self.beside or self.shown)


def see_file(reading: FileReading, label: Mapping[str, Any]) -> Seen:
    """Judge one file by its label."""
    truths: Sequence[Mapping[str, Any]] = label["entries"]
    seen = Seen(reading.file, label["kind"], ", ".join(truths[0]["hazards"]), entries=len(truths))
    pairs = pair(truths, reading.predictions)
    for i, j in pairs.items():
        _see_entry(seen, truths[i], reading.predictions[j], label.get("no_entry", ()))
    for j, prediction in enumerate(reading.predictions):
        if j not in pairs.values():
            _see_stray(seen, truths, prediction, bool(label.get("may_repeat")))
    gone = [truth for i, truth in enumerate(truths) if i not in pairs]
    if gone and not _told(reading, bool(label.get("may_refuse"))):
        seen.lost += [f"{truth['student_name']} ({reading.error or 'no word of it'})" for truth in gone]
    return seen


def _told(reading: FileReading, may_refuse: bool) -> bool:
    """Whether a person is told that entries are missing: by an entry that waits, or by the refusal of the file."""
    if not reading.predictions:
        return may_refuse and reading.error is not None
    waiting = (prediction for prediction in reading.predictions if prediction.needs_review)
    return any(NAMED.intersection(prediction.review_reason_codes) for prediction in waiting)


def pair(truths: Sequence[Mapping[str, Any]], predictions: Sequence[Prediction]) -> dict[int, int]:
    """Which prediction is that of which label: the likest first, and none that has nothing of it."""
    rated = sorted(
        (
            (-_likeness(truth, prediction), i, j)
            for i, truth in enumerate(truths)
            for j, prediction in enumerate(predictions)
        )
    )
    found: dict[int, int] = {}
    for rating, i, j in rated:
        if rating < 0 and i not in found and j not in found.values():
            found[i] = j
    return found


def _likeness(truth: Mapping[str, Any], prediction: Prediction) -> float:
    """How like a label and a prediction are; 0 where they are of two children."""
    name = _alike(truth["student_name"] or "", prediction.student_name or "")
    essay = _alike_in_words(truth["essay_text"] or "", prediction.essay_text or "")
    first, last = truth["page_start"], truth["page_end"]
    on_its_pages = 0 < first <= prediction.page_end and (last is None or prediction.page_start <= last)
    if not on_its_pages and max(name, essay) < _SAME_CHILD:
        return 0.0
    return name + essay + 0.5 * on_its_pages


def _see_entry(seen: Seen, truth: Mapping[str, Any], prediction: Prediction, no_entry: Sequence[str]) -> None:
    passed = not prediction.needs_review
    seen.passed += passed
    faults = list(_faults(truth, prediction, no_entry, passed))
    beside = [name for name in BESIDE if _wrong(name, truth, prediction)]
    who = f"{prediction.student_name!r} for {truth['student_name']!r}"
    if passed:
        if truth.get("must_wait"):
            faults.append("passed, though no machine can know")
        seen.silent += [f"{who}: {'; '.join(faults)}"] if faults else []
        seen.beside += [f"{who}: {', '.join(beside)}"] if beside else []
    elif faults or beside:
        seen.shown.append(f"{who}: {'; '.join((*faults, *beside))} [{','.join(prediction.review_reason_codes)}]")


def _faults(
    truth: Mapping[str, Any], prediction: Prediction, no_entry: Sequence[str], passed: bool
) -> Iterator[str]:
    for name in HEADLINE:
        found = verdict(name, truth, getattr(prediction, name))
        if found not in GOOD:
            yield f"{name} {found}: {getattr(prediction, name)!r} for {truth[name]!r}"
        elif passed and not getattr(prediction, name):
            yield f"{name} is empty"
    if fault := essay_fault(truth, prediction):
        yield fault
    for name in _TEXTS:
        text = getattr(prediction, name) or ""
        if _holds_control(text):
            yield f"{name} holds control characters"
        for foreign in no_entry:
            if _holds(text, foreign):
                yield f"{name} holds {foreign!r}"


def essay_fault(truth: Mapping[str, Any], prediction: Prediction) -> str | None:
    """What is wrong with the essay: its number of words, its words in order, how it begins or ends."""
    if not truth["essay_text"]:
        return "an essay where there is none" if prediction.word_count else None
    if not prediction.word_count:
        return "no essay"
    low, high = truth["word_count_range"]
    if not low <= prediction.word_count <= high:
        return f"{prediction.word_count} words for {low} to {high}"
    if prediction.essay_text is None:
        return None
    fair = (truth["essay_text"], *truth["accepted"].get("essay_text", ()))
    if not truth["typed"]:
        return (
            None if any(_alike_in_words(text, prediction.essay_text) >= 0.75 for text in fair) else "other essay"
        )
    got = plain(prediction.essay_text).split()
    for text in fair:
        true = plain(text).split()
        ends = true[:3] == got[:3] and true[-3:] == got[-3:]
        if ends and SequenceMatcher(None, true, got, autojunk=False).ratio() >= _ALIKE:
            return None
    return f"the essay is not as shown: {' '.join(got[:4])!r} to {' '.join(got[-4:])!r}"


def _see_stray(seen: Seen, truths: Sequence[Mapping[str, Any]], prediction: Prediction, may_repeat: bool) -> None:
    """Judge an entry that is on no page of the file, or one that is there twice."""
    if may_repeat and any(not list(_faults(truth, prediction, (), False)) for truth in truths):
        return
    what = f"an entry that is none: {prediction.student_name!r}, {prediction.school_name!r}"
    (seen.shown if prediction.needs_review else seen.silent).append(what)


def _wrong(name: str, truth: Mapping[str, Any], prediction: Prediction) -> bool:
    return verdict(name, truth, getattr(prediction, name)) not in (Verdict.RIGHT, Verdict.EMPTY)


def _alike(true: str, got: str) -> float:
    return SequenceMatcher(None, plain(true), plain(got), autojunk=False).ratio() if true and got else 0.0


def _alike_in_words(true: str, got: str) -> float:
    words, read = plain(true).split(), plain(got).split()
    return SequenceMatcher(None, words, read, autojunk=False).ratio() if words and read else 0.0


def _holds(text: str, foreign: str) -> bool:
    """Whether a value holds a text, as whole words; a text of signs alone, as it is."""
    if not plain(foreign):
        return foreign in text
    return f" {plain(foreign)} " in f" {plain(text)} "


def _holds_control(text: str) -> bool:
    return any(unicodedata.category(sign) in ("Cc", "Cs") for sign in re.sub(r"[\t\n\v\f\r]", "", text))
