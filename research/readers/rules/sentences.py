"""Read plain sentences: what is offered under a name, and what is said of a name that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from research.catalog.candidate_names import same_item, short_forms
from research.material import SourceText
from research.readers.rules.blocks import Part, paragraphs_of
from research.readers.rules.fields import Values, stated
from research.readers.rules.leaving_out import speaks_to_machines
from research.readers.rules.names import is_named
from research.readers.rules.vocabulary import field_kinds, folded, pattern, words
from research.text import content_stems
from research.words import words_of

_CAPITAL = r"[A-ZÁÉÍÓÚÑÜ][\w'’&-]*"
_SMALL = "(?:of|the|and|for|de|del|la|las|los|el|y|en|que|por)"
_NAME = rf"{_CAPITAL}(?: (?:{_SMALL} ){{0,2}}(?:{_CAPITAL}|\d{{1,3}}(?= {_CAPITAL}))){{0,6}}"
#: A sentence's subject, after a speaker and a place, and what stands beside it between commas.
_SUBJECT = re.compile(
    rf"(?:[^:\n]{{1,40}}: )?(?:(?:In|At|Near|En) [^,\n]{{2,40}}, )?(?P<name>{_NAME})(?:, [^,]{{2,80}},)? "
)
_NAMES = re.compile(_NAME)
#: Characters after a name in which a place may stand before the verb: "in Galena lends".
_PLACE = 60
#: Kinds of fields that a sentence with "is" or "has" must state.
_PLAIN_KINDS = ("money", "hours")
#: Most sentences that go on about the name of the first.
_GOES_ON = 4
#: Kinds of fields whose values are written with capitals.
_NAMED_VALUES = ("hours", "date", "languages")
_ARTICLES = ("the", "The", "el", "El", "la", "La")


def offered(source: SourceText, wanted: Sequence[str], subject: frozenset[str]) -> Iterator[tuple[str, Values]]:
    """Yield the names that a sentence offers or defines, with what it and the next ones state of the fields.

    `subject`: stems of the request, one of which a definition must have.
    """
    for paragraph in paragraphs_of(source.text, source.language):
        subjects = [_subject(part.quote, source, subject) for part in paragraph]
        for at, name in enumerate(subjects):
            told: Values = {}
            for part, other in zip(paragraph[at : at + _GOES_ON], ("", *subjects[at + 1 :]), strict=False):
                if other:
                    break
                told = _told(part, wanted) | told
            if name and told:
                yield name, told


def described(source: SourceText, wanted: Sequence[str]) -> Iterator[tuple[str, Values]]:
    """Yield the names of several words of which the page states fields, whatever they name.

    A sentence is about the only such name in it, and so are the next ones of its paragraph without any; where
    people talk in turns, also those of the next turns.
    """
    found: dict[str, Values] = {}
    ended: set[str] = set()
    name, left = "", 0
    for paragraph in paragraphs_of(source.text, source.language):
        if not _is_turn(paragraph):
            name = ""
        for part in paragraph:
            if speaks_to_machines(part.quote):
                continue
            if named := _names_of_things(part.text, source):
                name, left = (named.pop() if len(named) == 1 else ""), _GOES_ON
            if name and left > 0:
                left -= 1
                if pattern("ended").search(folded(part.quote)):
                    ended.add(name)
                for field, values in _told(part, wanted).items():
                    found.setdefault(name, {}).setdefault(field, []).extend(values)
    yield from ((name, told) for name, told in found.items() if name not in ended)


def _is_turn(paragraph: Sequence[Part]) -> bool:
    return bool(paragraph and is_named(paragraph[0].label))


def _names_of_things(sentence: str, source: SourceText) -> set[str]:
    """Return the names of several words in a sentence, in full, without those of persons and places."""
    named = {_full_name(one, source.text) for one in _NAMES.findall(sentence) if len(one.split()) > 1}
    return {one for one in named if _may_be_a_thing(one) and not _is_other(one, source)}


def _may_be_a_thing(name: str) -> bool:
    return len(name.split()) > 1 and is_named(name) and not name.isupper()


def has_article(name: str, source: SourceText) -> bool:
    """Return whether the page writes an article or quotation mark before the name, as before no person's."""
    before = rf"(?:{pattern('articles').pattern} |[«“\"*]){re.escape(folded(name))}(?!\w)"
    return bool(re.search(before, folded(source.text)))


