"""Export a report as JSON: the stored document, and the reference numbers of the other formats."""

from __future__ import annotations

import json

from research.document import ReportDocument
from research.exports.numbering import numbering


def to_json(document: ReportDocument) -> str:
    """Return the JSON object `{"document": …, "numbers": {key: n}}`."""
    found = {"document": document.model_dump(mode="json"), "numbers": numbering(document)}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
