"""Parse lines and words from Tesseract's TSV: one row per element; words have level 5.

Columns: level, page, block, paragraph, line, word, left, top, width, height (pixels), confidence (0-100), text.
"""

from __future__ import annotations

import math

import numpy as np

from core.errors import RecognitionUnavailableError
from pipeline.ocr_providers.base import RecognisedLine, RecognisedWord
from pipeline.pages.page_model import Box

_HEADER = b"level\t"
_COLUMNS = 12
_WORD = "5"
#: Minimum words to determine a line's slope: the centre of each word depends on its letters.
_ENOUGH = 3


def lines_of_tsv(tsv: bytes, width: int, height: int) -> list[RecognisedLine]:
    """Return the lines of a picture of that size (pixels). Raises RecognitionUnavailableError if it is not TSV."""
    # Rows end with a line feed; recognised text may contain other characters that `splitlines` splits at.
    rows = tsv.decode(errors="replace").split("\n")
    lines: dict[tuple[str, ...], list[RecognisedWord]] = {}
    try:
        if not tsv.startswith(_HEADER):
            raise ValueError("no header")
        for row in filter(None, rows[1:]):
            level, page, block, paragraph, line, _, *place, text = row.split("\t", _COLUMNS - 1)
            if level == _WORD and (word := _word(text, place, width, height)):
                lines.setdefault((page, block, paragraph, line), []).append(word)
    except ValueError:
        malformed = True
    else:
        malformed = False
    if malformed:
        raise RecognitionUnavailableError("tesseract: malformed answer")
    return [_line(words, width, height) for words in lines.values()]


def _word(text: str, place: list[str], width: int, height: int) -> RecognisedWord | None:
    """Return a word; None for blank text and for zero confidence, as Tesseract gives words on blank paper."""
    shown = "".join(text.split())
    left, top, across, down, confidence = map(float, place)
    if not shown or not confidence > 0:
        return None
    x0, y0 = left / width, top / height
    x1, y1 = (left + across) / width, (top + down) / height
    box = Box(*(min(max(value, 0.0), 1.0) for value in (x0, y0, x1, y1)))
    return RecognisedWord(shown, box, round(min(confidence / 100, 1.0), 4))


def _line(words: list[RecognisedWord], width: int, height: int) -> RecognisedLine:
    """Make a line. Tesseract reads left to right, so a line on its side comes as a stack of fragments."""
    boxes = [word.box for word in words]
    across = (max(box.x1 for box in boxes) - min(box.x0 for box in boxes)) * width
    down = (max(box.y1 for box in boxes) - min(box.y0 for box in boxes)) * height
    return RecognisedLine(tuple(words), round(across / max(down, 1.0), 3), _slope(boxes, width, height))


def _slope(boxes: list[Box], width: int, height: int) -> float:
    """Return the slope of the straight line through the words' centres."""
    x = np.array([(box.x0 + box.x1) / 2 * width for box in boxes])
    y = np.array([box.cy * height for box in boxes])
    if len(boxes) < _ENOUGH or np.ptp(x) == 0:
        return 0.0
    falls = float(np.polyfit(x, y, 1)[0])
    return round(min(max(math.degrees(math.atan(falls)), -45.0), 45.0), 3)
