"""State of the loop, its routing, and the check that a revision loses nothing. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from operator import add
from typing import Annotated, Any, Literal, TypedDict

from core.messages import Message
from research.document import MARKER, ReportDocument
from research.supervision.types import BREAKER, AttemptOutcome, Ended, RefusalCode, SupervisionTier


def route_after_analysis(state: SupervisionState) -> Literal["proceed", "settle", "finalize"]:
    """Return "finalize" after an end, "settle" if the attempt is over, else "proceed".

    Also used after research and integration.
    """
    if state.get("ended_because"):
        return "finalize"
    return "settle" if state.get("outcome") else "proceed"


def should_continue(state: SupervisionState) -> Literal["continue", "complete"]:
    """Return "continue" if another attempt is made, else "complete"."""
    return "complete" if state.get("ended_because") else "continue"


def loop_end(state: SupervisionState, tier: SupervisionTier) -> Ended | None:
    """Return why the loop ends after an attempt, or None if it continues or has not begun."""
    if state.get("failures", 0) >= BREAKER:
        return Ended.CIRCUIT_BREAKER
    iteration = state.get("iteration", 0)
    if iteration < tier.max_iterations:
        return None
    if state.get("without_evidence", 0) == iteration:
        return Ended.NO_EVIDENCE
    if state.get("outcome") == AttemptOutcome.FAILED and not state.get("integrations") and iteration == 1:
        # The only permitted attempt failed, so nothing was completed.
        return Ended.ERROR
    return Ended.MAX_ITERATIONS


# Check a revision: no lost citations or required sections, no unknown sources, no shrunken document.


#: Least length of the bodies, as a share of the length before the revision.
LEAST_LENGTH = 0.8
_MARKER = re.compile(MARKER)


def cited_keys(document: ReportDocument) -> set[str]:
    """Return the citation keys of all markers in the document."""
    return {key for key, _ in _markers(document)}


def revision_problems(before: ReportDocument, after: ReportDocument, new_keys: Collection[str]) -> list[Message]:
    """Return the reasons to refuse a revision; empty if it passes.

    `new_keys`: sources found by the expansion; they may be cited, and at least one must support something new.
    """
    was_cited, now_cited, new = cited_keys(before), cited_keys(after), set(new_keys)
    was_listed = {reference.key for reference in before.references}
    now_listed = {reference.key for reference in after.references}
    keys = {
        RefusalCode.CITATIONS_LOST: was_cited - now_cited,
        RefusalCode.CITATIONS_UNKNOWN: now_cited - was_cited - was_listed - new,
        RefusalCode.REFERENCES_LOST: was_listed - now_listed,
        RefusalCode.REFERENCES_MISSING: (now_cited & new) - now_listed,
    }
    problems = [Message.of(code, keys=sorted(some)) for code, some in keys.items() if some]
    if headings := [*_lost_sections(before, after)]:
        problems.append(Message.of(RefusalCode.SECTIONS_LOST, headings=headings))
    was, now = _length(before), _length(after)
    if now < LEAST_LENGTH * was:
        least = round(100 * LEAST_LENGTH)
        problems.append(Message.of(RefusalCode.TEXT_SHRUNK, was=was, now=now, least=least))
    # A source may already be cited for something else.
    if new.isdisjoint(key for key, _ in _markers(after) - _markers(before)):
        problems.append(Message.of(RefusalCode.NOTHING_NEW))
    return problems


def _lost_sections(before: ReportDocument, after: ReportDocument) -> Iterator[str]:
    """Yield the headings of required sections that are missing or have lost their text."""
    left = {section.key: section for section in after.sections}
    for section in before.sections:
        now = left.get(section.key)
        stands = now is not None and (now.body.strip() or (now.heading.strip() and not section.body.strip()))
        if section.required and not stands:
            yield section.heading


def _markers(document: ReportDocument) -> set[tuple[str, str | None]]:
    found = (marker for section in document.sections for marker in _MARKER.finditer(section.body))
    return {(marker["key"], marker["claim"]) for marker in found}


def _length(document: ReportDocument) -> int:
    return sum(len(_MARKER.sub("", section.body).strip()) for section in document.sections)


# State of the loop: ids and numbers in JSON types only; documents stay in the store.


class SupervisionState(TypedDict, total=False):
    """State of one loop; nodes return changed keys only, and new items only of accumulated lists."""

    supervision_id: str
    #: The last good version of the document.
    version_no: int
    #: Number of attempts begun, counted only when an analysis begins.
    iteration: int
    integrations: int
    #: Consecutive failures.
    failures: int
    #: Number of attempts without a source.
    without_evidence: int
    #: `Issue` of the current attempt, as JSON.
    issue: dict[str, Any] | None
    #: Outcome of the current attempt; None while it runs, and for one that made a revision.
    outcome: str | None
    #: The revision that waits for a person, or None.
    revision_id: str | None
    #: `explored_key` of every explored issue.
    explored: Annotated[list[str], add]
    #: Reasoning and confidence of the latest decision.
    reasoning: str
    confidence: float | None
    #: Why the current attempt failed, as messages in JSON.
    reasons: list[dict[str, Any]]
    ended_because: str | None
    #: The basis of the end, as a message in JSON.
    ended_note: dict[str, Any] | None
    error_code: str | None
    #: Whether the end has been stored.
    finished: bool
