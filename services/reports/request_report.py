"""Request a report."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.config import Settings
from core.errors import InvalidInputError
from core.models import Report
from research.allocation import AllocationError, parse_allocation
from research.budget import RESOURCES
from research.codes import ResearchCode
from research.config import TIERS, Language, Tier
from research.questions.catalog_fields import MAX_FIELDS, columns_of, named_fields, stored_field
from research.report_type import ReportType, detect_report_type, target_items
from research.sources import ALL_SOURCES
from research.text import detect_language
from services.context import Context
from services.recovery.kinds import REPORTS
from services.recovery.work import enqueue
from services.reports.codes import ReportCode
from services.seasons import current_season

LONGEST_QUERY = 2000
MOST_ITEMS = 100
LONGEST_FIELD = 80
KINDS = ("web", "academic", "book")
#: The most calls and tokens of a standard report (`make bench-research`), and the usual seconds of a call.
_CALLS, _TOKENS_IN, _TOKENS_OUT, _SECONDS = 25, 48_000, 12_000, 15
#: Tiers whose reports are supervised once they are written, unless the request says otherwise.
SUPERVISED_TIERS: tuple[Tier, ...] = ("comprehensive", "high_quality")


@dataclass(frozen=True)
class ExpectedUse:
    """What a report of a tier may use, at most; of a model, about."""

    searches: int
    publishers: int
    calls: int
    tokens: int
    #: US dollars by the configured prices; None without prices.
    usd: float | None
    minutes: int


def expected_use(settings: Settings, tier: Tier) -> ExpectedUse:
    """Return what a report of this tier may use; of a model what it would be if there is none."""
    config = TIERS[tier]
    share = config.max_tasks_total / TIERS["standard"].max_tasks_total
    price = (_TOKENS_IN * settings.llm_price_in + _TOKENS_OUT * settings.llm_price_out) / 1_000_000
    calls = round(_CALLS * share)
    return ExpectedUse(
        searches=config.max_tasks_total,
        publishers=config.min_total_domains,
        calls=calls,
        tokens=1000 * round((_TOKENS_IN + _TOKENS_OUT) * share / 1000),
        usd=round(price * share, 2) if price else None,
        minutes=max(1, round(calls * _SECONDS / 60)),
    )


@dataclass(frozen=True)
class ReportRequest:
    """Request for a report; omitted values are detected from the query."""

    query: str
    #: "narrative" or "catalog".
    report_type: str | None = None
    target_items: int | None = None
    #: Fields of a catalog's items, without the name: keys, labels or any text.
    fields: Sequence[str] = ()
    tier: str = "standard"
    #: "en" or "es".
    language: str | None = None
    #: Kinds of researchers that may be used.
    kinds: Sequence[str] = KINDS
    #: Providers that may be used; empty for all that are enabled.
    providers: Sequence[str] = ()
    #: In the format of `research.allocation.parse_allocation`.
    allocation: str | None = None
    domains_allowed: Sequence[str] = ()
    domains_denied: Sequence[str] = ()
    approve_plan: bool = False
    #: Whether to supervise the report once it is written; None: if its tier is one of `SUPERVISED_TIERS`.
    supervise: bool | None = None
    #: Limits by resource: calls, tokens, usd, minutes.
    budget: Mapping[str, float] = field(default_factory=dict)
    is_sample: bool = False


def request_report(context: Context, person_id: uuid.UUID, request: ReportRequest) -> uuid.UUID:
    """Record the request, queue the research and return the report's id.

    Raises InvalidInputError, saying which value is invalid and why.
    """
    row = _row(person_id, request)
    with context.database.session() as session:
        row.season_id = current_season(session).id
        session.add(row)
        session.flush()
        report_id = row.id
    enqueue(context, REPORTS, report_id)
    return report_id


def _row(person_id: uuid.UUID, request: ReportRequest) -> Report:
    query = " ".join(request.query.split())
    _check_query(query)
    report_type = _report_type(request, query)
    return Report(
        requested_by=person_id,
        query=query,
        title=query[:200],
        report_type=report_type.value,
        type_chosen=request.report_type is not None,
        target_items=_items(request, query) if report_type is ReportType.CATALOG else None,
        fields=_fields(request, query) if report_type is ReportType.CATALOG else [],
        language=_language(request, query),
        tier=_tier(request),
        kinds=_known(request.kinds or KINDS, KINDS, ReportCode.KIND_UNKNOWN),
        providers=_known(request.providers, [source.name for source in ALL_SOURCES], ReportCode.PROVIDER_UNKNOWN),
        domains_allowed=_domains(request.domains_allowed),
        domains_denied=_domains(request.domains_denied),
        allocation={"user": _allocation(request)},
        approve_plan=request.approve_plan,
        supervise=_tier(request) in SUPERVISED_TIERS if request.supervise is None else request.supervise,
        budget=checked_budget(request.budget),
        is_sample=request.is_sample,
    )


def _check_query(query: str) -> None:
    if not query:
        raise InvalidInputError(ReportCode.QUESTION_MISSING)
    if len(query) > LONGEST_QUERY:
        raise InvalidInputError(ReportCode.QUESTION_TOO_LONG, length=len(query), most=LONGEST_QUERY)
    if not any(character.isalpha() for character in query):
        raise InvalidInputError(ReportCode.QUESTION_WITHOUT_WORDS)


def _report_type(request: ReportRequest, query: str) -> ReportType:
    try:
        return detect_report_type(query, request.report_type)
    except ValueError as exc:
        raise InvalidInputError(ReportCode.TYPE_UNKNOWN, given=request.report_type) from exc


def _items(request: ReportRequest, query: str) -> int | None:
    if request.target_items is None:
        found = target_items(query)
        return found if found is not None and 1 <= found <= MOST_ITEMS else None
    if not 1 <= request.target_items <= MOST_ITEMS:
        raise InvalidInputError(ReportCode.ITEMS_OUT_OF_BOUNDS, most=MOST_ITEMS)
    return request.target_items


def _fields(request: ReportRequest, query: str) -> list[str]:
    given = list(filter(None, map(stored_field, request.fields)))
    fields: list[str] = []
    for wanted in given or columns_of(named_fields(query)):
        if wanted.casefold() not in ("name", *map(str.casefold, fields)):
            fields.append(wanted)
    if len(fields) > MAX_FIELDS:
        raise InvalidInputError(ReportCode.FIELDS_TOO_MANY, most=MAX_FIELDS)
    if any(len(field) > LONGEST_FIELD for field in fields):
        raise InvalidInputError(ReportCode.FIELD_TOO_LONG, most=LONGEST_FIELD)
    return fields


def _language(request: ReportRequest, query: str) -> Language:
    match request.language or detect_language(query):
        case "en":
            return "en"
        case "es":
            return "es"
        case other:
            raise InvalidInputError(ReportCode.LANGUAGE_UNKNOWN, given=other)


def _tier(request: ReportRequest) -> Tier:
    for tier in TIERS:
        if tier == request.tier:
            return tier
    raise InvalidInputError(ResearchCode.TIER_UNKNOWN, given=request.tier, known=list(TIERS))


def _known(given: Sequence[str], allowed: Sequence[str], unknown: ReportCode) -> list[str]:
    for name in given:
        if name not in allowed:
            raise InvalidInputError(unknown, given=name, known=list(allowed))
    return [name for name in allowed if name in given]


def _allocation(request: ReportRequest) -> str | None:
    given = (request.allocation or "").strip()
    if not given:
        return None
    try:
        parse_allocation(given)
    except AllocationError as exc:
        raise InvalidInputError(exc.code, **exc.params) from exc
    return given


def _domains(given: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for domain in given if (name := domain.strip().lower())))


def checked_budget(given: Mapping[str, float]) -> dict[str, float]:
    """Return the validated limits by resource. Raises InvalidInputError."""
    for name, limit in given.items():
        if name not in RESOURCES:
            raise InvalidInputError(ReportCode.BUDGET_UNKNOWN, given=name, known=list(RESOURCES))
        if not 0 <= limit < float("inf"):
            raise InvalidInputError(ReportCode.BUDGET_NOT_A_NUMBER, given=name)
    return dict(given)
