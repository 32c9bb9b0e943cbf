"""Escalations: shown, settled, and read again."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.config import Settings
from core.errors import ConfigurationError, InvalidInputError, NotFoundError
from core.messages import Message
from core.models import (
    AsideEnd,
    DecisionKind,
    Escalation,
    EscalationStatus,
    Profile,
    Run,
    Submission,
    SubmissionStatus,
    Upload,
    UploadStatus,
)
from core.models.leases import ESCALATION_HOLDS
from core.plain_data import built
from pipeline.ocr_providers import REMOTE, get_provider
from pipeline.profiles import all_profiles
from pipeline.reason_codes import RunReason
from services.audit import event
from services.context import Context
from services.entries.change import Waiver, apply_values, cleaned_values, tell_edits, waiver_of
from services.entries.decision import begin_decision
from services.items.holds import held_seconds, win_pending
from services.messages.entries import BatchRefused, Refused
from services.recovery.kinds import RESUMES, RUNS
from services.recovery.work import queue_rows
from services.review.decisions import ask_for, locked_item, refuse_open, reject_submission
from services.runs.inputs import end_aside
from services.runs.settle import supersede_run

# A person decides on an escalated entry. The escalation's row is the outbox of the run's resumption.


Action = Literal["settle", "reject", "read_again", "ask_model"]


def resolve_escalation(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Action,
    values: Mapping[str, str | None],
    reason: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    asked: Collection[str] = (),
    waived: Collection[str] = (),
) -> SubmissionStatus:
    """Settle the entry with the given values, reject it, or have it read again, with or without the model.

    The decision and the record's new state are written in one transaction. The job queued after it closes the
    graph's thread, or is the next run. `options` are for reading again: `ocr_provider`, `profile`.
    For `settle`: if only fields in `asked` are still missing, the values are kept, the entry is set aside until
    these come, and it stays escalated. `waived`: fields that are accepted as they are, which needs a reason.

    Returns the entry's new status. Raises NotFoundError, ConflictError if another person decided first or holds it
    (HeldError), and InvalidInputError if the entry is incomplete with these values or an option is not available;
    ForbiddenError for a person who may waive nothing.
    """
    if action in ("read_again", "ask_model"):
        wanted = next_run_options(context.settings, action, options)
        with context.database.session() as session:
            submission, run = locked_item(session, "escalation", escalation_id)
            decided = {"status": EscalationStatus.SUPERSEDED.value, "decided_by": actor_id}
            win_pending(session, "escalation", escalation_id, version, actor_id, decided)
            if action == "ask_model" and not submission.missing_fields:
                raise InvalidInputError(Refused.NOTHING_TO_ASK)
            following = read_again(session, submission, run, actor_id, wanted, reason)
            session.flush()
        queue_rows(context, RUNS, following.run_id)
        status = SubmissionStatus.QUEUED
    else:
        status = _decide(
            context, actor_id, escalation_id, version, action, cleaned_values(values), reason, asked, waived
        )
        if status != SubmissionStatus.ESCALATED:
            queue_rows(context, RESUMES, escalation_id)
    return status


def _decide(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Action,
    values: Mapping[str, str | None],
    reason: str | None,
    asked: Collection[str],
    waived: Collection[str],
) -> SubmissionStatus:
    settles = action == "settle"
    with context.database.session() as session:
        submission, run = locked_item(session, "escalation", escalation_id)
        decision = begin_decision(context.settings, session, submission, run, actor_id, values if settles else ())
        seconds = held_seconds(session, "escalation", escalation_id, actor_id)
        escalation: Escalation = win_pending(session, "escalation", escalation_id, version, actor_id)
        edits = 0
        if settles:
            waiver = waiver_of(actor_id, waived, reason)
            edits = _settle(context, session, submission, actor_id, values, reason, asked, waiver)
        else:
            reject_submission(session, submission, actor_id, reason)
        if submission.status != SubmissionStatus.ESCALATED:
            escalation.status = EscalationStatus.RESOLVED if settles else EscalationStatus.REJECTED
            escalation.decision = {"action": action, "values": dict(values), "reason": reason}
            escalation.decided_by, escalation.decided_at = actor_id, utcnow()
            run.outcome = submission.status
            decision.count(RunReason.DECIDED_BY_PERSON)
        decision.keep(DecisionKind.ESCALATION, escalation_id, edits=edits, seconds=seconds)
        return SubmissionStatus(submission.status)


def _settle(
    context: Context,
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    values: Mapping[str, str | None],
    reason: str | None,
    asked: Collection[str],
    waiver: Waiver | None,
) -> int:
    """Apply the values, record them, and return how many changed. Raises InvalidInputError."""
    standing = apply_values(session, context.settings, submission, values, waiver=waiver, actor_id=actor_id)
    refuse_open(standing, asked)
    if standing.status != SubmissionStatus.RESOLVED and not standing.missing:
        raise InvalidInputError(Refused.SENT_BEFORE)
    tell_edits(session, submission, actor_id, standing, reason)
    if standing.missing:
        ask_for(session, submission, actor_id, standing, asked, reason)
    else:
        end_aside(session, submission.id, AsideEnd.SETTLED)
        session.add(event(submission, "escalation_resolved", actor_id, reason=reason))
    return len(standing.changed)


@dataclass(frozen=True)
class EscalationDetail:
    """An escalation without its entry."""

    id: uuid.UUID
    submission_id: uuid.UUID
    version: int
    status: str
    reason: Message
    created_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    #: Name of the holder and end of the hold; None if it is free.
    held_by: str | None
    held_until: datetime | None


def escalation_detail(context: Context, escalation_id: uuid.UUID) -> EscalationDetail:
    """Return one escalation. Raises NotFoundError."""
    decider, holder = aliased(Profile), aliased(Profile)
    query = (
        select(Escalation, decider, holder, ESCALATION_HOLDS.until)
        .outerjoin(decider, decider.id == Escalation.decided_by)
        .outerjoin(holder, (holder.id == ESCALATION_HOLDS.owner) & (ESCALATION_HOLDS.unexpired()))
        .where(Escalation.id == escalation_id)
    )
    with context.database.reading() as session:
        row = session.execute(query).one_or_none()
    if row is None:
        raise NotFoundError("no such escalation")
    escalation, decided_by, held_by, held_until = row
    return built(
        EscalationDetail,
        escalation,
        decided_by=_name(decided_by),
        held_by=_name(held_by),
        held_until=held_until if held_by is not None else None,
    )


def _name(profile: Profile | None) -> str | None:
    return (profile.display_name or profile.email) if profile is not None else None


_KNOWN = ("ocr_provider", "profile")


def next_run_options(
    settings: Settings, action: Literal["read_again", "ask_model"], options: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the options of the next run. Raises InvalidInputError for unknown or unavailable options."""
    given = {name: value for name, value in (options or {}).items() if value}
    unknown = set(given) - set(_KNOWN)
    if unknown:
        raise InvalidInputError(Refused.OPTION_UNKNOWN, names=sorted(unknown))
    if (name := given.get("ocr_provider")) is not None:
        _check_provider(settings, str(name))
    if (key := given.get("profile")) is not None and key not in all_profiles():
        raise InvalidInputError(Refused.PROFILE_UNKNOWN, name=str(key), choices=list(all_profiles()))
    if action == "ask_model":
        if not settings.model_configured:
            raise InvalidInputError(Refused.NO_MODEL)
        if not settings.use_orchestrator:
            raise InvalidInputError(Refused.NO_SUPERVISOR)
        given["ask_model"] = True
    return given


