"""Features of what sources name, from which the models of `judging` tell whether it is an item of the request.

A feature is a short text; a model has a weight for each that it knows. After a change here the models must be
trained anew: `make items`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from research.catalog.candidate_names import same_item
from research.material import SourceText
from research.questions.catalog_fields import without_fields
from research.readers.protocol import Asked
from research.readers.rules.blocks import Entry, entries_of
from research.readers.rules.fields import fields_told, is_label, stated, tells
from research.readers.rules.named import CAPITAL, SMALL, Named, Place
from research.readers.rules.names import is_named, is_only_a_word, own_name
from research.readers.rules.overlaps import overlapping
from research.readers.rules.vocabulary import field_kinds, folded, is_a, pattern, words
from research.text import content_stems
from research.text.linear_model import amount
from research.words import words_of

_TOKEN = re.compile(r"[^\W_][\w'-]*|[^\w\s]")
#: Characters, and words, before and behind a name that are read for what it is.
_AROUND, _WORDS = 60, 5
#: What may stand before a name that begins a line, and behind one that ends it.
_MARKS, _ENDS = ' -*•#|>·–—«“"0123456789.)', " |*.:"
_GOES_ON = re.compile(rf" (?:{SMALL} )?{CAPITAL}")
_QUOTES = dict.fromkeys('"“”«»‘', "quote") | dict.fromkeys("–—-", "dash") | dict.fromkeys("£$€", "money")
#: What sentences and entries say of what they name.
_SAID = ("ended", "planned", "unsuitable", "trading")
_PARTS_READ = 4
#: Names are counted in so many characters of the pages, up to so many.
_SPAN, _MOST_DENSE = 400, 12
#: Bounds of chances that are features.
_CHANCES = (0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Pages:
    """The sources of a request and their entries, taken apart once for all names."""

    asked: Asked
    sources: Mapping[str, SourceText]
    #: By source key.
    entries: Mapping[str, Sequence[Entry]]

    @classmethod
    def of(cls, asked: Asked, sources: Mapping[str, SourceText]) -> Self:
        """Return the sources with their entries."""
        return cls(asked, sources, {key: entries_of(one.text, one.language) for key, one in sources.items()})

    def within(self, keys: Collection[str]) -> Self:
        """Return some of the sources, as if there were no others."""
        sources = {key: source for key, source in self.sources.items() if key in keys}
        return replace(self, sources=sources, entries={key: self.entries[key] for key in sources})

    @cached_property
    def subject(self) -> frozenset[str]:
        """Stems of the request, without its fields and names, which say nothing of the requested kind."""
        plain = [word for word in without_fields(self.asked.query).split() if word.islower() or word.isupper()]
        return frozenset(content_stems(" ".join(plain), self.asked.language))

    @cached_property
    def folded(self) -> Mapping[str, str]:
        """The folded text of each source."""
        return {key: folded(source.text) for key, source in self.sources.items()}

    @cached_property
    def everything(self) -> str:
        """The texts of all sources."""
        return "\n".join(source.text for source in self.sources.values())

    @cached_property
    def told(self) -> Mapping[tuple[str, str], list[tuple[bool, int]]]:
        """By source and group of entries: of each whether it is named, and how many fields it tells."""
        found: dict[tuple[str, str], list[tuple[bool, int]]] = defaultdict(list)
        for key, entries in self.entries.items():
            for one in entries:
                fields = len(fields_told(one.name, one.parts, self.asked.fields))
                found[key, one.group].append((is_named(one.name), min(3, fields)))
        return found

    @cached_property
    def own_names(self) -> Mapping[str, str]:
        """By source, the name whose own page it is, "" if none."""
        return {key: own_name(source) for key, source in self.sources.items()}

    def shared(self, text: str, language: str) -> int:
        """Return how many stems of the request a text has."""
        return len(self.subject.intersection(content_stems(text, language)))


def signs_of(named: Named, pages: Pages, count: int) -> set[str]:
    """Return the features of a name by itself. `count`: how many names the pages write."""
    sources, total = {one.source_key for one in named.places}, len(named.places)
    times: Counter[str] = Counter()
    fields: set[str] = set()
    for place in named.places:
        times.update(set(_of_place(place, pages)))
        fields |= _fields_beside(place, pages)
    found = {
        *times,
        *(f"mostly {sign}" for sign, often in times.items() if 2 * often >= total and not sign.startswith("near")),
        *(sign for key, entry in named.entries for sign in _of_entry(key, entry, pages)),
        *_of_name(named, pages),
        *(sign for key in sources for sign in _of_reference(named, key, pages)),
    }
    several, told, led = min(4, len(sources)), min(3, len(fields)), min(3, len(named.entries))
    share = round(3 * len(fields) / max(1, len(pages.asked.fields)))
    pages_read = min(4, len(pages.sources))
    density = min(_MOST_DENSE, round(count * _SPAN / max(1, len(pages.everything))))
    return found | {
        f"density {density}",
        f"named by {several} of {pages_read}",
        *(f"sources {several}", f"places {amount(total)}", f"fields {told}", f"share of fields {share}"),
        *(f"sources {several} fields {told}", f"entries {led}", f"entries {led} sources {several}"),
    }


def signs_among(signs: Sequence[set[str]], names: Sequence[Named], chances: Sequence[float]) -> Iterator[set[str]]:
    """Yield the features of each name among all. `chances`: of each by itself, from 0 to 1.

    How many items there are says nothing: a page may list five or fifty.
    """
    beside: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, one in enumerate(names):
        for group in {(key, entry.group) for key, entry in one.entries}:
            beside[group].append(at)
    for at, (alone, overlaps) in enumerate(zip(signs, overlapping(names), strict=True)):
        own = chances[at]
        found = {*alone, *_above("chance", own)}
        for what, others in (("longer", overlaps[0]), ("shorter", overlaps[1])):
            most = max((chances[other] for other in others), default=0.0)
            found |= {*_above(what, most), f"{what} {min(2, len(others))}", f"{what} is better {most > own}"}
        groups = {(key, entry.group) for key, entry in names[at].entries}
        if listed := [chances[other] for group in groups for other in beside[group] if other != at]:
            found |= {
                *_above("beside", sum(listed) / len(listed)),
                *_above("best beside", max(listed)),
                "is beside",
            }
        yield found


def _above(what: str, chance: float) -> Iterator[str]:
    yield from (f"{what} above {bound}" for bound in _CHANCES if chance > bound)


def _tokens(text: str) -> list[str]:
    """Return the words and marks of a folded text, with classes for numbers, days, months and quotation marks."""
    return [_class_of(match[0]) for match in _TOKEN.finditer(text)]


def _class_of(token: str) -> str:
    if token[0].isdigit():
        return "number" if len(token) < 4 else "year"
    if token in _QUOTES:
        return _QUOTES[token]
    kinds = (
        kind.name for kind in field_kinds() if kind.name in {"hours", "date"} and kind.stated.fullmatch(token)
    )
    return next(kinds, token)


def _of_place(place: Place, pages: Pages) -> Iterator[str]:
    """Yield the features of one place of a name: the words and marks around it, and what its sentence says."""
    text, plain = pages.sources[place.source_key].text, pages.folded[place.source_key]
    language, start, end = pages.sources[place.source_key].language, place.start, place.end
    before, after = _tokens(plain[max(0, start - _AROUND) : start]), _tokens(plain[end : end + _AROUND])
    line = text[text.rfind("\n", 0, start) + 1 : start]
    rest = text[end : close if (close := text.find("\n", end)) >= 0 else len(text)]
    begins, ends = not line.strip(_MARKS), not rest.strip(_ENDS)
    yield from (name for name, holds in (("begins", begins), ("ends", ends), ("line", begins and ends)) if holds)
    behind = before[-1] if before and line.strip() else "^"
    first, second, third = (*after, "$", "$", "$")[:3] if rest.strip() else ("$", "$", "$")
    yield from (f"before {behind}", f"after {first}", f"after {first} {second}")
    if first in {",", "("}:
        yield f"after {first} {second} {third}"
    if behind != "^" and len(before) > 1:
        yield f"before {before[-2]} {behind}"
    yield from (f"near before {word}" for word in before[-_WORDS:])
    yield from (f"near after {word}" for word in after[:_WORDS])
    if _GOES_ON.match(text, end):
        yield "goes on"
    if not begins and _has_capital_last(line):
        yield "goes before"
    sentence = slice(*_sentence(plain, place))
    said = plain[sentence]
    shared = pages.shared(text[sentence], language)
    yield from (f"says of the subject {least}" for least in (1, 2) if shared >= least)
    yield from (
        f"says {name}" for name in (*_SAID, "offers", "introduces", "negations") if pattern(name).search(said)
    )
    if any(map(str.isdigit, said)):
        yield "says a number"
    if pattern("agents").search(plain[max(0, start - 30) : start]):
        yield "agent"
    if pattern("places", language).search(plain[max(0, start - 8) : start]):
        yield "place"
    if kind := is_a().match(plain, end):
        yield from ("is a", f"is a of the subject {pages.shared(kind[1], language) > 0}")
    yield from (
        name
        for name, holds in (("first fifth", 5 * start < len(text)), ("last", 5 * start > 4 * len(text)))
        if holds
    )


def _has_capital_last(line: str) -> bool:
    """Return whether the last word of a line is written like a name, a small one behind it left out."""
    said = line.split()[-2:]
    if said and (said[-1] == "&" or said[-1] in words_of("joining")):
        said.pop()
    return bool(said) and line.endswith(" ") and re.fullmatch(CAPITAL, said[-1]) is not None


def _sentence(plain: str, place: Place) -> tuple[int, int]:
    """Return where the sentence or line around a place begins and ends."""
    start = max(plain.rfind(". ", 0, place.start), plain.rfind("\n", 0, place.start)) + 1
    ends = [at for mark in (". ", "\n") if (at := plain.find(mark, place.end)) >= 0]
    return start, min(ends, default=len(plain))


def _fields_beside(place: Place, pages: Pages) -> set[str]:
    """Return the fields that the sentence around a place states."""
    sentence = slice(*_sentence(pages.folded[place.source_key], place))
    text = pages.sources[place.source_key].text[sentence]
    return {field for field in pages.asked.fields if stated(text, field)}


def _of_entry(key: str, entry: Entry, pages: Pages) -> Iterator[str]:
    """Yield the features of a row, list entry, headed part or paragraph that the name leads."""
    source, beside = pages.sources[key], pages.told[key, entry.group]
    kind, told = entry.group.split()[0], min(3, len(fields_told(entry.name, entry.parts, pages.asked.fields)))
    mean = sum(fields for _, fields in beside) / len(beside)
    named = round(2 * sum(is_named for is_named, _ in beside) / len(beside))
    telling = round(2 * sum(fields > 0 for _, fields in beside) / len(beside))
    own = folded(" ".join([entry.name, *(f"{part.label} {part.text}" for part in entry.parts)]))
    above = pages.shared(" ".join([source.reference.title, *entry.headings]), source.language)
    of_group = f"{kind} named {named}, telling {telling}, subject {above > 0}"
    yield from (
        kind,
        f"{kind} tells {told}",
        f"tells {told}",
        f"of {min(3, len(beside))}",
        f"{kind} named {named}",
    )
    yield from (
        f"{kind} mean {round(mean)}",
        f"over mean {round(told - mean)}",
        f"parts {amount(len(entry.parts))}",
    )
    yield from (f"entry of the subject {min(3, pages.shared(own, source.language))}", of_group)
    yield f"headings of the subject {min(3, above)}"
    if told and len(beside) > 1:
        yield f"{of_group}, tells {min(2, told)}"
    if is_label(entry.name):
        yield "is a label"
    yield from (f"entry says {name}" for name in _SAID if pattern(name).search(own))
    for heading in entry.headings[-1:]:
        yield from (f"heading {word}" for word in _tokens(folded(heading)))
        if pattern("over").match(folded(heading)):
            yield "heading is over"
    if empty := sum(not tells(part.text) for part in entry.parts):
        yield f"empty parts {min(2, empty)}"
    if kind == "row":
        yield from (f"cell {word}" for part in entry.parts for word in _tokens(folded(part.text)))
    else:
        yield from (f"label {word}" for part in entry.parts[:_PARTS_READ] for word in _tokens(folded(part.label)))


def _of_name(named: Named, pages: Pages) -> Iterator[str]:
    """Yield the features of the words of a name."""
    name = named.names[0]
    said = _tokens(folded(name))
    yield from (f"words {min(6, len(said))}", f"first word {said[0]}", f"last word {said[-1]}")
    for word in said:
        yield from (f"word {word}", f"ending {word[-3:]}")
    yield from (f"small {word}" for word in name.split() if word.islower())
    yield from (
        f"word of {each}"
        for each in ("payers", "titles", "place_openings", "place_endings")
        if words(each) & {*said}
    )
    yield f"name of the subject {min(3, pages.shared(name, pages.asked.language))}"
    yield f"language {pages.asked.language}"
    marks = {
        "capitals": name.isupper(),
        "small words": any(map(str.islower, name.split())),
        "organisation": not words_of("organisations").isdisjoint(said),
        "joined capitals": not name.isupper()
        and any(char.isupper() for word in name.split() for char in word[1:]),
        "several forms": len(named.names) > 1,
        "only a word": is_only_a_word(name, pages.everything),
        "in the request": folded(name) in folded(pages.asked.query),
    }
    yield from (mark for mark, holds in marks.items() if holds)


def _of_reference(named: Named, key: str, pages: Pages) -> Iterator[str]:
    """Yield the features of a name in what is known of a source."""
    source, own = pages.sources[key], pages.own_names[key]
    title = folded(source.reference.title)
    if any(folded(name) in title for name in named.names):
        yield "in title"
    if own and _is_one_of(own, named.names):
        yield "own page"
    for other in filter(None, [*source.reference.authors, source.reference.publisher]):
        if _is_one_of(other, named.names):
            yield "is publisher"
        elif any(folded(name) in folded(other) for name in named.names):
            yield "in publisher"


def _is_one_of(name: str, names: Iterable[str]) -> bool:
    return any(same_item(name, other) for other in names)
