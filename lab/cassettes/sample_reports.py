"""Write what a recorded model makes of the demo's samples: `samples/reports` for the demo, `docs/samples` to read.

    .venv/bin/python -m lab.cassettes.sample_reports [NAME…]

A sample is written only if no request lacks its recorded reply. Beside each question's report, `docs/samples` has
the reading list that it gets without a model.
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.config import ROOT
from lab.cassettes.desk import Desk, open_desk
from lab.cassettes.works import CATALOG, NARRATIVE, UPLOADED
from research.document import ReportDocument
from research.exports.formats import export_document
from services.reports.request import ReportRequest
from services.supervision.recorded import Rows
from tests.support.cassettes import cassette
from tests.support.servers.cassette_player import CassettePlayer

SHOWN, READ = ROOT / "samples" / "reports", ROOT / "docs" / "samples"
_QUESTIONS: Mapping[str, ReportRequest] = {"catalog": CATALOG, "narrative": NARRATIVE}
#: What each sample is made by; an uploaded report is supervised.
_MADE: Mapping[str, Callable[[Desk], uuid.UUID]] = {
    "catalog": lambda desk: desk.report(CATALOG),
    "narrative": lambda desk: desk.report(NARRATIVE),
    "supervision": lambda desk: desk.supervised(UPLOADED),
}


class NotRecordedError(Exception):
    """A request has no recorded reply: its prompt changed."""


def main(names: Sequence[str]) -> int:
    """Write the samples of these names, else all; return 1 if one lacks a recorded reply."""
    wanted = names or list(_MADE)
    try:
        for name, desk, report_id in recorded(wanted):
            _write(SHOWN / f"{name}.json", _lines(name, desk.rows(report_id)))
            if name in _QUESTIONS:
                _write(READ / f"{name}-with-a-model.md", _markdown(desk.document(report_id)))
    except NotRecordedError as error:
        print(error, file=sys.stderr)
        return 1
    for name in (name for name in wanted if name in _QUESTIONS):
        _write(READ / f"{name}-reading-list.md", _markdown(_reading_list(name)))
    return 0


def recorded(names: Sequence[str]) -> Iterator[tuple[str, Desk, uuid.UUID]]:
    """Make samples with their cassettes, one after the other. Raises NotRecordedError."""
    with CassettePlayer(cassette(names[0])) as player, open_desk(player) as desk:
        for name in names:
            player.cassette = cassette(name)
            player.begin(one_by_one=name == "supervision")
            report_id = _MADE[name](desk)
            if player.missed:
                raise NotRecordedError(f"{name}: {len(player.missed)} requests have no recorded reply")
            yield name, desk, report_id


def _reading_list(name: str) -> ReportDocument:
    """Return what the demo answers without a model, with the bundled embedder."""
    with CassettePlayer(cassette(name)) as player, open_desk(player, embeddings_provider="local") as desk:
        return desk.document(desk.report(replace(_QUESTIONS[name], budget={"calls": 0})))


def _lines(name: str, rows: Rows) -> bytes:
    """Return rows as JSON with one row a line, so that a change can be read; the id is made of the name."""
    report_id = rows["reports"][0]["id"]
    tables = (
        f"{json.dumps(table)}: [\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in own) + "\n]"
        for table, own in rows.items()
    )
    told = "{\n" + ",\n".join(tables) + "\n}\n"
    return told.replace(report_id, str(uuid.uuid5(uuid.NAMESPACE_URL, f"sample report {name}"))).encode()


def _markdown(document: ReportDocument) -> bytes:
    return export_document(document, "markdown")


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
