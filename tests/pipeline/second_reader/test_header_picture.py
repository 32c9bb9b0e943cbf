"""The picture that leaves the house: the header of a form, never its essay, small, grey, without metadata."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from core.config import Settings
from core.confined.mupdf import pymupdf
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import Box
from pipeline.profiles import FormSpec, PrintedRole, all_profiles
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


def test_a_page_is_cut_by_the_form_that_it_shows() -> None:
    """Fields in the file are named like those of 2026, whose header is where the essay of 2022 begins."""
    forms = all_profiles()
    print_ = [(one.at.x0, one.at.y1 - 3, one.texts[0], 8.6) for one in forms["ifi_2022"].printed if one.at]
    poem = [(40, 166 + 18 * row, POEM[row % len(POEM)], 12) for row in range(20)]
    named = [
        (spec.widgets[0], spec.zone) for spec in forms["ifi_2026"].fields.values() if spec.widgets and spec.zone
    ]

    def picture(written: list[Set]) -> Image.Image:
        with pymupdf.open(stream=drawn([*print_, (125, 125, "Ana Ruiz", 12), *written])) as file:
            for name, zone in named:
                widget = pymupdf.Widget()
                widget.field_name, widget.field_type, widget.rect = (
                    name,
                    pymupdf.PDF_WIDGET_TYPE_TEXT,
                    pymupdf.Rect(zone),
                )
                file[0].add_widget(widget)
            return opened(picture_of(bytes(file.tobytes())))

    written, blank = picture(poem), picture([])
    assert abs(written.height - blank.height) < 12 and abs(ink(written) - ink(blank)) < 0.002


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


#: Short lines of a poem, which no rule takes for an essay.
POEM = ["Roses by the door", "Papa in the rain", "His hands are warm", "He sings again", "We walk until"]


def _stacked(*pdfs: bytes) -> bytes:
    with pymupdf.open() as whole:
        for pdf in pdfs:
            with pymupdf.open(stream=pdf) as one:
                whole.insert_pdf(one)
        return bytes(whole.tobytes())


def test_a_page_behind_the_header_is_never_shown() -> None:
    """Its lines are the essay's, whether the page with the header was recognised or has text of its own."""
    poem = drawn([(72, 50 + 22 * row, line) for row, line in enumerate(POEM)])
    lines = [(72, 60, "Name: Ana Ruiz"), (72, 80, "School: Larkspur Elementary"), *PROSE[:8]]
    with pymupdf.open() as typed:
        page = typed.new_page(width=612, height=792)
        for x, y, text in lines:
            page.insert_text((x, y), text, fontsize=12)
        assert picture_of(_stacked(bytes(typed.tobytes()), poem), ("grade",)) is None
    found = picture_of(_stacked(poem, drawn([(72, 60, "Ana Ruiz"), (72, 80, "Larkspur Elementary"), *PROSE])))
    assert found is not None and found.page == 2


@pytest.fixture(scope="module")
def placed() -> tuple[bytes, RoledPage]:
    pdf = drawn([*FORM_2026, *HEADER, *essay()])
    pages = read_pages(pdf, SETTINGS, None, get_provider("rapidocr", SETTINGS))
    return pdf, roles_of(pages)[0]


def _with_zones(form: FormSpec, **zones: Box | None) -> FormSpec:
    fields = {
        name: spec.model_copy(update={"zone": zones.get(name, spec.zone)}) for name, spec in form.fields.items()
    }
    return form.model_copy(update={"fields": fields})


def _bare(form: FormSpec, zone: Box | None) -> FormSpec:
    """The form with one place at most."""
    printed = [one for one in form.printed if one.role not in (PrintedRole.LABEL, PrintedRole.OPTION)]
    zones = {**dict.fromkeys(form.fields), "student_name": zone}
    return _with_zones(form, **zones).model_copy(update={"printed": tuple(printed)})


@pytest.mark.parametrize("zone", [None, Box(5000, 100, 5100, 120), Box(100, -90, 200, -60)])
def test_a_form_that_places_nothing_on_its_page_has_no_picture(
    placed: tuple[bytes, RoledPage], zone: Box | None
) -> None:
    """A form of the database may say of no field where it is, or of a wrong place."""
    pdf, roled = placed
    assert header_picture(pdf, [replace(roled, profile=_bare(roled.form, zone))], ("student_name",)) is None


@pytest.mark.parametrize(
    "zone", [Box(100, 100, 100.01, 100.01), Box(-1e5, -1e5, 1e5, 1e5), Box(100, 0, 100.1, 1e5)]
)
def test_a_place_of_any_shape_gives_a_picture(placed: tuple[bytes, RoledPage], zone: Box) -> None:
    pdf, roled = placed
    found = header_picture(pdf, [replace(roled, profile=_bare(roled.form, zone))], ("student_name",))
    picture = opened(found)
    assert picture.width > 50 and 50 < picture.height <= 640


def test_what_lies_far_from_every_field_is_not_shown(placed: tuple[bytes, RoledPage]) -> None:
    """An essay whose place the form does not give, with the header above it and a field below."""
    pdf, roled = placed
    apart = _with_zones(roled.form, essay_text=None, parent_reaction=None, email=Box(64, 730, 300, 750))
    labels = tuple(one for one in apart.printed if one.field != "email")
    form = apart.model_copy(update={"printed": labels})
    picture = opened(header_picture(pdf, [replace(roled, profile=form)], ("student_name",)))
    assert picture.width == WIDTH and picture.height < 450
