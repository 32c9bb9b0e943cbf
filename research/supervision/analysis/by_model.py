"""Analysis by a model: one structured decision from a map of the document and relevant sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ModelReplyError
from core.llm import Model
from research.document import ReportDocument
from research.supervision.analysis.outline import beginnings, section_map, shown
from research.supervision.loop.context import InvalidDecisionError
from research.supervision.prompts import ANALYZE_SYSTEM, ANALYZE_USER
from research.supervision.thin_sections import thin_sections
from research.supervision.tiers import SupervisionTier
from research.supervision.types import SupervisorDecision


@dataclass(frozen=True)
class ModelAnalyst:
    """See `Analyst`."""

    model: Model

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `Analyst.analyse`. Sections found thin by rule are shown first."""
        thin = [issue.section for issue, _ in thin_sections(document)]
        question = document.query or document.title
        user = ANALYZE_USER.format(
            title=document.title,
            query=document.query or "(none)",
            iteration=iteration,
            max_iterations=tier.max_iterations,
            explored="\n".join(f"- {key.splitlines()[0]}" for key in explored) or "(nothing)",
            section_map=section_map(document),
            sections=shown(beginnings(document, question, thin)),
        )
        try:
            decision, _ = self.model.ask(ANALYZE_SYSTEM, user, SupervisorDecision, purpose="analyze_review")
        except ModelReplyError as error:
            # `ask` has already tried one repair.
            raise InvalidDecisionError(error.detail) from error
        return decision
