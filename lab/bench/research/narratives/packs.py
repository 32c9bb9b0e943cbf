"""Packs of a request, its sources and labels; see the README of `data/narratives`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from research.config import TIERS, Language
from research.document import Reference
from research.memo import ResearchMemo, WorkerResult
from research.readers.protocol import Asked, ReaderLog, SourceText, WrittenReport
from research.readers.reader import Reader
from research.report_type import ReportType
from research.sources.base import page_passages
from research.text.language import detect_language
from research.writing.checking import ReportMaterial
from research.writing.report import write_report

_DATA = Path(__file__).resolve().parent.parent / "data" / "narratives"
_YEAR = 2026


@dataclass(frozen=True)
class Aspect:
    """What the request asks, and whether the sources say something on it."""

    aspect_id: str
    words: str
    covered: bool


@dataclass(frozen=True)
class Figure:
    """A sentence of a source that a good report uses."""

    sentence: str
    source: str
    aspect_id: str


@dataclass(frozen=True)
class Pack:
    """A request, its sources and the labels."""

    pack_id: str
    asked: Asked
    sources: Mapping[str, SourceText]
    aspects: tuple[Aspect, ...]
    figures: tuple[Figure, ...]
    #: Others, which a report may use.
    more_figures: tuple[Figure, ...]
    irrelevant: frozenset[str]
    #: Words that only a planted order has; empty without one.
    injected: str
    #: Whether it was never read while the product was made.
    is_aside: bool


def packs() -> list[Pack]:
    """Return every pack."""
    more = json.loads((_DATA / "more_figures.json").read_text("utf-8"))
    return [_pack(told, more) for told in json.loads((_DATA / "packs.json").read_text("utf-8"))]


def report_of(pack: Pack, reader: Reader) -> tuple[ReportMaterial, WrittenReport]:
    """Plan, read the sources and write, as one round of research does."""
    config = replace(TIERS["standard"], language=pack.asked.language)
    plan = reader.plan(pack.asked, config.max_questions)
    found = reader.findings(pack.asked, plan.questions, pack.sources)
    results = tuple(
        WorkerResult(f"t{number}", "web", question, findings=list(findings))
        for number, (question, findings) in enumerate(found.items())
    )
    domains = len({source.domain for source in pack.sources.values()})
    memo = ResearchMemo(
        pack.asked.query, ReportType.NARRATIVE, 1, len(results), 0, len(pack.sources), domains, domains
    )
    material = ReportMaterial(pack.asked, plan, config, memo, results, pack.sources)
    reader.log = ReaderLog()
    return material, write_report(material, reader)


def _pack(told: Mapping[str, Any], more: list[dict[str, str]]) -> Pack:
    language: Language = "es" if told["language"] == "es" else "en"
    return Pack(
        told["id"],
        Asked(told["request"], ReportType.NARRATIVE, language, _YEAR),
        {_key(source["id"]): _source(source) for source in told["sources"]},
        tuple(Aspect(one["id"], one["aspect"], one["covered"]) for one in told["aspects"]),
        tuple(_figure(one) for one in told["figures"]),
        tuple(_figure(one) for one in more if one["source"].startswith(f"{told['id']}-")),
        frozenset(_key(source) for source in told["irrelevant"]),
        (told["injection"] or {}).get("text", ""),
        told["id"] in ("N03", "N04"),
    )


def _figure(told: Mapping[str, str]) -> Figure:
    return Figure(told["sentence"], _key(told["source"]), told["aspect"])


def _source(told: Mapping[str, Any]) -> SourceText:
    reference = Reference(
        key=_key(told["id"]),
        kind=told["kind"],
        title=told["title"],
        publisher=told["publisher"],
        year=told["year"],
    )
    passages = page_passages([(part, None) for part in told["text"].split("\n\n")])
    return SourceText(reference, told["publisher"], passages, detect_language(told["text"]))


def _key(source_id: str) -> str:
    return source_id.casefold()
