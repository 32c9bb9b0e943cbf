"""Convert a Word file to PDF: what Word displays of it, in order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import mammoth
from lxml import etree
from mammoth.docx.dingbats import dingbats

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError, EmptyDocumentError, TooManyPagesError
from pipeline.files.content_type import FileNote, file_note
from pipeline.files.word.breaks import (
    SectionPages,
    begin_page,
    drop_page_numbers,
    has_content,
    large_pictures,
    margin_lines,
    margin_parts,
    mark_breaks,
    sections_of,
)
from pipeline.files.word.drawings import PlacedPictures, ShownPictures, resolve_drawings
from pipeline.files.word.package import (
    BROKEN_WORD,
    MC,
    MOST_CHUNKS,
    A,
    M,
    Package,
    R,
    V,
    W,
    check_archive,
    has_pictures,
    html_of,
    is_on,
    main_parts,
    paragraph_of,
    remove_element,
    replace_element,
    run_of,
)
from pipeline.files.word.styles import (
    Styles,
    held_notes,
    remarks,
    resolve_controls,
    resolve_fields,
    resolve_instructions_left,
)
from pipeline.mupdf.assembly import typeset, words_lost
from pipeline.reason_codes import ReasonCode

# Convert Word files to PDF: what Word displays of them, in order; formatting is not kept.


class WordPages(NamedTuple):
    pdf: bytes
    notes: list[FileNote]


def docx_to_pdf(data: bytes, bounds: FileBounds) -> WordPages:
    """Return the document as a PDF of letter pages, and notes of what else it holds.

    Raises UnpacksTooLargeError and PictureTooLargeError (both before unpacking), EncryptedDocumentError,
    DamagedDocumentError, EmptyDocumentError and TooManyPagesError.
    """
    pdf, notes = _converted(data, bounds)
    return WordPages(pdf, [FileNote.model_validate(note) for note in notes])


@confined
def _converted(data: bytes, bounds: FileBounds) -> tuple[bytes, list[dict[str, Any]]]:
    """The PDF, and the notes as plain data."""
    try:
        text = read_word_file(data, bounds)
    except BROKEN_WORD as exc:
        raise DamagedDocumentError("the Word file cannot be read") from exc
    pages = _pages(text.sections)
    if not any(map(has_content, pages)):
        raise EmptyDocumentError("a Word file without text or pictures")
    if len(pages) > bounds.max_pages:
        raise TooManyPagesError(f"{len(pages)} pages")
    pdf = typeset(pages, text.pictures, bounds.max_pages)
    notes = text.notes
    if lost := words_lost(pdf, " ".join(pages)):
        notes = [*notes, file_note(ReasonCode.UNREAD_CONTENT, lost)]
    return pdf, [note.model_dump(mode="json") for note in notes]


def _pages(sections: Iterable[WordSection]) -> list[str]:
    """The pages of all sections, the head of each on its first page and its foot on its last."""
    found: list[str] = []
    for section in sections:
        pages = list(section.pages) or ([""] if section.head or section.foot else [])
        if not pages:
            continue
        pages[0] = _paragraphs(section.head) + pages[0]
        pages[-1] += _paragraphs(section.foot)
        if section.goes_on and found:
            found[-1] += pages.pop(0)
        found += pages
    # Wide gaps for tabs: HTML would collapse "Name:<tab>Grade:" to a single space.
    return [page.replace("\t", "&#160;&#160;&#160;&#160; ") for page in found]


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


# A Word file as HTML and pictures: what Word displays of it.


#: Greatest depth of Word files within Word files, and the divisor of the limit that one may unpack to.
_DEEPEST, _SHARE = 2, 10
#: Parts that the converter reads besides the main one.
_NOTES, _LOOKS = ("footnotes", "endnotes"), ("styles", "numbering")
_ZIP = b"PK\x03\x04"
#: Private-use characters around the number of an included document.
_CHUNK = "\ue5ca{}.{}\ue5cb"


@dataclass(slots=True)
class WordSection:
    """A section: its pages, and the lines at their head and foot that the previous section does not have.

    A page is HTML up to a page break; its pictures are those of that name.
    """

    head: list[str]
    foot: list[str]
    pages: list[str]
    #: Whether the first page continues the last page of the previous section.
    goes_on: bool


@dataclass(slots=True)
class WordText:
    """What a Word file displays."""

    sections: list[WordSection]
    pictures: dict[str, bytes]
    notes: list[FileNote]


def read_word_file(data: bytes, bounds: FileBounds) -> WordText:
    """Read a Word file. Raises what `check_archive` raises, PictureTooLargeError, and one of BROKEN_WORD."""
    reading = _Reading(bounds)
    text = reading.whole(data)
    if unread := reading.unread + reading.pictures.unread:
        text.notes.append(file_note(ReasonCode.UNREAD_CONTENT, unread))
    return text


class _Reading:
    """Reads a file and the files that it includes."""

    def __init__(self, bounds: FileBounds) -> None:
        self._bounds = bounds
        self.pictures = PlacedPictures(bounds)
        self._chunks: list[str] = []
        #: Number of displayed things that cannot be read: charts, external pictures, comments.
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
        """Read a file within the file, without its margins."""
        bounds = self._bounds._replace(max_unpacked_bytes=self._bounds.max_unpacked_bytes // _SHARE)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, bounds)
            return self._body(Package(archive, main_parts(archive)[0]), depth)

    def _body(self, package: Package, depth: int) -> str:
        """Return the body as HTML, with marks where pages begin and, in the file itself, sections."""
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
        # Text along a path across the page is a watermark.
        etree.strip_elements(root, f"{V}textpath", with_tail=False)
        self.unread += large_pictures(root)
        resolve_text(root, _styles(package))
        resolve_drawings(root, lambda _picture: None, lambda _key: [])
        return list(margin_lines(root))

    def _bring_in(self, package: Package, part: str, depth: int) -> None:
        """Read the documents that a part includes; marks take their places until the rest is HTML."""
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
                replace_element(chunk, [])
                continue
            documents += data.startswith(_ZIP)
            if documents > 1:
                # Files of several people that were joined.
                begin_page(chunk)
            replace_element(chunk, [paragraph_of(_CHUNK.format(depth, len(self._chunks)))])
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
) -> list[WordSection]:
    """Give each section its lines, without those that the previous section has already."""
    found: list[WordSection] = []
    before: set[str] = set()
    for number, of_section in enumerate(pages):
        head = [line for part in _at(heads, number) for line in lines[part]]
        foot = [line for part in _at(feet, number) for line in lines[part] if line not in head]
        new = [list(dict.fromkeys(line for line in side if line not in before)) for side in (head, foot)]
        found.append(WordSection(new[0], new[1], of_section.pages, of_section.goes_on))
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
    """Drop references to comments, which the text does not display, and to missing notes."""
    for kind in ("footnote", "endnote"):
        there = {
            note.get(f"{W}id")
            for part in package.related(f"{kind}s")
            for note in package.tree(part).iter(f"{W}{kind}")
        }
        for part in parts:
            for reference in list(package.tree(part).iter(f"{W}{kind}Reference")):
                if reference.get(f"{W}id") is None or reference.get(f"{W}id") not in there:
                    remove_element(reference)
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


# The text of a part of a Word file as a person reads it, simplified for the converter.


#: Extensions of newer Word versions that are understood here; otherwise the fallback for older programs is read.
_UNDERSTOOD = {"wps", "wpg", "wpc", "wp14", "w14", "w15", "w16", "w16se", "w16cid", "w16cex", "a14", "v", "pic"}
#: Wrappers of formatting, which the converter would drop together with their content.
_WRAPPERS = (f"{W}dir", f"{W}bdo", f"{W}smartTag", f"{W}customXml", f"{W}ins", f"{W}moveTo")
#: Tracked deletions.
_GONE = (f"{W}del", f"{W}moveFrom")
_PROPERTIES = (f"{W}rPr", f"{W}trPr", f"{W}pPr", f"{W}tcPr", f"{W}numPr")
#: Fonts whose letters are pictures.
_PICTURE_TYPE = {name.lower(): name for name, _ in dingbats}
#: Elements of a run that display a character.
_LETTERS = (f"{W}t", f"{W}sym", f"{W}tab", f"{W}noBreakHyphen", f"{W}ptab")


def resolve_alternatives(root: Any) -> None:
    """Keep one alternative of content for newer and older programs (ECMA-376-3, 10): the newest understood."""
    for either in list(root.iter(f"{MC}AlternateContent")):
        chosen = None
        for choice in either.iterfind(f"{MC}Choice"):
            if set(choice.get("Requires", "").split()) <= _UNDERSTOOD:
                chosen = choice
                break
        if chosen is None or not len(chosen):
            fallback = either.find(f"{MC}Fallback")
            chosen = fallback if fallback is not None and len(fallback) else either.find(f"{MC}Choice")
        replace_element(either, list(chosen) if chosen is not None else [])


def resolve_text(root: Any, styles: Styles) -> None:
    """Keep only displayed text: results of fields, and nothing deleted, hidden or struck through."""
    for gone in list(root.iter(*_GONE)):
        if gone.getparent() is not None and gone.getparent().tag not in _PROPERTIES:
            remove_element(gone)
    for row in list(root.iter(f"{W}tr")):
        if is_on(row.find(f"{W}trPr/{W}hidden")):
            remove_element(row)
    resolve_controls(root, styles)
    resolve_fields(root)
    resolve_instructions_left(root)
    _unwrap(root)
    for run in list(root.iter(f"{W}r")):
        _resolve_run(run, styles)
    # The rest of these are where no letters can be.
    etree.strip_elements(root, f"{W}sym", with_tail=False)
    _join_drop_caps(root)


def _unwrap(root: Any) -> None:
    for wrapper in list(root.iter(*_WRAPPERS)):
        if wrapper.getparent() is not None and wrapper.getparent().tag in _PROPERTIES:
            continue
        replace_element(
            wrapper, [child for child in wrapper if child.tag not in (f"{W}smartTagPr", f"{W}customXmlPr")]
        )
    for ruby in list(root.iter(f"{W}ruby")):
        base = ruby.find(f"{W}rubyBase")
        # A run within a run: keep only its letters.
        replace_element(ruby, [] if base is None else list(base.iter(f"{W}t")))
    for formula in list(root.iter(f"{M}oMath")):
        text = _formula(formula)
        replace_element(formula, [run_of(text)] if text.strip() else [])
    for around in list(root.iter(f"{M}oMathPara")):
        runs = list(around.iter(f"{W}r"))
        parent = around.getparent()
        if parent is not None and parent.tag != f"{W}p":
            paragraph = etree.Element(f"{W}p")
            paragraph.extend(runs)
            runs = [paragraph]
        replace_element(around, runs)


def _formula(formula: Any) -> str:
    """The letters of a formula in one line; a fraction with its bar."""
    pieces = []
    for node in formula.iter(f"{M}t", f"{M}den", f"{W}t"):
        pieces.append("/" if node.tag == f"{M}den" else node.text or "")
    return "".join(pieces)


def _resolve_run(run: Any, styles: Styles) -> None:
    if styles.hidden(run):
        for node in [node for node in run if node.tag != f"{W}rPr"]:
            run.remove(node)
        return
    if not styles.displayed(run):
        for letters in _LETTERS:
            for node in run.findall(letters):
                run.remove(node)
        return
    font = _picture_type(run)
    for node in list(run):
        if node.tag == f"{W}noBreakHyphen":
            _put_text(node, "-")
        elif node.tag == f"{W}softHyphen":
            run.remove(node)
        elif node.tag in (f"{W}ptab", f"{W}cr"):
            node.tag = f"{W}tab" if node.tag == f"{W}ptab" else f"{W}br"
            node.attrib.clear()
        elif node.tag == f"{W}sym":
            _put_text(node, _symbol(node.get(f"{W}font") or "", node.get(f"{W}char") or ""))
        elif node.tag == f"{W}t" and font and node.text:
            node.text = "".join(_dingbat(font, ord(letter)) or letter for letter in node.text)


def _put_text(node: Any, text: str) -> None:
    new = run_of(text)[0]
    replace_element(node, [new] if text else [])


def _symbol(font: str, char: str) -> str:
    """Return the letter of a `w:sym`: by the table for a font of pictures, else the letter itself (17.3.3.30)."""
    try:
        code = int(char, 16)
    except ValueError:
        return ""
    if font.lower() in _PICTURE_TYPE or 0xF000 <= code <= 0xF0FF:
        return _dingbat(font, code)
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code <= 0xFFFD else ""


def _dingbat(font: str, code: int) -> str:
    name = _PICTURE_TYPE.get(font.lower(), "")
    found = dingbats.get((name, code)) or dingbats.get((name, code & 0xFF))
    return chr(found) if found else ""


def _picture_type(run: Any) -> str:
    fonts = run.find(f"{W}rPr/{W}rFonts")
    name = (fonts.get(f"{W}ascii") or "") if fonts is not None else ""
    return name if name.lower() in _PICTURE_TYPE else ""


def _join_drop_caps(root: Any) -> None:
    """Join a drop cap, which is a separate paragraph, with the text that it begins (17.3.1.11)."""
    for frame in list(root.iter(f"{W}framePr")):
        paragraph = frame.getparent().getparent() if frame.getparent() is not None else None
        if frame.get(f"{W}dropCap") not in ("drop", "margin") or paragraph is None or paragraph.tag != f"{W}p":
            continue
        after = paragraph.getnext()
        if after is None or after.tag != f"{W}p":
            continue
        at = 1 if len(after) and after[0].tag == f"{W}pPr" else 0
        for run in reversed(paragraph.findall(f"{W}r")):
            after.insert(at, deepcopy(run))
        remove_element(paragraph)
