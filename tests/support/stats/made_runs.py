"""Runs of every kind over some months, written as rows and counted one after the other, as they happen."""

from __future__ import annotations

import random
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from core.messages import Message
from core.models import (
    ModelCallRow,
    OrchestratorLog,
    Profile,
    ReviewDecision,
    ReviewEffort,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    RunFact,
    Submission,
    Upload,
    UploadBatch,
)
from pipeline.reason_codes import ProposalReason
from services.stats.counts import count_decision, count_later_steps, count_run, uncount_decision
from tests.support import factories

FIRST = datetime(2026, 9, 20, 22, 0, tzinfo=UTC)
_FIELDS = ("student_name", "school_name", "grade")
_REASONS = {
    "completed": ("confident",),
    "suggested": ("proposed_because", "unsure"),
    "escalated": ("nothing_to_propose", "blank_form", "needs_decision"),
    "failed": ("damaged_document",),
}


class MadeRuns:
    """Draws runs with their steps, calls, proposals and decisions, all by one seed."""

    def __init__(self, session: Session, seed: int, first: datetime = FIRST) -> None:
        self._session, self._draw, self._first = session, random.Random(seed), first
        season = factories.make_season(session)
        self.season_id = season.id
        self._reviewer = factories.make_profile(session, "reviewer")
        owner = factories.make_profile(session)
        self._schools = [factories.make_school(session) for _ in range(3)]
        self._batches = [self._batch(owner, days) for days in (0, 10, 40, 41)]

    def add(self, count: int) -> None:
        """Write this many runs, each counted when the machine is done with it."""
        for _ in range(count):
            self._add_run()
        self._session.flush()

    def _add_run(self) -> None:
        draw = self._draw
        batch, upload = draw.choice(self._batches)
        outcome = draw.choices(list(_REASONS), (6, 3, 2, 1))[0]
        ended = batch.created_at + timedelta(seconds=draw.expovariate(1 / 40_000))
        school = draw.choice([None, *self._schools])
        submission, run = self._entry(batch, upload, outcome)
        fact = RunFact(
            run_id=run.run_id,
            submission_id=submission.id,
            season_id=self.season_id,
            batch_id=batch.id,
            ended_at=ended,
            outcome=outcome,
            reason=draw.choice(_REASONS[outcome]),
            fields=draw.sample(_FIELDS, draw.randint(0, 2)) if outcome != "completed" else [],
            doubts=draw.sample(("EMPTY_ESSAY", "UNKNOWN_SCHOOL", "SHORT_ESSAY"), draw.randint(0, 2)),
            tools=["run_pipeline", *["retry_with_llm"] * draw.randint(0, 2), "save_complete"],
            profile=draw.choice(("ifi_2025", "ifi_2026", None)),
            language=draw.choice(("en", "en", "es", None)),
            ocr_provider=draw.choice(("rapidocr", None)),
            school_id=None if school is None else school.id,
        )
        self._session.add(fact)
        self._session.add_all(self._steps(run, ended, 1, len(fact.tools)))
        self._session.add_all(self._calls(run, ended))
        suggestion = self._proposal(run) if outcome == "suggested" else None
        count_run(self._session, run.run_id)
        if outcome in ("suggested", "escalated"):
            self._decisions(fact, suggestion)

    def _batch(self, owner: Profile, days: int) -> tuple[UploadBatch, Upload]:
        batch = factories.make_batch(self._session, owner, created_at=self._first + timedelta(days=days))
        return batch, factories.make_upload(self._session, batch)

    def _entry(self, batch: UploadBatch, upload: Upload, outcome: str) -> tuple[Submission, Run]:
        key = uuid.UUID(int=self._draw.getrandbits(128))
        submission = Submission(
            id=key,
            season_id=self.season_id,
            batch_id=batch.id,
            upload_id=upload.id,
            owner_user_id=upload.uploaded_by,
            chunk_index=self._draw.getrandbits(30),
            page_start=1,
            page_end=1,
            doc_class="SINGLE_TYPED",
            doc_format="native_text",
            status=outcome,
            needs_review=outcome != "completed",
            error_code="damaged_document" if outcome == "failed" else None,
        )
        run = Run(run_id=f"{key}:1", submission_id=key, season_id=self.season_id, run_no=1, status="settled")
        self._session.add(submission)
        self._session.flush()
        self._session.add(run)
        self._session.flush()
        return submission, run

    def _steps(self, run: Run, ended: datetime, first: int, count: int) -> Sequence[OrchestratorLog]:
        return [
            OrchestratorLog(
                run_id=run.run_id,
                submission_id=run.submission_id,
                season_id=run.season_id,
                step=step,
                action_taken=self._draw.choice(("run_pipeline", "retry_with_llm", "mark_for_human")),
                duration_ms=int(self._draw.lognormvariate(4, 2)),
                timestamp=ended - timedelta(seconds=self._draw.randint(0, 7200)),
            )
            for step in range(first, first + count)
        ]

    def _calls(self, run: Run, ended: datetime) -> Sequence[ModelCallRow]:
        draw = self._draw
        return [
            ModelCallRow(
                id=uuid.uuid4(),
                run_id=run.run_id,
                submission_id=run.submission_id,
                purpose="missing_fields",
                provider="groq",
                model=draw.choice(("small", "large")),
                tokens_in=draw.randint(0, 900),
                tokens_out=draw.randint(0, 90),
                latency_ms=draw.randint(0, 5000),
                cost_usd=Decimal(draw.randint(0, 5000)) / 1_000_000,
                status="ok" if attempt == tries else "failed",
                error_code=None if attempt == tries else draw.choice(("http_429", "timed_out")),
                attempt=attempt,
                created_at=ended - timedelta(seconds=draw.randint(0, 7200)),
            )
            for tries in [draw.randint(0, 3)]
            for attempt in range(1, tries + 1)
        ]

    def _proposal(self, run: Run) -> ReviewSuggestion:
        draw = self._draw
        suggestion = factories.make_suggestion(self._session, run)
        self._session.add_all(
            ReviewSuggestionField(
                suggestion_id=suggestion.id,
                name=name,
                proposed_value=None if code is ProposalReason.NOTHING else "x",
                source=draw.choice(("ocr", "model", "school_list", None)),
                method=draw.choice(("as_read", "zone", None)),
                reason=Message(code.value, {}),
            )
            for name in draw.sample(_FIELDS, draw.randint(1, 3))
            for code in [draw.choice(list(ProposalReason))]
        )
        self._session.flush()
        return suggestion

    def _decisions(self, fact: RunFact, suggestion: ReviewSuggestion | None) -> None:
        """A person decides, takes that back, decides again; or edits; or nothing yet."""
        for number in range(self._draw.randint(0, 2)):
            at = fact.ended_at + timedelta(hours=self._draw.randint(1, 300) * (number + 1))
            decision = self._decision(fact, suggestion, at)
            if suggestion is None and self._draw.random() < 0.5:
                run = self._session.get_one(Run, fact.run_id)
                self._session.add_all(self._steps(run, at, len(fact.tools) + 1 + number, 1))
                count_later_steps(self._session, fact.run_id)
            if number == 0 and self._draw.random() < 0.4:
                self._undo(decision, suggestion, at)
            else:
                return

    def _decision(self, fact: RunFact, suggestion: ReviewSuggestion | None, at: datetime) -> ReviewDecision:
        draw = self._draw
        outcome = draw.choice(("resolved", "rejected", "escalated", None))
        before: dict[str, Any] = {"version": 1, "run": {"run_id": fact.run_id}}
        if outcome is not None:
            before["counted"] = {"outcome": outcome, "reason": "decided_by_person"}
        kind = "suggestion" if suggestion else draw.choice(("escalation", "edit", "reopen"))
        decision = factories.make_decision(
            self._session,
            self._session.get_one(Submission, fact.submission_id),
            actor_id=self._reviewer.id,
            kind=kind,
            item_id=None if kind == "edit" else suggestion.id if suggestion else uuid.uuid4(),
            before=before,
            created_at=at,
        )
        if suggestion is not None:
            for field in self._fields(suggestion):
                field.decision = draw.choice(("approved", "edited", "kept", "rejected"))
                field.decided_by, field.decided_at = self._reviewer.id, at
        if draw.random() < 0.7:
            seconds = draw.choice((None, draw.randint(0, 900)))
            self._session.add(ReviewEffort(decision_id=decision.id, edits=draw.randint(0, 3), seconds=seconds))
        count_decision(self._session, decision.id)
        return decision

    def _undo(self, decision: ReviewDecision, suggestion: ReviewSuggestion | None, at: datetime) -> None:
        decision.undone_at = at + timedelta(minutes=self._draw.randint(1, 3000))
        decision.undone_by = self._reviewer.id
        uncount_decision(self._session, decision.id)
        if suggestion is not None:
            for field in self._fields(suggestion):
                field.decision, field.decided_by, field.decided_at = "pending", None, None

    def _fields(self, suggestion: ReviewSuggestion) -> Sequence[ReviewSuggestionField]:
        found = self._session.query(ReviewSuggestionField).filter_by(suggestion_id=suggestion.id)
        return found.order_by(ReviewSuggestionField.name).all()
