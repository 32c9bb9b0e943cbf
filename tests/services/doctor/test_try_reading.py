"""The sample is read by the real recogniser; what cannot read it is told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from core.config import Settings
from core.messages import say
from services.doctor import checks as module
from services.doctor.checks import try_reading


def test_the_recogniser_reads_the_sample(settings: Settings) -> None:
    found = try_reading(settings)
    assert found.finding.severity == "fine" and found.finding.seconds
    assert "Juniper Hill Elementary" in found.text


def test_a_program_that_is_not_there(settings: Settings) -> None:
    missing = settings.model_copy(update={"ocr_provider": "tesseract", "tesseract_command": "no-such-program"})
    found = try_reading(missing)
    assert found.finding.severity == "wrong" and "Check OCR_PROVIDER" in say(found.finding.message)


def test_hardly_anything_read(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (300, 100), "white").save(tmp_path / "blank.png")
    monkeypatch.setattr(module, "SAMPLE", tmp_path / "blank.png")
    assert try_reading(settings).finding.message.code == "doctor_reading_poor"
