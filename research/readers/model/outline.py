"""Ask a model to arrange the evidence of a narrative into sections."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.meaning import Meaning
from research.readers.assignment import assigned
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.drafting import listed
from research.readers.model.reading_prompts import DATA
from research.readers.model.writing_prompts import OUTLINE_SYSTEM
from research.readers.protocol import Asked, Evidence, Outline, Plan, SectionOutline

#: Most sections, most evidence of one, and most phrases for what is missing.
_SECTIONS, _EVIDENCE, _MISSING = 8, 12, 5


class SectionGiven(Reply):
    """A section as a model gives it."""

    heading: str
    question: str = ""
    aspects: list[str] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list)


class OutlineGiven(Reply):
    """The sections in order, evidence that answers nothing, and what no evidence answers."""

    sections: list[SectionGiven] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)


def outline_of(
    asking: Asking, asked: Asked, plan: Plan, evidence: Sequence[Evidence], meaning: Meaning
) -> Outline | None:
    """Return the sections with known evidence; None if the reply cannot be used.

    Evidence that the model neither placed nor left out goes to the section that it is nearest to.
    """
    aspects = {f"a{number}": aspect for number, aspect in enumerate(plan.aspects or plan.questions, start=1)}
    told = "\n".join(f"{short}: {aspect}" for short, aspect in aspects.items())
    user = f"Request: {asked.query}\n\nAspects:\n{told}\n\n{listed(evidence, context=False)}"
    system = OUTLINE_SYSTEM.format(language=LANGUAGE_NAMES[asked.language], most=_SECTIONS)
    reply = asking.ask("outline", f"{system}\n\n{DATA}", user, OutlineGiven, "research.outline")
    if reply is None:
        return None
    known = {one.evidence_id for one in evidence}
    found = [
        SectionOutline(
            given.heading,
            given.question or given.heading,
            tuple(one for one in given.evidence if one in known)[:_EVIDENCE],
            tuple(aspects[one] for one in dict.fromkeys(given.aspects) if one in aspects),
        )
        for given in reply.sections[:_SECTIONS]
    ]
    found = [section for section in found if section.evidence_ids]
    if not found:
        asking.failed("outline", "nothing_known")
        return None
    placed = {one for section in found for one in section.evidence_ids} | {*reply.left_out}
    left = [one for one in evidence if one.evidence_id not in placed]
    more = assigned([section.question for section in found], left, meaning, _EVIDENCE)
    sections = tuple(_with_more(section, added) for section, added in zip(found, more, strict=True))
    return Outline(sections, tuple(reply.missing[:_MISSING]))


def _with_more(section: SectionOutline, added: Sequence[Evidence]) -> SectionOutline:
    ids = (*section.evidence_ids, *(one.evidence_id for one in added))
    return SectionOutline(section.heading, section.question, ids[:_EVIDENCE], section.aspects)
