"""Extract catalog items and their fields by rule from the sources of findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.catalog.candidate_merging import merge_candidates
from research.catalog.candidate_names import same_item
from research.material import SourceText
from research.memo.types import CatalogCandidate, FieldValue
from research.memo.worker_result import Finding
from research.questions.angles import phrases_of
from research.questions.catalog_fields import without_fields
from research.readers.rules.field_values import FieldReader
from research.readers.rules.item_kinds import kind_stems
from research.readers.rules.item_names import names_in
from research.readers.rules.name_scope import Stretch, stretches_of
from research.text import content_stems

#: Most candidates of one task; the memo keeps the best of all tasks.
MAX_CANDIDATES = 30
#: Words of the question, other than the kind, that a text on the subject must contain.
_ON_SUBJECT = 2


def extract_candidates(
    findings: Sequence[Finding],
    sources: Mapping[str, SourceText],
    required_fields: Sequence[str],
    query: str,
    language: str,
    *,
    known: Sequence[str] = (),
) -> list[CatalogCandidate]:
    """Return candidates with the field values in the sources, each with its sentence and whether it was verified.

    `sources` by citation key; if there are findings, only their sources are read. A name is a candidate if the
    sources identify it as the requested kind and mention it with the question's subject. `known`: names that
    earlier rounds found, for which every mention is used.
    """
    behind = {finding.source_key for finding in findings}
    read = {key: source for key, source in sources.items() if not behind or key in behind}
    kinds = kind_stems(query, language)
    subject = _subject(query, language, kinds)
    names = [*known, *names_in(read, kinds, query, language)]
    merged = [candidate.name for candidate in merge_candidates([CatalogCandidate(name) for name in names], ())]
    followed = {name for name in merged if any(same_item(name, one) for one in known)}
    stretches = stretches_of(merged, read)
    found = [
        _candidate(name, stretches[name], read, required_fields, subject)
        for name in merged
        if stretches.get(name) and (name in followed or _is_on_subject(stretches[name], read, subject))
    ]
    return merge_candidates(found, required_fields)[:MAX_CANDIDATES]


def _subject(query: str, language: str, kinds: frozenset[str]) -> frozenset[str]:
    """Return the question's stems, without those of the kind if the first phrase names the kind."""
    phrases = phrases_of(without_fields(query), language)
    stems = frozenset(content_stems(" ".join(phrases), language))
    return stems - kinds if kinds.intersection(content_stems(" ".join(phrases[:1]), language)) else stems


def _candidate(
    name: str,
    stretches: Sequence[Stretch],
    sources: Mapping[str, SourceText],
    required_fields: Sequence[str],
    subject: frozenset[str],
) -> CatalogCandidate:
    reader = FieldReader(name, stretches, sources, subject)
    values: dict[str, list[FieldValue]] = {
        field: told for field in required_fields if (told := reader.values(field))
    }
    addresses = values.get("provider_url", [])
    keys = dict.fromkeys(stretch.source_key for stretch in stretches if stretch.named)
    urls = dict.fromkeys(sources[key].reference.url for key in keys)
    return CatalogCandidate(
        name=name,
        provider_url=addresses[0].value if addresses else None,
        evidence_urls=[url for url in urls if url],
        values=values,
    )


def _is_on_subject(
    stretches: Sequence[Stretch], sources: Mapping[str, SourceText], subject: frozenset[str]
) -> bool:
    """Return whether a mention, or its source's title, shares a word with the question's subject.

    If the whole text is on the subject, all its mentions count.
    """
    if not subject:
        return True
    texts = {stretch.source_key for stretch in stretches if stretch.named}
    if any(_common(sources[key], subject) >= min(_ON_SUBJECT, len(subject)) for key in texts):
        return True
    for stretch in stretches:
        source = sources[stretch.source_key]
        if subject.intersection(content_stems(f"{source.reference.title} {stretch.sentence}", source.language)):
            return True
    return False


def _common(source: SourceText, subject: frozenset[str]) -> int:
    return len(subject.intersection(content_stems(source.text, source.language)))
