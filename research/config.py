"""The bounds of one report's research: how many tasks, sources and gaps; one object, handed down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tier = Literal["quick", "standard", "comprehensive", "high_quality"]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class ResearchConfig:
    """What the rounds, the memo and the gaps are held to."""

    #: Items that a catalog should have; None: five.
    catalog_target_items: int | None = None
    #: Independent domains that a report should rest on; fewer is a gap.
    min_total_domains: int = 8
    #: Tasks over all rounds.
    max_tasks_total: int = 15
    #: Questions of the first round.
    max_questions: int = 3
    #: Hits that one task asks a provider for.
    hits_per_query: int = 8
    #: Sources that one task reads whole.
    sources_per_task: int = 6
    #: Of the sources of a report, the share that one domain may have.
    max_domain_share: float = 0.25
    #: Claims that Round 3 verifies.
    max_claims: int = 3
    language: Language = "en"


#: What a tier of quality allows the rounds; the supervision's tiers are in `research.supervision.tiers`.
TIERS: dict[Tier, ResearchConfig] = {
    "quick": ResearchConfig(max_tasks_total=6, max_questions=2, sources_per_task=4, min_total_domains=5),
    "standard": ResearchConfig(),
    "comprehensive": ResearchConfig(max_tasks_total=21, sources_per_task=8, min_total_domains=10),
    "high_quality": ResearchConfig(max_tasks_total=30, sources_per_task=10, min_total_domains=12),
}
