"""The memo that a round passes to the next (sources, gaps, claims, candidates); tasks and their results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from core.messages import LabelledEnum, Message, MessageCode, declare_labels, say
from core.plain_data import BYTES_PER_TOKEN
from research.citations.references import registrable_domain
from research.questions.wording import common_field_label
from research.report_type import ReportType


class FieldStatus(LabelledEnum):
    """How well a catalog field of a candidate is known."""

    MISSING = "missing", "missing"
    #: A value without a verified quotation.
    PARTIAL = "partial", "without a verified quotation"
    FOUND = "found", "found"


class GapState(LabelledEnum):
    """The state of a gap."""

    OPEN = "open", "Still open"
    CLOSED = "closed", "Closed"
    #: Searched for in the available rounds without success.
    UNFILLABLE = "unfillable", "Looked for, not found"


@dataclass
class SourceEntry:
    """The summary of a source."""

    url: str
    #: Registrable domain of a web source; publisher, else collection, of a library document.
    domain: str
    title: str
    #: Whether its text was read.
    has_evidence: bool
    #: Kind of findings: "pricing", "case_study" (with other figures), "overview" (without), "other" (none).
    relevance: str = "other"
    #: Its citation key; empty where it has none yet.
    key: str = ""


@dataclass
class Gap:
    """Something still to be found out."""

    #: "missing_field", "weak_evidence", "missing_topic" or "missing_candidates".
    gap_type: str
    #: In the words of a model or the memo's author; "" for a gap found by rule, see `gap_message`.
    description: str
    #: 1 high, 2 medium, 3 low.
    priority: int
    candidate_name: str | None = None
    missing_fields: list[str] | None = None
    missing_topic: str | None = None
    suggested_query: str | None = None
    #: The same for the same gap in every round.
    id: str = ""
    state: GapState = GapState.OPEN
    #: Ids of the evidence that closed it; never empty for a closed gap.
    evidence_ids: list[str] = field(default_factory=list)
    opened_round: int = 1
    closed_round: int | None = None
    #: Present and required number of candidates or domains.
    have: int | None = None
    wanted: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a closed gap without evidence."""
        if self.state == GapState.CLOSED and not self.evidence_ids:
            raise ValueError(f"A gap is closed by evidence alone: {self.id or self.gap_type}")


@dataclass
class Claim:
    """A claim that Round 3 should verify."""

    claim_text: str
    source_url: str
    #: "high" if other publishers say it with the same figures, "low" if with others, else "medium".
    confidence: str
    verification_query: str
    #: Registrable domain of its source; only a source from another one can confirm it.
    source_domain: str = ""
    claim_id: str = ""


@dataclass
class FieldValue:
    """A value of a candidate's field, with its quotation and source."""

    value: str
    #: Verbatim from the source; empty if there is none.
    quote: str = ""
    source_key: str = ""
    url: str = ""
    verified: bool = False
    #: Whether it completes or limits the values before it, instead of being independent of them.
    adds: bool = False


@dataclass
class CatalogCandidate:
    """One item that a catalog may list."""

    name: str
    provider_url: str | None = None
    fields: dict[str, FieldStatus] = field(default_factory=dict)
    evidence_urls: list[str] = field(default_factory=list)
    #: Values by field, best first.
    values: dict[str, list[FieldValue]] = field(default_factory=dict)


@dataclass
class KnownFinding:
    """A finding in the memo."""

    question: str
    text: str
    #: Title of its source.
    title: str
    source_key: str


@dataclass
class ResearchMemo:
    """The summary that a round passes to the next."""

    query: str
    report_type: ReportType
    round_index: int
    tasks_completed: int
    tasks_remaining: int
    unique_citations: int
    unique_domains: int
    pages_extracted: int
    themes_covered: list[str] = field(default_factory=list)
    sources_summary: list[SourceEntry] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    claims_to_verify: list[Claim] = field(default_factory=list)
    tasks_failed: int = 0
    #: The best findings of all rounds, by question.
    findings: list[KnownFinding] = field(default_factory=list)
    #: Aspects of the plan and other topics that no finding covers so far.
    not_found: list[str] = field(default_factory=list)
    #: Number of readers' quotations that are in no source.
    unproven: int = 0
    #: Items that readers left out, each with the reason.
    left_out: list[tuple[str, str]] = field(default_factory=list)
    #: Parts of the rounds without a usable reply of the model.
    unread: list[str] = field(default_factory=list)


