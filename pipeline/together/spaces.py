"""Join pieces of a word, and part joined words, where other entries write them so."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.together.votes import Ballot, Poll
from pipeline.together.words import Word

#: Votes for the other way to write it.
_ENOUGH = 3


def respaced(ballot: Ballot, poll: Poll) -> str:
    """Return the value of a ballot with the spaces that others have between the same letters."""
    return " ".join(_joined(list(_parted(ballot.words, poll)), poll))


def _joined(words: list[Word], poll: Poll) -> Iterator[str]:
    at = 0
    while at < len(words):
        pair = words[at : at + 2]
        key = "".join(word.key for word in pair)
        pieces = len(pair) > 1 and all(word.key and poll.votes_of(word.key) < _ENOUGH for word in pair)
        if pieces and poll.votes_of(key) >= _ENOUGH:
            one, other = pair
            end = other.text if other.text.isupper() else other.text.lower()
            yield f"{one.before}{one.text}{end}{other.after}"
            at += 2
        else:
            yield str(words[at])
            at += 1


def _parted(words: tuple[Word, ...], poll: Poll) -> Iterator[Word]:
    for word in words:
        first = poll.first_of_two(word.key, _ENOUGH)
        if first is None or len(word.text) != len(word.key) or poll.votes_of(word.key) >= _ENOUGH:
            yield word
            continue
        second = word.text[len(first) :]
        yield Word(word.before, word.text[: len(first)], "")
        yield Word("", second if word.text.isupper() else second[:1].upper() + second[1:], word.after)
