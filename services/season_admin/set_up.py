"""The first steps of a new installation."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import AppError, MailError, MailNotConfiguredError, NotFoundError, existing
from core.messages import Message
from core.models import Profile, SecurityEventKind, SetUpKey, SetUpState, SetUpStep
from services.accounts.mailed_links import send_letter
from services.accounts.person import name_of
from services.audit import record_event
from services.context import Context
from services.doctor.checks import try_model, try_queue, try_reading, try_store
from services.doctor.findings import DoctorCode, DoctorFinding, DoctorSeverity, wrong
from services.messages.office import AccountLetter, SetUpTold
from services.policy import Rule, change_policy
from services.recovery.kinds import PROBES
from services.recovery.work import keeping, queue_rows, take_lease, write_failure
from services.season_admin.seasons import SeasonView, SeasonWords, describe_season, season_view
from services.seasons import current_season


def finish_set_up(context: Context, actor_id: uuid.UUID) -> SetUpState:
    """Stop leading admins through the steps; return whether all were settled or some were left out."""
    view = set_up_view(context)
    state = SetUpState.DONE if view.settled == len(view.steps) else SetUpState.PASSED
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.WHOLE, state)
    return state


def take_up_set_up(context: Context, actor_id: uuid.UUID) -> None:
    """Lead admins to the remaining steps again."""
    with context.database.session() as session:
        session.execute(delete(SetUpStep).where(SetUpStep.step == SetUpKey.WHOLE.value))
        record_event(
            session,
            SecurityEventKind.SET_UP,
            actor_id=actor_id,
            step=SetUpKey.WHOLE.value,
            state=SetUpState.OPEN.value,
        )


# Have a worker read the sample: this tests the queue, the workers and the provider at once.


def ask_for_reading(context: Context, actor_id: uuid.UUID) -> None:
    """Ask a worker to read the sample; the step's row gets the result."""
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.READING, SetUpState.TRYING)
    queue_rows(context, PROBES, SetUpKey.READING.value)


def stop_waiting(context: Context, actor_id: uuid.UUID) -> None:
    """Stop waiting for a worker."""
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.READING, SetUpState.OPEN)


def read_set_up_sample(context: Context, step: str = SetUpKey.READING.value) -> bool:
    """Read the sample for a step that waits for it; return False if no step waits. Raises LeaseLostError."""
    lease = take_lease(context, PROBES, step)
    if lease is None:
        return False
    with keeping(context, lease):
        found = try_reading(context.settings)
        with context.database.session() as session:
            row = lease.hold(session)
            if row.state != SetUpState.TRYING:
                return False
            row.state = state_after(found.finding).value
            row.result, row.seconds = found.finding.message, found.finding.seconds
            row.read_text, row.changed_at = found.text, session.scalar(func.now())
    return True


def fail_set_up_sample(context: Context, step: str, error: AppError) -> None:
    """Note that the sample could not be read."""
    finding = wrong(DoctorCode.READING_FAILS, provider=context.settings.ocr_provider, problem=error.told)
    values = {"state": SetUpState.OPEN.value, "result": finding.message, "changed_at": func.now()}
    write_failure(context, PROBES, step, values)


def send_trial(context: Context, actor_id: uuid.UUID, language: str) -> DoctorFinding:
    """Send a mail to the person's own address, note the result and return it."""
    profile = context.database.get_one(Profile, actor_id)
    began = time.monotonic()
    try:
        send_letter(
            context.settings,
            profile,
            AccountLetter.TRIAL_SUBJECT,
            AccountLetter.TRIAL,
            language,
            link=context.settings.public_url or "",
        )
    except MailNotConfiguredError:
        finding = DoctorFinding(DoctorSeverity.LOOK, Message.of(SetUpTold.MAIL_NONE))
    except MailError as error:
        message = Message.of(SetUpTold.MAIL_FAILS, problem=error.told)
        finding = DoctorFinding(DoctorSeverity.WRONG, message, time.monotonic() - began)
    else:
        finding = DoctorFinding(DoctorSeverity.FINE, Message.of(SetUpTold.MAIL_SENT), time.monotonic() - began)
    return note_finding(context, actor_id, SetUpKey.MAIL, finding)


def settle_season(
    context: Context,
    actor_id: uuid.UUID,
    season_id: uuid.UUID,
    words: SeasonWords,
    deadline: date | None,
    version: int | None,
) -> None:
    """Change the season and settle its step. Raises what `describe_season` raises."""
    describe_season(context, actor_id, season_id, words, version)
    wanted = deadline.isoformat() if deadline else None
    if season_view(context, season_id).rules.get(Rule.DEADLINE.value) != wanted:
        change_policy(context, actor_id, season_id, {Rule.DEADLINE.value: wanted})
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.SEASON, SetUpState.DONE)


_CHECKS: Mapping[SetUpKey, Callable[[Context], Iterable[DoctorFinding]]] = {
    SetUpKey.MODEL: try_model,
    SetUpKey.STORAGE: try_store,
}


