"""A blurred edge becomes steep again, and nothing moves."""

import numpy as np
from PIL import Image, ImageFilter

from pipeline.recognition.enhancement import sharpened


def test_a_blurred_stroke_is_narrow_again_where_it_was() -> None:
    clear = np.full((120, 160), 255, dtype=np.uint8)
    clear[40:80, 70:73] = 0
    blurred = Image.fromarray(clear).filter(ImageFilter.GaussianBlur(2.0))
    restored = np.asarray(sharpened(blurred).convert("L"), dtype=int)
    before = np.asarray(blurred, dtype=int)
    assert restored.shape == clear.shape
    assert restored[60, 71] < before[60, 71] - 60
    assert int(restored[60].argmin()) in (70, 71, 72)
    assert restored[10:30].min() > 200


def test_white_paper_stays_white() -> None:
    assert np.asarray(sharpened(Image.new("RGB", (90, 70), "white"))).min() > 250
