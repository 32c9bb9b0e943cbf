"""The provider named on the command line is the one that reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import get_settings
from scripts.regression.read_file import read_file
from scripts.regression_check import main
from tests.support.reading.documents import essay_pdf, scanned
from tests.support.reading.recognisers import REMOTE, needs_program, serving
from tests.support.servers.groq_server import GroqServer
from tests.support.servers.vision_server import VisionServer


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "scan.pdf"
    path.write_bytes(scanned(essay_pdf()))
    return path


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setenv("GOOGLE_VISION_API_KEY", VisionServer.key)
    monkeypatch.setenv("GROQ_API_KEY", GroqServer.key)
    get_settings.cache_clear()
    yield monkeypatch
    get_settings.cache_clear()


@pytest.mark.parametrize("name", ["rapidocr", "tesseract", *REMOTE])
def test_a_scan_is_read_by_the_provider_named(name: str, scan: Path, environment: pytest.MonkeyPatch) -> None:
    needs_program(name)
    with serving(name) as server:
        if server is not None:
            environment.setenv("GOOGLE_VISION_BASE_URL" if name == "google" else "GROQ_BASE_URL", server.url)
        (entry,) = read_file(scan, False, name, None)
        assert server is None or len(server.requests) == 1
    assert (entry.student_name, entry.school_name) == ("Marisol Quintero", "Lakeview Elementary School")
    assert entry.word_count in range(60, 68)
    assert entry.needs_review


@pytest.mark.parametrize(
    ("name", "said"), [("google", "GOOGLE_VISION_API_KEY"), ("groq", "GROQ_API_KEY"), ("abacus", "OCR_PROVIDER")]
)
def test_one_that_cannot_read_stops_the_run_before_it_begins(
    name: str, said: str, scan: Path, environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("GOOGLE_VISION_API_KEY", "")
    environment.setenv("GROQ_API_KEY", "")
    out = scan.parent / "out"
    assert main(["--pdf-dir", str(scan.parent), "--output-dir", str(out), "--ocr-provider", name]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()
