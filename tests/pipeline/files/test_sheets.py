"""Pages on which two forms were printed or scanned become a page for each; ordinary pages stay."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from PIL import Image

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.files.intake import to_pdf
from pipeline.mupdf.assembly import only_pages
from pipeline.pages.page_model import PageContent
from pipeline.recognition.page_contents import read_pages
from tests.pipeline.files.word.test_shown_parts import picture_of
from tests.support.reading.documents import ESSAY, docx, drawn, encoded, paragraph, with_relations
from tests.support.reading.entries import acroform

SETTINGS = load_settings()
NAMES = ("Marisol Quintero", "Tobias Vega")
OTHER = (
    "My grandfather mends clocks in a room full of ticking. He shows me the small wheels and never hurries. "
    "On Fridays we bake bread, and he lets me knead until my arms are tired. He tells me about the river town."
)


def _form(page: pymupdf.Page, name: str, left: float = 0, top: float = 0, scale: float = 1.0) -> None:
    """A form on a part of a page that is `scale` as large as a letter page."""

    def text(x: float, y: float, said: str, size: float) -> None:
        page.insert_text((left + x * scale, top + y * scale), said, fontsize=size * scale)

    text(150, 60, "Fatherhood Essay Contest of the County", 18)
    text(60, 110, f"Student: {name}", 12)
    text(60, 135, "School: Lakeview Elementary School", 12)
    text(60, 160, f"Grade: {len(name) % 6 + 3}", 12)
    text(60, 185, "Write below what your father means to you:", 12)
    box = pymupdf.Rect(left + 60 * scale, top + 200 * scale, left + 560 * scale, top + 760 * scale)
    page.insert_textbox(box, ESSAY if name == NAMES[0] else OTHER, fontsize=12 * scale)


def _page(width: float, height: float, draw: Callable[[pymupdf.Page], object], rotation: int = 0) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        draw(page)
        page.set_rotation(rotation)
        return bytes(document.tobytes())


def _side_by_side(width: float = 1224, height: float = 792, scale: float = 1.0, top: float = 0) -> bytes:
    return _page(
        width,
        height,
        lambda page: [_form(page, name, place * width / 2, top, scale) for place, name in enumerate(NAMES)],
    )


def _stacked(height: float = 1584, scale: float = 1.0) -> bytes:
    return _page(
        612,
        height,
        lambda page: [_form(page, name, 0, place * height / 2, scale) for place, name in enumerate(NAMES)],
    )


def _picture(pdf: bytes, dpi: int = 110) -> Image.Image:
    with pymupdf.open("pdf", pdf) as document:
        pixels = document.load_page(0).get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)


def _scan(picture: Image.Image, turned: int = 0) -> bytes:
    picture = picture.rotate(turned, expand=True)
    with pymupdf.open() as document:
        page = document.new_page(width=picture.width * 72 / 110, height=picture.height * 72 / 110)
        page.insert_image(page.rect, stream=encoded(picture, "JPEG", quality=80))
        return bytes(document.tobytes())


def _laid(first: Image.Image, second: Image.Image, angles: tuple[float, float]) -> Image.Image:
    """Two sheets on a scanner's glass, each a little askew."""
    glass = Image.new("L", (first.width * 2 + 60, first.height + 60), 248)
    for place, (sheet, angle) in enumerate(zip((first, second), angles, strict=True)):
        askew = sheet.rotate(angle, fillcolor=255, resample=Image.Resampling.BICUBIC)
        glass.paste(askew, (20 + place * (first.width + 20), 10 + 30 * place))
    return glass


def _name_on(page: PageContent) -> str:
    words = [word.text for word in page.words]
    at = words.index("Student:")
    return " ".join(words[at + 1 : at + 3])


@pytest.mark.parametrize(
    "pdf",
    [
        _side_by_side(),
        _side_by_side(792, 612, 0.64, 20),
        _stacked(),
        _stacked(792, 0.5),
        _side_by_side(1190.5, 842, 0.97),
    ],
    ids=["spread", "two-up", "long", "half sheets", "A3"],
)
def test_two_typed_forms_are_two_pages(pdf: bytes) -> None:
    intake = to_pdf(pdf, "", SETTINGS)
    assert intake.converted and not intake.notes
    assert [_name_on(page) for page in read_pages(intake.pdf, SETTINGS, None)] == list(NAMES)


def test_a_page_that_lies_turned_is_cut_as_it_is_displayed() -> None:
    with pymupdf.open("pdf", _side_by_side()) as source, pymupdf.open() as document:
        page = document.new_page(width=792, height=1224)
        page.show_pdf_page(page.rect, source, 0, rotate=90)
        page.set_rotation(90)
        data = bytes(document.tobytes())
    intake = to_pdf(data, "", SETTINGS)
    assert [_name_on(page) for page in read_pages(intake.pdf, SETTINGS, None)] == list(NAMES)
    with pymupdf.open("pdf", intake.pdf) as document:
        assert all(page.rect.width < page.rect.height for page in document)


