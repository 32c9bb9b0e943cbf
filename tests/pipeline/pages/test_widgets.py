import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Widget
from pipeline.pages.text_layer import read_text_layer
from pipeline.pages.widgets import widgets_of


def field(
    page: pymupdf.Page, kind: int, name: str, rect: tuple[float, ...], value: object, **more: object
) -> None:
    widget = pymupdf.Widget()
    widget.field_type, widget.field_name, widget.rect, widget.field_value = kind, name, pymupdf.Rect(rect), value
    for key, option in more.items():
        setattr(widget, key, option)
    page.add_widget(widget)


def form(rotation: int = 0) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((72, 110), "Student's Name")
        text = pymupdf.PDF_WIDGET_TYPE_TEXT
        field(page, text, "Name", (200, 100, 400, 118), "Marisol Quintero", text_maxlen=60)
        field(page, text, "School", (200, 130, 400, 148), "")
        field(page, text, "Essay", (72, 300, 540, 600), "One line.\rAnother line.", field_flags=4096)
        for n, on in enumerate((False, True)):
            rect = (72 + 40 * n, 200, 84 + 40 * n, 212)
            field(page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, f"Box {n}", rect, on)
        field(
            page,
            pymupdf.PDF_WIDGET_TYPE_COMBOBOX,
            "Grade",
            (430, 100, 500, 118),
            "4",
            choice_values=["3", "4", "5"],
        )
        page.set_rotation(rotation)
        return bytes(document.tobytes())


def read(data: bytes) -> tuple[dict[str, Widget], list[str]]:
    with open_pdf(data) as file:
        parts = file.parts(1)
    return {w.name: w for w in widgets_of(parts)}, [word.text for word in read_text_layer(parts).words]


def test_fields_have_their_values() -> None:
    widgets, _ = read(form())
    assert widgets["Name"].value == "Marisol Quintero"
    assert (widgets["Name"].kind, widgets["Name"].max_length) == ("text", 60)
    assert (widgets["School"].value, widgets["School"].max_length) == ("", None)
    assert widgets["Essay"].value == "One line.\nAnother line."
    assert (widgets["Grade"].kind, widgets["Grade"].value) == ("choice", "4")


def test_boxes_are_on_or_off() -> None:
    widgets, _ = read(form())
    off, on = widgets["Box 0"], widgets["Box 1"]
    assert (off.checked, off.value, on.checked) == (False, "", True)
    assert on.value not in ("", "Off")


def test_what_fields_display_is_no_text_of_the_page() -> None:
    _, words = read(form())
    assert words == ["Student's", "Name"]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_of_fields_follow_the_page(rotation: int) -> None:
    widgets, _ = read(form(rotation))
    x0, y0, x1, y1 = 200 / 612, 100 / 792, 400 / 612, 118 / 792
    expected = {
        0: (x0, y0, x1, y1),
        90: (1 - y1, x0, 1 - y0, x1),
        180: (1 - x1, 1 - y1, 1 - x0, 1 - y0),
        270: (y0, 1 - x1, y1, 1 - x0),
    }[rotation]
    assert widgets["Name"].box == pytest.approx(expected, abs=1e-5)


def test_a_radio_group_says_which_of_its_buttons_is_on() -> None:
    with open_pdf(_radio_pdf()) as file:
        widgets = widgets_of(file.parts(1))
    assert [(w.kind, w.value, w.checked) for w in widgets] == [
        ("radio", "", False),
        ("radio", "grandfather", True),
    ]


def _radio_pdf() -> bytes:
    """A group as form editors write it: the value on the parent, one kid a button."""
    with pymupdf.open() as document:
        page = document.new_page()
        parent, *kids = (document.get_new_xref() for _ in range(3))
        states = ("father", "grandfather")
        references = " ".join(f"{kid} 0 R" for kid in kids)
        document.update_object(parent, f"<</FT/Btn/Ff 49152/T(About)/V/grandfather/Kids[{references}]>>")
        for n, (kid, state) in enumerate(zip(kids, states, strict=True)):
            looks = document.get_new_xref()
            document.update_object(looks, "<</Type/XObject/Subtype/Form/BBox[0 0 10 10]>>")
            document.update_stream(looks, b"0 0 10 10 re f")
            shown = state if state == "grandfather" else "Off"
            document.update_object(
                kid,
                f"<</Type/Annot/Subtype/Widget/Parent {parent} 0 R/Rect[72 {600 - 20 * n} 82 {610 - 20 * n}]"
                f"/AS/{shown}/AP<</N<</{state} {looks} 0 R>>>>>>",
            )
        document.xref_set_key(page.xref, "Annots", f"[{references}]")
        document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[{parent} 0 R]>>")
        return bytes(document.tobytes())
