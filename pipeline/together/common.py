"""Respell values that entries which came together have in common: school, teacher, place."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.messages import Message
from pipeline.extraction.values.names import is_teacher
from pipeline.extraction.values.schools import is_kind_word
from pipeline.messages import TogetherWay
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import kind_of
from pipeline.spelling.prior import names, school_words
from pipeline.together.change import Change, Member, is_carried, may_be_respelled
from pipeline.together.votes import Ballot, Poll, Standing
from pipeline.together.words import Word

#: Votes that overrule a spelling that stands in one entry alone; more are needed for one that is a listed word of
#: its own, as the entry may name another school or person. Shorter listed words are never overruled.
_ENOUGH, _ENOUGH_FOR_LISTED = 3, 5
_LISTED_LETTERS = 5
#: The votes of a second spelling must be fewer than this share of those of the first.
_RIVAL = 0.5


def respelled(name: str, members: Mapping[str, Member], register: Collection[str]) -> dict[str, Change]:
    """Return the changes of one field by the id of the entry. `register` holds the names of the known schools."""
    listed = register if kind_of(name) is FieldKind.SCHOOL else ()
    poll = Poll.of(name, members, listed, _is_telling)
    return {
        ballot.key: change
        for ballot in poll.ballots
        if ballot.key is not None and (change := _change(name, members, ballot, poll)) is not None
    }


def _change(name: str, members: Mapping[str, Member], ballot: Ballot, poll: Poll) -> Change | None:
    assert ballot.key is not None
    member = members[ballot.key]
    reading = member.reading(name)
    if not may_be_respelled(reading):
        return None
    winners = {at: won for at, word in enumerate(ballot.words) if (won := _winner(name, ballot, word, poll))}
    if not winners:
        return None
    after = " ".join(_written(word, winners.get(at)) for at, word in enumerate(ballot.words))
    # Each word may be spelled by other entries; the fewest are said to support the whole.
    supporters = min((won.members for won in winners.values()), key=lambda keys: (len(keys), sorted(keys)))
    assert reading.value is not None
    return Change(
        field=name,
        before=reading.value,
        after=after,
        support=len(supporters),
        way=_way(member, members, supporters).to_json(),
        carried=is_carried(reading, after),
    )


def _winner(name: str, ballot: Ballot, word: Word, poll: Poll) -> Standing | None:
    """Return the spelling that overrules a word; None where the word stands, or no spelling is clearly first."""
    if not word.key or not poll.is_alone(ballot, word.key):
        return None
    found = poll.standings(ballot, word.key, _ENOUGH)
    if not found or (len(found) > 1 and found[1].votes >= _RIVAL * found[0].votes):
        return None
    won = found[0]
    if _is_listed(name, word.key) and (len(word.key) < _LISTED_LETTERS or won.votes < _ENOUGH_FOR_LISTED):
        return None
    return won


def _is_listed(name: str, key: str) -> bool:
    prior = names() if kind_of(name) is FieldKind.PERSON else school_words()
    return prior.knows(key)


def _is_telling(text: str) -> bool:
    """Whether a word tells a value from others: no title, no word for a kind of school."""
    return not is_kind_word(text) and not is_teacher(text)


def _written(word: Word, won: Standing | None) -> str:
    return word.respelled(won.surface) if won else f"{word.before}{word.text}{word.after}"


def _way(member: Member, members: Mapping[str, Member], supporters: Collection[str]) -> Message:
    """Say how many other entries have it so: of the file if all of them are in it, else of the upload."""
    in_file = all(members[key].file == member.file for key in supporters)
    code = TogetherWay.AS_IN_FILE if in_file else TogetherWay.AS_IN_UPLOAD
    return Message.of(code, count=len(supporters))
