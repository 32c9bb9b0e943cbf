"""Ink that is hardly darker than the paper is found, and made dark."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from pipeline.recognition.enhancement import darkened, has_faint_ink


def field(shade: float | None, *, grain: float = 3.0) -> Image.Image:
    """A field on grey paper, written on in ink of a shade (0-1) or not at all."""
    with pymupdf.open() as document:
        page = document.new_page(width=120, height=20)
        page.draw_rect(page.rect, fill=(0.97, 0.97, 0.97), color=None)
        if shade is not None:
            page.insert_text((4, 15), "Olive Radcliffe", fontsize=14, color=(shade, shade, shade))
        pixels = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width).astype(np.float32)
    noisy = grey + np.random.default_rng(5).normal(0, grain, grey.shape)
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("shade", [0.72, 0.8, 0.87])
def test_faint_ink_is_found(shade: float) -> None:
    assert has_faint_ink(field(shade))


@pytest.mark.parametrize("shade", [None, 0.1, 0.3])
def test_neither_empty_paper_nor_dark_ink_is_faint(shade: float | None) -> None:
    assert not has_faint_ink(field(shade))


def test_faint_ink_becomes_dark_and_paper_white() -> None:
    before, after = (np.asarray(p.convert("L")) for p in (field(0.85), darkened(field(0.85))))
    ink = np.asarray(field(0.85, grain=0.0)) < 225
    assert np.median(before[ink]) > 200
    assert np.median(after[ink]) < 90
    assert np.median(after[~ink]) > 240
