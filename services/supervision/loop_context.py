"""Create the context of a supervision's graph nodes from the process context and the supervision's row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.callbacks import BaseCallbackHandler

from core.embeddings import open_embedder
from core.graphs.checkpoints import open_saver
from core.lease import Lease
from core.llm import open_deep_model
from core.llm.ledger_handler import LedgerHandler
from core.models import Report, ReportSupervision
from core.tracing import trace_callbacks
from research.budget import Budget
from research.document import ReportDocument
from research.material import SourceText
from research.meaning import NoMeaning
from research.meaning.store import open_stored
from research.readers.choice import open_reader
from research.recorded_model import RecordedModel
from research.running.context import RoundContext
from research.sources import open_sources
from research.sources.library import LibrarySource
from research.storage import ReportStore
from research.storage.held import Held
from research.supervision.actors import actors_of
from research.supervision.analysis.related_sources import LibrarySearch, Related, related_sources
from research.supervision.integration.focused_research import FocusedResearch
from research.supervision.loop.graph import SupervisionGraph, create_supervision_graph
from research.supervision.loop.nodes import SupervisionContext
from research.supervision.revisions import Revisions
from research.supervision.types import Ended, tier_of
from services.context import Context
from services.reports.report_context import brief_of, budget_of


@dataclass(frozen=True)
class Loop:
    """The nodes' context."""

    context: SupervisionContext
    #: Callbacks that record the cost of failed model calls.
    callbacks: tuple[BaseCallbackHandler, ...] = ()


def open_loop(context: Context, lease: Lease[ReportSupervision]) -> Loop:
    """Return the store and the nodes' context for the leased supervision."""
    with context.database.session() as session:
        row = session.get_one(ReportSupervision, lease.key)
        report = session.get_one(Report, row.report_id)
    held = Held(context.database, row.report_id, lease)
    desk = ReportStore(held)
    budget = budget_of(row, desk)
    model = _model(context, row, desk, budget)
    sources = open_sources(context.settings, context.database, context.store)
    store = Revisions(held, row.mode, budget.as_json)  # type: ignore[arg-type]  # the column's check
    embedder = open_embedder(context.settings)
    meaning = open_stored(context.database, embedder, report.id) or NoMeaning()
    reader = open_reader(model, meaning)
    researching = RoundContext(brief_of(report), desk, sources, budget, reader)
    related = _related(desk, LibrarySource(context.database, embedder))
    analyse, integrate = actors_of(reader, related)
    focused = FocusedResearch(researching)
    nodes_context = SupervisionContext(
        tier=tier_of(row.tier),
        store=store,
        analyse=analyse,
        expand=focused.expand,
        integrate=integrate,
        nothing_to_ask=focused.nothing_to_ask,
        stop=_stop(desk, budget),
        begins=store.say,
    )
    return Loop(nodes_context, () if model is None else (LedgerHandler(model.ledger),))


def open_graph(context: Context) -> tuple[SupervisionGraph, Sequence[BaseCallbackHandler]]:
    """Return the graph with PostgreSQL checkpoints, and the tracing callbacks."""
    return create_supervision_graph(open_saver(context.database)), trace_callbacks(context.settings)


def _model(context: Context, row: ReportSupervision, desk: ReportStore, budget: Budget) -> RecordedModel | None:
    model = open_deep_model(context.settings) if row.budget.get("calls") != 0 else None
    return None if model is None else RecordedModel(model, desk.calls, budget)


def _related(desk: ReportStore, library: LibrarySource) -> Related:
    """Return a function from a document to its related sources: those read for it, and from the library."""

    def related(document: ReportDocument) -> Mapping[str, SourceText]:
        cited = {reference.key for reference in document.references}
        read = desk.sources.texts(row for row in desk.sources.keyed() if row.key in cited)
        return related_sources(LibrarySearch(library, document), read)

    return related


def _stop(desk: ReportStore, budget: Budget) -> Callable[[], Ended | None]:
    def stop() -> Ended | None:
        if desk.progress.cancel_requested():
            return Ended.CANCELLED
        return None if budget.allow_work() else Ended.BUDGET

    return stop