@dataclass
class CatalogMemo(ResearchMemo):
    """The memo of a catalog, with its candidates and their fields."""

    target_items: int = 5
    candidates: list[CatalogCandidate] = field(default_factory=list)
    required_fields: list[str] = field(default_factory=list)


_CATALOG: TypeAdapter[ResearchMemo] = TypeAdapter(CatalogMemo)
_NARRATIVE, _GAP = TypeAdapter(ResearchMemo), TypeAdapter(Gap)


def memo_to_json(memo: ResearchMemo) -> dict[str, Any]:
    """Return the memo in JSON types, without loss; a catalog's memo is recognised by its `candidates`."""
    data: dict[str, Any] = to_jsonable_python(memo)
    return data


def memo_from_json(data: Mapping[str, Any]) -> ResearchMemo:
    """Restore a memo written by `memo_to_json`. Raises pydantic.ValidationError for invalid data."""
    return (_CATALOG if "candidates" in data else _NARRATIVE).validate_python(dict(data))


def gap_from_json(data: Mapping[str, Any]) -> Gap:
    """Restore a gap of a stored memo. Raises pydantic.ValidationError for invalid data."""
    return _GAP.validate_python(dict(data))


# Describe a gap as a message: its type gives the code, its fields give the parameters.


#: The topic of the gap for too few publishers.
DIVERSE_SOURCES = "diverse_sources"
declare_labels(("catalog_fields",), common_field_label)


class GapCode(MessageCode):
    """Messages on what is still to be found out."""

    FIELDS_MISSING = "gap_fields_missing", "%(candidate)s: %(catalog_fields)s"
    FIELDS_WEAK = "gap_fields_weak", "%(candidate)s, limited evidence: %(catalog_fields)s"
    CANDIDATES_MISSING = "gap_candidates_missing", "Candidates: %(have)s found, %(wanted)s needed"
    PUBLISHERS_MISSING = ("gap_publishers_missing", "Independent publishers: %(have)s found, %(wanted)s needed")
    TOPIC_MISSING = "gap_topic_missing", "Nothing yet on: %(topic)s"


def gap_message(gap: Gap) -> Message | None:
    """Return the gap as a message; None if only its description states it."""
    if gap.candidate_name and gap.missing_fields:
        code = GapCode.FIELDS_WEAK if gap.gap_type == "weak_evidence" else GapCode.FIELDS_MISSING
        return Message.of(code, candidate=gap.candidate_name, catalog_fields=list(gap.missing_fields))
    if gap.have is not None and gap.wanted is not None:
        few = gap.missing_topic == DIVERSE_SOURCES
        code = GapCode.PUBLISHERS_MISSING if few else GapCode.CANDIDATES_MISSING
        return Message.of(code, have=gap.have, wanted=gap.wanted)
    if gap.missing_topic and gap.missing_topic != DIVERSE_SOURCES:
        return Message.of(GapCode.TOPIC_MISSING, topic=gap.missing_topic.replace("_", " "))
    return None


def gap_in_english(gap: Gap) -> str:
    """Return the gap in English for a model: its description, else the message made from its fields."""
    message = gap_message(gap)
    return gap.description or (say(message) if message else gap.gap_type)


# Render a memo as text for a planner, within a limit of tokens, and texts on one line within a limit of bytes.
#
# Gaps and claims come first and are shortened rather than omitted: from 400 tokens on, the five most urgent gaps
# and all claims keep their id and beginning. Of the other parts as many lines are shown as fit.


