"""Recognise requests within another sentence: "could someone find me four", "I was asked to identify three"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.questions.words import (
    AUXILIARIES,
    EXPLAINING,
    FRAMING,
    HOW,
    LISTING,
    POLITE,
    PREPOSITIONS,
    is_asking,
    is_explaining,
    is_plural,
    word_set,
)

_TO_SOMEONE = word_set("find get give tell send bring show name list fetch recommend suggest")
_FINDING = word_set(
    """find identify list name locate recommend suggest bring compile collect gather choose pick select shortlist
    cite mention source propose present compare"""
)
#: Words before "to find" that make the finding the person's task, and so a request.
_PURPOSE = word_set(
    """need want have asked told trying like love hoping help wish must able plan required looking aiming planning
    wanting supposed"""
)
_INFINITIVE = re.compile(
    r"(?:encontr|identific|busc|localiz|list|enumer|nombr|recomend|conseg|propon|seleccion|recopil|reun|mencion"
    r"|cit|eleg|suger)(?:ar|er|ir|uir)(?:me|nos)?$"
)
_URGING = word_set("a que debo debemos quiero queremos quisiera quisieramos necesito necesitamos toca")
_THAT_YOU = word_set("que me nos")
_BACK = re.compile(r"^(?:please |pls |could you |can you )?(?:get|come|write|report) back (?:to (?:me|us) )?with$")
_SEARCH = re.compile(
    r"^(?:(?:please|pls|could|can|you|and|then) )*(?:search|scan|comb|trawl|browse|query|check|look)\b.{0,60} for$"
)
#: "I'd be grateful for", "me vendrían bien", "we are in need of".
_WELCOME = re.compile(
    r"\b(?:(?:grateful|thankful|glad|happy|keen) (?:for|of|to (?:have|get|receive|see))"
    r"|(?:could|would|can) (?:really |also )?(?:use|do with|welcome|benefit from)"
    r"|(?:on the lookout|on the hunt|in the market) for|in (?:search|need) of"
    r"|(?:vendria|vendrian|irian|iria) bien|(?:hace|hacen) falta|(?:me|nos) (?:urgen|faltan|interesan|servirian)"
    r"|^conoce[ns]?|^conoceis|(?:ando|estoy|estamos|andamos) buscando)$"
)
_POINTING = re.compile(
    r"\b(?:point|direct|steer|refer|introduce|guide|lead|link|connect) (?:me|us) (?:to|toward|towards|at|with)$"
)
_PLAIN = word_set("find identify list name recommend suggest give provide compile propose select choose pick")
_OCCASION = word_set("as in on at after before given with since ahead")
_SUBJECTS = word_set("i we you they who that which to not can could must should would will may might do people")
#: Fewest and most words of "explain to a ten-year-old".
_TO_WHOM = (4, 7)


def asks_for_me(words: Sequence[str]) -> bool:
    """Return whether the last verb, followed by "me", asks at any position: "someone on the desk find (me)"."""
    return bool(words) and words[-1] in _TO_SOMEONE and not set(words) & HOW


def embedded(words: Sequence[str]) -> str:
    """Return "list" if the words end in a task: "I was asked to identify", "hay que encontrar"; else ""."""
    if set(words) & HOW:
        return ""
    last, before = words[-1], list(words[:-1])
    if _INFINITIVE.match(last) and before[-1:] and before[-1] in _URGING:
        return "list"
    if last in _FINDING and before[-1:] == ["to"] and set(before[-4:-1]) & _PURPOSE:
        return "list"
    if last.endswith("s") and before[-1:] and before[-1] in _THAT_YOU and is_asking(last[:-1]):
        return "list"
    if _commands(before, last) or _told_to(words):
        return "list"
    text = " ".join(words)
    return "list" if any(pattern.search(text) for pattern in (_BACK, _SEARCH, _WELCOME, _POINTING)) else ""


def _commands(before: Sequence[str], verb: str) -> bool:
    """Return whether a bare verb after a singular noun is an imperative: "For our retreat suggest"."""
    if verb not in _PLAIN or len(before) < 2 or before[0] not in FRAMING | _OCCASION:
        return False
    return not is_plural(before[-1]) and before[-1] not in _SUBJECTS and before[-1] not in AUXILIARIES


def _told_to(words: Sequence[str]) -> bool:
    """Return whether the words are a request with an addressee: "Explain to a ten-year-old (four reasons)"."""
    at = next((at for at, word in enumerate(words) if word not in POLITE), len(words))
    rest = words[at:]
    if not _TO_WHOM[0] <= len(rest) <= _TO_WHOM[1] or rest[1] not in {"to", "for", "a", "para"}:
        return False
    if rest[1] == "a" and rest[0] in LISTING | EXPLAINING:
        return False
    return (is_asking(rest[0]) or is_explaining(rest[0])) and rest[-1] not in PREPOSITIONS
