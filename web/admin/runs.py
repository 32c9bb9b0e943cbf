"""Pages of the supervisor: its runs, their graph, a replay, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.policy import Rule
from services.replays.run_detail import RunStep, run_detail
from services.trust.precision import SAME_ERRORS_AT_MOST, Bin, calibration_error
from services.trust.trust_view import trust_view
from web.access import get_context
from web.admin import blueprint
from web.admin.seasons import rule_value, sent_changes
from web.i18n import shown_again
from web.labels import typed_lines

#: Rules that the form of a replay has fields for, each with its step.
OFFERED = {
    Rule.COMPLETE_CONFIDENCE: "0.001",
    Rule.WEAK_FIELD_CONFIDENCE: "0.001",
    Rule.RETRY_CONFIDENCE: "0.001",
    Rule.MIN_ESSAY_WORDS: "1",
    Rule.MAX_TRIES: "1",
    Rule.MAX_STEPS: "1",
}


@blueprint.get("/runs/<run_id>", "overseer")
def run(run_id: str, **replayed: object) -> str:
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


# The replay of a run by other rules: shows the difference, writes nothing.


@blueprint.post("/runs/<run_id>/replay", "overseer")
@shown_again(lambda run_id, problem: run(run_id, replay_problem=problem))
def replay_run(run_id: str) -> ResponseReturnValue:
    # Imported here: LangGraph takes seconds, and no other page needs it.
    from services.replays.replay import replay

    changes = {key: value for key, value in sent_changes(request.form).items() if value is not None}
    found = replay(get_context(), run_id, changes, request.form.get("from") or None)
    return run(run_id, replay=found)


# How often values that nobody reviewed are right, and what another threshold would change.


#: Precisions that a threshold is proposed for.
WANTED = (0.98, 0.99, 0.995)
_SIZE = 240.0


@dataclass(frozen=True)
class Dot:
    """One bin of a reliability diagram, in the units of its SVG: the dot and its interval."""

    x: float
    y: float
    low: float
    high: float
    radius: float


@blueprint.get("/trust", "overseer")
def trust() -> ResponseReturnValue:
    """Show precision, calibration, drift, and the forecast for the threshold in the URL."""
    view = trust_view(
        get_context(), _share(request.args.get("threshold")), _share(request.args.get("wanted")) or WANTED[-1]
    )
    return render_template(
        "admin/trust.html",
        view=view,
        same_error_rate=SAME_ERRORS_AT_MOST,
        wanted_choices=WANTED,
        size=_SIZE,
        diagrams=[(found, calibration_error(found), dots(found)) for found in (view.by_audits, view.by_reviewers)],
    )


def dots(found: list[Bin]) -> list[Dot]:
    """Return the bins as dots; confidence goes to the right, the share right upwards."""
    return [
        Dot(
            _SIZE * one.confidence,
            _SIZE * (1 - (one.right.value or 0.0)),
            _SIZE * (1 - one.right.interval.low),
            _SIZE * (1 - one.right.interval.high),
            3 + 7 * one.weight**0.5,
        )
        for one in found
    ]


def _share(given: str | None) -> float | None:
    """Return a share from the URL, 0-1 or in percent; None for anything else."""
    try:
        share = float((given or "").replace(",", "."))
    except ValueError:
        return None
    share = share / 100 if share > 1 else share
    return share if 0 < share <= 1 else None


# The supervisor's graph with the path of one run: coordinates for an SVG without inline styles.


WIDTH, HEIGHT = 720, 306
BOX_WIDTH, BOX_HEIGHT = 196, 44
#: The end of a run with a proposal; it is not a node of the graph.
PROPOSED = "suggested"
#: Centres of the nodes.
_PLACES = {
    "run_pipeline": (102, 154),
    "second_reader": (345, 62),
    "review_agent": (345, 154),
    "retry_with_llm": (345, 246),
    "save_complete": (618, 62),
    PROPOSED: (618, 154),
    "mark_for_human": (618, 246),
}
#: (node, route): where it leads and how the line runs.
_LINES = {
    ("run_pipeline", "complete"): ("save_complete", "M102 132 V12 H618 V40"),
    ("run_pipeline", "look"): ("second_reader", "M200 144 L247 76"),
    ("run_pipeline", "review"): ("review_agent", "M200 154 L247 154"),
    ("run_pipeline", "retry"): ("retry_with_llm", "M200 164 L247 232"),
    ("run_pipeline", "escalate"): ("mark_for_human", "M102 176 V296 H618 V268"),
    ("second_reader", "complete"): ("save_complete", "M443 62 L520 62"),
    ("second_reader", "look"): ("second_reader", "M318 40 C318 20 372 20 372 40"),
    ("second_reader", "review"): ("review_agent", "M345 84 L345 132"),
    ("second_reader", "retry"): ("retry_with_llm", "M262 84 C222 110 222 200 262 224"),
    ("second_reader", "escalate"): ("mark_for_human", "M443 70 C490 90 490 200 520 238"),
    ("retry_with_llm", "complete"): ("save_complete", "M443 238 C500 210 480 90 520 72"),
    ("retry_with_llm", "look"): ("second_reader", "M428 224 C468 200 468 110 428 84"),
    ("retry_with_llm", "review"): ("review_agent", "M345 224 L345 176"),
    ("retry_with_llm", "retry"): ("retry_with_llm", "M318 268 C318 288 372 288 372 268"),
    ("retry_with_llm", "escalate"): ("mark_for_human", "M443 246 L520 246"),
    ("review_agent", "suggested"): (PROPOSED, "M443 154 L520 154"),
    ("review_agent", "escalate"): ("mark_for_human", "M443 164 L520 230"),
}


@dataclass(frozen=True)
class GraphNode:
    """One node, or the end with a proposal."""

    key: str
    x: int
    y: int
    #: Numbers of the run's steps at this node; empty if the run did not reach it.
    steps: tuple[int, ...]
    is_reached: bool


@dataclass(frozen=True)
class GraphLine:
    """One edge."""

    path: str
    is_taken: bool


@dataclass(frozen=True)
class RunGraph:
    """The whole graph; the lines that were taken come last, above the others."""

    nodes: list[GraphNode]
    lines: list[GraphLine]
    width: int = WIDTH
    height: int = HEIGHT


def run_graph(steps: Sequence[RunStep]) -> RunGraph:
    """Return the graph with the path of these steps."""
    taken = {(step.action, step.route) for step in steps}
    at = {key: tuple(step.step for step in steps if step.action == key) for key in _PLACES}
    proposed = ("review_agent", "suggested") in taken
    nodes = [
        GraphNode(key, x, y, at[key], bool(at[key]) or (key == PROPOSED and proposed))
        for key, (x, y) in _PLACES.items()
    ]
    lines = [GraphLine(path, edge in taken) for edge, (_, path) in _LINES.items()]
    return RunGraph(nodes, sorted(lines, key=lambda line: line.is_taken))
