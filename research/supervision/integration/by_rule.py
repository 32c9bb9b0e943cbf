"""Integration without a model: verbatim sentences in an added passage; nothing else is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.messages import Message
from research.citations import verify_quote
from research.document import CheckedClaim, ReportDocument, Section
from research.memo.worker_result import Finding
from research.supervision.integration.claims import claim_id_of
from research.supervision.loop.context import Expansion, Integration
from research.supervision.plain_text import plain_of
from research.supervision.types import Issue

#: Most sentences of a passage.
_MOST = 3
#: `rapidfuzz.fuzz.partial_ratio` above which the document already has a sentence.
_SAID = 90
_LEAD = {"en": "On {topic}", "es": "Sobre {topic}"}


@dataclass(frozen=True)
class ExtractiveIntegrator:
    """See `Integrator`."""

    most: int = _MOST

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration:
        """See `Integrator.integrate`. The result is deterministic, so a refused one would be refused again."""
        claims = tuple(self._chosen(document, expansion))
        if not claims:
            return Integration(document)
        said = " ".join(f"“{claim.quote}” [@{claim.source_key}#{claim.claim_id}]" for claim in claims)
        passage = f"> **{_LEAD[document.language].format(topic=issue.topic.rstrip(' .:;'))}.** {said}"
        return Integration(_with_references(_with_passage(document, issue, passage), expansion, claims), claims)

    def _chosen(self, document: ReportDocument, expansion: Expansion) -> Iterator[CheckedClaim]:
        """Yield the best finding of each source, then the second of each, up to the limit."""
        said, chosen = plain_of(document), list[str]()
        for finding in _in_turn(expansion.findings):
            quote = " ".join(finding.quote.split())
            claim = _checked(finding, quote, expansion)
            news = all(fuzz.partial_ratio(quote, other) < _SAID for other in (said, *chosen))
            if claim is not None and news and len(chosen) < self.most:
                chosen.append(quote)
                yield claim


def _in_turn(findings: Sequence[Finding]) -> list[Finding]:
    ranked = sorted(findings, key=lambda finding: (-finding.score, finding.source_key, finding.start_char))
    seen: dict[str, int] = {}
    turns = []
    for finding in ranked:
        turn = seen[finding.source_key] = seen.get(finding.source_key, -1) + 1
        turns.append((turn, finding))
    return [finding for _, finding in sorted(turns, key=lambda one: one[0])]


def _checked(finding: Finding, quote: str, expansion: Expansion) -> CheckedClaim | None:
    """Return the claim if its quotation is verified in its source, else None."""
    texts = {key: source.text for key, source in expansion.sources.items()}
    verdict = verify_quote(quote, finding.source_key, texts)
    if verdict.status != "verified":
        return None
    place = f"{finding.source_key}:{finding.start_char}:{finding.end_char}"
    return CheckedClaim(
        claim_id=claim_id_of(place),
        sentence=quote,
        quote=quote,
        claimed_source_key=finding.source_key,
        source_key=finding.source_key,
        start_char=finding.start_char,
        end_char=finding.end_char,
        page_no=finding.page_no,
        status="verified",
    )


def _with_passage(document: ReportDocument, issue: Issue, passage: str) -> ReportDocument:
    """Append the passage to the issue's section, else to the last one with a body."""
    keys = [section.key for section in document.sections]
    place = issue.section if issue.section in keys else _last_with_body(document.sections)
    sections = tuple(
        section.model_copy(update={"body": f"{section.body.rstrip()}\n\n{passage}".lstrip()})
        if section.key == place
        else section
        for section in document.sections
    )
    return document.model_copy(update={"sections": sections})


def _last_with_body(sections: Sequence[Section]) -> str | None:
    return next((section.key for section in reversed(sections) if section.body.strip()), None)


def _with_references(
    document: ReportDocument, expansion: Expansion, claims: Sequence[CheckedClaim]
) -> ReportDocument:
    listed = {reference.key for reference in document.references}
    cited = dict.fromkeys(claim.source_key for claim in claims if claim.source_key not in listed)
    new = tuple(expansion.sources[key].reference for key in cited if key is not None)
    return document.model_copy(update={"references": (*document.references, *new)})
