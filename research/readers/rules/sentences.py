"""Read plain sentences: what is offered under a name, and what is said of a name that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
_NAME = rf"{_CAPITAL}(?: (?:{_SMALL} ){{0,2}}{_CAPITAL}){{0,6}}"
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
        ending = [one for one in longer if one.endswith(f" {bare}")]
        return ending[0] if len(ending) == 1 else bare
    if any(letter.isupper() for letter in bare[1:]) and not bare.isupper():
        return bare
    several = sorted(one for one in longer if len(one.split()) > 1)
    return min(several, key=len) if has_article and several else ""


def _without_article(name: str) -> list[str]:
    said = name.split()
    return said[1:] if said[0].casefold() in words_of("leading") else said


def _is_other(name: str, source: SourceText) -> bool:
    """Return whether a name is that of a person, place or office, or of the page's author or publisher."""
    text, said = folded(source.text), folded(name).split()
    plain = re.escape(" ".join(said))
    person = rf"{plain},? (?:{pattern('persons').pattern})|(?:{pattern('titles').pattern})\.? {plain}"
    place = rf"(?:{pattern('places').pattern}) {plain}(?!\w)"
    if re.search(person, text) or re.search(place, text):
        return True
    if len(said) == 2 and (said[0] in words("place_openings") or said[1] in words("place_endings")):
        return True
    if words_of("organisations").intersection(name.casefold().split()):
        return True
    others = [*source.reference.authors, source.reference.publisher or ""]
    return any(same_item(name, other) for other in others if other)
