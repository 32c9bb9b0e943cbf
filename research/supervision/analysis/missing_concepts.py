"""Find concepts that a document's sources rest on and that the document does not name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.messages import Message
from research.document import ReportDocument
from research.material import SourceText
from research.supervision.analysis.concepts import Term, concepts_of, stems_by_sentence, stems_of
from research.supervision.codes import RationaleCode
from research.supervision.outline import plain_of
from research.supervision.types import Issue, Severity

#: Least number of sources that a document is compared with.
LEAST_SOURCES = 2
#: Share of the sources from which an issue is significant; below, it is moderate.
_SIGNIFICANT = 0.3
#: Number of cited texts from which one must contain the concept; mentions from which a word is covered.
_SEVERAL = 3
_WORD = re.compile(r"[^\W\d_]+")


def missing_concepts(
    document: ReportDocument, sources: Mapping[str, SourceText], planned: Sequence[str] = ()
) -> list[Issue]:
    """Return issues: planned concepts first, then by weight.

    `sources`: those that the document cites and the library's on its subject; `planned`: concepts named in the
    plan, required independently of the sources.
    """
    language, text = document.language, f"{document.title}\n\n{plain_of(document)}"
    said = stems_by_sentence(text, language)
    own = [(key, source) for key, source in sorted(sources.items()) if source.language == language]
    cited = {reference.key for reference in document.references} & sources.keys()
    found = [
        _issue(term[:200], "significant", Message.of(RationaleCode.PLANNED_NOT_NAMED))
        for term in planned
        if not any(stems_of(term, language) <= sentence for sentence in said)
    ]
    for concept in concepts_of(own, language):
        # A concept that no cited source holds is of another subject.
        if (len(cited) < _SEVERAL or cited & concept.sources) and not _is_named(concept, text, said):
            count = len(concept.sources)
            severity: Severity = "significant" if count >= _SIGNIFICANT * len(own) else "moderate"
            grounds = Message.of(RationaleCode.CONCEPT_NOT_NAMED, naming=count, sources=len(own))
            section = _nearest(document, concept)
            found.append(_issue(concept.written, severity, grounds, section, document.title))
    return found


def _issue(topic: str, severity: Severity, grounds: Message, section: str = "", title: str = "") -> Issue:
    return Issue(
        topic=topic,
        section=section,
        issue_type="foundational_concepts",
        severity=severity,
        grounds=grounds,
        suggested_queries=(topic, f"{topic} {title}"[:200])[: 2 if title else 1],
        foundational_concepts=(topic,),
    )


def _is_named(concept: Term, text: str, said: Sequence[frozenset[str]]) -> bool:
    """Return whether the document names it; a single word must occur as the noun itself, or several times.

    That a child "was attached" does not name attachment.
    """
    count = sum(sentence >= concept.stems for sentence in said)
    if len(concept.stems) > 1 or count == 0 or count >= _SEVERAL:
        return count > 0
    nouns = {word.casefold().rstrip("s") for word in _WORD.findall(text)}
    return any(word.casefold().rstrip("s") in nouns for word in concept.written.split() if len(word) > 6)


def _nearest(document: ReportDocument, concept: Term) -> str:
    """Return the key of the section that cites the concept's sources most often, else of the longest."""
    cited = {
        section.key: (sum(section.body.count(f"[@{key}") for key in concept.sources), len(section.body))
        for section in document.sections
        if section.body.strip()
    }
    return max(cited, key=lambda key: cited[key], default="")
