"""Limits of one report's research (tasks, sources, claims), and the errors that end it early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.errors import AppError, ModelError
from core.messages import MessageCode

Tier = Literal["quick", "standard", "comprehensive", "high_quality"]
Language = Literal["en", "es"]


@dataclass(frozen=True, slots=True)
class ResearchConfig:
    """Limits for rounds, memo and gaps."""

    #: Number of items of a catalog; None: five.
    catalog_target_items: int | None = None
    #: Fields of a catalog's items that a person confirmed, without the name; empty: the fields in the question.
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


# Message codes of research errors, and the errors that end a report's research early.


class ResearchCode(MessageCode):
    """Research errors and their consequences for the report."""

    INVALID_DECISION = "invalid_decision", "The analysis could not be used. The document was not changed."
    BUDGET_SPENT = (
        "budget_spent",
        "The report's budget is used up. The report is written from what had been found.",
    )
    CANCELLED = "cancelled", "The report was stopped. Everything found so far is kept."
    TIER_UNKNOWN = "tier_unknown", "There is no level called %(given)s. Choose one of: %(known)s."
    FORMAT_UNKNOWN = "format_unknown", "There is no format %(given)s. Choose one of: %(known)s."
    NO_DECISION = "no_decision", "There is no decision on a revision for the supervision to continue from."
    SOURCE_FAILED = "source_failed", "A source could not be reached. The report continues with the others."
    SOURCE_UNAVAILABLE = (
        "source_unavailable",
        "A source is not responding. The report continues with the others.",
    )
    SOURCE_REFUSED = ("source_refused", "A source rejected the request. Check its key and quota in the settings.")
    SOURCE_WITHOUT_TEXT = "source_without_text", "A source has no readable text."
    SOURCE_FORBIDDEN = (
        "source_forbidden",
        "An address was not opened because it is private or on an excluded domain.",
    )


class BudgetSpentError(ModelError):
    """A model call would exceed the budget; callers continue as without a model."""

    code: ClassVar[MessageCode] = ResearchCode.BUDGET_SPENT


class CancelRequestedError(AppError):
    """A person requested that the report stop; what was found is kept."""

    code: ClassVar[MessageCode] = ResearchCode.CANCELLED
    http_status = 409
