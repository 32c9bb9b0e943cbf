from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from core.config import Settings
from core.messages import Message
from core.models import Audit, AuditField, AuditStratum, Run, Submission
from pipeline.orchestrator.context import RunResult
from pipeline.orchestrator_state import Outcome
from pipeline.reason_codes import RunReason
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.policy import Policy
from services.context import Context
from services.trust.audit_sample import audited_fields, decided_by_confidence, draw_audit
from tests.support import factories
from tests.support.site import tidy_context

VALUES = {"student_name": "Marisol Quintero", "school_name": "Lakeview Elementary School", "grade": "4"}


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings.model_copy(update={"audit_share": 0.25})) as opened:
        yield opened


def result(submission_id: uuid.UUID, confidence: float = 0.95, **values: object) -> RunResult:
    record = SubmissionRecord(
        submission_id=str(submission_id),
        **{**VALUES, "essay_text": "word " * 60, "word_count": 60},
        readings={name: FieldReading(value=value, confidence=confidence) for name, value in VALUES.items()},
    )
    given = {"missing_fields": [], "weak_fields": [], **values}
    reason = Message.of(RunReason.SETTLED_BY_PERSON)
    return RunResult(record, {}, Outcome.COMPLETED, reason, ["run_pipeline"], confidence, **given)  # type: ignore[arg-type]


def complete(context: Context, confidence: float = 0.95, **values: object) -> tuple[Submission, Run]:
    with context.database.session() as session:
        submission = factories.make_submission(session, status="completed", **values)
        run = factories.make_run(session, submission, outcome="completed")
        draw_audit(session, context.settings, Policy(), run, submission, result(submission.id, confidence))
        return submission, run


def test_each_stratum_gets_its_share(context: Context) -> None:
    for _ in range(12):
        complete(context, profile="ifi_2026", doc_format="image_only")
    complete(context, profile="ifi_2026", doc_format="image_only", confidence=0.91)
    complete(context, profile="ifi_2025", doc_format="native_text")
    with context.database.session() as session:
        query = select(Audit.form, func.count()).where(Audit.band == 93).group_by(Audit.form)
        drawn = dict(session.execute(query).all())
        columns = (AuditStratum.form, AuditStratum.provider, AuditStratum.band, AuditStratum.seen)
        assert sorted(map(tuple, session.execute(select(*columns)))) == [
            ("ifi_2025", "text", 93, 1),
            ("ifi_2026", context.settings.ocr_provider, 90, 1),
            ("ifi_2026", context.settings.ocr_provider, 93, 12),
        ]
        probabilities = sorted(session.scalars(select(Audit.probability)))
    assert drawn["ifi_2025"] == 1
    assert 3 <= drawn["ifi_2026"] <= 4
    assert probabilities[-3:] == [1.0, 1.0, 1.0] and set(probabilities[:-3]) == {0.25}


def test_what_the_machine_had_is_kept_but_no_essay(context: Context) -> None:
    complete(context)
    rows = context.database.scalars(select(AuditField))
    assert {row.name: row.value for row in rows} == VALUES
    assert all(row.required and row.typed is None and row.finding is None for row in rows)
    assert "essay_text" not in audited_fields() and "word_count" not in audited_fields()


def test_a_run_is_drawn_once(context: Context) -> None:
    submission, run = complete(context)
    with context.database.session() as session:
        session.execute(AuditStratum.__table__.delete())  # type: ignore[attr-defined]
        draw_audit(session, context.settings, Policy(), run, submission, result(submission.id))
        assert session.scalar(select(func.count()).select_from(Audit)) == 1


def test_without_a_share_nothing_is_drawn(context: Context) -> None:
    with context.database.session() as session:
        submission = factories.make_submission(session, status="completed")
        run = factories.make_run(session, submission)
        none = context.settings.model_copy(update={"audit_share": 0.0})
        draw_audit(session, none, Policy(), run, submission, result(submission.id))
        assert session.scalar(select(func.count()).select_from(AuditStratum)) == 0


@pytest.mark.parametrize(
    ("values", "ready"), [({}, True), ({"missing_fields": ["grade"]}, False), ({"weak_fields": ["grade"]}, False)]
)
def test_ready(values: dict[str, object], ready: bool) -> None:
    assert decided_by_confidence(result(uuid.uuid4(), 0.4, **values)) is ready
    doubtful = result(uuid.uuid4())
    doubtful.record.review_reason_codes = ["UNKNOWN_SCHOOL"]
    assert not decided_by_confidence(doubtful)
