"""Three reviewers and a worker at the very same time: one wins, nobody waits for ever, the trail is whole."""

from __future__ import annotations

import random
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from core.errors import ConflictError, InvalidInputError, LeaseLostError
from core.models import Escalation, ReviewSuggestion, Submission
from services.context import Context
from services.entries.change import edit_record
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, reopen_record, undo_decision
from services.runs.run import resume_run
from tests.support.review.busy_desk import BusyDesk, check_desk, check_nothing_left, forget_threads, open_desk

ROUNDS = 40


def test_one_of_three_wins(context: Context) -> None:
    desk = open_desk(context, proposals=1, escalated=0)
    start = threading.Barrier(3)

    def decide(who: uuid.UUID) -> bool:
        start.wait()
        try:
            decide_suggestion(context, who, desk.suggestions[0], 1, {"grade": FieldAnswer("approve")})
        except ConflictError as error:
            assert "approved by" in error.detail
            return False
        return True

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(decide, desk.reviewers)) == [False, False, True]
    check_desk(context, desk)


def test_all_at_once(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_threads(monkeypatch)
    desk = open_desk(context, proposals=1, escalated=1)

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(ROUNDS):
            try:
                chance.choice(DEEDS)(context, desk, desk.reviewers[seed % 3])
            except (ConflictError, InvalidInputError, LeaseLostError):
                continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    waiting = context.database.scalars(select(Escalation.id))
    for item in waiting:
        resume_run(context, item)
    check_desk(context, desk)
    check_nothing_left(context, desk)


def _decide(context: Context, desk: BusyDesk, who: uuid.UUID) -> None:
    version = _version(context, ReviewSuggestion, desk.suggestions[0])
    answers = dict.fromkeys(("grade", "school_name"), FieldAnswer("approve"))
    decide_suggestion(context, who, desk.suggestions[0], version, answers)


def _resolve(context: Context, desk: BusyDesk, who: uuid.UUID) -> None:
    version = _version(context, Escalation, desk.escalations[0])
    resolve_escalation(context, who, desk.escalations[0], version, "settle", {"grade": "4"})


def _resume(context: Context, desk: BusyDesk, _: uuid.UUID) -> None:
    resume_run(context, desk.escalations[0])


def _edit(context: Context, desk: BusyDesk, who: uuid.UUID) -> None:
    for entry in desk.submissions:
        edit_record(context, who, entry, _version(context, Submission, entry), {"student_name": who.hex[:8]})


def _reopen(context: Context, desk: BusyDesk, who: uuid.UUID) -> None:
    for entry in desk.submissions:
        reopen_record(context, who, entry, _version(context, Submission, entry))


def _undo(context: Context, _: BusyDesk, who: uuid.UUID) -> None:
    if (found := last_decision(context, who)) is not None:
        undo_decision(context, who, found)


def _version(context: Context, model: type, key: uuid.UUID) -> int:
    with context.database.session() as session:
        found: int = session.scalars(select(model.version).where(model.id == key)).one()  # type: ignore[attr-defined]
        return found


DEEDS: list[Callable[[Context, BusyDesk, uuid.UUID], None]] = [_decide, _resolve, _resume, _edit, _reopen, _undo]
