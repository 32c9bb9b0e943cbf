"""The fields that every candidate of a catalog should have, read from the question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.field_lexicon import BY_KEY, FIELDS
from research.text.stems import fold_accents

DEFAULT_FIELDS = ("name", "provider_url", "problem_solved", "pricing_model", "proof_links")
#: More would make a table that nobody can read.
MAX_FIELDS = 10
_MAX_WORDS = 4

#: What follows says outright which fields are wanted, to the end of the sentence.
_OUTRIGHT = re.compile(
    r"\bfor (?:each|every|all)\b[^.,:;]{0,40}[,:]?\s*(?:please )?(?:includ(?:e|es|ing)|give|list|state|provide"
    r"|show|report|note|with|describe|i need|we need|tell (?:me|us)|add)\b"
    r"|\b(?:required|requested|needed) (?:details|fields|columns|information)\b\s*(?:are|:)?"
    r"|\b(?:fields|columns|details)\s*:|\bcolumns? for\b"
    r"|\b(?:para|de) cada un[oa]?\b[^.,:;]{0,40}[,:]?\s*(?:incluy\w+|indi\w+|da|dé|señal\w+|con|muestr\w+"
    r"|detall\w+|añad\w+)\b|\b(?:campos|columnas|datos|detalles)(?: requeridos| necesarios| obligatorios)?\s*:",
    re.IGNORECASE,
)
#: What follows may be fields or may describe the items: "with costs", "with a garden".
_PERHAPS = re.compile(
    r"\b(?:along with|together with|with|including|include|showing|listing|giving|plus|and (?:give|state|list)"
    r"|their|its|junto con|con|incluyendo|que incluyan?|mostrando|indicando|más|e indica|sus?)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[.?!;\n]|\bfor (?:each|every)\b|\bpara cada\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,|;|/|&|\+|\b(?:and|or|as well as|y|e|o|u|así como)\b)\s*", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:(?:the|a|an|its|their|each|any|all|both|full|exact|real|current|known|estimated|approximate|published|el|la|los|las"
    r"|un|una|su|sus|de|del|with|con|including|incluyendo)\s+)+",
    re.IGNORECASE,
)
#: Marks that belonged to what was left out.
_STRAY = re.compile(r"\s*([.,;:?!])(?:\s*[.,;:])*")
_WORDS = re.compile(r"[^\W_]+", re.UNICODE)


def required_fields_of(query: str) -> list[str]:
    """Keys of the fields: the five of every catalog, with those that the question names in place of their like.

    "with costs and evaluations" asks for `cost` instead of `pricing_model`, `evaluation` instead of `proof_links`;
    what has no name of its own here gets one from its words: "entry rules" is `entry_rules`.
    """
    asked = list(dict.fromkeys(_asked(query)))
    groups: dict[str, list[str]] = {}
    for key in asked:
        groups.setdefault(group_of(key), []).append(key)
    wanted: list[str] = []
    for default in DEFAULT_FIELDS:
        wanted += groups.pop(group_of(default), [default])[:1]
    wanted += [keys[0] for keys in groups.values()]
    return wanted[:MAX_FIELDS]


def without_fields(query: str) -> str:
    """The question without the parts that only say which fields are wanted."""
    kept, at = [], 0
    for start, end in sorted(_field_clauses(query)):
        if start >= at:
            kept.append(query[at:start].rstrip(" ,:"))
            at = end
    return _STRAY.sub(r"\1", " ".join([*kept, query[at:]])).strip()


def group_of(field: str) -> str:
    """What a field answers, whatever it is called: `cost`, `pricing` and `pricing_model` are one."""
    key = field_key(field)
    kind = BY_KEY.get(key)
    return kind.group or key if kind else key


def is_pricing(field: str) -> bool:
    """Whether the field tells what an item costs."""
    return group_of(field) == "pricing"


def is_proof(field: str) -> bool:
    """Whether the field tells what others found about an item."""
    return group_of(field) == "proof"


def field_key(named: str) -> str:
    """The key of a field as anybody names it."""
    plain = " ".join(named.replace("_", " ").split())
    folded = plain.casefold().replace(" ", "_")
    if folded in BY_KEY:
        return folded
    for field in FIELDS:
        if field.asked.fullmatch(plain):
            return field.key
    return "_".join(_WORDS.findall(fold_accents(plain.casefold())))


def search_words(field: str, language: str) -> str:
    """What to search for to find the field."""
    kind = BY_KEY.get(field_key(field))
    return kind.search[language] if kind else field_label(field)


def field_label(field: str) -> str:
    """The field in plain words, for a search."""
    return field.replace("_", " ").strip()


def _asked(query: str) -> Iterator[str]:
    for cue in _OUTRIGHT.finditer(query):
        yield from (field_key(item) for item in _items(query[cue.end() :]) if _is_known(item) or _is_short(item))
    for cue in _PERHAPS.finditer(query):
        items = list(_items(query[cue.end() :]))
        # A list that names a known field is a list of fields; "with a garden" is not.
        if any(map(_is_known, items)):
            yield from (field_key(item) for item in items if _is_known(item))


def _field_clauses(query: str) -> Iterator[tuple[int, int]]:
    for cue in _OUTRIGHT.finditer(query):
        yield cue.start(), cue.end() + _length(query[cue.end() :])
    for cue in _PERHAPS.finditer(query):
        items = list(_items(query[cue.end() :]))
        if items and all(map(_is_known, items)):
            yield cue.start(), cue.end() + _length(query[cue.end() :])


def _length(following: str) -> int:
    end = _END.search(following)
    return end.start() if end else len(following)


def _items(following: str) -> Iterator[str]:
    end = _END.search(following.lstrip(" :"))
    stretch = following.lstrip(" :")[: end.start() if end else None]
    for item in _BETWEEN.split(stretch):
        if named := _LEADING.sub("", item.strip(" \"'“”«»()")).strip():
            yield named


def _is_known(item: str) -> bool:
    return any(field.asked.fullmatch(item) for field in FIELDS)


def _is_short(item: str) -> bool:
    return 1 <= len(item.split()) <= _MAX_WORDS and any(char.isalpha() for char in item)
