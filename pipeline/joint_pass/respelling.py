"""Respell values that entries of a batch have in common: schools, teachers, places, family names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.messages import Message
from pipeline.extraction.values.names import has_school_word, is_kind_word, is_teacher
from pipeline.joint_pass.lines import Lines
from pipeline.joint_pass.votes import (
    Ballot,
    Member,
    Poll,
    Respelling,
    SpellingSupport,
    ValueWord,
    as_read,
    distance,
    in_case_of,
    is_carried,
    is_near,
    may_be_respelled,
    value_words,
)
from pipeline.profiles import FieldKind, alike_fields, declared_fields, family_fields, field_kind
from pipeline.reason_codes import TogetherWay
from pipeline.schema import FieldReading
from pipeline.spelling.prior import PARTICLES, Prior, all_names, letters, school_words

# The entry point of the joint pass over the entries of a batch.


def respell(
    members: Iterable[Member], register: Collection[str] = (), only: Collection[str] | None = None
) -> dict[str, list[Respelling]]:
    """Return the changes by the id of the entry; an entry without a change is left out.

    `register` holds the names of the season's schools. Entries that are not in `only` vote but are not changed.
    The order of the members and repeated members do not matter.
    """
    by_key = {member.key: member for member in sorted(members, key=lambda member: member.key)}
    asked = [key for key in by_key if only is None or key in only]
    changes: dict[str, list[Respelling]] = {}
    for name in alike_fields():
        for key, change in common_changes(name, by_key, register, asked).items():
            changes.setdefault(key, []).append(change)
    for key in asked:
        if found := family_changes(by_key[key]):
            changes.setdefault(key, []).extend(found)
    return changes


#: Votes that overrule a spelling, and votes that overrule a listed word, which may be intended.
_ENOUGH, _CLEARLY = 3, 5
#: Least number of other entries, however many votes they have.
_OTHERS = 2
#: Any other spelling must have fewer votes than this share of the first one's.
_RIVAL = 0.5
#: A listed word is a misreading, not another name, if it is this long, or if this many letters agree.
_LONG, _AGREEING = 8, 6
#: Logarithm of the frequency below which a word cannot be distinguished from a misread one.
_RARE = -14.0


def common_changes(
    name: str, members: Mapping[str, Member], register: Collection[str], asked: Collection[str]
) -> dict[str, Respelling]:
    """Return the changes of one field by the id of the entry, for the entries asked for.

    `register` holds the names of the known schools.
    """
    open_to_change = {key for key in asked if may_be_respelled(members[key].reading(name))}
    if not open_to_change:
        return {}
    listed = register if field_kind(name) is FieldKind.SCHOOL else ()
    poll = Poll.of(name, members, listed, _is_telling)
    lines = Lines(poll, _prior(name), _is_telling)
    return {
        ballot.key: change
        for ballot in poll.ballots
        if ballot.key in open_to_change and (change := _change(name, members, ballot, poll, lines)) is not None
    }


def _change(
    name: str, members: Mapping[str, Member], ballot: Ballot, poll: Poll, lines: Lines
) -> Respelling | None:
    assert ballot.key is not None
    member = members[ballot.key]
    reading = member.reading(name)
    assert reading.value is not None
    spaced = as_read(ballot, " ".join(_joined(list(_parted(ballot.words, poll)), poll)), _is_telling)
    after = spaced.text
    supporters = _with_words(poll, ballot, spaced) if after != ballot.text else frozenset()
    if not poll.occurs_again(ballot) and (changed := _respelled(name, spaced, poll, lines)) is not None:
        after, supporters = changed
    by_lines, won = lines.respelled(as_read(ballot, after, _is_telling))
    if won:
        after, supporters = by_lines.text, min((one.members for one in won), key=len)
    if after == ballot.text:
        return None
    return Respelling(
        field=name,
        before=reading.value,
        after=after,
        support=len(supporters),
        way=_way(member, members, supporters).to_json(),
        carried=is_carried(reading, after),
    )


def _respelled(name: str, ballot: Ballot, poll: Poll, lines: Lines) -> tuple[str, frozenset[str]] | None:
    """Return the value that replaces a ballot's and the entries that support it; None if it is kept."""
    winners = {
        at: won
        for at, word in enumerate(ballot.words)
        if (won := _winner(name, ballot, word, poll)) and lines.admits(ballot, word.key, won)
    }
    after = " ".join(_written(word, winners.get(at)) for at, word in enumerate(ballot.words))
    supporters = [won.members for won in winners.values()]
    if field_kind(name) is FieldKind.SCHOOL and (full := full_name(after, ballot, poll)):
        after = full.name
        supporters.append(full.members)
    # The support of the value is that of the word with the fewest supporters.
    return (after, min(supporters, key=lambda keys: (len(keys), sorted(keys)))) if supporters else None


