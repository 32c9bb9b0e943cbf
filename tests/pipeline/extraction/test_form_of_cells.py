"""Forms of cells, whatever their paper: values right under their labels and beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.extraction.reflowed_cells import header_bottom
from pipeline.looks.second_look import with_ticks
from pipeline.pages.page_model import Box
from pipeline.profiles import FormSpec, Printed, PrintedRole, use_profiles
from pipeline.recognition.page_contents import read_pages
from tests.support.reading.paper import FORM_2026, HEADER, essay, page
from tests.support.small_form import files_alone_afterwards

#: Of a lying letter page: kind, label, cell, and what is written in it.
CELLS: dict[str, tuple[str, str, tuple[float, float, float, float], str]] = {
    "rower": ("person", "Rower's whole name", (40, 100, 390, 140), "Adela Quintana"),
    "age": ("number", "Age", (40, 140, 100, 180), "12"),
    "grade": ("grade", "Grade in the fall", (100, 140, 190, 180), "7"),
    "born": ("date", "Born on (day first)", (190, 140, 390, 180), "4/9/2014"),
    "phone": ("phone", "Daytime telephone", (400, 100, 560, 140), "402 555 0101"),
    "email": ("email", "Address for mail", (560, 100, 750, 140), "a.quintana@example.org"),
    "second_phone": ("phone", "Telephone in an emergency", (400, 140, 560, 180), "(614) 555-0102"),
    "town": ("text", "Town", (560, 140, 750, 180), "Port Denning"),
    "needs": ("text", "What we should know", (40, 180, 390, 250), "Bee stings\nno milk"),
}
OPTIONS = {"Red": 410.0, "Blue": 480.0, "Green": 550.0}
RULES = [
    "1. Rowers are dropped off between eight and nine in the morning.",
    "2. Send a packed lunch, a water bottle, sunscreen and a towel every day.",
    "3. Only persons named on this sheet may take a rower home in the evening.",
]


def profile_on(size: tuple[float, float]) -> FormSpec:
    across, down = size[0] / 792, size[1] / 612

    def on(*box: float) -> list[float]:
        return [box[0] * across, box[1] * down, box[2] * across, box[3] * down]

    printed: list[dict[str, Any]] = [
        {"role": "title", "texts": ["Riverside Rowing Week"], "at": on(40, 30, 250, 50)}
    ]
    fields: dict[str, Any] = {"team": {"kind": "choice", "zone": on(400, 200, 750, 230)}}
    for name, (kind, label, (x0, y0, x1, y1), _) in CELLS.items():
        fields[name] = {"kind": kind, "zone": on(x0 + 2, y0 + 12, x1 - 2, y1 - 2), "language": "es"}
        at = on(x0 + 3, y0 + 2, x0 + 5 * len(label), y0 + 12)
        printed.append({"role": "label", "texts": [label], "at": at, "field": name})
    for value, x in OPTIONS.items():
        option = {"role": "option", "texts": [value], "field": "team", "value": value}
        printed.append(option | {"at": on(x + 12, 205, x + 50, 216), "mark": on(x, 206, x + 9, 215)})
    printed += [{"role": "rule", "texts": [rule]} for rule in RULES]
    return FormSpec.model_validate(
        {"key": "rowing", "label": "Rowing", "kind": "form", "page": size, "version": 1}
        | {"fields": fields, "printed": printed}
    )


def paper(size: tuple[float, float], filled: bool, sign: str = "") -> bytes:
    """The form; `sign` is typed into a box in a small grey type instead of a stroke through it."""
    across, down = size[0] / 792, size[1] / 612
    with pymupdf.open() as sheet:
        drawn = sheet.new_page(width=size[0], height=size[1])

        def write(x: float, y: float, text: str, size: float = 10) -> None:
            drawn.insert_text((x * across, y * down), text, fontsize=size)

        write(40, 46, "Riverside Rowing Week", 18)
        for _, label, (x0, y0, x1, y1), value in CELLS.values():
            drawn.draw_rect((x0 * across, y0 * down, x1 * across, y1 * down))
            write(x0 + 3, y0 + 10, label, 7)
            for number, line in enumerate(value.split("\n") if filled else ()):
                write(x0 + 6, y0 + 32 + 16 * number, line)
        for value, x in OPTIONS.items():
            drawn.draw_rect((x * across, 206 * down, (x + 9) * across, 215 * down))
            write(x + 13, 214, value, 8)
            if sign and value == "Blue":
                drawn.insert_text(((x + 3) * across, 213 * down), sign, fontsize=6, color=(0.5, 0.5, 0.5))
            elif filled and value == "Blue":
                drawn.draw_line(((x - 3) * across, 203 * down), ((x + 12) * across, 218 * down), width=0.9)
        for number, rule in enumerate(RULES):
            write(400, 244 + 12 * number, rule, 8)
        return bytes(sheet.tobytes())


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


@pytest.mark.parametrize("size", [(792.0, 612.0), (842.0, 595.0)], ids=["letter", "A4"])
def test_a_form_of_cells_on_a_lying_page(size: tuple[float, float]) -> None:
    use_profiles([profile_on(size)], f"cells {size}")
    settings = Settings(_env_file=None)
    pdf = paper(size, filled=True)
    pages = read_pages(pdf, settings, None)
    readings, _ = read_entry(pages)
    values = {name: one.value for name, one in with_ticks(readings, pdf, [role_of(pages[0])]).items()}
    assert values == {
        **{name: value for name, (_, _, _, value) in CELLS.items()},
        "born": "2014-09-04",
        "needs": "Bee stings no milk",
        "team": "Blue",
    }
    (empty,) = read_pages(paper(size, filled=False), settings, None)
    assert role_of(empty).role is PageRole.BLANK_FORM


@pytest.mark.parametrize("sign", ["x", "X"])
def test_a_sign_typed_into_a_box(sign: str) -> None:
    use_profiles([profile_on((792.0, 612.0))], "cells")
    pdf = paper((792.0, 612.0), filled=True, sign=sign)
    pages = read_pages(pdf, Settings(_env_file=None), None)
    ticked = with_ticks(read_entry(pages)[0], pdf, [role_of(pages[0])])
    assert ticked["team"].value == "Blue"


def test_what_one_form_prints_is_a_sentence_of_an_essay_on_another() -> None:
    sentence = "My father says that riverside rowing week is the best of them all."
    written = page(1, [*FORM_2026, *HEADER, *essay(), (36, 400, sentence)])
    before = read_entry([written])[0]["essay_text"].value
    use_profiles([profile_on((792.0, 612.0))], "beside the essay")
    again = page(1, [*FORM_2026, *HEADER, *essay(), (36, 400, sentence)])
    assert sentence in (before or "") and read_entry([again])[0]["essay_text"].value == before


def test_a_label_of_no_field_ends_no_header() -> None:
    form = profile_on((792.0, 612.0))
    heading = Printed(role=PrintedRole.LABEL, texts=("For the boat house",), at=Box(40, 260, 140, 272))
    assert header_bottom(form.model_copy(update={"printed": (*form.printed, heading)}), {}) is None
