"""The fields that every candidate of a catalog should have, read from the question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.questions.field_lexicon import BY_KEY, FIELDS
from research.text.stems import fold_accents

DEFAULT_FIELDS = ("name", "provider_url", "problem_solved", "pricing_model", "proof_links")
#: Most fields of a catalog, so that the table stays readable.
MAX_FIELDS = 10
_MAX_WORDS = 4

#: Phrases after which the rest of the sentence lists the requested fields.
_OUTRIGHT = re.compile(
    r"\bfor (?:each|every|all)\b[^.,:;]{0,40}[,:]?\s*+(?:please )?(?:includ(?:e|es|ing)|give|list|state|provide"
    r"|show|report|note|with|describe|i need|we need|tell (?:me|us)|add)\b"
    r"|\b(?:required|requested|needed) (?:details|fields|columns|information)\b\s*(?:are|:)?"
    r"|\b(?:fields|columns|details)\s*:|\bcolumns? for\b"
    r"|\b(?:para|de) cada un[oa]?\b[^.,:;]{0,40}[,:]?\s*+(?:incluy\w+|indi\w+|da|dé|señal\w+|con|muestr\w+"
    r"|detall\w+|añad\w+)\b|\b(?:campos|columnas|datos|detalles)(?: requeridos| necesarios| obligatorios)?\s*:",
    re.IGNORECASE,
)
#: Phrases after which fields or a description of the items may follow: "with costs", "with a garden".
_PERHAPS = re.compile(
    r"\b(?:along with|together with|with|including|include|showing|listing|giving|plus|and (?:give|state|list)"
    r"|their|its|junto con|con|incluyendo|que incluyan?|mostrando|indicando|más|e indica|sus?)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[.?!;\n]|\bfor (?:each|every)\b|\bpara cada\b", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?>(?:(?<!\s)\s++)?)(?:,|;|/|&|\+|\b(?:and|or|as well as|y|e|o|u|así como)\b)\s*+", re.IGNORECASE
)
_LEADING = re.compile(
    r"^(?:(?:the|a|an|its|their|each|any|all|both|full|exact|real|current|known|estimated|approximate|published|el|la|los|las"
    r"|un|una|su|sus|de|del|with|con|including|incluyendo)\s+)+",
    re.IGNORECASE,
)
#: Punctuation that belonged to removed text.
_STRAY = re.compile(r"(?>(?:(?<!\s)\s++)?)([.,;:?!])(?>(?:\s*+[.,;:])*)")
_WORDS = re.compile(r"[^\W_]+", re.UNICODE)


def required_fields_of(query: str) -> list[str]:
    """Return the keys of the required fields: the five defaults, replaced or extended by those of the question.

    "with costs and evaluations" asks for `cost` instead of `pricing_model`, `evaluation` instead of `proof_links`;
    other fields get a key from their words: "entry rules" is `entry_rules`.
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
    """Return the question without the parts that only list requested fields."""
    kept, at = [], 0
    for start, end in sorted(_field_clauses(query)):
        if start >= at:
            kept.append(query[at:start].rstrip(" ,:"))
            at = end
    return _STRAY.sub(r"\1", " ".join([*kept, query[at:]])).strip()


def group_of(field: str) -> str:
    """Return the group of equivalent fields: `cost`, `pricing` and `pricing_model` are one."""
    key = field_key(field)
    kind = BY_KEY.get(key)
    return kind.group or key if kind else key


def is_pricing(field: str) -> bool:
    """Return whether the field is about an item's price."""
    return group_of(field) == "pricing"


def is_proof(field: str) -> bool:
    """Return whether the field is about evidence from others."""
    return group_of(field) == "proof"


def field_key(named: str) -> str:
    """Return the key of a field given by any name."""
    plain = " ".join(named.replace("_", " ").split())
    folded = plain.casefold().replace(" ", "_")
    if folded in BY_KEY:
        return folded
    for field in FIELDS:
        if field.asked.fullmatch(plain):
            return field.key
    return "_".join(_WORDS.findall(fold_accents(plain.casefold())))


def search_words(field: str, language: str) -> str:
    """Return the search words for a field."""
    kind = BY_KEY.get(field_key(field))
    return kind.search[language] if kind else field_label(field)


def field_label(field: str) -> str:
    """Return the field's key as words."""
    return field.replace("_", " ").strip()


def _asked(query: str) -> Iterator[str]:
    for cue in _OUTRIGHT.finditer(query):
        yield from (field_key(item) for item in _items(query[cue.end() :]) if _is_known(item) or _is_short(item))
    for cue in _PERHAPS.finditer(query):
        items = list(_items(query[cue.end() :]))
        # Only a list with a known field is a list of fields; "with a garden" is not.
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