def _with_words(poll: Poll, ballot: Ballot, spaced: Ballot) -> frozenset[str]:
    """Return the other entries that have the words that a value gains from new spaces."""
    new = {word.key for word in spaced.words} - {word.key for word in ballot.words}
    return frozenset(
        other.key
        for other in poll.ballots
        if other.key is not None and other is not ballot and new <= {word.key for word in other.words}
    )


def _winner(name: str, ballot: Ballot, word: ValueWord, poll: Poll) -> SpellingSupport | None:
    """Return the spelling that overrules a word; None if the word is kept or no spelling clearly wins."""
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


def _is_misread(name: str, ballot: Ballot, key: str, won: SpellingSupport) -> bool:
    """Whether a word that many others contradict was misread and is not another name."""
    if not _is_word(name, key):
        return True
    agreeing = sum(len(other) for other in ballot.telling - {key} if other in won.company)
    return len(key) >= _LONG or (is_near(key, won.spelling) and agreeing >= _AGREEING)


def _is_word(name: str, key: str) -> bool:
    """Whether a spelling is itself a word, and not a rare one, in names of schools or persons."""
    return _prior(name).words.get(key, _RARE) > _RARE


def _prior(name: str) -> Prior:
    return all_names() if field_kind(name) is FieldKind.PERSON else school_words()


def _is_telling(text: str) -> bool:
    """Whether a word distinguishes a value: it is not a title or a word for a kind of school."""
    return not is_kind_word(text) and not is_teacher(text)


def _written(word: ValueWord, won: SpellingSupport | None) -> str:
    return word.respelled(won.surface) if won else str(word)


def _way(member: Member, members: Mapping[str, Member], supporters: Collection[str]) -> Message:
    """Return the message with the number of other entries: of the file if all are in it, else of the upload."""
    in_file = all(members[key].file == member.file for key in supporters)
    code = TogetherWay.AS_IN_FILE if in_file else TogetherWay.AS_IN_UPLOAD
    return Message.of(code, count=len(supporters))


# Decode the family names of two persons of one entry together: families mostly share a name.
#
# A recognised family name is compared with that of the other person. If they differ by few enough letters for a
# misreading, they count as one name: the likelier of the two by the evidence of each reading, or a listed name
# between them.


#: Evidence (logarithm) against a name for each letter that was read differently in a sure reading.
_LETTER = 6.0
#: Evidence for a name that an e-mail address holds: about one letter of a reading.
_MAILBOX = 5.0
#: Lead (logarithm) that one name needs over the other.
_CLEARLY_LIKELIER = 1.0


@dataclass(frozen=True, slots=True)
class _Name:
    """A family name in a field."""

    field: str
    reading: FieldReading
    words: tuple[ValueWord, ...]
    #: Index of the word.
    at: int

    @property
    def key(self) -> str:
        return self.words[self.at].key

    @property
    def may_change(self) -> bool:
        return may_be_respelled(self.reading)


def family_changes(member: Member) -> list[Respelling]:
    """Return the changes of the family names of one entry, for each relation that the fields declare."""
    found: list[Respelling] = []
    for person, relative in family_fields().items():
        some, others = _family_names(member, person), _family_names(member, relative)
        if {name.key for name in some} & {name.key for name in others}:
            continue
        spaced = [change for pair in ((some, others), (others, some)) if (change := _spaced(*pair)) is not None]
        found += spaced or _decided(member, some, others)
    return found


