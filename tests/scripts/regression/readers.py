"""Stand-ins for the reading; spawned processes import them by name."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from scripts.regression.prediction import Prediction, Seen
from scripts.regression.reader import Changes
from scripts.regression.school_list import SchoolList


def read_json(
    path: Path,
    use_orchestrator: bool,
    provider: str,
    cache: Path | None,
    schools: SchoolList | None,
    changes: Changes,
) -> list[Prediction]:
    """The file itself says what is read from it, fails, or kills its process."""
    content = json.loads(path.read_text(encoding="utf-8"))
    if content == "fail":
        raise ValueError("not a document")
    if content == "die":
        os._exit(9)
    return [_prediction(entry, use_orchestrator) for entry in content]


def _prediction(entry: dict[str, Any], use_orchestrator: bool) -> Prediction:
    seen = {name: Seen(confidence) for name, confidence in entry.pop("confidences", {}).items()}
    for name, value in entry.pop("only_with_orchestrator", {}).items():
        entry[name] = value if use_orchestrator else None
    return Prediction(**entry, outcome="completed" if use_orchestrator else "escalated", seen=seen)