def said_of(names: Sequence[str], source: SourceText, wanted: Sequence[str]) -> dict[str, Values]:
    """Return what sentences that name just one of the names say of it."""
    forms = [
        (re.compile(rf"(?<!\w){re.escape(form)}(?!\w)"), name)
        for form, name in short_forms(names).items()
        # "the Barn" means the barn that the page names in full.
        if form.split()[0] not in _ARTICLES or form == name or name in source.text
    ]
    found: dict[str, Values] = {}
    for part in (part for paragraph in paragraphs_of(source.text, source.language) for part in paragraph):
        named = {name for written, name in forms if written.search(part.quote)}
        if len(named) == 1 and not speaks_to_machines(part.quote):
            of_name = found.setdefault(named.pop(), {})
            for field, values in _told(part, wanted).items():
                of_name.setdefault(field, []).extend(values)
    return {name: told for name, told in found.items() if told}


def _told(part: Part, wanted: Sequence[str]) -> Values:
    return {field: [(value, part)] for field in wanted if (value := stated(part.quote, field, wanted))}


def _subject(sentence: str, source: SourceText, subject: frozenset[str]) -> str:
    """Return the name that is the subject of a verb of offering, "" if there is none."""
    match = _SUBJECT.match(sentence)
    if match is None or speaks_to_machines(sentence):
        return ""
    rest = folded(sentence[match.end() :])
    defines = pattern("defines").match(rest) and subject.intersection(content_stems(rest, source.language))
    if not (defines or _offers(rest)) or pattern("ended").search(rest):
        return ""
    name = _full_name(match["name"], source.text)
    return "" if not name or _is_other(name, source) else name


def _offers(rest: str) -> bool:
    if pattern("offers").match(rest):
        return True
    if pattern("places").match(rest):
        verb = pattern("offers").search(rest, 0, _PLACE)
        return verb is not None and not set(",.;:") & set(rest[: verb.start()])
    plain = any(kind.stated.search(rest) for kind in field_kinds() if kind.name in _PLAIN_KINDS)
    return plain and bool(pattern("states").match(rest))


def _full_name(name: str, text: str) -> str:
    """Return the name as the page has it in full: "Family Lodge" for "the Lodge"; "" for a mere word."""
    said = name.split()
    while said and said[0].casefold() in words_of("leading") | words_of("joining"):
        said = said[1:]
    if not said:
        return ""
    has_article, bare = len(said) < len(name.split()), " ".join(said)
    whole = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
    longer = {one for one in _NAMES.findall(text) if len(one.split()) > 1 and whole.search(one) and is_named(one)}
    longer = {" ".join(_without_article(one)) for one in longer}
    if len(said) > 1:
        whole_names = [one for one in longer if one.endswith(f" {bare}") or one.startswith(f"{bare} ")]
        return whole_names[0] if len(whole_names) == 1 else bare
    if any(letter.isupper() for letter in bare[1:]) and not bare.isupper():
        return bare
    several = sorted(one for one in longer if len(one.split()) > 1)
    return min(several, key=len) if has_article and several else ""


def _without_article(name: str) -> list[str]:
    said = name.split()
    return said[1:] if said[0].casefold() in words_of("leading") else said


def _is_value(name: str) -> bool:
    """Return whether a name consists of days, months or languages."""
    said = folded(name)
    for kind in field_kinds():
        said = kind.stated.sub(" ", said) if kind.name in _NAMED_VALUES else said
    return words_of("joining").issuperset(said.split())


@lru_cache(maxsize=4096)
def _is_other(name: str, source: SourceText) -> bool:
    """Return whether a name is that of a person, place or office, or of the page's author or publisher."""
    text, said = folded(source.text), folded(name).split()
    if len(said) == 2 and said[0] in words("titles"):
        return True
    if said[0] in words("states") | words("offers") or _is_value(name):
        return True
    plain = re.escape(" ".join(said))
    person = rf"{plain},? (?:{pattern('persons').pattern})|(?:{pattern('titles').pattern})\.? {plain}"
    place = rf"{pattern('places', source.language).pattern} {plain}(?!\w)"
    speaker = rf"(?m)^(?:\[[^\]]*\] ?)?\W{{0,2}}{plain}\W{{0,2}}:"
    if any(re.search(one, text) for one in (person, place, speaker)):
        return True
    if len(said) == 2 and (said[0] in words("place_openings") or said[1] in words("place_endings")):
        return True
    if words_of("organisations").intersection(name.casefold().split()):
        return True
    others = [*source.reference.authors, source.reference.publisher or ""]
    return any(same_item(name, other) for other in others if other)
