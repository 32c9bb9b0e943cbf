"""The form fields of a page and what they draw, and the texts of its annotations.

They are read through MuPDF's own functions: PyMuPDF's `Widget` takes ten times as long, as it also reads
their appearance settings and scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from core.confined.mupdf import pymupdf
from core.error_codes import Cost
from core.errors import TooCostlyError
from pipeline.mupdf.page_data import AnnotationText, FieldAppearance, PdfField, Rect, Span, TextLine
from pipeline.mupdf.text import TEXT, structured_lines

_mupdf = pymupdf.mupdf
_KINDS = {
    pymupdf.PDF_WIDGET_TYPE_TEXT: "text",
    pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON: "radio",
    pymupdf.PDF_WIDGET_TYPE_CHECKBOX: "checkbox",
    pymupdf.PDF_WIDGET_TYPE_COMBOBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_LISTBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_SIGNATURE: "signature",
}
_WRITTEN = ("text", "choice")
_MARKED = ("radio", "checkbox")
# Flags of annotations (PDF 32000-1, 12.5.3).
_HIDDEN, _PRINT, _NO_VIEW = 2, 4, 32
#: A field that is smaller (points) in either direction shows nothing.
_THREAD = 1.0
#: Most options of a choice; with more the value is used unchanged.
_MOST_OPTIONS = 5_000
#: Greatest distance of a line's copy (drawn to look bold), and greatest overhang of a line out of its field, as a
#: share of its height.
_COPY = 0.2
#: Type of the blocks of text.
_OF_TEXT = 0
#: Flag of a text field whose lines wrap (PDF 32000-1, 12.7.4.3).
_MULTILINE = 1 << 12
#: The last character that UTF-16 writes without a pair of surrogates.
_BASIC = "\uffff"
_SMALL = 256


def take_fields(
    page: pymupdf.Page, most: int, former: Mapping[int, str] | None = None
) -> tuple[list[PdfField], pymupdf.Page]:
    """Return the page's fields, and the page with the filled ones hidden.

    MuPDF counts what a field displays as text of the page. The document in memory is changed, its bytes are not.
    Fields that are neither displayed nor printed are left out. `former`: what the appearances of the fields drew
    before they were regenerated, by the number of the field's object.
    Raises TooCostlyError if there are more than `most`.
    """
    found = _widgets(page, most)
    if not found:
        return [], page
    fields: list[PdfField] = []
    filled: dict[int, int] = {}
    sheet = page.cropbox
    for annot in found:
        rect = _rect(page, annot)
        if not _is_shown(annot) or not _is_on(sheet, rect):
            continue
        field = _field(page, annot, rect, former or {})
        if _is_on_hidden_layer(annot, field):
            continue
        if field.drawn and (field.value or field.drawn.text) and (number := _number(annot)):
            filled[number] = len(fields)
        if field.value or field.kind in _MARKED or (field.drawn and field.drawn.text):
            _mupdf.pdf_dict_put_int(_object(annot), pymupdf.PDF_NAME("F"), _HIDDEN)
        fields.append(field)
    for number in covered_fields(page, [(number, fields[at].rect) for number, at in filled.items()]):
        fields[filled[number]] = replace(fields[filled[number]], covered=True)
    return fields, page.parent.reload_page(page)


def drawn_texts(page: pymupdf.Page, most: int) -> dict[int, str]:
    """Return the texts that the page's fields draw, by the number of the field's object. Raises TooCostlyError."""
    return {_number(annot): _drawn(page, annot, _rect(page, annot)).text for annot in _widgets(page, most)}


def _widgets(page: pymupdf.Page, most: int) -> list[Any]:
    found: list[Any] = []
    widget = _mupdf.pdf_first_widget(_mupdf.pdf_page_from_fz_page(page.this))
    while widget.m_internal:
        if len(found) == most:
            raise TooCostlyError(Cost.FIELDS, limit=most)
        found.append(widget)
        widget = _mupdf.pdf_next_widget(widget)
    return found


def _is_shown(annot: Any) -> bool:
    flags = _mupdf.pdf_annot_flags(annot)
    return not flags & _HIDDEN and bool(flags & _PRINT or not flags & _NO_VIEW)


def _is_on_hidden_layer(annot: Any, field: PdfField) -> bool:
    """Whether a field draws nothing because its layer is switched off (OC, PDF 32000-1, 8.11.3.3)."""
    if not field.value or field.drawn is None or field.drawn.text:
        return False
    return bool(_mupdf.pdf_dict_get(_object(annot), pymupdf.PDF_NAME("OC")).m_internal)


def _is_on(sheet: pymupdf.Rect, rect: Rect) -> bool:
    """Whether a field is on the page and large enough to show something."""
    x0, y0, x1, y1 = rect
    return min(x1 - x0, y1 - y0) >= _THREAD and x1 > 0 and y1 > 0 and x0 < sheet.width and y0 < sheet.height


def _field(page: pymupdf.Page, annot: Any, rect: Rect, former: Mapping[int, str]) -> PdfField:
    kind = _KINDS.get(_mupdf.pdf_widget_type(annot), "button")
    checked = kind in _MARKED and _is_marked(annot)
    value = _value(annot, kind, checked)
    drawn = _drawn(page, annot, rect) if kind in _WRITTEN else None
    if drawn and kind == "choice" and drawn.text != value and not _has_appearance(page, annot):
        # MuPDF generates it from the export value, other programs from the option's displayed text.
        drawn = drawn._replace(text=value)
    return PdfField(
        name=_mupdf.pdf_load_field_name(_object(annot)) or "",
        kind=kind,
        value=value,
        rect=rect,
        checked=checked,
        max_length=_mupdf.pdf_to_int(_inherited(annot, "MaxLen")) or None if kind == "text" else None,
        drawn=drawn,
        former=former.get(_number(annot), "") if kind in _WRITTEN else "",
        wraps=kind == "text" and bool(_mupdf.pdf_field_flags(_object(annot)) & _MULTILINE),
        only_printed=bool(_mupdf.pdf_annot_flags(annot) & _NO_VIEW),
        hint=_mupdf.pdf_to_text_string(_inherited(annot, "TU")),
    )


def _value(annot: Any, kind: str, checked: bool) -> str:
    if kind in _MARKED:
        return _on_state(annot) if checked else ""
    if kind not in _WRITTEN:
        return ""
    chosen = _texts(_inherited(annot, "V"))
    if kind == "choice" and chosen:
        options = _options(annot)
        chosen = [options.get(text, text) for text in chosen]
    return ", ".join(chosen).replace("\r\n", "\n").replace("\r", "\n").strip()


def _texts(value: Any) -> list[str]:
    """Return the texts of a value: a string, a stream or an array of strings."""
    if _mupdf.pdf_is_array(value):
        items = (_mupdf.pdf_array_get(value, index) for index in range(_mupdf.pdf_array_len(value)))
        return [text for item in items if (text := _text(item))]
    text = _text(value)
    return [text] if text else []


def _text(value: Any) -> str:
    if _mupdf.pdf_is_name(value):
        return str(_mupdf.pdf_to_name(value))
    if _mupdf.pdf_is_stream(value):
        return str(_mupdf.pdf_load_stream_or_string_as_utf8(value))
    if not _mupdf.pdf_is_string(value):
        return ""
    text = str(_mupdf.pdf_to_text_string(value))
    return text if text.isascii() or max(text) <= _BASIC else _of_pairs(value) or text


def _of_pairs(value: Any) -> str:
    """Decode a string in UTF-16 with possibly unpaired surrogates: MuPDF would pair them with any letter."""
    buffer = _mupdf.fz_new_buffer(_SMALL)
    output = _mupdf.FzOutput(buffer)
    _mupdf.pdf_print_obj(output, value, 1, 0)
    output.fz_close_output()
    written = buffer.fz_buffer_extract().decode("ascii", "replace").strip("<>").lower()
    if not written.startswith("feff"):
        return ""
    units = bytes.fromhex(written)[2:]
    return units[: len(units) // 2 * 2].decode("utf-16-be", "surrogatepass")


def _options(annot: Any) -> dict[str, str]:
    """Return the displayed text of each option of a choice by its export value (PDF 32000-1, 12.7.4.4)."""
    given = _inherited(annot, "Opt")
    shown: dict[str, str] = {}
    for index in range(min(_mupdf.pdf_array_len(given), _MOST_OPTIONS)):
        pair = _mupdf.pdf_array_get(given, index)
        if _mupdf.pdf_array_len(pair) == 2:
            export, text = (_text(_mupdf.pdf_array_get(pair, place)) for place in (0, 1))
            shown.setdefault(export, text)
    return shown


def _drawn(page: pymupdf.Page, annot: Any, rect: Rect) -> FieldAppearance:
    """Return the lines that the field draws, in the order of the file."""
    read = pymupdf.TextPage(_mupdf.FzStextPage(annot, _mupdf.FzStextOptions(TEXT)))
    blocks = [block for block in read.extractBLOCKS() if block[6] == _OF_TEXT and block[4].strip()]
    if not blocks:
        return FieldAppearance("", rect)
    lines = [line for block in blocks for line in block[4].splitlines() if line.strip()]
    x0, y0, x1, y1 = unrotated(page, blocks[-1][:4])
    if len(set(lines)) < len(lines) or (len(lines) > 1 and y1 > rect[3]):
        return _whole_lines(page, read, rect)
    of_last = [line for line in blocks[-1][4].splitlines() if line.strip()]
    share = len(lines[-1].rstrip()) / max(map(len, of_last))
    return FieldAppearance("\n".join(lines), (x0, y1 - (y1 - y0) / len(of_last), x0 + share * (x1 - x0), y1))


def _whole_lines(page: pymupdf.Page, read: pymupdf.TextPage, rect: Rect) -> FieldAppearance:
    """Return the lines that a field shows, each once: a copy at nearly the same place looks bold.

    For a line that is cut by the field's lower edge, MuPDF gives the letters that reach above the edge.
    """
    found: list[tuple[str, pymupdf.Rect]] = []
    for line in (line for block in read.extractDICT()["blocks"] for line in block.get("lines", ())):
        text = "".join(span["text"] for span in line["spans"])
        box = pymupdf.Rect(unrotated(page, line["bbox"]))
        apart = _COPY * box.height
        again = any(text == other and max(map(abs, box - place)) < apart for other, place in found)
        if text.strip() and not again and box.y1 <= rect[3] + apart:
            found.append((text, box))
    return FieldAppearance("\n".join(text for text, _ in found), tuple(found[-1][1]) if found else rect)


def _has_appearance(page: pymupdf.Page, annot: Any) -> bool:
    """Whether the file holds an appearance of the field; MuPDF makes missing ones on the fly."""
    number = _number(annot)
    return not number or bool(page.parent.xref_get_key(number, "AP")[0] != "null")


def _on_state(annot: Any) -> str:
    """The name of a button's on state (PDF 32000-1, 12.7.4.2): the key of its appearance that is not /Off."""
    return next((state for state in _states(annot) if state != "Off"), "Yes")


