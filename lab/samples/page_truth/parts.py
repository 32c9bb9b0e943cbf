"""Files with more entries than are seen at first: attachments, spreads, files behind one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap_all
from lab.samples.forms import form_2026
from lab.samples.hand import fonts
from lab.samples.page_truth.fields import add_field, form_fields, open_form
from lab.samples.page_truth.objects import add_annotation, add_file, add_look, add_object, add_stream, text_string
from lab.samples.page_truth.sheet import FORM, LABELLED, Sheet, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_file, as_pdf, elsewhere
from lab.samples.page_truth.word_parts import labelled_document
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth

_PDF, _WORD = "application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LETTERS = {
    False: (
        "Dear contest team,",
        "Please find the entry of our child attached to this page. The scanner at work was out of",
        "order, so I filled in the form on the screen and attached it here.",
        "Thank you for reading so many letters.",
    ),
    True: (
        "To whom it may concern:",
        "The essays from our classroom are clipped to this cover sheet as separate documents. Kindly",
        "open each of them. Call the front desk if one of them will not open.",
        "With kind regards from the front desk",
    ),
}
_PORTFOLIO = {
    False: ("For the best experience, open this PDF portfolio in", "Acrobat X or Adobe Reader X, or later."),
    True: ("This document is a portfolio. Your viewer does not show", "the documents in it. Get a newer viewer."),
}


def filled_form(rng: Random, part: Part) -> tuple[bytes, Truth]:
    """A form that was filled in on a screen, as a file of its own."""
    doc, (sheet,) = open_form(rng, part)
    for given in form_fields(sheet).values():
        add_field(sheet.canvas, given)
    return to_bytes(doc, rng), sheet.truth


def attached(how: str, count: int = 1, *, word: bool = False) -> Way:
    """Entries that are attached.

    `how`: to a page with a letter (`letter`), to another entry (`form`), to the cover of a portfolio
    (`portfolio`), or to the document alone, behind a letter (`tree`).
    """

    def draw(rng: Random, part: Part) -> Sample:
        files = [_a_file(rng, part, word) for _ in range(count)]
        doc, truths = pymupdf.open(), []
        if how == "form":
            sheet = compose(rng, part, doc, FORM)
            sheet.put_all()
            canvas, truths = sheet.canvas, [sheet.truth]
        else:
            canvas = Canvas(doc)
            words = _PORTFOLIO if how == "portfolio" else _LETTERS
            canvas.lines(72, 96, list(words[part.held_out]), 11, 17, rng.choice(part.typefaces))
        specifications = [
            add_file(doc, f"{'entry' if not part.held_out else 'Doc'} {number}.{kind}", data, mime)
            for number, (data, kind, mime, _) in enumerate(files, 1)
        ]
        _attach(canvas, specifications, how)
        truths += [elsewhere(truth) for *_, truth in files]
        return as_pdf(doc, rng, truths, no_entry=["contest team", "may concern", "portfolio"])

    return draw


def _a_file(rng: Random, part: Part, word: bool) -> tuple[bytes, str, str, Truth]:
    if word:
        data, truth = labelled_document(rng, part)
        return data, "docx", _WORD, truth
    data, truth = filled_form(rng, part)
    return data, "pdf", _PDF, truth


def _attach(canvas: Canvas, specifications: Sequence[int], how: str) -> None:
    doc = canvas.page.parent
    if how in ("letter", "form"):
        for number, one in enumerate(specifications):
            look = add_look(doc, 14, 20, "0.2 0.4 0.8 rg 2 2 10 16 re f")
            box = (560.0, 40.0 + 30 * number, 574.0, 60.0 + 30 * number)
            add_annotation(canvas, "FileAttachment", box, look, f"/FS {one} 0 R/Name/PushPin")
        return
    names = "".join(f"{text_string(f'{number:04d}')}{one} 0 R" for number, one in enumerate(specifications))
    tree = add_object(doc, f"<</EmbeddedFiles<</Names[{names}]>>>>")
    doc.xref_set_key(doc.pdf_catalog(), "Names", f"{tree} 0 R")
    if how == "portfolio":
        doc.xref_set_key(doc.pdf_catalog(), "Collection", "<</Type/Collection/View/T>>")


_WAIT = {
    False: (
        "Please wait...",
        "If this message is not eventually replaced by the proper contents of the document, your PDF",
        "viewer may not be able to display this type of document.",
        "You can upgrade to the latest version of Adobe Reader for Windows, Mac, or Linux.",
    ),
    True: (
        "Espere...",
        "Si este mensaje no se reemplaza por el contenido correcto del documento, es posible que su",
        "visor de PDF no pueda mostrar este tipo de documento.",
        "To view the full contents of this document, you need a later version of the PDF viewer.",
    ),
}


def dynamic_form(*, packets: bool) -> Way:
    """A form of design programs (XFA): the page asks to wait, the entry is in the data."""

    def draw(rng: Random, part: Part) -> Sample:
        entry, doc = draw_person(rng, part), pymupdf.open()
        canvas = Canvas(doc)
        canvas.lines(72, 90, list(_WAIT[part.held_out]), 11, 16)
        names = ("StudentName", "School", "Grade", "Essay") if not part.held_out else ("nm", "sch", "gr", "txt")
        values = (entry.name, entry.school_written, entry.grade, " ".join(entry.essay))
        data = "".join(
            f"<{name}>{_escaped(value or '')}</{name}>" for name, value in zip(names, values, strict=True)
        )
        form = _xfa(doc, names, data, packets)
        doc.xref_set_key(doc.pdf_catalog(), "AcroForm", f"<</Fields[]/XFA {form}>>")
        doc.xref_set_key(doc.pdf_catalog(), "NeedsRendering", "true")
        truth = Truth()
        truth.values |= dict(zip(("student_name", "school_name", "grade", "essay_text"), values, strict=True))
        truth.accept_school(entry)
        return as_pdf(doc, rng, [truth], may_refuse=True, no_entry=["Please wait", "Espere"])

    return draw


def _xfa(doc: pymupdf.Document, names: Sequence[str], data: str, packets: bool) -> str:
    fields = "".join(f'<field name="{name}"><ui><textEdit/></ui></field>' for name in names)
    template = (
        '<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">'
        f'<subform name="form1" layout="tb"><pageSet/>{fields}</subform></template>'
    )
    datasets = (
        '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/">'
        f"<xfa:data><form1>{data}</form1></xfa:data></xfa:datasets>"
    )
    head, tail = '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">', "</xdp:xdp>"
    if not packets:
        return f"{add_stream(doc, (head + template + datasets + tail).encode())} 0 R"
    streams = [add_stream(doc, text.encode()) for text in (head, template, datasets, tail)]
    named = zip(("preamble", "template", "datasets", "postamble"), streams, strict=True)
    return "[" + "".join(f"{text_string(name)}{stream} 0 R" for name, stream in named) + "]"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def behind_one_another(count: int, between: bytes = b"") -> Way:
    """Several PDF files in one, as copying them together or a faulty upload leaves them."""

    def draw(rng: Random, part: Part) -> Sample:
        pieces, truths = [], []
        for _ in range(count):
            doc = pymupdf.open()
            sheet = compose(rng, part, doc, FORM)
            sheet.put_all()
            pieces.append(to_bytes(doc, rng))
            truths.append(elsewhere(sheet.truth))
        return as_file(between.join(pieces), ".pdf", truths, may_refuse=True, may_repeat=True)

    return draw


def updated(rng: Random, part: Part) -> Sample:
    """One PDF that was saved anew by appending: a corrected name (PDF 32000-1, 7.5.6). No second file is in it."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc, FORM)
    old = draw_person(rng, part)
    sheet.put("student_name", old.name)
    before = to_bytes(doc, rng)
    doc = pymupdf.open()
    again = Sheet(Canvas(doc), sheet.entry, sheet.truth, sheet.face, sheet.layout, sheet.spots, sheet.lines)
    form_2026.draw_printed(again.canvas)
    again.put_all()
    return as_file(_appended(before, to_bytes(doc, rng)), ".pdf", [again.truth], no_entry=[old.name])


