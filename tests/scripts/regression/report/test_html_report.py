"""The page with every error on it, over real pages."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from scripts.regression.pool import digest
from scripts.regression.prediction import Prediction, Seen
from scripts.regression.report.files_report import report_files
from scripts.regression.report.html_report import write_html
from scripts.regression.report.modes_diff import ModeRun, diff_modes
from scripts.regression.scoring.score import score_files
from scripts.regression.scoring.summary import summarise
from tests.scripts.regression.made import label, prediction, reading

TRUE_BOX = (0.2, 0.1, 0.6, 0.12)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with black where the name truly stands."""
    path = tmp_path / "a<b>.pdf"
    with pymupdf.open() as document:
        sheet = document.new_page(width=600, height=800)
        sheet.draw_rect(pymupdf.Rect(120, 80, 360, 96), fill=(0, 0, 0))
        document.new_page(width=600, height=800)
        document.save(path)
    return path


def written(page: Path, found: Prediction, other_mode: Prediction | None = None, **truth: Any) -> str:
    """The HTML of a run over the one page."""
    readings = [reading(found, sha256=digest(page), file=page.name)]
    labels = {digest(page): label(**{"page_end": 2, **truth})}
    made = score_files(readings, labels)
    run = {"wall_seconds": 1.0, "summary": summarise(made), "files": report_files(readings, made)}
    report: dict[str, Any] = {"ocr_provider": "rapidocr", "modes": {"orchestrator": run}}
    if other_mode is not None:
        others = [replace(readings[0], predictions=[other_mode])]
        report["modes_diff"] = diff_modes(
            ModeRun("orchestrator", readings, made), ModeRun("direct", others, score_files(others, labels))
        )
    target = page.parent / "report.html"
    write_html(target, report, [page])
    return target.read_text(encoding="utf-8")


def pictures(html: str) -> list[Image.Image]:
    found = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', html)
    return [Image.open(BytesIO(base64.b64decode(data))) for data in found]


def two_pages(seen: dict[str, Seen] | None = None, **changes: Any) -> Prediction:
    return prediction(seen, page_end=2, **changes)


def test_an_error_shows_both_values_and_the_spot_with_both_boxes(page: Path) -> None:
    seen = {"student_name": Seen(0.71, "ocr", "zone", ((1, (0.25, 0.1, 0.6, 0.12)),))}
    html = written(
        page,
        two_pages(seen, student_name="Ana Rojas", review_reason_codes=["OCR_LOW_CONFIDENCE"]),
        boxes={"student_name": [1, list(TRUE_BOX)]},
    )
    for text in ("Ana Ruiz", "Ana Rojas", "0.71", "OCR_LOW_CONFIDENCE", "plain", "passed without review"):
        assert text in html
    (picture,) = pictures(html)
    left, top, width, height = (
        float(value) / 100
        for value in re.search(
            r'"mark true" style="left:([\d.]+)%;top:([\d.]+)%;width:([\d.]+)%;height:([\d.]+)%', html
        ).groups()  # type: ignore[union-attr]
    )
    inside = picture.convert("L").getpixel(
        (round((left + width / 2) * picture.width), round((top + height / 2) * picture.height))
    )
    beside = picture.convert("L").getpixel((round((left + width / 2) * picture.width), 3))
    assert isinstance(inside, int) and inside < 60
    assert isinstance(beside, int) and beside > 200
    assert html.count('class="mark read"') == 1


def test_a_value_read_elsewhere_has_a_picture_of_each_place(page: Path) -> None:
    seen = {"student_name": Seen(0.7, "ocr", "zone", ((2, (0.3, 0.8, 0.5, 0.82)),))}
    html = written(page, two_pages(seen, student_name="X"), boxes={"student_name": [1, list(TRUE_BOX)]})
    assert len(pictures(html)) == 2
    assert "true place, page 1" in html
    assert "read here, page 2" in html


def test_a_missed_value_shows_where_it_stands(page: Path) -> None:
    html = written(page, two_pages(student_name=None), boxes={"student_name": [1, list(TRUE_BOX)]})
    assert len(pictures(html)) == 1
    assert "true place, nothing read" in html


def test_a_wrong_split_shows_the_pages(page: Path) -> None:
    html = written(page, prediction())
    assert "Wrong splits (1)" in html
    assert len(pictures(html)) == 2
    assert "true 1, read –" in html


def test_the_page_needs_nothing_else_and_escapes_what_it_shows(page: Path) -> None:
    html = written(page, two_pages(student_name="<script>alert(1)</script>"), two_pages(grade="5"))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert not re.findall(r'(?:src|href)="(?!data:|#)', html)
    assert "url(" not in html
    assert "@media (prefers-color-scheme: dark)" in html


def test_modes_stand_side_by_side(page: Path) -> None:
    html = written(page, two_pages(), two_pages(grade="7"))
    assert "1 of 1 entries have other values" in html
    assert '<span class="value">7</span>' in html


def test_tags_are_closed_and_the_curve_is_drawn(page: Path) -> None:
    html = written(page, two_pages({"grade": Seen(0.9)}))
    assert '<polyline class="curve" points="292.0,10.0' in html
    checker = Tags()
    checker.feed(html)
    assert checker.open == []


def test_a_file_that_cannot_be_opened_has_its_errors_without_pictures(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"nothing")
    html = written(broken, two_pages(grade=None))
    assert pictures(html) == []
    assert "No place on a page is known for it." in html


def test_without_labels_there_are_no_empty_tables(page: Path) -> None:
    readings = [reading(prediction(), sha256=digest(page), file=page.name)]
    run = {"wall_seconds": 1.0, "summary": summarise([]), "files": report_files(readings, [])}
    write_html(page.parent / "r.html", {"ocr_provider": "rapidocr", "modes": {"direct": run}}, [page])
    html = (page.parent / "r.html").read_text(encoding="utf-8")
    assert "No file of this folder has a label" in html
    assert "<table" not in html


class Tags(HTMLParser):
    """Keeps what was opened and not closed."""

    _VOID = frozenset(("meta", "img", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self._VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed in itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
