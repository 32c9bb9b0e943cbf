"""Tesseract as a child process per picture, so that its memory and its crashes do not affect the worker."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from core.config import Settings, tesseract_environment
from core.errors import ConfigurationError, RecognitionRefusedError, RecognitionUnavailableError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText
from pipeline.ocr_providers.tesseract_tsv import lines_of_tsv

#: Incremented when the interpretation of Tesseract's output changes.
_REVISION = 1
#: Page segmentation modes: a page of any layout, and a single line.
_PAGE, _LINE = 3, 7
#: The first line of `--list-langs`: List of available languages in "/usr/share/…/tessdata/" (3):
_FOLDER = re.compile(r'"(.+)"')


class Tesseract:
    """The provider named "tesseract"."""

    name: ClassVar[str] = "tesseract"

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
        """See `OcrProvider.recognise`."""
        height, width = picture.shape[:2]
        return lines_of_tsv(self._run(picture, _PAGE), width, height)

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """See `OcrProvider.recognise_line`."""
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
                command,
                input=pnm,
                capture_output=True,
                timeout=self._seconds,
                env=tesseract_environment(self._threads),
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
    software = _said(program, "--version").partition("\n")[0].strip()
    listing = _said(program, "--list-langs")
    folder = _FOLDER.search(listing)
    names = languages.split("+")
    missing = sorted(set(names) - set(listing.split()))
    if folder is None or missing:
        raise ConfigurationError(f"TESSERACT_LANGUAGES: not installed: {', '.join(missing) or languages}")
    return software, "+".join(f"{name}:{_digest(Path(folder[1]) / f'{name}.traineddata')}" for name in names)


def _said(program: str, option: str) -> str:
    """Return the program's output for an option; older releases print it to stderr."""
    try:
        done = subprocess.run(
            [program, option], capture_output=True, timeout=30, env=tesseract_environment(1), check=True
        )
    except (OSError, subprocess.SubprocessError) as exc:
        raise ConfigurationError(f"TESSERACT_COMMAND: {program!r} does not answer {option}") from exc
    return (done.stdout + done.stderr).decode(errors="replace")


def _digest(model: Path) -> str:
    try:
        return hashlib.sha256(model.read_bytes()).hexdigest()[:12]
    except OSError as exc:
        raise ConfigurationError(f"TESSERACT_LANGUAGES: {model.name} cannot be read") from exc