def _states(annot: Any) -> Iterator[str]:
    looks = _mupdf.pdf_dict_getl(_object(annot), pymupdf.PDF_NAME("AP"), pymupdf.PDF_NAME("N"))
    if _mupdf.pdf_is_dict(looks) and not _mupdf.pdf_is_stream(looks):
        for index in range(_mupdf.pdf_dict_len(looks)):
            yield str(_mupdf.pdf_to_name(_mupdf.pdf_dict_get_key(looks, index)))


def _is_marked(annot: Any) -> bool:
    state = _mupdf.pdf_dict_get(_object(annot), pymupdf.PDF_NAME("AS"))
    if not state.m_internal:
        return _text(_inherited(annot, "V")) == _on_state(annot)
    return bool(_mupdf.pdf_to_name(state) != "Off")


_object = _mupdf.pdf_annot_obj


def _number(annot: Any) -> int:
    """Return the number of a field's object; 0 for a direct object of the page."""
    return int(_mupdf.pdf_to_num(_object(annot)))


def _inherited(annot: Any, key: str) -> Any:
    return _mupdf.pdf_dict_get_inheritable(_object(annot), pymupdf.PDF_NAME(key))


def _rect(page: pymupdf.Page, annot: Any) -> Rect:
    bound = _mupdf.pdf_bound_widget(annot)
    return unrotated(page, (bound.x0, bound.y0, bound.x1, bound.y1))