def _appended(before: bytes, after: bytes) -> bytes:
    """The first file with every object of the second appended as an update of it."""
    new = pymupdf.open("pdf", after)
    old = pymupdf.open("pdf", before)
    data, shift = bytearray(before), old.xref_length()
    rows = []
    for xref in range(1, new.xref_length()):
        text = re.sub(r"(\d+) 0 R", lambda found: f"{int(found[1]) + shift} 0 R", new.xref_object(xref))
        rows.append((xref + shift, len(data)))
        data += f"\n{xref + shift} 0 obj\n{text}".encode()
        if new.xref_is_stream(xref):
            data += b"\nstream\n" + new.xref_stream_raw(xref) + b"\nendstream"
        data += b"\nendobj"
    start = len(data) + 1
    table = "".join(f"{at:010d} 00000 n \n" for _, at in rows)
    previous = re.findall(rb"startxref\s+(\d+)", before)[-1].decode()
    root = new.pdf_catalog() + shift
    size = shift + new.xref_length()
    data += f"\nxref\n{rows[0][0]} {len(rows)}\n{table}".encode()
    data += f"trailer\n<</Size {size}/Root {root} 0 R/Prev {previous}>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)


_SHEETS = {
    "letter": (792.0, 612.0),
    "tabloid": (1224.0, 792.0),
    "a3": (1191.0, 842.0),
    "tall": (612.0, 792.0),
    "four": (1224.0, 1584.0),
}


