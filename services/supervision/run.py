"""Run a supervision under a lease, until it ends or a revision waits for a person."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import partial

from sqlalchemy import func, select, update

from core.clock import utcnow
from core.errors import AppError
from core.graphs import open_saver
from core.lease import Lease
from core.llm.chat import LedgerHandler
from core.llm.embeddings import open_embedder
from core.llm.providers import open_deep_model
from core.models import (
    OPEN_SUPERVISIONS,
    Report,
    ReportRevision,
    ReportSupervision,
    RevisionStatus,
    SupervisionStatus,
)
from core.models.leases import SUPERVISION_LEASES
from core.tracing.traces import flush_traces, trace_callbacks
from research.document import ReportDocument
from research.node_context import RecordingModel, RoundContext
from research.readers.model.reading import open_reader
from research.readers.protocol import SourceText
from research.sources.library import LibrarySource
from research.sources.providers import open_sources
from research.storage import LeasedReport, ReportStore, ResearchBudget
from research.supervision.analysis import LibrarySearch, related_sources
from research.supervision.integration import FocusedResearch, actors_of
from research.supervision.loop.graph import SupervisionContext, create_supervision_graph, state_from_rows
from research.supervision.loop.graph import run_supervision as run_loop
from research.supervision.loop.routing import SupervisionState
from research.supervision.revisions import Revisions, withdraw_pending
from research.supervision.types import Ended, tier_of
from research.text.meaning import NoMeaning
from research.text.stored_meaning import open_stored
from services.context import Context
from services.recovery.research_kinds import SUPERVISIONS
from services.recovery.work import keeping, take_lease
from services.reports.run import brief_of, budget_so_far


def run_supervision(context: Context, supervision_id: uuid.UUID) -> bool:
    """Run the supervision; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash or a decision, or from its rows if the checkpoints are gone.
    Errors of the nodes are propagated, with the lease released so that a retry can take the supervision.
    """
    lease = take_lease(context, SUPERVISIONS, supervision_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease):
            # A person may have decided before the wait was recorded; then continue at once.
            while _go_on(context, lease) and not _settled(context, lease):
                pass
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _go_on(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Run the graph; return whether a revision now waits for a person."""
    state, pending = _begin(context, lease)
    nodes_context, ledgers = _opened(context, lease)
    graph = create_supervision_graph(open_saver(context.database))
    key = str(lease.key)
    if pending and not graph.get_state({"configurable": {"thread_id": key}}).values:
        return True
    result = run_loop(graph, key, state, nodes_context, [*trace_callbacks(context.settings), *ledgers])
    return result.waiting_revision is not None


def _begin(context: Context, lease: Lease[ReportSupervision]) -> tuple[SupervisionState, bool]:
    """Set the status to running; return the state according to the rows, and whether a revision is pending."""
    with context.database.session() as session:
        row = lease.hold(session)
        row.status = SupervisionStatus.RUNNING.value
        row.error_code = None
        session.execute(
            update(ReportRevision)
            .where(
                ReportRevision.supervision_id == lease.key,
                ReportRevision.decided_at.is_not(None),
                ReportRevision.resumed_at.is_(None),
            )
            .values(resumed_at=func.now())
        )
        attempts = session.scalars(
            select(ReportRevision)
            .where(ReportRevision.supervision_id == lease.key)
            .order_by(ReportRevision.iteration)
        ).all()
        state = state_from_rows(str(lease.key), row.last_version, attempts)
        return state, any(one.status == RevisionStatus.PENDING for one in attempts)


def _settled(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Set the status to waiting and return True, unless the revision was decided already."""
    with context.database.session() as session:
        row: ReportSupervision = lease.hold(session)
        waits = session.scalar(
            select(ReportRevision.id).where(
                ReportRevision.supervision_id == lease.key, ReportRevision.status == RevisionStatus.PENDING.value
            )
        )
        if waits is None:
            return False
        row.status = SupervisionStatus.AWAITING_DECISION.value
        row.phase = "await_decision"
        row.attempts = 0
        row.updated_at = func.now()
        return True


def fail_supervision(context: Context, supervision_id: uuid.UUID, error: AppError) -> None:
    """Mark a supervision as failed, unless it has ended or another worker has leased it."""
    with context.database.session() as session:
        row = SUPERVISION_LEASES.lock_expired(
            session, supervision_id, ReportSupervision.status.in_(OPEN_SUPERVISIONS)
        )
        if row is None:
            return
        withdraw_pending(session, supervision_id)
        row.status = SupervisionStatus.FAILED.value
        row.phase = ""
        row.ended_because = Ended.ERROR.value
        row.error_code = error.code
        SUPERVISION_LEASES.end(row)
        row.finished_at = row.updated_at = utcnow()


def _opened(context: Context, lease: Lease[ReportSupervision]) -> tuple[SupervisionContext, list[LedgerHandler]]:
    """Return the nodes' context for the leased supervision, and what records the cost of failed model calls."""
    with context.database.reading() as session:
        row = session.get_one(ReportSupervision, lease.key)
        report = session.get_one(Report, row.report_id)
    held = LeasedReport(context.database, row.report_id, lease)
    desk = ReportStore(held)
    budget = budget_so_far(row, desk)
    opened = open_deep_model(context.settings) if row.budget.get("calls") != 0 else None
    model = None if opened is None else RecordingModel(opened, desk.calls, budget)
    sources = open_sources(context.settings, context.database, context.store)
    store = Revisions(held, row.mode, budget.as_json)  # type: ignore[arg-type]  # the column's check
    embedder = open_embedder(context.settings)
    meaning = open_stored(context.database, embedder, report.id) or NoMeaning()
    reader = open_reader(model, meaning)
    researching = RoundContext(brief_of(report), desk, sources, budget, reader)
    related = partial(_related, desk, LibrarySource(context.database, embedder))
    analyse, integrate = actors_of(reader, related)
    focused = FocusedResearch(researching)
    nodes_context = SupervisionContext(
        tier=tier_of(row.tier),
        store=store,
        analyse=analyse,
        expand=focused.expand,
        integrate=integrate,
        nothing_to_ask=focused.nothing_to_ask,
        stop=partial(_stop, desk, budget),
        begins=store.say,
    )
    return nodes_context, [] if model is None else [LedgerHandler(model.ledger)]


def _related(desk: ReportStore, library: LibrarySource, document: ReportDocument) -> Mapping[str, SourceText]:
    """Return the related sources of a document: those read for it, and from the library."""
    cited = {reference.key for reference in document.references}
    read = desk.sources.texts(row for row in desk.sources.keyed() if row.key in cited)
    return related_sources(LibrarySearch(library, document), read)


def _stop(desk: ReportStore, budget: ResearchBudget) -> Ended | None:
    if desk.progress.cancel_requested():
        return Ended.CANCELLED
    return None if budget.allow_work() else Ended.BUDGET
