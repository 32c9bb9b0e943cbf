"""Decide whether two names denote the same item, so that a catalog has one row per item."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from research.questions.wording import fold
from research.words import groups_of

#: Articles, legal forms, and words for kinds of things that a name may omit, in sets of synonyms.
_ARTICLES, _LEGAL, *_KINDS = groups_of("item_names")
_KIND_OF = {word: kinds for kinds in _KINDS for word in kinds}
_ACRONYM = re.compile(r"[(\[]\s*([A-Z][A-Z0-9&.-]{1,9})\s*[)\]]")
#: What follows the name proper: "The Lending Barn, Upper Drayle", "The Brass Cupboard (Ferrow Silver Band)".
_BESIDE = re.compile(r",\s|\s\(")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[+#&]")


@dataclass(frozen=True, slots=True)
class ItemName:
    """The parts of a name."""

    #: Its folded words without article, legal form, kind and what follows a comma or stands in brackets.
    core: tuple[str, ...]
    #: The words for the kind that it names ("programme"), none if it does not.
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
    words = [fold(word) for word in _WORD.findall(main)]
    has_article = len(words) > 1 and words[0] in _ARTICLES
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _LEGAL:
        words = words[:-1]
    core, kind = _without_kind(words)
    beside = tuple(word for word in map(fold, _WORD.findall(bare[len(main) :])) if word not in _LEGAL)
    return ItemName(tuple(core), kind, fold(found[1]).replace(".", "") if found else "", beside, has_article)


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
