"""Find the items of a catalog in tables, lists, headings and the plainest sentences."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from research.catalog.candidate_merging import merge_candidates
from research.catalog.candidate_names import same_item, short_forms
from research.citations import verify_quote
from research.material import SourceText
from research.memo import CatalogCandidate, FieldValue
from research.questions.catalog_fields import without_fields
from research.readers.protocol import Asked, ReaderLog
from research.readers.rules.blocks import Entry, entries_of
from research.readers.rules.fields import Values, fields_told, is_label, is_value, tells
from research.readers.rules.names import is_named, is_only_a_word, plain_name
from research.readers.rules.sentences import said_of, things_of
from research.readers.rules.statements import speaks_to_machines
from research.readers.rules.vocabulary import folded, pattern
from research.text import content_stems

#: Most items of one call; the memo keeps the best of all.
MAX_ITEMS = 30
#: Most values of a field from one source.
_MOST_VALUES = 2
#: Least number of fields stated of an item of a table, and of fields and signs of an item that only prose names.
_FIELDS_OF_ONE, _SIGNS_OF_ONE = 2, 3
#: Sentences or cells of an entry, from the first, that may say that it is no item of the request.
_QUOTES = 2
#: Words after "not" in a request, up to the next mark, that name what is not wanted: "NOT shops that rent".
_UNWANTED = re.compile(r"(?:[^\W\d_]+[^\w.,;:!?()]*){1,3}")
_YEAR = re.compile(r"\b20\d\d\b")
_TITLE_PARTS = re.compile(r":\s|\s[|–—-]\s")


def items_of(
    asked: Asked, sources: Mapping[str, SourceText], known: Sequence[str], log: ReaderLog
) -> list[CatalogCandidate]:
    """Return the items that pages on the subject list or state plainly, with the values of their fields.

    Of a known name all is taken that a plain sentence says of it. Items left out are in the log with the reason.
    """
    # Names of places and the like say nothing of the requested kind.
    plain = [word for word in without_fields(asked.query).split() if word.islower() or word.isupper()]
    subject = frozenset(content_stems(" ".join(plain), asked.language))
    found: list[CatalogCandidate] = []
    for key, source in sources.items():
        found += [_candidate(name, told, key, source) for name, told in _listed(source, subject, asked, log)]
    found += _described(subject, asked, sources)
    found = [one for one in found if not any(same_item(one.name, name) for name, _ in log.left_out)]
    forms = short_forms(one.name for one in found)
    found = [replace(one, name=forms.get(one.name, one.name)) for one in found]
    forms = short_forms(one.name for one in merge_candidates([*map(CatalogCandidate, known), *found], ()))
    for key, source in sources.items():
        said = said_of(forms, source, asked.fields)
        found += [_candidate(name, told, key, source) for name, told in said.items()]
    return merge_candidates(found, asked.fields)[:MAX_ITEMS]


def _described(subject: frozenset[str], asked: Asked, sources: Mapping[str, SourceText]) -> list[CatalogCandidate]:
    """Return the things that prose names and states enough of."""
    signs: dict[str, int] = {}
    for source in sources.values():
        for name, told in things_of(source, subject).items():
            signs[name] = max(told, signs.get(name, 0))
    forms = {name: name for name in signs}
    told = [
        _candidate(name, values, key, source)
        for key, source in sources.items()
        for name, values in said_of(forms, source, asked.fields).items()
    ]
    return [one for one in merge_candidates(told, ()) if len(one.values) + signs[one.name] >= _SIGNS_OF_ONE]


def _is_on(subject: frozenset[str], text: str, source: SourceText, asked: Asked) -> bool:
    """Return whether a text of a page shares words with the request, as far as they have the same language."""
    stems = content_stems(f"{source.reference.title} {text}", source.language)
    return source.language != asked.language or not subject or not subject.isdisjoint(stems)


def _listed(
    source: SourceText, subject: frozenset[str], asked: Asked, log: ReaderLog
) -> Iterator[tuple[str, Values]]:
    """Yield the items of the page's tables, lists and headings; without any, the one whose own page it is."""
    entries = entries_of(source.text, source.language)
    entries = [one for one in entries if not any(speaks_to_machines(part.text) for part in one.parts)]
    # A name that leads several lines is a label or a speaker.
    times = Counter(one.name.casefold() for one in entries if one.group.startswith("paragraph"))
    entries = [one for one in entries if times[one.name.casefold()] < 2 or not one.group.startswith("paragraph")]
    entries = [one for one in entries if folded(one.name) != folded(source.reference.title)]
    # A heading above a list of names is none itself.
    leads = [one for one in entries if not one.group.startswith("heading") and " " in one.name and is_named(one.name)]
    above = Counter(heading for one in leads if not is_label(one.name) for heading in one.headings)
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if above[entry.name] < 2 or not entry.group.startswith("heading"):
            groups[entry.group].append(entry)
    listed = [one for group in groups.values() for one in _of_group(group, source, subject, asked, log)]
    yield from listed
    if not listed and (name := _own_name(source)):
        parts = dict.fromkeys(part for entry in entries for part in entry.parts)
        told = fields_told(name, list(parts), asked.fields)
        if len(told) >= _SIGNS_OF_ONE:
            yield name, told


