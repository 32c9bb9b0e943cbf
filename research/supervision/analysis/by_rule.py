"""Analysis without a model: find gaps by rule and choose the most severe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.messages import Message
from research.document import ReportDocument
from research.material import SourceText
from research.storage.progress import LibraryState
from research.supervision.analysis.examination import too_short, unread
from research.supervision.analysis.missing_concepts import LEAST_SOURCES, missing_concepts
from research.supervision.analysis.weak_sections import thin_sections, unsupported_claims
from research.supervision.codes import ExaminedCode
from research.supervision.loop.context import Examination
from research.supervision.loop.explored import was_explored
from research.supervision.tiers import SupervisionTier
from research.supervision.types import WEIGHT, SupervisorDecision

#: Returns the sources that the document cites and the library's on its subject, by citation key.
Related = Callable[[ReportDocument], Mapping[str, SourceText]]


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
        found = [
            *missing_concepts(document, self.related(document), self.planned),
            *unsupported_claims(document),
            *thin_sections(document),
        ]
        left = [
            (issue, confidence)
            for issue, confidence in found
            if not was_explored(issue, explored) and WEIGHT[issue.severity] >= WEIGHT[tier.least_severity]
        ]
        if not left:
            return SupervisorDecision()
        issue, confidence = max(left, key=lambda one: WEIGHT[one[0].severity] * one[1])
        return SupervisorDecision(issue=issue, confidence=confidence)

    def examination(self, document: ReportDocument) -> Examination:
        """See `Analyst.examination`: it needs enough text, and sources in its language."""
        if short := too_short(document):
            return Examination(False, short)
        compared = [one for one in self.related(document).values() if one.language == document.language]
        if len(compared) >= LEAST_SOURCES:
            return Examination(True, Message.of(ExaminedCode.RULES_SATISFIED, sources=len(compared)))
        too_few = Message.of(ExaminedCode.TOO_FEW_SOURCES, found=len(compared), least=LEAST_SOURCES)
        return Examination(False, unread(self.library()) or too_few)
