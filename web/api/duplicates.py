"""Entries that may have been sent before: the pairs that wait, the decision on one, and taking it back."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import Field

from core.models import PairDecision, SubmissionStatus
from pipeline.duplicates.comparison import Likeness, Strength
from services.review.pair_decisions import decide_pair
from services.review.pairs import list_pairs
from services.review.undo import undo_pair
from web.access import get_context, get_person
from web.api.operation import operation, version_seen
from web.api.protocol import ListPage, PageQuery, Reason, RequestModel, ResponseModel, Share, Version


class SubmissionOfPairShape(ResponseModel):
    """One of the two entries."""

    id: uuid.UUID
    status: SubmissionStatus
    student_name: str | None
    school_name: str | None
    grade: str | None
    created_at: datetime


class PairShape(ResponseModel):
    """Two entries that may be one."""

    id: uuid.UUID
    version: int
    first: SubmissionOfPairShape
    second: SubmissionOfPairShape = Field(description="The later one, which waits for the decision.")
    strength: Strength
    likenesses: list[Likeness]
    essay: Share | None = Field(description="Likeness of the essays; null where they cannot be compared.")
    created_at: datetime


class PairList(ListPage[PairShape]):
    """Pairs that wait for a person, oldest first."""


class PairAnswer(RequestModel):
    """A decision on a pair."""

    version: Version | None = None
    decision: PairDecision = Field(
        description=(
            "`replace`: the second takes the place of the first, with what people decided on its values. "
            "`join`: a form without its essay and an essay without its form become one entry, which is read anew."
        )
    )
    reason: Reason | None = None


class PairUndo(RequestModel):
    """Which decision is taken back."""

    version: int | None = Field(
        None, ge=1, lt=2**31, description="The pair's version since the decision; none: whatever stands now."
    )


@operation("GET", "/duplicates", rule="reader", answer=PairList)
def list_duplicates(query: PageQuery) -> Any:
    """List the pairs of entries that may be one."""
    return list_pairs(get_context(), query.cursor or None, query.limit)


@operation("POST", "/duplicates/<uuid:pair_id>/decision", rule="reviewer", answer=None)
def decide_duplicate(pair_id: uuid.UUID, body: PairAnswer) -> None:
    """Decide which of the two is kept."""
    decide_pair(get_context(), get_person().id, pair_id, version_seen(body), body.decision, body.reason)


@operation("POST", "/duplicates/<uuid:pair_id>/undo", rule="reviewer", answer=None, problems=(409,))
def undo_duplicate(pair_id: uuid.UUID, query: PairUndo) -> None:
    """Take the decision back, if neither entry has changed since.

    A decision raises the version of its pair by one. Name that version, so that no later decision is taken back.
    """
    undo_pair(get_context(), get_person().id, pair_id, query.version)
