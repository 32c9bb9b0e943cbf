"""Statistics of the supervisor and the health of the system."""

from __future__ import annotations

from flask import render_template, request
from flask.typing import ResponseReturnValue
from redis.exceptions import RedisError

from core.queue import queue_depth
from services.health import health
from services.stats.orchestrator_stats import COUNT_LIMIT, orchestrator_stats
from web.access import access
from web.admin import blueprint
from web.admin.chart import stacked_bars
from web.context import get_context
from web.whole_number import whole_number

WINDOWS = (7, 30, 90, 365)
_DEFAULT_DAYS = 30


@blueprint.get("/orchestrator_stats")
@access("overseer")
def stats() -> ResponseReturnValue:
    days = request.args.get("days", _DEFAULT_DAYS, type=whole_number)
    found = orchestrator_stats(get_context(), days if days in WINDOWS else _DEFAULT_DAYS)
    return render_template(
        "admin/stats.html",
        stats=found,
        windows=WINDOWS,
        chart=stacked_bars(found.by_day),
        health=health(get_context()),
        queue_depth=_depth(),
        count_limit=COUNT_LIMIT,
    )


def _depth() -> int | None:
    """Return the number of waiting jobs; None if Redis does not answer."""
    try:
        return queue_depth(get_context().redis)
    except RedisError:
        return None
