"""Tesseract as a program: what it is started with, and what its failures become."""

import stat
import threading
from pathlib import Path

import pytest

from core.errors import ConfigurationError, RecognitionError
from pipeline.ocr_providers.tesseract import Tesseract
from tests.support.reading.recognisers import blank, line_pixels, needs_program, settings_for

_LISTING = """
case "$1" in
--version) echo "tesseract 9.9.9" ; exit 0 ;;
--list-langs) echo 'List of available languages in "{folder}/" (2):' ; echo eng ; echo spa ; exit 0 ;;
esac
"""


def program(folder: Path, body: str) -> Tesseract:
    """A program that answers about itself as Tesseract does, and on a picture does `body`."""
    for name in ("eng", "spa"):
        (folder / f"{name}.traineddata").write_text(name)
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\n{_LISTING.format(folder=folder)}\ncat > /dev/null\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Tesseract(settings_for(tesseract_command=str(path), ocr_timeout_seconds=20, ocr_threads=3))


@pytest.mark.parametrize(
    ("body", "retryable"),
    [
        ("echo Marisol Quintero >&2; exit 1", False),
        ("kill -9 $$", True),
        ("echo Marisol Quintero", True),
        ("printf 'level\\tpage_num\\n5\\t1\\tMarisol\\n'", True),
        ("printf 'level\\n5\\t1\\t1\\t1\\t1\\t1\\tx\\t0\\t9\\t9\\t96\\tMarisol\\n'", True),
        ("", True),
    ],
    ids=["refuses", "killed", "prose", "cut", "no number", "nothing"],
)
def test_a_failure_is_an_error_and_no_content(tmp_path: Path, body: str, retryable: bool) -> None:
    provider = program(tmp_path, body)
    for method in (provider.recognise, provider.recognise_line):
        with pytest.raises(RecognitionError) as caught:
            method(blank(20, 20))
        assert caught.value.retryable is retryable
        assert "Marisol" not in f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"


def test_it_is_ended_when_its_time_is_up(tmp_path: Path) -> None:
    program(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    settings = settings_for(tesseract_command=str(tmp_path / "tesseract"), ocr_timeout_seconds=2)
    with pytest.raises(RecognitionError, match=r"not done after 2(\.0)? s") as caught:
        Tesseract(settings).recognise(blank(20, 20))
    assert caught.value.retryable
    number = (tmp_path / "pid").read_text().strip()
    assert not Path(f"/proc/{number}").exists()


def test_it_gets_threads_and_languages_and_none_of_our_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk_secret")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    told = tmp_path / "told"
    program(tmp_path, f'echo "$@" > {told}; env >> {told}; echo "level\tpage_num"').recognise(blank(20, 20))
    lines = told.read_text().splitlines()
    assert lines[0] == "stdin stdout -l eng+spa --psm 3 tsv"
    assert {"OMP_THREAD_LIMIT=3", f"TESSDATA_PREFIX={tmp_path}"} <= set(lines)
    assert "gsk_secret" not in told.read_text()


def test_a_missing_program_is_named_by_its_variable() -> None:
    with pytest.raises(ConfigurationError, match="TESSERACT_COMMAND"):
        Tesseract(settings_for(tesseract_command="no-such-program"))


def test_a_program_that_is_no_tesseract_is_named_by_its_variable() -> None:
    with pytest.raises(ConfigurationError, match="TESSERACT_COMMAND"):
        Tesseract(settings_for(tesseract_command="false")).preload()


def test_a_missing_language_is_named(tmp_path: Path) -> None:
    program(tmp_path, "")
    settings = settings_for(tesseract_command=str(tmp_path / "tesseract"), tesseract_languages="eng+qqq")
    with pytest.raises(ConfigurationError, match=r"TESSERACT_LANGUAGES.*qqq"):
        Tesseract(settings).preload()


@pytest.mark.parametrize("languages", ["--user-words x", "eng spa", "eng+", ""])
def test_languages_are_no_options(languages: str) -> None:
    with pytest.raises(ConfigurationError, match="TESSERACT_LANGUAGES"):
        settings_for(tesseract_languages=languages)


def test_another_model_of_the_same_name_is_another_version(tmp_path: Path) -> None:
    versions = set()
    for number, content in enumerate(("fast", "best")):
        folder = tmp_path / str(number)
        folder.mkdir()
        provider = program(folder, "")
        (folder / "spa.traineddata").write_text(content)
        versions.add(provider.version)
    assert len(versions) == 2
    assert all("tesseract 9.9.9;eng:" in version and "psm=3/7" in version for version in versions)


def test_two_threads_read_at_once() -> None:
    needs_program("tesseract")
    provider = Tesseract(settings_for())
    texts: list[str] = []
    threads = [
        threading.Thread(target=lambda: texts.append(provider.recognise_line(line_pixels(150)).text)) for _ in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["Marisol Quintero"] * 2
