"""What happened in a period, occurrence by occurrence.

An occurrence belongs to a run, whose facts give the scopes and the form, language and provider under which it is
counted, and to a day in UTC. The same queries count new occurrences, recount everything, and find the entries
behind a figure.
"""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Date,
    FromClause,
    Numeric,
    Select,
    Text,
    case,
    cast,
    extract,
    func,
    literal,
    literal_column,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, array
from sqlalchemy.orm import InstrumentedAttribute

from core.messages import LabelledEnum
from core.models import (
    FieldDecision,
    ModelCallRow,
    OrchestratorLog,
    ReviewDecision,
    ReviewEffort,
    ReviewSuggestion,
    ReviewSuggestionField,
    RunFact,
    UploadBatch,
)
from pipeline.pages.page_model import Source
from pipeline.reason_codes import ProposalReason

# Histograms with fixed buckets on a log scale: percentiles are computed from counts. Pure.


#: Lower bounds of the buckets, in milliseconds or seconds, each about √2 times the one before; the last is open.
BOUNDS: tuple[int, ...] = (0, *sorted({round(2 ** (power / 2)) for power in range(52)}))


def bucket_of(value: float) -> int:
    """Return the lower bound of the bucket that a value ≥ 0 falls into."""
    return BOUNDS[bisect_right(BOUNDS, value) - 1]


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """Return the value that `share` of all values do not exceed; None for no values.

    `counts` are numbers of values by the lower bound of their bucket. Within a bucket the values are assumed
    to be spread evenly, so that the error is less than the width of one bucket.
    """
    total = sum(counts.values())
    if total <= 0:
        return None
    wanted, seen = share * total, 0
    for low in sorted(counts):
        if counts[low] > 0 and seen + counts[low] >= wanted:
            following = bisect_right(BOUNDS, low)
            end = BOUNDS[following] if following < len(BOUNDS) else low
            return low + (end - low) * max(wanted - seen, 0) / counts[low]
        seen += counts[low]
    raise AssertionError("unreachable: all values were seen")


class Kind(StrEnum):
    """Kinds of occurrences; the comment names their keys."""

    #: outcome, reason: a run has ended. The total is the number of its tools.
    RUN = "run"
    #: outcome, reason, field: a field that the reason names.
    FIELD = "field"
    #: outcome, reason code: a reason code of the entry.
    DOUBT = "doubt"
    #: tool: a use of a tool.
    TOOL = "tool"
    #: field, reason, origin: a proposed field.
    OFFERED = "offered"
    #: field, reason, origin, decision: a person's decision on a proposed field.
    DECIDED = "decided"
    #: provider, model, error or "ok", "first" or "retry": a request to a model. The total is milliseconds.
    CALL = "call"
    #: node, bucket of milliseconds: an execution of a node. The total is milliseconds.
    NODE = "node"
    #: outcome, reason: a decision of a person on an entry.
    BY_PERSON = "by_person"
    #: "machine" or "person", bucket of seconds: an entry was settled, this long after its upload.
    SETTLED = "settled"
    #: kind of decision, bucket of seconds or "": the effort of a decision. The total counts changed values.
    EFFORT = "effort"
    #: kind of decision: a decision whose effort is known was undone.
    UNDONE = "undone"


class SuggestionOrigin(LabelledEnum):
    """Where a proposed value comes from."""

    NOTHING = "nothing", "Nothing to propose"
    BATCH = "batch", "Other entries of the file or upload"
    AS_READ = "as_read", "The value as read"
    MODEL = "model", "Language model"
    SCHOOL_LIST = "school_list", "List of schools"
    SECOND_READING = "second_reading", "Second reading"


class SettledBy(LabelledEnum):
    """Who settled an entry."""

    MACHINE = "machine", "The machine"
    PERSON = "person", "A person"


