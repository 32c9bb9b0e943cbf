"""What a field draws is its value: the file's word alone is not believed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.confined.mupdf import pymupdf
from pipeline.mupdf.file import open_pdf
from pipeline.pages.page_model import Widget
from pipeline.pages.widgets import widgets_of

TEXT, COMBO, LIST = (
    pymupdf.PDF_WIDGET_TYPE_TEXT,
    pymupdf.PDF_WIDGET_TYPE_COMBOBOX,
    pymupdf.PDF_WIDGET_TYPE_LISTBOX,
)
Change = Callable[[pymupdf.Document, int], object]
MULTILINE = 1 << 12


def as_it_is(document: pymupdf.Document, field: int) -> None:
    """No change."""


def made(value: str, change: Change = as_it_is, rotation: int = 0, **more: object) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        widget = pymupdf.Widget()
        given = {"field_type": TEXT, "field_name": "Name", "rect": pymupdf.Rect(200, 100, 400, 118), **more}
        for key, option in given.items():
            setattr(widget, key, option)
        widget.field_value = value
        page.add_widget(widget)
        change(document, next(iter(page.widgets())).xref)
        page.set_rotation(rotation)
        return bytes(document.tobytes())


def read(data: bytes) -> list[Widget]:
    with open_pdf(data) as file:
        return widgets_of(file.parts(1))


def seen(value: str, change: Change = as_it_is, **more: object) -> tuple[str, str | None]:
    (widget,) = read(made(value, change, **more))  # type: ignore[arg-type]
    return widget.value, widget.other


def says(value: str, **also: str) -> Change:
    """Make the file say another value than the field draws."""

    def change(document: pymupdf.Document, field: int) -> None:
        document.xref_set_key(field, "V", value)
        for key, written in also.items():
            document.xref_set_key(field, key, written)

    return change


def made_anew(value: str) -> Change:
    """The same, and programs are asked to make the appearances anew."""

    def change(document: pymupdf.Document, field: int) -> None:
        document.xref_set_key(field, "V", value)
        document.xref_set_key(document.pdf_catalog(), "AcroForm/NeedAppearances", "true")

    return change


LONG = "My father walks with me to school every day and tells me about the birds. " * 30
NAMES = "Marisol Quintero de la Torre y Fernández de Córdoba y Alarcón Mendoza"


@pytest.mark.parametrize(
    ("value", "more"),
    [
        ("Marisol Quintero", {}),
        ("José Núñez Ávila", {}),
        ("Łukasz Nguyễn", {}),
        ("-", {}),
        (NAMES, {}),
        ("3125550142", {"field_flags": 1 << 24, "text_maxlen": 10}),
        ("One line.\nAnother line.", {"field_flags": MULTILINE, "rect": pymupdf.Rect(72, 300, 540, 400)}),
        (LONG.strip(), {"field_flags": MULTILINE, "rect": pymupdf.Rect(72, 300, 540, 400)}),
        ("Larkspur Grove School", {"field_flags": MULTILINE, "rect": pymupdf.Rect(500, 130, 582, 148)}),
    ],
)
@pytest.mark.parametrize("rotation", [0, 90])
def test_a_field_that_draws_its_value_agrees(value: str, more: dict[str, object], rotation: int) -> None:
    assert seen(value, rotation=rotation, **more) == (value, None)


def test_a_field_that_draws_another_text_has_that_value() -> None:
    assert seen("Ella Pemberly", says("(Noah Pemberly)")) == ("Ella Pemberly", "Noah Pemberly")
    assert seen("3", says("(8)")) == ("3", "8")


def test_a_field_with_room_for_the_rest_draws_another_value() -> None:
    assert seen("Ella Pemberly", says("(Ella Pemberly Stone)")) == ("Ella Pemberly", "Ella Pemberly Stone")


def test_a_field_that_draws_nothing_is_doubted() -> None:
    assert seen("", says("(Noah Pemberly)")) == ("Noah Pemberly", "")


def test_a_field_that_draws_what_the_file_does_not_say_is_doubted() -> None:
    assert seen("Ella Pemberly", says("()")) == ("Ella Pemberly", "")


def test_a_missing_appearance_is_made_from_the_value() -> None:
    assert seen("", says("(Noah Pemberly)", AP="null")) == ("Noah Pemberly", None)


def test_an_appearance_that_is_to_be_made_anew_is_doubted_where_it_says_another() -> None:
    assert seen("Ella Pemberly", made_anew("(Noah Pemberly)")) == ("Noah Pemberly", "Ella Pemberly")
    assert seen("", made_anew("(Noah Pemberly)")) == ("Noah Pemberly", None)
    assert seen("Noah Pemberly", made_anew("(Noah Pemberly)")) == ("Noah Pemberly", None)


def test_fields_that_share_a_value_each_have_what_they_draw() -> None:
    with pymupdf.open() as document:
        for name in ("Tobias Fennimore", "Leonor Castaño"):
            page = document.new_page()
            widget = pymupdf.Widget()
            widget.field_type, widget.field_name, widget.field_value = TEXT, name, name
            widget.rect = pymupdf.Rect(200, 100, 400, 118)
            page.add_widget(widget)
        parent = document.get_new_xref()
        kids = [next(iter(page.widgets())).xref for page in document]
        references = " ".join(f"{kid} 0 R" for kid in kids)
        document.update_object(parent, f"<</FT/Tx/T(Name)/V(Tobias Fennimore)/Kids[{references}]>>")
        for kid in kids:
            for key, value in (("V", "null"), ("T", "null"), ("Parent", f"{parent} 0 R")):
                document.xref_set_key(kid, key, value)
        document.xref_set_key(document.pdf_catalog(), "AcroForm/Fields", f"[{parent} 0 R]")
        data = bytes(document.tobytes())
    with open_pdf(data) as file:
        first, second = (widgets_of(file.parts(number))[0] for number in (1, 2))
    assert (first.name, first.value, first.other) == ("Name", "Tobias Fennimore", None)
    assert (second.name, second.value, second.other) == ("Name", "Leonor Castaño", "Tobias Fennimore")


PAIRS = "[[(g03)(3rd grade)][(g04)(4th grade)]]"
GRADES = {"field_type": COMBO, "choice_values": ["3rd grade", "4th grade"]}


def test_a_choice_has_its_text_and_not_its_export_value() -> None:
    assert seen("3rd grade", says("(g03)", Opt=PAIRS), **GRADES) == ("3rd grade", None)
    assert seen("3rd grade", says("(g04)", Opt=PAIRS), **GRADES) == ("3rd grade", "4th grade")
    assert seen("3rd grade", says("(g04)", Opt=PAIRS, AP="null"), **GRADES) == ("4th grade", None)


def test_a_list_shows_more_than_what_is_chosen() -> None:
    given = {"field_type": LIST, "choice_values": ["Third", "Fourth"], "rect": pymupdf.Rect(200, 100, 300, 160)}
    assert seen("Fourth", says("[(4)]", Opt="[[(3)(Third)][(4)(Fourth)]]"), **given) == ("Fourth", None)


@pytest.mark.parametrize(
    "where", [{"F": "2"}, {"F": "32"}, {"Rect": "[0 0 0 0]"}, {"Rect": "[-300 700 -100 718]"}]
)
def test_a_field_that_nobody_sees_is_none(where: dict[str, str]) -> None:
    assert read(made("Previous Child", says("(Previous Child)", **where))) == []


def test_a_field_on_a_layer_that_is_off_is_none() -> None:
    def change(document: pymupdf.Document, field: int) -> None:
        document.xref_set_key(field, "OC", f"{document.add_ocg('old', on=False)} 0 R")

    assert read(made("Previous Child", change)) == []


def test_a_field_that_is_only_printed_is_doubted() -> None:
    assert seen("Noah Pemberly", says("(Noah Pemberly)", F="36")) == ("Noah Pemberly", "")
    assert seen("Noah Pemberly", says("(Noah Pemberly)", F="0")) == ("Noah Pemberly", None)


@pytest.mark.parametrize(
    "prompt", ["Type the student's full name here", "Escriba el nombre", "Student full name", "name@example.com"]
)
def test_a_prompt_that_was_left_is_no_value(prompt: str) -> None:
    assert seen(prompt, field_name="Student full name") == ("", None)


def test_a_value_that_draws_a_prompt_is_doubted() -> None:
    assert seen("Type your name", says("(Noah Pemberly)")) == ("Noah Pemberly", "")


def test_an_appearance_in_false_bold_is_read_once() -> None:
    def change(document: pymupdf.Document, field: int) -> None:
        looks = int(document.xref_get_key(field, "AP/N")[1].split()[0])
        stream = document.xref_stream(looks)
        text = stream[stream.index(b"BT") : stream.rindex(b"ET") + 2]
        document.update_stream(looks, stream.replace(text, text + b" q 1 0 0 1 0.3 0 cm " + text + b" Q"))
        document.xref_set_key(field, "V", "(Noah Pemberly)")

    assert seen("Ella Pemberly", change) == ("Ella Pemberly", "Noah Pemberly")


def test_control_characters_and_halves_of_pairs_are_dropped() -> None:
    half = "<FEFF004100620065006CD83D002000530074006F006E0065>"
    assert seen("Abel Stone", says(half)) == ("Abel Stone", None)
    assert seen("Miriam", says("<FEFF004D006900720000006900070061006D>")) == ("Miriam", None)


def note(page: pymupdf.Page, ground: tuple[float, ...] | None) -> None:
    page.add_freetext_annot((198, 98, 402, 120), "Amelia Stone", fontsize=11, fill_color=ground)


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_field_under_a_later_annotation_is_not_seen(rotation: int) -> None:
    def draw(page: pymupdf.Page, ground: tuple[float, ...] | None) -> bytes:
        note(page, ground)
        page.set_rotation(rotation)
        return bytes(page.parent.tobytes())

    for ground, expected in (((1, 1, 1), ("", "Olivia Prescott")), (None, ("Olivia Prescott", None))):
        with pymupdf.open("pdf", made("Olivia Prescott")) as document:
            (widget,) = read(draw(document[0], ground))
        assert (widget.value, widget.other) == expected


def test_of_two_fields_at_one_place_the_later_one_is_seen() -> None:
    with pymupdf.open("pdf", made("Previous Child")) as document:
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name, widget.field_value = TEXT, "New name", "Amelia Stone"
        widget.rect = pymupdf.Rect(202, 101, 398, 118)
        document[0].add_widget(widget)
        former, later = read(bytes(document.tobytes()))
    assert (former.value, former.other) == ("", "Previous Child")
    assert (later.value, later.other) == ("Amelia Stone", None)


def draws(text: str) -> Change:
    """Change what the field draws to one line of plain letters."""

    def change(document: pymupdf.Document, field: int) -> None:
        look = int(document.xref_get_key(field, "AP/N")[1].split()[0])
        document.update_stream(look, f"/Tx BMC q BT /Helv 11 Tf 2 5 Td ({text}) Tj ET Q EMC".encode("latin-1"))

    return change


@pytest.mark.parametrize(
    ("value", "drawn", "read_as"),
    [
        ("Mari\u00adsol Quin\u00adtero", "Marisol Quintero", "Marisol Quintero"),
        ("Anne\u00adMarie Oakes", "Anne-Marie Oakes", "Anne-Marie Oakes"),
        ("Mari\u200bsol\u2060 Quintero\ufeff", "Marisol Quintero", "Marisol Quintero"),
        ("Marisol\u200bQuintero", "Marisol Quintero", "Marisol Quintero"),
        ("\u00adMarisol", "Marisol", "Marisol"),
    ],
)
def test_marks_without_a_width_are_read_as_they_are_drawn(value: str, drawn: str, read_as: str) -> None:
    assert seen(value, draws(drawn)) == (read_as, None)
