"""Entries as JSON Lines (https://jsonlines.org): one object a line, values as they are stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from services.exports.exported import ExportedSubmission


def write_json_lines(path: Path, columns: Sequence[str], entries: Iterable[ExportedSubmission]) -> None:
    """Write one object an entry; a value that is not known is null."""
    with path.open("w", encoding="utf-8") as file:
        for entry in entries:
            line = {column: entry.values.get(column) for column in columns}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
