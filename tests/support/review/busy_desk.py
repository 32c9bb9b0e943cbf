"""Ten entries that wait, made quickly, and what must hold of them whatever three reviewers do."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from sqlalchemy import select, update
from sqlalchemy.orm import Session

import services.runs.run
from core.graphs import StrictSerializer
from core.models import (
    Escalation,
    Profile,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Season,
    Submission,
    SubmissionField,
    Upload,
)
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.schema import FIELD_NAMES
from services.context import Context
from services.stats.counts import recompute_counts, wrong_counts
from tests.support import factories
from tests.support.reading.stacks import stack_pdf
from tests.support.review.trail import replay_events

ESSAY = "My father listens first and talks later. " * 12
READ = {
    **dict.fromkeys(FIELD_NAMES),
    "student_name": "Marisol Quintero",
    "school_name": "Lakeview Elementary School",
    "essay_text": ESSAY,
    "word_count": str(len(ESSAY.split())),
}
#: Statuses of an entry for which exactly one item of this kind waits.
WAITS = {"suggested": (1, 0), "escalated": (0, 1)}


def forget_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph's threads are gone: every run is settled from its row."""
    graph = create_orchestrator_graph(InMemorySaver(serde=StrictSerializer()))

    def forgetful(_: Context) -> tuple[object, list[object]]:
        return graph, []

    monkeypatch.setattr(services.runs.run, "open_run_graph", forgetful)


@dataclass(frozen=True)
class BusyDesk:
    """Who and what is at the desk."""

    season_id: uuid.UUID
    upload_id: uuid.UUID
    reviewers: Sequence[uuid.UUID]
    submissions: Sequence[uuid.UUID]
    suggestions: Sequence[uuid.UUID]
    escalations: Sequence[uuid.UUID]


def open_desk(context: Context, proposals: int = 5, escalated: int = 5) -> BusyDesk:
    """A season of its own with so many entries of each kind, and three reviewers."""
    with context.database.session() as session:
        session.execute(update(Season).values(is_current=False))
        season = Season(name=f"Season {uuid.uuid4().hex}", is_current=True)
        people = [
            Profile(role="reviewer", display_name=name, email=f"{uuid.uuid4().hex}@example.org")
            for name in ("Ana Ruiz", "Ben Okoro", "Chloe Lindqvist")
        ]
        session.add_all([season, *people])
        session.flush()
        statuses = ["suggested"] * proposals + ["escalated"] * escalated
        upload = _file(context, session, people[0], len(statuses))
        submissions = [
            factories.make_submission(
                session,
                upload,
                chunk_index=index,
                page_start=index + 1,
                page_end=index + 1,
                status=status,
                missing_fields=["grade"],
                student_name=READ["student_name"],
                school_name=READ["school_name"],
                word_count=int(READ["word_count"] or 0),
            )
            for index, status in enumerate(statuses)
        ]
        items = [_wait(session, submission) for submission in submissions]
        session.flush()
        for run in session.scalars(select(Run).where(Run.season_id == season.id)):
            factories.make_fact(session, run)
        desk = BusyDesk(
            season.id,
            upload.id,
            [person.id for person in people],
            [submission.id for submission in submissions],
            [item.id for item in items[:proposals]],
            [item.id for item in items[proposals:]],
        )
    recompute_counts(context.database)
    return desk


def _file(context: Context, session: Session, owner: Profile, pages: int) -> Upload:
    """The file that all of them came in, a page each."""
    upload: Upload = factories.make_upload(session, factories.make_batch(session, owner), page_count=pages)
    upload.pdf_key = upload.storage_key
    context.store.put(upload.storage_key, stack_pdf("A", pages))
    for number in range(1, pages + 1):
        factories.make_page(session, upload, page_no=number)
    return upload


def _wait(session: Session, submission: Submission) -> ReviewSuggestion | Escalation:
    for name, value in READ.items():
        session.add(
            SubmissionField(
                submission_id=submission.id,
                season_id=submission.season_id,
                name=name,
                value=value,
                confidence=0.9 if value else 0.0,
                source="ocr" if value else None,
            )
        )
    if submission.status == "escalated":
        run = factories.make_run(session, submission, status="interrupted", outcome="escalated")
        escalation: Escalation = factories.make_escalation(session, run)
        return escalation
    run = factories.make_run(session, submission, outcome="suggested")
    suggestion: ReviewSuggestion = factories.make_suggestion(session, run, proposed_updates={"grade": "4"})
    session.add(ReviewSuggestionField(suggestion_id=suggestion.id, name="grade", proposed_value="4"))
    session.add(
        ReviewSuggestionField(
            suggestion_id=suggestion.id,
            name="school_name",
            current_value=READ["school_name"],
            proposed_value="Lakeview Elementary",
        )
    )
    return suggestion


