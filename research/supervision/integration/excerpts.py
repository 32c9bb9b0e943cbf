"""Show findings to a model so that each can be understood by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.memo.worker_result import Finding
from research.readers.model.passages import plain as as_data
from research.supervision.loop.context import Expansion
from research.text import split_sentences

#: Characters before an excerpt in which the sentence before it is looked for.
_BEFORE = 600


@dataclass(frozen=True)
class Excerpt:
    """A finding under a short name, with what a reader must know of its source."""

    #: "e1", "e2".
    name: str
    #: Citation key of the source.
    key: str
    words: str
    #: Title, publisher and year.
    source: str
    #: The sentence before it in the source; "" at the beginning of a paragraph.
    before: str


def excerpts_of(expansion: Expansion) -> list[Excerpt]:
    """Return an excerpt per finding, best first."""
    return [
        _excerpt(f"e{number}", finding, expansion) for number, finding in enumerate(expansion.findings, start=1)
    ]


def shown(excerpt: Excerpt) -> str:
    """Return an excerpt as a model gets it."""
    about = re.sub(r'[<>"]', " ", excerpt.source)
    before = f"[before: {as_data(excerpt.before)}] " if excerpt.before else ""
    return f'<{excerpt.name} source="{about}">{before}{as_data(excerpt.words)}</{excerpt.name}>'


def _excerpt(name: str, finding: Finding, expansion: Expansion) -> Excerpt:
    source = expansion.sources[finding.source_key]
    reference = source.reference
    told = (reference.title, reference.publisher or source.domain, str(reference.year or ""))
    before = source.text[max(0, finding.start_char - _BEFORE) : finding.start_char].rpartition("\n\n")[2]
    spans = split_sentences(before, source.language)
    return Excerpt(
        name=name,
        key=finding.source_key,
        words=" ".join(finding.quote.split()),
        source=", ".join(one for one in told if one),
        before=" ".join(before[slice(*spans[-1])].split()) if spans else "",
    )
