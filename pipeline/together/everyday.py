"""Complete a school's name of which recognition cut words off, from the full name that other entries give."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pipeline.extraction.values.schools import has_school_word
from pipeline.spelling.alphabet import letters
from pipeline.together.votes import Ballot, Poll
from pipeline.together.words import in_case_of

#: Votes that a full name needs.
_ENOUGH = 3
#: Letters that the short name must have in common with it.
_TELLING = 4


@dataclass(frozen=True, slots=True)
class FullName:
    """A full name and the ids of the entries whose names contain the short one."""

    name: str
    members: frozenset[str]


def full_name(short: str, ballot: Ballot, poll: Poll) -> FullName | None:
    """Return the full name that a value without a word for a school stands for; None where that is not sure.

    Every word of the value must be in the full name, one of them cut as recognition cuts words: a short name of
    whole words is what was written. All full names that have them must be of one school: their other words agree.
    """
    words = {key for word in short.split() if (key := letters(word))}
    if has_school_word(short) or ballot.numbers:
        return None
    full = [other for other in poll.having_any(words) if other.key != ballot.key and _is_short_for(words, other)]
    telling = Counter[frozenset[str]]()
    for other in full:
        telling[other.telling] += other.weight
    (most, votes), *others = telling.most_common() or [(frozenset(), 0)]
    if votes < _ENOUGH or any(not (most <= less or less <= most) for less, _ in others):
        return None
    spelled = Counter[str]()
    for other in full:
        if other.telling == most:
            spelled[other.text] += other.weight
    # The longest of those written most often.
    name = max(spelled, key=lambda text: (spelled[text], len(text), text))
    members = frozenset(other.key for other in full if other.key is not None)
    cut = not words <= {letters(word) for word in name.split()}
    return FullName(in_case_of(short, name), members) if cut and len(members) > 1 else None


def _is_short_for(words: set[str], full: Ballot) -> bool:
    keys = {word.key for word in full.words if word.key}
    if sum(map(len, words & full.telling)) < _TELLING or not has_school_word(full.text):
        return False
    return all(word in keys or any(key.startswith(word) or key.endswith(word) for key in keys) for word in words)
