"""Metrics of language models, over the last hour: older calls are removed, so that a sum would fall."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import func, select

from core.models import ModelCallRow
from services.context import Context
from services.metrics import names
from services.metrics.values import Value

_LATELY = ModelCallRow.created_at > func.now() - timedelta(hours=1)


def of_models(context: Context) -> Iterator[Value]:
    """Yield calls, tokens and cost by provider."""
    calls = (
        select(ModelCallRow.provider, ModelCallRow.status, func.count())
        .where(_LATELY)
        .group_by(ModelCallRow.provider, ModelCallRow.status)
        .order_by(ModelCallRow.provider, ModelCallRow.status)
    )
    used = (
        select(
            ModelCallRow.provider,
            func.sum(ModelCallRow.tokens_in),
            func.sum(ModelCallRow.tokens_out),
            func.sum(ModelCallRow.cost_usd),
        )
        .where(_LATELY)
        .group_by(ModelCallRow.provider)
        .order_by(ModelCallRow.provider)
    )
    with context.database.session() as session:
        for provider, status, number in session.execute(calls):
            yield Value(names.MODEL_CALLS, number, (provider, status))
        for provider, tokens_in, tokens_out, cost in session.execute(used):
            yield Value(names.MODEL_TOKENS, float(tokens_in), (provider, "in"))
            yield Value(names.MODEL_TOKENS, float(tokens_out), (provider, "out"))
            yield Value(names.MODEL_COST, float(cost), (provider,))