def try_step(context: Context, actor_id: uuid.UUID, step: SetUpKey) -> DoctorFinding:
    """Try the step, note the finding and return it: of several, one that must be put right.

    Raises NotFoundError for a step that has no check.
    """
    check = existing(_CHECKS.get(step), "this step has no check")
    return note_finding(context, actor_id, step, min(check(context), key=lambda finding: finding.order))


def choose_rules_alone(context: Context, actor_id: uuid.UUID) -> None:
    """Settle the step of the model without one. Raises NotFoundError if a model is configured."""
    if context.settings.model_configured:
        raise NotFoundError("a model is configured")
    finding = DoctorFinding(DoctorSeverity.FINE, Message.of(SetUpTold.RULES_ALONE))
    note_finding(context, actor_id, SetUpKey.MODEL, finding)


@dataclass(frozen=True)
class StepView:
    key: SetUpKey
    state: SetUpState
    #: The result of its last try, and its duration.
    result: Message | None = None
    seconds: float | None = None
    #: Who changed it last, and when; None for the machine, and for a step that nobody has changed.
    who: str | None = None
    changed_at: datetime | None = None
    #: The text read from the sample.
    read_text: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do."""
        return self.state in (SetUpState.DONE, SetUpState.PASSED)


@dataclass(frozen=True)
class SetUpView:
    steps: Mapping[SetUpKey, StepView]
    #: Whether somebody has finished it, or skipped it.
    is_over: bool
    season: SeasonView
    #: Number of open accounts, and of those that were invited and have not signed in.
    people: int
    awaited: int
    #: Findings about the queue, while a worker is waited for.
    queue: tuple[DoctorFinding, ...] = ()

    @property
    def settled(self) -> int:
        """Number of steps that are done or left out."""
        return sum(step.is_settled for step in self.steps.values())


def set_up_view(context: Context) -> SetUpView:
    """Return the steps. The steps of schools and people are done if there are any, however added."""
    with context.database.session() as session:
        rows = {row.step: (row, who) for row, who in session.execute(_ROWS)}
        season_id = current_season(session).id
        people, awaited = _people(session)
    season = season_view(context, season_id)
    there = {SetUpKey.SCHOOLS: season.schools > 0, SetUpKey.PEOPLE: people > 1}
    steps: dict[SetUpKey, StepView] = {}
    for key in SetUpKey:
        row, who = rows.get(key.value, (None, None))
        if key is not SetUpKey.WHOLE:
            steps[key] = _view(key, row, who, there.get(key, False))
    waits = steps[SetUpKey.READING].state is SetUpState.TRYING
    queue = tuple(try_queue(context)) if waits else ()
    return SetUpView(steps, SetUpKey.WHOLE.value in rows, season, people, awaited, queue)


def set_up_is_over(context: Context) -> bool:
    """Return whether admins are no longer led through the steps."""
    return context.database.get(SetUpStep, SetUpKey.WHOLE.value) is not None


_ROWS = select(SetUpStep, name_of(Profile)).outerjoin(Profile, Profile.id == SetUpStep.actor_id)


def _people(session: Session) -> tuple[int, int]:
    people = select(func.count(Profile.id)).where(Profile.is_active)
    awaited = people.where(Profile.last_sign_in_at.is_(None), Profile.password_hash.is_(None))
    return session.scalar(people) or 0, session.scalar(awaited) or 0


def _view(key: SetUpKey, row: SetUpStep | None, who: str | None, is_there: bool) -> StepView:
    state = SetUpState.OPEN if row is None else SetUpState(row.state)
    if is_there and state is not SetUpState.TRYING:
        state = SetUpState.DONE
    if row is None:
        return StepView(key, state)
    return StepView(key, state, row.result, row.seconds, who, row.changed_at, row.read_text or "")


def note_step(
    session: Session,
    actor_id: uuid.UUID | None,
    step: SetUpKey,
    state: SetUpState,
    finding: DoctorFinding | None = None,
) -> None:
    """Set the step's state and finding, and record the event."""
    values: dict[str, Any] = {
        "state": state.value,
        "result": finding.message if finding else None,
        "seconds": finding.seconds if finding else None,
        "read_text": None,
        "actor_id": actor_id,
        "changed_at": func.now(),
        "attempts": 0,
        "enqueued_at": None,
    }
    session.execute(
        insert(SetUpStep)
        .values(step=step.value, **values)
        .on_conflict_do_update(index_elements=[SetUpStep.step], set_=values)
    )
    record_event(session, SecurityEventKind.SET_UP, actor_id=actor_id, step=step.value, state=state.value)


def note_finding(context: Context, actor_id: uuid.UUID, step: SetUpKey, finding: DoctorFinding) -> DoctorFinding:
    """Note the finding of a try: the step is done if all is well, else it stays open. Return the finding."""
    with context.database.session() as session:
        note_step(session, actor_id, step, state_after(finding), finding)
    return finding


def state_after(finding: DoctorFinding) -> SetUpState:
    """Return the state of a step after its try."""
    return SetUpState.DONE if finding.severity is DoctorSeverity.FINE else SetUpState.OPEN


def pass_step(context: Context, actor_id: uuid.UUID, step: SetUpKey) -> None:
    """Leave a step out."""
    with context.database.session() as session:
        note_step(session, actor_id, step, SetUpState.PASSED)
