"""JSON: the document as it is stored, and the numbers that the other formats show."""

from __future__ import annotations

import json

from research.document import ReportDocument
from research.exports.numbering import numbering


def to_json(document: ReportDocument) -> str:
    """`{"document": …, "numbers": {key: n}}`."""
    found = {"document": document.model_dump(mode="json"), "numbers": numbering(document)}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
