"""Items of a catalog, read by rule from the sources behind the findings: names of a kind, and their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.angles import phrases_of
from research.candidate_merging import merge_candidates
from research.candidate_names import same_item
from research.catalog_fields import without_fields
from research.field_values import FieldReader
from research.item_kinds import kind_stems
from research.item_names import names_in
from research.material import SourceText
from research.memo_types import CatalogCandidate, FieldValue
from research.name_scope import Stretch, stretches_of
from research.text import content_stems
from research.worker_result import Finding

#: Of one task; the memo keeps the best of all.
MAX_CANDIDATES = 30
#: Words of the question, beside the kind, in a text that is on it.
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
    """Candidates with every field that a source tells, each value with its sentence and whether that was found.

    `sources` by citation key; with findings, only those that a finding stands in are read. A name is a candidate
    if the sources say that it is of the kind asked for, and say something on the question with it. `known` are the
    names that earlier rounds found: of them all is taken that is said, however little.
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
    """What is asked beside the kind; "bancos de herramientas" are no tools, but what they are about is."""
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
    """Whether anything said of it, or a title above it, has a word with the question in common beside the kind.

    Of a text that is on the question all is, though it may not say so with every name.
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
