"""Print-to-PDF: every glyph an outline; no text layer, or a partial one of stray letters."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples import freeform
from lab.samples.entry import draw_entry
from lab.samples.forms.flattened import draw_filled
from lab.samples.hand import fonts
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth


def draw_form(rng: Random, part: Part) -> Sample:
    """A filled 2026 form as outlines."""
    entry = draw_entry(rng, part, count=(90, 350))
    doc = pymupdf.open()
    truth = Truth(page_end=2, doc_class="MULTI_PAGE_SINGLE", typed=False, count_slack=0.06)
    draw_filled(rng, doc, entry, truth)
    return _outlined(rng, part, "vector_text_form_26", doc, truth)


def draw_freeform(rng: Random, part: Part) -> Sample:
    """A freeform essay as outlines."""
    doc, truth = freeform.compose(rng, part)
    truth.typed, truth.count_slack = False, 0.06
    return _outlined(rng, part, "vector_text_freeform", doc, truth)


def _outlined(rng: Random, part: Part, kind: str, doc: pymupdf.Document, truth: Truth) -> Sample:
    stray = rng.random() < 0.6
    if stray:
        truth.hazards.append("stray_letters")
        truth.damage.append("stray_pairs" if part.held_out else "stray_singles")
    result = pymupdf.open()
    for page in doc:
        letters = list(page.get_text("rawdict")["blocks"]) if stray else []
        _add_outline_page(result, page)
        if stray:
            (_add_stray_pairs if part.held_out else _add_stray_letters)(rng, result[-1], letters)
    return Sample(kind, ".pdf", to_bytes(result, rng), [truth])


def _add_outline_page(result: pymupdf.Document, page: pymupdf.Page) -> None:
    svg = page.get_svg_image(text_as_path=True)
    outlines = pymupdf.open("pdf", pymupdf.open("svg", svg.encode()).convert_to_pdf())
    target = result.new_page(width=page.rect.width, height=page.rect.height)
    target.show_pdf_page(target.rect, outlines, 0)


def _add_stray_letters(rng: Random, page: pymupdf.Page, blocks: list[dict]) -> None:  # type: ignore[type-arg]
    """Leave about one letter in ten as real text, where it stood."""
    page.insert_font(fontname="Stray", fontfile=fonts.path("sans"))
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for char in span["chars"]:
                    if char["c"].isalpha() and rng.random() < 0.1:
                        page.insert_text(char["origin"], char["c"], fontname="Stray", fontsize=span["size"])


def _add_stray_pairs(rng: Random, page: pymupdf.Page, blocks: list[dict]) -> None:  # type: ignore[type-arg]
    """Leave pairs of neighbouring letters as real text, as ligatures and kerned pairs stay behind."""
    page.insert_font(fontname="Stray", fontfile=fonts.path("sans"))
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for first, second in pairwise(span["chars"]):
                    pair = first["c"] + second["c"]
                    if pair.isalpha() and rng.random() < 0.06:
                        page.insert_text(first["origin"], pair, fontname="Stray", fontsize=span["size"])
