"""The page of one run: its steps over the graph."""

from __future__ import annotations

from flask import render_template
from flask.typing import ResponseReturnValue

from services.policy.rules import Rule
from services.replays.run_detail import run_detail
from web.access import access
from web.admin import blueprint
from web.admin.runs.graph import BOX_HEIGHT, BOX_WIDTH, run_graph
from web.admin.seasons.rule_values import rule_value
from web.context import get_context
from web.told import typed_lines

#: Rules that the form of a replay has fields for, each with its step.
OFFERED = {
    Rule.COMPLETE_CONFIDENCE: "0.001",
    Rule.WEAK_FIELD_CONFIDENCE: "0.001",
    Rule.RETRY_CONFIDENCE: "0.001",
    Rule.MIN_ESSAY_WORDS: "1",
    Rule.MAX_TRIES: "1",
    Rule.MAX_STEPS: "1",
}


@blueprint.get("/runs/<run_id>")
@access("overseer")
def run(run_id: str) -> ResponseReturnValue:
    return run_page(run_id)


def run_page(run_id: str, **replayed: object) -> str:
    """Return the page. `replayed` holds a replay, or why there is none, for the template. Raises NotFoundError."""
    found = run_detail(get_context(), run_id)
    return render_template(
        "admin/runs/run.html",
        run=found,
        graph=run_graph(found.steps),
        box={"width": BOX_WIDTH, "height": BOX_HEIGHT},
        offered=OFFERED,
        typed=typed_lines(),
        rule_value=rule_value,
        **replayed,
    )
