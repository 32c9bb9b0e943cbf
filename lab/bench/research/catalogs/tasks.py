"""Requests for catalogs with the pages of each, and what the pages prove; see the README of `data/pages`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from research.config import TIERS, Language
from research.document import Reference
from research.memo import CatalogCandidate, CatalogMemo, WorkerResult
from research.questions.catalog_fields import field_key
from research.readers.protocol import Asked, Plan, SourceText
from research.readers.reader import Reader, read_items
from research.report_type import ReportType, target_items
from research.sources.base import page_passages
from research.writing.checking import ReportMaterial

#: Prompts and search were developed with the "seen"; "aside" and "fresh" were only measured.
Kind = Literal["seen", "aside", "fresh"]
_DATA = Path(__file__).resolve().parent.parent / "data" / "pages"


@dataclass(frozen=True)
class Item:
    """A thing that the pages describe."""

    names: tuple[str, ...]
    #: By field, the values that are right; more than one where the pages disagree.
    values: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Task:
    """A request, its pages and the labels."""

    task_id: str
    asked: Asked
    sources: Mapping[str, SourceText]
    items: tuple[Item, ...]
    #: Names that must not become items.
    decoys: tuple[str, ...]
    #: The decoys that only a planted instruction names.
    injected: tuple[str, ...]


@dataclass(frozen=True)
class NamedFields:
    """A request with the fields that it names, in its order."""

    request: str
    language: Language
    fields: tuple[str, ...]
    #: Whether nobody looked at it while the product was made.
    aside: bool


def requests_with_fields() -> list[NamedFields]:
    """Return the requests that were written for their fields alone, on one line each, as a report has them."""
    rows = json.loads((_DATA.parent / "requests_with_fields.json").read_text("utf-8"))
    return [
        NamedFields(" ".join(row["request"].split()), row["language"], tuple(row["fields"]), row["aside"])
        for row in rows
    ]


def tasks(kind: Kind) -> list[Task]:
    """Return the tasks of a kind."""
    return [
        _task(told)
        for path in sorted(_DATA.glob(f"{kind}_*.json"))
        for told in json.loads(path.read_text("utf-8"))
    ]


def items_of_task(task: Task, reader: Reader) -> list[CatalogCandidate]:
    """Return the items as a report reads them."""
    return read_items(reader, task.asked, task.sources)


def material_of(task: Task, read: Sequence[CatalogCandidate]) -> ReportMaterial:
    """Return what a report on a task is written from, after one round that read these items."""
    asked, domains = task.asked, len({source.domain for source in task.sources.values()})
    config = replace(TIERS["standard"], language=asked.language, catalog_fields=asked.fields)
    memo = CatalogMemo(
        asked.query,
        ReportType.CATALOG,
        1,
        1,
        0,
        len(task.sources),
        domains,
        domains,
        target_items=asked.count or len(read),
        candidates=list(read),
        required_fields=["name", *asked.fields],
    )
    results = (WorkerResult("t1", "web", asked.query),)
    return ReportMaterial(asked, Plan((asked.query,), (), ""), config, memo, results, task.sources)


def _task(told: Mapping[str, Any]) -> Task:
    language: Language = "es" if told["language"] == "es" else "en"
    asked = Asked(
        query=told["request"],
        report_type=ReportType.CATALOG,
        language=language,
        year=2025,
        fields=tuple(map(field_key, told["wanted_fields"])),
        count=target_items(told["request"]) or 5,
    )
    planted = (told.get("injection") or {}).get("text", "")
    besides = "\n".join(page["text"] for page in told["pages"]).replace(planted, " ")
    return Task(
        told["id"],
        asked,
        {_key(page): _source(page, told["language"]) for page in told["pages"]},
        tuple(_item(item, told["conflicts"]) for item in told["items"]),
        tuple(told["decoys"]),
        tuple(name for name in told["decoys"] if name in planted and name not in besides),
    )


def _key(page: Mapping[str, Any]) -> str:
    return str(page["id"]).casefold()


def _source(page: Mapping[str, Any], language: str) -> SourceText:
    reference = Reference(
        key=_key(page),
        kind="academic" if page["kind"] == "academic" else "web",
        title=page["title"],
        publisher=page["publisher"],
        year=page["year"],
        url=page["url"],
    )
    domain = page["url"].split("/")[2]
    passages = page_passages([(part, None) for part in page["text"].split("\n\n")])
    return SourceText(reference, domain, passages, page.get("language", language))


def _item(told: Mapping[str, Any], conflicts: Sequence[Mapping[str, Any]]) -> Item:
    values = {field_key(name): (value["value"],) for name, value in told["fields"].items()}
    for conflict in conflicts:
        if conflict["item"] == told["name"]:
            key = field_key(conflict["field"])
            values[key] = (*values.get(key, ()), *(value["value"] for value in conflict["values"]))
    return Item((told["name"], *told["aliases"]), values)
