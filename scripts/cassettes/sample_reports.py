"""Write docs/samples: the demo's questions answered with a played model and without one.

    .venv/bin/python -m scripts.cassettes.sample_reports

Reports with a model are written only if no request lacks its recorded reply.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from core.config import ROOT
from research.document import ReportDocument
from research.exports import export_document
from scripts.cassettes.desk import open_desk
from scripts.cassettes.works import CATALOG, NARRATIVE
from services.reports.request_report import ReportRequest
from tests.support.cassettes import cassette
from tests.support.servers.cassette_player import CassettePlayer

FOLDER = ROOT / "docs" / "samples"


def main() -> int:
    """Write every report that can be written; return 1 if one with a model could not."""
    FOLDER.mkdir(exist_ok=True)
    written = [_write(name, request) for name, request in (("catalog", CATALOG), ("narrative", NARRATIVE))]
    return 0 if all(written) else 1


def _write(name: str, request: ReportRequest) -> bool:
    with CassettePlayer(cassette(name)) as player, open_desk(player) as desk:
        document, _ = desk.report(request)
        complete = not player.missed
        if complete:
            _save(f"{name}-with-a-model.md", document)
    # By rule as the demo writes it: with the bundled embedder.
    with CassettePlayer(cassette(name)) as player, open_desk(player, embeddings_provider="local") as desk:
        document, _ = desk.report(replace(request, budget={"calls": 0}))
        _save(f"{name}-by-rule.md", document)
    return complete


def _save(name: str, document: object) -> None:
    text = export_document(ReportDocument.model_validate(document), "markdown")
    (FOLDER / name).write_bytes(text)


if __name__ == "__main__":
    sys.exit(main())