def spread(paper: str, layout: str, *, scanned: bool = False, gap: float = 0) -> Way:
    """Two entries side by side on one sheet, or one above the other (`tall`), or four of them."""

    def draw(rng: Random, part: Part) -> Sample:
        single = pymupdf.open()
        count = 4 if paper == "four" else 2
        sheets = [compose(rng, part, single, layout) for _ in range(count)]
        for number, sheet in enumerate(sheets):
            sheet.canvas = Canvas.over(single[number], number + 1)
            sheet.put_all()
        single = pymupdf.open("pdf", to_bytes(single, rng))
        doc = pymupdf.open()
        page = doc.new_page(width=_SHEETS[paper][0], height=_SHEETS[paper][1])
        for number, place in enumerate(_cells(paper, gap)):
            page.show_pdf_page(place, single, number)
        truths = [sheet.truth for sheet in sheets]
        for truth in truths:
            truth.page_start = truth.page_end = 1
            truth.boxes.clear()
            truth.typed = not scanned
        return as_pdf(_photographed(doc) if scanned else doc, rng, truths)

    return draw


def _cells(paper: str, gap: float) -> list[pymupdf.Rect]:
    width, height = _SHEETS[paper]
    if paper == "tall":
        return [pymupdf.Rect(0, 0, width, height / 2 - gap), pymupdf.Rect(0, height / 2 + gap, width, height)]
    if paper == "four":
        return [pymupdf.Rect(x, y, x + width / 2, y + height / 2) for y in (0, height / 2) for x in (0, width / 2)]
    return [pymupdf.Rect(0, 0, width / 2 - gap, height), pymupdf.Rect(width / 2 + gap, 0, width, height)]


def _photographed(doc: pymupdf.Document) -> pymupdf.Document:
    """The pages as pictures."""
    result = pymupdf.open()
    for page in doc:
        picture = page.get_pixmap(dpi=150, colorspace=pymupdf.csGRAY, alpha=False).tobytes("jpg", jpg_quality=70)
        result.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, stream=picture)
    return result


