"""Find further mentions of the names that an essay was found to have: short forms, slips, other capitals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.library.essays.alike import Alike
from services.library.essays.find_names import Mark
from services.library.essays.known_words import NO_NAMES, is_everyday, is_ordinary
from services.library.essays.tokens import Token

#: Least letters of a short form of a name ("Sam"), and of a name and a word that may differ by one error.
_SHORT_FORM, _SLIP = 3, 5
#: Most letters of a short form.
_LONGEST = 30
_ENDINGS = ("", "s", "es")


class _Names:
    """Names by their beginnings and spellings, so that each word is asked about once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name for name in names if len(name) > 1 and name not in NO_NAMES)
        self._begins = {
            name[:length] for name in self._names for length in range(_SHORT_FORM, min(len(name), _LONGEST))
        }
        self._alike = Alike(sorted(self._names), _SLIP)

    def has(self, token: Token) -> bool:
        """Whether a word is one of the names, a plural, a short form or a misspelling of one."""
        word, capital = token.plain, token.text[0].isupper()
        if word in NO_NAMES:
            return False
        if any(word.removesuffix(ending) in self._names for ending in _ENDINGS):
            return capital or not is_ordinary(word)
        if not capital or len(word) < _SHORT_FORM or is_everyday(word):
            return False
        return word in self._begins or self._alike.has(word)


def spread(tokens: Sequence[Token], marks: list[Mark | None], own: Iterable[str]) -> None:
    """Mark every mention of the names that are marked already, and of those of the entry (plain)."""
    marked = {token.plain for token, mark in zip(tokens, marks, strict=True) if mark is Mark.NAME}
    names = _Names(own)
    others = _Names(word for word in marked if len(word) > 2)
    for index, token in enumerate(tokens):
        if names.has(token) or others.has(token):
            marks[index] = Mark.NAME
