"""What the page of trust is computed from, gathered from all rows of a season; kept for a season that has many."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import TypeAdapter, ValidationError
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
from services.trust.audit_sample import TEXT, Counted, Left, Stratum, band_of, drift, passed_unseen
from services.trust.precision import (
    Bin,
    Judged,
    Precision,
    Recorded,
    SettledField,
    bins,
    fields_judged,
    precision_of_agreement,
    precisions,
    submissions_judged,
)

#: Seasons of so many entries are looked through for each page; larger ones by the workforce.
AT_ONCE = 20_000
#: Least seconds between two gatherings of the workforce, and that multiple of the time which one takes.
_LEAST, _TIMES = 600, 100
#: Longer than the workforce ever pauses.
_KEPT = 2 * 24 * 3600
_DECIDED = ("approved", "edited", "kept")
_WEEK, _MONTH = timedelta(days=7), timedelta(days=35)


@dataclass(frozen=True)
class Figures:
    """Everything but what depends on the threshold or the precision that a person asks for."""

    gathered_at: datetime
    #: How long that took.
    seconds: float
    #: The threshold in force; with another one, people's findings stand for other entries.
    in_force: float
    #: First for all fields together, then by field.
    precisions: list[Precision]
    agreement: Precision
    by_audits: list[Bin]
    by_reviewers: list[Bin]
    #: Numbers of settled audits and of entries completed without review.
    audited: int
    passed: int
    #: By whether the rule on agreement is on.
    recorded: dict[bool, Recorded]
    judged: dict[bool, list[Judged]]
    drift: list[Left]


_FIGURES = TypeAdapter(Figures)


def gather(session: Session, settings: Settings, season: Season) -> Figures:
    """Look through the season: at a million entries, that takes seconds."""
    begun = time.monotonic()
    in_force = policy_of(settings, season.policy).complete_confidence
    found, passed = _audited(session, season.id), passed_unseen(session, season.id)
    decided = _decided_submissions(session, season.id, in_force)
    judged = {on: _together([*submissions_judged(found, on), *decided[on]]) for on in (True, False)}
    return Figures(
        gathered_at=utcnow(),
        in_force=in_force,
        precisions=precisions(found, passed),
        agreement=precision_of_agreement(found, passed),
        by_audits=bins(fields_judged(found)),
        by_reviewers=bins(_decided_values(session, season.id)),
        audited=len({field.audit for field in found}),
        passed=sum(passed.values()),
        recorded=_recorded(session, season),
        judged=judged,
        drift=drift_of(session, settings, season.id),
        seconds=time.monotonic() - begun,
    )


def figures_of(session: Session, context: Context, season: Season, is_large: bool) -> Figures:
    """Return the figures of now, or for a large season those that were gathered last under its rules."""
    if not is_large:
        return gather(session, context.settings, season)
    try:
        kept = context.redis.get(_key(season.id))
        found = _FIGURES.validate_json(kept) if kept else None
    except (RedisError, ValidationError):
        found = None
    if found is None or found.in_force != policy_of(context.settings, season.policy).complete_confidence:
        found = gather(session, context.settings, season)
        keep(context, season.id, found)
    return found


def has_many(season_id: uuid.UUID) -> ColumnElement[bool]:
    """Return the expression of whether a season has more entries than are looked through at once."""
    beyond = select(Submission.id).where(Submission.season_id == season_id).offset(AT_ONCE).limit(1)
    return beyond.exists()


def renew_figures(context: Context) -> bool:
    """Gather the figures of the current season if it has many entries and it was long ago; return whether it did.

    "Long" is a multiple of the time that it takes. Raises RedisError.
    """
    lately = "second-reader:trust_renewed"
    if not context.redis.set(lately, "1", nx=True, ex=_LEAST):
        return False
    with context.database.session() as session:
        season = current_season(session)
        if not session.scalar(select(has_many(season.id))):
            return False
        found = gather(session, context.settings, season)
    keep(context, season.id, found)
    context.redis.set(lately, "1", ex=max(_LEAST, round(_TIMES * found.seconds)))
    return True


def keep(context: Context, season_id: uuid.UUID, figures: Figures) -> None:
    """Keep figures for the pages that follow; without the queue's server, the next page gathers them again."""
    try:
        context.redis.set(_key(season_id), _FIGURES.dump_json(figures), ex=_KEPT)
    except RedisError:
        return


def _key(season_id: uuid.UUID) -> str:
    return f"second-reader:trust:{season_id}"


def _together(judged: Iterable[Judged]) -> list[Judged]:
    """Return equal findings as one, with confidences in steps of 0.0001."""
    found: Counter[tuple[float, bool, float]] = Counter()
    for one in judged:
        found[round(one.confidence, 4), one.right, one.weight] += one.count
    return [Judged(*key, count) for key, count in sorted(found.items())]


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
    counts = {on: Counter[float]() for on in _STEPS}
    for step_on, step_off, number in rows:
        counts[True][step_on / 10_000] += number
        counts[False][step_off / 10_000] += number
    return {
        on: Recorded({confidence: number for confidence, number in found.items() if confidence}, entries, weeks)
        for on, found in counts.items()
    }


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
    keys = (per_run.c.on, per_run.c.off, per_run.c.is_right)
    rows = session.execute(select(*keys, func.count()).group_by(*keys)).all()
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
    waited, decided = Counter[int](), Counter[int]()
    for confidence, right, number in rows:
        waited[band_of(confidence)] += number
        if right is not None:
            decided[band_of(confidence)] += number
    weights = {band: waited[band] / number for band, number in decided.items()}
    return [
        Judged(confidence, right, weights[band_of(confidence)], number)
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
