"""Analysis by a model: it gets the document's outline and what the library knows, and names one gap or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from core.errors import ModelReplyError
from core.llm import Model
from research.document import ReportDocument
from research.meaning import Meaning
from research.readers.model.passages import plain as as_data
from research.supervision.analysis.by_rule import Related
from research.supervision.analysis.examination import too_short
from research.supervision.analysis.known_passages import KnownPassage, known_passages
from research.supervision.analysis.outline import outline
from research.supervision.analysis.weak_sections import thin_sections
from research.supervision.loop.context import Examination, InvalidDecisionError
from research.supervision.prompts import ANALYZE_SYSTEM, ANALYZE_USER
from research.supervision.tiers import SupervisionTier
from research.supervision.types import Issue, IssueType, Severity, SupervisorDecision


class Gap(BaseModel):
    """A gap as a model names it."""

    model_config = ConfigDict(extra="forbid")

    topic: str = Field(min_length=1, max_length=200)
    #: Key of its section.
    section: str = Field(max_length=200)
    kind: IssueType
    severity: Severity
    why: str = Field(min_length=1, max_length=1000)
    searches: list[str] = Field(min_length=1, max_length=3)
    guidance: str = Field(default="", max_length=1000)


class Analysis(BaseModel):
    """The reply: one gap, or none."""

    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(max_length=2000)
    confidence: float = Field(ge=0.0, le=1.0)
    gap: Gap | None


@dataclass(frozen=True)
class ModelAnalyst:
    """See `Analyst`."""

    model: Model
    related: Related
    meaning: Meaning

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `Analyst.analyse`. Sections found thin by rule are shown in full first."""
        known = known_passages(document, self.related(document), self.meaning)
        thin = [issue.section for issue, _ in thin_sections(document)]
        user = ANALYZE_USER.format(
            title=document.title,
            query=document.query or "(none)",
            language=document.language,
            iteration=iteration,
            max_iterations=tier.max_iterations,
            explored="\n".join(f"- {key.splitlines()[0]}" for key in explored) or "(nothing)",
            outline=outline(document, document.query or document.title, thin),
            known="\n".join(_shown(passage) for passage in known) or "(nothing)",
        )
        try:
            reply, _ = self.model.ask(ANALYZE_SYSTEM, user, Analysis, purpose="analyze_review")
        except ModelReplyError as error:
            # `ask` has already tried one repair.
            raise InvalidDecisionError(error.detail) from error
        issue = _issue(reply.gap, document) if reply.gap else None
        return SupervisorDecision(issue=issue, reasoning=reply.reasoning, confidence=reply.confidence)

    def examination(self, document: ReportDocument) -> Examination:
        """See `Analyst.examination`: a model reads the document itself, if there is something to read."""
        short = too_short(document)
        return Examination(short is None, short)


def _issue(gap: Gap, document: ReportDocument) -> Issue:
    # A model may give a heading in place of its key.
    keys = {name: section.key for section in document.sections for name in (section.heading, section.key)}
    return Issue(
        topic=gap.topic,
        section=keys.get(gap.section.strip("[] "), ""),
        issue_type=gap.kind,
        severity=gap.severity,
        rationale=gap.why,
        suggested_queries=tuple(gap.searches),
        integration_guidance=gap.guidance,
    )


def _shown(passage: KnownPassage) -> str:
    about = ", ".join(str(one) for one in (passage.reference.title, passage.reference.year) if one)
    return as_data(f"- {about}: {passage.text}")
