"""Set the spaces of a person's name by the family name that another person of the entry has."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.spelling.prior import PARTICLES, names
from pipeline.together.words import Word

#: Letters of the shortest family name that tells where a name is to be parted.
_SHORTEST = 4
#: Letters of a piece that is hardly a name by itself.
_PIECE = 2


def with_family_name(words: Sequence[Word], family_name: str) -> str | None:
    """Return a name whose last letters are those of a family name, with these as one word.

    Pieces are joined ("Hallow Ay"), and what was read as one word with a given name is parted ("sonFinch").
    Returns None where the name has the word already, ends otherwise, or is made of names.
    """
    read = "".join(word.key for word in words)
    fits = len(family_name) >= _SHORTEST and read.endswith(family_name) and read != family_name
    if not fits or any(word.key == family_name for word in words):
        return None
    rest, pieces, needed = list(words), list[Word](), len(family_name)
    while needed:
        word = rest.pop()
        if len(word.text) != len(word.key):
            return None
        cut = max(len(word.key) - needed, 0)
        pieces.insert(0, Word("", word.text[cut:], word.after))
        needed -= len(word.key) - cut
        if cut:
            rest.append(Word(word.before, word.text[:cut], ""))
    touched = words[len(rest) - bool(cut) :]
    if all(_is_name(word.key) for word in touched):
        return None
    last = "".join(piece.text for piece in pieces)
    cased = last.upper() if last.isupper() else last[:1].upper() + last[1:].lower()
    return " ".join([*map(str, rest), f"{cased}{pieces[-1].after}"])


def _is_name(key: str) -> bool:
    """Whether a word is a name or a part of one by itself; two letters rarely are, whatever the list says."""
    return key in PARTICLES or (len(key) > _PIECE and names().knows(key))