def _family_names(member: Member, name: str) -> list[_Name]:
    """Return the words of a person's name that may be family names, the last first; never the first word."""
    reading = member.reading(name)
    words = tuple(value_words(reading.value or ""))
    last = [at for at, word in enumerate(words) if at and word.key and word.key not in PARTICLES]
    return [_Name(name, reading, words, at) for at in reversed(last)]


def _spaced(some: list[_Name], others: list[_Name]) -> Respelling | None:
    """Return the change that joins the end of a name into one word if the other person has that word."""
    if not some or not others or not some[0].may_change:
        return None
    after = with_family_name(some[0].words, others[0].key)
    return None if after is None else _name_change(some[0], after, others[0])


def _decided(member: Member, some: list[_Name], others: list[_Name]) -> Iterator[Respelling]:
    """Yield the changes that give both persons the likelier of two names that may be one, last names first."""
    near = [(one, other) for one in some for other in others if is_near(one.key, other.key)]
    if not near:
        return
    one, other = min(near, key=lambda pair: -pair[0].at - pair[1].at)
    scores = {key: _score(member, key, one, other) for key in _candidates(one, other)}
    best, *rest = sorted(scores, key=lambda key: (-scores[key], key))
    if rest and scores[best] - scores[rest[0]] < _CLEARLY_LIKELIER:
        return
    for name, relative in ((one, other), (other, one)):
        if name.key != best and name.may_change:
            yield _name_change(name, _respelled_name(name, best, relative), relative)


def _candidates(one: _Name, other: _Name) -> set[str]:
    """Return the possible spellings: those read and, if both may be misread, listed ones between them."""
    read = {name.key for name in (one, other)}
    if one.may_change and other.may_change:
        return read | (set(all_names().near(one.key)) & set(all_names().near(other.key)))
    # A name that was not recognised is kept.
    return {name.key for name in (one, other) if not name.may_change} or read


def _score(member: Member, key: str, one: _Name, other: _Name) -> float:
    """Return the logarithm of a name's likelihood, up to a constant, by its frequency and the readings."""
    score = all_names().of(key) + (_MAILBOX if key in _mailbox(member) else 0.0)
    return score - sum(_LETTER * name.reading.confidence * distance(key, name.key) for name in (one, other))


def _mailbox(member: Member) -> str:
    """Return the letters of the e-mail addresses that contain such names."""
    spelled = [name for name, declared in declared_fields().items() if declared.spells]
    return " ".join(letters((member.reading(name).value or "").partition("@")[0]) for name in spelled)


def _respelled_name(name: _Name, key: str, relative: _Name) -> str:
    surface = relative.words[relative.at].text if relative.key == key else key.capitalize()
    return " ".join(word.respelled(surface) if at == name.at else str(word) for at, word in enumerate(name.words))


def _name_change(name: _Name, after: str, relative: _Name) -> Respelling:
    assert name.reading.value is not None
    return Respelling(
        field=name.field,
        before=name.reading.value,
        after=after,
        support=0,
        way=Message.of(TogetherWay.FAMILY_NAME, field=relative.field).to_json(),
        carried=is_carried(name.reading, after),
    )


# Complete a school's name with words cut off by recognition, from the full name in other entries.


#: Least votes for a full name.
_ENOUGH_NAMES = 3
#: Least letters that the short name has in common with it.
_TELLING = 4


@dataclass(frozen=True, slots=True)
class FullName:
    """A full name and the ids of the entries whose names contain the short one."""

    name: str
    members: frozenset[str]


