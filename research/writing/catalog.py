"""Write a catalog: a table of items and requested fields, and a section per item with its quotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.document import Section
from research.markdown_text import as_markdown, in_cell, without_marks
from research.markdown_text.parsing import safe_url
from research.questions.catalog_fields import is_proof
from research.questions.field_names import field_label, field_words
from research.readers.protocol import WORDS_OF_A_CELL, LongCell
from research.readers.shown import shown
from research.readers.support import faults_of
from research.text import content_stems
from research.text.languages import foreign_words
from research.writing.checking import unmarked
from research.writing.desk import Desk
from research.writing.items import ADDRESS, Item, Proven

#: The field whose table cells contain only links.
_LINKS = "proof_links"
#: Ends of clauses after which a cell is cut, the stronger first, and fewest words that are left.
_CLAUSE_ENDS, _LEAST_WORDS = ((";", ":"), (",",)), 4


def catalog_sections(items: Sequence[Item], desk: Desk) -> list[Section]:
    """Return a section with the table, and a section for each item."""
    names = [field_label(field, desk.language) for field in ("name", *desk.asked.fields)]
    short = _short(items, desk)
    rows = [
        [
            f"{in_cell(item.name)} {_marker(item.named, desk)}",
            *(_cell(item, field, short.get((item.name, field)), desk) for field in desk.asked.fields),
        ]
        for item in items
    ]
    lines = [[in_cell(name) for name in names], ["---"] * len(names), *rows]
    table = "\n".join([desk.words["table_says"], "", *(f"| {' | '.join(line)} |" for line in lines)])
    told = [(desk.words["comparison"], table, 1), (desk.words["items"], "", 1)]
    told += [(item.name, _details(item, desk), 2) for item in items]
    return [desk.section(*one) for one in told]


def catalog_limits(items: Sequence[Item], desk: Desk) -> list[str]:
    """Return sentences on missing items and on the fields not found or not proven for each item."""
    wanted = desk.asked.count or 0
    found = [desk.words["fewer"].format(wanted=wanted, found=len(items))] if len(items) < wanted else []
    for item in items:
        missing = [field for field in desk.asked.fields if field not in item.fields and field not in item.unproven]
        for phrase, fields in (("field_missing", missing), ("only_said", item.unproven)):
            if fields:
                labels = ", ".join(field_label(field, desk.language).lower() for field in fields)
                found.append(desk.words[phrase].format(name=item.name, fields=labels))
    return found


def _short(items: Sequence[Item], desk: Desk) -> Mapping[tuple[str, str], str]:
    """Return by item and field what a cell says in place of values that have too many words for it."""
    long = [
        LongCell(item.name, field, tuple(value.value for value in values))
        for item in items
        for field, values in item.fields.items()
        if field not in (ADDRESS, _LINKS) and sum(_words(value.value) for value in values) > WORDS_OF_A_CELL
    ]
    told = desk.reader.cells(desk.asked, long) if long else []
    return {
        (one.item, one.field): said if _is_said(said, one, desk) else _cut(one, desk.language)
        for one, given in zip(long, told, strict=True)
        for said in [unmarked(given)]
    }


def _is_said(said: str, cell: LongCell, desk: Desk) -> bool:
    """Return whether a cell is short and says only what the values say."""
    same = not any(foreign_words(value, desk.language) for value in cell.values)
    if not 0 < _words(said) <= WORDS_OF_A_CELL or foreign_words(said, desk.language, cell.item):
        return False
    return not faults_of(said, cell.values, cell.item, desk.language if same else None)


def _cut(cell: LongCell, language: str) -> str:
    """Return the value that speaks of the field in its own unit, up to the last clause that the cell holds."""
    asked = set(content_stems(field_words(cell.field), language))
    best = max(cell.values, key=lambda value: len(asked & set(content_stems(value, language))))
    words = without_marks(best).split()
    if len(words) <= WORDS_OF_A_CELL:
        return " ".join(words)
    ends = (
        [at for at in range(_LEAST_WORDS, WORDS_OF_A_CELL + 1) if words[at - 1].endswith(marks)]
        for marks in _CLAUSE_ENDS
    )
    kept = next((found[-1] for found in ends if found), WORDS_OF_A_CELL)
    return f"{' '.join(words[:kept]).rstrip(' ,;:')}…"


def _words(text: str) -> int:
    return len(text.split())


def _cell(item: Item, field: str, short: str | None, desk: Desk) -> str:
    values = item.fields.get(field, ())
    if field == _LINKS and values:
        return " ".join(_link(value, desk) for value in values)
    if short is not None:
        carried = " ".join(_marker(value, desk) for value in _carrying(short, values, desk.language))
        return _compared(f"{_told(short, desk)} {carried}", values, desk)
    told = "; ".join(f"{_said(value, field, desk)} {_marker(value, desk)}" for value in values)
    return _compared(told, values, desk)


def _carrying(short: str, values: Sequence[Proven], language: str) -> list[Proven]:
    """Return the values that have words of a short cell which none before has; else the first."""
    left = set(content_stems(short, language))
    found = []
    for value in values:
        own = left & set(content_stems(value.value, language))
        left -= own
        found += [value] if own else []
    return found or [*values[:1]]


def _details(item: Item, desk: Desk) -> str:
    """Return a line for each field: its value, with its quotation where no line before has it."""
    quoted: set[str] = set()
    lines = []
    for field in desk.asked.fields:
        values = item.fields.get(field, ())
        told = _compared("; ".join(_quoted(value, field, desk, quoted) for value in values), values, desk)
        urls = (
            safe_url(desk.sources.by_key[value.place.key].reference.url) for value in values if is_proof(field)
        )
        links = "".join(f" <{url}>" for url in dict.fromkeys(urls) if url)
        lines.append(f"- **{as_markdown(field_label(field, desk.language))}:** {told}{links}")
    return "\n".join(lines)


def _compared(told: str, values: Sequence[Proven], desk: Desk) -> str:
    """Return what is told of a field, with a note where one value contradicts the first."""
    if not values:
        return desk.words["not_found"]
    return told if all(value.adds for value in values[1:]) else f"{told} {desk.words['two_sources']}"


def _quoted(value: Proven, field: str, desk: Desk, quoted: set[str]) -> str:
    quote, marker = in_cell(shown(value.place.quote)), _marker(value, desk)
    if field == ADDRESS or quote in quoted:
        return f"{_said(value, field, desk)} {marker}"
    quoted.add(quote)
    whole = f"{desk.words['left']}{quote}{desk.words['right']} {marker}"
    return whole if in_cell(without_marks(value.value)) == quote else f"{_said(value, field, desk)} – {whole}"


def _said(value: Proven, field: str, desk: Desk) -> str:
    """Return a value as Markdown."""
    return f"<{safe_url(value.value)}>" if field == ADDRESS else _told(without_marks(value.value), desk)


def _told(text: str, desk: Desk) -> str:
    """Return a text for a cell; words of a source in another language stand in quotation marks."""
    is_foreign = bool(foreign_words(text, desk.language))
    return f"{desk.words['left']}{in_cell(text)}{desk.words['right']}" if is_foreign else in_cell(text)


def _link(value: Proven, desk: Desk) -> str:
    """Return a proof for the table: a link to the source's page and its marker."""
    source = desk.sources.by_key[value.place.key]
    url, marker = safe_url(source.reference.url), _marker(value, desk)
    return f"[{in_cell(source.domain or source.reference.title)}](<{url}>) {marker}" if url else marker


def _marker(value: Proven, desk: Desk) -> str:
    return desk.book.marker(value.value, value.place)
