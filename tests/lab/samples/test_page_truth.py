"""Files whose pages show something else than their bytes say: they open, and they show their truth."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from io import BytesIO
from random import Random

import numpy as np
import pillow_heif
import pytest
from lxml import etree
from PIL import Image, ImageSequence

from core.confined.mupdf import pymupdf
from lab.samples.corpus import write_corpus
from lab.samples.page_truth import fields, ink, order, paint, parts, pictures, word
from lab.samples.page_truth.kinds import TROUBLES
from lab.samples.page_truth.sheet import FORM, LABELLED, compose
from lab.samples.page_truth.trouble import Trouble, Way
from lab.samples.part import PARTS, Part
from lab.samples.sample import Sample
from lab.samples.sets.page_truth import draw_page_truth
from tests.support.long import some

pytestmark = pytest.mark.usefixtures("sample_fonts")
#: Kinds that are drawn as pictures, which takes longer.
_PICTURES = {
    "text_under_picture",
    "spread_scanned",
    "several_pictures",
    "fax",
    "bleed_through",
    "strips",
    "stamped_scan",
}
TYPED = [trouble for trouble in TROUBLES if trouble.name not in _PICTURES]
WAYS = [
    pytest.param(part, draw, id=f"{part.name}-{trouble.name}-{way}")
    for trouble in TYPED
    for part in PARTS.values()
    for way, draw in trouble.ways(part).items()
]


def drawn(draw: Way, part: str = "development", seed: int = 3) -> Sample:
    """A file of one way."""
    return draw(Random(seed), PARTS[part])


def opened(sample: Sample) -> pymupdf.Document:
    """A drawn PDF."""
    return pymupdf.open("pdf", sample.data)


def dark(page: pymupdf.Page, box: tuple[float, float, float, float], *, annotations: bool = True) -> int:
    """How many pixels of a box of the displayed page are dark."""
    pixels = page.get_pixmap(
        dpi=144, colorspace=pymupdf.csGRAY, alpha=False, clip=pymupdf.Rect(box), annots=annotations
    )
    return int((np.frombuffer(pixels.samples, np.uint8) < 110).sum())


def looks(doc: pymupdf.Document, name: str) -> list[str]:
    """What the appearances of the fields of a name draw, decoded, page by page."""
    found = []
    for page in doc:
        for widget in page.widgets():
            if widget.field_name.endswith(name):
                stream = doc.xref_stream(int(doc.xref_get_key(widget.xref, "AP/N")[1].split()[0]))
                found.append(
                    "".join(
                        bytes.fromhex(part.decode()).decode("cp1252")
                        for part in re.findall(rb"<(\w+)> Tj", stream)
                    )
                )
    return found


@pytest.mark.long
@pytest.mark.parametrize(("part", "draw"), some(WAYS, 7))
def test_a_file_opens_is_drawn_alike_again_and_has_its_truth(part: Part, draw: Way) -> None:
    sample = draw(Random(5), part)
    assert draw(Random(5), part).data == sample.data
    assert sample.truths and len(sample.data) < 400_000
    for truth in sample.truths:
        assert truth.must_wait or truth.complete or truth.values["essay_text"]
    if sample.suffix == ".docx":
        with zipfile.ZipFile(BytesIO(sample.data)) as package:
            assert package.testzip() is None
            for name in package.namelist():
                if name.endswith((".xml", ".rels")):
                    etree.fromstring(package.read(name))
    else:
        with opened(sample) as document:
            assert document.page_count >= 1
            assert all(page.get_pixmap(dpi=20) for page in document)


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.name)
def test_each_part_has_its_own_ways(trouble: Trouble) -> None:
    development, held_out = (set(trouble.ways(part).items()) for part in PARTS.values())
    assert development and held_out - development


def test_every_way_is_in_the_corpus_and_no_person_is_of_both_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.samples.sets.page_truth.TROUBLES", TYPED[:4])
    names = []
    for part in PARTS.values():
        files = dict(draw_page_truth(part, 7, 1))
        assert {truth.hazards[-1] for sample in files.values() for truth in sample.truths} == {
            way for trouble in TYPED[:4] for way in trouble.ways(part)
        }
        assert {sample.part for sample in files.values()} == {part.name}
        names.append({truth.values["student_name"] for sample in files.values() for truth in sample.truths})
    assert not names[0] & names[1]


def test_the_label_says_what_is_fair(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    import json
    from pathlib import Path

    folder = Path(str(tmp_path))
    sample = drawn(fields.prompts(("student_name",)))
    assert write_corpus(folder, [("a.pdf", sample)]) == 1
    (label,) = json.loads((folder / "labels.json").read_text()).values()
    assert label["entries"][0]["must_wait"] and label["entries"][0]["student_name"] is None
    assert label["no_entry"]


@pytest.mark.parametrize(
    "cover", [*paint.COVERS[False].items(), *paint.COVERS[True].items()], ids=lambda one: one[0]
)
def test_what_is_covered_is_not_seen_and_what_is_written_anew_is(cover: tuple[str, paint.Cover]) -> None:
    doc = pymupdf.open()
    sheet = compose(Random(1), PARTS["held_out"], doc, FORM)
    sheet.put_all()
    box = sheet.around("student_name")
    inside = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
    assert dark(doc[0], inside) > 50
    cover[1](sheet.canvas, box)
    seen = dark(pymupdf.open("pdf", doc.tobytes())[0], inside)
    assert seen == 0 if cover[0] != "bar" else seen > 1000
    anew = drawn(paint.covered(cover[1], anew=True), "held_out")
    (name,) = anew.fair["no_entry"]
    with opened(anew) as document:
        text = document[0].get_text()
    assert name in text and anew.truths[0].values["student_name"] in text
    assert anew.truths[0].values["student_name"] != name and not anew.truths[0].must_wait


def test_a_covered_line_of_the_essay_is_not_in_its_truth() -> None:
    sample = drawn(paint.essay_line_covered(paint.rectangle))
    (truth,) = sample.truths
    with opened(sample) as document:
        assert len(" ".join(document[0].get_text().split())) > len(truth.values["essay_text"] or "")


@pytest.mark.parametrize("how", ["under", "over", "membership", "annotation", "base_off", "older_version"])
def test_what_lies_on_a_layer_that_is_off_is_not_seen(how: str) -> None:
    sample = drawn(paint.layer_off(how))
    with opened(sample) as document:
        layers = document.get_ocgs()
        assert [layer["on"] for layer in layers.values()] == [False]
        _, box = sample.truths[0].boxes["student_name"]
        place = (box[0] * 612, box[1] * 792, box[2] * 612, box[3] * 792)
        before = dark(document[0], place)
        document.xref_set_key(document.pdf_catalog(), "OCProperties/D", "<</BaseState/ON>>")
        again = pymupdf.open("pdf", document.tobytes())
        assert dark(again[0], place) > before


def test_merged_forms_show_each_childs_own_values() -> None:
    for way, values in ((fields.merged(first=True), 0), (fields.merged(first=False, deep=True), -1)):
        sample = drawn(way)
        names = [truth.values["student_name"] for truth in sample.truths]
        with opened(sample) as document:
            assert looks(document, "Student's Name") == names
            said = {
                widget.field_value
                for page in document
                for widget in page.widgets()
                if "Student" in widget.field_name
            }
        assert said == {names[values]}


def test_a_drop_down_shows_its_text_and_stores_its_code() -> None:
    sample = drawn(fields.choices("one_less"), "held_out")
    with opened(sample) as document:
        (shown,) = looks(document, "Grade")
        (stored,) = (widget.field_value for widget in document[0].widgets() if widget.field_name == "Grade")
    grade = sample.truths[0].values["grade"]
    assert shown == ("Kindergarten" if grade == "K" else f"Grade {grade}") and stored != shown


@pytest.mark.parametrize("name", ["student_name", "grade", "essay_text"])
def test_a_stale_field_draws_its_truth(name: str) -> None:
    sample = drawn(fields.filled("stale", (name,)))
    field = {"student_name": "Student's Name", "grade": "Grade", "essay_text": "Essay"}[name]
    with opened(sample) as document:
        (shown,) = looks(document, field)
        (value,) = (widget.field_value for widget in document[0].widgets() if widget.field_name == field)
    assert value != shown and sample.truths[0].must_wait
    if name == "student_name":
        assert shown == sample.truths[0].values[name]


@pytest.mark.parametrize("how", ["hidden", "hidden_same_place", "no_view", "outside", "no_size"])
def test_hidden_fields_are_not_seen(how: str) -> None:
    sample = drawn(fields.hidden(how))
    (name,) = sample.fair["no_entry"]
    with opened(sample) as document:
        assert name in {widget.field_value for widget in document[0].widgets()}
        place = (41, 21, 159, 33) if how != "hidden_same_place" else (580, 20, 600, 30)
        assert dark(document[0], place) == 0


def test_control_characters_are_in_the_value_and_not_in_the_truth() -> None:
    sample = drawn(fields.control_characters("\x07", ("school_name",)))
    school = sample.truths[0].values["school_name"] or ""
    with opened(sample) as document:
        assert looks(document, "School") == [school]
    assert b"\0\x07" in bytes.fromhex(_wide_value(sample)) and "\x07" not in school


def _wide_value(sample: Sample) -> str:
    with opened(sample) as document:
        objects = "".join(document.xref_object(xref) for xref in range(1, document.xref_length()))
    return re.findall(r"/V\s*<FEFF(\w+)>", objects, re.I)[0] if "<FEFF" in objects.upper() else "0007"


def test_attachments_hold_their_entries() -> None:
    for how, count in (("letter", 2), ("portfolio", 2), ("tree", 1), ("form", 1)):
        sample = drawn(parts.attached(how, count))
        held = [truth for truth in sample.truths if truth.page_start == 0]
        assert len(held) == count and sample.data.count(b"/EmbeddedFile") >= count
    assert b"/Collection" in drawn(parts.attached("portfolio")).data


def test_files_behind_one_another_and_a_file_that_was_updated() -> None:
    sample = drawn(parts.behind_one_another(3), "held_out")
    assert sample.data.count(b"%PDF-") == 3 and len(sample.truths) == 3
    updated = drawn(parts.updated)
    with opened(updated) as document:
        text = document[0].get_text()
    (old,) = updated.fair["no_entry"]
    assert updated.truths[0].values["student_name"] in text and old not in text
    assert updated.data.count(b"%%EOF") == 2


@pytest.mark.parametrize("paper", ["letter", "a3", "tall", "four"])
def test_a_spread_has_all_its_entries_on_one_page(paper: str) -> None:
    sample = drawn(parts.spread(paper, LABELLED))
    with opened(sample) as document:
        (page,) = document
        assert all((truth.values["student_name"] or "?") in page.get_text() for truth in sample.truths)
    assert len(sample.truths) == (4 if paper == "four" else 2)


def test_backs_bear_no_name_and_follow_all_fronts() -> None:
    sample = drawn(parts.fronts_then_backs(reverse=True, empty_back=True))
    with opened(sample) as document:
        pages = [page.get_text() for page in document]
    assert len(pages) == 6 and not pages[4].strip()
    for number, truth in enumerate(sample.truths):
        assert (truth.values["student_name"] or "?") in pages[number]
        words = (truth.values["essay_text"] or "").split()
        assert words[-1] in (pages[5 - number] or pages[number])


def test_a_class_list_and_separators_belong_to_nobody() -> None:
    sample = drawn(parts.among_other_sheets(class_list=True, in_a_row=2))
    with opened(sample) as document:
        assert [truth.page_start for truth in sample.truths] == [3, 6] and document.page_count == 7


@pytest.mark.parametrize(
    "way",
    [
        order.columns(2, by_line=True),
        order.columns(3, by_line=False),
        order.drop_cap(3),
        order.drop_cap(2, last=True),
    ],
)
def test_words_of_the_essay_are_all_drawn(way: Way) -> None:
    sample = drawn(way)
    with opened(sample) as document:
        letters = sorted("".join(document[0].get_text().split()))
    essay = "".join((sample.truths[0].values["essay_text"] or "").split())
    assert not [letter for letter in set(essay) if letters.count(letter) < essay.count(letter)]


@pytest.mark.parametrize("way", [ink.header_by_pen(annotation=True), ink.header_by_pen(annotation=False)])
def test_pen_is_seen_and_is_no_text(way: Way) -> None:
    sample = drawn(way)
    with opened(sample) as document:
        assert dark(document[0], (203, 104, 330, 126)) > 40
        assert (sample.truths[0].values["student_name"] or "?") not in document[0].get_text()


@pytest.mark.parametrize(
    ("suffix", "frames"), [(".heic", 2), (".tif", 2), (".gif", 2), (".webp", 2), (".avif", 2)]
)
def test_a_file_of_pictures_holds_each(suffix: str, frames: int) -> None:
    pillow_heif.register_heif_opener()
    sample = drawn(pictures.several(suffix, frames))
    with Image.open(BytesIO(sample.data)) as picture:
        sizes = [frame.size for frame in ImageSequence.Iterator(picture)]
    assert len(sizes) == frames == len(sample.truths) and sizes[0][0] > 1000


def test_a_fax_has_fewer_lines_to_the_inch_and_a_thumbnail_is_marked() -> None:
    with Image.open(BytesIO(drawn(pictures.fax((204, 98), "group4", 1)).data)) as picture:
        assert picture.mode == "1" and picture.info["dpi"] == (204, 98)
        assert picture.width > picture.height
    with Image.open(BytesIO(drawn(pictures.with_thumbnail).data)) as picture:
        picture.seek(1)
        assert picture.tag_v2[254] == 1 and picture.width < 300


def _word_parts(sample: Sample) -> Mapping[str, str]:
    with zipfile.ZipFile(BytesIO(sample.data)) as package:
        return {name: package.read(name).decode() for name in package.namelist()}


def test_word_files_have_their_values_where_they_are_drawn() -> None:
    online = _word_parts(drawn(word.main_part("word/document2.xml")))
    assert "word/document2.xml" in online and "word/document.xml" not in online
    struck = drawn(word.struck_out("tracked"))
    (old,) = struck.fair["no_entry"]
    assert f'<w:delText xml:space="preserve">{old}' in _word_parts(struck)["word/document.xml"]
    footer = drawn(word.in_margin("footer", strict=True))
    assert (footer.truths[0].values["student_name"] or "?") in _word_parts(footer)["word/footer1.xml"]
    empty = drawn(word.content_controls(("grade",)))
    assert empty.truths[0].values["grade"] is None and empty.truths[0].must_wait
    chunk = drawn(word.brought_in("html"))
    assert "<html>" in _word_parts(chunk)["word/c1.html"]
