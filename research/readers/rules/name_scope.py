"""Assign stretches of text to the names that they are about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.catalog.candidate_names import says_what_it_is
from research.material import SourceText
from research.readers.rules.list_items import sentence_units
from research.words import words_of

#: Most sentences after a mention, in its paragraph, that are still about it.
_FOLLOWING = 5
#: Most characters of a sentence; only the beginning of a longer one, a text without punctuation, is used.
MAX_SENTENCE = 800
#: Characters of marks and articles before the name that an entry begins with.
_BEGINS = 6
_ARTICLES = {"the", "el", "la", "los", "las"}
_BRACKETED = re.compile(r"(?>(?:(?<!\s)\s++)?)[(\[][A-Z][A-Z0-9&.-]{1,9}[)\]]")
#: A word after the match that may be part of a longer name.
_NEXT = re.compile(r" ([A-ZÁÉÍÓÚÑ][^\W\d_]*|\d{1,2}\b)(?! ?[%:.,]\d)")
_LAST = re.compile(r"(?:^|(?<=[\s(]))([A-ZÁÉÍÓÚÑ][^\W\d_]+) $")
_HEADING = re.compile(r"(?:#{1,6} |\*\*[^*\n]+\*\*:?$)")
_MANY = re.compile(
    r"^(?:(?:most|many|some|other|these|both|all|several) \w+|(?:otros|otras|muchos|algunos|varios) \w+)", re.I
)


@dataclass(frozen=True)
class Stretch:
    """A sentence, or part of one, about one name."""

    source_key: str
    #: The whole sentence, verbatim.
    sentence: str
    #: The part about the name.
    part: str
    #: Whether it contains the name; otherwise its context shows that it is about it.
    named: bool


def stretches_of(names: Sequence[str], sources: Mapping[str, SourceText]) -> dict[str, list[Stretch]]:
    """Return the stretches about each name in each source, in text order."""
    pattern = _pattern(names)
    found: dict[str, list[Stretch]] = defaultdict(list)
    for key, source in sources.items():
        _read(key, source, names, pattern, found)
    return found


def forms_of(name: str) -> list[str]:
    """Return the forms in which a text may write the name, longest first."""
    bare = _BRACKETED.sub("", name)
    words = [word for n, word in enumerate(bare.split()) if n or word.casefold() not in _ARTICLES]
    forms = {name, bare, " ".join(words)}
    if len(words) > 1 and says_what_it_is(words[-1]):
        forms.add(" ".join(words[:-1]))
    elif len(words) > 1 and says_what_it_is(words[0]):
        forms.add(" ".join(words[1:]))
    if found := _BRACKETED.search(name):
        forms.add(found[0].strip(" ()[]"))
    return sorted((form for form in forms if len(form) > 1), key=len, reverse=True)


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    forms = sorted({form for name in names for form in forms_of(name)}, key=len, reverse=True)
    told = "|".join(re.sub(r"\\? ", r"\\s+", re.escape(form)) for form in forms)
    return re.compile(rf"(?<![\w-])(?:{told})(?![\w-])") if told else re.compile(r"(?!)")


def _read(
    key: str,
    source: SourceText,
    names: Sequence[str],
    pattern: re.Pattern[str],
    found: dict[str, list[Stretch]],
) -> None:
    text = source.text
    by_form = {" ".join(form.split()): name for name in reversed(names) for form in forms_of(name)}
    titled = [by_form[" ".join(m[0].split())] for m in pattern.finditer(source.reference.title)]
    only = titled[0] if len(set(titled)) == 1 else None
    headed, last, left, before_end, item = None, None, 0, 0, None
    for unit in sentence_units(text, source.language):
        start, end = unit.start, unit.end
        sentence = text[start : min(end, start + MAX_SENTENCE)]
        mentions = [
            (match.start(), by_form[" ".join(match[0].split())])
            for match in pattern.finditer(sentence)
            if _is_whole(sentence, match)
        ]
        new_paragraph = "\n\n" in text[before_end:start] or unit.item != item
        begins_item = unit.item is not None and unit.item != item
        before_end, item = end, unit.item
        named = list(dict.fromkeys(name for _, name in mentions))
        if item is None and _HEADING.match(sentence):
            headed = named[0] if len(named) == 1 else (headed if sentence.startswith("###") else None)
            last = None
            continue
        if named:
            for name in named:
                found[name].append(Stretch(key, sentence, _part(sentence, mentions, name), True))
            # A list entry is about the name at its beginning.
            owns = len(named) == 1 or (begins_item and mentions[0][0] <= _BEGINS)
            last, left = (named[0] if owns else None), _FOLLOWING
            continue
        if new_paragraph or _MANY.match(sentence):
            last = None
        owner = (last if left > 0 else None) or headed or only
        left -= 1
        if owner and not _MANY.match(sentence):
            found[owner].append(Stretch(key, sentence, sentence, False))


def _is_whole(sentence: str, match: re.Match[str]) -> bool:
    """Return whether the match is the whole name: "BrightVan Plus" and "New BrightVan" are not "BrightVan"."""
    after, before = _NEXT.match(sentence, match.end()), _LAST.search(sentence[: match.start()])
    return all(
        neighbour is None or neighbour[1].casefold() in words_of("headings") or says_what_it_is(neighbour[1])
        for neighbour in (after, before)
    )


def _part(sentence: str, mentions: Sequence[tuple[int, str]], name: str) -> str:
    """Return the text from each mention of the name to the next mention; all of it if no other name occurs."""
    if len({other for _, other in mentions}) == 1:
        return sentence
    ends = [*(start for start, _ in mentions[1:]), len(sentence)]
    return " … ".join(
        sentence[start:end] for (start, other), end in zip(mentions, ends, strict=True) if other == name
    )
