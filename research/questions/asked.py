"""Decide whether the words of a clause ask for what follows: an imperative, "which", "what are the", "I need"."""

from __future__ import annotations

from collections.abc import Sequence

from research.questions.embedded import embedded
from research.questions.words import (
    HOW,
    NARRATIVE_OPENERS,
    PARTICLES,
    POLITE,
    WANTING,
    is_asking,
    is_explaining,
)

_WHICH = {"what", "what's", "whats", "which", "who", "where", "cuales", "quienes", "que"}
_ARE = {"are", "were", "would", "can", "son", "fueron", "eran", "serian", "hay"}
_FIND = {"i", "we", "find", "be", "found", "se"}
_SEEKING = {"looking", "searching", "seeking", "hunting", "after", "hoping"}
_ARE_NEEDED = {"necesitan", "buscan", "requieren", "solicitan", "piden", "precisan"}
#: Verbs that ask without "I" in a note: "need 3 vendors by Friday".
_NEEDING = {"need", "want", "require"}
_EACH = {"each", "every", "cada"}
_WISHES = [["like", "to"], ["want", "to"], ["need", "to"], ["love", "to"], ["do", "you"], ["me", "gustaria"]]
#: Auxiliaries before "have", "get" or "see" that make a request: "could I have".
_MAY = {"let", "can", "could", "may", "might"}
_GETTING = {"get", "have", "see", "ask"}
_KNOWING = {
    "know",
    "learn",
    "see",
    "read",
    "hear",
    "visit",
    "try",
    "meet",
    "saber",
    "conocer",
    "ver",
    "leer",
    "tener",
}
#: Longest run of words between "for each" and its verb.
_EACH_SPAN = 8


def ask_of(rest: Sequence[str]) -> str:
    """Return how the words before an object ask for it: "list", "explain", "which", "want" or ""."""
    words = [word for word in rest if word != "¿"]
    if not words:
        return ""
    return _which(words) or _imperative(words) or embedded(words)


def opens_narrative(words: Sequence[str]) -> bool:
    """Return whether a clause begins with a question word for a narrative, or a verb like "explain"."""
    first = next((word for word in words if word not in {"and", "y", "but", "so", "e"}), "")
    return first in NARRATIVE_OPENERS or is_explaining(first)


def _which(words: Sequence[str]) -> str:
    """Return "which" for "in which", "what are", "where can I find" at the beginning or after a conjunction."""
    at = len(words) - 1
    while at > 0 and words[at] in _ARE | _FIND | {"some"}:
        at -= 1
    if words[at] not in _WHICH:
        return ""
    before = list(words[:at])
    begins = (
        not before
        or before[-1] in {"and", "y", ",", "or", "e"}
        or (len(before) == 1 and before[0] in PARTICLES | {"en"})
    )
    return "which" if begins and not (words[at] == "where" and at == len(words) - 1) else ""


def _imperative(words: Sequence[str]) -> str:
    at = len(words) - 1
    while at > 0 and words[at] in PARTICLES and not _is_verb(words[at]):
        at -= 1
    if _after_courtesy(words[:at]) or _wish(words[: at + 1]):
        return "explain" if is_explaining(words[at]) and not is_asking(words[at]) else "list"
    if words[at] in _ARE_NEEDED and at and words[at - 1] == "se" and (at == 1 or words[at - 2] == ","):
        return "list"
    if not (_is_verb(words[at]) or _second_person(words, at)) or not _in_place(words, at):
        return ""
    if words[at] in WANTING and not is_asking(words[at]):
        return "want"
    return "explain" if is_explaining(words[at]) and not is_asking(words[at]) else "list"


def _after_courtesy(before: Sequence[str]) -> bool:
    """Return whether a polite phrase makes any verb a request: "please unearth", "¿podrías traer?"."""
    return (
        bool(before)
        and before[-1] in {"please", "kindly", "podrias", "podria", "podeis"}
        and not set(before) & HOW
    )


def _wish(words: Sequence[str]) -> bool:
    """Return whether words express a wish to know: "I would like to know", "me gustaría conocer"."""
    if words[-1] not in _KNOWING or set(words) & HOW:
        return False
    before = list(words[:-1])
    return before[-2:] in _WISHES or (
        bool(before) and before[-1] in {"quiero", "quisiera", "gustaria", "queremos"}
    )


def _is_verb(word: str) -> bool:
    return is_asking(word) or is_explaining(word) or word in WANTING


def _second_person(words: Sequence[str], at: int) -> bool:
    """Return whether a Spanish second person asks: "¿Me recomiendas…?"."""
    return at > 0 and words[at - 1] in {"me", "nos"} and is_asking(words[at].removesuffix("s"))


def _in_place(words: Sequence[str], at: int) -> bool:
    """Return whether a verb at this position asks: only polite words precede it, or it begins a new request."""
    before = list(words[:at])
    if words[at] in _SEEKING and _at_work(before):
        return True
    if words[at] in _NEEDING and (all(map(_polite, before)) or (before[-1] == "and" and not _how(before))):
        return True
    if words[at] in WANTING - {"looking", "searching", "seeking", "like"} and not is_asking(words[at]):
        return bool(before) and before[-1] in {"i", "we", "would", "also", "i'd", "we'd", "just", "really", "only"}
    if words[at] == "have":
        return len(before) > 1 and before[-2] in _MAY
    if before and (before[0] == "to" or before[-1] in {"i", "we"}):
        return len(before) > 1 and before[-2] in _MAY and words[at] in _GETTING
    if all(_polite(word) for word in before):
        return True
    last = before[-1]
    if last == ",":
        return not _how(before) or "and" in before[-2:]
    if last in {"and", "then", "also", "y", "e", "luego"}:
        return "," in before[-3:] or not _how(before)
    return last not in {"to"} and len(before) <= _EACH_SPAN and any(word in _EACH for word in before[:3])


def _at_work(before: Sequence[str]) -> bool:
    """Return whether "I am" or "we're currently" precede "looking for", however the sentence began."""
    near = [word for word in before if word not in {"currently", "now", "still", "also", "urgently"}][-2:]
    if not near or _how(before):
        return False
    return near[-1] in {"i'm", "we're", "im"} or (near[-1] in {"am", "are"} and near[0] in {"i", "we"})


def _polite(word: str) -> bool:
    return word in POLITE or word == "," or word in {"help", "want", "need", "like", "wish"}


def _how(words: Sequence[str]) -> bool:
    return words[0] in HOW
