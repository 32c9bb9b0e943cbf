"""Decide whether two names denote the same item, so that a catalog has one row per item."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from research.text.stems import fold_accents

_ARTICLES = {"the", "a", "an", "el", "la", "los", "las"}
#: Words for kinds of things that may be omitted from a name; words of one line are synonyms.
_KINDS = (
    ("programme", "program", "programmes", "programs", "programa", "programas"),
    ("project", "projects", "proyecto", "proyectos"),
    ("initiative", "iniciativa"),
    ("scheme", "plan"),
    ("service", "services", "servicio", "servicios"),
    ("app", "application", "aplicacion"),
    ("platform", "plataforma"),
    ("tool", "software", "herramienta"),
    ("campaign", "campana"),
    ("grant", "subsidy", "subvencion", "ayuda"),
    ("scholarship", "beca"),
)
_KIND_OF = {word: kinds[0] for kinds in _KINDS for word in kinds}
_LEGAL = {"inc", "ltd", "llc", "limited", "gmbh", "corp", "corporation", "co", "plc", "sl", "sa", "srl", "slu"}
_ACRONYM = re.compile(r"[(\[]\s*([A-Z][A-Z0-9&.-]{1,9})\s*[)\]]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[+#&]")


@dataclass(frozen=True, slots=True)
class ItemName:
    """The parts of a name."""

    #: Its folded words without article, legal form and kind.
    core: tuple[str, ...]
    #: The kind that it names ("programme"), "" if none.
    kind: str
    #: The folded acronym in brackets, "" if none.
    acronym: str


@lru_cache(maxsize=4096)
def item_name(name: str) -> ItemName:
    """Split a name into the parts that distinguish items."""
    found = _ACRONYM.search(name)
    bare = _ACRONYM.sub(" ", name) if found else name
    words = [_folded(word) for word in _WORD.findall(bare)]
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1] in _LEGAL:
        words = words[:-1]
    core, kind = _without_kind(words)
    return ItemName(tuple(core), kind, _folded(found[1]).replace(".", "") if found else "")


def same_item(one: str, other: str) -> bool:
    """Return whether two names denote one item: "The Harbour Programme", "Harbour"; "Open Doors (OD)", "OD"."""
    first, second = item_name(one), item_name(other)
    if not first.core or not second.core:
        return one.strip() == other.strip()
    if first.acronym and second.acronym and first.acronym != second.acronym:
        return False
    if first.core == second.core:
        return not first.kind or not second.kind or first.kind == second.kind
    return _stands_for(first, second) or _stands_for(second, first)


def fuller_name(one: str, other: str) -> str:
    """Return the more informative of two names of one item; the first if equal."""
    return other if _told(other) > _told(one) else one


def folded_name(name: str) -> str:
    """Return the normalised form of a name."""
    return " ".join(item_name(name).core) or name.strip().casefold()


def says_what_it_is(word: str) -> bool:
    """Return whether a word only names the kind of thing, so that a name may omit it."""
    return _folded(word) in _KIND_OF


def _told(name: str) -> tuple[bool, bool]:
    parts = item_name(name)
    return bool(parts.acronym), len("".join(parts.core)) > 6


def _stands_for(short: ItemName, whole: ItemName) -> bool:
    return bool(whole.acronym) and len(short.core) == 1 and short.core[0] == whole.acronym


def _without_kind(words: list[str]) -> tuple[list[str], str]:
    if len(words) > 1 and words[-1] in _KIND_OF:
        return words[:-1], _KIND_OF[words[-1]]
    # In Spanish the kind comes first: "Programa Manos Abiertas".
    if len(words) > 1 and words[0] in _KIND_OF:
        rest = words[1:]
        while len(rest) > 1 and rest[0] in {"de", "del", "of", *_ARTICLES}:
            rest = rest[1:]
        return rest, _KIND_OF[words[0]]
    return words, ""


def _folded(word: str) -> str:
    return fold_accents(word.casefold()).replace("’", "'")
