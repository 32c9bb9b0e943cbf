"""Respell values that entries which came together have in common: school, teacher, place."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.messages import Message
from pipeline.extraction.values.names import is_teacher
from pipeline.extraction.values.schools import is_kind_word
from pipeline.messages import TogetherWay
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import kind_of
from pipeline.spelling.prior import Prior, names, school_words
from pipeline.together.change import Change, Member, is_carried, may_be_respelled
from pipeline.together.everyday import full_name
from pipeline.together.lines import Lines
from pipeline.together.spaces import respaced
from pipeline.together.votes import Ballot, Poll, Standing, as_read
from pipeline.together.words import Word, is_near

#: Votes that overrule a spelling, and those that overrule one that may be meant: a listed word of its own.
_ENOUGH, _CLEARLY = 3, 5
#: How many other entries it takes at least, whatever they count.
_OTHERS = 2
#: The votes of any other spelling must be fewer than this share of those of the first.
_RIVAL = 0.5
#: A listed word was misread, and is no other name, if it is this long, or if so many letters of the others agree.
_LONG, _AGREEING = 8, 6
#: Logarithm of the share of a word that is too rare to be told from a misread one.
_RARE = -14.0


def common_changes(
    name: str, members: Mapping[str, Member], register: Collection[str], asked: Collection[str]
) -> dict[str, Change]:
    """Return the changes of one field by the id of the entry, for the entries asked for.

    `register` holds the names of the known schools.
    """
    open_to_change = {key for key in asked if may_be_respelled(members[key].reading(name))}
    if not open_to_change:
        return {}
    listed = register if kind_of(name) is FieldKind.SCHOOL else ()
    poll = Poll.of(name, members, listed, _is_telling)
    lines = Lines(poll, _prior(name), _is_telling)
    return {
        ballot.key: change
        for ballot in poll.ballots
        if ballot.key in open_to_change and (change := _change(name, members, ballot, poll, lines)) is not None
    }


def _change(name: str, members: Mapping[str, Member], ballot: Ballot, poll: Poll, lines: Lines) -> Change | None:
    assert ballot.key is not None
    member = members[ballot.key]
    reading = member.reading(name)
    assert reading.value is not None
    spaced = as_read(ballot, respaced(ballot, poll), _is_telling)
    after = spaced.text
    supporters = _with_words(poll, ballot, spaced) if after != ballot.text else frozenset()
    if not poll.occurs_again(ballot) and (changed := _respelled(name, spaced, poll, lines)) is not None:
        after, supporters = changed
    by_lines, won = lines.respelled(as_read(ballot, after, _is_telling))
    if won:
        after, supporters = by_lines.text, min((one.members for one in won), key=len)
    if after == ballot.text:
        return None
    return Change(
        field=name,
        before=reading.value,
        after=after,
        support=len(supporters),
        way=_way(member, members, supporters).to_json(),
        carried=is_carried(reading, after),
    )


def _respelled(name: str, ballot: Ballot, poll: Poll, lines: Lines) -> tuple[str, frozenset[str]] | None:
    """Return the value that a ballot stands for and the entries that support it; None where it stands."""
    winners = {
        at: won
        for at, word in enumerate(ballot.words)
        if (won := _winner(name, ballot, word, poll)) and lines.admits(ballot, word.key, won)
    }
    after = " ".join(_written(word, winners.get(at)) for at, word in enumerate(ballot.words))
    supporters = [won.members for won in winners.values()]
    if kind_of(name) is FieldKind.SCHOOL and (full := full_name(after, ballot, poll)):
        after = full.name
        supporters.append(full.members)
    # Each word may be spelled by other entries; the fewest are said to support the whole.
    return (after, min(supporters, key=lambda keys: (len(keys), sorted(keys)))) if supporters else None


def _with_words(poll: Poll, ballot: Ballot, spaced: Ballot) -> frozenset[str]:
    """Return the other entries that have the words which a value has only with other spaces."""
    new = {word.key for word in spaced.words} - {word.key for word in ballot.words}
    return frozenset(
        other.key
        for other in poll.ballots
        if other.key is not None and other is not ballot and new <= {word.key for word in other.words}
    )


def _winner(name: str, ballot: Ballot, word: Word, poll: Poll) -> Standing | None:
    """Return the spelling that overrules a word; None where the word stands, or no spelling is clearly first."""
    key = word.key
    if not key or poll.is_listed(key):
        return None
    found = poll.standings(ballot, key, _ENOUGH)
    if not found or (len(found) > 1 and found[1].votes >= _RIVAL * found[0].votes):
        return None
    won = found[0]
    if len(won.members) < _OTHERS or poll.votes_of(key) >= _RIVAL * won.votes:
        return None
    if is_near(key, won.spelling) and not _is_word(name, key):
        return won
    return won if won.votes >= _CLEARLY and _is_misread(name, ballot, key, won) else None


def _is_misread(name: str, ballot: Ballot, key: str, won: Standing) -> bool:
    """Whether a word that many others contradict was misread, and is no other name."""
    if not _is_word(name, key):
        return True
    agreeing = sum(len(other) for other in ballot.telling - {key} if other in won.company)
    return len(key) >= _LONG or (is_near(key, won.spelling) and agreeing >= _AGREEING)


def _is_word(name: str, key: str) -> bool:
    """Whether a spelling is a word by itself that schools or persons are called by, and no rare one."""
    return _prior(name).words.get(key, _RARE) > _RARE


def _prior(name: str) -> Prior:
    return names() if kind_of(name) is FieldKind.PERSON else school_words()


def _is_telling(text: str) -> bool:
    """Whether a word tells a value from others: no title, no word for a kind of school."""
    return not is_kind_word(text) and not is_teacher(text)


def _written(word: Word, won: Standing | None) -> str:
    return word.respelled(won.surface) if won else str(word)


def _way(member: Member, members: Mapping[str, Member], supporters: Collection[str]) -> Message:
    """Say how many other entries have it so: of the file if all of them are in it, else of the upload."""
    in_file = all(members[key].file == member.file for key in supporters)
    code = TogetherWay.AS_IN_FILE if in_file else TogetherWay.AS_IN_UPLOAD
    return Message.of(code, count=len(supporters))