#: Bytes reserved for each line still to come, and most bytes of one line.
_ROOM_OF_A_LINE, _LONGEST = 150, 700
#: Most gaps, claims, and lines of another part.
_GAPS, _CLAIMS, _OTHERS = 10, 3, 50
#: Takes three bytes in UTF-8.
_ELLIPSIS = "…"
#: Control and format characters, separators and white space.
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def memo_to_planner_context(memo: ResearchMemo, max_tokens: int = 2000) -> str:
    """Return the memo as text of at most `max_tokens` tokens (bytes of UTF-8 / 3, rounded up).

    Raises ValueError if `max_tokens` is not positive.
    """
    if max_tokens < 1:
        raise ValueError(f"A planner needs some tokens of memo, not {max_tokens}.")
    bound = max_tokens * BYTES_PER_TOKEN
    waiting = sorted((gap for gap in memo.gaps if gap.state == GapState.OPEN), key=lambda gap: gap.priority)
    gaps = (
        f"- [{gap.priority}] {gap.id} {gap_in_english(gap)}"
        + (f" | search: {gap.suggested_query}" if gap.suggested_query else "")
        for gap in waiting
    )
    claims = (
        f"- {one.claim_id}: {one.claim_text} | from: {one.source_domain or one.source_url} | "
        f"search: {one.verification_query}"
        for one in memo.claims_to_verify
    )
    shown = _fitted(
        [
            *_lines(_head(memo)),
            *_part("## Gaps to fill, most urgent first", "gaps", _lines(gaps), _GAPS),
            *_part("## Claims to verify on other domains", "claims", _lines(claims), _CLAIMS),
        ],
        bound,
    )
    for title, noun, texts in (
        ("## Candidates", "candidates", _candidates(memo)),
        ("## Domains already used", "domains", (f"- {source.domain}" for source in memo.sources_summary)),
        ("## What is known", "lines", _known(memo)),
    ):
        lines = _lines(texts)
        parts = (_part(title, noun, lines, most) for most in range(min(len(lines), _OTHERS), 0, -1))
        shown += next((part for part in parts if size("\n".join([*shown, *part])) <= bound), [])
    return "\n".join(shown)


def printable_line(text: str) -> str:
    """Return the text on one line, without control characters and lone surrogates."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return _BLANK.sub(" ", readable).strip()


def size(text: str) -> int:
    """Return the length in bytes of UTF-8."""
    return len(text.encode("utf-8"))


def cut_to_bytes(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis to at most `limit` bytes; "" if not even the ellipsis fits."""
    if size(text) <= limit:
        return text
    if limit < size(_ELLIPSIS):
        return ""
    kept = text.encode("utf-8")[: limit - size(_ELLIPSIS)].decode("utf-8", "ignore")
    return kept.rstrip() + _ELLIPSIS


def _lines(texts: Iterable[str]) -> list[str]:
    """Return each text once, on one line, cut to the limit."""
    return list(dict.fromkeys(cut_to_bytes(printable_line(text), _LONGEST) for text in texts))