Expression: TypeAlias = ColumnElement[Any] | InstrumentedAttribute[Any]
#: The columns summed besides the number of occurrences.
_SUMMED = {"total": BigInteger, "tokens_in": BigInteger, "tokens_out": BigInteger, "cost_usd": Numeric}
_ALWAYS, _NOTHING = true(), literal_column("0", BigInteger)


@dataclass(frozen=True)
class Origin:
    """The rows that are the origin of one kind of occurrence; a row, or an element of it, is one occurrence."""

    kind: Kind
    keys: tuple[Expression, ...]
    #: When it happened.
    at: Expression
    rows: FromClause
    #: Which rows count at all, and which of these still do: an undone decision does not.
    where: ColumnElement[bool] = _ALWAYS
    standing: ColumnElement[bool] = _ALWAYS
    total: Expression = _NOTHING
    tokens_in: Expression = _NOTHING
    tokens_out: Expression = _NOTHING
    cost_usd: Expression = _NOTHING

    def occurrences(self, *where: ColumnElement[bool], sign: int = 1) -> Select[*tuple[Any, ...]]:
        """Return one row an occurrence: facts of its run, day, kind, keys, and what is added for it.

        With a `sign` of -1 the amounts cancel those added before.
        """
        return (
            select(
                RunFact.season_id,
                RunFact.batch_id,
                RunFact.school_id,
                day_of(self.at).label("day"),
                literal(self.kind.value, Text).label("kind"),
                cast(array([cast(key, Text) for key in self.keys]), ARRAY(Text)).label("keys"),
                func.coalesce(RunFact.profile, "").label("profile"),
                func.coalesce(RunFact.language, "").label("language"),
                func.coalesce(RunFact.ocr_provider, "").label("ocr_provider"),
                literal(sign, BigInteger).label("number"),
                *((cast(getattr(self, name), kind) * sign).label(name) for name, kind in _SUMMED.items()),
            )
            .select_from(self.rows)
            .where(self.where, *where)
        )


def day_of(at: Expression) -> ColumnElement[Any]:
    """The day of a moment in UTC."""
    return cast(func.timezone("UTC", at), Date)


def bucket(value: Expression) -> ColumnElement[Any]:
    """The lower bound of the bucket of a value, as `bucket_of`."""
    bounds = literal_column(f"('{{{','.join(map(str, BOUNDS))}}}'::bigint[])", ARRAY(BigInteger))
    return bounds[func.width_bucket(cast(value, BigInteger), bounds)]


def seconds_between(begin: Expression, end: Expression) -> ColumnElement[Any]:
    """Whole seconds from one moment to a later one."""
    return func.greatest(func.floor(extract("epoch", end - begin)), 0)


def _elements(of: InstrumentedAttribute[list[str]], name: str) -> tuple[FromClause, ColumnElement[Any]]:
    """Run facts with one row an element of an array, and the element."""
    elements = func.unnest(of).table_valued(Column(name, Text)).render_derived()
    facts = RunFact.__table__.join(elements, true())
    return facts, elements.c[name]