# The texts of annotations on a page (PDF 32000-1, 12.5): text boxes, stamps, callouts.


#: Most annotations of a page that are examined; the text of further ones counts as the page's own.
MOST_NOTES = 500
_UNSEEN = pymupdf.PDF_ANNOT_IS_HIDDEN | pymupdf.PDF_ANNOT_IS_NO_VIEW
_HIDDEN_TEXT = "2"


def take_notes(page: pymupdf.Page) -> tuple[list[AnnotationText], pymupdf.Page]:
    """Return the texts of annotations on the page, and the page with them hidden.

    MuPDF counts their text as text of the page. The document in memory is changed, its bytes are not.
    """
    if page.first_annot is None:
        return [], page
    notes = []
    for annotation in list(islice(page.annots(), MOST_NOTES)):
        if not annotation.flags & _UNSEEN and (note := _note(page, annotation)) is not None:
            notes.append(note)
            page.parent.xref_set_key(annotation.xref, "F", _HIDDEN_TEXT)
    return (notes, page.parent.reload_page(page)) if notes else ([], page)


def _note(page: pymupdf.Page, annotation: pymupdf.Annot) -> AnnotationText | None:
    """Return an annotation's lines in MuPDF's unrotated page; None if it has no text."""
    lines, _ = structured_lines(annotation.get_textpage(flags=TEXT))
    if not lines:
        return None
    back = page.derotation_matrix
    rect = _moved(tuple(annotation.rect), back) if page.rotation else tuple(annotation.rect)
    return AnnotationText(
        _may_fill(page, annotation), rect, [_unrotated(line, back) if page.rotation else line for line in lines]
    )


def _may_fill(page: pymupdf.Page, annotation: pymupdf.Annot) -> bool:
    """Whether it is a text box, which may fill a form; a callout refers to something already there."""
    if annotation.type[0] != pymupdf.PDF_ANNOT_FREE_TEXT:
        return False
    return bool(page.parent.xref_get_key(annotation.xref, "IT")[1] != "/FreeTextCallout")


