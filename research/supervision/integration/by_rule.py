"""Integration without a model: verbatim sentences in an added passage; nothing else is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from core.messages import Message
from research.document import ReportDocument
from research.markdown_text import as_markdown
from research.memo.worker_result import Finding
from research.readers.shown import shown
from research.supervision.integration.placing import claim_book, with_paragraph, with_references
from research.supervision.types import Expansion, Integration, Issue
from research.writing.desk import ClaimBook, Sources

_LEAD = {"en": "On {topic}", "es": "Sobre {topic}"}
#: Most sentences of a passage.
_MOST = 3


def integrate(
    document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
) -> Integration | None:
    """See `SupervisionContext.integrate`. Deterministic, so that a refused result would be refused again."""
    book = claim_book(issue.topic, expansion.findings)
    said = " ".join(islice(_quoted(expansion, book), _MOST))
    if not said:
        return None
    lead = _LEAD[document.language].format(topic=as_markdown(issue.topic.rstrip(" .:;")))
    after = with_paragraph(document, issue.section, f"> **{lead}.** {said}")
    return Integration(with_references(after, expansion), book.all)


def _quoted(expansion: Expansion, book: ClaimBook) -> Iterator[str]:
    """Yield the findings that stand in a source, with their markers: the best of each source, then the second."""
    taken, turns, sources = Counter[str](), list[tuple[int, Finding]](), Sources(expansion.sources)
    for finding in expansion.findings:
        taken[finding.source_key] += 1
        turns.append((taken[finding.source_key], finding))
    for _, finding in sorted(turns, key=lambda turn: turn[0]):
        if place := sources.place(finding.quote, finding.source_key):
            quote = shown(place.quote)
            yield f"“{as_markdown(quote)}” {book.marker(quote, place)}"