def _part(title: str, noun: str, lines: Sequence[str], most: int) -> list[str]:
    """Return the title, at most so many lines, and the number of those left out; nothing without lines."""
    left_out = [f"… {len(lines) - most} more {noun} left out"] if len(lines) > most else []
    return [title, *lines[:most], *left_out] if lines else []


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines in order, each shortened so that later ones fit; those without room are dropped."""
    kept: list[str] = []
    for after, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
        limit = max(room - after * _ROOM_OF_A_LINE, room // (after + 1)) - 1
        if cut := cut_to_bytes(line, limit):
            kept.append(cut)
            room -= size(cut) + 1
    return kept


def _head(memo: ResearchMemo) -> Iterator[str]:
    yield (
        f"## Memo of round {memo.round_index} ({memo.report_type}): tasks {memo.tasks_completed} done, "
        f"{memo.tasks_failed} failed, {memo.tasks_remaining} left; read {memo.unique_citations} sources of "
        f"{memo.unique_domains} domains"
    )
    covered, not_found = "; ".join(memo.themes_covered), "; ".join(memo.not_found)
    parts = (("Query", memo.query), ("Covered", covered), ("Not found", not_found))
    yield from (f"{name}: {text}" for name, text in parts if text)


def _candidates(memo: ResearchMemo) -> Iterator[str]:
    for candidate in memo.candidates if isinstance(memo, CatalogMemo) else ():
        unknown = [f"{how} {field}" for field, how in candidate.fields.items() if how != FieldStatus.FOUND]
        yield f"- {candidate.name}: {', '.join(unknown) or 'complete'}"


def _known(memo: ResearchMemo) -> Iterator[str]:
    for question in dict.fromkeys(finding.question for finding in memo.findings):
        yield f"On: {question}"
        yield from (f"- {one.text} ({one.title})" for one in memo.findings if one.question == question)


# A researcher's task and its result: plain data, stored as JSON in `report_tasks`.


Kind = Literal["web", "academic", "book"]


@dataclass(frozen=True)
class PlannedTask:
    """One question for one researcher."""

    #: "r1_1", "r2_3", "v_1"; deterministic for the same plan.
    task_id: str
    kind: Kind
    question: str
    #: Search queries, best first; only the plan's suggestions until a reader has added its own.
    queries: tuple[str, ...] = ()
    #: The gap that it should close.
    gap_id: str | None = None
    #: What is known and what is missing, for a model that generates the queries.
    instructions: str = ""
    #: Domains to avoid, because they were already used.
    avoid_domains: tuple[str, ...] = ()


@dataclass
class Finding:
    """A passage of a source that answers the question."""

    source_key: str
    #: Verbatim: `source text[start_char:end_char]`.
    quote: str
    start_char: int
    end_char: int
    page_no: int | None = None
    #: Aspects of the plan and missing topics that it covers.
    topics: list[str] = field(default_factory=list)
    #: How well it answers the question; comparable within one list.
    score: float = 0.0


@dataclass
class WorkerResult:
    """The result of a task, also of a failed one."""

    task_id: str
    kind: Kind
    question: str
    queries: list[str] = field(default_factory=list)
    #: "nothing_found" is a valid result; "failed" has an error code and no content.
    status: Literal["done", "nothing_found", "failed"] = "done"
    error_code: str | None = None
    #: Every source that was read or failed (`has_evidence` false).
    sources: list[SourceEntry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    candidates: list[CatalogCandidate] = field(default_factory=list)
    #: The gap that the task should close.
    gap_id: str | None = None


def useful(results: Iterable[WorkerResult]) -> list[WorkerResult]:
    """Return the results that did not fail."""
    return [result for result in results if result.status != "failed"]


# The sources of a memo: which of them it names, and the domains that a report used over all rounds.


MAX_SOURCES = 20
MAX_PER_DOMAIN = 3


def summarised_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return each source once, at most `MAX_SOURCES`: read ones first, one of each domain first."""
    kept: dict[str, SourceEntry] = {}
    for source in sources:
        place = source.key or source.url or source.title
        if place not in kept or (source.has_evidence and not kept[place].has_evidence):
            kept[place] = source
    seen: Counter[str] = Counter()
    ranked = []
    for source in sorted(kept.values(), key=lambda source: not source.has_evidence):
        seen[entry_domain(source)] += 1
        ranked.append((not source.has_evidence, seen[entry_domain(source)], source))
    ranked.sort(key=lambda item: item[:2])
    return [source for _, nth, source in ranked if nth <= MAX_PER_DOMAIN][:MAX_SOURCES]


def entry_domain(source: SourceEntry) -> str:
    """Return a source's domain for comparison: the registrable domain of a host, or a publisher's name."""
    domain = source.domain.strip().casefold()
    if domain and ("." not in domain or " " in domain):
        return domain
    return registrable_domain(domain or source.url)


def used_domains(memo: ResearchMemo | None) -> list[str]:
    """Return the distinct domains of a memo's read sources."""
    read = [source for source in memo.sources_summary if source.has_evidence] if memo else []
    return list(dict.fromkeys(filter(None, map(entry_domain, read))))


def new_domains(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> dict[str, list[str]]:
    """Return the domains that this round read first, each with the ids of its sources."""
    before = used_domains(memo)
    found: dict[str, list[str]] = {}
    for source in (source for result in results for source in result.sources if source.has_evidence):
        if (domain := entry_domain(source)) and domain not in before:
            found.setdefault(domain, []).append(source.key or source.url)
    return found


def domains_after(results: Iterable[WorkerResult], memo: ResearchMemo | None) -> int:
    """Return the number of domains read, earlier rounds included; the memo may list only some of them."""
    return (memo.unique_domains if memo else 0) + len(new_domains(results, memo))
