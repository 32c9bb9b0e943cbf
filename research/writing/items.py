"""Collect the items of a catalog, with the values that sources prove for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from research.catalog.candidate_merging import values_of
from research.catalog.candidate_names import name_pattern, same_item
from research.citations import canonical_url
from research.citations.quantities import quantities_in
from research.config import Language
from research.markdown_text.parsing import safe_url
from research.material import SourceText
from research.memo import CatalogCandidate, FieldStatus, FieldValue
from research.memo.worker_result import Finding
from research.readers.quoted import in_whole_sentences
from research.text import content_stems
from research.writing.desk import Desk, Place

#: The field of the item's own page; its value is proved by the page, or by a text that gives its address.
ADDRESS = "provider_url"
#: What ends the name in a page's title, and most words of its first part besides the name ("at School").
_TITLE_END = re.compile(r"[:|–—]|\s-\s")
_MORE_WORDS = 2
#: Most values of a field of an item, without one that contradicts them.
_MOST_VALUES = 4


@dataclass(frozen=True)
class Proven:
    """A value and the quotation that supports it."""

    value: str
    place: Place
    #: Whether it completes the values before it; otherwise it is the best of its field, or contradicts that.
    adds: bool = False


@dataclass(frozen=True)
class Item:
    """An item, and for each field its best value with what adds to it, then one that contradicts it."""

    name: str
    #: Where a source names the item.
    named: Proven
    fields: Mapping[str, Sequence[Proven]]
    #: Fields with values of which none is proven.
    unproven: tuple[str, ...] = ()


def items_of(candidates: Sequence[CatalogCandidate], desk: Desk) -> list[Item]:
    """Return the items that a source names and that have a value, most complete first, at most the count.

    Quotations that stand in no source are recorded as fabricated.
    """
    items = [item for one in candidates if (item := _item(one, desk)) and item.fields]
    return sorted(items, key=_completeness, reverse=True)[: desk.asked.count]


def as_candidate(item: Item) -> CatalogCandidate:
    """Return the item as a memo has it: the values that are shown, and what has no proven one."""
    values = {
        field: [
            FieldValue(one.value, one.place.quote, one.place.key, verified=True, adds=one.adds) for one in told
        ]
        for field, told in item.fields.items()
    }
    return CatalogCandidate(item.name, fields=dict.fromkeys(item.unproven, FieldStatus.PARTIAL), values=values)


def evidence_for(items: Sequence[Item], sources: Mapping[str, SourceText]) -> list[Finding]:
    """Return the sentences that prove the items' values, without those of their addresses."""
    told = [
        one.place for item in items for field, of_one in item.fields.items() if field != ADDRESS for one in of_one
    ]
    found = (Finding(one.key, one.quote, one.start, one.end, one.page_no, score=1.0) for one in told)
    return [in_whole_sentences(one, sources) for one in found]


def _completeness(item: Item) -> tuple[int, int]:
    """Return the numbers of fields and of their sources."""
    told = {one.place.key for field, values in item.fields.items() if field != ADDRESS for one in values}
    return len(item.fields), len(told)


def _item(candidate: CatalogCandidate, desk: Desk) -> Item | None:
    """Return the item with every value whose quotation stands in a source; None if no source names it."""
    pattern = name_pattern(candidate.name)
    naming = {key: count for key, text in desk.sources.texts.items() if (count := len(pattern.findall(text)))}
    if not naming:
        return None
    found: dict[str, Sequence[Proven]] = {}
    unproven = []
    for field in desk.asked.fields:
        values = values_of(candidate, field) if field != ADDRESS else []
        if proven := [known for value in values if (known := _located(value, desk))]:
            found[field] = _different(proven, desk.language)
        elif values:
            unproven.append(field)
    told = {value.place.key for values in found.values() for value in values}
    named = _verbatim(candidate.name, max(naming, key=lambda key: (key in told, naming[key])), desk)
    if named is None:
        return None
    if ADDRESS in desk.asked.fields and (own := next(_addresses(candidate, desk), None)):
        found[ADDRESS] = [own]
    return Item(named.value, named, found, tuple(unproven))


def _different(values: Sequence[Proven], language: Language) -> list[Proven]:
    """Return the best value, what adds to it, and the best of another source that gives other figures for it.

    Whether their quotations say them of the item was asked when they were read.
    """
    first, *rest = values
    # What another source adds to its own value does not complete the first one.
    apart = {one.place.key for one in rest if not one.adds} - {first.place.key}
    rest = [one for one in rest if not (one.adds and one.place.key in apart)]
    kept = [replace(first, adds=False)]
    for one in rest:
        told = {stem for known in kept for stem in content_stems(known.value, language)}
        if one.adds and len(kept) < _MOST_VALUES and not told.issuperset(content_stems(one.value, language)):
            kept.append(one)
    figures = quantities_in("; ".join(one.value for one in kept))
    for other in rest:
        others = quantities_in(other.value)
        differs = figures and others and not any(one.is_in(others) for one in figures)
        if differs and not other.adds and other.place.key != first.place.key:
            return [*kept, other]
    return kept


def _located(value: FieldValue, desk: Desk) -> Proven | None:
    """Locate the value's quotation in the sources; None if it is in none."""
    place = desk.sources.place(value.quote, value.source_key)
    if place is None:
        desk.book.fabricated(value.value, value.quote, value.source_key)
        return None
    return Proven(" ".join((value.value.strip() or place.quote).split()), place, value.adds)


def _verbatim(words: str, key: str, desk: Desk) -> Proven | None:
    """Locate a name or URL in a source, ignoring white space and case; None if it is absent."""
    found = name_pattern(words).search(desk.sources.texts[key]) if words.strip() else None
    return Proven(" ".join(words.split()), desk.sources.at(key, *found.span())) if found else None


def _addresses(candidate: CatalogCandidate, desk: Desk) -> Iterator[Proven]:
    """Yield the item's URLs, each with its place in a text, or that of the name on the page itself."""
    urls = {key: source.reference.url or "" for key, source in desk.sources.by_key.items()}
    told = [candidate.provider_url or "", *(value.value.strip() for value in values_of(candidate, ADDRESS))]
    for url in filter(safe_url, dict.fromkeys(told)):
        pages = [key for key, known in urls.items() if known and canonical_url(known) == canonical_url(url)]
        bare = re.sub(r"^https?://(?:www\.)?|/$", "", url)
        places = [(candidate.name, key) for key in pages[:1]] + [(bare, key) for key in urls]
        if proof := next(filter(None, (_verbatim(words, key, desk) for words, key in places)), None):
            yield replace(proof, value=url)
    for key, source in desk.sources.by_key.items():
        is_own = source.reference.kind == "web" and _is_titled(source.reference.title, candidate)
        if is_own and safe_url(urls[key]) and (own := _verbatim(candidate.name, key, desk)):
            yield replace(own, value=urls[key])


def _is_titled(title: str, candidate: CatalogCandidate) -> bool:
    """Return whether a page is the item's own: its title begins with the name and little else before a colon."""
    head = _TITLE_END.split(title, maxsplit=1)[0].split()
    name = candidate.name.split()
    return len(head) <= len(name) + _MORE_WORDS and any(
        same_item(candidate.name, " ".join(head[:length])) for length in range(len(name), len(head) + 1)
    )
