"""How far the supervisor can be trusted, as the page shows it, and when to warn."""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from redis.exceptions import RedisError
from sqlalchemy import ColumnElement, Integer, Select, case, cast, func, or_, select
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
    has_fallen,
    precision_of_agreement,
    precisions,
    submissions_judged,
    threshold_for,
)

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
        season_id = current_season(session).id
        left = drift_of(session, context.settings, season_id)
        agreement = precision_of_agreement(_audited(session, season_id), passed_unseen(session, season_id))
    found = Drifted(len(left), has_fallen(agreement))
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


_DECIDED = ("approved", "edited", "kept")
_WEEK, _MONTH = timedelta(days=7), timedelta(days=35)


@dataclass(frozen=True)
class TrustView:
    season_id: uuid.UUID
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
        policy = policy_of(context.settings, season.policy)
        in_force, rule = policy.complete_confidence, policy.agreed_completes
        found, passed = _audited(session, season.id), passed_unseen(session, season.id)
        recorded = _recorded(session, season)
        decided = _decided_submissions(session, season.id, in_force)
        values = _decided_values(session, season.id)
        left = drift_of(session, context.settings, season.id)
        waiting = _waiting(session, season.id)
    judged_by = {on: [*submissions_judged(found, on), *decided[on]] for on in (True, False)}
    known, judged = recorded[rule], judged_by[rule]
    threshold = in_force if threshold is None else threshold
    by_rule = {on: forecast(recorded[on], judged_by[on], threshold, in_force, known) for on in (True, False)}
    agreement = precision_of_agreement(found, passed)
    known_now = precisions(found, passed)
    drawn = waiting + len({field.audit for field in found})
    share = share_to_draw(context.settings.audit_share, sum(passed.values()), drawn, known_now[0].share.value)
    best = threshold_for(known, judged, wanted)
    return TrustView(
        season.id,
        in_force,
        known_now,
        agreement,
        has_fallen(agreement),
        rule,
        context.settings.vision_model is not None,
        waiting,
        share,
        bins(fields_judged(found)),
        bins(values),
        forecast(known, judged, in_force, in_force),
        by_rule[rule],
        {} if by_rule[True] == by_rule[False] else by_rule,
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
            Audit.by_agreement,
            Run.confidence_otherwise,
        )
        .join(Run, Run.run_id == Audit.run_id)
        .join(AuditField, AuditField.audit_id == Audit.id)
        .where(Audit.season_id == season_id, Audit.status == AuditStatus.SETTLED.value)
    )
    order = {name: place for place, name in enumerate(declared_fields())}
    return sorted(
        (
            SettledField(
                *row[:7],
                Stratum(row.form, row.language, row.provider, row.band, row.by_agreement),
                row.confidence_otherwise,
            )
            for row in rows
        ),
        key=lambda one: order.get(one.name, len(order)),
    )


def _waiting(session: Session, season_id: uuid.UUID) -> int:
    pending = (Audit.season_id == season_id, Audit.status == AuditStatus.PENDING.value)
    return session.scalar(select(func.count()).select_from(Audit).where(*pending)) or 0


#: The confidence that counts for a run, 0 if something is open, and that with the rule on agreement the other way.
_COUNTS = case((Run.ready.is_(True), Run.confidence), else_=0.0)
_OTHERWISE = func.coalesce(Run.confidence_otherwise, _COUNTS)
#: Both by whether the rule is on, in steps of 0.0001: agreement only ever raises the confidence.
_STEPS = {
    True: cast(func.round(10_000 * func.greatest(_COUNTS, _OTHERWISE)), Integer),
    False: cast(func.round(10_000 * func.least(_COUNTS, _OTHERWISE)), Integer),
}
#: Runs in which nothing is open, by the rule as it was or the other way.
_MAY_PASS = or_(Run.ready.is_(True), Run.confidence_otherwise > 0)


def _recorded(session: Session, season: Season) -> dict[bool, Recorded]:
    """Return the confidences of the season's runs, by whether the rule on agreement is on."""
    rows = session.execute(
        select(_STEPS[True].label("on"), _STEPS[False].label("off"), func.count())
        .where(Run.season_id == season.id, _MAY_PASS, Run.confidence.is_not(None))
        .group_by("on", "off")
    ).all()
    first, last, entries = session.execute(
        select(func.min(Submission.created_at), func.max(Submission.created_at), func.count()).where(
            Submission.season_id == season.id
        )
    ).one()
    weeks = 0.0 if first is None else max(1.0, (last - first) / _WEEK)
    counts = {on: Counter[int]() for on in _STEPS}
    for step_on, step_off, number in rows:
        counts[True][step_on] += number
        counts[False][step_off] += number
    ready = {
        on: [step / 10_000 for step, number in sorted(found.items()) if step for _ in range(number)]
        for on, found in counts.items()
    }
    return {on: Recorded(steps, entries, weeks) for on, steps in ready.items()}


def _decided_submissions(session: Session, season_id: uuid.UUID, in_force: float) -> dict[bool, list[Judged]]:
    """Return people's findings on entries that waited only because of the threshold or the rule on agreement.

    They are given with their confidence by whether the rule is on; 0 passes at no threshold. Each also represents
    entries of its band that nobody has decided yet.
    """
    right = func.bool_and(
        ReviewSuggestionField.final_value.is_not_distinct_from(ReviewSuggestionField.current_value)
    )
    per_run = (
        select(
            _STEPS[True].label("on"),
            _STEPS[False].label("off"),
            case((func.bool_and(ReviewSuggestionField.decision.in_(_DECIDED)), right)).label("is_right"),
        )
        .join(ReviewSuggestion, ReviewSuggestion.run_id == Run.run_id)
        .join(ReviewSuggestionField, ReviewSuggestionField.suggestion_id == ReviewSuggestion.id)
        .where(Run.season_id == season_id, _MAY_PASS, in_force > _COUNTS)
        .group_by(Run.run_id)
        .subquery()
    )
    rows = session.execute(
        select(per_run.c.on, per_run.c.off, per_run.c.is_right, func.count()).group_by(
            per_run.c.on, per_run.c.off, per_run.c.is_right
        )
    ).all()
    return {
        True: _weighted([(on / 10_000, is_right, number) for on, _, is_right, number in rows]),
        False: _weighted([(off / 10_000, is_right, number) for _, off, is_right, number in rows]),
    }


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
