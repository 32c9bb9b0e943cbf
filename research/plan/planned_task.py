"""A task of a round."""

from __future__ import annotations

from dataclasses import dataclass

from research.memo.worker_result import Kind


@dataclass(frozen=True)
class PlannedTask:
    """One question for one researcher."""

    #: "r1_1", "r2_3", "v_1"; deterministic for the same plan.
    task_id: str
    kind: Kind
    question: str
    #: Search queries, best first; before a reader was asked for more, those that the plan suggests.
    queries: tuple[str, ...] = ()
    #: The gap that it should close, and further ones.
    gap_id: str | None = None
    other_gaps: tuple[str, ...] = ()
    #: What is known and what is missing, for a model that generates the queries.
    instructions: str = ""
    #: The claim that it should verify.
    claim_id: str | None = None
    #: Domains to avoid, because they were already used.
    avoid_domains: tuple[str, ...] = ()
