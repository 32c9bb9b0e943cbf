"""What a plan is made of."""

from __future__ import annotations

from dataclasses import dataclass

from research.worker_result import Kind


@dataclass(frozen=True)
class PlannedTask:
    """One question for one researcher."""

    #: "r1_1", "r2_3", "v_1": the same plan gives the same ids.
    task_id: str
    kind: Kind
    question: str
    #: Searches that suit it; the researcher may make others.
    queries_hint: tuple[str, ...] = ()
    #: The gap that it is to close.
    gap_id: str | None = None
    #: What to look for and bring back, for a researcher that is a model.
    instructions: str = ""
    #: The claim that it is to verify.
    claim_id: str | None = None
    #: Sources of these domains do not count: they said it already.
    avoid_domains: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResearchPlan:
    """What Round 1 asks, and what the report should cover."""

    questions: tuple[str, ...]
    angles: tuple[str, ...]
    #: In a sentence; the report's page shows it.
    reasoning: str
