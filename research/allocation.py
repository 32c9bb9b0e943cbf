"""Decide how many researchers of each kind work and assign their questions; without side effects."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from core.messages import Message
from core.saying import say
from research.memo.worker_result import Kind
from research.plan.allocation_codes import AllocationCode

#: Most researchers of all kinds together, which work at the same time.
MAX_RESEARCHERS = 3
KINDS: tuple[Kind, ...] = ("web", "academic", "book")

Counts = tuple[int, int, int]

_DEFAULT: Counts = (1, 1, 1)
#: Most characters of the input that an error repeats.
_LONGEST_SHOWN = 40
_THREE_DIGITS = re.compile(r"[0-3]{3}", re.ASCII)
_ONE_DIGIT = re.compile(r"[1-3]", re.ASCII)
#: The names by which models give the three counts.
_NAMES: Mapping[Kind, tuple[str, ...]] = {kind: (f"{kind}_count", f"{kind}_researchers", kind) for kind in KINDS}


class AllocationError(ValueError):
    """An invalid allocation; `code` and `params` give the reason."""

    def __init__(self, code: AllocationCode, **params: str | int) -> None:
        super().__init__(say(Message.of(code, **params)))
        self.code = code
        self.params = params


class ResearcherAllocation(TypedDict):
    """Number of researchers of each kind."""

    web_count: int
    academic_count: int
    book_count: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """A researcher and its questions."""

    kind: Kind
    questions: tuple[str, ...]


def parse_allocation(text: str) -> ResearcherAllocation:
    """Read "210" (two web, one academic, no book researchers) or "2" (two web researchers).

    Raises AllocationError for anything else, and for a total of zero or more than three.
    """
    if not isinstance(text, str):
        raise AllocationError(AllocationCode.NOT_TEXT)
    if _ONE_DIGIT.fullmatch(text):
        return allocation_of((int(text), 0, 0))
    if not _THREE_DIGITS.fullmatch(text):
        raise AllocationError(AllocationCode.NOT_DIGITS, given=text[:_LONGEST_SHOWN])
    return allocation_of(_within_bounds((int(text[0]), int(text[1]), int(text[2]))))


def effective_allocation(
    user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None
) -> ResearcherAllocation:
    """Return the user's choice, else the model's scaled to at most three, else one of each kind.

    Raises AllocationError for an invalid choice of the user; an invalid one of the model is ignored.
    """
    return allocation_of(_decided(user, model)[0])


def explain_allocation(user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None) -> Message:
    """Return a message on who decided the allocation and how it was changed."""
    return _decided(user, model)[1]


def without_unavailable(
    allocation: ResearcherAllocation, available: Collection[str]
) -> tuple[ResearcherAllocation, list[Message]]:
    """Give the researchers of a kind without a source to the next kind that has one, with the reasons.

    If no kind has one, there are no researchers and the reason states it.
    """
    up = [
        kind
        for kind in KINDS
        if kind in available and not (isinstance(available, Mapping) and not available[kind])
    ]
    counts = dict(zip(KINDS, _counts(allocation), strict=True))
    reasons = []
    for at, kind in enumerate(KINDS):
        if kind in up or not counts[kind]:
            continue
        lost, counts[kind] = counts[kind], 0
        heir = next((other for other in (*KINDS[at + 1 :], *KINDS[:at]) if other in up), None)
        if heir is None:
            reasons.append(Message.of(AllocationCode.NO_SOURCE, kind=kind, count=lost))
        else:
            counts[heir] += lost
            reasons.append(Message.of(AllocationCode.HANDED_ON, kind=kind, count=lost, other_kind=heir))
    return allocation_of((counts["web"], counts["academic"], counts["book"])), reasons


def assign_questions(questions: Sequence[str], allocation: ResearcherAllocation) -> list[Assignment]:
    """Assign each question to at least one researcher and each researcher at least one question, in turns.

    With fewer questions than researchers, a question goes to several, of different kinds if possible.
    """
    asked = list(dict.fromkeys(stripped for question in questions if (stripped := question.strip())))
    kinds = [kind for kind, count in zip(KINDS, _counts(allocation), strict=True) for _ in range(count)]
    if not asked or not kinds:
        return []
    if len(asked) <= len(kinds):
        return [Assignment(kind, (asked[at % len(asked)],)) for at, kind in enumerate(kinds)]
    return [Assignment(kind, tuple(asked[at :: len(kinds)])) for at, kind in enumerate(kinds)]


def allocation_of(counts: Counts) -> ResearcherAllocation:
    """Return the numbers of web, academic and book researchers as an allocation."""
    return ResearcherAllocation(web_count=counts[0], academic_count=counts[1], book_count=counts[2])


def _decided(user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None) -> tuple[Counts, Message]:
    if isinstance(user, str):
        return _counts(parse_allocation(user)), Message.of(AllocationCode.ASKED_FOR)
    if user is not None:
        counts = _proposed(user)
        if counts is None:
            raise AllocationError(AllocationCode.NOT_COUNTS)
        return _within_bounds(counts), Message.of(AllocationCode.ASKED_FOR)
    proposed = _proposed(model)
    if proposed is None or not sum(proposed):
        return _DEFAULT, Message.of(AllocationCode.BY_DEFAULT if model is None else AllocationCode.MODEL_UNUSABLE)
    if sum(proposed) <= MAX_RESEARCHERS:
        return proposed, Message.of(AllocationCode.BY_MODEL)
    said = Message.of(AllocationCode.BY_MODEL_SCALED, chosen=sum(proposed), most=MAX_RESEARCHERS)
    return _scaled(proposed), said


def _within_bounds(counts: Counts) -> Counts:
    total = sum(counts)
    if not 1 <= total <= MAX_RESEARCHERS or max(counts) > MAX_RESEARCHERS:
        raise AllocationError(AllocationCode.OUT_OF_BOUNDS, most=MAX_RESEARCHERS, total=total)
    return counts


def _proposed(model: Any) -> Counts | None:
    """Return the three counts of a mapping, 0 for a missing one; None if any is not a count."""
    if not isinstance(model, Mapping):
        return None
    found = [next((model[name] for name in _NAMES[kind] if name in model), 0) for kind in KINDS]
    if any(not isinstance(count, int) or isinstance(count, bool) or count < 0 for count in found):
        return None
    web, academic, book = found
    return web, academic, book


def _scaled(counts: Counts) -> Counts:
    """Scale to at most three in total by largest remainder; ties go to the earlier kind."""
    total = sum(counts)
    scaled = [count * MAX_RESEARCHERS // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda at: (-(counts[at] * MAX_RESEARCHERS % total), at))
    for at in by_remainder[: MAX_RESEARCHERS - sum(scaled)]:
        scaled[at] += 1
    return scaled[0], scaled[1], scaled[2]


def _counts(allocation: ResearcherAllocation) -> Counts:
    return allocation["web_count"], allocation["academic_count"], allocation["book_count"]
