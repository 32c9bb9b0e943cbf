"""Analyse the words before a number: strip articles, quantifiers and "a list of" from the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.questions.words import (
    ARTICLES,
    DETAIL_NOUNS,
    LIST_NOUNS,
    PRONOUNS,
    QUANTIFIERS,
    SEQUENCE,
    is_ranking,
    limits,
    word_set,
)

#: Quantifiers only directly before the number: "about five", not "about the five".
_TOUCHING = {"about", "around", "over", "between", "entre", "to", "no", "cerca"}
_OF = {"of", "with", "for", "on", "about", "de", "con", "sobre"}
_TEXTS = word_set("brief briefing memo document note handout email deck informe documento nota")
_HOLDING = word_set("with presenting listing naming comparing featuring covering containing con")
#: Most tokens of an aside, its last comma included: "find, for the chapter on salt, four paintings".
_ASIDE = 8
#: Quantifiers of several words.
_BOUNDS = [
    phrase.split()
    for phrase in (
        *("no more than", "not more than", "no less than", "not less than", "no fewer than", "not fewer than"),
        *("a minimum of", "a maximum of", "a total of", "upwards of", "in excess of", "as many as"),
        *("por lo menos", "cuando menos", "no mas de", "no menos de", "a lo sumo", "a lo mas", "como mucho"),
        *("como poco", "un minimo de", "un maximo de", "un total de", "mas de", "menos de", "alrededor de"),
    )
]
#: Most adjectives before "list" or "table".
_MOST_ADJECTIVES = 2


@dataclass
class Lead:
    """The words before a number, and what was stripped from their end."""

    rest: list[str] = field(default_factory=list)
    article: bool = False
    ranking: bool = False
    sequence: bool = False
    limited: bool = False
    #: "Me" or "us" precedes the number: "find me four".
    to_me: bool = False
    #: "list" ("a ranking of"), "detail" ("the names of") or "".
    holder: str = ""


def lead_of(words: Sequence[str]) -> Lead:
    """Strip from the end the words that only tell how many and which."""
    lead = Lead(_without_aside(list(words)))
    while lead.rest and (_take_bound(lead) or _take_word(lead) or _take_holder(lead)):
        continue
    return lead


def _take_bound(lead: Lead) -> bool:
    found = next((bound for bound in _BOUNDS if lead.rest[-len(bound) :] == bound), None)
    if not found or lead.article:
        return False
    lead.rest = lead.rest[: -len(found)]
    lead.limited = True
    return True


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
    lead.to_me = lead.to_me or word in PRONOUNS
    lead.rest.pop()
    return True


def _take_possessor(lead: Lead) -> bool:
    """Strip a possessive such as "York's"; earlier words of the name cannot be recognised and stay."""
    lead.rest.pop()
    return True


def _take_holder(lead: Lead) -> bool:
    """Strip "a (short) list of" or "the names and addresses of"; return whether there was one."""
    if lead.rest[-2:-1] == ["that"]:
        lead.rest = [*lead.rest[:-2], lead.rest[-1].removesuffix("s") + "ing"]
    if len(lead.rest) < 2 or (lead.rest[-1] not in _OF and not _is_text(lead.rest)):
        return False
    noun = lead.rest[-2]
    if noun not in LIST_NOUNS and noun not in DETAIL_NOUNS and not _is_text(lead.rest):
        return False
    lead.holder = lead.holder or ("list" if noun in LIST_NOUNS else "detail")
    lead.rest = _without_noun(lead.rest[:-2])
    lead.article = lead.ranking = False
    return True


def _is_text(rest: Sequence[str]) -> bool:
    """Return whether the words end in a kind of text: "a brief with", "a memo presenting"."""
    return rest[-2] in _TEXTS and rest[-1] in _HOLDING


def _without_noun(rest: list[str]) -> list[str]:
    """Strip the words that belong to the noun: adjectives, an article, other nouns."""
    while len(rest) > 1 and rest[-1] in {"and", "y", ","} | DETAIL_NOUNS:
        rest = rest[:-1]
    for adjectives in range(_MOST_ADJECTIVES + 1):
        at = len(rest) - adjectives - 1
        if at >= 0 and rest[at] in {"a", "an", "the", "una", "un", "la", "el", "los", "las", "my"}:
            return rest[:at]
    return rest


def _without_aside(words: list[str]) -> list[str]:
    """Remove an aside between two commas at the end: "name, in order, the five"."""
    commas = [at for at, word in enumerate(words) if word == ","]
    if len(commas) > 1 and 0 < commas[-1] - commas[-2] <= _ASIDE and commas[-1] >= len(words) - 3:
        return words[: commas[-2]] + words[commas[-1] + 1 :]
    return words
