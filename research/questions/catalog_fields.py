"""The fields that every item of a catalog should have: those named by the question, and common ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.config import Language
from research.questions.wording import (
    ARTICLES,
    ENDS,
    JOINING,
    LEADING_TO,
    MARKS,
    QueryToken,
    catalog_common_fields,
    common_field_label,
    common_key,
    field_words,
    kindred_key,
    label_key,
    plain_name,
    query_tokens,
)
from research.report_type import read

DEFAULT_FIELDS = ("name", "provider_url", "problem_solved", "pricing_model", "proof_links")
#: Most fields of a catalog, so that the table stays readable.
MAX_FIELDS = 10
#: From this number of named fields on, no common ones are added.
_ENOUGH_FIELDS = 3
#: A sentence with fewer words before its fields does not describe the items: "For each, give …".
_LEAST_WORDS = 3
#: Last words of a field that only names the item.
_NAMES = {"name", "names", "nombre", "nombres"}
#: Words between fields and their subject.
_OF = frozenset(("of", "for", "on", "about", "de", "del", "para", "sobre"))
#: Characters at the start and at the end of a line of a pasted list.
_BULLETS, _SEPARATORS = "-–—*•· ", ",;* "


def required_fields_of(query: str) -> list[str]:
    """Return the fields of the items: the name and those of the question, if it names three or more.

    Else the five defaults, replaced or extended by those of the question: "with costs and evaluations" asks for
    `cost` instead of `pricing_model`, `evaluation` instead of `proof_links`. Others get a key from their words:
    "entry rules" is `entry_rules`.
    """
    return _required([field.text for field in read(query).fields])


def columns_of(named: Sequence[str]) -> list[str]:
    """Return the fields of `required_fields_of` for these words of a request, as a report uses them.

    A field with the label of a common one becomes its key, others keep their words. The name, and texts without a
    letter or digit, are left out.
    """
    valid = [text for text in named if stored_field(text)]
    words = {field_key(text): text for text in reversed(valid)}
    return [stored_field(words.get(key, key)) for key in _required(valid) if key != "name"]


def _required(named: Sequence[str]) -> list[str]:
    keys = [field_key(text) for text in named]
    wanted = ["name"]
    for default in DEFAULT_FIELDS if len(keys) < _ENOUGH_FIELDS else ():
        wanted += [key for key in keys if group_of(key) == group_of(default)] or [default]
    return list(dict.fromkeys([*wanted, *keys]))[:MAX_FIELDS]


def named_fields(query: str) -> list[str]:
    """Return the words by which the question names fields of items, in its order, without their names."""
    return [one.text for one in read(query).fields if _NAMES.isdisjoint(plain_name(one.text).split()[-1:])]


def requested_field_labels(query: str, language: Language) -> list[str]:
    """Return the fields of `required_fields_of`, without the name, in the question's words or by their labels."""
    words = {field_key(field.text): field.text for field in reversed(read(query).fields)}
    keys = [key for key in required_fields_of(query) if key != "name"]
    return [
        words[key][:1].upper() + words[key][1:] if key in words else common_field_label(key, language)
        for key in keys
    ]


def stored_field(typed: str) -> str:
    """Return the key of a common field for its label, else the text as a heading without list marks.

    "" for a text without a letter or a digit.
    """
    plain = " ".join(typed.split()).lstrip(_BULLETS).rstrip(_SEPARATORS)
    if not any(char.isalnum() for char in plain):
        return ""
    return plain if plain in catalog_common_fields() else label_key(plain) or plain[:1].upper() + plain[1:]


def without_fields(query: str) -> str:
    """Return the question without its requested fields: each sentence up to the first, or after the last."""
    fields = read(query).fields
    kept = []
    for tokens in _sentences(query_tokens(query)):
        start, end = tokens[0].start, tokens[-1].end
        own = [field for field in fields if start <= field.start < end]
        if not own:
            kept.append(query[start:end])
            continue
        before = [token for token in tokens if token.end <= own[0].start]
        after = [token for token in tokens if token.start >= own[-1].end]
        # "Costs and ages of reading clubs" has its fields first.
        rest = next((side for side in map(_bare, (before, after)) if len(side) >= _LEAST_WORDS), ())
        kept += [query[rest[0].start : rest[-1].end] + "."] if rest else []
    return " ".join(kept) or " ".join(query.split())


def _bare(tokens: Sequence[QueryToken]) -> Sequence[QueryToken]:
    """Return tokens without words and marks at their ends that only join a list of fields to its subject."""
    joining = LEADING_TO | ARTICLES | JOINING | MARKS | _OF
    content = [at for at, token in enumerate(tokens) if token.word not in joining]
    return tokens[content[0] : content[-1] + 1] if content else ()


def group_of(field: str) -> str:
    """Return the group of equivalent fields: `cost`, `pricing` and `price per pupil` are one."""
    plain = plain_name(field)
    key = kindred_key(plain)
    return catalog_common_fields()[key].group or key if key else plain.replace(" ", "_")


def is_pricing(field: str) -> bool:
    """Return whether the field is about an item's price."""
    return group_of(field) == "pricing"


def is_proof(field: str) -> bool:
    """Return whether the field is about evidence from others."""
    return group_of(field) == "proof"


def field_key(named: str) -> str:
    """Return the key of a field given by any name, or by its label on a form."""
    plain = plain_name(named)
    return common_key(plain) or plain.replace(" ", "_")


def search_words(field: str, language: str) -> str:
    """Return the search words for a field."""
    kind = catalog_common_fields().get(field_key(field))
    return kind.search[language] if kind else field_words(field)


def _sentences(tokens: Sequence[QueryToken]) -> Iterator[Sequence[QueryToken]]:
    """Yield the tokens of each sentence, the mark that ends it included."""
    start = 0
    for at, token in enumerate(tokens, 1):
        if token.word in ENDS or at == len(tokens):
            if at - start > 1 or token.word not in ENDS:
                yield tokens[start:at]
            start = at
