"""Read plain sentences: which things they name, and what they state of a name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from research.catalog.candidate_names import same_item
from research.material import SourceText
from research.readers.rules.blocks import paragraphs_of
from research.readers.rules.fields import Values, stated
from research.readers.rules.names import is_named
from research.readers.rules.statements import ends, speaks_to_machines
from research.readers.rules.vocabulary import field_kinds, folded, pattern, words
from research.text import content_stems
from research.words import words_of

_CAPITAL = r"[A-ZÁÉÍÓÚÑÜ][\w'’&-]*"
_SMALL = r"(?:of|the|and|&|for|on(?! [A-Z][a-z]+days?\b)|de|del|la|las|los|el|y|en|que|por)"
_NAME = re.compile(rf"{_CAPITAL}(?: (?:{_SMALL} ){{0,2}}(?:{_CAPITAL}|\d{{1,3}}(?= {_CAPITAL}))){{0,6}}")
#: Characters before and behind a name that are read for what it is.
_AROUND = 80
_MARKS = ("«", "“", '"', "*")
_LINE_BEGINS = re.compile(r"(?m)^(?:\[[^\]]*\] ?)?\W{0,2}$")
_LEADS = re.compile(r"\W{0,2}(?::| [–—])")


def things_of(source: SourceText, subject: frozenset[str]) -> Counter[str]:
    """Return the names that the page writes like those of things, with the number of signs that they are.

    One is that writing, one a stem of the request, `subject`, in the name or in what the page calls it, one an
    article, a quotation mark or a definition; a word like "called" before it is two.
    """
    text = folded(source.text)
    around: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for match in _NAME.finditer(source.text):
        if _is_proper(name := _bare(match[0])):
            start = match.end() - len(name)
            around[name].append((text[max(0, start - _AROUND) : start], text[match.end() : match.end() + _AROUND]))
    found: Counter[str] = Counter()
    for name, told in around.items():
        if _is_other(name, told, source, subject):
            continue
        kinds = [said[1] for _, after in told if (said := _is_a().match(after))]
        is_kind = not subject.isdisjoint(content_stems(" ".join([name, *kinds]), source.language))
        is_called = any(_after("introduces", before) for before, _ in told)
        is_led = any(
            before[-1:] in _MARKS or _after("articles", before) or pattern("offers").match(after, 1)
            for before, after in told
        )
        found[name] = 1 + is_kind + is_called + (is_called or is_led or bool(kinds))
    return found


def said_of(names: Mapping[str, str], source: SourceText, wanted: Sequence[str]) -> dict[str, Values]:
    """Return what sentences state of each name: those that name it alone, and the next ones of its paragraph.

    Nothing of a name that has ended, nor of a longer one: "Otter Hour Plus" is not "Otter Hour". `names`: by the
    form in which a text may write it.
    """
    forms = [(re.compile(rf"(?<!\w){re.escape(form)}(?!\w)(?! {_CAPITAL})"), name) for form, name in names.items()]
    found: dict[str, Values] = {}
    ended: set[str] = set()
    for paragraph in paragraphs_of(source.text, source.language):
        name = ""
        for part in (one for one in paragraph if ends(one.quote) and not speaks_to_machines(one.quote)):
            named = {meant for written, meant in forms if written.search(part.quote)}
            first = _first_name(part.text)
            if named or first:
                name = names.get(first, "") or (named.pop() if len(named) == 1 else "")
            if not name:
                continue
            for field in wanted:
                if value := stated(part.quote, field, name):
                    found.setdefault(name, {}).setdefault(field, []).append((value, part))
            if pattern("ended").search(folded(part.quote)):
                ended.add(name)
    return {name: told for name, told in found.items() if name not in ended}


def runs_others(name: str, source: SourceText) -> bool:
    """Return whether a page says that something is run, offered or paid for by the one of that name."""
    before = f"{pattern('agents').pattern}(?: {pattern('articles').pattern})? "
    return re.search(before + re.escape(folded(name)) + r"(?!\w)", folded(source.text)) is not None


def _bare(name: str) -> str:
    """Return a name without the articles and other small words before it."""
    said = name.split()
    while said and folded(said[0]).split("'")[0] in words_of("leading") | words("openings"):
        said = said[1:]
    return " ".join(said)


def _first_name(sentence: str) -> str:
    """Return the name that begins a sentence, "" if none does."""
    found = _NAME.match(sentence)
    name = _bare(found[0]) if found else ""
    return name if _is_proper(name) else ""


def _is_proper(name: str) -> bool:
    """Return whether a name has several words, or is one like "BrightVan"."""
    several = " " in name or any(letter.isupper() for letter in name[1:])
    return several and is_named(name) and not name.isupper()


def _is_other(name: str, around: Sequence[tuple[str, str]], source: SourceText, subject: frozenset[str]) -> bool:
    """Return whether a name is that of a person, place, office or value, or of the page's author or publisher."""
    said = folded(name).split()
    # "Nadia and Bethan".
    if len(said) == 3 and said[1] in words("pairing"):
        return True
    of_one = said[0] in words("titles") | words("place_openings") or said[-1] in words("place_endings")
    # "Mondays and Fridays".
    if all(any(kind.stated.fullmatch(word) for kind in field_kinds()) for word in (said[0], said[-1])):
        return True
    bodies = (words_of("organisations") | words("payers")).intersection(said, name.casefold().split())
    if (len(said) == 2 and of_one) or not subject.issuperset(content_stems(" ".join(bodies), source.language)):
        return True
    # What begins a line and stands before a colon or dash is a speaker or the entry of a list.
    leads = any(_LINE_BEGINS.search(before) and _LEADS.match(after) for before, after in around)
    places = sum(_after("places", before, source.language) for before, _ in around)
    others = filter(None, [*source.reference.authors, source.reference.publisher])
    return leads or 2 * places > len(around) or any(same_item(name, other) for other in others)


def _after(words_before: str, before: str, language: str = "") -> bool:
    """Return whether a word of a list ends the text before a name."""
    return re.search(rf"{pattern(words_before, language).pattern} $", before) is not None


@cache
def _is_a() -> re.Pattern[str]:
    """Match what follows a name that is defined, with its kind: ", a club for rowers,", " is a club"."""
    article = pattern("articles").pattern
    return re.compile(rf"(?:(?=, [^.,;]+,),|,? (?:which |que )?(?:is|es)) {article} ([^.,;]+)")
