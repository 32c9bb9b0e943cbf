"""Create the context of a report's graph nodes from the process context and the report's row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from langchain_core.callbacks import BaseCallbackHandler

from core.graphs.checkpoints import open_saver
from core.lease import Lease
from core.llm import open_model
from core.models import Report
from core.tracing import trace_callbacks
from research.budget import Budget
from research.config import TIERS
from research.questions.asks_essays import asks_essays
from research.recorded_model import RecordedModel
from research.report_type import ReportType
from research.round_loop import RoundLoop, create_round_loop
from research.running.context import Brief, RoundContext
from research.sources import open_sources
from research.storage import ReportStore
from research.storage.held import Held
from services.context import Context


def round_context(context: Context, lease: Lease[Report]) -> RoundContext:
    """Return the nodes' context for the leased report: request, store, sources, budget and model."""
    with context.database.session() as session:
        report = session.get_one(Report, lease.key)
    store = ReportStore(Held(context.database, lease.key, lease))
    budget = _budget(report, store)
    model = open_model(context.settings) if report.budget.get("calls") != 0 else None
    return RoundContext(
        brief=brief_of(report),
        store=store,
        sources=open_sources(context.settings, context.database, context.store),
        budget=budget,
        model=None if model is None else RecordedModel(model, store.calls, budget),
        after_step=lambda: store.progress.spend(budget.as_json()),
    )


def brief_of(report: Report) -> Brief:
    """Return the request of a report in the form that the nodes use."""
    config = replace(
        TIERS[report.tier],  # type: ignore[index]  # the column's check allows no other
        catalog_target_items=report.target_items,
        language=report.language,  # type: ignore[arg-type]
    )
    return Brief(
        report_id=str(report.id),
        query=report.query,
        report_type=ReportType(report.report_type),
        config=config,
        kinds=tuple(report.kinds),  # type: ignore[arg-type]
        year=report.created_at.year,
        providers=tuple(report.providers),
        domains_allowed=tuple(report.domains_allowed),
        domains_denied=tuple(report.domains_denied),
        allocation=report.allocation.get("user"),
        approve_plan=report.approve_plan,
        asks_essays=asks_essays(report.query),
    )


def open_round_loop(context: Context) -> tuple[RoundLoop, Sequence[BaseCallbackHandler]]:
    """Return the graph with PostgreSQL checkpoints, and the tracing callbacks."""
    return create_round_loop(open_saver(context.database)), trace_callbacks(context.settings)


def _budget(report: Report, store: ReportStore) -> Budget:
    calls, tokens_in, tokens_out, usd = store.calls.spent()
    # "calls": 0 means a report without a model; it is not a limit that is already used up.
    limits = {name: limit for name, limit in report.budget.items() if (name, limit) != ("calls", 0)}
    return Budget(
        limits=limits,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=usd,
        seconds_before=60 * float(report.spent.get("minutes", 0.0)),
        exhausted=report.spent.get("exhausted"),
    )
