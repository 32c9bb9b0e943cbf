"""Find the items of a catalog among the names on its pages, and what entries and plain sentences tell of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.catalog.candidate_merging import merge_candidates
from research.catalog.candidate_names import fuller_name, same_item, short_forms
from research.citations import verify_quote
from research.material import SourceText
from research.memo import CatalogCandidate, FieldValue
from research.readers.protocol import Asked, ReaderLog
from research.readers.rules.fields import Values, fields_told
from research.readers.rules.judging import chances_of, models
from research.readers.rules.left_out import reason_to_leave_out
from research.readers.rules.named import Named, named_in
from research.readers.rules.names import own_name
from research.readers.rules.overlaps import chosen
from research.readers.rules.sentences import said_of
from research.readers.rules.signs import Pages
from research.readers.rules.statements import speaks_to_machines

#: Most items of one call; the memo keeps the best of all.
MAX_ITEMS = 30
#: Most values of a field from one source.
_MOST_VALUES = 2


def items_of(
    asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate], log: ReaderLog
) -> list[CatalogCandidate]:
    """Return the likely items of the request that the pages name, with the values of their fields.

    Of a known name all is taken that an entry or a plain sentence says of it. What the page itself speaks against
    is left out, with the reason in the log.
    """
    pages = Pages.of(asked, sources)
    names = named_in(sources, pages.entries)
    likely = chosen(names, chances_of(names, pages, models()), models()["among"].threshold)
    found: list[CatalogCandidate] = []
    likely += [at for at, one in enumerate(names) if one.entries and at not in likely and _is_known(one, known)]
    for one in (names[at] for at in sorted(likely, key=lambda at: names[at].places[:1])):
        reasons = (reason_to_leave_out(entry, asked) for _, entry in one.entries)
        if reason := next(filter(None, reasons), ""):
            log.left_out.append((_name_of(one), reason))
        else:
            found += _told_by_entries(one, asked, sources)
    forms = short_forms(one.name for one in merge_candidates([*known, *found], ()))
    for key, source in sources.items():
        said = said_of(forms, source, asked.fields)
        found += [_candidate(name, told, key, source) for name, told in said.items()]
    return merge_candidates(found, asked.fields)[:MAX_ITEMS]


def _is_known(named: Named, known: Sequence[CatalogCandidate]) -> bool:
    return any(same_item(one.name, name) for one in known for name in named.names)


def _name_of(named: Named) -> str:
    """Return the form of a name that tells most."""
    name = named.names[0]
    for other in named.names[1:]:
        name = fuller_name(name, other)
    return name


def _told_by_entries(named: Named, asked: Asked, sources: Mapping[str, SourceText]) -> list[CatalogCandidate]:
    """Return the item once for each source that names it, with what its entries there tell."""
    name, found = _name_of(named), []
    for key in dict.fromkeys(place.source_key for place in named.places):
        entries = [entry for own, entry in named.entries if own == key]
        parts = [part for entry in entries for part in entry.parts if not speaks_to_machines(part.text)]
        found.append(_candidate(name, fields_told(name, parts, asked.fields), key, sources[key]))
    return found


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