_FACTS = RunFact.__table__
_FIELD_ROWS, _FIELD = _elements(RunFact.fields, "field")
_DOUBT_ROWS, _DOUBT = _elements(RunFact.doubts, "doubt")
_TOOL_ROWS, _TOOL = _elements(RunFact.tools, "tool")
_PROPOSED = _FACTS.join(ReviewSuggestion, ReviewSuggestion.run_id == RunFact.run_id).join(
    ReviewSuggestionField, ReviewSuggestionField.suggestion_id == ReviewSuggestion.id
)
_WHY_PROPOSED = func.coalesce(cast(ReviewSuggestionField.reason, JSONB)["code"].astext, "")
#: Where a proposed value comes from.
_CAME_FROM = case(
    (_WHY_PROPOSED.in_([ProposalReason.NOTHING.value]), SuggestionOrigin.NOTHING.value),
    (_WHY_PROPOSED.in_([ProposalReason.AS_OTHERS.value]), SuggestionOrigin.BATCH.value),
    (_WHY_PROPOSED.in_([ProposalReason.AS_READ.value]), SuggestionOrigin.AS_READ.value),
    (ReviewSuggestionField.source == Source.MODEL.value, SuggestionOrigin.MODEL.value),
    (ReviewSuggestionField.source == Source.SCHOOL_LIST.value, SuggestionOrigin.SCHOOL_LIST.value),
    else_=SuggestionOrigin.SECOND_READING.value,
)
_PROPOSAL_KEYS = (ReviewSuggestionField.name, _WHY_PROPOSED, _CAME_FROM)
#: As in the index of migration 011.
_RUN_OF_DECISION = literal_column("(review_decisions.before -> 'run' ->> 'run_id')", Text)
_DECISIONS = _FACTS.join(ReviewDecision, RunFact.run_id == _RUN_OF_DECISION)
_DECIDED_AS = literal_column("(review_decisions.before -> 'counted' ->> 'outcome')", Text)
_EFFORTS = _DECISIONS.join(ReviewEffort, ReviewEffort.decision_id == ReviewDecision.id)
_STANDING = ReviewDecision.undone_at.is_(None)

#: Counted when the machine is done with a run.
OF_RUN = (
    Origin(
        Kind.RUN,
        (RunFact.outcome, RunFact.reason),
        RunFact.ended_at,
        _FACTS,
        total=func.cardinality(RunFact.tools),
    ),
    Origin(Kind.FIELD, (RunFact.outcome, RunFact.reason, _FIELD), RunFact.ended_at, _FIELD_ROWS),
    Origin(Kind.DOUBT, (RunFact.outcome, _DOUBT), RunFact.ended_at, _DOUBT_ROWS),
    Origin(Kind.TOOL, (_TOOL,), RunFact.ended_at, _TOOL_ROWS),
    Origin(Kind.OFFERED, _PROPOSAL_KEYS, RunFact.ended_at, _PROPOSED),
    Origin(
        Kind.SETTLED,
        (literal(SettledBy.MACHINE.value), bucket(seconds_between(UploadBatch.created_at, RunFact.ended_at))),
        RunFact.ended_at,
        _FACTS.join(UploadBatch, UploadBatch.id == RunFact.batch_id),
        where=RunFact.outcome == "completed",
    ),
    Origin(
        Kind.CALL,
        (
            ModelCallRow.provider,
            ModelCallRow.model,
            case((ModelCallRow.status == "ok", "ok"), else_=func.coalesce(ModelCallRow.error_code, "failed")),
            case((ModelCallRow.attempt > 1, "retry"), else_="first"),
        ),
        ModelCallRow.created_at,
        _FACTS.join(ModelCallRow, ModelCallRow.run_id == RunFact.run_id),
        total=ModelCallRow.latency_ms,
        tokens_in=ModelCallRow.tokens_in,
        tokens_out=ModelCallRow.tokens_out,
        cost_usd=ModelCallRow.cost_usd,
    ),
)
#: Counted when the machine is done with a run, and when it has carried out a person's decision.
OF_STEPS = (
    Origin(
        Kind.NODE,
        (OrchestratorLog.action_taken, bucket(OrchestratorLog.duration_ms)),
        OrchestratorLog.timestamp,
        _FACTS.join(OrchestratorLog, OrchestratorLog.run_id == RunFact.run_id),
        where=OrchestratorLog.step <= RunFact.steps,
        total=OrchestratorLog.duration_ms,
    ),
)
#: Counted when a person decides, and subtracted when that is undone.
OF_DECISION = (
    Origin(
        Kind.BY_PERSON,
        (_DECIDED_AS, literal_column("(review_decisions.before -> 'counted' ->> 'reason')", Text)),
        ReviewDecision.created_at,
        _DECISIONS,
        where=_DECIDED_AS.is_not(None),
        standing=_STANDING,
    ),
    Origin(
        Kind.SETTLED,
        (
            literal(SettledBy.PERSON.value),
            bucket(seconds_between(UploadBatch.created_at, ReviewDecision.created_at)),
        ),
        ReviewDecision.created_at,
        _DECISIONS.join(UploadBatch, UploadBatch.id == RunFact.batch_id),
        where=_DECIDED_AS.in_(("resolved", "rejected")),
        standing=_STANDING,
    ),
    Origin(
        Kind.DECIDED,
        (*_PROPOSAL_KEYS, ReviewSuggestionField.decision),
        ReviewDecision.created_at,
        _PROPOSED.join(ReviewDecision, ReviewDecision.item_id == ReviewSuggestion.id),
        where=ReviewSuggestionField.decision != FieldDecision.PENDING.value,
        standing=_STANDING,
    ),
)
#: Counted when a person decides, and kept when that is undone: the effort was made.
OF_EFFORT = (
    Origin(
        Kind.EFFORT,
        (
            ReviewDecision.kind,
            case((ReviewEffort.seconds.is_(None), ""), else_=cast(bucket(ReviewEffort.seconds), Text)),
        ),
        ReviewDecision.created_at,
        _EFFORTS,
        total=ReviewEffort.edits,
    ),
)
#: Counted when a decision is undone.
OF_UNDOING = (Origin(Kind.UNDONE, (ReviewDecision.kind,), ReviewDecision.undone_at, _EFFORTS, where=~_STANDING),)
ALL: tuple[Origin, ...] = (*OF_RUN, *OF_STEPS, *OF_DECISION, *OF_EFFORT, *OF_UNDOING)
#: Kinds whose rows of origin are pruned by age, with the rows; their counts stay.
PRUNED = {Kind.CALL: ModelCallRow.created_at, Kind.NODE: OrchestratorLog.timestamp}


