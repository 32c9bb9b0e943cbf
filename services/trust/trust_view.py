"""How far the supervisor can be trusted, as the page shows it, and when to warn."""

from __future__ import annotations

import uuid
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, repeat

from redis.exceptions import RedisError
from sqlalchemy import ColumnElement, Integer, Select, case, cast, func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.models import (
    Audit,
    AuditField,
    AuditStatus,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Season,
    Submission,
)
from pipeline.profiles import declared_fields
from services.context import Context
from services.policy import policy_of
from services.seasons import current_season
from services.trust.audit_sample import BANDS, TEXT, Counted, Left, Stratum, drift, passed_unseen, share_to_draw
from services.trust.precision import (
    Bin,
    Forecast,
    Judged,
    Precision,
    Recorded,
    SettledField,
    bins,
    fields_judged,
    forecast,
    precisions,
    submissions_judged,
    threshold_for,
)

# The alarm that a week is outside the band of the month before, for the pages of the admin area.
#
# The page of trust shows the details. Checking takes too long for every page, so it is done once a day.


_KEY = "second-reader:drift"
#: Longer than the day until the next check.
_SECONDS = 2 * 24 * 3600


@dataclass(frozen=True)
class Drifted:
    """How much of the current season has left its band: in all, forms, schools and providers."""

    left: int


def note_drift(context: Context) -> Drifted:
    """Compare the last seven days with the four weeks before, and store the result. Raises RedisError."""
    with context.database.session() as session:
        left = drift_of(session, context.settings, current_season(session).id)
    if left:
        context.redis.set(_KEY, "1", ex=_SECONDS)
    else:
        context.redis.delete(_KEY)
    return Drifted(len(left))


def has_drifted(context: Context) -> bool:
    """Whether the last check found drift; False if the queue does not answer."""
    try:
        return bool(context.redis.exists(_KEY))
    except RedisError:
        return False


_DECIDED = ("approved", "edited", "kept")
_WEEK, _MONTH = timedelta(days=7), timedelta(days=35)


@dataclass(frozen=True)
class TrustView:
    season_id: uuid.UUID
    #: The threshold in force.
    in_force: float
    #: First for all fields together, then by field.
    precisions: list[Precision]
    #: Number of pending audits, and the share of entries that is drawn now.
    waiting: int
    share_drawn: float
    by_audits: list[Bin]
    by_reviewers: list[Bin]
    #: Forecasts for the threshold in force and for the requested one.
    now: Forecast
    asked: Forecast
    #: The requested precision, and the threshold that gives it; None if none is known.
    wanted: float
    proposed: Forecast | None
    drift: list[Left]


def trust_view(context: Context, threshold: float | None = None, wanted: float = 0.995) -> TrustView:
    """Return the data of the current season; `threshold` is the one to forecast, by default the one in force."""
    with context.database.session() as session:
        season = current_season(session)
        in_force = policy_of(context.settings, season.policy).complete_confidence
        found, passed = _audited(session, season.id), passed_unseen(session, season.id)
        known = _recorded(session, season)
        judged = [*submissions_judged(found), *_decided_submissions(session, season.id, in_force)]
        values = _decided_values(session, season.id)
        left = drift_of(session, context.settings, season.id)
        waiting = _waiting(session, season.id)
    known_now = precisions(found, passed)
    drawn = waiting + len({field.audit for field in found})
    share = share_to_draw(context.settings.audit_share, sum(passed.values()), drawn, known_now[0].share.value)
    best = threshold_for(known, judged, wanted)
    return TrustView(
        season.id,
        in_force,
        known_now,
        waiting,
        share,
        bins(fields_judged(found)),
        bins(values),
        forecast(known, judged, in_force, in_force),
        forecast(known, judged, in_force if threshold is None else threshold, in_force),
        wanted,
        None if best is None else forecast(known, judged, best, in_force),
        left,
    )


def drift_of(session: Session, settings: Settings, season_id: uuid.UUID, at: datetime | None = None) -> list[Left]:
    """Return what was outside the band of the four weeks before in the seven days up to `at`, by default now."""
    until = at or utcnow()
    begins = until - _WEEK
    week = _counted(session, settings, season_id, begins, until)
    return drift(week, _counted(session, settings, season_id, until - _MONTH, begins)) if week else []


def _audited(session: Session, season_id: uuid.UUID) -> list[SettledField]:
    rows = session.execute(
        select(
            Audit.id,
            Audit.confidence,
            Audit.probability,
            AuditField.name,
            AuditField.required,
            AuditField.confidence,
            AuditField.finding,
            Audit.form,
            Audit.language,
            Audit.provider,
            Audit.band,
        )
        .join(AuditField, AuditField.audit_id == Audit.id)
        .where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
    )
    order = {name: place for place, name in enumerate(declared_fields())}
    return sorted(
        (SettledField(*row[:7], Stratum(*row[7:])) for row in rows),
        key=lambda one: order.get(one.name, len(order)),
    )


