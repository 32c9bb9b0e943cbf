"""Candidates of a catalog: compare their names, and merge the results of several tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from research.memo import CatalogCandidate, FieldStatus, FieldValue
from research.questions.catalog_fields import group_of
from research.questions.wording import fold_words
from research.text.language import groups_of

_RANK = {FieldStatus.MISSING: 0, FieldStatus.PARTIAL: 1, FieldStatus.FOUND: 2}
#: Least number of candidates kept, if twice the target is less.
MIN_KEPT = 15


def merge_candidates(
    candidates: Iterable[CatalogCandidate], required_fields: Sequence[str]
) -> list[CatalogCandidate]:
    """Merge candidates by item, in order of first occurrence, and set the status of every required field."""
    merged: list[CatalogCandidate] = []
    for candidate in candidates:
        if not candidate.name.strip():
            continue
        place = next((n for n, known in enumerate(merged) if same_item(known.name, candidate.name)), None)
        if place is None:
            merged.append(candidate)
        else:
            merged[place] = _joined(merged[place], candidate)
    statuses = ({field: status_of(one, field) for field in required_fields} for one in merged)
    return [replace(one, fields=one.fields | fields) for one, fields in zip(merged, statuses, strict=True)]


def best_candidates(candidates: Sequence[CatalogCandidate], target: int) -> list[CatalogCandidate]:
    """Return the candidates with the most known fields, twice the target but at least 15, in their order."""
    known = [sum(_RANK[status] for status in one.fields.values()) for one in candidates]
    ranked = sorted(range(len(candidates)), key=lambda n: -known[n])[: max(MIN_KEPT, 2 * target)]
    return [candidates[n] for n in sorted(ranked)]


def status_of(candidate: CatalogCandidate, field: str) -> FieldStatus:
    """Return a field's status: found with a verified quotation, partial with only a value, else missing.

    Without values, the status is the one recorded on the candidate, under any equivalent name.
    """
    if field == "name":
        return FieldStatus.FOUND
    if values := field_values(candidate, field):
        return FieldStatus.FOUND if any(is_proven(value) for value in values) else FieldStatus.PARTIAL
    if field == "provider_url" and candidate.provider_url:
        return FieldStatus.FOUND
    recorded = [status for name, status in candidate.fields.items() if group_of(name) == group_of(field)]
    return max(recorded, key=_RANK.__getitem__, default=FieldStatus.MISSING)


def field_values(candidate: CatalogCandidate, field: str) -> list[FieldValue]:
    """Return the values of a field, under any equivalent name."""
    wanted = group_of(field)
    return [value for name, values in candidate.values.items() if group_of(name) == wanted for value in values]


def is_proven(value: FieldValue) -> bool:
    """Return whether the value's quotation was verified in a source."""
    return value.verified and bool(value.quote.strip()) and bool(value.source_key)


def field_evidence(candidate: CatalogCandidate, field: str) -> list[str]:
    """Return ids of a field's evidence: sources, else URLs; empty if there is none."""
    values = field_values(candidate, field)
    ids = [value.source_key for value in values if is_proven(value)]
    if not values and status_of(candidate, field) == FieldStatus.FOUND:
        ids = [candidate.provider_url or "" if field == "provider_url" else "", *candidate.evidence_urls]
    return list(dict.fromkeys(filter(None, ids)))


def _joined(known: CatalogCandidate, found: CatalogCandidate) -> CatalogCandidate:
    missing = FieldStatus.MISSING
    return replace(
        known,
        name=fuller_name(known.name, found.name),
        provider_url=known.provider_url or found.provider_url,
        fields={
            name: max(known.fields.get(name, missing), found.fields.get(name, missing), key=_RANK.__getitem__)
            for name in known.fields | found.fields
        },
        evidence_urls=list(dict.fromkeys([*known.evidence_urls, *found.evidence_urls])),
        values=known.values
        | {name: _distinct([*known.values.get(name, []), *of_one]) for name, of_one in found.values.items()},
    )


def _distinct(values: Iterable[FieldValue]) -> list[FieldValue]:
    """Return each value once, verified ones first."""
    kept: dict[tuple[str, str], FieldValue] = {}
    for value in sorted(values, key=lambda value: not is_proven(value)):
        kept.setdefault((value.source_key, " ".join(value.value.casefold().split())), value)
    return list(kept.values())


# Decide whether two names denote the same item, so that a catalog has one row per item.


