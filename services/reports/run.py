"""Research a report under a lease, record its result or its failure, and start the supervision asked for."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.error_codes import ErrorCode
from core.errors import AppError
from core.graphs import open_saver
from core.lease import Lease
from core.llm.chat import LedgerHandler
from core.llm.embeddings import open_embedder
from core.llm.providers import open_model
from core.models import OPEN_REPORTS, Report, ReportStatus, ReportSupervision
from core.models.leases import REPORT_LEASES
from core.tracing.traces import flush_traces, trace_callbacks
from research.config import TIERS, CancelRequestedError
from research.node_context import Brief, RecordingModel, RoundContext
from research.questions.asking import asks_essays
from research.questions.catalog_fields import columns_of, named_fields
from research.readers.model.reading import open_reader
from research.readers.protocol import Asked
from research.report_type import ReportType
from research.round_loop import LoopEnd, create_round_loop, run_rounds
from research.sources.providers import open_sources
from research.storage import RESOURCES, LeasedReport, ReportStore, ResearchBudget
from research.text.meaning import NoMeaning
from research.text.stored_meaning import open_stored
from services.context import Context
from services.recovery.research_kinds import REPORTS, SUPERVISIONS
from services.recovery.work import keeping, queue_rows, take_lease

#: Codes whose messages are about files.
_UNFINISHED = (ErrorCode.GAVE_UP, ErrorCode.TOOK_TOO_LONG)


def run_report(context: Context, report_id: uuid.UUID) -> bool:
    """Research the report; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash, or after a person approved the plan. Errors of the research
    are propagated, with the lease released so that a retry can take the report.
    """
    lease = take_lease(context, REPORTS, report_id)
    if lease is None:
        return False
    supervision_id: uuid.UUID | None = None
    try:
        with keeping(context, lease):
            try:
                supervision_id = _settle(context, lease, _do(context, lease))
            except CancelRequestedError:
                _settle_cancelled(context, lease)
        if supervision_id is not None:
            queue_rows(context, SUPERVISIONS, supervision_id)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _do(context: Context, lease: Lease[Report]) -> LoopEnd:
    with context.database.session() as session:
        report = lease.hold(session)
        report.status = ReportStatus.RUNNING.value
        report.error_code = None
        approved = report.plan_approved_at is not None
        if approved and report.plan_resumed_at is None:
            report.plan_resumed_at = func.now()
    nodes_context, ledgers = _opened(context, lease)
    callbacks = (*trace_callbacks(context.settings), *ledgers)
    graph = create_round_loop(open_saver(context.database))
    return run_rounds(graph, nodes_context, approved=approved, callbacks=callbacks)


def _settle(context: Context, lease: Lease[Report], end: LoopEnd) -> uuid.UUID | None:
    """Record the result; return the id of the supervision that starts with the report's end, if any."""
    with context.database.session() as session:
        report = lease.hold(session)
        if end.waits:
            report.status = ReportStatus.AWAITING_PLAN.value
            report.phase = "awaiting_plan"
            report.updated_at = func.now()
            return None
        report.ended_because = end.ended_because
        _over(report, ReportStatus.DONE)
        return supervise_written(session, report, context.settings.model_configured)


def _settle_cancelled(context: Context, lease: Lease[Report]) -> None:
    with context.database.session() as session:
        report = lease.hold(session)
        report.ended_because = ReportStatus.CANCELLED.value
        _over(report, ReportStatus.CANCELLED)


def _over(report: Report, status: ReportStatus) -> None:
    report.status = status.value
    report.finished_at = func.now()
    report.updated_at = func.now()
    report.version += 1


def fail_report(context: Context, report_id: uuid.UUID, error: AppError) -> None:
    """Mark a report as failed, unless it has ended or another worker has leased it."""
    with context.database.session() as session:
        report = REPORT_LEASES.lock_expired(session, report_id, Report.status.in_(OPEN_REPORTS))
        if report is None:
            return
        report.status = ReportStatus.FAILED.value
        report.ended_because = "error"
        report.error_code = ErrorCode.REPORT_UNFINISHED if error.code in _UNFINISHED else error.code
        REPORT_LEASES.end(report)
        report.finished_at = report.updated_at = utcnow()
        report.version += 1


