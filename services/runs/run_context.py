"""Create the context of a run's graph nodes from the process context and the entry's season."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.callbacks import BaseCallbackHandler

from core.graphs.checkpoints import open_saver
from core.lease import Lease
from core.llm import open_model
from core.models import Run
from core.tracing import trace_callbacks
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.read_together import ReadTogether
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import Orchestrator, create_orchestrator_graph
from pipeline.together.change import Change
from pipeline.validation.policy import Policy
from services.context import Context
from services.defaults.in_force import defaults_of_submission
from services.runs.carried_values import carried_readings
from services.seasons import season_policy


def run_context(context: Context, lease: Lease[Run]) -> RunContext:
    """Return the nodes' context for the leased run: settings, policy, recorder and model.

    Its reader takes the stored reading, with what the joint pass has changed (`services/runs/read_first.py`), the
    values of people that are carried to the entry and the defaults of the batch.
    """
    policy = run_policy(context, lease)
    with context.database.session() as session:
        run = session.get_one(Run, lease.key)
        changes = [Change.model_validate(change) for change in run.together or ()]
        defaults = defaults_of_submission(session, run.submission_id)
        carried = carried_readings(session, run.submission_id)
    return RunContext(
        settings=context.settings,
        store=context.store,
        policy=policy,
        recorder=DatabaseRecorder(context.database, lease),
        model=open_model(context.settings),
        read=ReadTogether(changes, defaults, carried),
    )


def run_policy(context: Context, lease: Lease[Run]) -> Policy:
    """Return the policy of the leased run: that of its season, with what a person asked of the run."""
    with context.database.session() as session:
        run = session.get_one(Run, lease.key)
        policy = season_policy(session, run.season_id, context.settings)
    if run.shown_early or run.reopened:
        # Nothing is completed unseen before the joint pass, nor with what the pass over the batch has changed.
        policy = policy.model_copy(update={"auto_complete": False})
    return _asking(policy) if run.options.get("ask_model") else policy


def _asking(policy: Policy) -> Policy:
    """Return a copy of the policy that asks the model for missing fields at any confidence of the reading."""
    return policy.model_copy(update={"retry_confidence": 1.0, "max_tries": max(2, policy.max_tries)})


def open_graph(context: Context) -> tuple[Orchestrator, Sequence[BaseCallbackHandler]]:
    """Return the graph with PostgreSQL checkpoints, and the tracing callbacks."""
    return create_orchestrator_graph(open_saver(context.database)), trace_callbacks(context.settings)
