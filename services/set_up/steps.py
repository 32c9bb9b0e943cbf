"""The steps as they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Profile, SetUpKey, SetUpState, SetUpStep
from services.accounts.person_name import name_of
from services.context import Context
from services.doctor.findings import Finding
from services.doctor.try_queue import try_queue
from services.season_admin.list_seasons import SeasonView, season_view
from services.seasons import current_season


@dataclass(frozen=True)
class StepView:
    """One step."""

    key: SetUpKey
    state: SetUpState
    #: What its last try found, and how long that took.
    result: Message | None = None
    seconds: float | None = None
    #: Who has touched it last, and when; None for the machine, and for a step that nobody has touched.
    who: str | None = None
    changed_at: datetime | None = None
    #: What was read of the sample.
    read_text: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do."""
        return self.state in (SetUpState.DONE, SetUpState.PASSED)


@dataclass(frozen=True)
class SetUpView:
    """The whole set-up."""

    steps: Mapping[SetUpKey, StepView]
    #: Whether somebody has finished it, or left it out.
    is_over: bool
    season: SeasonView
    #: Open accounts, and those of them that were invited and have not come yet.
    people: int
    awaited: int
    #: Of the queue, while a worker is waited for.
    queue: tuple[Finding, ...] = ()

    @property
    def settled(self) -> int:
        """Number of steps that are done or left out."""
        return sum(step.is_settled for step in self.steps.values())


def set_up_view(context: Context) -> SetUpView:
    """Return the steps. Schools and people count as done when there are any, however they came."""
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
    """Return whether nobody is to be led through the steps any more."""
    with context.database.session() as session:
        return session.get(SetUpStep, SetUpKey.WHOLE.value) is not None


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
