"""Play recorded works: what a standard report costs, and what the model found on pages."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.config import ROOT
from lab.bench.research.catalogs.tasks import Kind, NamedFields, Task, items_of_task, tasks
from lab.bench.research.narratives.packs import Pack, report_of
from lab.cassettes.works import WORKS, fields_read, played_model
from research.memo import CatalogCandidate
from research.readers.model.reading import open_reader
from research.readers.protocol import WrittenReport
from research.text.meaning import NoMeaning
from research.writing.checking import ReportMaterial
from tests.support.cassettes import cassette
from tests.support.servers.cassette_player import CassettePlayer

#: Where requests that no cassette has are written, for whoever records them anew.
WANTED = ROOT / "build" / "wanted"


@dataclass(frozen=True)
class Consumption:
    """What a work asked of the model."""

    calls: int
    #: Of requests and replies, estimated too high (`core.plain_data`).
    tokens: int
    #: Requests that must be recorded anew before the figures count.
    missed: int


@dataclass(frozen=True)
class PlayedPages:
    """The items that were read of each task's pages."""

    read: Sequence[tuple[Task, Sequence[CatalogCandidate]]]
    missed: int


@dataclass(frozen=True)
class PlayedNarrative:
    """The report on a pack."""

    pack: Pack
    report: tuple[ReportMaterial, WrittenReport]
    missed: int


def consumption(name: str) -> Consumption:
    """Do a work once with its cassette; `catalog`, `narrative` and `spanish` are standard reports."""
    with CassettePlayer(cassette(name), WANTED / name) as player, WORKS[name](player) as once:
        once()
        return Consumption(player.calls, player.tokens, len(player.missed))


def standard_reports() -> Mapping[str, Consumption]:
    """The consumption of each recorded report."""
    return {name: consumption(name) for name in ("catalog", "narrative", "spanish")}


def played_pages(kind: Kind) -> PlayedPages:
    """Read the pages of a kind of task with the played model."""
    name = f"pages_{kind}"
    with CassettePlayer(cassette(name), WANTED / name) as player, tempfile.TemporaryDirectory() as folder:
        model = played_model(player, Path(folder))
        read = []
        for task in tasks(kind):
            player.begin()
            read.append((task, items_of_task(task, open_reader(model, NoMeaning()))))
        return PlayedPages(read, len(player.missed))


def played_fields(every: Sequence[NamedFields]) -> tuple[list[Sequence[str]], int]:
    """Return the fields that the played model reads in requests, and how many replies are missing."""
    with CassettePlayer(cassette("fields"), WANTED / "fields") as player, tempfile.TemporaryDirectory() as folder:
        model = played_model(player, Path(folder))
        found = []
        for one in every:
            player.begin()
            found.append(fields_read(one, model))
        return found, len(player.missed)


def played_narratives(every: Sequence[Pack]) -> list[PlayedNarrative]:
    """Write the report of each pack with the played model."""
    found = []
    for pack in every:
        name = f"narrative-{pack.pack_id}"
        with CassettePlayer(cassette(name), WANTED / name) as player, tempfile.TemporaryDirectory() as folder:
            report = report_of(pack, open_reader(played_model(player, Path(folder)), NoMeaning()))
            found.append(PlayedNarrative(pack, report, len(player.missed)))
    return found
