"""PDF objects written by hand, as producers write them: streams, appearances, annotations, embedded files."""

from __future__ import annotations

from collections.abc import Iterable

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas

Box = tuple[float, float, float, float]


def text_string(text: str, *, wide: bool = False) -> str:
    """A text string object (PDF 32000-1, 7.9.2.2): Latin letters as they are, others or all (`wide`) in UTF-16."""
    if wide or any(ord(letter) > 255 or ord(letter) < 32 for letter in text.replace("\n", "")):
        return f"<FEFF{text.encode('utf-16-be', 'surrogatepass').hex().upper()}>"
    return f"<{text.encode('latin-1').hex().upper()}>"


def shown_string(text: str) -> str:
    """A string to be shown in a font with WinAnsiEncoding; what it lacks is left out."""
    return f"<{text.encode('cp1252', 'ignore').hex().upper()}>"


def rect(canvas: Canvas, box: Box) -> str:
    """The four numbers of a box, whose y counts from the top, as PDF counts."""
    x0, y0, x1, y1 = box
    return f"{x0:.2f} {canvas.height - y1:.2f} {x1:.2f} {canvas.height - y0:.2f}"


def add_object(doc: pymupdf.Document, text: str) -> int:
    """Add an object; its number."""
    xref: int = doc.get_new_xref()
    doc.update_object(xref, text)
    return xref


def add_stream(doc: pymupdf.Document, data: bytes, dictionary: str = "<<>>") -> int:
    """Add a stream; its number."""
    xref = add_object(doc, dictionary)
    doc.update_stream(xref, data or b" ", new=True)
    return xref


def helvetica(doc: pymupdf.Document) -> int:
    """Add Helvetica as every viewer has it; its number."""
    return add_object(doc, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/Name/Helv>>")


def add_look(doc: pymupdf.Document, width: float, height: float, content: str, font: int | None = None) -> int:
    """Add an appearance (a form XObject) of that size; its number."""
    fonts = f"/Font<</Helv {font} 0 R>>" if font else ""
    head = f"<</Type/XObject/Subtype/Form/BBox[0 0 {width:.2f} {height:.2f}]/Resources<<{fonts}>>>>"
    return add_stream(doc, content.encode("latin-1"), head)


def lines_shown(lines: Iterable[str], size: float, x: float, y: float, colour: str = "0 g") -> str:
    """Operators that show lines below each other; the baseline of the first is at `y` from below."""
    shown = " T* ".join(f"{shown_string(line)} Tj" for line in lines)
    return f"BT {colour} /Helv {size:g} Tf {size * 1.16:.2f} TL {x:.2f} {y:.2f} Td {shown} ET"


def add_annotation(
    canvas: Canvas, subtype: str, box: Box, look: int | None, more: str = "", flags: int = 4
) -> int:
    """Add an annotation to a page; its number."""
    doc = canvas.page.parent
    appearance = f"/AP<</N {look} 0 R>>" if look else ""
    xref = add_object(
        doc,
        f"<</Type/Annot/Subtype/{subtype}/Rect[{rect(canvas, box)}]/F {flags}/P {canvas.page.xref} 0 R"
        f"{appearance}{more}>>",
    )
    append(doc, canvas.page.xref, "Annots", f"{xref} 0 R")
    return xref


def append(doc: pymupdf.Document, xref: int, key: str, reference: str) -> None:
    """Append to an array that stands in an object or in one of its own."""
    kind, value = doc.xref_get_key(xref, key)
    if kind == "xref":
        array = int(value.split()[0])
        doc.update_object(array, f"[{doc.xref_object(array).strip()[1:-1]} {reference}]")
        return
    inside = value.strip()[1:-1] if kind == "array" else ""
    doc.xref_set_key(xref, key, f"[{inside} {reference}]")


def append_content(canvas: Canvas, content: bytes) -> None:
    """Draw over what the page shows, by operators."""
    doc, xref = canvas.page.parent, canvas.page.xref
    stream = add_stream(doc, b"q " + content + b" Q")
    kind, value = doc.xref_get_key(xref, "Contents")
    if kind == "array":
        append(doc, xref, "Contents", f"{stream} 0 R")
    else:
        before = value if kind == "xref" else ""
        doc.xref_set_key(xref, "Contents", f"[{before} {stream} 0 R]")


def add_file(doc: pymupdf.Document, name: str, data: bytes, mime: str) -> int:
    """Add an embedded file (PDF 32000-1, 7.11.4); the number of its file specification."""
    subtype = mime.replace("/", "#2F")
    stream = add_stream(doc, data, f"<</Type/EmbeddedFile/Subtype/{subtype}/Params<</Size {len(data)}>>>>")
    said = text_string(name)
    return add_object(doc, f"<</Type/Filespec/F{said}/UF{said}/EF<</F {stream} 0 R/UF {stream} 0 R>>>>")
