"""Ask for a report, approve its plan, stop it, try it again."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, InvalidInputError, NotFailedError, NotFoundError, existing
from core.messages import MessageCode
from core.models import OPEN_REPORTS, Profile, Report, ReportCall, ReportStatus
from core.models.leases import REPORT_LEASES
from research.allocation import AllocationError, parse_allocation
from research.config import TIERS, Language, ResearchCode, Tier
from research.questions.catalog_fields import MAX_FIELDS, columns_of, named_fields, stored_field
from research.report_type import ReportType, detect_report_type, target_items
from research.sources.providers import ALL_SOURCES
from research.storage import RESOURCES
from research.text.language import detect_language
from services.accounts.person import name_of
from services.context import Context
from services.recovery.research_kinds import REPORTS
from services.recovery.work import queue_rows
from services.seasons import current_season

LONGEST_QUERY = 2000
MOST_ITEMS = 100
LONGEST_FIELD = 80
KINDS = ("web", "academic", "book")
_LANGUAGES: tuple[Language, ...] = ("en", "es")
#: The most calls and tokens of a standard report (`make bench-research`), and the usual seconds of a call.
_CALLS, _TOKENS_IN, _TOKENS_OUT, _SECONDS = 25, 48_000, 12_000, 15
#: Tiers whose reports are supervised once they are written, unless the request says otherwise.
SUPERVISED_TIERS: tuple[Tier, ...] = ("comprehensive", "high_quality")
MOST_QUESTIONS = 6
LONGEST_QUESTION = 500
_RETRIABLE = (ReportStatus.FAILED.value, ReportStatus.CANCELLED.value)


@dataclass(frozen=True)
class ExpectedUse:
    """The most that a report of a tier may use; the use of a model is an estimate."""

    searches: int
    publishers: int
    calls: int
    tokens: int
    #: US dollars by the configured prices; None without prices.
    usd: float | None
    minutes: int


def expected_use(settings: Settings, tier: Tier) -> ExpectedUse:
    """Return what a report of this tier may use; calls of a model are included even if there is none."""
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
    queue_rows(context, REPORTS, report_id)
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
    wanted = request.language or detect_language(query)
    for language in _LANGUAGES:
        if language == wanted:
            return language
    raise InvalidInputError(ReportCode.LANGUAGE_UNKNOWN, given=wanted)


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
    if given:
        _parsed(given)
    return given or None


def _parsed(allocation: Any) -> dict[str, int]:
    """Return the number of researchers of each kind. Raises InvalidInputError."""
    try:
        parsed = parse_allocation(allocation)
    except AllocationError as exc:
        raise InvalidInputError(exc.code, **exc.params) from exc
    return {name: parsed[name] for name in ("web_count", "academic_count", "book_count")}


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


# A person approves the plan of a report, changed or unchanged. The report's row is the outbox of the resumption.


def approve_plan(
    context: Context,
    actor_id: uuid.UUID,
    report_id: uuid.UUID,
    version: int,
    plan: Mapping[str, Any] | None = None,
) -> None:
    """Approve the plan and start the research.

    `plan` holds the changes: {"questions": […], "allocation": "210"}; keys left out keep their values. Raises
    InvalidInputError, NotFoundError, and ConflictError if the plan has changed or does not wait for approval.
    """
    changes = _checked(plan or {})
    with context.database.session() as session:
        report = existing(session.get(Report, report_id), "no such report")
        won = session.scalar(
            update(Report)
            .where(
                Report.id == report_id,
                Report.version == version,
                Report.status == ReportStatus.AWAITING_PLAN.value,
                Report.plan_approved_at.is_(None),
            )
            .values(
                plan={**(report.plan or {}), **changes},
                plan_approved_by=actor_id,
                plan_approved_at=func.now(),
                version=Report.version + 1,
                attempts=0,
                enqueued_at=None,
                updated_at=func.now(),
            )
            .returning(Report.id)
        )
        if won is None:
            raise _too_late(session, report_id)
    queue_rows(context, REPORTS, report_id)


def _checked(plan: Mapping[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "questions" in plan:
        changes["questions"] = _questions(plan["questions"])
    if plan.get("allocation"):
        changes["allocation"] = _parsed(plan["allocation"])
    return changes


def _questions(given: Any) -> list[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(question, str) for question in given):
        raise InvalidInputError(ReportCode.PLAN_QUESTIONS_NOT_A_LIST)
    questions = list(dict.fromkeys(" ".join(question.split()) for question in given if question.strip()))
    if not questions:
        raise InvalidInputError(ReportCode.PLAN_WITHOUT_QUESTION)
    if len(questions) > MOST_QUESTIONS:
        raise InvalidInputError(ReportCode.PLAN_TOO_MANY_QUESTIONS, most=MOST_QUESTIONS)
    if any(len(question) > LONGEST_QUESTION for question in questions):
        raise InvalidInputError(ReportCode.PLAN_QUESTION_TOO_LONG, most=LONGEST_QUESTION)
    return questions


def _too_late(session: Session, report_id: uuid.UUID) -> ConflictError:
    row = session.execute(
        select(Report.status, Report.plan_approved_at, name_of(Profile).label("who"))
        .outerjoin(Profile, Profile.id == Report.plan_approved_by)
        .where(Report.id == report_id)
        .execution_options(populate_existing=True)
    ).one()
    if row.plan_approved_at is not None:
        return ConflictError(ReportCode.PLAN_APPROVED, who=row.who)
    if row.status != ReportStatus.AWAITING_PLAN:
        return ConflictError(ReportCode.PLAN_NOT_WAITING)
    return ConflictError(ReportCode.PLAN_CHANGED)


def cancel_report(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID) -> None:
    """Stop the report: at once if no worker has it, otherwise after the worker's current step.

    Raises NotFoundError, and ConflictError if it has ended. Repeating it is no error.
    """
    with context.database.session() as session:
        report = existing(session.get(Report, report_id, with_for_update={"key_share": True}), "no such report")
        if report.status not in OPEN_REPORTS:
            raise ConflictError(ReportCode.REPORT_OVER)
        if report.cancel_requested_at is None:
            report.cancel_requested_by = actor_id
            report.cancel_requested_at = func.now()
        if REPORT_LEASES.current(session, report_id) is None:
            REPORT_LEASES.end(report)
            report.status = report.ended_because = ReportStatus.CANCELLED.value
            report.finished_at = func.now()
        report.version += 1
        report.updated_at = func.now()


def retry_report(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID) -> None:
    """Queue the report to continue from its last checkpoint. Only model calls that failed are repeated.

    Raises NotFoundError, and NotFailedError if the report neither failed nor was stopped.
    """
    with context.database.session() as session:
        taken = session.scalar(
            update(Report)
            .where(Report.id == report_id, Report.status.in_(_RETRIABLE))
            .values(
                status=ReportStatus.QUEUED.value,
                attempts=0,
                enqueued_at=None,
                finished_at=None,
                ended_because=None,
                error_code=None,
                cancel_requested_by=None,
                cancel_requested_at=None,
                pruned_at=None,
                version=Report.version + 1,
                updated_at=utcnow(),
            )
            .returning(Report.id)
        )
        if taken is None:
            if session.get(Report, report_id) is None:
                raise NotFoundError("no such report")
            raise NotFailedError(ReportCode.REPORT_NOT_FAILED)
        session.execute(
            delete(ReportCall).where(ReportCall.report_id == report_id, ReportCall.error_code.is_not(None))
        )
    queue_rows(context, REPORTS, report_id)


class ReportCode(MessageCode):
    """Why a request was refused."""

    QUESTION_MISSING = "question_missing", "Enter a question first."
    QUESTION_TOO_LONG = (
        "question_too_long",
        "The question has %(length)s characters; at most %(most)s are allowed.",
    )
    QUESTION_WITHOUT_WORDS = "question_without_words", "The question has no words."
    TYPE_UNKNOWN = "report_type_unknown", "There is no report type called %(given)s."
    ITEMS_OUT_OF_BOUNDS = "items_out_of_bounds", "A catalog has between 1 and %(most)s items."
    FIELDS_TOO_MANY = "fields_too_many", "A catalog has at most %(most)s fields besides the name."
    FIELD_TOO_LONG = "field_too_long", "A field of a catalog has at most %(most)s characters."
    LANGUAGE_UNKNOWN = (
        "report_language_unknown",
        "Reports are written in English (en) or Spanish (es), not in %(given)s.",
    )
    KIND_UNKNOWN = ("kind_unknown", "There is no kind of researcher called %(given)s. Choose one of: %(known)s.")
    PROVIDER_UNKNOWN = ("provider_unknown", "There is no provider called %(given)s. Choose one of: %(known)s.")
    BUDGET_UNKNOWN = "budget_unknown", "There is no budget of %(given)s. Choose one of: %(known)s."
    BUDGET_NOT_A_NUMBER = "budget_not_a_number", "The budget of %(given)s must be a number of 0 or more."

    PLAN_QUESTIONS_NOT_A_LIST = "plan_questions_not_a_list", "The questions of a plan are a list of sentences."
    PLAN_WITHOUT_QUESTION = "plan_without_question", "A plan has at least one question."
    PLAN_TOO_MANY_QUESTIONS = "plan_too_many_questions", "A plan has at most %(most)s questions."
    PLAN_QUESTION_TOO_LONG = ("plan_question_too_long", "A question in a plan has at most %(most)s characters.")
    FORM_INCOMPLETE = "report_form_incomplete", "The form is not complete. Reload the page."
    PLAN_APPROVED = "plan_approved", "The plan was approved by %(who)s."
    PLAN_NOT_WAITING = "plan_not_waiting", "This report is not waiting for its plan to be approved."
    PLAN_CHANGED = "plan_changed", "The plan has changed since you opened this page."

    OWN_DOCUMENT_FULL = "own_document_full", "A document of your own holds at most %(most)s passages."
    NOTE_TOO_LONG = "excerpt_note_too_long", "The note has %(length)s characters; at most %(most)s are allowed."

    REPORT_OVER = "report_over", "The report has already ended."
    REPORT_NOT_FAILED = "report_not_failed", "This report has not failed and was not canceled."
