"""Pages with a recorded transcription: found by their picture, read the same in both styles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.bench.reading import groq_pages
from lab.bench.reading.corpora import SEED
from lab.bench.reading.groq_pages import STYLES, TRANSCRIBED, measure
from lab.samples.corpus import write_corpus
from lab.samples.part import HELD_OUT
from lab.samples.sets.model_pages import draw_model_pages


@pytest.fixture(scope="module")
def corpus(sample_fonts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    write_corpus(folder, draw_model_pages(HELD_OUT, SEED, 2), HELD_OUT)
    return folder


def test_both_styles_are_read_with_a_call_a_page(corpus: Path) -> None:
    found = {one.measure: one for one in measure(corpus)}
    assert all(one.holds for one in found.values())
    assert found["groq_page_three_right_joined"].value == found["groq_page_three_right_apart"].value == 1.0
    assert found["groq_calls_a_page"].value == 1.0


def test_a_changed_picture_is_reported(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(groq_pages, "TRANSCRIBED", tmp_path / "none.json")
    found = {one.measure: one for one in measure(corpus)}
    assert not found["groq_pages_not_transcribed"].holds


def test_the_styles_hold_the_same_words() -> None:
    for page in json.loads(TRANSCRIBED.read_text(encoding="utf-8")).values():
        joined, apart = (sorted(" ".join(style(page["blocks"])).split()) for style in STYLES.values())
        assert joined == apart
