"""Which entries are drawn for an audit, and when precision has drifted."""

from __future__ import annotations

import math
import random
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal

from sqlalchemy import exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.config import Settings
from core.models import Audit, AuditField, AuditFinding, AuditStatus, AuditStratum, Run, Submission
from pipeline.orchestrator.context import RunResult
from pipeline.pages.page_model import Source
from pipeline.profiles import HEADER_KINDS, FieldKind, derived_fields, fields_of_form, fields_of_kind
from pipeline.reason_codes import blocking
from pipeline.schema import DocFormat, FieldReading, SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.certainty import standing_of
from pipeline.validation.policy import Policy
from services.context import Context
from services.seasons import current_season

#: Provider of an entry whose text needed no recognition.
TEXT = "text"


def draw_audit(
    session: Session, settings: Settings, policy: Policy, run: Run, submission: Submission, result: RunResult
) -> None:
    """Draw the entry that this run has just completed, in the caller's transaction.

    Does nothing with AUDIT_SHARE 0. A run that was drawn before stays drawn.
    """
    if not settings.audit_share:
        return
    stratum = Stratum(
        submission.profile or "",
        submission.language or "",
        recognition_provider(submission, run, settings),
        band_of(result.confidence),
        passed_by_agreement(run, policy),
    )
    share = share_now(session, settings, run.season_id, stratum.by_agreement)
    probability = _counted(session, run.season_id, stratum, share).probability
    if probability is None:
        return
    audit_id = session.scalar(
        insert(Audit)
        .values(
            season_id=run.season_id,
            submission_id=submission.id,
            run_id=run.run_id,
            **asdict(stratum),
            confidence=result.confidence,
            probability=probability,
        )
        .on_conflict_do_nothing(index_elements=["run_id"])
        .returning(Audit.id)
    )
    if audit_id is None:
        return
    session.add_all(_fields(audit_id, result.record, policy))


def share_now(session: Session, settings: Settings, season_id: uuid.UUID, by_agreement: bool = False) -> float:
    """Return the share of entries that is drawn now: AUDIT_SHARE, and more while few audits are known.

    With `by_agreement`, that of the entries that were completed because two readers agree, by audits of these.
    """
    most_share = MOST_SHARE_AGREED if by_agreement else MOST_SHARE
    if not settings.audit_share or settings.audit_share >= most_share:
        return settings.audit_share
    # Counting stops when even a share of one half would be known well enough: large seasons have many audits.
    most = audits_needed(0.5)
    drawn_ones = select(Audit.id, Audit.status).where(Audit.season_id == season_id)
    if by_agreement:
        drawn_ones = drawn_ones.where(Audit.by_agreement)
    of_season = drawn_ones.limit(most).subquery()
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
    passed = passed_unseen(session, season_id).items()
    seen = sum(number for stratum, number in passed if stratum.by_agreement or not by_agreement)
    right = 1 - mistaken / settled if settled else None
    return share_to_draw(settings.audit_share, seen, drawn, right, most_share)


def current_share(context: Context) -> float:
    """Return the share of the current season's entries that is drawn now."""
    with context.database.session() as session:
        return share_now(session, context.settings, current_season(session).id)


def passed_unseen(session: Session, season_id: uuid.UUID) -> dict[Stratum, int]:
    """Return how many entries of the season were completed without review, by stratum."""
    rows = session.scalars(select(AuditStratum).where(AuditStratum.season_id == season_id))
    return {Stratum(row.form, row.language, row.provider, row.band, row.by_agreement): row.seen for row in rows}


def decided_by_confidence(result: RunResult) -> bool:
    """Whether nothing was missing or doubtful, so that only the confidence decided."""
    return not (result.missing_fields or result.weak_fields or blocking(result.record.review_reason_codes))


