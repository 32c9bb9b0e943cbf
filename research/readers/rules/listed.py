"""Find the items of a page's tables, lists and headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from research.material import SourceText
from research.readers.protocol import Asked, ReaderLog
from research.readers.rules.blocks import Entry, entries_of
from research.readers.rules.fields import Values, fields_told, is_label, is_value, tells
from research.readers.rules.names import is_named, is_only_a_word, plain_name
from research.readers.rules.statements import speaks_to_machines
from research.readers.rules.vocabulary import folded, pattern, words
from research.text import content_stems

#: Least number of fields stated of an item of a table, and of a headed part that is an item by itself.
_FIELDS_OF_ROW, _FIELDS_OF_ONE = 2, 3
#: Most sentences below a heading that tells of one item.
_MOST_PARTS = 10
#: Words after "not" in a request, up to the next mark, that name what is not wanted: "NOT shops that rent".
_UNWANTED = re.compile(r"(?:[^\W\d_]+[^\w.,;:!?()]*){1,3}")
_YEAR = re.compile(r"\b20\d\d\b")
_TITLE_PARTS = re.compile(r":\s|\s[|–—-]\s")


def listed(
    source: SourceText, subject: frozenset[str], asked: Asked, log: ReaderLog
) -> Iterator[tuple[str, Values]]:
    """Yield the items of the page's tables, lists and headings; without any, the one whose own page it is."""
    entries = entries_of(source.text, source.language)
    entries = [one for one in entries if not any(speaks_to_machines(part.text) for part in one.parts)]
    page = {folded(told) for told in (source.reference.title, source.reference.publisher) if told}
    entries = [one for one in entries if folded(one.name) not in page]
    # A heading above a list of names is none itself; one word may be a label.
    leads = [one for one in entries if not one.group.startswith("heading") and " " in one.name]
    above = Counter(up for one in leads if is_named(one.name) and not is_label(one.name) for up in one.headings)
    # Nor one above a heading that tells of an item by itself.
    below = (one for one in entries if one.group.startswith("heading") and one.headings and is_named(one.name))
    whole = {
        up
        for one in below
        if len(fields_told(one.name, one.parts, asked.fields)) >= _FIELDS_OF_ROW
        for up in one.headings
    }
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        is_item = above[entry.name] < 2 and entry.name not in whole
        if is_item or not entry.group.startswith("heading"):
            groups[entry.group].append(entry)
    nearest = _under_nearest_heading(list(groups.values()), source, subject)
    lists = [list(_of_group(group, source, subject, asked, log)) for group in nearest]
    most = [max((len(values) for _, values in one), default=0) for one in lists]
    # Beside a list that tells several fields, one of a single field is of other things.
    yield from (
        one for told, own in zip(most, lists, strict=True) if told >= min(_FIELDS_OF_ROW, max(most)) for one in own
    )
    if not any(lists) and (name := own_name(source)):
        parts = dict.fromkeys(part for entry in entries for part in entry.parts)
        told = fields_told(name, list(parts), asked.fields)
        if len(told) >= _FIELDS_OF_ROW:
            yield name, told


def _under_nearest_heading(
    groups: Sequence[Sequence[Entry]], source: SourceText, subject: frozenset[str]
) -> list[Sequence[Entry]]:
    """Return of each kind of group those whose heading has the most words of the request.

    Where nights are asked for, what stands below "OVERNIGHT CAMPS", not below "DAY CAMPS".
    """
    most: Counter[str] = Counter()
    told: list[tuple[str, int, Sequence[Entry]]] = []
    for group in groups:
        kind, stems = group[0].group.split()[0], content_stems(" ".join(group[0].headings[-1:]), source.language)
        told.append((kind, len(subject.intersection(stems)), group))
        most[kind] = max(most[kind], told[-1][1])
    return [group for kind, shared, group in told if shared == most[kind]]


