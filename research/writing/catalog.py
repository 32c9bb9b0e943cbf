"""Write a catalog: a table of items and requested fields, and a section per item with its quotations."""

from __future__ import annotations

from collections.abc import Sequence

from research.document import Section
from research.markdown_text import as_markdown, in_cell, without_marks
from research.markdown_text.parsing import safe_url
from research.questions.catalog_fields import is_proof
from research.questions.field_names import field_label
from research.readers.shown import shown
from research.writing.desk import Desk
from research.writing.items import ADDRESS, Item, Proven

#: The field whose table cells contain only links.
_LINKS = "proof_links"
#: Most characters of a value in the table; the item's section has the whole value.
_CELL = 120


def catalog_sections(items: Sequence[Item], desk: Desk) -> list[Section]:
    """Return a section with the table, and a section for each item."""
    names = [field_label(field, desk.language) for field in ("name", *desk.asked.fields)]
    rows = [
        [
            f"{in_cell(item.name)} {_marker(item.named, desk)}",
            *(_cell(item, field, desk) for field in desk.asked.fields),
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


def _cell(item: Item, field: str, desk: Desk) -> str:
    values = item.fields.get(field, ())
    if field == _LINKS and values:
        return " ".join(_link(value, desk) for value in values)
    told = "; ".join(f"{_said(value, field, _CELL)} {_marker(value, desk)}" for value in values)
    return _compared(told, values, desk)


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
    said, quote, marker = _said(value, field), in_cell(shown(value.place.quote)), _marker(value, desk)
    if field == ADDRESS or quote in quoted:
        return f"{said} {marker}"
    quoted.add(quote)
    whole = f"{desk.words['left']}{quote}{desk.words['right']} {marker}"
    return whole if said == quote else f"{said} – {whole}"


def _said(value: Proven, field: str, most: int | None = None) -> str:
    """Return a value as Markdown, cut at a word to at most `most` characters."""
    if field == ADDRESS:
        return f"<{safe_url(value.value)}>"
    text = without_marks(value.value)
    cut = text if most is None or len(text) <= most else f"{text[: most - 1].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
    return in_cell(cut)


def _link(value: Proven, desk: Desk) -> str:
    """Return a proof for the table: a link to the source's page and its marker."""
    source = desk.sources.by_key[value.place.key]
    url, marker = safe_url(source.reference.url), _marker(value, desk)
    return f"[{in_cell(source.domain or source.reference.title)}](<{url}>) {marker}" if url else marker


def _marker(value: Proven, desk: Desk) -> str:
    return desk.book.marker(value.value, value.place)
