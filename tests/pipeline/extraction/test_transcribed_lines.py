"""Forms of which only the text and its order are known: the same values however the lines were written down."""

from __future__ import annotations

import pytest

from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_reading import read_page
from pipeline.extraction.reflowed_values import marked_options, read_reflowed
from pipeline.extraction.tokens import token_text
from pipeline.pages.page_model import UNSCORED, Box, PageContent, Source, Word

TITLE = "2026 IFI Fatherhood Essay Contest"
STUDENT, FATHER = (
    "Student's Name / Nombre del Estudiante",
    "Father/Father-Figure Name / Nombre del Padre/Figura Paterna",
)
PHONE, GRADE, SCHOOL = "Phone / Teléfono", "Grade / Grado", "School / Escuela"
ABOUT = "Writing About / Escribiendo Sobre:"
OPTIONS = ["Father / Padre", "Grandfather / Abuelo", "Stepdad / Padrasto", "Father-Figure / Figura Paterna"]
PROMPTS = [
    '"What my father or an important father-figure* means to me"',
    '"Lo que mi padre o una figura paterna importante* significa para mí"',
]
ESSAY = ["School is where I learned to read, but patience", "my grandfather taught me at the kitchen table."]
TICKS = [f"[{'x' if n == 1 else ' '}] {option}" for n, option in enumerate(OPTIONS)]
LEFT = [f"{STUDENT} Marisol Vega", f"{FATHER} Ernesto Vega", f"Email e.vega@example.org {PHONE} 312-555-0134"]
RIGHT = [f"{GRADE} 4th", f"{SCHOOL} Juniper Hill", ABOUT]
WHOLE = {
    "student_name": "Marisol Vega",
    "father_figure_name": "Ernesto Vega",
    "email": "e.vega@example.org",
    "phone": "312-555-0134",
    "grade": "4",
    "school_name": "Juniper Hill School",
    "essay_text": "\n".join(ESSAY),
}
JOINED = [
    *(f"{left} {right}" for left, right in zip(LEFT[:2], RIGHT[:2], strict=True)),
    "School",
    f"{LEFT[2]} {RIGHT[2]}",
    *TICKS[:2],
    *(f"{prompt} {tick}" for prompt, tick in zip(PROMPTS, TICKS[2:], strict=True)),
]
APART = [*LEFT, *PROMPTS, *RIGHT[:2], "School", ABOUT, *TICKS]
RIGHT_FIRST = [*RIGHT[:2], "School", ABOUT, *TICKS, *LEFT, *PROMPTS]
STACKED = [
    *(STUDENT, "Marisol Vega", FATHER, "Ernesto Vega", "Email", "e.vega@example.org", PHONE, "312-555-0134"),
    *PROMPTS,
    *(GRADE, "4th", SCHOOL, "Juniper Hill", "School", ABOUT, *TICKS),
]
LABELS_FIRST = [
    *(STUDENT, FATHER, "Email", PHONE, "Marisol Vega", "Ernesto Vega", "e.vega@example.org", "312-555-0134"),
    *PROMPTS,
    *(GRADE, SCHOOL, "4th", "Juniper Hill School", ABOUT, *TICKS),
]


def transcribed(*lines: str) -> PageContent:
    """A page whose lines share its height and whose words share each line by their letters."""
    words: list[Word] = []
    for number, line in enumerate(lines):
        start, height = 0, 1 / len(lines)
        for text in line.split():
            ends = start / len(line), (start + len(text)) / len(line)
            box = Box(ends[0], number * height, ends[1], (number + 1) * height)
            words.append(Word(text, box, UNSCORED, Source.OCR, number))
            start += len(text) + 1
    return PageContent(1, 612, 792, words, source=Source.OCR, places_known=False)


def values(*lines: str) -> dict[str, str | None]:
    found, _ = read_entry([transcribed(*lines)])
    return {name: reading.value for name, reading in found.items() if name != "word_count"}


@pytest.mark.parametrize("header", [JOINED, APART, RIGHT_FIRST, STACKED, LABELS_FIRST])
def test_the_same_values_however_columns_and_values_were_written_down(header: list[str]) -> None:
    page = transcribed(TITLE, "Deadline: March 19", *header, *ESSAY)
    reading = read_page(page)
    assert values(TITLE, "Deadline: March 19", *header, *ESSAY) == WHOLE
    assert marked_options([reading])["writing_about"].value == "Grandfather"
    assert read_reflowed(reading).unexplained == []


def test_estimated_places_make_no_columns() -> None:
    # The wide spaces of a transcription are those of its letters, not of the page.
    names = [f"{STUDENT} Ana  M.", f"{FATHER} Maximiliano de la Concepción Villavicencio"]
    found = values(TITLE, *names, *PROMPTS, *ESSAY)
    assert found["student_name"] == "Ana M."
    assert found["father_figure_name"] == "Maximiliano de la Concepción Villavicencio"
    assert not read_page(transcribed(TITLE, *JOINED, *ESSAY)).fixed


def test_where_a_value_was_written_is_kept() -> None:
    found, _ = read_entry([transcribed(TITLE, *APART, *ESSAY)])
    (place,) = found["grade"].evidence
    row = [TITLE, *APART, *ESSAY].index(f"{GRADE} 4th")
    assert place.box.cy == pytest.approx((row + 0.5) / len([TITLE, *APART, *ESSAY]))


def test_signs_may_stand_behind_their_options() -> None:
    line = " ".join(f"{option} {'[x]' if n == 2 else '[ ]'}" for n, option in enumerate(OPTIONS))
    reading = read_page(transcribed(TITLE, *LEFT, *RIGHT, line, *PROMPTS, *ESSAY))
    assert marked_options([reading])["writing_about"].value == "Stepdad"


@pytest.mark.parametrize("choice", [[ABOUT, *TICKS], []])
def test_an_empty_field_takes_nothing_from_the_essay(choice: list[str]) -> None:
    found = values(TITLE, f"{STUDENT} Marisol Vega", "Email", *PROMPTS, GRADE, SCHOOL, *choice, *ESSAY)
    assert found == {"student_name": "Marisol Vega", "essay_text": WHOLE["essay_text"]}


def test_an_address_goes_on_in_the_next_line() -> None:
    found = values(TITLE, *LEFT[:2], "Email ernesto.vega", "@example.org", *PROMPTS, *ESSAY)
    assert found["email"] == "ernesto.vega@example.org"


def test_labels_under_the_essay_keep_their_values() -> None:
    foot = ["Father/Father-Figure reaction to this essay:", "Father/Father-Figure Name Ernesto Vega"]
    lines = [
        "Student's Name Marisol Vega",
        PROMPTS[0],
        *ESSAY,
        *foot,
        "Email e.vega@example.org Phone 312-555-0134",
    ]
    found = values("2022 IFI Fatherhood Essay Contest", *lines)
    wanted = {name: WHOLE[name] for name in WHOLE if name not in ("grade", "school_name")}
    assert found == wanted


def test_a_word_of_the_title_on_a_line_of_its_own_does_not_tell_the_year() -> None:
    logo = ["Illinois", "Fatherhood", "Initiative"]
    readings = [
        read_page(transcribed(*logo, f"{year} IFI Fatherhood Essay Contest", *APART)) for year in (2025, 2026)
    ]
    assert [reading.form.key for reading in readings] == ["ifi_2025", "ifi_2026"]
    assert all(token_text(line) not in logo for reading in readings for line in reading.written)
