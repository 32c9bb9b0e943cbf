"""Analysis by a model: it gets the document's outline and what the library knows, and names one gap or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from core.errors import ModelReplyError
from core.labels import LabelledEnum, keys_of
from core.llm import Model
from core.messages import Message
from research.document import ReportDocument
from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, order_by_nearness
from research.readers.model.passages import plain as as_data
from research.readers.statements import is_statement
from research.supervision.analysis.related_sources import Related
from research.supervision.codes import ExaminedCode
from research.supervision.outline import LEAST_WORDS, is_said, is_too_short, outline, plain_of, thin_sections
from research.supervision.prompts import ANALYZE_SYSTEM, ANALYZE_USER
from research.supervision.types import (
    InvalidDecisionError,
    Issue,
    IssueType,
    Severity,
    SupervisionTier,
    SupervisorDecision,
)
from research.text import split_sentences

#: Most passages of sources that are shown, most of one source, and most words of a passage.
_MOST, _MOST_OF_A_SOURCE, _WORDS = 10, 2, 60
#: Most passages, the nearest by their words, whose meaning is compared.
_COMPARED = 120


def _one_of(title: str, kind: type[LabelledEnum]) -> WithJsonSchema:
    return WithJsonSchema({"enum": [*keys_of(kind)], "title": title, "type": "string"})


class Gap(BaseModel):
    """A gap as a model names it."""

    model_config = ConfigDict(extra="forbid")

    topic: str = Field(min_length=1, max_length=200)
    #: Key of its section.
    section: str = Field(max_length=200)
    kind: Annotated[IssueType, _one_of("Kind", IssueType)]
    severity: Annotated[Severity, _one_of("Severity", Severity)]
    concepts: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(default=[], max_length=4)
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
    """Analyses with a model."""

    model: Model
    related: Related
    meaning: Meaning

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `SupervisionContext.analyse`. Thin sections are shown in full first."""
        user = ANALYZE_USER.format(
            title=document.title,
            query=document.query or "(none)",
            language=document.language,
            iteration=iteration,
            max_iterations=tier.max_iterations,
            explored="\n".join(f"- {key.splitlines()[0]}" for key in explored) or "(nothing)",
            outline=outline(document, document.query or document.title, thin_sections(document)),
            known="\n".join(_known(document, self.related(document), self.meaning)) or "(nothing)",
        )
        try:
            reply, _ = self.model.ask(ANALYZE_SYSTEM, user, Analysis, purpose="analyze_review")
        except ModelReplyError as error:
            # `ask` has already tried one repair.
            raise InvalidDecisionError(error.detail) from error
        issue, short = _issue(reply.gap, document) if reply.gap else None, is_too_short(document)
        note = Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=LEAST_WORDS) if short else None
        return SupervisorDecision(issue, reply.reasoning, reply.confidence, examined=not short, note=note)


def _issue(gap: Gap, document: ReportDocument) -> Issue:
    # A model may give a heading in place of its key.
    keys = {name: section.key for section in document.sections for name in (section.heading, section.key)}
    return Issue(
        topic=gap.topic,
        section=keys.get(gap.section.strip("[] "), ""),
        issue_type=gap.kind,
        severity=gap.severity,
        rationale=gap.why,
        foundational_concepts=tuple(gap.concepts),
        suggested_queries=tuple(gap.searches),
        integration_guidance=gap.guidance,
    )


def _known(document: ReportDocument, sources: Mapping[str, SourceText], meaning: Meaning) -> list[str]:
    """Return the passages nearest to the document's question, without the sentences that it has already."""
    every = [(key, passage.text) for key, source in sources.items() for passage in source.passages]
    # By words first, so that few passages are embedded.
    for compared in (NoMeaning(), meaning):
        texts = [Text(text, sources[key].language) for key, text in every]
        near = order_by_nearness(f"{document.title} {document.query}".strip(), texts, compared)
        every = [every[place] for place in near[:_COMPARED]]
    said, taken, shown = plain_of(document), Counter[str](), list[str]()
    for key, text in every:
        if len(shown) < _MOST and taken[key] < _MOST_OF_A_SOURCE and (new := _unused(text, sources[key], said)):
            taken[key] += 1
            reference = sources[key].reference
            about = ", ".join(str(one) for one in (reference.title, reference.year) if one)
            shown.append(as_data(f"- {about}: {new}"))
    return shown


def _unused(text: str, source: SourceText, said: str) -> str:
    """Return the statements of a passage that the document lacks, up to `_WORDS` words."""
    sentences = [" ".join(text[start:end].split()) for start, end in split_sentences(text, source.language)]
    words = " ".join(one for one in sentences if is_statement(one) and not is_said(one, said)).split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
