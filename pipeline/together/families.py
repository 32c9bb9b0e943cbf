"""Decode the family names of two persons of one entry together: families mostly share a name.

A family name that was recognised is compared with that of the other person. Where the two differ by as few letters
as a misread word does, they are taken for one name: the likelier of the two by what speaks for each reading, or a
listed name between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.messages import Message
from pipeline.messages import TogetherWay
from pipeline.profiles.declared import declared_fields, family_fields
from pipeline.schema import FieldReading
from pipeline.spelling.alphabet import letters
from pipeline.spelling.prior import PARTICLES, names
from pipeline.together.change import Change, Member, is_carried, may_be_respelled
from pipeline.together.family_spaces import with_family_name
from pipeline.together.words import Word, distance, is_near, words_of

#: What a letter that was read otherwise counts against a name, as a logarithm, in a reading without any doubt.
_LETTER = 6.0
#: What an address that holds the name counts for it: about one letter of a reading.
_MAILBOX = 5.0
#: By how much one name must be likelier than the other.
_CLEARLY = 1.0


@dataclass(frozen=True, slots=True)
class _Name:
    """A family name as it stands in a field."""

    field: str
    reading: FieldReading
    words: tuple[Word, ...]
    #: Which word it is.
    at: int

    @property
    def key(self) -> str:
        return self.words[self.at].key

    @property
    def may_change(self) -> bool:
        return may_be_respelled(self.reading)


def family_changes(member: Member) -> list[Change]:
    """Return the changes of the family names of one entry, for each relation that the fields declare."""
    found: list[Change] = []
    for person, relative in family_fields().items():
        some, others = _family_names(member, person), _family_names(member, relative)
        if {name.key for name in some} & {name.key for name in others}:
            continue
        spaced = [change for pair in ((some, others), (others, some)) if (change := _spaced(*pair)) is not None]
        found += spaced or _decided(member, some, others)
    return found


def _family_names(member: Member, name: str) -> list[_Name]:
    """Return the words of a person's name that may be family names, the last first; the first word is none."""
    reading = member.reading(name)
    words = tuple(words_of(reading.value or ""))
    last = [at for at, word in enumerate(words) if at and word.key and word.key not in PARTICLES]
    return [_Name(name, reading, words, at) for at in reversed(last)]


def _spaced(some: list[_Name], others: list[_Name]) -> Change | None:
    """Return the change that writes the end of a name as one word, where the other person has that word."""
    if not some or not others or not some[0].may_change:
        return None
    after = with_family_name(some[0].words, others[0].key)
    return None if after is None else _change(some[0], after, others[0])


def _decided(member: Member, some: list[_Name], others: list[_Name]) -> Iterator[Change]:
    """Yield the changes that give both persons the likelier of two names that may be one, the last first."""
    near = [(one, other) for one in some for other in others if is_near(one.key, other.key)]
    if not near:
        return
    one, other = min(near, key=lambda pair: -pair[0].at - pair[1].at)
    scores = {key: _score(member, key, one, other) for key in _candidates(one, other)}
    best, *rest = sorted(scores, key=lambda key: (-scores[key], key))
    if rest and scores[best] - scores[rest[0]] < _CLEARLY:
        return
    for name, relative in ((one, other), (other, one)):
        if name.key != best and name.may_change:
            yield _change(name, _respelled(name, best, relative), relative)


def _candidates(one: _Name, other: _Name) -> set[str]:
    """Return the spellings that may be meant: those read, and where both may be misread, listed ones between."""
    read = {name.key for name in (one, other)}
    if one.may_change and other.may_change:
        return read | (set(names().near(one.key)) & set(names().near(other.key)))
    # What was not recognised stands as it is.
    return {name.key for name in (one, other) if not name.may_change} or read


def _score(member: Member, key: str, one: _Name, other: _Name) -> float:
    """Return the logarithm of a name's likelihood, up to a constant: as a name, and by what was read."""
    score = names().of(key) + (_MAILBOX if key in _mailbox(member) else 0.0)
    return score - sum(_LETTER * name.reading.confidence * distance(key, name.key) for name in (one, other))


def _mailbox(member: Member) -> str:
    """Return the letters of the addresses that are made of such names."""
    spelled = [name for name, declared in declared_fields().items() if declared.spells]
    return " ".join(letters((member.reading(name).value or "").partition("@")[0]) for name in spelled)


def _respelled(name: _Name, key: str, relative: _Name) -> str:
    surface = relative.words[relative.at].text if relative.key == key else key.capitalize()
    return " ".join(word.respelled(surface) if at == name.at else str(word) for at, word in enumerate(name.words))


def _change(name: _Name, after: str, relative: _Name) -> Change:
    assert name.reading.value is not None
    return Change(
        field=name.field,
        before=name.reading.value,
        after=after,
        support=0,
        way=Message.of(TogetherWay.FAMILY_NAME, field=relative.field).to_json(),
        carried=is_carried(name.reading, after),
    )
