"""Read plain sentences: which things they name, what they state of them, and what shows that these are items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
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
_SMALL = r"(?:of|the|and|for|on(?! [A-Z][a-z]+days?\b)|de|del|la|las|los|el|y|en|que|por)"
_NAME = rf"{_CAPITAL}(?: (?:{_SMALL} ){{0,2}}(?:{_CAPITAL}|\d{{1,3}}(?= {_CAPITAL}))){{0,6}}"
#: A sentence's subject, after a speaker and a place, and what stands beside it between commas.
_SUBJECT = re.compile(
    rf"(?:[^:\n]{{1,40}}: )?(?:[A-ZÁÉÍÓÚ][^,\n]{{1,40}}, )?(?:(?:known as|called|llamad[oa]|conocid[oa] como) )?"
    rf"(?P<name>{_NAME})(?P<beside>, [^,]{{2,80}},|,)? "
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


@dataclass
class Mention:
    """What a page says of a name."""

    values: Values = field(default_factory=dict)
    #: Whether a sentence offers or defines it as the request's kind of thing.
    is_offered: bool = False
    #: Whether an article, a quotation mark or a word like "called" leads it, as they lead no person's name, or it
    #: begins a sentence of a paragraph about the request.
    is_thing: bool = False


def described(source: SourceText, wanted: Sequence[str], subject: frozenset[str]) -> dict[str, Mention]:
    """Return what the page states of each name, whatever it names.

    A sentence is about its subject if that is offered or defined, else about the only name of several words in it,
    and so are the next ones of its paragraph without any; where people talk in turns, those of the next turns too.

    `subject`: stems of the request, one of which a definition must have.
    """
    found: dict[str, Mention] = {}
    ended: set[str] = set()
    name, left = "", 0
    for paragraph in paragraphs_of(source.text, source.language):
        if not paragraph or not is_named(paragraph[0].label):
            name = ""
        around = " ".join(part.quote for part in paragraph)
        is_about = not subject.isdisjoint(content_stems(around, source.language))
        for part in paragraph:
            if speaks_to_machines(part.quote):
                continue
            offered, things = _offered(part.quote, source, subject), _things(part.text, source)
            match = _SUBJECT.match(part.quote)
            first = _full_name(match["name"], source.text) if match else ""
            if offered or things:
                # A sentence that begins with the name of a person or office is about these.
                only = things.pop() if len(things) == 1 and " " not in first else ""
                name, left = offered or (first if first in things else only), _GOES_ON
            elif " " in first:
                name = ""
            left -= 1
            if name and left >= 0:
                told = found.setdefault(name, Mention(is_thing=_is_led(name, source)))
                told.is_thing |= is_about and first == name
                told.is_offered |= bool(offered) or _is_defined(name, part.text, source, subject)
                _add(told.values, part, wanted, name)
                if pattern("ended").search(folded(part.quote)):
                    ended.add(name)
    return {name: told for name, told in found.items() if told.values and name not in ended}


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
            name = named.pop()
            _add(found.setdefault(name, {}), part, wanted, name)
    return {name: told for name, told in found.items() if told}


def _add(values: Values, part: Part, wanted: Sequence[str], name: str) -> None:
    for key in wanted:
        if value := stated(part.quote, key, wanted, name):
            values.setdefault(key, []).append((value, part))


def _things(sentence: str, source: SourceText) -> set[str]:
    """Return the names of several words in a sentence, in full, without those of persons and places."""
    named = {_full_name(one, source.text) for one in _NAMES.findall(sentence) if " " in one}
    named = {one for one in named if " " in one and is_named(one) and not one.isupper()}
    return {one for one in named if not _is_other(one, source)}


def _is_led(name: str, source: SourceText) -> bool:
    kinds = "|".join(re.escape(folded(word)) for word in sorted(words_of("kinds")))
    leads = rf"(?:{pattern('articles').pattern}|{pattern('introduces').pattern}|\b(?:{kinds}),?) "
    before = rf"(?:{leads}|[«“\"*]){re.escape(folded(name))}(?!\w)"
    return bool(re.search(before, folded(source.text)))


def _offered(sentence: str, source: SourceText, subject: frozenset[str]) -> str:
    """Return the name that is the subject of a verb of offering or of a definition, "" if there is none."""
    match = _SUBJECT.match(sentence)
    if match is None:
        return ""
    beside, rest = folded(match["beside"] or "").lstrip(" ,"), folded(sentence[match.end() :])
    defined = (beside if pattern("articles").match(beside) else "", rest if pattern("defines").match(rest) else "")
    is_kind = any(subject.intersection(content_stems(one, source.language)) for one in defined)
    if not (is_kind or _offers(rest)) or pattern("ended").search(rest):
        return ""
    name = _full_name(match["name"], source.text)
    return "" if not name or _is_other(name, source) else name


def _is_defined(name: str, sentence: str, source: SourceText, subject: frozenset[str]) -> bool:
    """Return whether a word of the request leads the name or says what it is: "a club called X", "X, a club"."""
    before, named, after = folded(sentence).partition(folded(name))
    article, leads = pattern("articles").pattern, rf"(?:{pattern('introduces').pattern}|,)"
    led = re.search(rf"(\w+)(?: {leads}|,)? (?:{article} )?\W?$", before)
    told = re.match(rf"\W{{0,2}} (?:which |que )?(?:is |es )?{article} [^,.;]+", after)
    said = " ".join(found[0] for found in (led, told) if found) if named else ""
    return not subject.isdisjoint(content_stems(said, source.language))


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
    bare = _bare(name)
    whole = re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)")
    longer = {_bare(one) for one in _NAMES.findall(text) if " " in one and whole.search(one) and is_named(one)}
    if not bare or " " in bare:
        whole_names = [one for one in longer if one.endswith(f" {bare}") or one.startswith(f"{bare} ")]
        is_whole = len(whole_names) == 1 and 2 * text.count(whole_names[0]) > text.count(bare)
        return whole_names[0] if is_whole else bare
    if any(letter.isupper() for letter in bare[1:]) and not bare.isupper():
        return bare
    several = sorted(one for one in longer if " " in one)
    return min(several, key=len) if bare != name and several else ""


def _bare(name: str) -> str:
    """Return a name without the articles and other small words before it."""
    said = name.split()
    while said and folded(said[0]).split("'")[0] in words_of("leading") | words_of("joining") | words("openings"):
        said = said[1:]
    return " ".join(said)


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
    if said[0] in words("states") | words("offers") or _is_value(name):
        return True
    if len(said) == 2 and (
        said[0] in words("titles") | words("place_openings") or said[1] in words("place_endings")
    ):
        return True
    plain = re.escape(" ".join(said))
    # What a person says, or what the next sentence says of "her".
    goes_on = rf"{plain}(?:[^\w\n]{{1,3}}|[^.\n]{{1,200}}\. ){pattern('persons').pattern}"
    person = rf"{goes_on}|(?:{pattern('titles').pattern})\.? {plain}"
    place = rf"{pattern('places', source.language).pattern} {plain}(?!\w)"
    speaker = rf"(?m)^(?:\[[^\]]*\] ?)?\W{{0,2}}{plain}\W{{0,2}}:"
    is_place = 2 * len(re.findall(place, text)) > len(re.findall(rf"(?<!\w){plain}(?!\w)", text))
    if is_place or re.search(person, text) or re.search(speaker, text):
        return True
    others = [*source.reference.authors, source.reference.publisher or ""]
    is_office = words_of("organisations").intersection(name.casefold().split())
    return bool(is_office) or any(same_item(name, other) for other in others if other)
