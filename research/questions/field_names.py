"""The common fields of catalogs, and by which names requests know them: `fields.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from research.questions.wording import fold
from research.words import table_of, words_of

_WORDS = re.compile(r"[^\W_]+")
ARTICLES = words_of("articles")
#: Words after a field's name that only narrow it: "cost per pupil".
_PER = re.compile(r"\s(?:per|por|each)\b.*")


@dataclass(frozen=True)
class CommonField:
    """A common field, as in the file."""

    label: Mapping[str, str]
    search: Mapping[str, str]
    names: Sequence[str]
    group: str = ""


@cache
def common_fields() -> Mapping[str, CommonField]:
    """Return the common fields by key."""
    return {key: CommonField(**kind) for key, kind in table_of("fields").items()}


def field_label(field: str, language: str) -> str:
    """Return the label of a common field in a language; a field that the question named keeps its words."""
    kind = common_fields().get(field)
    words = field_words(field)
    return kind.label[language] if kind else words[:1].upper() + words[1:]


def field_words(field: str) -> str:
    """Return a field's key as words."""
    return " ".join(field.replace("_", " ").split())


def plain_name(named: str) -> str:
    """Return the words of a field's name, folded, without leading articles."""
    words = _WORDS.findall(fold(named.replace("_", " ")))
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def common_key(plain: str) -> str | None:
    """Return the key of the common field with this name; None if there is none."""
    key = plain.replace(" ", "_")
    return key if key in common_fields() else _keys().get(_singular(plain))


def label_key(named: str) -> str | None:
    """Return the key of the common field whose label this is, in the singular or plural; None for other words."""
    plain = _singular(plain_name(named))
    key = _keys().get(plain)
    labels = common_fields()[key].label.values() if key else ()
    return key if any(_singular(plain_name(label)) == plain for label in labels) else None


def kindred_key(plain: str) -> str | None:
    """Return the key of the common field that a name belongs to: "cost per pupil" and "hourly rate" are costs."""
    return common_key(plain) or common_key(_PER.sub("", plain)) or common_key(plain.rpartition(" ")[2])


def _singular(plain: str) -> str:
    if plain.endswith("iones"):
        return plain.removesuffix("es")
    return plain.removesuffix("s") if not plain.endswith(("ss", "us", "is")) else plain


@cache
def _keys() -> Mapping[str, str]:
    """The key of each name and label, in the singular."""
    found: dict[str, str] = {}
    for key, kind in common_fields().items():
        for name in (*kind.names, *kind.label.values()):
            found.setdefault(_singular(plain_name(name)), key)
    return found