def _of_group(
    group: Sequence[Entry], source: SourceText, subject: frozenset[str], asked: Asked, log: ReaderLog
) -> Iterator[tuple[str, Values]]:
    """Yield the items of a table, list or level of headings, if most of its names are items."""
    labels = [entry for entry in group if is_label(entry.name)]
    # Names of fields head the parts of one item.
    if labels and not group[0].group.startswith("row"):
        return
    own = " ".join(
        [*group[0].headings, *(f"{one.name} {part.label} {part.text}" for one in group for part in one.parts)]
    )
    stems = content_stems(f"{source.reference.title} {own}", source.language)
    if source.language == asked.language and subject and subject.isdisjoint(stems):
        return
    text = f"{source.reference.title} {source.text}"
    is_table, odd = group[0].group.startswith("row"), _odd_rows(group)
    kept: list[tuple[str, Values, Entry]] = []
    for entry in _with_words_of(subject, group, source) if group[0].group.startswith("entry") else group:
        is_section = entry.group.startswith("heading") and entry.name.isupper() and " " not in entry.name
        if entry in labels or is_section or not is_named(entry.name) or is_only_a_word(entry.name, text):
            continue
        name = plain_name(entry.name)
        if reason := "its cells do not fit its columns" if entry in odd else _reason_to_leave_out(entry, asked):
            log.left_out.append((name, reason))
        elif not any(int(year) > asked.year for part in entry.parts for year in _YEAR.findall(part.quote)):
            kept.append((name, fields_told(name, entry.parts, asked.fields), entry))
    # What only one of them tells is no column.
    times = Counter(field for _, values, _ in kept for field in values)
    columns = sum(count > 1 for count in times.values())
    items = [
        (name, told) for name, told, _ in kept if len(told) >= (min(columns, _FIELDS_OF_ROW) if is_table else 1)
    ]
    if columns and len(items) > 1 and len(items) >= (0.5 if is_table else 0.66) * len(kept):
        yield from items
    elif group[0].group.startswith("heading"):
        short = [(name, values) for name, values, entry in kept if len(entry.parts) <= _MOST_PARTS]
        yield from ((name, values) for name, values in short if len(values) >= _FIELDS_OF_ONE)


def _with_words_of(subject: frozenset[str], group: Sequence[Entry], source: SourceText) -> Sequence[Entry]:
    """Return the one entry that alone has a word of the request, else all: a house also gives other courses."""
    said = (" ".join([one.name, *(part.text for part in one.parts)]) for one in group)
    fits = [not subject.isdisjoint(content_stems(text, source.language)) for text in said]
    return [group[fits.index(True)]] if len(fits) > 2 and sum(fits) == 1 else group


def _odd_rows(group: Sequence[Entry]) -> list[Entry]:
    """Return the rows with words where all others have numbers: "(firewood)" below "Min. litres"."""
    columns: dict[str, list[tuple[bool, Entry]]] = defaultdict(list)
    for entry in group if group[0].group.startswith("row") else ():
        for part in filter(lambda one: tells(one.text), entry.parts):
            columns[part.label].append((is_value(part.text), entry))
    words_in = [
        [entry for is_one, entry in column if not is_one] for column in columns.values() if len(column) > 2
    ]
    return [rows[0] for rows in words_in if len(rows) == 1]


def _reason_to_leave_out(entry: Entry, asked: Asked) -> str:
    """Return why an entry is left out, "" if it is an item."""
    own = folded(" ".join(dict.fromkeys(part.quote for part in entry.parts)))
    for text in (*entry.headings, *(part.text for part in entry.parts)):
        if pattern("over").match(folded(text)):
            return f"under {text!r}"
    for reason in ("ended", "planned", "unsuitable"):
        if found := pattern(reason).search(own):
            return f"{reason}: {found[0]!r}"
    if sum(not tells(part.text) or part.text.casefold() in words("nothing") for part in entry.parts) > 1:
        return "most of its cells tell nothing"
    wanted, *phrases = pattern("without").split(folded(asked.query))
    if pattern("trading").match(own.lstrip(" (")) and not pattern("trading").search(wanted):
        return "trades, and the request is not about trade"
    unwanted = [found[0] for phrase in phrases if (found := _UNWANTED.match(phrase.lstrip()))]
    excluded = set(content_stems(" ".join(unwanted), asked.language))
    if told := excluded.intersection(content_stems(f"{entry.name} {own}", asked.language)):
        return f"the request excludes {', '.join(sorted(told))}"
    return ""


def own_name(source: SourceText) -> str:
    """Return the name in the title of a page that its domain has too, "" if none."""
    names = filter(is_named, map(plain_name, _TITLE_PARTS.split(source.reference.title)))
    return next((name for name in names if _joined(name) == _joined(source.domain.split(".")[0])), "")


def _joined(text: str) -> str:
    return "".join(char for char in folded(text) if char.isalnum())
