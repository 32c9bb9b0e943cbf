"""Limits of one report's research: numbers of tasks, sources and claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tier = Literal["quick", "standard", "comprehensive", "high_quality"]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class ResearchConfig:
    """Limits for rounds, memo and gaps."""

    #: Number of items of a catalog; None: five.
    catalog_target_items: int | None = None
    #: Fields of a catalog's items that a person confirmed, without the name; empty: those that the question names.
    catalog_fields: tuple[str, ...] = ()
    #: Least number of independent domains; fewer is a gap.
    min_total_domains: int = 8
    #: Most tasks over all rounds.
    max_tasks_total: int = 15
    #: Most questions of the first round.
    max_questions: int = 3
    #: Hits requested from a provider per query.
    hits_per_query: int = 8
    #: Most sources that one task reads.
    sources_per_task: int = 6
    #: Largest share of a report's sources from one domain.
    max_domain_share: float = 0.25
    #: Most claims that Round 3 verifies.
    max_claims: int = 3
    language: Language = "en"


#: Limits of each quality tier; the supervision's tiers are in `research.supervision.types`.
TIERS: dict[Tier, ResearchConfig] = {
    "quick": ResearchConfig(max_tasks_total=6, max_questions=2, sources_per_task=4, min_total_domains=5),
    "standard": ResearchConfig(),
    "comprehensive": ResearchConfig(max_tasks_total=21, sources_per_task=8, min_total_domains=10),
    "high_quality": ResearchConfig(max_tasks_total=30, sources_per_task=10, min_total_domains=12),
}