def _waiting(session: Session, season_id: uuid.UUID) -> int:
    pending = (Audit.season_id == season_id, Audit.status == AuditStatus.PENDING.value)
    return session.scalar(select(func.count()).select_from(Audit).where(*pending)) or 0


def _recorded(session: Session, season: Season) -> Recorded:
    """Return the confidences of the season's runs in force, with four decimal places."""
    steps = func.round(10_000 * Run.confidence)
    rows = session.execute(
        select(cast(steps, Integer), func.count())
        .where(Run.season_id == season.id, Run.ready.is_(True), Run.confidence.is_not(None))
        .group_by(cast(steps, Integer))
        .order_by(cast(steps, Integer))
    )
    ready = list(chain.from_iterable(repeat(step / 10_000, number) for step, number in rows))
    first, last, entries = session.execute(
        select(func.min(Submission.created_at), func.max(Submission.created_at), func.count()).where(
            Submission.season_id == season.id
        )
    ).one()
    weeks = 0.0 if first is None else max(1.0, (last - first) / _WEEK)
    return Recorded(ready, entries, weeks)


def _decided_submissions(session: Session, season_id: uuid.UUID, in_force: float) -> list[Judged]:
    """Return people's findings on entries that were ready and waited only because of the threshold.

    Each also represents entries of its band that nobody has decided yet.
    """
    right = func.bool_and(
        ReviewSuggestionField.final_value.is_not_distinct_from(ReviewSuggestionField.current_value)
    )
    per_run = (
        select(
            cast(func.round(10_000 * Run.confidence), Integer).label("step"),
            case((func.bool_and(ReviewSuggestionField.decision.in_(_DECIDED)), right)).label("is_right"),
        )
        .join(ReviewSuggestion, ReviewSuggestion.run_id == Run.run_id)
        .join(ReviewSuggestionField, ReviewSuggestionField.suggestion_id == ReviewSuggestion.id)
        .where(Run.season_id == season_id, Run.ready.is_(True), Run.confidence < in_force)
        .group_by(Run.run_id)
        .subquery()
    )
    rows = session.execute(
        select(per_run.c.step, per_run.c.is_right, func.count()).group_by(per_run.c.step, per_run.c.is_right)
    )
    return _weighted([(step / 10_000, is_right, number) for step, is_right, number in rows])


def _decided_values(session: Session, season_id: uuid.UUID) -> list[Judged]:
    """Return proposed values with their confidence; those that a person left in the entry are right."""
    right = ReviewSuggestionField.final_value == ReviewSuggestionField.proposed_value
    step = cast(func.round(10_000 * ReviewSuggestionField.confidence), Integer)
    is_right: ColumnElement[bool | None] = case((ReviewSuggestionField.decision.in_(_DECIDED), right))
    query: Select[int, bool | None, int] = (
        select(step, is_right, func.count())
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .where(ReviewSuggestion.season_id == season_id, ReviewSuggestionField.proposed_value.is_not(None))
        .group_by(step, is_right)
    )
    return _weighted([(step / 10_000, is_right, number) for step, is_right, number in session.execute(query)])


def _weighted(rows: list[tuple[float, bool | None, int]]) -> list[Judged]:
    """Weight rows (confidence, right or None, how many): decided ones represent all of their band."""
    waited: dict[int, int] = {}
    decided: dict[int, int] = {}
    for confidence, right, number in rows:
        band = bisect_right(BANDS, 100 * confidence + 1e-4)
        waited[band] = waited.get(band, 0) + number
        if right is not None:
            decided[band] = decided.get(band, 0) + number
    weights = {band: waited[band] / number for band, number in decided.items()}
    return [
        Judged(confidence, right, weights[bisect_right(BANDS, 100 * confidence + 1e-4)], number)
        for confidence, right, number in rows
        if right is not None
    ]


def _counted(
    session: Session, settings: Settings, season_id: uuid.UUID, begins: datetime, until: datetime
) -> list[Counted]:
    provider = case(
        (Submission.doc_format == "native_text", TEXT),
        else_=func.coalesce(Run.options["ocr_provider"].astext, settings.ocr_provider),
    )
    form, school = func.coalesce(Submission.profile, ""), func.coalesce(Submission.school_name, "")
    rows = session.execute(
        select(form, school, provider, func.count(), func.count().filter(Run.outcome == "completed"))
        .join(Run, (Run.submission_id == Submission.id) & (Run.run_no == Submission.run_no))
        .where(
            Submission.season_id == season_id,
            Submission.created_at >= begins,
            Submission.created_at < until,
            Run.outcome.is_not(None),
        )
        .group_by(form, school, provider)
    )
    return [Counted(*row) for row in rows]