def _unrotated(line: TextLine, back: pymupdf.Matrix) -> TextLine:
    """Map an annotation's line, which MuPDF gives in the displayed page, to the unrotated page."""
    x, y = line.direction
    direction = (x * back.a + y * back.c, x * back.b + y * back.d)
    spans = [Span(_moved(span.rect, back), *span[1:]) for span in line.spans]
    return TextLine(direction, spans, [(*_moved(word[:4], back), word[4]) for word in line.words])


def _moved(rect: Rect, matrix: pymupdf.Matrix) -> Rect:
    x0, y0, x1, y1 = pymupdf.Rect(rect) * matrix
    return x0, y0, x1, y1


# Fields under later annotations or fields, which are drawn in order (PDF 32000-1, 12.5.2).


#: Least covered share of a covered field.
_COVERED = 0.6
#: Keys of the color that gives annotations a ground (PDF 32000-1, 12.5.6); stamps always have one.
_GROUNDS = {
    pymupdf.PDF_ANNOT_FREE_TEXT: "C",
    pymupdf.PDF_ANNOT_SQUARE: "IC",
    pymupdf.PDF_ANNOT_CIRCLE: "IC",
    pymupdf.PDF_ANNOT_POLYGON: "IC",
}
_HIDDEN_FLAG, _NO_VIEW_FLAG = 2, 32
#: Most annotations of a page that are examined.
_MOST = 2_000


def covered_fields(page: pymupdf.Page, filled: Sequence[tuple[int, Rect]]) -> set[int]:
    """Return the covered ones of the filled fields, by the numbers of their objects.

    Of two filled fields at one place the later one is visible.
    """
    if not filled:
        return set()
    grounds = _grounds(page)
    if not grounds and not _any_at_one_place([rect for _, rect in filled]):
        return set()
    order = {xref: at for at, (xref, *_) in enumerate(page.annot_xrefs())}

    def covers(over: int, xref: int) -> bool:
        return order.get(over, 0) > order.get(xref, 0)

    return {
        xref
        for xref, rect in filled
        if any(covers(over, xref) and _share(rect, ground) >= _COVERED for over, ground in grounds)
        or any(covers(over, xref) and _are_at_one_place(rect, other) for over, other in filled)
    }


def _grounds(page: pymupdf.Page) -> list[tuple[int, Rect]]:
    """Return the annotations with a painted ground, and their places."""
    found: list[tuple[int, Rect]] = []
    annot = _mupdf.pdf_first_annot(_mupdf.pdf_page_from_fz_page(page.this))
    for _ in range(_MOST):
        if not annot.m_internal:
            break
        if _has_ground(annot):
            bound = _mupdf.pdf_bound_annot(annot)
            number = _mupdf.pdf_to_num(_mupdf.pdf_annot_obj(annot))
            found.append((int(number), unrotated(page, (bound.x0, bound.y0, bound.x1, bound.y1))))
        annot = _mupdf.pdf_next_annot(annot)
    return found


def _has_ground(annot: Any) -> bool:
    kind = _mupdf.pdf_annot_type(annot)
    if _mupdf.pdf_annot_flags(annot) & (_HIDDEN_FLAG | _NO_VIEW_FLAG):
        return False
    if kind == pymupdf.PDF_ANNOT_STAMP:
        return True
    if kind not in _GROUNDS:
        return False
    color = _mupdf.pdf_dict_get(_mupdf.pdf_annot_obj(annot), pymupdf.PDF_NAME(_GROUNDS[kind]))
    return bool(_mupdf.pdf_array_len(color) > 0)


def _are_at_one_place(rect: Rect, other: Rect) -> bool:
    """Whether two fields cover each other; a small field may be visible through a larger one."""
    return min(_share(rect, other), _share(other, rect)) >= _COVERED


def _any_at_one_place(rects: Sequence[Rect]) -> bool:
    by_top = sorted(rects, key=lambda rect: rect[1])
    for n, rect in enumerate(by_top):
        for below in by_top[n + 1 :]:
            if below[1] >= rect[3]:
                break
            if _are_at_one_place(rect, below):
                return True
    return False


def unrotated(page: pymupdf.Page, rect: Rect) -> Rect:
    """Map a rectangle of the displayed page to the unrotated page."""
    return tuple(pymupdf.Rect(rect) * page.derotation_matrix) if page.rotation else rect


def _share(rect: Rect, over: Rect) -> float:
    width = min(rect[2], over[2]) - max(rect[0], over[0])
    height = min(rect[3], over[3]) - max(rect[1], over[1])
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    return max(width, 0.0) * max(height, 0.0) / area if area > 0 else 0.0
