"""Whatever way a value comes in, it can be stored: no control characters, no lone surrogates."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.config import Settings
from core.errors import InvalidInputError
from core.plain_data import storable
from pipeline.mupdf.page_data import FieldAppearance, PageParts, PageShape, Paint, PdfField, Span, TextLine
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box
from pipeline.pages.text_layer import read_text_layer
from pipeline.pages.widgets import widgets_of
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validate import clean_person_value
from tests.support.long import examples

SETTINGS = Settings(_env_file=None)
ANY_TEXT = st.text(
    st.characters() | st.sampled_from("\x00\x07\x0b\x1b\x7f\x85\ud800\udfff\ufffe Miriam"), max_size=40
)
SHAPE = PageShape((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 612.0, 792.0)
RECT = (200.0, 100.0, 400.0, 118.0)


def is_storable(text: str | None) -> bool:
    return text is None or storable(text) == text


def parts(fields: list[PdfField], lines: list[TextLine]) -> PageParts:
    return PageParts(SHAPE, fields, lines, [], Paint([], [], False))


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
@settings(max_examples=examples(50, 500), deadline=None)
def test_fields(value: str, drawn: str, name: str) -> None:
    field = PdfField(name, "text", value, RECT, False, None, FieldAppearance(drawn, RECT), former=drawn)
    for one in (field, replace(field, only_printed=True), replace(field, drawn=None)):
        (widget,) = widgets_of(parts([one], []))
        assert is_storable(widget.value) and is_storable(widget.other) and is_storable(widget.name)


@given(ANY_TEXT)
@settings(max_examples=examples(50, 500), deadline=None)
def test_the_text_layer(text: str) -> None:
    span = Span(RECT, "Helvetica", 11.0, False, True, False, False)
    layer = read_text_layer(parts([], [TextLine((1.0, 0.0), [span], [(*RECT, text)])]))
    assert all(is_storable(word.text) for word in layer.words)


class Says:
    """A recogniser that reads one text everywhere."""

    name, version, places_known = "says", "1", True

    def __init__(self, text: str) -> None:
        self._text = text

    def preload(self) -> None: ...

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        box = Box(0.1, 0.1, 0.9, 0.2)
        return [RecognisedLine((RecognisedWord(self._text, box, 0.9),), 4.0)]

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        raise NotImplementedError


@given(ANY_TEXT)
@settings(max_examples=examples(20, 200), deadline=None)
def test_recognition(text: str) -> None:
    found = recognise(Image.new("RGB", (200, 60), "white"), Says(text), SETTINGS, None)
    assert all(is_storable(word.text) for word in found.words)


@given(ANY_TEXT)
@settings(max_examples=examples(50, 500), deadline=None)
def test_readings_of_models_and_rules(text: str) -> None:
    reading = FieldReading(value=text, disagrees_with=text)
    assert is_storable(reading.value) and is_storable(reading.disagrees_with)
    record = SubmissionRecord(submission_id="s", student_name=text, essay_text=text, father_figure_name=text)
    assert all(is_storable(record.value_of(name)) for name in ("student_name", "essay_text", "father_figure_name"))
    record.model_dump_json().encode()


@given(ANY_TEXT, st.sampled_from(["student_name", "school_name", "grade", "essay_text", "email"]))
@settings(max_examples=examples(50, 500), deadline=None)
def test_what_a_person_types(text: str, name: str) -> None:
    with suppress(InvalidInputError):
        assert is_storable(clean_person_value(name, text))