def _check_provider(settings: Settings, name: str) -> None:
    # There may be a key for the language model, but the operator, not a reviewer, decides whether pages leave
    # the office.
    if name in REMOTE and name != settings.ocr_provider:
        raise InvalidInputError(Refused.PROVIDER_NOT_SET_UP, name=name)
    try:
        get_provider(name, settings)
        # The settings' own validation checks what else the provider needs.
        Settings.model_validate({**settings.model_dump(), "ocr_provider": name})
    except ConfigurationError as exc:
        raise InvalidInputError(Refused.PROVIDER_UNUSABLE, problem=exc.detail) from exc
    except ValueError as exc:
        raise InvalidInputError(Refused.PROVIDER_NOT_SET_UP, name=name) from exc


def read_again(
    session: Session,
    submission: Submission,
    run: Run,
    actor_id: uuid.UUID,
    options: Mapping[str, Any],
    reason: str | None,
) -> Run:
    """Supersede the run and the entry's pending items, and create and return the next run.

    Raises InvalidInputError for an entry that was typed in.
    """
    if session.get_one(Upload, submission.upload_id).status == UploadStatus.TYPED:
        raise InvalidInputError(BatchRefused.FILE_UNREADABLE)
    following = supersede_run(session, submission, run, options, actor_id)
    asked = ", ".join(f"{name}: {value}" for name, value in sorted(options.items())) or None
    session.add(event(submission, "read_again", actor_id, after=asked, reason=reason))
    return following
