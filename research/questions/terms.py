"""Extract the search terms of a question: drop words that only ask, keep names and quoted phrases whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.questions.asked import ask_of
from research.questions.counted import requested_counts
from research.questions.numerals import Count
from research.questions.stop_words import GENERIC, STOP_WORDS
from research.questions.tokens import Clause, Token, clauses_of, fold
from research.questions.words import ALSO_NOUNS, ARTICLES, LIST_NOUNS, PREPOSITIONS, PRONOUNS, RANKING

_QUOTED = re.compile(r"[\"“”«„]([^\"“”«»„]{2,120})[\"“”»]")
_TABLES = {"table", "spreadsheet", "tabla", "cuadro"}
_IN_A = [[little, article] for little in ("in", "as", "en", "como") for article in ("a", "una", "un")]
#: Characters of a question that are read.
_LONGEST = 2000
_PLACEHOLDER = "quotedphrase"
#: Lower-case words within a name: "Treaty of Westphalia", "Universidad de la República".
_INSIDE_NAMES = {"of", "the", "de", "del", "la", "las", "los", "y"}
#: Negations form one term with the next word: "sin gluten".
_NEGATIONS = {"without", "sin", "non"}
_QUANTITY = {"at", "least", "most", "around", "about", "roughly", "between", "exactly", "menos", "maximo"}


def terms_of(question: str, language: str) -> list[str]:
    """Return the search terms in order; a name or quoted phrase is one term. `language`: that of the question."""
    question = question[:_LONGEST]
    phrases = [match[1].strip() for match in _QUOTED.finditer(question)]
    text = _QUOTED.sub(f" {_PLACEHOLDER} ", question)
    stop = STOP_WORDS[language]
    counts = requested_counts(text)
    found: list[str] = []
    for at, clause in enumerate(clauses_of(text)):
        found += _clause_terms(clause, counts.get(at), stop)
    waiting = iter(phrases)
    quoted = [f'"{next(waiting, term)}"' if term == _PLACEHOLDER else term for term in found]
    return _distinct(quoted)


def shortened(terms: Sequence[str], most: int) -> list[str]:
    """Return at most `most` terms in order; generic words are dropped first, names and phrases last."""
    if len(terms) <= most:
        return list(terms)
    ranks = [(_weight(term), -at) for at, term in enumerate(terms)]
    kept = sorted(range(len(terms)), key=lambda at: ranks[at], reverse=True)[:most]
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
    return 0 if fold(term) in GENERIC or term[:1].isdigit() else 1


def _clause_terms(clause: Clause, count: Count | None, stop: frozenset[str]) -> Iterator[str]:
    tokens = clause.tokens
    dropped = _asking(tokens, count) | (set(range(count.start, count.end)) if count else set())
    dropped |= _before(tokens, count) if count else set()
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
        elif _is_term(token, stop) or _numbers(tokens, at, stop):
            yield _bare(token.text)
    if name:
        yield " ".join(name)


def _asking(tokens: Sequence[Token], count: Count | None) -> set[int]:
    """Return the positions of asking verbs and of "list" or "table"."""
    words = [token.word for token in tokens]
    found = {at for at, word in enumerate(words) if word in _TABLES and words[max(0, at - 2) : at] in _IN_A}
    for at, word in enumerate(words):
        behind = tokens[at + 1] if at + 1 < len(tokens) else None
        counted = count is not None and count.start == at + 1
        if ask_of(words[: at + 1]) in {"list", "explain", "want"}:
            if word not in ALSO_NOUNS or counted or _shows(behind):
                found.add(at)
        elif word in LIST_NOUNS and behind and behind.word in {"of", "de", "with", "con"} and at - len(found) < 4:
            found.add(at)
    return found


def _shows(behind: Token | None) -> bool:
    if behind is None:
        return False
    little = ARTICLES | PREPOSITIONS | PRONOUNS | {"a", "an", "una", "un"}
    return behind.value is not None or behind.word in little


def _before(tokens: Sequence[Token], count: Count) -> set[int]:
    """Return the positions of words that belong to the number: "the top", "at least"."""
    found: set[int] = set()
    at = count.start - 1
    while at >= 0 and tokens[at].word in RANKING | _QUANTITY | ARTICLES:
        found.add(at)
        at -= 1
    return found


def _begins_name(tokens: Sequence[Token], at: int, stop: frozenset[str]) -> bool:
    """Return whether a capitalised word begins a name: a capitalised word follows."""
    if not _is_capital(tokens[at]) or (tokens[at].word in stop and not _is_acronym(tokens[at])):
        return False
    return _continues(tokens, at + 1)


def _continues(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a name continues here, also across words like "of" before a capitalised one."""
    while at < len(tokens) and tokens[at].word in _INSIDE_NAMES and not _is_capital(tokens[at]):
        at += 1
    return at < len(tokens) and _is_capital(tokens[at])


def _is_term(token: Token, stop: frozenset[str]) -> bool:
    if not any(char.isalnum() for char in token.text):
        return False
    if _is_acronym(token):
        return True
    return token.word not in stop and token.word.removesuffix("'s") not in stop and len(token.word) > 1


def _numbers(tokens: Sequence[Token], at: int, stop: frozenset[str]) -> bool:
    """Return whether a number belongs to the word before it: "type 2", "grado 5"."""
    return tokens[at].text.isdigit() and at > 0 and tokens[at - 1].value is None and _is_term(tokens[at - 1], stop)


def _is_capital(token: Token) -> bool:
    return token.text[:1].isupper()


def _is_acronym(token: Token) -> bool:
    return 1 < len(token.text) <= 6 and token.text.isupper()


def _bare(text: str) -> str:
    return re.sub(r"['’]s$", "", text)


def _distinct(terms: Sequence[str]) -> list[str]:
    seen: dict[str, str] = {}
    for term in terms:
        seen.setdefault(fold(term), term)
    return list(seen.values())
