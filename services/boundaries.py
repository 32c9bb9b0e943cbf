"""Every moment between two effects of a person's decision and of the resume that follows it.

Tests end the process at each of them; a boundary that is not listed here is not called, and one that is listed and
not visited fails the tests.
"""

from __future__ import annotations

from collections.abc import Callable

from pipeline.orchestrator.steps import NODE_BOUNDARIES

#: Of `resolve_escalation`, in the process that the person talks to.
RESOLVE_BOUNDARIES = ("resolve:begun", "resolve:won", "resolve:written", "resolve:committed", "resolve:enqueued")
#: Of `resume_run` where the checkpoint is gone.
SETTLE_BOUNDARIES = ("resume:begun", "resume:leased", "resume:graph_done", "resume:written", "resume:closed")
#: Of `resume_run` where the thread waits: those of the node that goes on lie between "leased" and "graph_done".
RESUME_BOUNDARIES = (
    *SETTLE_BOUNDARIES,
    *(name for name in NODE_BOUNDARIES if name.startswith("mark_for_human:")),
)


def _go_on(_name: str) -> None:
    """At a boundary, nothing happens."""


_at: Callable[[str], None] = _go_on


def at_boundary(name: str) -> None:
    """Called at each boundary of the graph's nodes, of a decision and of a resume."""
    _at(name)


def on_boundary(do: Callable[[str], None] = _go_on) -> None:
    """Have this done at each boundary of this process; tests put a kill there."""
    global _at
    _at = do