def _opened(context: Context, lease: Lease[Report]) -> tuple[RoundContext, list[LedgerHandler]]:
    """Return the nodes' context for the leased report, and what records the costs of failed model calls."""
    report = context.database.get_one(Report, lease.key)
    store = ReportStore(LeasedReport(context.database, lease.key, lease))
    budget = budget_so_far(report, store)
    model = _recorded(context, report, store, budget)
    meaning = open_stored(context.database, open_embedder(context.settings), report.id)
    brief = brief_of(report)
    nodes_context = RoundContext(
        brief=brief if model else replace(brief, asked=as_reading_list(brief.asked)),
        store=store,
        sources=open_sources(context.settings, context.database, context.store),
        budget=budget,
        reader=open_reader(model, meaning or NoMeaning()),
    )
    return nodes_context, [] if model is None else [LedgerHandler(model.ledger)]


def brief_of(report: Report) -> Brief:
    """Return the request of a report in the form that the nodes use."""
    config = replace(
        TIERS[report.tier],  # type: ignore[index]  # the column's check allows no other
        catalog_target_items=report.target_items,
        catalog_fields=tuple(report.fields),
        language=report.language,  # type: ignore[arg-type]
    )
    kind, chosen = ReportType(report.report_type), True
    asked = Asked(report.query, kind, config.language, report.created_at.year)
    if kind is ReportType.CATALOG:
        named = columns_of(named_fields(report.query))
        chosen = list(report.fields) != named
        asked = replace(asked, fields=tuple(report.fields or named), count=report.target_items)
    return Brief(
        asked=asked,
        fields_chosen=chosen,
        config=config,
        kinds=tuple(report.kinds),  # type: ignore[arg-type]
        providers=tuple(report.providers),
        domains_allowed=tuple(report.domains_allowed),
        domains_denied=tuple(report.domains_denied),
        allocation=report.allocation.get("user"),
        approve_plan=report.approve_plan,
        asks_essays=asks_essays(report.query),
    )


def as_reading_list(asked: Asked) -> Asked:
    """Return a request without a model to answer it: it asks for passages, not for items or fields."""
    return replace(asked, report_type=ReportType.NARRATIVE, fields=(), count=None)


def _recorded(
    context: Context, report: Report, store: ReportStore, budget: ResearchBudget
) -> RecordingModel | None:
    """Return the report's model, which stops between its calls on a person's request; None without one."""
    model = open_model(context.settings) if report.budget.get("calls") != 0 else None

    def before_call() -> None:
        store.progress.stop_if_asked()
        store.progress.spend(budget.as_json())

    return None if model is None else RecordingModel(model, store.calls, budget, before_call=before_call)


def budget_so_far(row: Report | ReportSupervision, store: ReportStore) -> ResearchBudget:
    """Return the limits of a report or a supervision, and what it has spent."""
    # "calls": 0 means no model; it is not a limit that is already used up.
    limits = {name: limit for name, limit in row.budget.items() if (name, limit) != ("calls", 0)}
    before = 60 * float(row.spent.get("minutes", 0.0))
    return ResearchBudget(
        limits, *store.calls.spent(), seconds_before=before, exhausted=row.spent.get("exhausted")
    )


def supervise_written(session: Session, report: Report, has_model: bool) -> uuid.UUID | None:
    """Create the supervision in the transaction that ends the report, so that a crash loses neither.

    The supervision has the report's tier, waits for a person at each revision, and has the rest of the report's
    budget. Returns its id, or None if none was requested, there is no model, the report is not complete or a
    resource of the budget is used up. The caller queues the supervision after the commit.
    """
    if not has_model or report.budget.get("calls") == 0:
        return None
    if not report.supervise or report.current_version is None or report.ended_because != "complete":
        return None
    left = _left(report.budget, report.spent)
    if left is None:
        return None
    row = ReportSupervision(
        report_id=report.id,
        requested_by=report.requested_by,
        tier=report.tier,
        first_version=report.current_version,
        last_version=report.current_version,
        budget=left,
    )
    session.add(row)
    session.flush()
    return row.id


def _left(budget: Mapping[str, Any], spent: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the rest of the budget by resource; None if one is used up."""
    limits = {name: float(budget[name]) for name in RESOURCES if name in budget}
    left = {name: round(limit - float(spent.get(name) or 0), 6) for name, limit in limits.items()}
    return None if any(rest <= 0 for rest in left.values()) else left
