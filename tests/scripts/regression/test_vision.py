"""Recorded replies in place of a model: the picture decides, and one that has changed is missed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelError
from core.llm.ledger import Picture
from pipeline.second_reader.question import reply_schema
from scripts.regression.vision import RecordedVision, key_of
from scripts.regression_check import main

FIELDS = ("student_name", "grade")
QUESTION = json.dumps({"fields": {name: {"label": name} for name in FIELDS}})


def test_a_picture_has_its_reply_and_a_changed_one_none(tmp_path: Path) -> None:
    said = {"student_name": "Ana Ruiz", "grade": "4"}
    file = tmp_path / "replies.json"
    file.write_text(json.dumps({key_of(b"header", FIELDS): {"file": "a.pdf", "said": said}}))
    vision, schema = RecordedVision(file), reply_schema(FIELDS)
    reply, _ = vision.ask("", QUESTION, schema, purpose="second_reader", picture=Picture(b"header", "image/jpeg"))
    assert reply.model_dump() == said
    with pytest.raises(ModelError, match="no reply was recorded"):
        vision.ask("", QUESTION, schema, purpose="second_reader", picture=Picture(b"another", "image/jpeg"))


@pytest.mark.parametrize("wanted", ["provider", "no-such-file.json"])
def test_a_second_reader_that_is_not_there_is_said(
    wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "entry.pdf").write_bytes(b"%PDF-1.7")
    options = ["--pdf-dir", str(tmp_path), "--output-dir", str(tmp_path / "out"), "--vision", wanted]
    assert main(options) == 2
    assert f"--vision {wanted}" in capsys.readouterr().err