def check_desk(context: Context, desk: BusyDesk) -> None:
    """Nothing lost, nothing twice, everything told."""
    with context.database.session() as session:
        events = _by_entry(session, ReviewEvent, desk, order=ReviewEvent.id)
        fields = _by_entry(session, SubmissionField, desk)
        suggestions = _by_entry(session, ReviewSuggestion, desk)
        escalations = _by_entry(session, Escalation, desk)
        decisions = _by_entry(session, ReviewDecision, desk)
        for submission in session.scalars(select(Submission).where(Submission.id.in_(desk.submissions))):
            key = submission.id
            _check_waiting(submission, suggestions[key], escalations[key])
            _check_projection(submission, fields[key], events[key])
            for suggestion in suggestions[key]:
                _check_applied_once(suggestion, events[key], decisions[key])
        _check_proposed_fields(session, desk)
    assert wrong_counts(context.database) == 0


def _by_entry(session: Session, model: Any, desk: BusyDesk, order: Any = None) -> dict[uuid.UUID, list[Any]]:
    found: dict[uuid.UUID, list[Any]] = defaultdict(list)
    for row in session.scalars(select(model).where(model.submission_id.in_(desk.submissions)).order_by(order)):
        found[row.submission_id].append(row)
    return found


def _check_waiting(
    submission: Submission, suggestions: list[ReviewSuggestion], escalations: list[Escalation]
) -> None:
    """What waits is what the entry's status says."""
    pending = [sum(item.status == "pending" for item in items) for items in (suggestions, escalations)]
    assert tuple(pending) == WAITS.get(submission.status, (0, 0)), submission.status
    assert submission.needs_review == (
        submission.status not in ("completed", "resolved", "rejected", "superseded")
    )


def _check_projection(submission: Submission, rows: list[SubmissionField], events: list[ReviewEvent]) -> None:
    """The record is the replay of its trail, and lists show the record."""
    fields = {row.name: row.value for row in rows if row.value is not None}
    told = replay_events(READ, events)
    assert told.values == fields and not told.breaks
    shown = {name: getattr(submission, name) for name in ("student_name", "school_name", "grade")}
    assert shown == {name: fields.get(name) for name in shown}
    assert submission.word_count == (int(fields["word_count"]) if "word_count" in fields else None)


def _undid_proposal(event: ReviewEvent) -> bool:
    # A split is undone under a reason of its own, which names no kind of decision.
    return event.message is not None and event.message.params.get("decision_kind") == "suggestion"


def _check_applied_once(
    suggestion: ReviewSuggestion, events: list[ReviewEvent], decisions: list[ReviewDecision]
) -> None:
    """A proposal was applied once more than it was taken back, or as often."""
    applied = {event.version for event in events if event.kind.startswith("field_")}
    undone = [event for event in events if event.kind == "undone" and _undid_proposal(event)]
    standing = int(suggestion.status in ("approved", "rejected"))
    assert len(applied) - sum(event.field_name is None for event in undone) == standing, suggestion.status
    kept = [decision.undone_at for decision in decisions if decision.item_id == suggestion.id]
    assert (len(kept), kept.count(None)) == (len(applied), standing)


def _check_proposed_fields(session: Session, desk: BusyDesk) -> None:
    """Each field of a proposal is decided when the proposal is."""
    rows = session.execute(
        select(ReviewSuggestion.status, ReviewSuggestionField.decision)
        .join(ReviewSuggestionField, ReviewSuggestionField.suggestion_id == ReviewSuggestion.id)
        .where(ReviewSuggestion.season_id == desk.season_id)
    )
    for row in rows:
        assert (row.status in ("approved", "rejected")) == (row.decision != "pending")


def check_nothing_left(context: Context, desk: BusyDesk) -> None:
    """Once every resume was done: no decision is in the outbox, no run is held, each decided run is settled."""
    with context.database.session() as session:
        rows = session.execute(
            select(Escalation.status, Escalation.resumed_at, Run.status.label("run"), Run.lease_owner)
            .join(Run, Run.run_id == Escalation.run_id)
            .where(Escalation.season_id == desk.season_id)
        ).all()
    for row in rows:
        assert row.lease_owner is None
        decided = row.status in ("resolved", "rejected")
        assert decided == (row.resumed_at is not None), row
        if decided:
            assert row.run == "settled"
