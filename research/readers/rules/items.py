"""Find the items of a catalog in tables, lists, headings and the plainest sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.catalog.candidate_merging import merge_candidates
from research.catalog.candidate_names import name_pattern, same_item, short_forms
from research.citations import verify_quote
from research.material import SourceText
from research.memo import CatalogCandidate, FieldValue
from research.questions.catalog_fields import without_fields
from research.readers.protocol import Asked, ReaderLog
from research.readers.rules.fields import Values
from research.readers.rules.listed import listed, own_name
from research.readers.rules.sentences import runs_others, said_of, things_of
from research.text import content_stems

#: Most items of one call; the memo keeps the best of all.
MAX_ITEMS = 30
#: Most values of a field from one source.
_MOST_VALUES = 2
#: Least number of fields that prose states of an item, where signs count like fields.
_SIGNS_OF_ONE = 3
#: Number of items named by several sources beside which those that one source names are left out.
_ENOUGH = 3


def items_of(
    asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate], log: ReaderLog
) -> list[CatalogCandidate]:
    """Return the items that pages on the subject list or state plainly, with the values of their fields.

    Of a known name all is taken that a plain sentence says of it. Items left out are in the log with the reason.
    """
    # Names of places and the like say nothing of the requested kind.
    plain = [word for word in without_fields(asked.query).split() if word.islower() or word.isupper()]
    subject = frozenset(content_stems(" ".join(plain), asked.language))
    found: list[CatalogCandidate] = []
    for key, source in sources.items():
        found += [_candidate(name, told, key, source) for name, told in listed(source, subject, asked, log)]
    found += _described(subject, asked, sources)
    found = [one for one in found if not any(same_item(one.name, name) for name, _ in log.left_out)]
    forms = short_forms(one.name for one in found)
    found = [replace(one, name=forms.get(one.name, one.name)) for one in found]
    forms = short_forms(one.name for one in merge_candidates([*known, *found], ()))
    for key, source in sources.items():
        said = said_of(forms, source, asked.fields)
        found += [_candidate(name, told, key, source) for name, told in said.items()]
    return _named_by_several(merge_candidates(found, asked.fields), sources, known)[:MAX_ITEMS]


def _named_by_several(
    found: Sequence[CatalogCandidate], sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate]
) -> list[CatalogCandidate]:
    """Return the items that a second source names, or that are known, if there are enough of them; else all.

    What stands in a single list is the likeliest to be of another kind, or closed.
    """
    patterns = [name_pattern(one.name) for one in found]
    times = [sum(pattern.search(source.text) is not None for source in sources.values()) for pattern in patterns]
    kept = [
        one
        for one, count in zip(found, times, strict=True)
        if count > 1 or any(same_item(one.name, other.name) for other in known)
    ]
    return kept if len(kept) >= _ENOUGH else [*found]


def _described(subject: frozenset[str], asked: Asked, sources: Mapping[str, SourceText]) -> list[CatalogCandidate]:
    """Return the things that prose names and states enough of."""
    signs: Counter[str] = Counter()
    for source in sources.values():
        signs |= things_of(source, subject)
    forms = {name: name for name in signs if not any(runs_others(name, one) for one in sources.values())}
    told = [
        _candidate(name, values, key, source)
        for key, source in sources.items()
        for name, values in said_of(forms, source, asked.fields).items()
    ]
    return [one for one in merge_candidates(told, ()) if len(one.values) + signs[one.name] > _SIGNS_OF_ONE]


def _candidate(name: str, told: Values, key: str, source: SourceText) -> CatalogCandidate:
    url, text = source.reference.url or "", {key: source.text}
    values = {
        field: [
            FieldValue(value, part.quote, key, url, verified=True)
            for value, part in of_one[:_MOST_VALUES]
            if verify_quote(part.quote, key, text).status == "verified"
        ]
        for field, of_one in told.items()
    }
    return CatalogCandidate(
        name=name,
        provider_url=url or None if same_item(name, own_name(source) or " ") else None,
        evidence_urls=[url] if url else [],
        values={field: of_one for field, of_one in values.items() if of_one},
    )
