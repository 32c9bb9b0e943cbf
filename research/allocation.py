"""Allocation of researchers and questions, the state of the rounds, and their routing. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from core.messages import LabelledEnum, Message, MessageCode, say
from research.memo import Kind

#: Most researchers of all kinds together; they work in parallel.
MAX_RESEARCHERS = 3
KINDS: tuple[Kind, ...] = ("web", "academic", "book")

#: Most characters of an invalid input that an error quotes.
_LONGEST_SHOWN = 40
_THREE_DIGITS = re.compile(r"[0-3]{3}", re.ASCII)
_ONE_DIGIT = re.compile(r"[1-3]", re.ASCII)


class KindOfSource(LabelledEnum, places=("kind", "other_kind")):
    """Kinds of sources and of researchers."""

    WEB = "web", "Web"
    ACADEMIC = "academic", "Academic"
    BOOK = "book", "Books"
    ESSAY = "essay", "Essays"
    OTHER = "other", "Other"


class AllocationCode(MessageCode):
    """Messages on the allocation of researchers."""

    ASKED_FOR = "allocation_asked_for", "Sent as requested."
    BY_MODEL = "allocation_by_model", "No numbers were requested; sent as the model chose."
    BY_MODEL_SCALED = (
        "allocation_by_model_scaled",
        "Nobody asked for numbers; the model chose %(chosen)s researchers, and at most %(most)s work at a time.",
    )
    BY_DEFAULT = "allocation_by_default", "No choice was made: one of each kind."
    MODEL_UNUSABLE = "allocation_model_unusable", "The model's choice could not be used: one of each kind."
    HANDED_ON = (
        "allocation_handed_on",
        "%(kind)s: no source is available; researchers that search elsewhere instead (%(other_kind)s): %(count)s.",
    )
    NO_SOURCE = (
        "allocation_no_source",
        ("%(kind)s: no source is available, and none of another kind; researchers that cannot work: %(count)s."),
    )
    NOT_TEXT = "allocation_not_text", "Researchers are written as text such as “210”."
    NOT_DIGITS = (
        "allocation_not_digits",
        "Researchers are three digits from 0 to 3, such as “210”, or one from 1 to 3; not “%(given)s”.",
    )
    OUT_OF_BOUNDS = (
        "allocation_out_of_bounds",
        "Between 1 and %(most)s researchers in total can work at a time; this asks for %(total)s.",
    )


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
    digits = f"{text}00" if _ONE_DIGIT.fullmatch(text) else text
    if not _THREE_DIGITS.fullmatch(digits):
        raise AllocationError(AllocationCode.NOT_DIGITS, given=text[:_LONGEST_SHOWN])
    return _within_bounds(allocation_of(map(int, digits)))


def effective_allocation(
    user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None
) -> ResearcherAllocation:
    """Return the user's choice, else the model's scaled to at most three, else one of each kind.

    Raises AllocationError for an invalid choice of the user; an invalid one of the model is ignored.
    """
    return _decided(user, model)[0]


def explain_allocation(user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None) -> Message:
    """Return a message on who decided the allocation and how it was changed."""
    return _decided(user, model)[1]


def without_unavailable(
    allocation: ResearcherAllocation, available: Collection[str]
) -> tuple[ResearcherAllocation, list[Message]]:
    """Give the researchers of a kind without a source to the next kind that has one, with the reasons.

    If no kind has one, there are no researchers and the reason states it.
    """
    counts = researcher_counts(allocation)
    reasons = []
    for at, kind in enumerate(KINDS):
        if kind in available or not counts[kind]:
            continue
        lost, counts[kind] = counts[kind], 0
        heir = next((other for other in (*KINDS[at + 1 :], *KINDS[:at]) if other in available), None)
        if heir is None:
            reasons.append(Message.of(AllocationCode.NO_SOURCE, kind=kind, count=lost))
        else:
            counts[heir] += lost
            reasons.append(Message.of(AllocationCode.HANDED_ON, kind=kind, count=lost, other_kind=heir))
    return allocation_of(counts.values()), reasons


def assign_questions(questions: Sequence[str], allocation: ResearcherAllocation) -> list[Assignment]:
    """Assign each question to at least one researcher and each researcher at least one question, in turns.

    With fewer questions than researchers, a question goes to several, of different kinds if possible.
    """
    asked = list(dict.fromkeys(stripped for question in questions if (stripped := question.strip())))
    kinds = [kind for kind, count in researcher_counts(allocation).items() for _ in range(count)]
    if not asked or not kinds:
        return []
    if len(asked) <= len(kinds):
        return [Assignment(kind, (asked[at % len(asked)],)) for at, kind in enumerate(kinds)]
    return [Assignment(kind, tuple(asked[at :: len(kinds)])) for at, kind in enumerate(kinds)]


def allocation_of(counts: Iterable[int]) -> ResearcherAllocation:
    """Return the numbers of web, academic and book researchers as an allocation."""
    web, academic, book = counts
    return ResearcherAllocation(web_count=web, academic_count=academic, book_count=book)


def researcher_counts(allocation: Mapping[str, Any]) -> dict[Kind, Any]:
    """Return the numbers of researchers by kind, 0 where there is none."""
    return {kind: allocation.get(f"{kind}_count", allocation.get(f"{kind}_researchers", 0)) for kind in KINDS}


def _decided(
    user: str | ResearcherAllocation | None, model: Mapping[str, Any] | None
) -> tuple[ResearcherAllocation, Message]:
    if user is not None:
        chosen = parse_allocation(user) if isinstance(user, str) else _within_bounds(user)
        return chosen, Message.of(AllocationCode.ASKED_FOR)
    counts = list(researcher_counts(model).values()) if isinstance(model, Mapping) else []
    if not all(type(count) is int and count >= 0 for count in counts) or not sum(counts):
        code = AllocationCode.BY_DEFAULT if model is None else AllocationCode.MODEL_UNUSABLE
        return allocation_of((1, 1, 1)), Message.of(code)
    if (total := sum(counts)) <= MAX_RESEARCHERS:
        return allocation_of(counts), Message.of(AllocationCode.BY_MODEL)
    message = Message.of(AllocationCode.BY_MODEL_SCALED, chosen=total, most=MAX_RESEARCHERS)
    return allocation_of(_scaled(counts)), message


def _within_bounds(allocation: ResearcherAllocation) -> ResearcherAllocation:
    total = sum(researcher_counts(allocation).values())
    if not 1 <= total <= MAX_RESEARCHERS:
        raise AllocationError(AllocationCode.OUT_OF_BOUNDS, most=MAX_RESEARCHERS, total=total)
    return allocation


def _scaled(counts: Sequence[int]) -> list[int]:
    """Scale to at most three in total by largest remainder; ties go to the earlier kind."""
    total = sum(counts)
    scaled = [count * MAX_RESEARCHERS // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda at: (-(counts[at] * MAX_RESEARCHERS % total), at))
    for at in by_remainder[: MAX_RESEARCHERS - sum(scaled)]:
        scaled[at] += 1
    return scaled


# Routing of the round loop; pure functions of the state.


LAST_ROUND = 3


def route_after_join(state: RoundState) -> Literal["plan_round", "synthesise"]:
    """Return "plan_round", or "synthesise" after the last round or if there is a reason to end."""
    if state.get("ended_because") or state.get("round_index", 0) >= LAST_ROUND:
        return "synthesise"
    return "plan_round"


def researcher_of(kind: str) -> str:
    """Return the name of the node for tasks of this kind."""
    return f"{kind}_researcher"


# State of the round loop: ids and counts only; questions, memos and texts are in the report's tables.


class RoundState(TypedDict, total=False):
    """The state of a report; nodes return changed keys only."""

    #: 0 during planning, then 1 to 3.
    round_index: int
    #: Kind by id of the round's tasks that were not done when it was planned, in planned order.
    tasks: dict[str, Kind]
    #: Number of model calls without a usable reply when the round was joined, before the writer's calls.
    unanswered: int
    #: Why the loop ended: "complete", "no_evidence", "budget"; empty while it runs.
    ended_because: str
    #: Whether the report has been written.
    written: bool


class ResearcherState(TypedDict, total=False):
    """The state of a researcher's graph for one task."""

    task_id: str
    #: Hits to read, in order, as JSON.
    hits: list[dict[str, object]]
    #: Keys of sources read in earlier rounds that this task's searches found again.
    known: list[str]