def test_four_forms_are_four_pages_row_by_row() -> None:
    names = [*NAMES, "Ann Lindholm", "Leo Castro"]

    def draw(page: pymupdf.Page) -> None:
        for place, name in enumerate(names):
            _form(page, name, place % 2 * 612, place // 2 * 792)

    intake = to_pdf(_page(1224, 1584, draw), "", SETTINGS)
    assert [_name_on(page) for page in read_pages(intake.pdf, SETTINGS, None)] == names


def test_fields_stay_with_their_sheet() -> None:
    def draw(page: pymupdf.Page) -> None:
        for place, name in enumerate(NAMES):
            _form(page, "", place * 612)
            widget = pymupdf.Widget()
            widget.field_name, widget.field_value = f"name{place}", name
            widget.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
            widget.rect = pymupdf.Rect(place * 612 + 120, 95, place * 612 + 400, 115)
            page.add_widget(widget)

    pages = read_pages(to_pdf(_page(1224, 792, draw), "", SETTINGS).pdf, SETTINGS, None)
    assert [[widget.value for widget in page.widgets] for page in pages] == [[name] for name in NAMES]


@pytest.mark.parametrize("turned", [0, 90])
@pytest.mark.parametrize("angles", [(0.0, 0.0), (1.2, -0.8)], ids=["straight", "askew"])
def test_two_scanned_forms_are_two_pages(angles: tuple[float, float], turned: int) -> None:
    first, second = (_picture(drawn(lambda page, name=name: _form(page, name))) for name in NAMES)
    intake = to_pdf(_scan(_laid(first, second, angles), turned), "", SETTINGS)
    assert intake.page_count == 2


def test_a_photo_of_two_forms_is_two_pages() -> None:
    first, second = (_picture(drawn(lambda page, name=name: _form(page, name))) for name in NAMES)
    out = io.BytesIO()
    _laid(first, second, (0.5, -0.5)).save(out, "JPEG")
    assert to_pdf(out.getvalue(), "", SETTINGS).page_count == 2


def _on_table(sheets: Sequence[Image.Image], angles: Sequence[float], ground: int = 70) -> bytes:
    """A photo of sheets that lie on a table, each turned a little."""
    width, height = sheets[0].size
    table = Image.new("L", ((width + 90) * len(sheets) + 90, height + 260), ground)
    for place, (sheet, angle) in enumerate(zip(sheets, angles, strict=True)):
        paper = sheet.point(lambda shade: shade * 225 // 255)
        mask = Image.new("L", sheet.size, 255)
        turned = [one.rotate(angle, expand=True, resample=Image.Resampling.BICUBIC) for one in (paper, mask)]
        table.paste(turned[0], (60 + place * (width + 90), 40 + 90 * (place % 2)), turned[1])
    return encoded(table, "JPEG", quality=85)


@pytest.mark.parametrize("angles", [(0.0, 0.0), (3.0, -4.0), (-2.5, 5.0)])
def test_sheets_on_a_table_are_pages_though_they_have_nothing_in_common(angles: tuple[float, float]) -> None:
    sheets = [
        _picture(drawn(lambda page, lines=lines: page.insert_textbox((70, 70, 540, 700), lines, fontsize=12)))
        for lines in (ESSAY, OTHER)
    ]
    assert to_pdf(_on_table(sheets, angles), "", SETTINGS).page_count == 2


def test_one_sheet_on_a_table_is_one_page_and_so_is_an_open_book() -> None:
    sheet = _picture(drawn(lambda page: page.insert_textbox((70, 70, 540, 700), ESSAY, fontsize=12)))
    assert to_pdf(_on_table([sheet], [3.0]), "", SETTINGS).page_count == 1
    book = Image.new("L", (sheet.width * 2, sheet.height))
    for place in (0, 1):
        book.paste(sheet, (place * sheet.width, 0))
    assert (
        to_pdf(_on_table([book.crop((0, 0, sheet.width + 300, sheet.height))], [1.0]), "", SETTINGS).page_count
        == 1
    )


def test_light_boxes_on_a_dark_poster_are_no_sheets() -> None:
    def draw(page: pymupdf.Page) -> None:
        page.draw_rect(page.rect, fill=(0.2, 0.2, 0.4))
        page.draw_rect((60, 60, 550, 150), fill=(1, 1, 1))
        page.draw_circle((300, 480), 200, fill=(1, 1, 1))
        page.insert_text((80, 110), "Fathers of our town", fontsize=24)

    assert to_pdf(encoded(_picture(drawn(draw)), "PNG"), "", SETTINGS).page_count == 1


def test_a_picture_in_a_word_file_is_cut_as_a_scan_is() -> None:
    picture = _picture(_stacked(792, 0.5), 170)
    parts: dict[str, str | bytes] = {"media/image1.png": encoded(picture, "PNG")}
    intake = to_pdf(with_relations(picture_of(), {"rId7": "image media/image1.png"}, parts), "", SETTINGS)
    assert intake.page_count == 2
    assert to_pdf(docx(paragraph("Marisol Quintero") + paragraph(ESSAY)), "", SETTINGS).page_count == 1


def test_two_scanned_forms_one_above_the_other_are_two_pages() -> None:
    assert to_pdf(_scan(_picture(_stacked())), "", SETTINGS).page_count == 2


def _two_columns(page: pymupdf.Page) -> None:
    """A lying form of two columns with the same labels, below one title."""
    page.insert_text((250, 40), "Registration for the contest of all schools", fontsize=18)
    for left, who in ((40, "Student"), (430, "Father")):
        page.insert_text((left, 90), f"{who}", fontsize=12)
        for place, label in enumerate(("Name:", "Telephone:", "Address:", "E-mail:")):
            page.insert_text((left, 120 + 25 * place), label, fontsize=12)
    page.insert_textbox((40, 240, 750, 590), ESSAY, fontsize=12)


def _columns(page: pymupdf.Page) -> None:
    for left, text in ((40, ESSAY), (430, OTHER)):
        page.insert_textbox((left, 40, left + 330, 590), text * 2, fontsize=12)


def _blocks(page: pymupdf.Page) -> None:
    """A standing form that asks the same of the child and of the father."""
    page.insert_text((150, 40), "Registration for the contest", fontsize=18)
    for top, who in ((80, "Student"), (420, "Father")):
        page.insert_text((60, top), f"Information of the {who}", fontsize=12)
        for place, label in enumerate(("Name:", "Telephone:", "Address:", "E-mail:")):
            page.insert_text((60, top + 30 + 30 * place), label, fontsize=12)


ORDINARY: Sequence[tuple[float, float, Callable[[pymupdf.Page], object]]] = (
    (792, 612, _two_columns),
    (792, 612, _columns),
    (612, 792, _blocks),
    (792, 612, lambda page: _form(page, NAMES[0], 0, 0, 0.77)),
    (612, 792, lambda page: _form(page, NAMES[0])),
)


@pytest.mark.parametrize(
    ("width", "height", "draw"), ORDINARY, ids=["form", "columns", "blocks", "lying", "usual"]
)
def test_an_ordinary_page_stays_one(width: float, height: float, draw: Callable[[pymupdf.Page], object]) -> None:
    typed = _page(width, height, draw)
    for pdf in (typed, _scan(_picture(typed))):
        intake = to_pdf(pdf, "", SETTINGS)
        assert intake.pdf is pdf


@pytest.mark.parametrize("pdf", [_side_by_side(), _stacked(), _side_by_side(792, 612, 0.6, 30)])
def test_nothing_of_the_other_child_is_left_in_a_page(pdf: bytes) -> None:
    with pymupdf.open("pdf", to_pdf(pdf, "a.pdf", SETTINGS).pdf) as document:
        assert document.page_count == 2
        for number, own in enumerate(NAMES):
            alone = only_pages(document.tobytes(), [number + 1])
            with pymupdf.open("pdf", alone) as made:
                page = made.load_page(0)
                page.set_cropbox(page.mediabox)
                text = page.get_text()
            assert own in text and NAMES[1 - number] not in text


def test_nothing_of_the_other_child_is_left_in_a_picture() -> None:
    with pymupdf.open("pdf", _side_by_side()) as typed:
        picture = typed[0].get_pixmap(dpi=100).tobytes("png")
    with pymupdf.open("pdf", to_pdf(picture, "a.png", SETTINGS).pdf) as document:
        assert document.page_count == 2
        for number in range(2):
            page = document.load_page(number)
            page.set_cropbox(page.mediabox)
            seen = np.asarray(Image.open(io.BytesIO(page.get_pixmap(dpi=50).tobytes("png"))).convert("L"))
            half = seen.shape[1] // 2
            other = seen[:, half + 8 :] if number == 0 else seen[:, : half - 8]
            assert (other < 200).sum() == 0


def test_a_page_is_not_cut_again() -> None:
    made = to_pdf(_side_by_side(), "", SETTINGS).pdf
    assert to_pdf(made, "", SETTINGS).pdf is made
    form = acroform({"Student's Name": "Marisol Quintero"})
    assert to_pdf(form, "", SETTINGS).pdf is form
