"""Find the sentences of sources, verbatim, that are about an issue's concept."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from research.material import SourceText
from research.memo.worker_result import Finding
from research.supervision.analysis.concepts import stems_by_sentence, stems_of
from research.supervision.types import Issue
from research.text import rank_sentences, split_sentences
from research.writing.fitness import is_statement

#: Fewest and most words of a sentence that can be quoted alone.
_SHORTEST, _LONGEST = 6, 90
_MOST_OF_A_SOURCE, _MOST = 4, 20
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")
#: A sentence must contain all of a term's stems up to this number; of a longer term, this share.
_NAME, _SHARE = 3, 0.6


def findings_for(issue: Issue, sources: Mapping[str, SourceText], found: Sequence[Finding]) -> list[Finding]:
    """Return findings for an issue, best first; may be empty. `found`: the researchers' findings for the issue."""
    if issue.issue_type == "thin_section" and not issue.foundational_concepts:
        # Researchers' findings are on the document's subject; these must be on the section's too.
        about = [one for one in found if one.source_key in sources and _names(issue, one, sources)]
    else:
        about = [finding for key, source in sorted(sources.items()) for finding in _about(issue, key, source)]
    ranked = sorted(about, key=lambda one: (-one.score, one.source_key, one.start_char))
    taken: dict[str, int] = defaultdict(int)
    chosen: list[Finding] = []
    for finding in ranked:
        taken[finding.source_key] += 1
        if taken[finding.source_key] <= _MOST_OF_A_SOURCE and len(chosen) < _MOST:
            chosen.append(finding)
    return chosen


def _names(issue: Issue, finding: Finding, sources: Mapping[str, SourceText]) -> bool:
    language = sources[finding.source_key].language
    stems = frozenset().union(*stems_by_sentence(finding.quote, language))
    return _stands(frozenset(stems_of(issue.topic, language)), stems)


def _about(issue: Issue, key: str, source: SourceText) -> list[Finding]:
    text, language = source.text, source.language
    terms = [stems_of(term, language) for term in (issue.topic, *issue.foundational_concepts)]
    wanted = [frozenset(stems) for stems in terms if stems]
    spans = [
        (start, end)
        for (start, end), stems in zip(
            split_sentences(text, language), stems_by_sentence(text, language), strict=True
        )
        if _SHORTEST <= len(text[start:end].split()) <= _LONGEST and any(_stands(one, stems) for one in wanted)
    ]
    # Without a self-contained sentence, any complete one is used, but not headings.
    whole = [(start, end) for start, end in spans if is_statement(text[start:end])]
    spans = whole or [(start, end) for start, end in spans if _ENDS.search(text[start:end])]
    if not spans:
        return []
    question = " ".join([issue.topic, *issue.foundational_concepts, issue.rationale])
    scores = rank_sentences(question, [text[start:end] for start, end in spans], language)
    return [
        Finding(key, text[start:end], start, end, _page_at(source, start), score=round(score, 4))
        for (start, end), score in zip(spans, scores, strict=True)
    ]


def _stands(term: frozenset[str], sentence: frozenset[str]) -> bool:
    needed = len(term) if len(term) <= _NAME else math.ceil(_SHARE * len(term))
    return len(term & sentence) >= needed


def _page_at(source: SourceText, position: int) -> int | None:
    return next(
        (passage.page_no for passage in source.passages if passage.start_char <= position < passage.end_char), None
    )
