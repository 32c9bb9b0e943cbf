"""Extract the search terms of a question: drop words that only ask, keep names and quoted phrases whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.questions.reading import read
from research.questions.wording import ENDS, MARKS, Token, classes_of, fold, numbers_of, tokens_of
from research.words import words_of

_QUOTED = re.compile(r"[\"“”«„]([^\"“”«»„]{2,120})[\"“”»]")
#: Characters of a question that are read.
_LONGEST = 2000
_PLACEHOLDER = "quotedphrase"
#: Lower-case words within a name: "Treaty of Westphalia", "Universidad de la República".
_INSIDE_NAMES = {"of", "the", "de", "del", "la", "las", "los", "y"}
#: Negations form one term with the next word: "sin gluten".
_NEGATIONS = {"without", "sin", "non"}
#: Classes of words that ask, where a sentence begins or beside the number of items.
_ASKING = {"listing", "explaining", "list_noun", "ranking", "enough"}
_FIRST_WORDS = 3


def terms_of(question: str, language: str) -> list[str]:
    """Return the search terms in order; a name or quoted phrase is one term. `language`: that of the question."""
    question = question[:_LONGEST]
    waiting = iter([match[1].strip() for match in _QUOTED.finditer(question)])
    tokens = tokens_of(_QUOTED.sub(f" {_PLACEHOLDER} ", question))
    found = list(_terms(tokens, _asking(tokens, read(question).count), words_of(f"search_{language}")))
    quoted = (f'"{next(waiting, term)}"' if term == _PLACEHOLDER else term for term in found)
    distinct: dict[str, str] = {}
    for term in quoted:
        distinct.setdefault(fold(term), term)
    return list(distinct.values())


def shortened(terms: Sequence[str], most: int) -> list[str]:
    """Return at most `most` terms in order; generic words are dropped first, names and phrases last."""
    kept = sorted(range(len(terms)), key=lambda at: (-_weight(terms[at]), at))[:most]
    return [terms[at] for at in sorted(kept)]


def specific(terms: Sequence[str]) -> list[str]:
    """Return the terms without generic words, if at least two others or a name remain; else all."""
    kept = [term for term in terms if _weight(term)]
    return kept if len(kept) > 1 or any(_weight(term) > 1 for term in kept) else list(terms)


def _weight(term: str) -> int:
    if term.startswith('"'):
        return 3
    if term[:1].isupper() or " " in term:
        return 2
    return 0 if fold(term) in words_of("search_generic") or term[:1].isdigit() else 1


def _asking(tokens: Sequence[Token], count: int | None) -> set[int]:
    """Return the places of the number of items, of words that belong to it, and of verbs that ask."""
    found: set[int] = set()
    if number := next((number for number in numbers_of(tokens) if number.value == count), None):
        first = number.start
        while first and _ASKING & set(classes_of(tokens[first - 1].word)):
            first -= 1
        found = set(range(first, number.end))
    begins = 0
    for at, token in enumerate(tokens):
        if token.word in ENDS:
            begins = at + 1
        elif at - begins < _FIRST_WORDS + len(found) and _ASKING & set(classes_of(token.word)):
            behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
            # "Study abroad programmes": a verb that is followed by a noun of its own is none.
            if at > begins or at + 1 in found or behind in MARKS | _INSIDE_NAMES | {"me", "us", "a", "for"}:
                found.add(at)
    return found


def _terms(tokens: Sequence[Token], dropped: set[int], stop: frozenset[str]) -> Iterator[str]:
    name: list[str] = []
    for at, token in enumerate(tokens):
        if name and not (_continues(tokens, at) or fold(name[-1]) in _NEGATIONS):
            yield " ".join(name)
            name = []
        if at in dropped:
            continue
        if token.word in _NEGATIONS and at + 1 < len(tokens) and _is_term(tokens[at + 1], stop):
            name.append(token.text)
        elif name or _begins_name(tokens, at, stop):
            name.append(_bare(token.text))
        elif _is_term(token, stop):
            yield _bare(token.text)
    if name:
        yield " ".join(name)


def _begins_name(tokens: Sequence[Token], at: int, stop: frozenset[str]) -> bool:
    """Return whether a capitalised word begins a name: a capitalised word follows."""
    if not tokens[at].text[:1].isupper() or (tokens[at].word in stop and not _is_acronym(tokens[at])):
        return False
    return _continues(tokens, at + 1)


def _continues(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a name continues here, also across words like "of" before a capitalised one."""
    while at < len(tokens) and tokens[at].word in _INSIDE_NAMES and not tokens[at].text[:1].isupper():
        at += 1
    return at < len(tokens) and tokens[at].text[:1].isupper()


def _is_term(token: Token, stop: frozenset[str]) -> bool:
    if not token.text[0].isalnum():
        return False
    if _is_acronym(token) or token.text.isdigit():
        return True
    return token.word not in stop and token.word.removesuffix("'s") not in stop and len(token.word) > 1


def _is_acronym(token: Token) -> bool:
    return 1 < len(token.text) <= 6 and token.text.isupper()


def _bare(text: str) -> str:
    return re.sub(r"['’]s$", "", text)