def fronts_then_backs(*, reverse: bool, count: int = 3, empty_back: bool = False) -> Way:
    """Sheets whose fronts were scanned first and then their backs, which bear no name."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, backs, truths = pymupdf.open(), [], []
        for number in range(count):
            short = empty_back and number == 1
            sheet = compose(rng, part, doc, LABELLED, words=(62, 110) if short else (235, 270))
            sheet.put_values()
            lines = wrap_all([" ".join(sheet.entry.essay)], 468, 12, sheet.face)
            front, back = (lines, []) if short else _cut(lines)
            sheet.canvas.lines(72, 190, front, 12, 46, sheet.face)
            truths.append(sheet.truth)
            backs.append((back, sheet.face))
        for back, face in reversed(backs) if reverse else backs:
            Canvas(doc).lines(72, 90, back, 12, 46, face)
        return as_pdf(doc, rng, truths)

    return draw


def _cut(lines: list[str]) -> tuple[list[str], list[str]]:
    """What fits the front, and the rest: the front ends within a sentence."""
    at = min(13, len(lines) - 2)
    while at > 4 and lines[at - 1].rstrip().endswith((".", "!", "?")):
        at -= 1
    return lines[:at], lines[at:]


_SEPARATORS = {
    False: (("PATCH T", "Separator sheet. Please do not remove."), ("SEPARATOR", "Place between documents")),
    True: (
        ("DOCUMENT DIVIDER", "Type 2 - scan face up"),
        ("*** NEXT ESSAY ***", "batch control page"),
        ("HOJA SEPARADORA", "No la retire"),
        ("", ""),
    ),
}


def among_other_sheets(*, class_list: bool, in_a_row: int = 1, count: int = 2, layout: str = FORM) -> Way:
    """Entries with a class list before them and separator sheets between them."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, sheets, texts = pymupdf.open(), [], []
        if class_list:
            texts += _class_list(rng, part, Canvas(doc))
        head, line = rng.choice(_SEPARATORS[part.held_out])
        for number in range(count):
            for _ in range(in_a_row if number else in_a_row - 1):
                _separator(Canvas(doc), head, line)
            sheet = compose(rng, part, doc, layout)
            sheet.put_all()
            sheets.append(sheet)
        _separator(Canvas(doc), head, line)
        texts += [text for text in (head, line) if len(text) > 4]
        return as_pdf(doc, rng, [sheet.truth for sheet in sheets], no_entry=texts)

    return draw


def _separator(canvas: Canvas, head: str, line: str) -> None:
    """Bars of a barcode and a few large words; a sheet without words has nothing but its bars."""
    x, widths = 120.0, Random(head).choices((2, 2, 4, 6), k=60)
    for number, wide in enumerate(widths):
        if number % 2 == 0:
            canvas.page.draw_rect(pymupdf.Rect(x, 120, x + wide, 240), color=None, fill=(0, 0, 0))
        x += wide
    if head:
        canvas.text(306 - fonts.width("sans-bold", head, 40) / 2, 420, head, 40, "sans-bold")
        canvas.text(306 - fonts.width("sans", line, 14) / 2, 460, line, 14)


def _class_list(rng: Random, part: Part, canvas: Canvas) -> list[str]:
    """A table of names and grades; the names are nobody's entry."""
    people = [draw_person(rng, part) for _ in range(8)]
    title = "Class list" if not part.held_out else "Room roster - essays collected"
    canvas.text(72, 80, title, 16, "sans-bold")
    canvas.text(72, 104, f"{people[0].school.name}    Teacher: {people[0].father or 'Mr. Ames'}", 11)
    columns = ("No.", "Student", "Grade") if not part.held_out else ("#", "Last, First", "Gr.", "In?")
    for number, text in enumerate(columns):
        canvas.text((72, 110, 330, 400)[number], 136, text, 11, "sans-bold")
    for number, person in enumerate(people, 1):
        given, family = " ".join(person.given), " ".join(person.family)
        name = f"{given} {family}" if not part.held_out else f"{family}, {given}"
        y = 140 + 20 * number
        for x, text in ((72, str(number)), (110, name), (330, person.grade or ""), (400, "x")):
            if text != "x" or part.held_out:
                canvas.text(x, y, text, 11)
    return [title, people[3].name or title]