def _of_group(
    group: Sequence[Entry], source: SourceText, subject: frozenset[str], asked: Asked, log: ReaderLog
) -> Iterator[tuple[str, Values]]:
    """Yield the items of a table, list or level of headings, if at least half of its names are items."""
    labels = [entry for entry in group if is_label(entry.name)]
    # Names of fields head the parts of one item.
    if labels and not group[0].group.startswith("row"):
        return
    own = " ".join([*group[0].headings, *(f"{one.name} {part.text}" for one in group for part in one.parts)])
    if not _is_on(subject, own, source, asked):
        return
    text = f"{source.reference.title} {source.text}"
    named = [
        one for one in group if one not in labels and is_named(one.name) and not is_only_a_word(one.name, text)
    ]
    told = [(entry, fields_told(plain_name(entry.name), entry.parts, asked.fields)) for entry in named]
    kept: list[tuple[str, Values, int]] = []
    odd = _odd_rows(group)
    for entry, values in told:
        if entry.name in odd:
            log.left_out.append((plain_name(entry.name), "its cells do not fit its columns"))
        elif reason := _reason_to_leave_out(entry, asked):
            log.left_out.append((plain_name(entry.name), reason))
        elif all(int(year) <= asked.year for year in _YEAR.findall(" ".join(part.quote for part in entry.parts))):
            kept.append((plain_name(entry.name), values, len(entry.parts)))
    # What only one of them tells is no column.
    times = Counter(field for _, values, _ in kept for field in values)
    is_table = group[0].group.startswith("row")
    least = _FIELDS_OF_ONE if is_table else min(1, sum(count > 1 for count in times.values()))

    items = [(name, values) for name, values, _ in kept if len(values) >= least]
    if least and len(items) > 1 and len(items) >= (0.5 if is_table else 0.66) * len(kept):
        yield from items
    else:
        is_headed = group[0].group.startswith("heading")
        yield from ((name, values) for name, values, parts in kept if len(values) > 2 and parts <= 10 and is_headed)


def _odd_rows(group: Sequence[Entry]) -> set[str]:
    """Return the names of rows with words where all others have numbers: "(firewood)" below "Min. litres"."""
    columns: dict[str, dict[str, bool]] = defaultdict(dict)
    for entry in group if group[0].group.startswith("row") else ():
        for part in entry.parts:
            if tells(part.text):
                columns[part.label][entry.name] = is_value(part.text)
    fits = [column for column in columns.values() if len(column) > 2]
    return {name for column in fits if sum(column.values()) == len(column) - 1 for name in column if not column[name]}


def _reason_to_leave_out(entry: Entry, asked: Asked) -> str:
    """Return why an entry is left out, "" if it is an item."""
    quotes = list(dict.fromkeys(part.quote for part in entry.parts))
    own = folded(" ".join(quotes[:_QUOTES]))
    if pattern("ended_headings").search(folded(" | ".join(entry.headings))):
        return f"under the heading {entry.headings[-1]!r}"
    if found := next(filter(None, (pattern("ended_headings").match(folded(part.text)) for part in entry.parts)), None):
        return f"said to be {found[0]!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own if reason != "unsuitable" else folded(" ".join(quotes))):
            return f"{reason}: {found[0]!r}"
    wanted, *phrases = pattern("without").split(folded(asked.query))
    if pattern("trading").match(own.lstrip(" (")) and not pattern("trading").search(wanted):
        return "trades, and the request is not about trade"
    unwanted = [found[0] for phrase in phrases if (found := _UNWANTED.match(phrase.lstrip()))]
    excluded = set(content_stems(" ".join(unwanted), asked.language))
    if told := excluded.intersection(content_stems(f"{entry.name} {own}", asked.language)):
        return f"the request excludes {', '.join(sorted(told))}"
    return ""


def _own_name(source: SourceText) -> str:
    """Return the name in the title of a page that its domain has too, "" if none."""
    names = filter(is_named, map(plain_name, _TITLE_PARTS.split(source.reference.title)))
    return next((name for name in names if _joined(name) == _joined(source.domain.split(".")[0])), "")


def _joined(text: str) -> str:
    return "".join(char for char in folded(text) if char.isalnum())


def _candidate(name: str, told: Values, key: str, source: SourceText) -> CatalogCandidate:
    url, text = source.reference.url or "", {key: source.text}
    values = {
        field: [
            FieldValue(value, part.quote, key, url, verified=True)
            for value, part in of_one[:_MOST_VALUES]
            if verify_quote(part.quote, key, text).status == "verified"
        ]
        for field, of_one in told.items()
    }
    return CatalogCandidate(
        name=name,
        provider_url=url or None if same_item(name, _own_name(source) or " ") else None,
        evidence_urls=[url] if url else [],
        values={field: of_one for field, of_one in values.items() if of_one},
    )
