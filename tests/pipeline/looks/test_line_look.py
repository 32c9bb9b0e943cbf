"""Single lines as witnesses: a form recognised for real, and cuts that say what a test tells them to."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.looks.line_look import LineLook
from pipeline.looks.second_look import from_nearer
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import NullOcr, Pixels, RecognisedLine, RecognisedText
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import FieldKind
from pipeline.recognition.page_contents import read_pages
from pipeline.schema import EvidenceBox, FieldReading
from pipeline.spelling.lattice import unpacked
from tests.support.reading.lines import steps_of
from tests.support.reading.paper import FORM_2026, HEADER, essay

SETTINGS = Settings(_env_file=None)
PERSON = FieldKind.PERSON
NAME_AT = EvidenceBox(page=1, box=Box(203 / 612, 110 / 792, 265 / 612, 122 / 792))


class Saying:
    """Says one text after the other, whatever it is shown."""

    name, places_known = "saying", True
    version = "1"

    def __init__(self, said: Iterable[tuple[str, float]]) -> None:
        self._said = iter(said)

    def preload(self) -> None: ...

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        return []

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        text, sure = next(self._said)
        return RecognisedText(text, sure, steps_of(text, sure=sure) or ({"": 0.99},) * 5)


def scan_of(grade: str) -> bytes:
    with pymupdf.open() as sheet:
        page = sheet.new_page(width=612, height=792)
        for text in [*FORM_2026, *(t for t in HEADER if t[2] != "4th"), (510, 119, grade), *essay()]:
            size = text[3] if len(text) == 4 else 10.0
            page.insert_text((text[0], text[1] + size * 0.35), text[2], fontsize=size)
        page.draw_rect((494, 110, 582, 129))
        picture = page.get_pixmap(dpi=150)
    with pymupdf.open() as scan:
        scan.new_page(width=612, height=792).insert_image((0, 0, 612, 792), pixmap=picture)
        return bytes(scan.tobytes())


@pytest.fixture(scope="module")
def scan() -> tuple[bytes, RoledPage]:
    pdf = scan_of("7")
    return pdf, roles_of(read_pages(pdf, SETTINGS, None))[0]


def look(scan: tuple[bytes, RoledPage], *said: tuple[str, float]) -> LineLook:
    return LineLook(*scan, Saying(said), None)


def first(value: str, confidence: float) -> FieldReading:
    return FieldReading(value=value, confidence=confidence, source=Source.OCR, evidence=[NAME_AT], method="zone")


def test_a_lone_digit_in_its_box_is_read(scan: tuple[bytes, RoledPage]) -> None:
    found = LineLook(*scan, get_provider("rapidocr", SETTINGS), None).missing("grade", FieldKind.GRADE)
    assert found is not None and found.value == "7"
    assert found.evidence[0].box.cx == pytest.approx(538 / 612, abs=0.02)


def test_an_empty_box_holds_no_grade() -> None:
    pdf = scan_of("")
    roled = roles_of(read_pages(pdf, SETTINGS, None))[0]
    provider = get_provider("rapidocr", SETTINGS)
    assert LineLook(pdf, roled, provider, None).missing("grade", FieldKind.GRADE) is None
    assert "grade" not in from_nearer(pdf, SETTINGS, None, provider)(roled, {})


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ([("4", 0.9), ("4", 0.9), ("", 0.0)], "4"),
        ([("4", 0.9), ("9", 0.9), ("", 0.0)], None),
        ([("4", 0.9), ("", 0.0), ("|", 0.8)], None),
        ([("", 0.0), ("", 0.0), ("", 0.0)], None),
    ],
)
def test_a_grade_must_be_seen_in_more_than_one_cut_and_be_likelier_than_any_other(
    scan: tuple[bytes, RoledPage], said: list[tuple[str, float]], value: str | None
) -> None:
    found = look(scan, *said).missing("grade", FieldKind.GRADE)
    assert (found.value if found else None) == value


def test_a_name_is_spelled_from_its_lines_and_no_surer_for_it(scan: tuple[bytes, RoledPage]) -> None:
    better = look(scan, *[("Marisol Vega", 0.97)] * 6).spelled("student_name", PERSON, first("Marsol Vega", 0.86))
    assert better.value == "Marisol Vega"
    assert 0.7 < better.confidence < 0.75
    assert better.method == "zone, spelled from its lines"
    assert better.evidence == [NAME_AT]


@pytest.mark.parametrize("torn", ["Mari sol Vega", "MarisolVega"])
def test_words_are_parted_as_the_lines_part_them(scan: tuple[bytes, RoledPage], torn: str) -> None:
    again = look(scan, *[("Marisol Vega", 0.97)] * 6).spelled("student_name", PERSON, first(torn, 0.9))
    assert (again.value, again.confidence) == ("Marisol Vega", 0.9)


@pytest.mark.parametrize(("confidence", "value"), [(0.9, "Mariela Vega"), (0.6, "Marisol Vega")])
def test_a_likely_name_is_replaced_by_a_surer_one_alone(
    scan: tuple[bytes, RoledPage], confidence: float, value: str
) -> None:
    again = look(scan, *[("Marisol Vega", 0.97)] * 6)
    assert again.spelled("student_name", PERSON, first("Mariela Vega", confidence)).value == value


def test_a_rare_word_of_the_lists_gives_way_to_a_far_likelier_one(scan: tuple[bytes, RoledPage]) -> None:
    again = look(scan, *[("Anthony Vega", 0.97)] * 6)
    assert again.spelled("student_name", PERSON, first("Anthany Vega", 0.9)).value == "Anthony Vega"


def test_a_rare_word_stays_where_the_crops_do_not_agree(scan: tuple[bytes, RoledPage]) -> None:
    again = look(scan, *[("Anthany Vega", 0.99)] * 3, *[("Anthony Vega", 0.97)] * 3)
    assert again.spelled("student_name", PERSON, first("Anthany Vega", 0.9)).value == "Anthany Vega"


@pytest.mark.parametrize(
    "lines",
    [[("Marisol Vega", 0.99)] * 6, [("", 0.0)] * 6, [("Student Name School Grade", 0.9)] * 6],
    ids=["the same", "nothing", "print"],
)
def test_the_first_reading_stands(scan: tuple[bytes, RoledPage], lines: list[tuple[str, float]]) -> None:
    reading = first("Marisol Vega", 0.8)
    again = look(scan, *lines).spelled("student_name", PERSON, reading)
    assert again.model_copy(update={"considered": ()}) == reading
    assert [unpacked(line).likeliest for line in again.considered] == [lines[0][0].lower()] * 3 * bool(lines[0][0])


def test_a_clear_value_is_kept_with_what_was_considered_on_its_line(scan: tuple[bytes, RoledPage]) -> None:
    reading = first("Marisol Vega", 0.99)
    weighed = look(scan, *[("Marisol Vego", 0.9)] * 3).weighed("student_name", reading)
    assert weighed.value == "Marisol Vega"
    assert [unpacked(line).likeliest for line in weighed.considered] == ["marisol vego"] * 3


def test_rows_of_a_value_are_one_line(scan: tuple[bytes, RoledPage]) -> None:
    below = NAME_AT.model_copy(update={"box": NAME_AT.box._replace(y0=130 / 792, y1=142 / 792)})
    reading = first("Marisol Vega", 0.99).model_copy(update={"evidence": [NAME_AT, below]})
    weighed = look(scan, *[("Marisol", 0.9)] * 3, *[("Vega", 0.9)] * 3).weighed("student_name", reading)
    assert [unpacked(line).likeliest for line in weighed.considered] == ["marisol vega"] * 3


ADDRESS = "d.vega@example.org"


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ([ADDRESS] * 6, ADDRESS),
        (["d.vega@example.org", "D.Vega@Example.org", "d.vesa@example.org", "", "d vega", ""], ADDRESS),
        (["d.vcga@example.org"] * 3 + ["d.vega@example.org"] * 3, ADDRESS),
        (["d.vesa@example.org", "d.vcga@example.org", "d.yega@example.org", "", "", ""], None),
        ([""] * 6, ADDRESS),
    ],
    ids=["all", "three, in any case", "more of them", "none agree", "nothing else was read"],
)
def test_an_address_is_what_most_looks_at_its_line_say(
    scan: tuple[bytes, RoledPage], lines: list[str], value: str | None
) -> None:
    voted = look(scan, *[(line, 0.95) for line in lines]).voted("email", FieldKind.EMAIL, first(ADDRESS, 0.9))
    assert voted.value == value
    assert voted.evidence == [NAME_AT]
    assert voted.confidence == 0.0 if value is None else 0.6 < voted.confidence <= 0.9


def test_a_number_is_compared_by_its_digits(scan: tuple[bytes, RoledPage]) -> None:
    lines = ["(708) 555-0106", "708 555 0106", "708-555-0106", "", "", ""]
    voted = look(scan, *[(line, 0.9) for line in lines]).voted(
        "phone", FieldKind.PHONE, first("708 555 0196", 0.8)
    )
    assert voted.value == "(708) 555-0106"


def test_a_label_that_was_taken_for_a_value_is_none(scan: tuple[bytes, RoledPage]) -> None:
    lines = [("Escribiendo Sobre", 0.97)] * 6
    found = look(scan, *lines).spelled("school_name", FieldKind.SCHOOL, first("Esrbind Soby", 0.7))
    assert (found.value, found.confidence) == (None, 0.0)


def test_a_provider_that_tells_no_steps_changes_nothing(scan: tuple[bytes, RoledPage]) -> None:
    reading = first("Marsol Vega", 0.8)
    assert LineLook(*scan, NullOcr(SETTINGS), None).spelled("student_name", PERSON, reading) == reading


@pytest.mark.parametrize(
    ("said", "value", "confidence"), [("4", "7", 0.4), ("7", "7", 0.8)], ids=["contradicted", "confirmed"]
)
def test_a_grade_that_its_field_contradicts_is_believed_less(
    scan: tuple[bytes, RoledPage], said: str, value: str, confidence: float
) -> None:
    read = first("7", 0.8)
    found = look(scan, (said, 0.9), ("", 0.0), ("", 0.0)).grade("grade", read)
    assert (found.value, found.confidence) == (value, confidence)


def test_a_grade_that_its_field_clearly_says_overrules(scan: tuple[bytes, RoledPage]) -> None:
    found = look(scan, *[("12th", 0.97)] * 3).grade("grade", first("2", 0.8))
    assert (found.value, found.method) == ("12", "lines")
