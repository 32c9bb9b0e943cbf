"""Tesseract as a child process per picture, so that its memory and its crashes do not affect the worker."""

from __future__ import annotations

import hashlib
import math
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.config import Settings, inherited
from core.errors import ConfigurationError, RecognitionRefusedError, RecognitionUnavailableError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box

#: Incremented when the interpretation of Tesseract's output changes.
_REVISION = 1
#: Page segmentation modes: a page of any layout, and a single line.
_PAGE, _LINE = 3, 7
#: The first line of `--list-langs`: List of available languages in "/usr/share/…/tessdata/" (3):
_FOLDER = re.compile(r'"(.+)"')


class Tesseract:
    name: ClassVar[str] = "tesseract"
    places_known: ClassVar[bool] = True

    def __init__(self, settings: Settings) -> None:
        """Raise ConfigurationError if the program is not installed."""
        program = shutil.which(settings.tesseract_command)
        if program is None:
            raise ConfigurationError(f"TESSERACT_COMMAND: there is no program {settings.tesseract_command!r}")
        self._program = program
        self._languages = settings.tesseract_languages
        self._threads = settings.ocr_threads
        self._seconds = settings.ocr_timeout_seconds

    @property
    def version(self) -> str:
        """See `OcrProvider.version`. Raises ConfigurationError where a language is not installed."""
        software, models = _installed(self._program, self._languages)
        return f"{_REVISION};{software};{models};psm={_PAGE}/{_LINE}"

    def preload(self) -> None:
        """Check program and languages now instead of at the first page; nothing stays loaded."""
        _installed(self._program, self._languages)

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        height, width = picture.shape[:2]
        return lines_of_tsv(self._run(picture, _PAGE), width, height)

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        height, width = picture.shape[:2]
        lines = lines_of_tsv(self._run(picture, _LINE), width, height)
        return RecognisedText.of(word for line in lines for word in line.words)

    def _run(self, picture: Pixels, mode: int) -> bytes:
        height, width = picture.shape[:2]
        # PNM: a header line followed by raw pixels, without compression.
        pnm = b"P6\n%d %d\n255\n" % (width, height) + picture.tobytes()
        command = [self._program, "stdin", "stdout", "-l", self._languages, "--psm", str(mode), "tsv"]
        try:
            done = subprocess.run(
                command, input=pnm, capture_output=True, timeout=self._seconds, env=environment_of(self._threads)
            )
        except OSError as exc:
            raise RecognitionUnavailableError(f"tesseract: {exc.strerror}") from exc
        except subprocess.TimeoutExpired:
            done = None
        # Raised outside the handler and without the program's output, which may quote the page.
        if done is None:
            raise RecognitionUnavailableError(f"tesseract: not done after {self._seconds:g} s")
        if done.returncode < 0:
            raise RecognitionUnavailableError(f"tesseract: ended by signal {-done.returncode}")
        if done.returncode:
            raise RecognitionRefusedError(f"tesseract: ended with {done.returncode}")
        return done.stdout


@lru_cache(maxsize=8)
def _installed(program: str, languages: str) -> tuple[str, str]:
    """Return the program's version and each language with its model's hash: "fast" and "best" share a name."""
    software = _output_of(program, "--version").partition("\n")[0].strip()
    listing = _output_of(program, "--list-langs")
    folder = _FOLDER.search(listing)
    names = languages.split("+")
    missing = sorted(set(names) - set(listing.split()))
    if folder is None or missing:
        raise ConfigurationError(f"TESSERACT_LANGUAGES: not installed: {', '.join(missing) or languages}")
    return software, "+".join(f"{name}:{_digest(Path(folder[1]) / f'{name}.traineddata')}" for name in names)


def environment_of(threads: int) -> dict[str, str]:
    """Return the program's environment: paths of libraries and languages, number of threads; no secrets."""
    paths = inherited("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TESSDATA_PREFIX")
    return paths | {"OMP_THREAD_LIMIT": str(threads), "LC_ALL": "C"}


def _output_of(program: str, option: str) -> str:
    """Return the program's output for an option; older releases print it to stderr."""
    try:
        done = subprocess.run(
            [program, option], capture_output=True, timeout=30, env=environment_of(1), check=True
        )
    except (OSError, subprocess.SubprocessError) as exc:
        raise ConfigurationError(f"TESSERACT_COMMAND: {program!r} does not answer {option}") from exc
    return (done.stdout + done.stderr).decode(errors="replace")


def _digest(model: Path) -> str:
    try:
        return hashlib.sha256(model.read_bytes()).hexdigest()[:12]
    except OSError as exc:
        raise ConfigurationError(f"TESSERACT_LANGUAGES: {model.name} cannot be read") from exc


# Parse lines and words from Tesseract's TSV: one row per element; words have level 5.
#
# Columns: level, page, block, paragraph, line, word, left, top, width, height (pixels), confidence (0-100), text.


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
