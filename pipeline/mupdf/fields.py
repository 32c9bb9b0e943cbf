"""The AcroForm fields of a page."""

from __future__ import annotations

from itertools import islice

from core.error_codes import Cost
from core.errors import TooCostlyError
from core.mupdf import pymupdf
from pipeline.mupdf.plain import Field

_KINDS = {
    pymupdf.PDF_WIDGET_TYPE_TEXT: "text",
    pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON: "radio",
    pymupdf.PDF_WIDGET_TYPE_CHECKBOX: "checkbox",
    pymupdf.PDF_WIDGET_TYPE_COMBOBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_LISTBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_SIGNATURE: "signature",
}
_HIDDEN = "2"


def take_fields(page: pymupdf.Page, most: int) -> tuple[list[Field], pymupdf.Page]:
    """Return the page's fields, and the page with the filled ones hidden.

    MuPDF counts what a field displays as text of the page. The document in memory is changed, its bytes are not.
    Raises TooCostlyError where there are more than `most`.
    """
    found = list(islice(page.widgets(), most + 1))
    if len(found) > most:
        raise TooCostlyError(Cost.FIELDS, limit=most)
    if not found:
        return [], page
    fields = [_field(widget) for widget in found]
    for widget, read in zip(found, fields, strict=True):
        if read.value or read.kind in ("radio", "checkbox"):
            page.parent.xref_set_key(widget.xref, "F", _HIDDEN)
    return fields, page.parent.reload_page(page)


def _field(widget: pymupdf.Widget) -> Field:
    kind = _KINDS.get(widget.field_type, "button")
    checked = kind in ("radio", "checkbox") and _is_on(widget)
    return Field(
        name=widget.field_name or "",
        kind=kind,
        value=_value(widget, kind, checked),
        rect=tuple(widget.rect),
        checked=checked,
        max_length=widget.text_maxlen or None,
    )


def _value(widget: pymupdf.Widget, kind: str, checked: bool) -> str:
    if kind in ("radio", "checkbox"):
        return _on_state(widget) if checked else ""
    if kind in ("text", "choice"):
        value = widget.field_value
        text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")
        return text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return ""


def _on_state(widget: pymupdf.Widget) -> str:
    """The name of a button's on state (PDF 32000-1, 12.7.4.2): the key of its appearance that is not /Off."""
    states = (widget.button_states() or {}).get("normal") or []
    return str(next((state for state in states if state != "Off"), "Yes"))


def _is_on(widget: pymupdf.Widget) -> bool:
    state = widget.parent.parent.xref_get_key(widget.xref, "AS")[1]
    if state == "null":
        return str(widget.field_value) == _on_state(widget)
    return bool(state != "/Off")
