"""Collect the items of a catalog, with the values that sources prove for each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from research.catalog.candidate_merging import merge_candidates, values_of
from research.citations import canonical_url, verify_quote
from research.material import ReportMaterial
from research.memo import CatalogCandidate, CatalogMemo, FieldValue
from research.questions.catalog_fields import required_fields_of
from research.writing.evidence import page_of, texts_of

_QUOTES = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
#: Most quotations shown for one field.
_MAX_VALUES = 2
_DEFAULT_ITEMS = 5


@dataclass(frozen=True)
class Proven:
    """A value and the quotation that supports it: `source text[start:end]`."""

    value: str
    quote: str
    #: Key of the source that was given for it.
    claimed: str
    key: str
    start: int
    end: int
    page_no: int | None


@dataclass(frozen=True)
class Item:
    """An item, and for each field its proven values, best first."""

    name: str
    #: Where a source names the item.
    named: Proven
    url: str | None
    #: Where a source's text gives the URL; None if the source itself is the page.
    url_told: Proven | None
    #: Key of the source that gives or is the URL; empty if `url` is None.
    url_from: str
    fields: Mapping[str, Sequence[Proven]]
    #: Fields with values of which none occurs in a source.
    unproven: tuple[str, ...] = ()
    fabricated: tuple[FieldValue, ...] = field(default=())


def wanted_fields(material: ReportMaterial) -> list[str]:
    """Return the required fields except the name."""
    memo = material.memo
    wanted = memo.required_fields if isinstance(memo, CatalogMemo) and memo.required_fields else None
    return [name for name in wanted or required_fields_of(material.query) if name != "name"]


def wanted_items(material: ReportMaterial) -> int:
    """Return the number of requested items."""
    memo = material.memo
    asked = memo.target_items if isinstance(memo, CatalogMemo) else None
    return material.config.catalog_target_items or asked or _DEFAULT_ITEMS


def items_of(material: ReportMaterial) -> list[Item]:
    """Return the items that a source names and that have a proven value, most complete first."""
    texts, fields = texts_of(material.sources), wanted_fields(material)
    items = [item for one in _candidates(material) if (item := _item(one, fields, material, texts))]
    known = [item for item in items if item.url or any(item.fields.values())]
    return sorted(known, key=lambda item: (-_complete(item), -len(_keys(item))))


def _complete(item: Item) -> int:
    return sum(bool(values) for values in item.fields.values()) + bool(item.url)


def _keys(item: Item) -> set[str]:
    return {value.key for values in item.fields.values() for value in values}


def _candidates(material: ReportMaterial) -> Sequence[CatalogCandidate]:
    if isinstance(material.memo, CatalogMemo):
        return material.memo.candidates
    return merge_candidates((c for result in material.results for c in result.candidates), wanted_fields(material))


def _item(
    candidate: CatalogCandidate, fields: Sequence[str], material: ReportMaterial, texts: Mapping[str, str]
) -> Item | None:
    naming = {key: count for key, text in texts.items() if (count := _mentions(candidate.name, text))}
    if not naming:
        return None
    proven: dict[str, list[Proven]] = {}
    unproven: list[str] = []
    fabricated: list[FieldValue] = []
    for name in fields:
        if name == "provider_url":
            continue
        values = values_of(candidate, name)
        checked = [(value, _proven(value, material, texts)) for value in values]
        proven[name] = _distinct([found for _, found in checked if found])[:_MAX_VALUES]
        fabricated += [value for value, found in checked if found is None and value.quote.strip()]
        unproven += [name] if values and not proven[name] else []
    told = {value.key for values in proven.values() for value in values}
    named_in = max(naming, key=lambda key: (key in told, naming[key]))
    named = _verbatim(candidate.name, named_in, material)
    if named is None:
        return None
    url, url_from = _address(candidate, material, texts)
    url_told = _verbatim(_bare(url), url_from, material) if url else None
    name = " ".join(candidate.name.split())
    return Item(name, named, url, url_told, url_from, proven, tuple(unproven), tuple(fabricated))


def _verbatim(words: str, key: str, material: ReportMaterial) -> Proven | None:
    """Locate a name or URL in a source, ignoring white space and case; None if it is absent."""
    source = material.sources[key]
    found = _pattern(words).search(source.text) if words.strip() else None
    if found is None:
        return None
    page_no = page_of(source, found.start())
    return Proven(" ".join(words.split()), found[0], key, key, found.start(), found.end(), page_no)


def _proven(value: FieldValue, material: ReportMaterial, texts: Mapping[str, str]) -> Proven | None:
    """Locate the value's quotation, or without one the value, in the sources; None if it is in none.

    Earlier verifications of the value are not relied on.
    """
    quote = value.quote if value.quote.strip() else value.value
    if not quote.strip():
        return None
    claimed = value.source_key or _key_of(value.url, material)
    verdict = verify_quote(quote, claimed, texts)
    if verdict.source_id is None or verdict.start is None or verdict.end is None:
        return None
    key, start, end = verdict.source_id, verdict.start, verdict.end
    found = texts[key][start:end]
    shown = value.value if value.value.strip() and _folded(value.value) in _folded(found) else found
    page_no = page_of(material.sources[key], start)
    return Proven(" ".join(shown.split()), found, claimed or key, key, start, end, page_no)


def _address(
    candidate: CatalogCandidate, material: ReportMaterial, texts: Mapping[str, str]
) -> tuple[str | None, str]:
    """Return the item's URL and the key of the source that gives or is it; (None, "") without one."""
    told = [value.value.strip() for value in values_of(candidate, "provider_url")]
    for url in dict.fromkeys([candidate.provider_url or "", *told]):
        if not url:
            continue
        if key := _key_of(url, material):
            return url, key
        bare = _bare(url)
        if bare and (key := next((key for key, text in texts.items() if bare in text), "")):
            return url, key
    return None, ""


def _bare(url: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|/$", "", url)


def _key_of(url: str | None, material: ReportMaterial) -> str:
    if not url:
        return ""
    wanted = canonical_url(url)
    keys = (k for k, s in material.sources.items() if s.reference.url and canonical_url(s.reference.url) == wanted)
    return next(keys, "")


def _mentions(name: str, text: str) -> int:
    return len(_pattern(name).findall(text)) if name.strip() else 0


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    """Match the words as a whole, with any white space, apostrophes and hyphens."""
    escaped = r"\s+".join(map(re.escape, words.split()))
    loose = re.sub(r"['’‘]", "['’‘]", re.sub(r"\\-|[‐–]", "[-‐–]", escaped))
    return re.compile(rf"(?<!\w){loose}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)
    return " ".join(plain.split())


def _distinct(values: Sequence[Proven]) -> list[Proven]:
    """Drop values whose quotation overlaps that of an earlier one."""
    kept: list[Proven] = []
    for value in values:
        if not any(value.key == one.key and value.start < one.end and one.start < value.end for one in kept):
            kept.append(value)
    return kept