#: Articles, legal forms, and words for kinds of things that a name may omit, in sets of synonyms.
_ARTICLES, _LEGAL, *_KINDS = groups_of("item_names")
_KIND_OF = {word: kinds for kinds in _KINDS for word in kinds}
_ACRONYM = re.compile(r"[(\[]\s*([A-Z][A-Z0-9&.-]{1,9})\s*[)\]]")
#: Begins an addition to the name: "The Lending Barn, Upper Drayle", "The Brass Cupboard (Ferrow Silver Band)".
_BESIDE = re.compile(r",\s|\s\(")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[+#&]")


@dataclass(frozen=True, slots=True)
class ItemName:
    """The parts of a name."""

    #: Its folded words without article, legal form, kind, and text after a comma or in brackets.
    core: tuple[str, ...]
    #: The words for the kind of thing in it ("programme"); may be empty.
    kind: frozenset[str]
    #: The folded acronym in brackets, "" if none.
    acronym: str
    #: The folded words after a comma or in brackets, often a place.
    beside: tuple[str, ...]
    #: Whether it begins with a definite article.
    has_article: bool


@lru_cache(maxsize=4096)
def item_name(name: str) -> ItemName:
    """Split a name into the parts that distinguish items."""
    found = _ACRONYM.search(name)
    bare = _ACRONYM.sub(" ", name) if found else name
    aside = _BESIDE.search(bare)
    main = bare[: aside.start()] if aside and _WORD.search(bare[: aside.start()]) else bare
    words = [fold_words(word) for word in _WORD.findall(main)]
    has_article = len(words) > 1 and words[0] in _ARTICLES
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _LEGAL:
        words = words[:-1]
    core, kind = _without_kind(words)
    beside = tuple(word for word in map(fold_words, _WORD.findall(bare[len(main) :])) if word not in _LEGAL)
    return ItemName(tuple(core), kind, fold_words(found[1]).replace(".", "") if found else "", beside, has_article)


def same_item(one: str, other: str) -> bool:
    """Return whether two names denote one item: "The Harbour Programme", "Harbour"; "Open Doors (OD)", "OD"."""
    first, second = item_name(one), item_name(other)
    if not first.core or not second.core:
        return one.strip() == other.strip()
    if any(
        mine and its and mine != its
        for mine, its in ((first.acronym, second.acronym), (first.beside, second.beside))
    ):
        return False
    if first.core == second.core:
        return not first.kind or not second.kind or first.kind == second.kind
    return _stands_for(first, second) or _stands_for(second, first)


def fuller_name(one: str, other: str) -> str:
    """Return the more informative of two names of one item; the first if equal."""
    return max(one, other, key=_told)


def folded_name(name: str) -> str:
    """Return the normalised form of a name."""
    return " ".join(item_name(name).core) or name.strip().casefold()


@lru_cache(maxsize=256)
def name_pattern(words: str) -> re.Pattern[str]:
    """Match a name as a whole, in any case, with any white space, apostrophes and hyphens."""
    escaped = r"\s+".join(map(re.escape, words.split()))
    loose = re.sub(r"['’‘]", "['’‘]", re.sub(r"\\-|[‐–]", "[-‐–]", escaped))
    return re.compile(rf"(?<!\w){loose}(?!\w)", re.IGNORECASE)


def _told(name: str) -> tuple[bool, bool, bool]:
    parts = item_name(name)
    return bool(parts.acronym), len(parts.core) > 1 or len("".join(parts.core)) > 6, not name.isupper()


def _stands_for(short: ItemName, whole: ItemName) -> bool:
    """Return whether a name is the other's acronym, or an article with its first or last word: "the Barn"."""
    if len(short.core) != 1 or short.beside:
        return False
    if whole.acronym and short.core[0] == whole.acronym:
        return True
    return (
        short.has_article
        and len(whole.core) > 1
        and short.core[0] in {whole.core[0], whole.core[-1]}
        and short.core[0] not in _KIND_OF
    )


def _without_kind(words: list[str]) -> tuple[list[str], frozenset[str]]:
    if len(words) > 1 and words[-1] in _KIND_OF:
        return words[:-1], _KIND_OF[words[-1]]
    # In Spanish the kind comes first: "Programa Manos Abiertas".
    if len(words) > 1 and words[0] in _KIND_OF:
        rest = words[1:]
        while len(rest) > 1 and rest[0] in {"de", "del", "of", *_ARTICLES}:
            rest = rest[1:]
        return rest, _KIND_OF[words[0]]
    return words, frozenset()
