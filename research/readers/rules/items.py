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
from research.readers.rules.blocks import Entry, Part, entries_of
from research.readers.rules.fields import Values, fields_told, is_label
from research.readers.rules.leaving_out import reason_to_leave_out, speaks_to_machines
from research.readers.rules.names import is_named, is_only_a_word, plain_name
from research.readers.rules.sentences import described, has_article, offered, said_of
from research.readers.rules.vocabulary import folded
from research.text import content_stems

#: Most items of one call; the memo keeps the best of all.
MAX_ITEMS = 30
#: Most values of a field from one source.
_MOST_VALUES = 2
#: Stems of the request that a page in its language must contain to be about it.
_ON_SUBJECT = 1
#: Least number of fields stated of an item that no list names.
_FIELDS_OF_ONE = 2
_TITLE_PARTS = re.compile(r":\s|\s[|–—-]\s")


def items_of(
    asked: Asked, sources: Mapping[str, SourceText], known: Sequence[str], log: ReaderLog
) -> list[CatalogCandidate]:
    """Return the items that pages on the subject list or state plainly, with the values of their fields.

    Of a known name all is taken that a plain sentence says of it. Items left out are in the log with the reason.
    """
    found: list[CatalogCandidate] = []
    on_subject = {key: source for key, source in sources.items() if _is_on_subject(source.text, source, asked)}
    for key, source in on_subject.items():
        found += [_candidate(name, told, key, source) for name, told in _of_page(source, asked, log)]
    found += _described(asked, on_subject)
    left_out = [name for name, _ in log.left_out]
    found = [one for one in found if not any(same_item(one.name, name) for name in left_out)]
    forms = short_forms(one.name for one in found)
    found = [replace(one, name=forms.get(one.name, one.name)) for one in found]
    names = [one.name for one in merge_candidates([*map(CatalogCandidate, known), *found], ())]
    for key, source in sources.items():
        said = said_of(names, source, asked.fields)
        found += [_candidate(name, told, key, source) for name, told in said.items()]
    return merge_candidates(found, asked.fields)[:MAX_ITEMS]


def _described(asked: Asked, sources: Mapping[str, SourceText]) -> list[CatalogCandidate]:
    """Return the names in prose of which two fields are stated, or one if the requested kind is in the name."""
    subject = _subject_of(asked)
    read = [
        (_candidate(name, told, key, source), has_article(name, source))
        for key, source in sources.items()
        for name, told in described(source, asked.fields)
    ]
    with_article = [one.name for one, has in read if has]
    found = []
    for one in merge_candidates((one for one, _ in read), ()):
        is_kind = bool(subject.intersection(content_stems(one.name, asked.language)))
        is_thing = any(same_item(one.name, name) for name in with_article)
        if is_thing and len(one.values) >= (1 if is_kind else _FIELDS_OF_ONE):
            found.append(one)
    return found


def _is_on_subject(text: str, source: SourceText, asked: Asked) -> bool:
    """Return whether a text of a page shares words with the request, as far as they have the same language."""
    subject = _subject_of(asked)
    shared = subject.intersection(content_stems(f"{source.reference.title} {text}", source.language))
    return source.language != asked.language or len(shared) >= min(_ON_SUBJECT, len(subject))


def _subject_of(asked: Asked) -> frozenset[str]:
    return frozenset(content_stems(without_fields(asked.query), asked.language))


def _of_page(source: SourceText, asked: Asked, log: ReaderLog) -> Iterator[tuple[str, Values]]:
    entries = [entry for entry in entries_of(source.text, source.language) if not any(map(_is_order, entry.parts))]
    # A name that leads lines below several headings is a label.
    times = Counter(name for name, _ in {(entry.name.casefold(), entry.group) for entry in entries})
    entries = [one for one in entries if times[one.name.casefold()] == 1 or not one.group.startswith("paragraph")]
    # A heading above a list of names is none itself.
    above = Counter(heading for entry in entries if _may_name(entry) for heading in entry.headings)
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if above[entry.name] < 2 or not entry.group.startswith("heading"):
            groups[entry.group].append(entry)
    listed = [one for group in groups.values() for one in _of_group(group, source, asked, log)]
    yield from listed or _of_whole_page(source, entries, asked)
    yield from offered(source, asked.fields, _subject_of(asked))


def _may_name(entry: Entry) -> bool:
    return not entry.group.startswith("heading") and is_named(entry.name) and not is_label(entry.name)


def _is_order(part: Part) -> bool:
    return speaks_to_machines(part.text)


def _of_group(
    group: Sequence[Entry], source: SourceText, asked: Asked, log: ReaderLog
) -> Iterator[tuple[str, Values]]:
    """Yield the items of a table, list or level of headings, if at least half of its names are items."""
    text = f"{source.reference.title} {source.text}"
    named = [
        entry
        for entry in group
        if is_named(entry.name) and not is_label(entry.name) and not is_only_a_word(entry.name, text)
    ]
    names = [entry.name.casefold() for entry in group]
    is_row = group[0].group.startswith("row")
    # The same name again begins the words of a speaker; names of fields head the parts of one item.
    if len(set(names)) < len(names) or (not is_row and any(is_label(entry.name) for entry in group)):
        return
    own = " ".join([*group[0].headings, *(f"{one.name} {part.text}" for one in group for part in one.parts)])
    if not _is_on_subject(own, source, asked):
        return
    told = [(entry, fields_told(entry.parts, asked.fields)) for entry in named]
    stated = [entry for entry, values in told if values]
    if len(stated) < 2 or 2 * len(stated) < len(named):
        return
    for entry, values in told:
        if reason := reason_to_leave_out(entry, values, asked):
            log.left_out.append((plain_name(entry.name), reason))
        else:
            yield plain_name(entry.name), values


def _of_whole_page(source: SourceText, entries: Sequence[Entry], asked: Asked) -> Iterator[tuple[str, Values]]:
    """Yield the item whose own page this is: the title begins with its name, and it publishes the page."""
    name = own_name(source)
    parts = [part for entry in entries for part in entry.parts]
    told = fields_told(list(dict.fromkeys(parts)), asked.fields) if name else {}
    if len(told) >= _FIELDS_OF_ONE:
        yield name, told


def own_name(source: SourceText) -> str:
    """Return the name in the title of a page that has the same name as its publisher or domain, "" if none."""
    publisher = _joined(source.reference.publisher or "")
    label = _joined(source.domain.split(".")[0])
    for name in map(plain_name, _TITLE_PARTS.split(source.reference.title)):
        joined = _joined(name)
        if is_named(name) and (joined == label or (publisher and (joined in publisher or publisher in joined))):
            return name
    return ""


def _joined(text: str) -> str:
    return "".join(char for char in folded(text) if char.isalnum())


def _candidate(name: str, told: Values, key: str, source: SourceText) -> CatalogCandidate:
    url = source.reference.url or ""
    values = {
        field: [
            FieldValue(value, part.quote, key, url, verified=True)
            for value, part in of_one[:_MOST_VALUES]
            if verify_quote(part.quote, key, {key: source.text}).status == "verified"
        ]
        for field, of_one in told.items()
    }
    own = same_item(name, own_name(source) or " ")
    return CatalogCandidate(
        name=name,
        provider_url=url or None if own else None,
        evidence_urls=[url] if url else [],
        values={field: of_one for field, of_one in values.items() if of_one},
    )
