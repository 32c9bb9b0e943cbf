"""Create the context of a run's graph nodes from the process context and the entry's season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from langchain_core.callbacks import BaseCallbackHandler

from core.graphs.checkpoints import open_pool, open_saver
from core.lease import Lease
from core.llm import open_model
from core.models import Run
from core.tracing import trace_callbacks
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import Orchestrator, create_orchestrator_graph
from pipeline.runner import process_submission
from pipeline.validation.policy import Policy
from services.context import Context
from services.seasons import season_policy


def run_context(context: Context, lease: Lease[Run]) -> RunContext:
    """Return the nodes' context for the leased run: settings, policy, school list, recorder and model."""
    with context.database.session() as session:
        run = session.get_one(Run, lease.key)
        policy = season_policy(session, run.season_id, context.settings)
    return RunContext(
        settings=context.settings,
        store=context.store,
        policy=_asking(policy) if run.options.get("ask_model") else policy,
        schools=tuple(policy.known_schools),
        recorder=DatabaseRecorder(context.database, lease),
        model=open_model(context.settings),
        read=process_submission,
    )


def _asking(policy: Policy) -> Policy:
    """Return a copy of the policy that asks the model for missing fields at any confidence of the reading."""
    return policy.model_copy(update={"retry_confidence": 1.0, "max_tries": max(2, policy.max_tries)})


@contextmanager
def open_graph(context: Context) -> Iterator[tuple[Orchestrator, Sequence[BaseCallbackHandler]]]:
    """Open the graph with PostgreSQL checkpoints, and the tracing callbacks. Must be called after any fork."""
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        yield create_orchestrator_graph(open_saver(pool)), trace_callbacks(context.settings)
    finally:
        pool.close()
