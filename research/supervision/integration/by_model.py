"""Integration by a model: it rewrites sections, and the quotations for its new sentences are verified."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import fuzz

from core.llm import Model
from core.messages import Message
from core.saying import say
from research.citations import verify_quote
from research.document import MARKER, CheckedClaim, ReportDocument, Section
from research.supervision.analysis.outline import relevant_sections, section_map, shown
from research.supervision.cited_pieces import cited_pieces
from research.supervision.integration.claims import claim_id_of
from research.supervision.loop.context import Expansion, Integration
from research.supervision.prompts import INTEGRATE_SYSTEM, INTEGRATE_USER, REFUSED
from research.supervision.types import Issue

_MARKER = re.compile(MARKER)


class Quoted(BaseModel):
    """A quotation that supports a new sentence."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(description="Key of the excerpt's source.")
    quote: str = Field(description="Copied character by character.")


class RevisedSection(BaseModel):
    """A rewritten or new section."""

    model_config = ConfigDict(extra="forbid")

    key: str
    heading: str
    body: str
    follows: str | None = Field(default=None, description="Of a new section: the key that it follows.")


class Revision(BaseModel):
    """The changed sections, and the quotations for new sentences."""

    model_config = ConfigDict(extra="forbid")

    sections: list[RevisedSection] = Field(min_length=1)
    quotes: list[Quoted] = Field(default_factory=list)


@dataclass(frozen=True)
class ModelIntegrator:
    """See `Integrator`."""

    model: Model

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration:
        """See `Integrator.integrate`. Sentences that cite only unverified new sources are removed."""
        sections = relevant_sections(document, f"{issue.topic} {issue.rationale}", [issue.section])
        user = INTEGRATE_USER.format(
            title=document.title,
            language=document.language,
            topic=issue.topic,
            rationale=issue.rationale,
            guidance=issue.integration_guidance or "Where it fits best.",
            excerpts="\n".join(
                f"[@{found.source_key}] {' '.join(found.quote.split())}" for found in expansion.findings
            ),
            section_map=section_map(document),
            sections=shown(sections),
            refused=_refused(refused),
        )
        revision, _ = self.model.ask(INTEGRATE_SYSTEM, user, Revision, purpose="integrate_content")
        claims = _checked(revision, expansion)
        return Integration(_revised(document, revision, expansion, claims), tuple(claims))


def _refused(problems: Sequence[Message]) -> str:
    listed = "\n".join(f"- {say(problem)}" for problem in problems)
    return REFUSED.format(problems=listed) if problems else ""


def _checked(revision: Revision, expansion: Expansion) -> list[CheckedClaim]:
    """Return each quotation with the place where it was found; those in no source are marked fabricated."""
    texts = {key: source.text for key, source in expansion.sources.items()}
    found = []
    for quoted in revision.quotes:
        verdict = verify_quote(quoted.quote, quoted.key, texts)
        place = f"{verdict.source_id}:{verdict.start}:{verdict.end}:{quoted.quote}"
        found.append(
            CheckedClaim(
                claim_id=claim_id_of(place),
                sentence=quoted.quote,
                quote=quoted.quote,
                claimed_source_key=quoted.key,
                source_key=verdict.source_id,
                start_char=verdict.start,
                end_char=verdict.end,
                page_no=None,
                status=verdict.status,
            )
        )
    return found


def _revised(
    document: ReportDocument, revision: Revision, expansion: Expansion, claims: Sequence[CheckedClaim]
) -> ReportDocument:
    carried = {key: [claim for claim in claims if claim.source_key == key] for key in expansion.sources}
    before = {found["key"] for section in document.sections for found in _MARKER.finditer(section.body)}
    uncarried = {key for key, quotes in carried.items() if not quotes and key not in before}
    stood = [piece.strip() for one in document.sections for piece in cited_pieces(one.body, document.language)]
    sections = list(document.sections)
    for revised in revision.sections:
        pieces = cited_pieces(revised.body, document.language)
        body = "".join(
            piece if piece.strip() in stood else _with_claims(piece, carried)
            for piece in pieces
            if not _rests_on(piece, uncarried)
        ).strip()
        at = next((at for at, section in enumerate(sections) if section.key == revised.key), None)
        if at is not None:
            sections[at] = sections[at].model_copy(update={"heading": revised.heading, "body": body})
        else:
            _insert(sections, revised, body)
    listed = {reference.key for reference in document.references}
    cited = {found["key"] for section in sections for found in _MARKER.finditer(section.body)}
    new = [one.reference for key, one in expansion.sources.items() if key in cited and key not in listed]
    return document.model_copy(update={"sections": tuple(sections), "references": (*document.references, *new)})


def _with_claims(piece: str, carried: Mapping[str, Sequence[CheckedClaim]]) -> str:
    """Add to each marker of a new sentence the claim whose quotation is most similar."""

    def with_claim(found: re.Match[str]) -> str:
        quotes = carried.get(found["key"])
        if found["claim"] or not quotes:
            return found[0]
        best = max(quotes, key=lambda claim: fuzz.token_set_ratio(piece, claim.quote))
        return f"[@{found['key']}#{best.claim_id}]"

    return _MARKER.sub(with_claim, piece)


def _rests_on(sentence: str, keys: set[str]) -> bool:
    """Return whether the sentence cites only these sources."""
    cited = {found["key"] for found in _MARKER.finditer(sentence)}
    return bool(cited) and cited <= keys


def _insert(sections: list[Section], revised: RevisedSection, body: str) -> None:
    after = next((at for at, section in enumerate(sections) if section.key == revised.follows), len(sections) - 1)
    level = sections[after].level if sections else 1
    key = re.sub(r"[^a-z0-9-]+", "-", revised.key.casefold()).strip("-") or f"new-{len(sections) + 1}"
    sections.insert(after + 1, Section(key=key, heading=revised.heading, level=level, body=body))
