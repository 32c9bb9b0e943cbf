"""The files in samples/ and their labels belong together."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture(scope="module")
def labels() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
    return content


def test_every_file_has_its_label_and_no_label_lacks_its_file(labels: dict[str, Any]) -> None:
    files = [path for path in SAMPLES.iterdir() if path.suffix in (".pdf", ".jpg", ".docx")]
    assert {hashlib.sha256(path.read_bytes()).hexdigest(): path.name for path in files} == {
        digest: label["file"] for digest, label in labels.items()
    }


def test_the_set_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < 3_000_000


def test_every_outcome_is_expected_somewhere(labels: dict[str, Any]) -> None:
    expected = {entry["expected_outcome"] for label in labels.values() for entry in label["entries"]}
    assert expected == {"completed", "suggested", "escalated"}


def test_nobody_can_be_called_or_written_to(labels: dict[str, Any]) -> None:
    for label in labels.values():
        for entry in label["entries"]:
            phone, email = entry["phone"], entry["email"]
            assert phone is None or re.search(r"55501\d\d$", re.sub(r"\D", "", phone))
            assert email is None or email.endswith("example.org") or "cut_email" in entry["hazards"]


def test_the_school_list_has_aliases() -> None:
    with (SAMPLES / "schools.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 80
    assert all(row["name"] and row["aliases"] and row["city"] and row["district"] for row in rows)
