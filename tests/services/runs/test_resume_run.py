"""A resume that comes late: a decision taken back meanwhile is not carried out."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.models import Escalation, Run
from services.context import Context
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, undo_decision
from services.runs.run import resume_run
from tests.services.conftest import Reviewers
from tests.support.moments import watching
from tests.support.review import desk
from tests.support.review.busy_desk import forget_threads


#: The lease is taken; the run is about to be closed.
@pytest.mark.parametrize("at", ["committed runs", "lock runs"])
@pytest.mark.parametrize("decided_anew", [False, True])
def test_a_decision_taken_back_settles_nothing(
    context: Context,
    reviewers: Reviewers,
    escalated: desk.Entry,
    monkeypatch: pytest.MonkeyPatch,
    at: str,
    decided_anew: bool,
) -> None:
    forget_threads(monkeypatch)
    assert escalated.escalation
    item = escalated.escalation.id
    resolve_escalation(context, reviewers.ana, item, 1, "settle", {"grade": "4"})

    changed = False

    def change_of_mind(moment: str) -> None:
        nonlocal changed
        if moment == at and not changed:
            changed = True
            decision = last_decision(context, reviewers.ana)
            assert decision is not None
            undo_decision(context, reviewers.ana, decision)
            if decided_anew and at == "lock runs":
                resolve_escalation(context, reviewers.ana, item, 3, "reject", {})

    with watching(change_of_mind):
        assert not resume_run(context, item)
    assert changed
    with context.database.session() as session:
        run, row = session.scalars(select(Run)).one(), session.get_one(Escalation, item)
    assert (run.status, run.lease_owner, row.resumed_at) == ("interrupted", None, None)
    if row.status == "rejected":
        assert resume_run(context, item), "the new decision is carried out"
