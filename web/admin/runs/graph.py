"""The supervisor's graph with the way of one run: coordinates for an SVG without inline styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.replays.run_detail import RunStep

WIDTH, HEIGHT = 720, 236
BOX_WIDTH, BOX_HEIGHT = 196, 44
#: The end of a run with a proposal, which is no node.
PROPOSED = "suggested"
#: Centres of the nodes.
_PLACES = {
    "run_pipeline": (92, 112),
    "review_agent": (345, 112),
    "retry_with_llm": (345, 188),
    "save_complete": (623, 36),
    PROPOSED: (623, 112),
    "mark_for_human": (623, 188),
}
#: (node, route): where it leads and how the line runs.
_LINES = {
    ("run_pipeline", "complete"): ("save_complete", "M181 104 L532 36"),
    ("run_pipeline", "review"): ("review_agent", "M181 112 L254 112"),
    ("run_pipeline", "retry"): ("retry_with_llm", "M181 122 L254 180"),
    ("run_pipeline", "escalate"): ("mark_for_human", "M92 134 V226 H623 V210"),
    ("retry_with_llm", "complete"): ("save_complete", "M436 180 C500 160 484 60 532 46"),
    ("retry_with_llm", "review"): ("review_agent", "M345 166 L345 134"),
    ("retry_with_llm", "retry"): ("retry_with_llm", "M300 210 C300 232 390 232 390 210"),
    ("retry_with_llm", "escalate"): ("mark_for_human", "M436 192 L532 192"),
    ("review_agent", "suggested"): (PROPOSED, "M436 112 L532 112"),
    ("review_agent", "escalate"): ("mark_for_human", "M436 122 L532 180"),
}


@dataclass(frozen=True)
class GraphNode:
    """One node, or the end with a proposal."""

    key: str
    x: int
    y: int
    #: Numbers of the steps that it was; empty where the run did not come by.
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
    """Return the graph with the way of these steps."""
    taken = {(step.action, step.route) for step in steps}
    at = {key: tuple(step.step for step in steps if step.action == key) for key in _PLACES}
    proposed = ("review_agent", "suggested") in taken
    nodes = [
        GraphNode(key, x, y, at[key], bool(at[key]) or (key == PROPOSED and proposed))
        for key, (x, y) in _PLACES.items()
    ]
    lines = [GraphLine(path, edge in taken) for edge, (_, path) in _LINES.items()]
    return RunGraph(nodes, sorted(lines, key=lambda line: line.is_taken))