def full_name(short: str, ballot: Ballot, poll: Poll) -> FullName | None:
    """Return the full name for a value without a word for a school; None if that is uncertain.

    Every word of the value must be in the full name, one of them cut as recognition cuts words: a short name of
    complete words is kept as written. All full names that have these words must be of one school.
    """
    words = {key for word in short.split() if (key := letters(word))}
    if has_school_word(short) or ballot.numbers:
        return None
    full = [other for other in poll.having_any(words) if other.key != ballot.key and _is_short_for(words, other)]
    telling = Counter[frozenset[str]]()
    for other in full:
        telling[other.telling] += other.weight
    (most, votes), *others = telling.most_common() or [(frozenset(), 0)]
    if votes < _ENOUGH_NAMES or any(not (most <= less or less <= most) for less, _ in others):
        return None
    spelled = Counter[str]()
    for other in full:
        if other.telling == most:
            spelled[other.text] += other.weight
    # The most frequent spelling; the longest of equals.
    name = max(spelled, key=lambda text: (spelled[text], len(text), text))
    members = frozenset(other.key for other in full if other.key is not None)
    cut = not words <= {letters(word) for word in name.split()}
    return FullName(in_case_of(short, name), members) if cut and len(members) > 1 else None


def _is_short_for(words: set[str], full: Ballot) -> bool:
    keys = {word.key for word in full.words if word.key}
    if sum(map(len, words & full.telling)) < _TELLING or not has_school_word(full.text):
        return False
    return all(word in keys or any(key.startswith(word) or key.endswith(word) for key in keys) for word in words)


# Join pieces of a word, and split joined words, as other entries write them.


#: Least votes for the other way to write it.
_ENOUGH_SPACES = 3


def _joined(words: list[ValueWord], poll: Poll) -> Iterator[str]:
    at = 0
    while at < len(words):
        pair = words[at : at + 2]
        key = "".join(word.key for word in pair)
        pieces = len(pair) > 1 and all(word.key and poll.votes_of(word.key) < _ENOUGH_SPACES for word in pair)
        if pieces and poll.votes_of(key) >= _ENOUGH_SPACES:
            one, other = pair
            end = other.text if other.text.isupper() else other.text.lower()
            yield f"{one.before}{one.text}{end}{other.after}"
            at += 2
        else:
            yield str(words[at])
            at += 1


def _parted(words: tuple[ValueWord, ...], poll: Poll) -> Iterator[ValueWord]:
    for word in words:
        first = poll.first_of_two(word.key, _ENOUGH_SPACES)
        if first is None or len(word.text) != len(word.key) or poll.votes_of(word.key) >= _ENOUGH_SPACES:
            yield word
            continue
        second = word.text[len(first) :]
        yield ValueWord(word.before, word.text[: len(first)], "")
        yield ValueWord("", second if word.text.isupper() else second[:1].upper() + second[1:], word.after)


# Set the spaces of a person's name by the family name that another person of the entry has.


#: Letters of the shortest family name by which a name is split.
_SHORTEST = 4
#: Most letters of a piece that is hardly a name by itself.
_PIECE = 2


def with_family_name(words: Sequence[ValueWord], family_name: str) -> str | None:
    """Return a name that ends with the letters of a family name, with these as one word.

    Joins pieces ("Hallow Ay"), and splits the family name from a given name ("sonFinch"). Returns None if the name
    has the word already, ends differently, or consists of names.
    """
    read = "".join(word.key for word in words)
    fits = len(family_name) >= _SHORTEST and read.endswith(family_name) and read != family_name
    if not fits or any(word.key == family_name for word in words):
        return None
    rest, pieces, needed = list(words), list[ValueWord](), len(family_name)
    while needed:
        word = rest.pop()
        if len(word.text) != len(word.key):
            return None
        cut = max(len(word.key) - needed, 0)
        pieces.insert(0, ValueWord("", word.text[cut:], word.after))
        needed -= len(word.key) - cut
        if cut:
            rest.append(ValueWord(word.before, word.text[:cut], ""))
    touched = words[len(rest) - bool(cut) :]
    # Two letters rarely are a name, whatever the list says.
    if all(word.key in PARTICLES or (len(word.key) > _PIECE and all_names().knows(word.key)) for word in touched):
        return None
    last = "".join(piece.text for piece in pieces)
    cased = last.upper() if last.isupper() else last[:1].upper() + last[1:].lower()
    return " ".join([*map(str, rest), f"{cased}{pieces[-1].after}"])
