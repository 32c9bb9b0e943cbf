"""A Word file as HTML and pictures: what Word displays of it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mammoth
from lxml import etree

from core.config import FileBounds
from pipeline.files.notes import FileNote, file_note
from pipeline.files.word.breaks import SectionPages, begin_page, mark_breaks, sections_of
from pipeline.files.word.chunks import MOST_CHUNKS, has_pictures, html_of
from pipeline.files.word.drawings import resolve_drawings
from pipeline.files.word.held import held_notes, remarks
from pipeline.files.word.margins import drop_page_numbers, large_pictures, lines_of, margin_parts
from pipeline.files.word.names import A, R, V, W, paragraph_of, remove, replace
from pipeline.files.word.package import Package, check_archive, main_parts
from pipeline.files.word.pictures import PlacedPictures, ShownPictures
from pipeline.files.word.story import resolve_alternatives, resolve_text
from pipeline.files.word.styles import Styles
from pipeline.reason_codes import ReasonCode

#: Word files within Word files that are followed, and the share of the whole that one may unpack to.
_DEEPEST, _SHARE = 2, 10
#: Parts that the converter reads beside the main one.
_NOTES, _LOOKS = ("footnotes", "endnotes"), ("styles", "numbering")
_ZIP = b"PK\x03\x04"
#: Letters of private use around the number of a document that is brought in.
_CHUNK = "\ue5ca{}.{}\ue5cb"


@dataclass(slots=True)
class Section:
    """A section: its pages, and the lines at their head and foot that the section before has not.

    A page is HTML up to a page break; its pictures are those of that name.
    """

    head: list[str]
    foot: list[str]
    pages: list[str]
    #: Whether the first page goes on where the section before ended.
    goes_on: bool


@dataclass(slots=True)
class WordText:
    """What a Word file displays."""

    sections: list[Section]
    pictures: dict[str, bytes]
    notes: list[FileNote]


def read_document(data: bytes, bounds: FileBounds) -> WordText:
    """Read a Word file. Raises what `check_archive` raises, PictureTooLargeError, and one of BROKEN_WORD."""
    reading = _Reading(bounds)
    text = reading.whole(data)
    if unread := reading.unread + reading.pictures.unread:
        text.notes.append(file_note(ReasonCode.UNREAD_CONTENT, unread))
    return text


class _Reading:
    """Reads a file, and those that it brings in."""

    def __init__(self, bounds: FileBounds) -> None:
        self._bounds = bounds
        self.pictures = PlacedPictures(bounds)
        self._chunks: list[str] = []
        #: What is displayed and cannot be read: charts, pictures that are elsewhere, comments.
        self.unread = 0

    def whole(self, data: bytes) -> WordText:
        """Read the file itself, with its margins."""
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, self._bounds)
            documents = main_parts(archive)
            package = Package(archive, documents[0])
            heads, feet = (margin_parts(package, kind) for kind in ("header", "footer"))
            printed = [part for parts in (*heads, *feet) for part in parts]
            notes = held_notes(package, [*_text_parts(package), *dict.fromkeys(printed)], documents)
            lines = {part: self._margin(package, part) for part in dict.fromkeys(printed)}
            pages = sections_of(self._body(package, 0))
            return WordText(_sections(pages, heads, feet, lines), self.pictures.by_name, notes)

    def _brought_in(self, data: bytes, depth: int) -> str:
        """Read a file within the file; its margins stay behind."""
        bounds = self._bounds._replace(max_unpacked_bytes=self._bounds.max_unpacked_bytes // _SHARE)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, bounds)
            return self._body(Package(archive, main_parts(archive)[0]), depth)

    def _body(self, package: Package, depth: int) -> str:
        """Return the body as HTML, with marks where pages and, of the file itself, sections begin."""
        styles, read = _styles(package), _text_parts(package)
        self.unread += remarks(package)
        for part in read:
            self._bring_in(package, part, depth)
            self._resolve(package, part, styles)
        _drop_dead_references(package, read)
        mark_breaks(package.tree(package.main), styles, sections=not depth)
        looks = [part for kind in _LOOKS for part in package.related(kind)]
        body = mammoth.convert_to_html(
            io.BytesIO(package.written([*read[1:], *looks])),
            convert_image=mammoth.images.img_element(self.pictures),
        )
        return self._with_chunks(body.value, depth)

    def _resolve(self, package: Package, part: str, styles: Styles) -> None:
        root = package.tree(part)
        resolve_alternatives(root)
        resolve_text(root, styles)
        shown = ShownPictures(package, part, self._bounds)
        self.unread += resolve_drawings(root, shown, lambda key: _diagram(package, part, key)) + shown.linked

    def _margin(self, package: Package, part: str) -> list[str]:
        root = package.tree(part)
        resolve_alternatives(root)
        drop_page_numbers(root)
        # What is written across the whole page is a watermark.
        etree.strip_elements(root, f"{V}textpath", with_tail=False)
        self.unread += large_pictures(root)
        resolve_text(root, _styles(package))
        resolve_drawings(root, lambda _picture: None, lambda _key: [])
        return list(lines_of(root))

    def _bring_in(self, package: Package, part: str, depth: int) -> None:
        """Read the documents that a part brings in; a mark stands in their place until the rest is HTML."""
        relations = package.relations(part)
        documents = 0
        for chunk in list(package.tree(part).iter(f"{W}altChunk")):
            relation = relations.get(chunk.get(f"{R}id") or "")
            data = None
            if relation is not None and not relation.external and package.has(relation.target):
                data = package.read(relation.target)
            found = (
                self._chunk(data, relation.target, depth) if data is not None and relation is not None else None
            )
            if found is None or data is None:
                self.unread += 1
                replace(chunk, [])
                continue
            documents += data.startswith(_ZIP)
            if documents > 1:
                # Files of several people that were put together.
                begin_page(chunk)
            replace(chunk, [paragraph_of(_CHUNK.format(depth, len(self._chunks)))])
            self._chunks.append(found)

    def _chunk(self, data: bytes, name: str, depth: int) -> str | None:
        if len(self._chunks) >= MOST_CHUNKS:
            return None
        if data.startswith(_ZIP):
            return self._brought_in(data, depth + 1) if depth < _DEEPEST else None
        self.unread += has_pictures(data)
        return html_of(data, name.rpartition(".")[2].lower())

    def _with_chunks(self, body: str, depth: int) -> str:
        for number, chunk in enumerate(self._chunks):
            mark = _CHUNK.format(depth, number)
            if mark in body:
                body = body.replace(f"<p>{mark}</p>", mark).replace(mark, chunk, 1).replace(mark, "")
        return body


def _text_parts(package: Package) -> list[str]:
    """The parts with the text of the pages: the main one, footnotes, endnotes."""
    return [package.main, *(part for kind in _NOTES for part in package.related(kind))]


def _sections(
    pages: Sequence[SectionPages],
    heads: Sequence[list[str]],
    feet: Sequence[list[str]],
    lines: Mapping[str, list[str]],
) -> list[Section]:
    """Give each section its lines; those that the section before has already are not repeated."""
    found: list[Section] = []
    before: set[str] = set()
    for number, of_section in enumerate(pages):
        head = [line for part in _at(heads, number) for line in lines[part]]
        foot = [line for part in _at(feet, number) for line in lines[part] if line not in head]
        new = [list(dict.fromkeys(line for line in side if line not in before)) for side in (head, foot)]
        found.append(Section(new[0], new[1], of_section.pages, of_section.goes_on))
        before = {*head, *foot}
    return found


def _at(parts: Sequence[list[str]], number: int) -> list[str]:
    return parts[number] if number < len(parts) else []


def _styles(package: Package) -> Styles:
    found = package.related("styles")
    styles = Styles.of(package.tree(found[0]) if found else None)
    styles.coloured_page = package.tree(package.main).find(f"{W}background") is not None
    return styles


def _drop_dead_references(package: Package, parts: Sequence[str]) -> None:
    """Drop references to comments, which are not displayed in the text, and to notes that are not there."""
    for kind in ("footnote", "endnote"):
        there = {
            note.get(f"{W}id")
            for part in package.related(f"{kind}s")
            for note in package.tree(part).iter(f"{W}{kind}")
        }
        for part in parts:
            for reference in list(package.tree(part).iter(f"{W}{kind}Reference")):
                if reference.get(f"{W}id") is None or reference.get(f"{W}id") not in there:
                    remove(reference)
    for part in parts:
        etree.strip_elements(package.tree(part), f"{W}commentReference", with_tail=False)


def _diagram(package: Package, part: str, key: str) -> list[str]:
    """The texts of a SmartArt (ECMA-376-1, 21.4), from its data."""
    relation = package.relations(part).get(key)
    if relation is None or relation.external or not package.has(relation.target):
        return []
    root = package.tree(relation.target)
    lines = ("".join(node.text or "" for node in paragraph.iter(f"{A}t")) for paragraph in root.iter(f"{A}p"))
    return [line for line in lines if line.strip()]
