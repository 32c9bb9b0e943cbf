"""Research of one gap in the library alone: the sentences of its documents that answer the issue's questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from research.document import ReportDocument
from research.material import SourceText
from research.memo.worker_result import Finding
from research.supervision.analysis.related_sources import Search
from research.supervision.loop.context import Expansion
from research.supervision.tiers import Depth
from research.supervision.types import Issue
from research.text import rank_sentences, split_sentences

#: Sources looked through for one question, sentences of each, and how far a sentence must answer it.
_SOURCES, _SENTENCES, _LEAST = 8, 2, 0.5


@dataclass
class LibraryExpander:
    """See `Expander`."""

    search: Search
    _brought: dict[int, Expansion] = field(default_factory=dict)

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `Expander.expand`."""
        found: dict[str, SourceText] = {}
        for question in issue.suggested_queries:
            found.update(self.search(question)[:_SOURCES])
        findings = [finding for key, source in found.items() for finding in _findings(issue.topic, key, source)]
        keys = {finding.source_key for finding in findings}
        self._brought[iteration] = Expansion(tuple(findings), {key: found[key] for key in sorted(keys)})
        return self._brought[iteration]

    def recall(self, iteration: int, source_keys: Sequence[str]) -> Expansion:
        """See `Expander.recall`."""
        return self._brought[iteration]


def _findings(topic: str, key: str, source: SourceText) -> Iterator[Finding]:
    text = source.text
    spans = split_sentences(text, source.language)
    scores = rank_sentences(topic, [text[start:end] for start, end in spans], source.language)
    best = sorted(zip(scores, spans, strict=True), key=lambda one: (-one[0], one[1]))[:_SENTENCES]
    for score, (start, end) in best:
        if score >= _LEAST:
            yield Finding(key, text[start:end], start, end, score=score)
