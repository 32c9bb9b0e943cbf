"""Entries completed because two readers agree: drawn as a stratum of their own, judged, forecast, warned about."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.config import Settings
from core.models import Audit, AuditField, AuditStratum, Run, Season
from pipeline.orchestrator.context import RunResult
from pipeline.orchestrator_state import Outcome
from pipeline.pages.page_model import Source
from pipeline.validation.policy import Policy
from services.context import Context
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.runs.settle import settle_run
from services.seasons import current_season, season_policy, season_rules
from services.trust.audit_sample import MOST_SHARE, MOST_SHARE_AGREED, confidence_otherwise, share_now
from services.trust.trust_view import fallen_agreement, note_drift, trust_view
from tests.pipeline.orchestrator.test_second_reader import SAME, handwritten, run
from tests.support import factories
from tests.support.reading.orchestration import FakeSecondReader, entry, read
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings.model_copy(update={"audit_share": 0.05})) as opened:
        yield opened


def settled(context: Context, result: RunResult) -> Run:
    """The run of a new entry with this result."""
    with context.database.session() as session:
        submission = factories.make_submission(session, status="processing")
        row = factories.make_run(session, submission, status="queued")
    lease = take_lease(context, RUNS, row.run_id)
    assert lease is not None
    record = result.record.model_copy(update={"submission_id": str(submission.id)})
    settle_run(context, lease, replace(result, record=record))
    return context.database.get_one(Run, row.run_id)


def audited(
    context: Context, wrong: int, right: int, *, agreed: bool = True, probability: float = 0.5, **stratum: object
) -> uuid.UUID:
    """Settled audits, one of whose values counted as sure by agreement, and twice as many entries; the season."""
    given = {"by_agreement": True, "band": 93, **stratum}
    with context.database.session() as session:
        season_id = current_season(session).id
        owner, auditor = factories.make_profile(session), factories.make_profile(session, "auditor").id
        upload = factories.make_upload(session, factories.make_batch(session, owner))
        done = {"status": "settled", "typed_at": utcnow(), "settled_at": utcnow(), "auditor_id": auditor}
        for number in range(wrong + right):
            submission = factories.make_submission(session, upload, status="completed", chunk_index=number)
            values = {"grade": ("4", "4", "auditor" if number < wrong else "same")}
            audit = factories.make_audit(
                session, submission, fields=values, probability=probability, **done, **given
            )
            session.execute(update(AuditField).where(AuditField.audit_id == audit.id).values(agreed=agreed))
            session.execute(
                update(Run).where(Run.run_id == audit.run_id).values(confidence=0.94, confidence_otherwise=0.0)
            )
        key = {"form": audit.form, "language": audit.language, "provider": audit.provider, **given}
        session.add(AuditStratum(season_id=season_id, **key, total=1.5, seen=2 * (wrong + right)))
        return season_id


# The draw.


def test_an_entry_that_agreement_completed_is_a_stratum_of_its_own(context: Context, tmp_path: Path) -> None:
    result, _ = run(handwritten(), FakeSecondReader(SAME), tmp_path)
    row = settled(context, result)
    assert (row.ready, row.confidence_otherwise) == (True, 0.0)
    sure = entry(student_name=read("Tomas Okafor"), essay_text=read("My uncle bakes with me each Sunday. " * 12))
    settled(context, run(sure, FakeSecondReader(), tmp_path / "sure")[0])
    with context.database.session() as session:
        strata = session.execute(select(AuditStratum.by_agreement, AuditStratum.seen)).all()
        audit = session.scalars(select(Audit).where(Audit.by_agreement)).one()
        fields = session.scalars(select(AuditField).where(AuditField.audit_id == audit.id)).all()
    assert sorted(map(tuple, strata)) == [(False, 1), (True, 1)]
    assert {(one.name, one.confidence, one.agreed) for one in fields} == {
        ("grade", 0.9, True),
        ("school_name", 0.9, True),
        ("student_name", 0.9, True),
    }


def test_what_would_have_passed_anyway_is_not_of_that_stratum(context: Context, tmp_path: Path) -> None:
    """One value counts for more by agreement, but the entry was sure enough without it."""
    result, _ = run(entry(), FakeSecondReader(), tmp_path)
    grade = run(handwritten(), FakeSecondReader(SAME), tmp_path / "agreed")[0].record.readings["grade"]
    agreed = grade.model_copy(update={"confidence": 0.85, "source": Source.OCR})
    record = result.record.model_copy(update={"readings": {**result.record.readings, "grade": agreed}})
    row = settled(context, replace(result, record=record, confidence=0.94))
    assert row.confidence_otherwise == pytest.approx(0.91)
    assert context.database.scalars(select(Audit.by_agreement)) == [False]


@pytest.mark.parametrize("on", [True, False])
def test_the_confidence_with_the_rule_the_other_way(tmp_path: Path, on: bool) -> None:
    policy = Policy(agreed_completes=on)
    result, _ = run(handwritten(policy), FakeSecondReader(SAME), tmp_path, policy=policy)
    assert (result.outcome is Outcome.COMPLETED) is on
    assert confidence_otherwise(result, policy) == (0.0 if on else 0.94)
    disputed, _ = run(
        handwritten(policy), FakeSecondReader({**SAME, "grade": "9"}), tmp_path / "disputed", policy=policy
    )
    assert confidence_otherwise(disputed, policy) is None
    missing, _ = run(
        handwritten(policy, grade=read(None)), FakeSecondReader(SAME), tmp_path / "missing", policy=policy
    )
    assert confidence_otherwise(missing, policy) is None


def test_a_sure_value_whose_spelling_agreement_confirms(tmp_path: Path) -> None:
    """Nothing is weak without the rule, but the changed spelling would wait for a person."""
    sure = run(entry(), FakeSecondReader(), tmp_path)[0]
    agreed = run(handwritten(), FakeSecondReader(SAME), tmp_path / "agreed")[0].record.readings["student_name"]
    respelled = {"confidence": 1.0, "disagrees_with": "Marisol Vera", "way": {"code": "way_second", "params": {}}}
    readings = {**sure.record.readings, "student_name": agreed.model_copy(update=respelled)}
    result = replace(sure, record=sure.record.model_copy(update={"readings": readings}))
    assert confidence_otherwise(result, Policy()) == 0.0


def test_more_of_them_are_drawn_until_they_are_known_by_themselves(context: Context) -> None:
    season_id = audited(context, wrong=0, right=300, by_agreement=False)
    with context.database.session() as session:
        assert share_now(session, context.settings, season_id) == context.settings.audit_share
        assert share_now(session, context.settings, season_id, by_agreement=True) == MOST_SHARE_AGREED > MOST_SHARE


# What agreement is worth, by audits.


@pytest.mark.parametrize(
    ("wrong", "right", "agreed", "confidence"),
    [(0, 29, True, 0.9), (0, 30, True, 0.97), (3, 27, True, 0.9), (9, 21, True, 0.7), (9, 21, False, 0.9)],
)
def test_the_confidence_of_agreement_comes_from_audits_once_there_are_enough(
    context: Context, wrong: int, right: int, agreed: bool, confidence: float
) -> None:
    season_id = audited(context, wrong, right, agreed=agreed)
    with context.database.session() as session:
        policies = [make(session, season_id, context.settings) for make in (season_policy, season_rules)]
        other = factories.make_season(session, is_current=False)
        assert season_policy(session, other.id, context.settings).agreed_confidence == 0.9
    assert [one.agreed_confidence for one in policies] == [pytest.approx(confidence)] * 2


def test_an_audit_counts_as_often_as_the_draw_was_unlikely(context: Context) -> None:
    audited(context, 10, 0, probability=1.0)
    season_id = audited(context, 0, 20, probability=0.25, band=96)
    with context.database.session() as session:
        policy = season_policy(session, season_id, context.settings)
    assert policy.agreed_confidence == pytest.approx(80 / 90, abs=1e-4)


def test_a_season_whose_audits_say_little_passes_nothing_by_agreement(context: Context, tmp_path: Path) -> None:
    season_id = audited(context, wrong=9, right=21)
    with context.database.session() as session:
        policy = season_policy(session, season_id, context.settings)
    result, _ = run(handwritten(policy), FakeSecondReader(SAME), tmp_path, policy=policy)
    assert result.outcome is Outcome.SUGGESTED and result.weak_fields == ["student_name", "school_name", "grade"]


# The page of trust, and its alarm.


def test_its_precision_stands_by_itself(context: Context) -> None:
    audited(context, wrong=0, right=60, by_agreement=False)
    audited(context, wrong=3, right=9)
    view = trust_view(context)
    assert (view.agreement.population, view.agreement.share.judged) == (24, 12)
    assert view.agreement.share.value == 0.75 and view.agreement.wanting > 0
    assert view.precisions[0].share.judged == 72 and view.precisions[0].population == 144


def test_the_forecast_with_the_rule_and_without_it(context: Context) -> None:
    assert trust_view(context).by_rule == {}
    audited(context, wrong=3, right=9)
    for on in (True, False):
        with context.database.session() as session:
            current_season(session).policy = {"agreed_completes": on}
            session.flush()
        view = trust_view(context)
        assert (view.by_rule[True].passing, view.by_rule[False].passing) == (12, 0)
        assert view.by_rule[True].precision.value == 0.75 and view.by_rule[False].precision.value is None
        assert view.asked == view.now == view.by_rule[on]
        more = view.by_rule[not on].more_a_week
        assert more == (12.0 if on else -12.0)


@pytest.mark.parametrize(("wrong", "right", "fell"), [(3, 9, True), (0, 12, False), (5, 4, False)])
def test_the_alarm(context: Context, wrong: int, right: int, fell: bool) -> None:
    season_id = audited(context, wrong, right)
    assert fallen_agreement(context) is None, "nobody has looked yet"
    found = note_drift(context)
    assert found.agreement_fell is fell is trust_view(context).agreement_fell
    assert fallen_agreement(context) == (season_id if fell else None)


def test_the_alarm_ends_with_the_rule_and_with_better_audits(context: Context) -> None:
    season_id = audited(context, wrong=3, right=9)
    note_drift(context)
    context.database.execute(
        update(Season).where(Season.id == season_id).values(policy={"agreed_completes": False})
    )
    assert fallen_agreement(context) is None
    with context.database.session() as session:
        session.execute(update(Season).where(Season.id == season_id).values(policy={}))
        session.execute(update(AuditField).values(finding="same"))
    note_drift(context)
    assert fallen_agreement(context) is None
