"""PDFs with endless fields and annotations."""

from __future__ import annotations

from collections.abc import Sequence

from lab.fuzz.packed import deflated, repeated
from lab.fuzz.pdf_file import form, pdf, stream

_TEXT = b"/Type/Annot/Subtype/Widget/FT/Tx"


def twenty_thousand_fields() -> bytes:
    """A page with twenty thousand text fields."""
    field = b"<<%s/T(f%d)/V(value %d)/Rect[%d %d %d %d]>>"
    places = ((10 + n % 60 * 10, 10 + n // 60 * 2) for n in range(20_000))
    return _fields([field % (_TEXT, n, n, x, y, x + 9, y + 2) for n, (x, y) in enumerate(places)])


def fields_just_under_the_limit() -> bytes:
    """Two thousand fields on one place, each with a value of a hundred kilobytes."""
    field = b"<<%s/T(f%%d)/V 3 0 R/Rect[9 9 600 700]/MaxLen 2147483647>>" % _TEXT
    return _fields([field % number for number in range(1999)], b"(" + b"value " * 20_000 + b")")


def one_field_a_million_times() -> bytes:
    """A page that names one field a million times."""
    field = b"<<%s/T(f)/V(v)/Rect[9 9 99 99]>>" % _TEXT
    return _page(b"5 0 R " * 1_000_000, [field], b"null", b"5 0 R")


def fields_of_parents_in_a_circle() -> bytes:
    """Fields whose parents and children are each other."""
    field = b"<<%s/T(f)/Rect[9 9 99 99]/Parent %d 0 R/Kids[5 0 R 6 0 R]>>"
    return _fields([field % (_TEXT, 6), field % (_TEXT, 5)])


def field_of_great_depth() -> bytes:
    """A field below fifty thousand others, whose name is all of theirs."""
    parents = [b"<</T(name)/Parent %d 0 R/Kids[%d 0 R]>>" % (n + 1, n - 1) for n in range(6, 50_006)]
    last = b"<</T(name)/Kids[50005 0 R]>>"
    field = b"<<%s/T(f)/Rect[9 9 99 99]/Parent 6 0 R>>" % _TEXT
    return _page(b"5 0 R", [field, *parents, last], b"null", b"50006 0 R")


def button_of_many_states() -> bytes:
    """A checkbox with two hundred thousand states, on in none of them."""
    states = b"".join(b"/S%d 3 0 R" % number for number in range(200_000))
    field = b"<</Type/Annot/Subtype/Widget/FT/Btn/T(f)/AS/No/V/No/Rect[9 9 99 99]/AP<</N<<%s>>/D<<%s>>>>>>"
    return _fields([field % (states, states)], form(b"0 0 9 9 re f"))


def choice_of_a_million() -> bytes:
    """A list of a million options, all of them chosen."""
    options = b"(option) " * 1_000_000
    field = b"<</Type/Annot/Subtype/Widget/FT/Ch/Ff 2097152/T(f)/Opt[%s]/V[%s]/Rect[9 9 99 99]>>"
    return _fields([field % (options, options)])


def appearance_of_gigabytes() -> bytes:
    """An annotation whose appearance is a stream of a hundred and ninety megabytes of fills."""
    fills = deflated(repeated(b"0 0 612 792 re f\n", 11_000_000), 1)
    look = stream(fills, b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Filter/FlateDecode")
    return _fields([b"<</Type/Annot/Subtype/Stamp/Rect[0 0 612 792]/AP<</N 3 0 R>>>>"], look)


def thousands_of_stamps() -> bytes:
    """Fifty thousand annotations, each of which draws the whole page."""
    stamp = b"<</Type/Annot/Subtype/Stamp/Rect[0 0 612 792]/AP<</N 3 0 R>>>>"
    group = form(b"0 0 612 792 re f", entries=b"/Group<</S/Transparency>>")
    return _fields([stamp] * 50_000, group)


def annotations_without_appearance() -> bytes:
    """Annotations of every kind whose looks have to be made up, of endless points and odd rectangles."""
    kinds = (
        b"Ink",
        b"PolyLine",
        b"Polygon",
        b"Line",
        b"Circle",
        b"Square",
        b"FreeText",
        b"Highlight",
        b"Squiggly",
    )
    points = b"0 0 612 792 " * 50_000
    annotation = (
        b"<</Type/Annot/Subtype/%s/Rect[%s]/InkList[[%s]]/Vertices[%s]/QuadPoints[%s]/L[0 0 1e9 1e9]/C[1 0 0]"
        b"/DA(/Helv 9 Tf)/Contents(%s)/Border[0 0 9 [0.0001]]>>"
    )
    boxes = (b"0 0 612 792", b"-1e30 -1e30 1e30 1e30", b"9 9 9 9")
    return _fields(
        [annotation % (kind, box, points, points, points, b"text " * 20_000) for kind in kinds for box in boxes]
    )


def fields_of_odd_places() -> bytes:
    """Fields whose rectangles are no rectangles."""
    boxes = (b"", b"1", b"0 0 1e38 1e38", b"9 9 -9 -9", b"/A(b)null<<>>", b"[0 0 9 9]")
    return _fields([b"<<%s/T(f)/V(v)/Rect[%s]/F 4>>" % (_TEXT, box) for box in boxes])


def forms_of_xml() -> bytes:
    """A form that is described once more in a hundred and ninety megabytes of XML."""
    return _page(
        b"", [b"null"], stream(deflated(repeated(b"<a>", 60_000_000)), b"/Filter/FlateDecode"), b"", b"/XFA 3 0 R"
    )


def _fields(fields: Sequence[bytes], shared: bytes = b"null") -> bytes:
    """Return a page with these fields, objects 5 and on; `shared` is object 3."""
    names = b" ".join(b"%d 0 R" % number for number in range(5, 5 + len(fields)))
    return _page(names, fields, shared, names)


def _page(annotations: bytes, objects: Sequence[bytes], shared: bytes, fields: bytes, more: bytes = b"") -> bytes:
    catalog = b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[%s]/NeedAppearances true%s>>>>" % (fields, more)
    leaf = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots[%s]>>" % annotations
    return pdf([catalog, b"<</Type/Pages/Kids[4 0 R]/Count 1>>", shared, leaf, *objects])
