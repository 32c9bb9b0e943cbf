"""Rebuild the state of a loop from its rows, for a new thread or lost checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from research.supervision.loop.explored import explored_key
from research.supervision.loop.routing import end_of
from research.supervision.loop.state import SupervisionState
from research.supervision.tiers import SupervisionTier
from research.supervision.types import Ended, Issue, Outcome

_FAILURES = (Outcome.FAILED, Outcome.REFUSED_BY_GUARD)


class AttemptRow(Protocol):
    """The columns read from a row of `report_revisions`."""

    iteration: int
    issue: dict[str, object] | None
    outcome: str
    made_version: int | None


def state_from_rows(supervision_id: str, version_no: int, rows: Sequence[AttemptRow]) -> SupervisionState:
    """Return the state after the last of these attempts; `rows` in order of iterations."""
    state: SupervisionState = {
        "supervision_id": supervision_id,
        "version_no": version_no,
        "iteration": rows[-1].iteration if rows else 0,
        "analyses": rows[-1].iteration if rows else 0,
        "integrations": sum(row.made_version is not None for row in rows),
        "failures": _in_a_row([Outcome(row.outcome) for row in rows]),
        "without_evidence": sum(row.outcome == Outcome.NO_EVIDENCE for row in rows),
        "explored": [
            explored_key(Issue.model_validate(row.issue))
            for row in rows
            if row.issue is not None and row.outcome != Outcome.ALREADY_EXPLORED
        ],
    }
    return {**state, "outcome": rows[-1].outcome} if rows else state


def end_from_rows(state: SupervisionState, tier: SupervisionTier) -> Ended | None:
    """Return why the loop ended with the last attempt; None if it continues or has not begun."""
    return end_of(state, tier) if state.get("iteration") else None


def _in_a_row(outcomes: Sequence[Outcome]) -> int:
    count = 0
    for outcome in reversed(outcomes):
        if outcome not in _FAILURES:
            break
        count += 1
    return count
