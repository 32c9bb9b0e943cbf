"""The types of a plan."""

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
    #: Suggested queries; the researcher may add others.
    queries_hint: tuple[str, ...] = ()
    #: The gap that it should close.
    gap_id: str | None = None
    #: Instructions for a model that generates the queries.
    instructions: str = ""
    #: The claim that it should verify.
    claim_id: str | None = None
    #: Domains to avoid, because they were already used.
    avoid_domains: tuple[str, ...] = ()


@dataclass(frozen=True)
class ResearchPlan:
    """The questions of Round 1 and the angles that the report should cover."""

    questions: tuple[str, ...]
    angles: tuple[str, ...]
    #: One sentence, shown on the report's page.
    reasoning: str