def confidence_otherwise(result: RunResult, policy: Policy) -> float | None:
    """Return the confidence that would count with the rule on two readers that agree the other way.

    0 if something would be open, None if the rule makes no difference.
    """
    if not any(reading.is_agreed for reading in result.record.readings.values()):
        return None
    other = policy.model_copy(update={"agreed_completes": not policy.agreed_completes})
    record, found = validate_record(result.record, other)
    is_open = found["missing_fields"] or found["weak_fields"] or blocking(record.review_reason_codes)
    otherwise = 0.0 if is_open else float(found["confidence"])
    return None if otherwise == (result.confidence if decided_by_confidence(result) else 0.0) else otherwise


def passed_by_agreement(run: Run, policy: Policy) -> bool:
    """Whether a completed entry would have waited for a person if the agreement of two readers counted nothing."""
    otherwise = run.confidence_otherwise
    return policy.agreed_completes and otherwise is not None and otherwise < policy.complete_confidence


def recognition_provider(submission: Submission, run: Run, settings: Settings) -> str:
    """Return the key of the provider that recognised the entry, `TEXT` for none."""
    if submission.doc_format == DocFormat.NATIVE_TEXT:
        return TEXT
    return str(run.options.get("ocr_provider") or settings.ocr_provider)


def audited_fields() -> frozenset[str]:
    """Return the fields that an auditor types: no long texts, no marks, nothing computed from others."""
    kinds = (*HEADER_KINDS, FieldKind.TEXT, FieldKind.DATE, FieldKind.NUMBER)
    return frozenset(fields_of_kind(*kinds)) - derived_fields()


def _counted(session: Session, season_id: uuid.UUID, stratum: Stratum, share: float) -> AuditDraw:
    """Count the entry in its stratum, and return whether it is drawn."""
    start = random.random()
    key = {"season_id": season_id, **asdict(stratum)}
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


def _fields(audit_id: uuid.UUID, record: SubmissionRecord, policy: Policy) -> list[AuditField]:
    """Return rows for the required fields, and for others with a value."""
    found, required = [], policy.required_of(record)
    of_form = fields_of_form(record.profile, record.profile_version)
    for name in sorted(audited_fields().intersection(of_form)):
        value = record.value_of(name)
        reading = record.readings.get(name, FieldReading())
        if (value is None and name not in required) or reading.source is Source.BATCH_DEFAULT:
            # The batch's defaults are on no page that an auditor could read.
            continue
        found.append(
            AuditField(
                audit_id=audit_id,
                name=name,
                required=name in required,
                value=value,
                confidence=standing_of(reading, policy),
                agreed=standing_of(reading, policy) > reading.standing,
            )
        )
    return found


# Whether this week is outside the band of the month before it, and which group causes that. Pure.


#: The properties by which entries are grouped.
Kind = Literal["form", "school", "provider"]
KINDS: tuple[Kind, ...] = ("form", "school", "provider")
#: Half the width of the band in standard errors: of all entries, and of one of many forms, schools or recognisers.
WIDTH_OF_ALL, WIDTH_OF_ONE = 3.0, 3.5
#: Least entries of a week, and of a month, for a comparison.
LEAST_WEEK, LEAST_MONTH = 20, 60


@dataclass(frozen=True, slots=True)
class Counted:
    """Numbers of entries with the same form, school and recogniser."""

    form: str
    school: str
    provider: str
    entries: int
    #: Those that were completed without review.
    passed: int


@dataclass(frozen=True, slots=True)
class Left:
    """A share of this week outside its band."""

    #: None: all entries together.
    kind: Kind | None
    key: str
    share: float
    entries: int
    #: The month's share and the band around it for as many entries.
    usual: float
    low: float
    high: float

    @property
    def distance(self) -> float:
        """How far outside, in entries."""
        return self.entries * max(self.low - self.share, self.share - self.high)


def leaves(week: tuple[int, int], month: tuple[int, int], width: float) -> tuple[float, float] | None:
    """Return the band if the week's share is outside it, else None. Both are (entries, passed).

    The band is the month's share and `width` standard errors of the difference between two shares on either side.
    The error counts one more success and failure, so that a month without either has no band of width 0.
    """
    if week[0] < LEAST_WEEK or month[0] < LEAST_MONTH:
        return None
    usual, share = month[1] / month[0], week[1] / week[0]
    spread = (month[1] + 1) / (month[0] + 2)
    half = width * math.sqrt(spread * (1 - spread) * (1 / week[0] + 1 / month[0]))
    low, high = max(0.0, usual - half), min(1.0, usual + half)
    return None if low <= share <= high else (low, high)


