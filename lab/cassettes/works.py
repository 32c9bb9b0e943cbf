"""The works that are recorded, by the name of their cassette."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

from core.config import ROOT
from core.llm.ledger import Model
from core.llm.providers import open_model
from lab.bench.research.catalogs.tasks import Kind, NamedFields, items_of_task, requests_with_fields, tasks
from lab.bench.research.narratives.packs import Pack, packs, report_of
from lab.cassettes.desk import open_desk, played_settings
from research.readers.model.reading import open_reader
from research.readers.protocol import Asked
from research.report_type import ReportType
from research.text.meaning import NoMeaning
from scripts.regression.read_file import read_file
from services.reports.request import ReportRequest
from tests.support.servers.cassette_player import CassettePlayer

#: A work that is done again and again until every reply is there.
Pass = Callable[[], None]
Work = Callable[[CassettePlayer], AbstractContextManager[Pass]]

CATALOG = ReportRequest(
    "What do school programmes do that bring fathers in? Identify 5 with costs and evaluations"
)
NARRATIVE = ReportRequest(
    "Why do fathers come to school less often than mothers, what part do work schedules play, and what brings "
    "them in?"
)
SPANISH = ReportRequest(
    "¿Qué efectos tienen los programas que llevan a los padres varones a la escuela, y cuánto le cuestan?"
)
_SAMPLES = ROOT / "samples"
#: The report that is supervised.
(UPLOADED,) = sorted((_SAMPLES / "reports").glob("*.md"))


def played_model(player: CassettePlayer, folder: Path) -> Model:
    """A model that is the player, through the wire of any other."""
    model = open_model(played_settings(player, folder))
    assert model is not None
    return model


@contextmanager
def _pages(kind: Kind, player: CassettePlayer) -> Iterator[Pass]:
    with tempfile.TemporaryDirectory() as folder:
        model = played_model(player, Path(folder))

        def once() -> None:
            for task in tasks(kind):
                player.begin()
                items_of_task(task, open_reader(model, NoMeaning()))

        yield once


@contextmanager
def _fields(player: CassettePlayer) -> Iterator[Pass]:
    with tempfile.TemporaryDirectory() as folder:
        model = played_model(player, Path(folder))

        def once() -> None:
            for one in requests_with_fields():
                player.begin()
                fields_read(one, model)

        yield once


def fields_read(one: NamedFields, model: Model) -> Sequence[str]:
    """Return the fields that a model reads in a request."""
    return open_reader(model, NoMeaning()).fields(Asked(one.request, ReportType.CATALOG, one.language, 2026))


@contextmanager
def _narrative(pack: Pack, player: CassettePlayer) -> Iterator[Pass]:
    with tempfile.TemporaryDirectory() as folder:
        model = played_model(player, Path(folder))

        def once() -> None:
            player.begin()
            report_of(pack, open_reader(model, NoMeaning()))

        yield once


@contextmanager
def _report(request: ReportRequest, player: CassettePlayer) -> Iterator[Pass]:
    with open_desk(player) as desk:

        def once() -> None:
            player.begin()
            desk.report(request)

        yield once


@contextmanager
def _supervision(player: CassettePlayer) -> Iterator[Pass]:
    with open_desk(player) as desk:

        def once() -> None:
            player.begin(one_by_one=True)
            desk.supervised(UPLOADED)

        yield once


@contextmanager
def _entries(player: CassettePlayer) -> Iterator[Pass]:
    with tempfile.TemporaryDirectory() as folder:
        settings = played_settings(player, Path(folder))
        files = [path for path in sorted(_SAMPLES.iterdir()) if path.suffix in (".pdf", ".jpg", ".docx")]

        def once() -> None:
            for path in files:
                player.begin()
                read_file(path, True, "rapidocr", Path(folder) / "cache", settings=settings)

        yield once


WORKS: Mapping[str, Work] = {
    "pages_seen": partial(_pages, "seen"),
    "pages_aside": partial(_pages, "aside"),
    "pages_fresh": partial(_pages, "fresh"),
    "fields": _fields,
    "catalog": partial(_report, CATALOG),
    "narrative": partial(_report, NARRATIVE),
    "spanish": partial(_report, SPANISH),
    "supervision": _supervision,
    "entries": _entries,
    **{f"narrative-{pack.pack_id}": partial(_narrative, pack) for pack in packs()},
}
