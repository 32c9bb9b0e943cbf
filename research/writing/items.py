"""Collect the items of a catalog, with the values that sources prove for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from research.catalog.candidate_merging import merge_candidates, values_of
from research.catalog.candidate_names import same_item
from research.citations import canonical_url
from research.citations.quantities import quantities_in
from research.config import Language
from research.memo import CatalogCandidate, CatalogMemo, FieldValue
from research.text import content_stems
from research.writing.desk import Desk
from research.writing.places import Place

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
    url: str | None
    #: Where a source's text gives the URL; None if the source itself is the page.
    url_told: Proven | None
    #: Key of the source that gives or is the URL; empty if `url` is None.
    url_from: str
    fields: Mapping[str, Sequence[Proven]]
    #: Fields with values of which none is proven.
    unproven: tuple[str, ...] = ()

    def has(self, field: str) -> bool:
        """Return whether the field has a value."""
        return bool(self.url) if field == "provider_url" else bool(self.fields.get(field))


def items_of(desk: Desk) -> list[Item]:
    """Return the items that a source names and that have a value, most complete first, at most the count.

    Quotations that stand in no source are recorded as fabricated.
    """
    candidates = [item for one in _candidates(desk) if (item := _item(one, desk))]
    shown = [_with_different_values(one, desk.language) for one in candidates]
    items = [item for item in shown if any(map(item.has, desk.asked.fields))]
    ordered = sorted(items, key=lambda item: (-sum(map(item.has, desk.asked.fields)), -len(_keys(item))))
    return ordered[: desk.asked.count]


def _keys(item: Item) -> set[str]:
    return {value.place.key for values in item.fields.values() for value in values}


def _candidates(desk: Desk) -> Sequence[CatalogCandidate]:
    if isinstance(desk.material.memo, CatalogMemo):
        return desk.material.memo.candidates
    return merge_candidates((c for r in desk.material.results for c in r.candidates), desk.asked.fields)


def _item(candidate: CatalogCandidate, desk: Desk) -> Item | None:
    """Return the item with every value whose quotation stands in a source; None if no source names it."""
    naming = {key: count for key, text in desk.sources.texts.items() if (count := _mentions(candidate.name, text))}
    if not naming:
        return None
    found: dict[str, list[Proven]] = {}
    unproven = []
    for name in desk.asked.fields:
        if name == "provider_url":
            continue
        values = values_of(candidate, name)
        found[name] = [known for value in values if (known := _located(value, desk))]
        unproven += [name] if values and not found[name] else []
    told = {value.place.key for values in found.values() for value in values}
    named = _verbatim(candidate.name, max(naming, key=lambda key: (key in told, naming[key])), desk)
    if named is None:
        return None
    url, url_from = _address(candidate, desk)
    url_told = _verbatim(_bare(url), url_from, desk) if url else None
    return Item(" ".join(candidate.name.split()), named, url, url_told, url_from, found, tuple(unproven))


def _with_different_values(item: Item, language: Language) -> Item:
    """Keep what a row shows; `read_items` has asked whether the quotations say the values of the item."""
    told = {field: _different(held, language) for field, held in item.fields.items() if held}
    return replace(item, fields=told)


def _different(values: Sequence[Proven], language: Language) -> list[Proven]:
    """Return the best value, what adds to it, and the best of another source that gives other figures for it."""
    first, *rest = values
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
    """Locate the value's quotation, or without one the value, in the sources; None if it is in none."""
    claimed = value.source_key or _key_of(value.url, desk)
    quote = value.quote if value.quote.strip() else value.value
    place = desk.sources.place(quote, claimed)
    if place is None:
        if value.quote.strip():
            desk.book.fabricated(value.value, value.quote, value.source_key or None)
        return None
    told = value.value if value.value.strip() else place.quote
    place = place if claimed else replace(place, claimed=place.key)
    return Proven(" ".join(told.split()), place, value.adds)


def _verbatim(words: str, key: str, desk: Desk) -> Proven | None:
    """Locate a name or URL in a source, ignoring white space and case; None if it is absent."""
    found = _pattern(words).search(desk.sources.texts[key]) if words.strip() else None
    return Proven(" ".join(words.split()), desk.sources.at(key, *found.span())) if found else None


def _address(candidate: CatalogCandidate, desk: Desk) -> tuple[str | None, str]:
    """Return the item's URL and the key of the source that gives or is it; (None, "") without one."""
    told = [value.value.strip() for value in values_of(candidate, "provider_url")]
    for url in dict.fromkeys([candidate.provider_url or "", *told]):
        if url and (key := _key_of(url, desk)):
            return url, key
        bare = _bare(url)
        if bare and (key := next((key for key, text in desk.sources.texts.items() if bare in text), "")):
            return url, key
    for key, source in desk.sources.by_key.items():
        if (
            source.reference.url
            and source.reference.kind == "web"
            and _is_titled(source.reference.title, candidate)
        ):
            return source.reference.url, key
    return None, ""


def _is_titled(title: str, candidate: CatalogCandidate) -> bool:
    """Return whether a page is the item's own: its title begins with the name and little else before a colon."""
    head = _TITLE_END.split(title, maxsplit=1)[0].split()
    name = candidate.name.split()
    return len(head) <= len(name) + _MORE_WORDS and any(
        same_item(candidate.name, " ".join(head[:length])) for length in range(len(name), len(head) + 1)
    )


def _bare(url: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|/$", "", url)


def _key_of(url: str | None, desk: Desk) -> str:
    wanted = canonical_url(url) if url else ""
    own = ((key, source.reference.url) for key, source in desk.sources.by_key.items())
    return next((key for key, known in own if wanted and known and canonical_url(known) == wanted), "")


def _mentions(name: str, text: str) -> int:
    return len(_pattern(name).findall(text)) if name.strip() else 0


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    """Match the words as a whole, with any white space, apostrophes and hyphens."""
    escaped = r"\s+".join(map(re.escape, words.split()))
    loose = re.sub(r"['’‘]", "['’‘]", re.sub(r"\\-|[‐–]", "[-‐–]", escaped))
    return re.compile(rf"(?<!\w){loose}(?!\w)", re.IGNORECASE)
