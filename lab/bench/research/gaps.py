"""Gaps of Round 1 in Round 2: closed where a source says what was missing, and never without evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.config import load_settings
from core.llm.embeddings import Embedder, Vectors, open_embedder
from lab.bench.measure import Measure, at_least, exactly, measured
from research.config import Language, ResearchConfig
from research.document import Reference
from research.memo import (
    DIVERSE_SOURCES,
    CatalogCandidate,
    FieldStatus,
    FieldValue,
    Finding,
    Gap,
    GapState,
    ResearchMemo,
    SourceEntry,
    WorkerResult,
)
from research.questions.catalog_fields import group_of, required_fields_of
from research.readers.protocol import SourceText
from research.report_type import ReportType
from research.rounds.memo_building import build_round_memo, cover

_LABELS = Path(__file__).parent / "data" / "gaps.json"
_CONFIG = ResearchConfig(min_total_domains=3)
_KEY = "later2025"


@dataclass(frozen=True)
class _Computed:
    """Vectors of the bundled embedder, each computed once; none where it is not installed."""

    embedder: Embedder
    known: dict[tuple[str, bool], Any] = field(default_factory=dict)

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        return self._of(questions, asked=True)

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        return self._of(texts, asked=False)

    def _of(self, texts: Sequence[str], *, asked: bool) -> Vectors | None:
        if not self.embedder.dimensions:
            return None
        new = [text for text in dict.fromkeys(texts) if (text, asked) not in self.known]
        if new:
            made = self.embedder.questions(new) if asked else self.embedder.texts(new)
            self.known.update({(text, asked): vector for text, vector in zip(new, made, strict=True)})
        return np.array([self.known[text, asked] for text in texts], dtype=np.float32)


_MEANING = _Computed(open_embedder(load_settings(_env_file=None, embeddings_provider="local")))


def measure() -> list[Measure]:
    """Every labelled gap once with a source that fills it, and in six ways without evidence."""
    labels = json.loads(_LABELS.read_text(encoding="utf-8"))
    unseen = list(_filled_topics(labels["narrative_unseen"]))
    kept_open = list(_trapped_topics(labels["narrative_unseen"]))
    closable = [*_filled_fields(labels["catalog"]), *_filled_topics(labels["narrative"]), *_filled_domains()]
    traps = [*_trapped_fields(labels["catalog"]), *_trapped_topics(labels["narrative"]), *_trapped_domains()]
    wrong = sum(gap.state == GapState.CLOSED for gap in traps)
    bare = sum(gap.state == GapState.CLOSED and not gap.evidence_ids for gap in [*closable, *traps])
    closed = sum(gap.state == GapState.CLOSED for gap in closable)
    return [
        measured(
            "gaps_closed",
            closed / len(closable),
            "share",
            at_least(0.9),
            f"{len(closable)} gaps of {len(labels['catalog'])} catalog fields and {len(labels['narrative'])} "
            "topics in two languages, each with a source of Round 2 that says what was missing",
        ),
        measured(
            "gaps_closed_without_evidence",
            wrong + bare,
            "gaps",
            exactly(0),
            f"{len(traps)} rounds without evidence: unproven values, near names, other subjects, failed tasks, "
            "unread sources, domains already used",
        ),
        measured(
            "gaps_closed_unseen",
            sum(gap.state == GapState.CLOSED for gap in unseen) / len(unseen),
            "share",
            None,
            f"{len(unseen)} gaps of topics that were written after the thresholds were set; of {len(kept_open)} "
            f"rounds without evidence {sum(gap.state == GapState.CLOSED for gap in kept_open)} closed one",
        ),
    ]


def _filled_fields(labels: list[Mapping[str, Any]]) -> Iterator[Gap]:
    for label in labels:
        memo, gap = _catalog(label)
        # The candidate under its own name again, the field under another name.
        proven = FieldValue("told", label["fills"], _KEY, verified=True)
        yield _after(memo, gap, _brought(label["later"], group_of(label["field"]), proven, gap))


def _trapped_fields(labels: list[Mapping[str, Any]]) -> Iterator[Gap]:
    for label in labels:
        memo, gap = _catalog(label)
        told = label["field"]
        proven = FieldValue("told", label["fills"], _KEY, verified=True)
        yield _after(memo, gap, _brought(label["name"], told, replace(proven, verified=False), gap))
        yield _after(memo, gap, _brought(label["name"], told, replace(proven, quote=""), gap))
        yield _after(memo, gap, _brought(f"{label['name']} Plus", told, proven, gap))
        yield _after(memo, gap, replace(_brought(label["name"], told, proven, gap), status="failed"))
        yield _after(memo, gap, _nothing_found(gap))


def _filled_topics(labels: list[Mapping[str, Any]]) -> Iterator[Gap]:
    for label in labels:
        memo, gap = _narrative(label)
        yield _after(memo, gap, _found(label["fills"], gap, label))


def _trapped_topics(labels: list[Mapping[str, Any]]) -> Iterator[Gap]:
    for label in labels:
        memo, gap = _narrative(label)
        yield _after(memo, gap, _found(label["leaves"], gap, label))
        yield _after(memo, gap, replace(_found(label["fills"], gap, label), status="failed"))
        yield _after(memo, gap, replace(_found("", gap, label), sources=[_entry("other", read=False)]))
        yield _after(memo, gap, _nothing_found(gap))


def _filled_domains() -> Iterator[Gap]:
    memo, gap = _few_domains()
    yield _after(memo, gap, WorkerResult("r2_1", "web", "", sources=[_entry("c"), _entry("d")]))


def _trapped_domains() -> Iterator[Gap]:
    memo, gap = _few_domains()
    yield _after(memo, gap, WorkerResult("r2_1", "web", "", sources=[_entry("a"), _entry("b")]))
    yield _after(memo, gap, WorkerResult("r2_1", "web", "", sources=[_entry("c", read=False)]))


def _catalog(label: Mapping[str, Any]) -> tuple[ResearchMemo, Gap]:
    """A memo of Round 1 in which all is known of the item but for the field."""
    required = required_fields_of(label["query"])
    known = {field: FieldStatus.FOUND for field in required if group_of(field) != group_of(label["field"])}
    item = CatalogCandidate(label["name"], "https://item.example", known, ["https://item.example/a"])
    result = WorkerResult("r1_1", "web", label["query"], candidates=[item])
    memo = build_round_memo(label["query"], ReportType.CATALOG, 1, [result], None, _CONFIG)
    return memo, next(gap for gap in memo.gaps if gap.candidate_name == label["name"])


def _narrative(label: Mapping[str, Any]) -> tuple[ResearchMemo, Gap]:
    memo = build_round_memo(label["query"], ReportType.NARRATIVE, 1, [], None, _CONFIG, aspects=[label["topic"]])
    return memo, next(gap for gap in memo.gaps if gap.missing_topic == label["topic"])


def _few_domains() -> tuple[ResearchMemo, Gap]:
    result = WorkerResult("r1_1", "web", "q", sources=[_entry("a"), _entry("b")])
    memo = build_round_memo("Why do owls call?", ReportType.NARRATIVE, 1, [result], None, _CONFIG)
    return memo, next(gap for gap in memo.gaps if gap.missing_topic == DIVERSE_SOURCES)


def _brought(name: str, field: str, value: FieldValue, gap: Gap) -> WorkerResult:
    return WorkerResult(
        "r2_1", "web", "", candidates=[CatalogCandidate(name, values={field: [value]})], gap_id=gap.id
    )


def _found(quote: str, gap: Gap, label: Mapping[str, Any]) -> WorkerResult:
    """A sentence as the reader of a round gives it: with the topics that it covers."""
    # Among those of other topics, as findings are: what a language adds is told by many texts.
    said = [(_KEY, quote), *_others(label)] if quote else []
    sources = {_KEY: _source(label), "en": _source(label, "en"), "es": _source(label, "es")}
    findings = [Finding(key, one, 0, len(one)) for key, one in said]
    cover(findings, [label["topic"]], sources, _MEANING, label["query"])
    return WorkerResult("r2_1", "web", "", sources=[_entry("later")], findings=findings[:1], gap_id=gap.id)


def _source(label: Mapping[str, Any], language: Language | None = None) -> SourceText:
    reference = Reference(key=_KEY, kind="web", title=label["query"], url="https://later.example/x")
    return SourceText(reference, "later.example", (), language or label["language"])


def _others(label: Mapping[str, Any]) -> list[tuple[str, str]]:
    labels = json.loads(_LABELS.read_text(encoding="utf-8"))["narrative"]
    return [(one["language"], one["leaves"]) for one in labels if one["query"] != label["query"]]


def _nothing_found(gap: Gap) -> WorkerResult:
    return WorkerResult("r2_1", "web", "", status="nothing_found", gap_id=gap.id)


def _entry(name: str, *, read: bool = True) -> SourceEntry:
    return SourceEntry(f"https://{name}.example", f"{name}.example", name, read, name)


def _after(memo: ResearchMemo, gap: Gap, result: WorkerResult) -> Gap:
    """The gap as it stands after Round 2."""
    later = build_round_memo(memo.query, memo.report_type, 2, [result], memo, _CONFIG)
    return next(one for one in later.gaps if one.id == gap.id)
