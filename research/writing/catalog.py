"""Write a catalog: a table of items and requested fields, and a section per item with its quotations."""

from __future__ import annotations

from collections.abc import Sequence

from research.config import Language
from research.document import Section
from research.markdown_text import as_markdown, in_cell, without_marks
from research.markdown_text.parsing import safe_url
from research.material import ReportMaterial
from research.questions.catalog_fields import is_proof
from research.section_keys import section_key
from research.writing.claims import ClaimBook
from research.writing.field_labels import label_of
from research.writing.items import Item, Proven, wanted_fields, wanted_items
from research.writing.wording import WORDING

#: The field whose table cells contain only links.
_LINKS = "proof_links"
#: Most characters of a value in the table; the item's section has the whole value.
_CELL = 120


def catalog_sections(
    items: Sequence[Item], material: ReportMaterial, book: ClaimBook, keys: set[str]
) -> list[Section]:
    """Return a section with the table, and a section for each item."""
    words, fields = WORDING[material.config.language], wanted_fields(material)
    table = f"{words.table_says}\n\n{_table(items, fields, material, book)}"
    sections = [
        Section(key=section_key(words.comparison, keys), heading=words.comparison, body=table),
        Section(key=section_key(words.items, keys), heading=words.items, body=""),
    ]
    for item in items:
        body = _details(item, fields, material, book)
        sections.append(Section(key=section_key(item.name, keys), heading=item.name, level=2, body=body))
    return sections


def catalog_limits(items: Sequence[Item], material: ReportMaterial) -> list[str]:
    """Return sentences on missing items and on the fields not found or not proven for each item."""
    words, language = WORDING[material.config.language], material.config.language
    wanted, fields = wanted_items(material), wanted_fields(material)
    found = [words.fewer.format(wanted=wanted, found=len(items))] if len(items) < wanted else []
    for item in items:
        missing = [label_of(name, language).lower() for name in fields if not _has(item, name)]
        if missing:
            found.append(words.field_missing.format(name=item.name, fields=", ".join(missing)))
        if item.unproven:
            said = ", ".join(label_of(name, language).lower() for name in item.unproven)
            found.append(words.only_said.format(name=item.name, fields=said))
    return found


def note_fabricated(items: Sequence[Item], book: ClaimBook) -> None:
    """Record values whose quotations occur in no source as fabricated; they are not published."""
    for item in items:
        for value in item.fabricated:
            book.fabricated(value.value, value.quote, value.source_key or None)


def _has(item: Item, field: str) -> bool:
    return bool(item.url) if field == "provider_url" else bool(item.fields.get(field))


def _table(items: Sequence[Item], fields: Sequence[str], material: ReportMaterial, book: ClaimBook) -> str:
    language = material.config.language
    names = [WORDING[language].name, *(label_of(name, language) for name in fields)]
    rows = [[_name(item, book), *(_cell(item, name, material, book) for name in fields)] for item in items]
    lines = [[in_cell(name) for name in names], ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _name(item: Item, book: ClaimBook) -> str:
    return f"{in_cell(item.name)} {_marker(item.named, book)}"


def _cell(item: Item, field: str, material: ReportMaterial, book: ClaimBook) -> str:
    absent = WORDING[material.config.language].not_found
    if field == "provider_url":
        return _address(item, book) or absent
    values = item.fields.get(field, ())
    if not values:
        return absent
    if field == _LINKS:
        return " ".join(_link(value, material, book) for value in values)
    return f"{in_cell(_short(without_marks(values[0].value)))} {_marker(values[0], book)}"


def _details(item: Item, fields: Sequence[str], material: ReportMaterial, book: ClaimBook) -> str:
    quoted: set[str] = set()
    return "\n".join(f"- {_detail(item, field, material, book, quoted)}" for field in fields)


def _detail(item: Item, field: str, material: ReportMaterial, book: ClaimBook, quoted: set[str]) -> str:
    """Return a field with its quotations; a quotation already in `quoted` is replaced by the value alone."""
    language = material.config.language
    label = f"**{as_markdown(label_of(field, language))}:**"
    if field == "provider_url":
        return f"{label} {_address(item, book) or WORDING[language].not_found}"
    values = item.fields.get(field, ())
    said = " ".join(
        _value(value, book)
        if value.quote in quoted and value.value != value.quote
        else _quoted(value, book, language)
        for value in values
    )
    quoted.update(value.quote for value in values)
    links = _source_links(values, material) if is_proof(field) else ""
    return f"{label} {said or WORDING[language].not_found}{links}"


def _value(value: Proven, book: ClaimBook) -> str:
    return f"{in_cell(without_marks(value.value))} {_marker(value, book)}"


def _quoted(value: Proven, book: ClaimBook, language: Language) -> str:
    words = WORDING[language]
    return f"{words.left}{in_cell(without_marks(value.quote))}{words.right} {_marker(value, book)}"


def _link(value: Proven, material: ReportMaterial, book: ClaimBook) -> str:
    """Return a proof for the table: a link to the source's page and its marker."""
    source = material.sources[value.key]
    url, marker = safe_url(source.reference.url), _marker(value, book)
    return f"[{in_cell(source.domain or source.reference.title)}](<{url}>) {marker}" if url else marker


def _source_links(values: Sequence[Proven], material: ReportMaterial) -> str:
    urls = dict.fromkeys(safe_url(material.sources[value.key].reference.url) for value in values)
    return "".join(f" <{url}>" for url in urls if url)


def _address(item: Item, book: ClaimBook) -> str:
    url = safe_url(item.url)
    marker = _marker(item.url_told, book) if item.url_told else f"[@{item.url_from}]"
    return f"<{url}> {marker}" if url else ""


def _marker(value: Proven, book: ClaimBook) -> str:
    place = (value.start, value.end)
    return book.carried(value.value, value.quote, value.claimed, value.key, *place, value.page_no)


def _short(text: str) -> str:
    if len(text) <= _CELL:
        return text
    return f"{text[: _CELL - 1].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
