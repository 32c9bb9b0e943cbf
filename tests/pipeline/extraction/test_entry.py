"""Whole entries in the layouts that they come in."""

from __future__ import annotations

import random

import pytest

from pipeline.extract_ifi import read_entry
from pipeline.pages.page_model import PageContent, Source
from tests.support.reading.paper import FORM_2026, HEADER, RULES, Set, essay, moved, page, widget

EXPECTED = {
    "student_name": "Marisol Vega",
    "school_name": "Juniper School",
    "grade": "4",
    "father_figure_name": "Ernesto Vega",
    "email": "e.vega@example.org",
    "phone": "312-555-0134",
}


def values(*pages: PageContent) -> dict[str, str | None]:
    return {name: reading.value for name, reading in read_entry(pages)[0].items()}


def header(*pages: PageContent) -> dict[str, str | None]:
    read = values(*pages)
    return {name: read.get(name) for name in EXPECTED}


def test_a_flattened_form_in_any_stream_order() -> None:
    texts = [*FORM_2026, *HEADER, *essay()]
    random.Random(7).shuffle(texts)
    read = values(page(1, texts), page(2, RULES))
    assert {name: read[name] for name in EXPECTED} == EXPECTED
    assert read["word_count"] == "80"
    assert "parent_reaction" not in read


def test_text_layer_values_are_certain() -> None:
    readings, _ = read_entry([page(1, [*FORM_2026, *HEADER, *essay()])])
    assert {readings[name].confidence for name in EXPECTED} == {1.0}
    assert readings["student_name"].evidence[0].box.x0 == pytest.approx(203 / 612)


@pytest.mark.parametrize("source", [Source.TEXT_LAYER, Source.OCR])
def test_values_glued_to_their_labels_come_off(source: Source) -> None:
    form = [text for text in FORM_2026 if not text[2].startswith(("Father/Father", "Email"))]
    given = [text for text in HEADER if text[2] not in ("Ernesto Vega", "e.vega@example.org")]
    glued: list[Set] = [
        (35, 139, "Father/Father-Figure Name / Nombre del Padre/Figura PaternaErnesto Vega", 8.4),
        (35, 157, "Emaile.vega@example.org", 9),
    ]
    assert header(page(1, [*form, *given, *glued, *essay()], source=source)) == EXPECTED


def test_what_a_child_calls_somebody_is_kept_as_it_is_written() -> None:
    given = [text for text in HEADER if text[2] != "Ernesto Vega"]
    read = values(page(1, [*FORM_2026, *given, (291, 135, "Grandpa"), *essay()]))
    assert read["father_figure_name"] == "Grandpa"
    assert read["student_name"] == "Marisol Vega"


def test_an_empty_header_gives_nothing() -> None:
    assert set(header(page(1, [*FORM_2026, *essay()]), page(2, RULES)).values()) == {None}


@pytest.mark.parametrize(
    ("dx", "dy", "scale", "skew"), [(0, 0, 1, 0), (14, -11, 1, 0), (-20, 16, 1.04, 0), (6, 4, 0.93, 0.03)]
)
def test_a_scan_wherever_it_lies(dx: float, dy: float, scale: float, skew: float) -> None:
    scan = page(1, [*FORM_2026, *HEADER, *essay()], source=Source.OCR, confidence=0.97)
    read = read_entry([moved(scan, dx, dy, scale, skew)])[0]
    assert {name: read[name].value for name in EXPECTED} == EXPECTED
    # Recognised once and by one witness: never sure enough to pass unseen.
    assert all(read[name].confidence < 0.8 for name in EXPECTED)
    assert read["word_count"].value == "80"


def test_live_fields_outrank_everything() -> None:
    fields = [
        widget("Student's Name", "Marisol Vega", (201, 112, 419, 129)),
        widget("Grade", "404 4th", (496, 111, 579, 129)),
        widget("School", "Juniper School", (497, 131, 579, 148)),
        widget("Dad's Name", "Ernesto Vega", (289, 131, 419, 147)),
        widget("Dad's Email", "e.vega@example.org", (64, 151, 204, 168)),
        widget("Dad's Phone", "312-555-0134", (288, 150, 419, 166)),
        widget("Essay", "He sings.\nHe cooks.", (32, 223, 577, 647)),
        widget("Dad's Response", "Thank you.", (29, 688, 575, 748)),
        widget("Group1", "", (426, 207, 439, 218), "radio"),
        widget("Group1", "2", (426, 178, 440, 190), "radio"),
    ]
    read = values(page(1, widgets=fields), page(2, RULES))
    assert {name: read[name] for name in EXPECTED} == EXPECTED
    assert read["writing_about"] == "Grandfather"
    assert read["essay_text"] == "He sings.\nHe cooks."
    assert read["parent_reaction"] == "Thank you."


def test_a_field_of_another_name_is_known_by_its_place() -> None:
    fields = [
        widget("Student's Name", "Marisol Vega", (201, 112, 419, 129)),
        widget("Grade", "4", (496, 111, 579, 129)),
        widget("undefined_7", "Juniper School", (497, 131, 579, 148)),
    ]
    assert values(page(1, FORM_2026, widgets=fields))["school_name"] == "Juniper School"