def origins_of(kind: Kind) -> Sequence[Origin]:
    """Return the origins of one kind."""
    return [origin for origin in ALL if origin.kind is kind]


# The scope of a page of statistics: a period, the period before it, and filters. Pure.


#: Periods that can be chosen, in days.
PERIODS = (7, 30, 90, 365)
DEFAULT_DAYS = 30
#: Longer periods are read and drawn by months.
LONGEST_BY_DAYS = 90


@dataclass(frozen=True)
class Period:
    """Consecutive days, both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def before(self) -> Period:
        """Return the period of the same length that ends the day before this one."""
        return Period(self.first - timedelta(days=self.days), self.first - timedelta(days=1))

    def months(self) -> Period | None:
        """Return the first days of the first and the last month within the period; None if there is none.

        The month of the last day counts as within it only if the period reaches its end.
        """
        first = self.first if self.first.day == 1 else next_month(self.first)
        end = self.last + timedelta(days=1)
        last = (end.replace(day=1) - timedelta(days=1)).replace(day=1)
        return Period(first, last) if first <= last else None


@dataclass(frozen=True)
class StatsFilter:
    """Filters; None does not filter. If both a batch and a school are chosen, only the batch counts."""

    days: int = DEFAULT_DAYS
    profile: str | None = None
    language: str | None = None
    ocr_provider: str | None = None
    batch_id: uuid.UUID | None = None
    school_id: uuid.UUID | None = None

    @property
    def by_month(self) -> bool:
        """Whether the period is read and drawn by months."""
        return self.days > LONGEST_BY_DAYS and self.scope_id is None

    @property
    def scope_id(self) -> uuid.UUID | None:
        """The batch or the school; None if neither is chosen."""
        return self.batch_id or self.school_id

    def period(self, today: date) -> Period:
        """Return the period that ends today."""
        return Period(today - timedelta(days=self.days - 1), today)


def next_month(day: date) -> date:
    """Return the first day of the month after that of a day."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
