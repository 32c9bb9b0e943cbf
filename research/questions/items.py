"""Decide whether a number counts things that could be listed."""

from __future__ import annotations

from collections.abc import Sequence

from research.questions.numerals import Count
from research.questions.tokens import Token
from research.questions.words import (
    ABOUT,
    AUXILIARIES,
    DURATIONS,
    FORM_NOUNS,
    MEASURES,
    MONTHS,
    NOT_ITEMS,
    PREPOSITIONS,
    RANKING,
    RELATIVES,
    is_plural,
    is_ranking,
)

#: A larger number is a magnitude, not the length of a list.
_MOST = 5000
#: Nouns for a list after a count: "Top ten list".
_LISTS = {"list", "lista", "listado", "ranking"}
#: A clause of at least this many words longer than `_LITTLE` letters, all capitalised, is a heading.
_HEADING = 4
_LITTLE = 3
#: Durations only alone or with a word of `_OF_SCHOOL`: "two terms", not "twenty slang terms".
_ALSO_THINGS = {"terms", "quarters", "seconds", "courses", "cursos"}
_OF_SCHOOL = {"school", "academic", "presidential", "fiscal", "full", "academicos", "escolares"} | RANKING
#: Words of a ratio: "1 of every 3", "9 out of 10".
_SHARES = {"cada", "every", "out"}
_PER = {"in", "de", "out", "of"}


def counts_items(tokens: Sequence[Token], count: Count) -> bool:
    """Return whether the number counts things, not a year, date, age, share, sum, measure or part of a text."""
    if not 0 < count.value <= _MOST:
        return False
    behind = [token.word for token in tokens[count.end : count.end + 8]]
    if not behind:
        return True
    first, second = behind[0], (behind[1] if len(behind) > 1 else "")
    if first in NOT_ITEMS | MEASURES or _of_month(first, second) or _is_form(behind):
        return False
    if first in _LISTS:
        return tokens[count.start - 1].word in {"top", "best"} if count.start else False
    if first in _PER and (second in _SHARES or second[:1].isdigit()):
        return False
    if first == "," or first in PREPOSITIONS or first in AUXILIARIES or first in RELATIVES:
        return count.value > 1
    if count.value == 1:
        return bool(_phrase(behind)) and not tokens[count.start].text.isdigit() and tokens[0].word != "which"
    return _noun_phrase_is_plural(behind) or _is_acronym(tokens[count.end])


def counts_time(tokens: Sequence[Token], count: Count) -> bool:
    """Return whether the number counts years, days and the like, which usually means a duration."""
    phrase = noun_phrase(tokens, count)
    noun = next((word for word in phrase if is_plural(word) and word not in RANKING), "")
    return noun in DURATIONS and (noun not in _ALSO_THINGS or phrase[0] == noun or phrase[0] in _OF_SCHOOL)


def ranked_behind(tokens: Sequence[Token], count: Count) -> bool:
    """Return whether a superlative follows: "10 largest dams", "15 ports with the most trade"."""
    words = [token.word for token in tokens[count.end : count.end + 8]]
    phrase = _phrase(words)
    if any(is_ranking(word) or word == "mas" for word in phrase[:4]) or words[:2] in (
        ["de", "los"],
        ["de", "las"],
    ):
        return True
    behind = words[len(phrase) : len(phrase) + 4]
    if phrase and behind[:1] == ["de"] and behind[2:3] == ["mas"] and behind[3:] not in ([], ["de"]):
        return True
    return bool(phrase) and behind[:1] in (["con"], ["with"]) and any(map(_is_extreme, behind))


def noun_phrase(tokens: Sequence[Token], count: Count) -> list[str]:
    """Return the words after a number up to the next preposition, auxiliary or relative pronoun."""
    return _phrase([token.word for token in tokens[count.end : count.end + 8]])


def is_name(tokens: Sequence[Token], count: Count) -> bool:
    """Return whether number and noun form a name: "Five Eyes", "Three Mile Island"."""
    if count.end >= len(tokens) or tokens[count.start].value is not None:
        return False
    capitals = [token.text[:1].isupper() for token in tokens if len(token.text) > _LITTLE]
    heading = len(capitals) >= _HEADING and all(capitals)
    return tokens[count.start].text[:1].isupper() and tokens[count.end].text[:1].isupper() and not heading


def _is_form(behind: Sequence[str]) -> bool:
    """Return whether parts of a text are counted: "500 words on"; not "100 words that came from Arabic"."""
    at = next((at for at, word in enumerate(behind[:2]) if word in FORM_NOUNS), None)
    return at is not None and (at + 1 == len(behind) or behind[at + 1] in ABOUT)


def _of_month(first: str, second: str) -> bool:
    return first in MONTHS or (first in {"de", "of"} and second in MONTHS)


def _noun_phrase_is_plural(behind: Sequence[str]) -> bool:
    return any(is_plural(word) and word not in NOT_ITEMS for word in _phrase(behind))


def _is_extreme(word: str) -> bool:
    return word in {"mas", "mayor", "menor", "menos", "fewest", "most", "least"} or is_ranking(word)


def _is_acronym(token: Token) -> bool:
    """Return whether a token is an acronym: Spanish ones have no plural form, as in "ocho ONG"."""
    return len(token.text) > 1 and token.text.isalpha() and token.text.isupper()


def _phrase(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        if word in PREPOSITIONS or word in AUXILIARIES or word in RELATIVES:
            break
        found.append(word)
    return found
