"""Choose the findings that can close a gap: statements on it that the document does not have already."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from research.document import ReportDocument
from research.material import SourceText
from research.memo.worker_result import Finding
from research.readers.rules.statements import is_statement
from research.supervision.analysis.concepts import stems_by_sentence, stems_of
from research.supervision.plain_text import is_said, plain_of
from research.supervision.types import Issue
from research.text import split_sentences

_MOST_OF_A_SOURCE, _MOST = 4, 12
#: A sentence must contain all of a term's stems up to this number; of a longer term, this share.
_NAME, _SHARE = 3, 0.6


def usable(
    document: ReportDocument, issue: Issue, findings: Iterable[Finding], sources: Mapping[str, SourceText]
) -> list[Finding]:
    """Return the findings that can close the gap, in their order; may be empty."""
    said, taken, chosen = plain_of(document), Counter[str](), list[Finding]()
    for finding in findings:
        quote, source = " ".join(finding.quote.split()), sources[finding.source_key]
        if len(chosen) == _MOST or taken[finding.source_key] == _MOST_OF_A_SOURCE:
            continue
        if (
            not is_said(quote, said)
            and _states(quote, source.language)
            and _is_about(issue, quote, source.language)
        ):
            taken[finding.source_key] += 1
            chosen.append(finding)
            said = f"{said}\n{quote}"
    return chosen


def _states(quote: str, language: str) -> bool:
    """Return whether one of its sentences can be quoted by itself."""
    return any(is_statement(quote[start:end].strip()) for start, end in split_sentences(quote, language))


def _is_about(issue: Issue, quote: str, language: str) -> bool:
    """Return whether a sentence names the concept, if rules found the issue; what a model names is no term."""
    if issue.grounds is None:
        return True
    held = frozenset().union(*stems_by_sentence(quote, language))
    terms = (stems_of(term, language) for term in (issue.topic, *issue.foundational_concepts))
    return any(len(term & held) >= _needed(term) for term in terms if term)


def _needed(term: frozenset[str]) -> int:
    return len(term) if len(term) <= _NAME else math.ceil(_SHARE * len(term))
