"""Whether the words of a value are ones that persons or schools are called by, wherever they stand."""

from __future__ import annotations

from pipeline.extraction.labelling.lexicon import name_rank, school_kind, word_class
from pipeline.extraction.values.schools import has_school_word
from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind

_NO_GIVEN_NAME = "9"
_NO_NAME = "99"


def is_given_name(text: str) -> bool:
    """Whether a text is one word that persons are called by as given name."""
    words = plain(text).split()
    return len(words) == 1 and name_rank(words[0])[0] != _NO_GIVEN_NAME and not word_class(words[0])


def is_of_kind(kind: FieldKind, text: str) -> bool:
    """Whether a value can be told for one of its kind by its words alone.

    A person's by a name among them, a school's by a word for schools or by names and words that schools are called
    by; a word of kinship never names a school. Values of other kinds are told by their form.
    """
    words = [word for part in plain(text).split() if (word := part.strip(".,'’-"))]
    if kind is FieldKind.PERSON:
        return any(name_rank(word) != _NO_NAME for word in words)
    if kind is FieldKind.SCHOOL:
        kin = any(word_class(word) == "kin" for word in words)
        return not kin and (has_school_word(text) or all(map(_names_a_school, words)))
    return True


def _names_a_school(word: str) -> bool:
    return bool(school_kind(word)) or name_rank(word) != _NO_NAME
