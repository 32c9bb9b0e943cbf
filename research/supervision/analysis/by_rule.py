"""Analysis without a model: find gaps by rule and choose the most severe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.messages import Message
from research.document import ReportDocument
from research.material import SourceText
from research.storage.progress import LibraryState
from research.supervision.analysis.missing_concepts import LEAST_SOURCES, missing_concepts
from research.supervision.analysis.related_sources import Related, unread
from research.supervision.analysis.weak_sections import thin_sections, too_short, unsupported_claims
from research.supervision.codes import ExaminedCode
from research.supervision.tiers import SupervisionTier
from research.supervision.types import WEIGHT, SupervisorDecision, was_explored


@dataclass(frozen=True)
class RuleAnalyst:
    """See `Analyst`."""

    related: Related
    library: Callable[[], LibraryState]
    #: Concepts named in the report's plan.
    planned: Sequence[str] = ()

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `Analyst.analyse`. Explored issues are skipped; the reasoning is empty."""
        sources = self.related(document)
        found = [
            *missing_concepts(document, sources, self.planned),
            *unsupported_claims(document),
            *thin_sections(document),
        ]
        left = [
            (issue, confidence)
            for issue, confidence in found
            if not was_explored(issue, explored) and WEIGHT[issue.severity] >= WEIGHT[tier.least_severity]
        ]
        if not left:
            return self._examined(document, sources)
        issue, confidence = max(left, key=lambda one: WEIGHT[one[0].severity] * one[1])
        return SupervisorDecision(issue=issue, confidence=confidence)

    def _examined(self, document: ReportDocument, sources: Mapping[str, SourceText]) -> SupervisorDecision:
        """Return no issue; the document was examined if it has enough text, and sources in its language."""
        if short := too_short(document):
            return SupervisorDecision(examined=False, note=short)
        compared = sum(one.language == document.language for one in sources.values())
        if compared >= LEAST_SOURCES:
            return SupervisorDecision(note=Message.of(ExaminedCode.RULES_SATISFIED, sources=compared))
        too_few = Message.of(ExaminedCode.TOO_FEW_SOURCES, found=compared, least=LEAST_SOURCES)
        return SupervisorDecision(examined=False, note=unread(self.library()) or too_few)
