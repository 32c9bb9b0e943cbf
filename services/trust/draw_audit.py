"""Draw the blind audits: decide, as an entry passes unseen, whether a person is to audit it."""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection

from sqlalchemy import exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.config import Settings
from core.models import Audit, AuditField, AuditFinding, AuditStatus, AuditStratum, Run, Season, Submission
from pipeline.orchestrator.result import RunResult
from pipeline.pages.page_model import Source
from pipeline.profiles import HEADER_KINDS, FieldKind
from pipeline.profiles.declared import derived_fields, fields_of_form, fields_of_kind
from pipeline.reason_codes import blocking
from pipeline.schema import DocFormat, SubmissionRecord
from pipeline.validation.season_policy import policy_of
from services.context import Context
from services.seasons import current_season
from services.trust.drawing import Drawn, Stratum, band_of, draw
from services.trust.wanting import MOST_SHARE, audits_needed, share_to_draw

#: Provider of an entry that nobody had to recognise.
TEXT = "text"


def draw_audit(session: Session, settings: Settings, run: Run, submission: Submission, result: RunResult) -> None:
    """Draw the entry that this run has just completed, in the caller's transaction.

    Does nothing with AUDIT_SHARE 0. A run that was drawn before stays drawn.
    """
    if not settings.audit_share:
        return
    stratum = Stratum(
        submission.profile or "",
        submission.language or "",
        provider_of(submission, run, settings),
        band_of(result.confidence),
    )
    share = share_now(session, settings, run.season_id)
    probability = _counted(session, run.season_id, stratum, share).probability
    if probability is None:
        return
    audit_id = session.scalar(
        insert(Audit)
        .values(
            season_id=run.season_id,
            submission_id=submission.id,
            run_id=run.run_id,
            form=stratum.form,
            language=stratum.language,
            provider=stratum.provider,
            band=stratum.band,
            confidence=result.confidence,
            probability=probability,
        )
        .on_conflict_do_nothing(index_elements=["run_id"])
        .returning(Audit.id)
    )
    if audit_id is None:
        return
    policy = policy_of(settings, session.get_one(Season, run.season_id).policy)
    session.add_all(_fields(audit_id, result.record, policy.required_of(result.record)))


def share_now(session: Session, settings: Settings, season_id: uuid.UUID) -> float:
    """Return the share of entries that is drawn at the moment: AUDIT_SHARE, and more while little is known."""
    if not settings.audit_share or settings.audit_share >= MOST_SHARE:
        return settings.audit_share
    # Where even a share of one half would be known, nothing more is counted: a large season has many audits.
    most = audits_needed(0.5)
    of_season = select(Audit.id, Audit.status).where(Audit.season_id == season_id).limit(most).subquery()
    drawn = session.scalar(select(func.count()).select_from(of_season)) or 0
    if drawn >= most:
        return settings.audit_share
    wrong = (
        exists()
        .where(AuditField.audit_id == of_season.c.id, AuditField.required)
        .where(AuditField.finding == AuditFinding.AUDITOR.value)
    )
    settled, mistaken = session.execute(
        select(func.count(), func.count().filter(wrong))
        .select_from(of_season)
        .where(of_season.c.status == AuditStatus.SETTLED.value)
    ).one()
    seen = sum(passed_unseen(session, season_id).values())
    return share_to_draw(settings.audit_share, seen, drawn, 1 - mistaken / settled if settled else None)


def current_share(context: Context) -> float:
    """Return the share of the current season's entries that is drawn at the moment."""
    with context.database.session() as session:
        return share_now(session, context.settings, current_season(session).id)


def passed_unseen(session: Session, season_id: uuid.UUID) -> dict[Stratum, int]:
    """Return how many entries of the season passed unseen, by stratum."""
    rows = session.scalars(select(AuditStratum).where(AuditStratum.season_id == season_id))
    return {Stratum(row.form, row.language, row.provider, row.band): row.seen for row in rows}


def is_ready(result: RunResult) -> bool:
    """Whether nothing was missing, weak or in doubt, so that the confidence alone decided."""
    return not (result.missing_fields or result.weak_fields or blocking(result.record.review_reason_codes))


def provider_of(submission: Submission, run: Run, settings: Settings) -> str:
    """Return the key of the provider that recognised the entry, `TEXT` for none."""
    if submission.doc_format == DocFormat.NATIVE_TEXT:
        return TEXT
    return str(run.options.get("ocr_provider") or settings.ocr_provider)


def audited_fields() -> frozenset[str]:
    """Return the fields that an auditor types: no whole texts, no marks, nothing worked out from others."""
    kinds = (*HEADER_KINDS, FieldKind.TEXT, FieldKind.DATE, FieldKind.NUMBER)
    return frozenset(fields_of_kind(*kinds)) - derived_fields()


def _counted(session: Session, season_id: uuid.UUID, stratum: Stratum, share: float) -> Drawn:
    """Count the entry in its stratum, and return whether it is drawn."""
    start = random.random()
    key = {
        "season_id": season_id,
        "form": stratum.form,
        "language": stratum.language,
        "provider": stratum.provider,
        "band": stratum.band,
    }
    first = draw(None, share, start)
    made = session.scalar(
        insert(AuditStratum)
        .values(**key, total=first.total, seen=1)
        .on_conflict_do_nothing()
        .returning(AuditStratum.seen)
    )
    if made is not None:
        return first
    row = session.scalars(select(AuditStratum).filter_by(**key).with_for_update()).one()
    drawn = draw(row.total, share, start)
    row.total, row.seen = drawn.total, row.seen + 1
    return drawn


def _fields(audit_id: uuid.UUID, record: SubmissionRecord, required: Collection[str]) -> list[AuditField]:
    """The required fields, and the others that the machine gave."""
    found = []
    of_form = fields_of_form(record.profile, record.profile_version)
    for name in sorted(audited_fields().intersection(of_form)):
        value = record.value_of(name)
        reading = record.readings.get(name)
        if (value is None and name not in required) or (reading and reading.source is Source.BATCH_DEFAULT):
            # What was said of the whole batch stands on no page that an auditor could read.
            continue
        found.append(
            AuditField(
                audit_id=audit_id,
                name=name,
                required=name in required,
                value=value,
                confidence=reading.standing if reading else 0.0,
            )
        )
    return found
