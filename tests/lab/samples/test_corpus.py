"""The generator: every kind is drawn, alike for a seed, and its labels tell the truth."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from core.confined.mupdf import pymupdf
from lab.samples import freeform, stacks
from lab.samples.corpus import KINDS, draw_corpus, write_corpus
from lab.samples.damage.garble import spaces_to_zero_width
from lab.samples.entry import draw_entry
from lab.samples.forms import acroform, flattened, form_2026, gdocs, sheets_2023, sheets_2025
from lab.samples.part import DEVELOPMENT, PARTS, Part
from lab.samples.sample import to_bytes
from lab.samples.truth import FIELDS
from tests.support.long import some

pytestmark = pytest.mark.usefixtures("sample_fonts")

PARTWISE = pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)


@pytest.fixture(scope="module")
def corpus(sample_fonts: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A small corpus of quickly drawn kinds."""
    folder = tmp_path_factory.mktemp("corpus")
    kinds = frozenset(("acroform_26", "flattened_form_26", "gdocs_form_26", "docx_freeform"))
    write_corpus(folder, draw_corpus(10, 3, kinds))
    yield folder, json.loads((folder / "labels.json").read_text(encoding="utf-8"))


def test_labels_are_keyed_by_the_files_digests(corpus: tuple[Path, dict[str, Any]]) -> None:
    folder, labels = corpus
    for digest, label in labels.items():
        assert hashlib.sha256((folder / label["file"]).read_bytes()).hexdigest() == digest


def test_every_label_holds_the_twelve_fields(corpus: tuple[Path, dict[str, Any]]) -> None:
    for label in corpus[1].values():
        for entry in label["entries"]:
            assert set(FIELDS) <= entry.keys()
            low, high = entry["word_count_range"]
            assert low <= (entry["word_count"] or 0) <= high


@PARTWISE
def test_values_are_single_lines_of_clean_text(part: Part) -> None:
    for seed in range(40):
        entry = draw_entry(Random(seed), part)
        for value in (entry.name, entry.school_written, entry.father, entry.phone, entry.email, *entry.essay):
            assert value is None or value == " ".join(value.split())
    assert all(school.name == " ".join(school.name.split()) for school in part.schools.schools)


def test_a_seed_draws_the_same_and_another_draws_others() -> None:
    def drawn(seed: int) -> list[bytes]:
        return [sample.data for _, sample in draw_corpus(3, seed, frozenset(("freeform_native",)))]

    assert drawn(5) == drawn(5)
    assert not set(drawn(5)) & set(drawn(6))


def kinds_and_parts(of_stacks: bool) -> list[ParameterSet]:
    """Every kind that draws stacks, or every other kind, in both parts."""
    kinds = [kind for kind in KINDS if (kind.stack is not None) == of_stacks]
    pairs = some(list(product(kinds, PARTS.values())), every=8)
    return [pytest.param(kind, part, id=f"{part.name}-{kind.name}") for kind, part in pairs]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "part"), kinds_and_parts(of_stacks=False))
def test_every_kind_of_one_entry_can_be_drawn(kind: Any, part: Part) -> None:
    sample = kind.draw(Random(2), part)
    assert len(sample.truths) == 1
    assert len(sample.data) > 1000


@pytest.mark.long
@pytest.mark.parametrize(("kind", "part"), kinds_and_parts(of_stacks=True))
def test_stacks_label_every_page(kind: Any, part: Part) -> None:
    sample = kind.draw(Random(2), part, entries=2)
    pages = [page for t in sample.truths for page in range(t.page_start, (t.page_end or 0) + 1)]
    assert sorted(pages + sample.blank_pages) == list(range(1, pymupdf.open("pdf", sample.data).page_count + 1))
    assert not pymupdf.open("pdf", sample.data)[0].get_text().strip()


def test_flattened_values_stand_in_their_boxes() -> None:
    sample = flattened.draw(Random(8), DEVELOPMENT)
    page = pymupdf.open("pdf", sample.data)[0]
    truth = sample.truths[0]
    number, box = truth.boxes["student_name"]
    rect = pymupdf.Rect([v * s for v, s in zip(box, (612, 792, 612, 792), strict=True)]).irect
    assert number == 1
    assert page.get_textbox(rect).strip() == truth.values["student_name"]


def test_the_stream_order_of_a_form_is_not_the_visual_order() -> None:
    text = pymupdf.open("pdf", flattened.draw(Random(8), DEVELOPMENT).data)[0].get_text()
    assert text.index("2000 Character Maximum") < text.index("Nombre del Estudiante")


def test_garbled_labels_leave_the_widgets_alone() -> None:
    sample = acroform.draw_2026_garbled(Random(4), DEVELOPMENT)
    page = pymupdf.open("pdf", sample.data)[0]
    values = {widget.field_name: widget.field_value for widget in page.widgets()}
    assert values["Student's Name"] == sample.truths[0].values["student_name"]
    assert "Nombre del Estudiante" not in page.get_text()


def test_the_blank_form_is_an_entry_of_nulls() -> None:
    truth = acroform.draw_blank(Random(1), DEVELOPMENT).truths[0]
    assert not any(truth.values.values())
    assert truth.label(None)["expected_outcome"] == "escalated"


def test_zero_width_spaces_replace_the_spaces() -> None:
    doc, _ = freeform.compose(Random(6), DEVELOPMENT)
    before = pymupdf.open("pdf", to_bytes(doc, Random(1)))[0].get_text()
    after = pymupdf.open("pdf", spaces_to_zero_width(to_bytes(doc, Random(1))))[0].get_text()
    assert "\u200b" not in before
    assert after.count("\u200b") > 20


def test_swapped_sheets_bring_the_essay_first() -> None:
    doc = pymupdf.open()
    truth = sheets_2025.draw_pair(Random(5), DEVELOPMENT, doc, swapped=True)
    assert (truth.boxes["essay_text"][0], truth.boxes["student_name"][0]) == (1, 2)
    assert "Deadline" in doc[1].get_text()
    assert "Deadline" not in doc[0].get_text()


@PARTWISE
def test_backs_of_two_sided_scans_are_no_entries(part: Part) -> None:
    sample = stacks.draw_two_sided(Random(2), part, entries=2)
    assert sample.blank_pages == [2, 4]
    assert [(truth.page_start, truth.page_end) for truth in sample.truths] == [(1, 1), (3, 3)]


def test_what_was_corrected_by_hand_is_true() -> None:
    for seed in range(200):
        doc = pymupdf.open()
        truth = sheets_2023.draw_page(Random(seed), DEVELOPMENT, doc)
        if "value_corrected_by_hand" in truth.hazards:
            break
    printed = doc[0].get_text()
    corrected = [
        f for f in ("student_name", "father_figure_name", "phone") if (truth.values[f] or "–") not in printed
    ]
    assert len(corrected) == 1
    assert truth.handwriting_font in DEVELOPMENT.hands


def test_the_mark_of_a_lost_radio_button_is_the_label_of_whom_it_names() -> None:
    samples = [gdocs.draw_2026(Random(seed), DEVELOPMENT) for seed in range(12)]
    marked = [s for s in samples if s.truths[0].values["writing_about"]]
    assert 0 < len(marked) < len(samples)
    for sample in marked:
        truth = sample.truths[0]
        number, _ = truth.boxes["writing_about"]
        text = pymupdf.open("pdf", sample.data)[number - 1].get_text()
        assert form_2026.RADIO_LABELS[truth.values["writing_about"] or ""] in text
