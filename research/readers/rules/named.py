"""Find the names that pages write. Any of them may be an item of a catalog: `signs` and `items` tell which are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from research.catalog.candidate_names import item_name, same_item
from research.material import SourceText
from research.readers.rules.blocks import Entry
from research.readers.rules.names import is_named, plain_name
from research.readers.rules.statements import speaks_to_machines
from research.readers.rules.vocabulary import field_kinds, folded, words
from research.words import words_of

CAPITAL = r"[A-ZÁÉÍÓÚÑÜ][\w'’&-]*"
SMALL = f"(?:&|{'|'.join(sorted(words_of('joining')))})"
NAME = re.compile(rf"{CAPITAL}(?:(?: {SMALL}){{0,2}} (?:{CAPITAL}|\d{{1,3}}(?!\w)))*")
#: Where what is written like one name may be two, or a name and what stands before it: "Try out the Otter Hour".
_JOINT = re.compile(
    r" (?:at|in|en|con|from|with|a|to|by|and|y|on|para|for|de|of|is|es)(?: (?:the|la|el|los|las|un|una))? "
)
_QUOTED = re.compile(r"[«“\"]([^«»“”\"\n]{3,60})[»”\"]")
#: What ends before a sentence, line or list entry begins, where any word has a capital letter.
_BEGINS = re.compile(
    r"(?:^|[.!?:;…][)\"”»’]*\s+[\"“«¿¡(*_]*|\n[\s>]*(?:[-*•·▪‣◦–—#|]+\s*|\d+[.)]\s*)?[\"“«¿¡(*_]*)$"
)
_WORD = re.compile(r"[^\W_][\w'’-]*")
_LONGEST, _SHORTEST = 70, 3


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a name stands in a source."""

    source_key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Named:
    """What one or several forms of a name denote."""

    #: The longest first.
    names: tuple[str, ...]
    #: In the order of the sources and their texts, without those in orders to programs.
    places: tuple[Place, ...]
    #: By source key, what the name leads.
    entries: tuple[tuple[str, Entry], ...]

    @property
    def cores(self) -> frozenset[tuple[str, ...]]:
        """The folded words of each form, without articles."""
        return frozenset(
            tuple(word for word in map(folded, _WORD.findall(name)) if word not in words("articles"))
            for name in self.names
        )

    def within(self, keys: Collection[str]) -> Named:
        """Return it as these sources alone name it."""
        return replace(
            self,
            places=tuple(place for place in self.places if place.source_key in keys),
            entries=tuple(entry for entry in self.entries if entry[0] in keys),
        )


def named_in(sources: Mapping[str, SourceText], entries: Mapping[str, Sequence[Entry]]) -> list[Named]:
    """Return what the sources name, the longest name first. `entries`: of each source, those that it has."""
    written: dict[str, list[Place]] = defaultdict(list)
    leading: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
    found: set[str] = set()
    for key, source in sources.items():
        for name, start, end, begins in _written(source.text):
            written[name].append(Place(key, start, end))
            # A word with a capital letter at the beginning of a sentence may be any word.
            if _may_name(name) and not (begins and " " not in name):
                found.add(name)
        for entry in entries[key]:
            if _may_name(name := plain_name(entry.name)):
                leading[name].append((key, entry))
        quoted = (plain_name(match[1]) for match in _QUOTED.finditer(source.text))
        for name in {*filter(_may_name, quoted), *(one for one in leading if one not in written)}:
            found.add(name)
            written[name] = []
    found |= set(leading)
    unwritten = [name for name in found if not written[name]]
    for key, source in sources.items():
        for name in unwritten:
            spelled = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            written[name] += [Place(key, *match.span()) for match in spelled.finditer(source.text)]
    orders = {key: _orders(source.text) for key, source in sources.items()}
    return [
        Named(
            tuple(forms),
            _read_by_people((place for name in forms for place in written[name]), orders),
            tuple(one for name in forms for one in leading.get(name, ())),
        )
        for forms in _same(sorted(found, key=lambda name: (-len(name), name)))
    ]


def _written(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """Yield what is written like a name, its parts, and whether each begins a sentence."""
    for match in NAME.finditer(text):
        begins = _BEGINS.search(text[max(0, match.start() - 8) : match.start()]) is not None or not match.start()
        joints = [(0, 0), *(joint.span() for joint in _JOINT.finditer(match[0])), (len(match[0]),) * 2]
        spans = {(0, len(match[0])): begins}
        for (_, start), (end, _) in pairwise(joints):
            spans.setdefault((start, end), begins and not start)
        for (_, start), (end, _) in ((joints[0], joint) for joint in joints[1:-1]):
            spans.setdefault((start, end), begins)
        for (_, start), (end, _) in ((joint, joints[-1]) for joint in joints[1:-1]):
            spans.setdefault((start, end), False)
        for (start, end), is_first in spans.items():
            whole = match[0][start:end]
            if name := without_lead(whole):
                at = match.start() + end - len(name)
                yield name, at, match.start() + end, is_first and name == whole


def without_lead(name: str) -> str:
    """Return a name without the articles and other small words before it."""
    said = name.split(" ")
    left_out = words_of("leading") | words("openings") | words("articles")
    while said and folded(said[0]).split("'")[0] in left_out:
        said = said[1:]
    return " ".join(said)


def _may_name(name: str) -> bool:
    """Return whether the words may name an item: not days, dates, ages and the like."""
    if not _SHORTEST <= len(name) <= _LONGEST or not is_named(name):
        return False
    said = [word for word in map(folded, _WORD.findall(name)) if word not in words_of("joining")]
    return not all(
        word[0].isdigit() or any(kind.stated.fullmatch(word) for kind in field_kinds()) for word in said
    )


def _same(names: Iterable[str]) -> list[list[str]]:
    """Return the names in groups that denote the same."""
    groups: list[list[str]] = []
    by_word: dict[str, list[list[str]]] = defaultdict(list)
    for name in names:
        parts = item_name(name)
        keys = {*parts.core, *filter(None, [parts.acronym])}
        near = {id(group): group for key in keys for group in by_word[key]}
        group = next((one for one in near.values() if any(same_item(name, other) for other in one)), None)
        if group is None:
            groups.append(group := [])
        group.append(name)
        for key in keys:
            if not any(group is other for other in by_word[key]):
                by_word[key].append(group)
    return groups


def _read_by_people(places: Iterable[Place], orders: Mapping[str, Sequence[range]]) -> tuple[Place, ...]:
    """Return the places in order, the longest of those that begin alike, without those in orders to programs.

    `orders`: by source, in the order of the sources, where such orders stand.
    """
    longest = {(one.source_key, one.start): one for one in sorted(places)}
    order = {key: nth for nth, key in enumerate(orders)}
    kept = (one for one in longest.values() if not any(one.start in span for span in orders[one.source_key]))
    return tuple(sorted(kept, key=lambda one: (order[one.source_key], one.start)))


def _orders(text: str) -> list[range]:
    """Return where lines stand that speak to programs."""
    lines = re.finditer(r"[^\n]+", text)
    return [range(*line.span()) for line in lines if speaks_to_machines(line[0])]
