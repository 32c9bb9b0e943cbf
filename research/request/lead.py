"""What stands before a number: the request, bared of articles, quantities and "a list of"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.request.words import (
    ARTICLES,
    DETAIL_NOUNS,
    LIST_NOUNS,
    PRONOUNS,
    QUANTIFIERS,
    SEQUENCE,
    is_ranking,
    limits,
)

#: About a quantity only where they touch the number: "about five", not "about the five".
_TOUCHING = {"about", "around", "over", "between", "entre", "to", "no", "cerca"}
_OF = {"of", "with", "for", "de", "con"}
#: Adjectives before "list" or "table".
_MOST_ADJECTIVES = 2


@dataclass
class Lead:
    """The words before a number, and what was taken off their end."""

    rest: list[str] = field(default_factory=list)
    article: bool = False
    ranking: bool = False
    sequence: bool = False
    limited: bool = False
    #: "list" ("a ranking of"), "detail" ("the names of") or "".
    holder: str = ""


def lead_of(words: Sequence[str]) -> Lead:
    """Take off, from the end, all that only says how many and which."""
    lead = Lead(_without_aside(list(words)))
    while lead.rest and (_take_word(lead) or _take_holder(lead)):
        continue
    return lead


def _take_word(lead: Lead) -> bool:
    word = lead.rest[-1]
    if word in ARTICLES:
        lead.article = True
    elif word in SEQUENCE:
        lead.sequence = lead.ranking = True
    elif is_ranking(word):
        lead.ranking = True
    elif word.endswith("'s"):
        lead.article = True
        return _take_possessor(lead)
    elif (word not in QUANTIFIERS and word not in PRONOUNS) or (lead.article and word in _TOUCHING):
        return False
    lead.limited = lead.limited or limits(word)
    lead.rest.pop()
    return True


def _take_possessor(lead: Lead) -> bool:
    """ "New York's": the words of a name before it cannot be told from others; the last one is enough."""
    lead.rest.pop()
    return True


def _take_holder(lead: Lead) -> bool:
    """ "A (short) list of", "the names and addresses of"."""
    if len(lead.rest) < 2 or lead.rest[-1] not in _OF:
        return False
    noun = lead.rest[-2]
    if noun not in LIST_NOUNS and noun not in DETAIL_NOUNS:
        return False
    lead.holder = lead.holder or ("list" if noun in LIST_NOUNS else "detail")
    lead.rest = _without_noun(lead.rest[:-2])
    lead.article = lead.ranking = False
    return True


def _without_noun(rest: list[str]) -> list[str]:
    """Take off what belongs to the noun: adjectives, an article, another noun."""
    while len(rest) > 1 and rest[-1] in {"and", "y", ","} | DETAIL_NOUNS:
        rest = rest[:-1]
    for adjectives in range(_MOST_ADJECTIVES + 1):
        at = len(rest) - adjectives - 1
        if at >= 0 and rest[at] in {"a", "an", "the", "una", "un", "la", "el", "los", "las", "my"}:
            return rest[:at]
    return rest


def _without_aside(words: list[str]) -> list[str]:
    """Leave out what stands between two commas at the end: "name, in order, the five"."""
    commas = [at for at, word in enumerate(words) if word == ","]
    if len(commas) > 1 and 0 < commas[-1] - commas[-2] <= 4 and commas[-1] >= len(words) - 3:
        return words[: commas[-2]] + words[commas[-1] + 1 :]
    return words
