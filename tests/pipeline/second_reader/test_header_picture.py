"""The picture that leaves the house: the header of a form, never its essay, small, grey, without metadata."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from core.config import Settings
from pipeline.extraction.page_roles import roles_of
from pipeline.ocr_providers import get_provider
from pipeline.profiles import all_profiles
from pipeline.recognition.page_contents import read_pages
from pipeline.second_reader.header_picture import MOST_BYTES, WIDTH, HeaderPicture, header_picture
from tests.support.reading.documents import scanned
from tests.support.reading.drawn import drawn
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay

SETTINGS = Settings(_env_file=None)
#: Lines of an essay without a form.
PROSE = [
    (72.0, 160.0 + 18 * line, "My father walks with me to the lake and tells me about the birds.")
    for line in range(20)
]


def picture_of(pdf: bytes, wanted: tuple[str, ...] = ("student_name",)) -> HeaderPicture | None:
    pages = read_pages(pdf, SETTINGS, None, get_provider("rapidocr", SETTINGS))
    return header_picture(pdf, roles_of(pages), wanted)


def opened(found: HeaderPicture | None) -> Image.Image:
    assert found is not None
    return Image.open(io.BytesIO(found.jpeg))


def ink(picture: Image.Image) -> float:
    return float((np.asarray(picture) < 128).mean())


def test_a_measured_form_gives_its_header_band() -> None:
    found = picture_of(drawn([*FORM_2026, *HEADER, *essay()], ticked=1))
    assert found is not None and found.page == 1
    picture = opened(found)
    assert picture.mode == "L" and picture.width == WIDTH and 200 < picture.height < 450
    assert len(found.jpeg) <= MOST_BYTES and not picture.getexif() and "comment" not in picture.info
    assert {"student_name", "school_name", "grade", "email", "phone", "writing_about"} <= set(found.fields)
    assert found.places["student_name"].page == 1
    # The band is that of the same form without an essay: nothing of it is shown.
    without = opened(picture_of(drawn([*FORM_2026, *HEADER], ticked=1)))
    assert abs(ink(picture) - ink(without)) < 0.002


@pytest.mark.parametrize("turned", [90, 180])
def test_a_page_that_came_in_turned_is_shown_upright(turned: int) -> None:
    upright = opened(picture_of(drawn([*FORM_2026, *HEADER, *essay()])))
    again = opened(picture_of(scanned(drawn([*FORM_2026, *HEADER, *essay()]), turned=turned)))
    assert abs(again.height - upright.height) < 12 and abs(ink(again) - ink(upright)) < 0.01


def test_a_page_without_a_form_is_shown_down_to_its_running_text() -> None:
    lines: list[Set] = [(72, 60, "Ana Ruiz"), (72, 80, "Larkspur Elementary"), (72, 100, "Grade 4"), *PROSE]
    found = picture_of(drawn(lines))
    assert found is not None and not found.places
    picture = opened(found)
    # The first line of prose begins at 155 of 792 points.
    assert picture.height / picture.width <= 156 / 612


def test_what_recognition_missed_is_not_shown() -> None:
    lines: list[Set] = [(72, 60, "Ana Ruiz"), (72, 80, "Larkspur Elementary"), (72, 100, "Grade 4"), *PROSE]
    pdf = drawn(lines)
    pages = read_pages(pdf, SETTINGS, None, get_provider("rapidocr", SETTINGS))
    blind = [replace(page, words=[w for w in page.words if w.box.y1 < 0.15 * page.height]) for page in pages]
    found = header_picture(pdf, roles_of(blind), ("student_name",))
    shown = np.asarray(opened(found)) < 128
    # The letters of the grade end a little below their base line, at 100 points; below them nothing is dark.
    assert shown.any() and np.flatnonzero(shown.any(axis=1)).max() <= 106 / 612 * WIDTH


def test_a_sentence_between_header_lines_is_not_shown() -> None:
    sentence = "He is the best dad of all."
    lines: list[Set] = [(72, 60, "Ana Ruiz"), (72, 100, sentence), (72, 140, "Larkspur Elementary"), *PROSE[4:]]
    with_it = opened(picture_of(drawn(lines)))
    without = opened(picture_of(drawn([one for one in lines if one[2] != sentence])))
    assert with_it.size == without.size and abs(ink(with_it) - ink(without)) < 0.001


def test_a_page_of_nothing_but_text_is_not_shown() -> None:
    assert picture_of(drawn(PROSE)) is None


def test_texts_between_the_fields_are_left_out() -> None:
    """The form of 2022 asks for the name above the essay, and for the rest below the reaction."""
    form = all_profiles()["ifi_2022"]
    print_ = [(one.at.x0, one.at.y1 - 3, one.texts[0], 8.6) for one in form.printed if one.at]
    blank: list[Set] = [*print_, (125, 125, "Ana Ruiz", 12), (175, 730, "Luis Ruiz", 12)]
    essay_lines: list[Set] = [(40, 166 + 18 * n, "My father walks with me to the lake.", 12) for n in range(20)]
    found = picture_of(drawn([*blank, *essay_lines]))
    assert found is not None and found.form.key == "ifi_2022"
    picture, without = opened(found), opened(picture_of(drawn(blank)))
    assert picture.width == WIDTH and picture.height < 300
    assert picture.size == without.size and abs(ink(picture) - ink(without)) < 0.002


def test_a_blank_upper_part_never_shows_more_than_a_third() -> None:
    picture = opened(picture_of(drawn([(72, 60, "Ana Ruiz")])))
    assert picture.height / picture.width < 0.34 * 792 / 612


def test_no_picture_where_no_recognised_page_asks_for_the_field() -> None:
    assert picture_of(drawn([*FORM_2026, *HEADER]), wanted=("essay_text",)) is None


def test_a_noisy_page_still_fits() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (1100, 850), dtype=np.uint8)
    page = Image.fromarray(noise)
    from pipeline.second_reader.header_picture import _jpeg

    assert len(_jpeg(page.resize((1300, 640)))) <= MOST_BYTES
