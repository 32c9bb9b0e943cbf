"""Analysis without a model: find gaps by rule and choose the most severe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from research.document import ReportDocument
from research.material import SourceText
from research.supervision.analysis.missing_concepts import missing_concepts
from research.supervision.links_between_sections import links_between_sections
from research.supervision.loop.explored import was_explored
from research.supervision.thin_sections import thin_sections
from research.supervision.tiers import SupervisionTier
from research.supervision.types import WEIGHT, SupervisorDecision
from research.supervision.unsupported_claims import unsupported_claims

#: Returns the sources that the document cites and the library's on its subject, by citation key.
Related = Callable[[ReportDocument], Mapping[str, SourceText]]


@dataclass(frozen=True)
class RuleAnalyst:
    """See `Analyst`."""

    related: Related
    #: Concepts named in the report's plan.
    planned: Sequence[str] = ()

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `Analyst.analyse`. Explored issues are skipped; the reasoning is empty."""
        found = [
            *missing_concepts(document, self.related(document), self.planned),
            *unsupported_claims(document),
            *thin_sections(document),
            *links_between_sections(document),
        ]
        left = [
            (issue, confidence)
            for issue, confidence in found
            if not was_explored(issue, explored) and WEIGHT[issue.severity] >= WEIGHT[tier.least_severity]
        ]
        if not left:
            return SupervisorDecision(action="pass_through", reasoning="", confidence=0.5)
        issue, confidence = max(left, key=lambda one: WEIGHT[one[0].severity] * one[1])
        return SupervisorDecision(action="research_needed", reasoning="", issue=issue, confidence=confidence)
