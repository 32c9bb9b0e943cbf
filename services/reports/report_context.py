"""Create the context of a report's graph nodes from the process context and the report's row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from langchain_core.callbacks import BaseCallbackHandler

from core.embeddings import open_embedder
from core.graphs.checkpoints import open_saver
from core.lease import Lease
from core.llm import open_model
from core.llm.ledger_handler import LedgerHandler
from core.models import Report, ReportSupervision
from core.tracing import trace_callbacks
from research.budget import Budget
from research.config import TIERS
from research.meaning import NoMeaning
from research.meaning.store import open_stored
from research.questions.asking import asks_essays
from research.questions.catalog_fields import columns_of, named_fields
from research.readers.choice import open_reader
from research.readers.protocol import Asked
from research.recorded_model import RecordedModel
from research.report_type import ReportType
from research.round_loop import RoundLoop, create_round_loop
from research.running.context import Brief, RoundContext
from research.sources import open_sources
from research.storage import ReportStore
from research.storage.held import Held
from services.context import Context


@dataclass(frozen=True)
class OpenReport:
    """A leased report, ready to be researched."""

    graph: RoundLoop
    context: RoundContext
    #: Tracing, and the costs of failed model calls.
    callbacks: tuple[BaseCallbackHandler, ...]


def open_report(context: Context, lease: Lease[Report]) -> OpenReport:
    """Return the graph with PostgreSQL checkpoints and the nodes' context for the leased report."""
    with context.database.session() as session:
        report = session.get_one(Report, lease.key)
    store = ReportStore(Held(context.database, lease.key, lease))
    budget = budget_of(report, store)
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
    ledgers = [] if model is None else [LedgerHandler(model.ledger)]
    return OpenReport(
        graph=create_round_loop(open_saver(context.database)),
        context=nodes_context,
        callbacks=(*trace_callbacks(context.settings), *ledgers),
    )


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
        told = columns_of(named_fields(report.query))
        chosen = list(report.fields) != told
        asked = replace(asked, fields=tuple(report.fields or told), count=report.target_items)
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
    """Return a request without a model to answer it: no items to find and no fields to fill, but passages."""
    return replace(asked, report_type=ReportType.NARRATIVE, fields=(), count=None)


def _recorded(context: Context, report: Report, store: ReportStore, budget: Budget) -> RecordedModel | None:
    """Return the report's model, which stops between its calls if a person wants it; None without one."""
    model = open_model(context.settings) if report.budget.get("calls") != 0 else None

    def before_call() -> None:
        store.progress.stop_if_asked()
        store.progress.spend(budget.as_json())

    return None if model is None else RecordedModel(model, store.calls, budget, before_call=before_call)


def budget_of(row: Report | ReportSupervision, store: ReportStore) -> Budget:
    """Return the limits of a report or a supervision, and what it has spent."""
    # "calls": 0 means no model; it is not a limit that is already used up.
    limits = {name: limit for name, limit in row.budget.items() if (name, limit) != ("calls", 0)}
    before = 60 * float(row.spent.get("minutes", 0.0))
    return Budget(limits, *store.calls.spent(), seconds_before=before, exhausted=row.spent.get("exhausted"))