REFLOWED: list[Set] = [
    (72, 54, "2026 IFI Fatherhood Essay Contest", 20),
    (309, 80, "Deadline: March 19"),
    (309, 129, "School / Escuela"),
    (395, 129, "Juniper"),
    (309, 142, "School"),
    (309, 160, "Grade / Grado - 4th"),
    (30, 164, "Student’s Name / Nombre del Estudiante: Marisol Vega"),
    (30, 184, "Father/Father-Figure Name / Nombre del Padre/Figura Paterna", 8),
    (30, 197, "Ernesto Vega"),
    (72, 228, "Email e.vega@example.org Phone / Teléfono 312-555-0134"),
    (36, 248, '"What my father or an important father-figure* means to me"'),
    (36, 265, '"Lo que mi padre o una figura paterna importante* significa para mí"'),
]
REFLOWED_REST: list[Set] = [
    (36, 90, "Father / Padre"),
    (36, 110, "3000 Character Maximum / Máximo de Caracteres"),
    (36, 130, "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:"),
    (36, 150, "We love you."),
    (72, 170, "Stepdad / Padrasto"),
]


def test_a_reflowed_form_over_three_pages() -> None:
    read = values(page(1, [*REFLOWED, *essay(290, 20)]), page(2, [*essay(60, 1), *REFLOWED_REST]), page(3, RULES))
    assert {name: read[name] for name in EXPECTED} == EXPECTED
    assert read["word_count"] == "210"
    assert read["parent_reaction"] == "We love you."


def test_the_other_pages_name_is_a_witness() -> None:
    scan = page(1, [*FORM_2026, *HEADER], source=Source.OCR, confidence=0.95)
    heads: list[Set] = [(72, 60, "Marisol Vega"), (72, 75, "Grade 4")]
    typed = page(2, [*heads, *essay(110)], source=Source.OCR, confidence=0.99)
    read, _ = read_entry([scan, typed])
    assert read["student_name"].confidence > 0.9
    assert read["school_name"].confidence < 0.8
    assert read["word_count"].value == "80"


def test_pages_that_disagree_are_said_to() -> None:
    scan = page(1, [*FORM_2026, *HEADER], source=Source.OCR, confidence=0.95)
    heads: list[Set] = [(72, 60, "Daniel Ortiz"), (72, 75, "Grade 4")]
    typed = page(2, [*heads, *essay(110)], source=Source.OCR, confidence=0.99)
    reading = read_entry([scan, typed])[0]["student_name"]
    assert reading.disagrees_with is not None
    assert reading.confidence < 0.5


def test_a_value_that_ends_at_the_fields_edge_may_be_cut() -> None:
    long: list[Set] = [t for t in HEADER if t[2] != "Juniper School"]
    read, _ = read_entry([page(1, [*FORM_2026, *long, (499, 135, "Juniper Hill Elemen", 9), *essay()])])
    assert read["school_name"].confidence < 0.8


def test_a_form_that_asks_for_no_grade_gives_none() -> None:
    form_2022: list[Set] = [
        (153, 62, "2022 IFI Fatherhood Essay Contest", 20),
        (36, 120, "Student’s Name", 11),
        (130, 118, "Marisol Vega"),
        (36, 148, '"What my father or an important father-figure* means to me"'),
        *essay(170),
        (31, 601, "Father/Father-Figure reaction to this essay:"),
        (31, 640, "We love you."),
        (36, 707, "By providing a response you agree that it may be printed."),
        (36, 725, "Father/Father-Figure Name"),
        (180, 723, "Ernesto Vega"),
        (36, 744, "Email"),
        (75, 742, "e.vega@example.org"),
        (298, 744, "Phone"),
        (345, 742, "312-555-0134"),
    ]
    read = values(page(1, form_2022))
    assert read["student_name"] == "Marisol Vega"
    assert read["father_figure_name"] == "Ernesto Vega"
    assert "grade" not in read
    assert "school_name" not in read
    assert read["word_count"] == "80"
    assert read["parent_reaction"] == "We love you."


def test_the_essay_after_a_header_sheet_that_lost_its_places_is_no_reaction() -> None:
    lines = [
        "2025 IFI Fatherhood Essay Contest",
        "Student's Name / Nombre del Estudiante Marisol Vega",
        "Email e.vega@example.org Phone / Teléfono 312-555-0134",
        '"What my father or an important father-figure* means to me"',
        "O Father / Padre",
        "Abuelo",
        "3000 Character Maximum / Máximo de Caracteres",
        "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:",
        "I am proud of you.",
    ]
    sheet = page(1, [(36, 60 + 12 * n, text) for n, text in enumerate(lines)], source=Source.OCR)
    read = values(sheet, page(2, essay(60)))
    assert read["word_count"] == "80"
    assert read["parent_reaction"] == "I am proud of you."


def test_a_reaction_below_an_essay_goes_on_over_the_page() -> None:
    thanks: list[Set] = [(36, 60 + 15 * n, "You make me so proud of you every day") for n in range(6)]
    label: Set = (36, 500, "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:")
    read = values(page(1, [*REFLOWED, *essay(290, 12), label]), page(2, thanks))
    assert read["word_count"] == "120"
    assert str(read["parent_reaction"]).count("proud") == 6
