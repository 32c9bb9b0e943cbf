"""Decide whether two names denote the same item, so that a catalog has one row per item."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from research.questions.wording import fold
from research.words import groups_of

#: Articles, legal forms, words after a name that make it another item ("BrightVan Plus"), and words for kinds of
#: things that a name may omit, in sets of synonyms.
_ARTICLES, _LEGAL, _VERSIONS, *_KINDS = groups_of("item_names")
_KIND_OF = {word: kinds for kinds in _KINDS for word in kinds}
_ACRONYM = re.compile(r"[(\[]\s*([A-Z][A-Z0-9&.-]{1,9})\s*[)\]]")
#: What follows the name proper: "The Lending Barn, Upper Drayle", "The Brass Cupboard (Ferrow Silver Band)".
_BESIDE = re.compile(r",\s|\s\(")
#: Least letters of a first word that may stand for the whole name.
_LEAST_LETTERS = 5
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


def short_forms(names: Iterable[str]) -> dict[str, str]:
    """Return the forms in which a text may write each name, without those that could mean two of them.

    A name that is a form of just one longer name means that one.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for form in _forms(name):
            found[form].add(name)
    longer = {form: meant - {form} for form, meant in found.items()}
    meant_by = {form: longer[form] or meant for form, meant in found.items()}
    return {form: next(iter(meant)) for form, meant in meant_by.items() if len(meant) == 1}


@lru_cache(maxsize=256)
def name_pattern(words: str) -> re.Pattern[str]:
    """Match a name as a whole, in any case, with any white space, apostrophes and hyphens."""
    escaped = r"\s+".join(map(re.escape, words.split()))
    loose = re.sub(r"['’‘]", "['’‘]", re.sub(r"\\-|[‐–]", "[-‐–]", escaped))
    return re.compile(rf"(?<!\w){loose}(?!\w)", re.IGNORECASE)


def _forms(name: str) -> Iterator[str]:
    bare = _BESIDE.split(_ACRONYM.sub("", name))[0].strip()
    words = bare.split()
    if len(words) > 1 and fold(words[0]) in _ARTICLES:
        words = words[1:]
    forms = {name, bare, " ".join(words)}
    if found := _ACRONYM.search(name):
        forms.add(found[1])
    if len(words) > 1:
        forms |= {f"{article} {words[-1]}" for article in ("the", "The", "el", "El", "la", "La")}
        beginnings = [n for n in range(1, len(words)) if len(words[n - 1]) >= _LEAST_LETTERS]
        forms |= {" ".join(words[:n]) for n in beginnings if not is_version(words[n])}
        forms |= {" ".join(words[n:]) for n in range(1, len(words) - 1)}
    if len(words) > 1 and fold(words[0]) in _KIND_OF:
        forms.add(" ".join(words[1:]))
    for form in forms:
        if fold(form) not in _KIND_OF and len(form) > 1:
            yield form
            if form.isupper():
                yield " ".join(word if fold(word) in _ARTICLES else word.capitalize() for word in form.split())


def is_version(word: str) -> bool:
    """Return whether a word behind a name makes it another item: "Plus", "2"."""
    return fold(word) in _VERSIONS or word[0].isdigit()


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
