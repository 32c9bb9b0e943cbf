"""Write a catalog: a table of items and requested fields, and a section per item with its quotations."""

from __future__ import annotations

from collections.abc import Sequence

from research.document import Section, section_key
from research.markdown_text import as_markdown, in_cell, without_marks
from research.markdown_text.parsing import safe_url
from research.questions.catalog_fields import is_proof
from research.questions.field_names import field_label
from research.readers.shown import shown
from research.writing.desk import Desk
from research.writing.items import Item, Proven
from research.writing.wording import wording

#: The field whose table cells contain only links.
_LINKS = "proof_links"
#: Most characters of a value in the table; the item's section has the whole value.
_CELL = 120


def catalog_sections(items: Sequence[Item], desk: Desk) -> list[Section]:
    """Return a section with the table, and a section for each item."""
    words = wording(desk.language)
    table = f"{words.table_says}\n\n{_table(items, desk)}"
    sections = [
        Section(key=section_key(words.comparison, desk.keys), heading=words.comparison, body=table),
        Section(key=section_key(words.items, desk.keys), heading=words.items, body=""),
    ]
    for item in items:
        key = section_key(item.name, desk.keys)
        sections.append(Section(key=key, heading=item.name, level=2, body=_details(item, desk)))
    return sections


def catalog_limits(items: Sequence[Item], desk: Desk) -> list[str]:
    """Return sentences on missing items and on the fields not found or not proven for each item."""
    words, wanted = wording(desk.language), desk.asked.count or 0
    found = [words.fewer.format(wanted=wanted, found=len(items))] if len(items) < wanted else []
    for item in items:
        missing = [field for field in desk.asked.fields if not item.has(field) and field not in item.unproven]
        for phrase, fields in ((words.field_missing, missing), (words.only_said, item.unproven)):
            if fields:
                labels = ", ".join(field_label(field, desk.language).lower() for field in fields)
                found.append(phrase.format(name=item.name, fields=labels))
    return found


def _table(items: Sequence[Item], desk: Desk) -> str:
    names = [field_label(field, desk.language) for field in ("name", *desk.asked.fields)]
    rows = [[_named(item, desk), *(_cell(item, field, desk) for field in desk.asked.fields)] for item in items]
    lines = [[in_cell(name) for name in names], ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _named(item: Item, desk: Desk) -> str:
    return f"{in_cell(item.name)} {_marker(item.named, desk)}"


def _cell(item: Item, field: str, desk: Desk) -> str:
    words = wording(desk.language)
    if not item.has(field):
        return words.not_found
    if field == "provider_url":
        return _address(item, desk)
    values = item.fields[field]
    if field == _LINKS:
        return " ".join(_link(value, desk) for value in values)
    told = "; ".join(f"{in_cell(_short(without_marks(one.value)))} {_marker(one, desk)}" for one in values)
    return f"{told}{_compare(values, desk)}"


def _details(item: Item, desk: Desk) -> str:
    quoted: set[str] = set()
    return "\n".join(f"- {_detail(item, field, desk, quoted)}" for field in desk.asked.fields)


def _detail(item: Item, field: str, desk: Desk, quoted: set[str]) -> str:
    """Return a field's value with its quotation; one already in `quoted` is not repeated."""
    words, label = wording(desk.language), f"**{as_markdown(field_label(field, desk.language))}:**"
    if not item.has(field):
        return f"{label} {words.not_found}"
    if field == "provider_url":
        return f"{label} {_address(item, desk)}"
    values = item.fields[field]
    told = "; ".join(_told(value, desk, quoted) for value in values)
    return f"{label} {told}{_compare(values, desk)}{_source_links(values, desk) if is_proof(field) else ''}"


def _compare(values: Sequence[Proven], desk: Desk) -> str:
    """Return what follows values of which one contradicts the first."""
    return "" if all(value.adds for value in values[1:]) else f" {wording(desk.language).two_sources}"


def _told(value: Proven, desk: Desk, quoted: set[str]) -> str:
    words, said, quote = wording(desk.language), in_cell(without_marks(value.value)), shown(value.place.quote)
    marker = _marker(value, desk)
    if quote in quoted:
        return f"{said} {marker}"
    quoted.add(quote)
    whole = f"{words.left}{in_cell(quote)}{words.right} {marker}"
    return whole if said == in_cell(quote) else f"{said} – {whole}"


def _link(value: Proven, desk: Desk) -> str:
    """Return a proof for the table: a link to the source's page and its marker."""
    source = desk.sources.by_key[value.place.key]
    url, marker = safe_url(source.reference.url), _marker(value, desk)
    return f"[{in_cell(source.domain or source.reference.title)}](<{url}>) {marker}" if url else marker


def _source_links(values: Sequence[Proven], desk: Desk) -> str:
    urls = dict.fromkeys(safe_url(desk.sources.by_key[value.place.key].reference.url) for value in values)
    return "".join(f" <{url}>" for url in urls if url)


def _address(item: Item, desk: Desk) -> str:
    url = safe_url(item.url)
    marker = _marker(item.url_told, desk) if item.url_told else f"[@{item.url_from}]"
    return f"<{url}> {marker}" if url else wording(desk.language).not_found


def _marker(value: Proven, desk: Desk) -> str:
    return desk.book.marker(value.value, value.place)


def _short(text: str) -> str:
    if len(text) <= _CELL:
        return text
    return f"{text[: _CELL - 1].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