def drift(week: Iterable[Counted], month: Iterable[Counted]) -> list[Left]:
    """Return what is outside its band: all entries first, then the groups that cause it, farthest first."""
    now, before = _tallied(week), _tallied(month)
    found = []
    for place, counted in now.items():
        usual = before.get(place, (0, 0))
        band = leaves(counted, usual, WIDTH_OF_ALL if place[0] is None else WIDTH_OF_ONE)
        if band is not None:
            share, of_month = counted[1] / counted[0], usual[1] / usual[0]
            found.append(Left(*place, share, counted[0], of_month, *band))
    return sorted(found, key=lambda left: (left.kind is not None, -left.distance, str(left.kind), left.key))


def _tallied(rows: Iterable[Counted]) -> Mapping[tuple[Kind | None, str], tuple[int, int]]:
    found: dict[tuple[Kind | None, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for row in rows:
        places: list[tuple[Kind | None, str]] = [(None, ""), *((kind, getattr(row, kind)) for kind in KINDS)]
        for place in places:
            entries, passed = found[place]
            found[place] = entries + row.entries, passed + row.passed
    return found


# Which of the entries completed without review are audited. Pure.
#
# Within a stratum it is a systematic sample with a random start (Madow and Madow 1944): the shares are summed from
# a start between 0 and 1, and an entry is drawn where the sum passes a whole number. So each is drawn with the
# probability of the share, and at least n times the share, rounded down, of n entries. The first of a stratum is
# always drawn, so that each stratum has an audit.


#: Lower bounds of the bands of confidence, in per cent.
BANDS = (0, 90, 93, 96, 99)


@dataclass(frozen=True, slots=True)
class Stratum:
    """The properties by which an entry is drawn, without names."""

    #: Key of the profile; "" for none.
    form: str
    #: "" for unknown.
    language: str
    #: Who recognised the text; "text" if no recognition was needed.
    provider: str
    #: Lower bound of the band of confidence, in per cent.
    band: int
    #: It was completed only because two readers agree.
    by_agreement: bool = False


@dataclass(frozen=True, slots=True)
class AuditDraw:
    #: The stratum's sum, this entry included.
    total: float
    #: The probability with which it was drawn; None if it was not.
    probability: float | None


def band_of(confidence: float) -> int:
    """Return the lower bound, in per cent, of the band that holds a confidence."""
    # A bound that was stored as a float belongs to its own band.
    return max(bound for bound in BANDS if bound <= max(0.0, 100 * confidence + 1e-4))


def draw(total: float | None, share: float, start: float) -> AuditDraw:
    """Return whether the next entry of a stratum is drawn.

    `total` is the stratum's sum before it, None for its first entry; `start` is uniform between 0 and 1 and used
    only then. With a share of 0 nothing is drawn. Raises ValueError for a share beyond 0 and 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"no share: {share}")
    if total is None:
        return AuditDraw(start, 1.0 if share else None)
    passed = math.floor(total + share) > math.floor(total)
    return AuditDraw(total + share, share if passed else None)


# How many audits are missing until a precision is known well enough, and the share to draw until then. Pure.


#: Greatest half width of the interval of a precision that is known well enough: "within three points".
WITHIN = 0.03
#: Share of right entries that is assumed before any judgement.
_ASSUMED = 0.98
_MOST = 1 << 20
#: Largest share of entries that is drawn, unless AUDIT_SHARE is larger.
MOST_SHARE = 0.25
#: The same for the entries that were completed because two readers agree, which are few.
MOST_SHARE_AGREED = 0.5
#: The missing audits are drawn over as many entries as there were so far, but at least over these.
LEAST_AHEAD = 100


@lru_cache(maxsize=1024)
def audits_needed(share: float, within: float = WITHIN) -> int:
    """Return the least number of equal audits whose Wilson interval is no wider than twice `within`.

    Raises ValueError unless 0 < within < 0.5.
    """
    if not 0 < within < 0.5:
        raise ValueError(f"no half of an interval: {within}")
    low, high = 0, 1
    while wilson(share, high).width > 2 * within and high < _MOST:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if wilson(share, middle).width > 2 * within:
            low = middle
        else:
            high = middle
    return high


def audits_wanting(found: Share, population: float = math.inf) -> int:
    """Return how many more audits would narrow the interval, if their results are like those so far.

    A finite population needs fewer, n / (1 + n / N) (Cochran 1977, section 4.4).
    """
    if found.value is not None and found.interval.width <= 2 * WITHIN:
        return 0
    needed = audits_needed(_ASSUMED if found.value is None else round(found.value, 3))
    # The effective size includes the correction for a finite population; here audits are counted.
    size = found.effective if math.isinf(population) else found.effective / (1 + found.effective / population)
    needed_now = needed if math.isinf(population) else needed / (1 + needed / population)
    # Audits of unequal weight count for less than their number.
    wanting = max(1, math.ceil((needed_now - size) * (found.judged / size if size else 1.0)))
    return wanting if math.isinf(population) else min(wanting, max(1, math.ceil(population - found.judged)))


def share_to_draw(least: float, seen: int, drawn: int, right: float | None, most: float = MOST_SHARE) -> float:
    """Return the share to draw next: larger the more audits are missing beyond those drawn, never below `least`.

    `seen` entries were completed without review so far, `drawn` of them were drawn, and a share `right` of the
    audited ones was right (None: none was audited). With 0 as the least share nothing is drawn.
    """
    if not least:
        return 0.0
    missing = audits_needed(_ASSUMED if right is None else round(right, 3)) - drawn
    return max(least, min(most, missing / max(LEAST_AHEAD, seen)))


# Wilson's score interval of a share, for a weighted sample too. Pure.
#
# Wilson 1927; for a weighted sample with Kish's effective sample size (Kish 1965, section 11.7).


#: Two-sided 95 %.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a share, 0-1."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Share:
    #: None if nothing was judged.
    value: float | None
    interval: Interval
    #: How many were judged.
    judged: int
    #: Number of equally weighted ones that would be as precise.
    effective: float


def wilson(share: float, number: float) -> Interval:
    """Return the interval of a share that was seen in `number` trials; (0, 1) without trials.

    `number` need not be whole. Raises ValueError unless 0 <= share <= 1 and number >= 0.
    """
    if not 0 <= share <= 1 or number < 0:
        raise ValueError(f"no share of a number of trials: {share}, {number}")
    if number == 0:
        return Interval(0.0, 1.0)
    squared = Z * Z / number
    middle = (share + squared / 2) / (1 + squared)
    half = Z / (1 + squared) * math.sqrt(share * (1 - share) / number + squared / (4 * number))
    # A share of 0 or 1 is its own bound; the sums miss it by a rounding.
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return Interval(low, high)


def effective_size(weights: Iterable[float]) -> float:
    """Return Kish's effective sample size, (sum of weights)² / sum of squared weights; 0.0 for none.

    Raises ValueError for a weight that is not positive.
    """
    total = squares = 0.0
    for weight in weights:
        if weight <= 0:
            raise ValueError(f"a weight must be positive: {weight}")
        total += weight
        squares += weight * weight
    return total * total / squares if squares else 0.0


def weighted_share(judged: Iterable[tuple[bool, float] | tuple[bool, float, int]]) -> Share:
    """Return the share of the right ones among (right, weight) or (right, weight, how many of these)."""
    total = squares = right_ones = 0.0
    number = 0
    for right, weight, *counted in judged:
        count = counted[0] if counted else 1
        if weight <= 0:
            raise ValueError(f"a weight must be positive: {weight}")
        total += count * weight
        squares += count * weight * weight
        right_ones += count * weight if right else 0.0
        number += count
    if not number:
        return Share(None, Interval(0.0, 1.0), 0, 0.0)
    value, effective = min(1.0, right_ones / total), total * total / squares
    return Share(value, wilson(value, effective), number, effective)
