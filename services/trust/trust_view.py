"""How far the supervisor can be trusted, as the page shows it, and when to warn."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from redis.exceptions import RedisError
from sqlalchemy import func, select

from core.models import Audit, AuditStatus
from services.context import Context
from services.policy import policy_of
from services.seasons import current_season
from services.trust.audit_sample import Left, share_to_draw
from services.trust.figures import figures_of, gather, has_many, keep
from services.trust.precision import Bin, Forecast, Precision, forecast, has_fallen, threshold_for

# The alarms that a week is outside the band of the month before, and that agreement of two readers is wrong too
# often, for the pages of the admin area.
#
# The page of trust shows the details. Checking takes too long for every page, so it is done once a day.


_KEY, _AGREEMENT_KEY = "second-reader:drift", "second-reader:agreement_fell"
#: Longer than the day until the next check.
_SECONDS = 2 * 24 * 3600


@dataclass(frozen=True)
class Drifted:
    """How the current season differs from what is usual."""

    #: Number of bands that it has left: in all, forms, schools and providers.
    left: int
    #: Whether entries completed because two readers agree are wrong too often.
    agreement_fell: bool


def note_drift(context: Context) -> Drifted:
    """Compare the last seven days with the four weeks before, judge agreement by its audits, and store the result.

    Raises RedisError.
    """
    with context.database.session() as session:
        season = current_season(session)
        figures = gather(session, context.settings, season)
    keep(context, season.id, figures)
    found = Drifted(len(figures.drift), has_fallen(figures.agreement))
    for key, is_so in ((_KEY, found.left > 0), (_AGREEMENT_KEY, found.agreement_fell)):
        if is_so:
            context.redis.set(key, "1", ex=_SECONDS)
        else:
            context.redis.delete(key)
    return found


def has_drifted(context: Context) -> bool:
    """Whether the last check found drift; False if the queue does not answer."""
    return _is_noted(context, _KEY)


def fallen_agreement(context: Context) -> uuid.UUID | None:
    """Return the current season if its last check found that agreement of two readers is wrong too often.

    None also once the season's rule on agreement is off, and if the queue does not answer.
    """
    if not _is_noted(context, _AGREEMENT_KEY):
        return None
    with context.database.session() as session:
        season = current_season(session)
        return season.id if policy_of(context.settings, season.policy).agreed_completes else None


def _is_noted(context: Context, key: str) -> bool:
    try:
        return bool(context.redis.exists(key))
    except RedisError:
        return False


@dataclass(frozen=True)
class TrustView:
    season_id: uuid.UUID
    #: When all but the waiting audits was gathered, for a season that is too large for every page; else None.
    as_of: datetime | None
    #: The threshold in force.
    in_force: float
    #: First for all fields together, then by field.
    precisions: list[Precision]
    #: Of the entries that were completed because two readers agree, and whether it is too low.
    agreement: Precision
    agreement_fell: bool
    #: Whether the season's rules let agreement complete an entry, and whether a second reader is set up.
    agreed_completes: bool
    has_second_reader: bool
    #: Number of pending audits, and the share of entries that is drawn now.
    waiting: int
    share_drawn: float
    by_audits: list[Bin]
    by_reviewers: list[Bin]
    #: Forecasts for the threshold in force and for the requested one.
    now: Forecast
    asked: Forecast
    #: The requested one with the rule on agreement on and off; empty if that makes no difference.
    by_rule: dict[bool, Forecast]
    #: The requested precision, and the threshold that gives it; None if none is known.
    wanted: float
    proposed: Forecast | None
    drift: list[Left]


def trust_view(context: Context, threshold: float | None = None, wanted: float = 0.995) -> TrustView:
    """Return the data of the current season; `threshold` is the one to forecast, by default the one in force."""
    with context.database.session() as session:
        season = current_season(session)
        pending = (Audit.season_id == season.id, Audit.status == AuditStatus.PENDING.value)
        waits = select(func.count()).select_from(Audit).where(*pending).scalar_subquery()
        waiting, is_large = session.execute(select(waits, has_many(season.id))).one()
        figures = figures_of(session, context, season, is_large)
        rule = policy_of(context.settings, season.policy).agreed_completes
    in_force, known, judged = figures.in_force, figures.recorded[rule], figures.judged[rule]
    threshold = in_force if threshold is None else threshold
    by_rule = {
        on: forecast(figures.recorded[on], figures.judged[on], threshold, in_force, known) for on in (True, False)
    }
    share = share_to_draw(
        context.settings.audit_share, figures.passed, waiting + figures.audited, figures.precisions[0].share.value
    )
    best = threshold_for(known, judged, wanted)
    return TrustView(
        season.id,
        figures.gathered_at if is_large else None,
        in_force,
        figures.precisions,
        figures.agreement,
        has_fallen(figures.agreement),
        rule,
        context.settings.vision_model is not None,
        waiting,
        share,
        figures.by_audits,
        figures.by_reviewers,
        forecast(known, judged, in_force, in_force),
        by_rule[rule],
        {} if by_rule[True] == by_rule[False] else by_rule,
        wanted,
        None if best is None else forecast(known, judged, best, in_force),
        figures.drift,
    )
