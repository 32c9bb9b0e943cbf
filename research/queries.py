"""Tasks of the three rounds with their search queries: discovery, filling gaps, verification of claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from core.llm.ledger import Model
from research.allocation import KINDS, ResearcherAllocation, assign_questions, researcher_counts
from research.candidates import is_proven
from research.citations.claims import quantities_in
from research.citations.references import registrable_domain
from research.config import Language, ResearchConfig
from research.gap_detection import field_query
from research.memo import (
    DIVERSE_SOURCES,
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldValue,
    Finding,
    Gap,
    GapState,
    Kind,
    PlannedTask,
    ResearchMemo,
    SourceEntry,
    WorkerResult,
    cut_to_bytes,
    entry_domain,
    printable_line,
    used_domains,
)
from research.questions.catalog_fields import is_pricing, is_proof, search_words
from research.questions.wording import common_field_label
from research.readers.findings import clean_quote, is_statement
from research.readers.model.reading import open_reader
from research.readers.protocol import Asked, GeneratedQueries, clean_query, distinct
from research.readers.reader import Reader
from research.report_type import ReportType
from research.text.language import content_stems, detect_language, groups_of, phrases_for, split_sentences
from research.text.meaning import Meaning, NoMeaning, Text, order_by_nearness

__all__ = ["GeneratedQueries", "create_generate_queries"]


def create_generate_queries(kind: str) -> Callable[..., GeneratedQueries]:
    """Return a stateless function that makes queries for one kind of provider.

    Its signature is `generate(question, *, language="en", brief="", model=None, year, limit=3)`; a round asks
    `Reader.queries` for all of its tasks at once instead.

    Raises ValueError for an unknown kind.
    """
    known = next((name for name in KINDS if name == kind), None)
    if known is None:
        raise ValueError(f"There are queries for {', '.join(KINDS)}; not for {kind!r}.")

    def generate(
        question: str,
        *,
        year: int,
        language: Language = "en",
        brief: str = "",
        model: Model | None = None,
        limit: int = 3,
    ) -> GeneratedQueries:
        if language not in get_args(Language):
            raise ValueError(f"Queries are written in {', '.join(get_args(Language))}; not in {language!r}.")
        asked = Asked(question, ReportType.NARRATIVE, language, year)
        task = PlannedTask(known, known, question, instructions=brief)
        return open_reader(model, NoMeaning()).queries(asked, [task], limit)[known]

    return generate


# Plan the tasks of the three rounds, discovery, filling gaps and verification, and their search queries.


#: Kinds of researchers in order of preference for prices, and for evidence.
_FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
_FOR_EVIDENCE: tuple[Kind, ...] = ("academic", "web", "book")
#: Most queries of one task.
_MOST_QUERIES = 3
#: Findings in a task's instructions: most of them, least number of stems shared with it, most bytes of each.
_KNOWN, _NEAR, _LONGEST = 3, 2, 200
_MOST_NAMES = 6
_VERIFY = (
    "Verify this claim of {domain} by independent sources; those that contradict it count as much as those that "
    "confirm it. It belongs to the question: {query}"
)


def plan_round(
    round_index: int,
    memo: ResearchMemo | None,
    allocation: ResearcherAllocation,
    config: ResearchConfig,
    questions: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
) -> list[PlannedTask]:
    """Return the tasks of a round, at most as many as remain; empty if there is nothing to do.

    Round 1, discovery: the questions, assigned to researchers. Round 2, filling gaps: a task for each question of
    each open gap, most urgent first. Round 3, verification: a task per claim, and one for each question of
    `elsewhere`, for which too few publishers were found, on domains not yet used.
    """
    remaining = memo.tasks_remaining if memo else config.max_tasks_total
    if round_index == 1:
        assigned = assign_questions(questions, allocation)
        pairs = [(researcher.kind, question) for researcher in assigned for question in researcher.questions]
        return [PlannedTask(f"r1_{n}", *pair) for n, pair in enumerate(pairs[: max(remaining, 0)], start=1)]
    if memo is None or remaining <= 0:
        return []
    later = _LaterRound(memo, allocation, config.language)
    if round_index == 2:
        return later.filling(remaining - min(config.max_claims, remaining // 3))
    most = min(remaining, config.max_claims)
    return [*later.verifying(memo.claims_to_verify[:most]), *later.elsewhere(elsewhere[:most])]


def with_queries(reader: Reader, asked: Asked, tasks: Sequence[PlannedTask]) -> list[PlannedTask]:
    """Return the tasks with their queries: the first one of the plan, then the reader's."""
    made = reader.queries(asked, tasks, _MOST_QUERIES)
    found = []
    for task in tasks:
        queries = (*task.queries[:1], *made[task.task_id].queries, *task.queries[1:])
        best = distinct(clean_query(query, task.kind) for query in queries)
        found.append(replace(task, queries=tuple(best)[:_MOST_QUERIES]))
    return found


@dataclass(frozen=True)
class _LaterRound:
    """A later round, planned from the memo."""

    memo: ResearchMemo
    allocation: ResearcherAllocation
    language: Language

    def filling(self, limit: int) -> list[PlannedTask]:
        """Return at most `limit` tasks, a search for more candidates always among them if there is such a gap."""
        waiting = [gap for gap in self.memo.gaps if gap.state == GapState.OPEN]
        tasks = [task for gap in sorted(waiting, key=lambda gap: gap.priority) for task in self._of_gap(gap)]
        chosen = tasks[: max(limit, 0)]
        more = {gap.id for gap in waiting if gap.gap_type == "missing_candidates"}
        if chosen and (left_out := [task for task in tasks[len(chosen) :] if task.gap_id in more]):
            chosen[-1] = left_out[0]
        return [replace(task, task_id=f"r2_{n}") for n, task in enumerate(chosen, start=1)]

    def verifying(self, claims: Sequence[Claim]) -> list[PlannedTask]:
        """Return a task for each claim."""
        tasks = []
        against = phrases_for("tasks", self.language)["search_against"]
        for n, claim in enumerate(claims, start=1):
            kinds = _FOR_PRICES if is_on_money(claim.claim_text) else _FOR_EVIDENCE
            query = claim.verification_query.strip() or claim.claim_text
            notes = _VERIFY.format(domain=claim.source_domain, query=self.memo.query)
            avoid = dict.fromkeys(filter(None, [claim.source_domain, *used_domains(self.memo)]))
            queries = (query, f"{query} {against}")
            tasks.append(
                PlannedTask(f"v_{n}", self._kind(kinds), claim.claim_text, queries, None, notes, tuple(avoid))
            )
        return tasks

    def elsewhere(self, questions: Sequence[str]) -> list[PlannedTask]:
        """Return a task for each question that avoids the publishers already read."""
        avoid = tuple(used_domains(self.memo))
        return [
            PlannedTask(f"o_{n}", self._kind(_FOR_PRICES), question, (), None, "", avoid)
            for n, question in enumerate(questions, start=1)
        ]

    def _kind(self, kinds: Sequence[Kind]) -> Kind:
        """Return the first kind that has a researcher."""
        return next((kind for kind in kinds if researcher_counts(self.allocation)[kind]), kinds[0])

    def _of_gap(self, gap: Gap) -> Iterator[PlannedTask]:
        avoid = tuple(used_domains(self.memo)) if gap.missing_topic == DIVERSE_SOURCES else ()
        for about, question, query, kinds in self._wishes(gap):
            notes = self._instructions(about, gap)
            yield PlannedTask("", self._kind(kinds), question, (query,), gap.id, notes, avoid)

    def _wishes(self, gap: Gap) -> Iterator[tuple[str, str, str, Sequence[Kind]]]:
        """Yield for each task of a gap its subject, question, query and kinds of researchers.

        An item's fields are divided into prices, proof and others; weak evidence needs one task for all.
        """
        phrases, query = phrases_for("tasks", self.language), gap.suggested_query or self.memo.query
        if (name := gap.candidate_name) and (fields := gap.missing_fields):
            prices = [field for field in fields if is_pricing(field)]
            proof = [field for field in fields if is_proof(field)]
            others = [field for field in fields if field not in prices and field not in proof]
            is_weak = gap.gap_type == "weak_evidence"
            parts = [("weak", fields, _FOR_PRICES if prices else _FOR_EVIDENCE)]
            if not is_weak:
                parts = [("price", prices, _FOR_PRICES), ("proof", proof, _FOR_EVIDENCE)]
                parts.append(("fields", others, _FOR_PRICES))
            for phrase, own, kinds in parts:
                if own:
                    about = " ".join([name, *(search_words(field, self.language) for field in own)])
                    what = ", ".join(common_field_label(field, self.language).lower() for field in own)
                    searched = query if is_weak else field_query(name, own, self.language)
                    yield about, phrases[phrase].format(name=name, what=what), searched, kinds
        elif gap.gap_type == "missing_candidates":
            names = [one.name for one in self.memo.candidates] if isinstance(self.memo, CatalogMemo) else []
            phrase = phrases["candidates" if names else "first"]
            question = phrase.format(names=", ".join(names[:_MOST_NAMES]), query=self.memo.query)
            yield gap.gap_type, question, query, _FOR_PRICES
        elif gap.missing_topic == DIVERSE_SOURCES:
            yield DIVERSE_SOURCES, phrases["other_domains"].format(query=self.memo.query), query, _FOR_PRICES
        else:
            topic = (gap.missing_topic or gap.description).replace("_", " ")
            yield topic, phrases["topic"].format(topic=topic), query, _FOR_PRICES

    def _instructions(self, about: str, gap: Gap) -> str:
        """Return what is missing, unless the question says it, and the findings nearest to it."""
        missing = printable_line(gap.description)
        own = frozenset(content_stems(f"{about} {missing}", self.language))
        of_query = frozenset(content_stems(self.memo.query, self.language)) - own
        findings = [(frozenset(content_stems(one.text, self.language)), one.text) for one in self.memo.findings]
        rated = [(len(stems & own), len(stems & of_query), text) for stems, text in findings if stems & own]
        rated.sort(key=lambda one: (-one[0], -one[1]))
        near = [text for mine, of_all, text in rated if mine + of_all >= _NEAR][:_KNOWN]
        parts = [f"Missing: {cut_to_bytes(missing, _LONGEST)}"] if missing else []
        parts += (
            [f"Known: {' / '.join(cut_to_bytes(printable_line(text), _LONGEST) for text in near)}"] if near else []
        )
        return " ".join(parts)


# Choose weighty and relevant claims for Round 3 to verify, each from another domain.


#: Most characters of a claim.
MAX_CLAIM_CHARS = 400
_MAX_QUERY_WORDS = 10
#: Least share of the stems of a claim that another one on the same matter has.
_SAME_STEMS = 0.5
#: How many of the statements nearest to the question are weighed.
_NEAREST = 12
_WORD = re.compile(r"[^\W\d_]+")
_MONEY_SIGN = re.compile(r"[$€£¥₹]\s?\d|\d\s?[$€£]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def choose_claims(
    query: str,
    results: Sequence[WorkerResult],
    candidates: Sequence[CatalogCandidate],
    limit: int,
    meaning: Meaning,
) -> list[Claim]:
    """Return at most `limit` claims, weightiest first, one per domain; none without weight.

    They come from proven prices and proofs of candidates; without candidates, from the findings nearest to the
    question that name their subject.
    """
    by_key = {source.key: source for result in results for source in result.sources}
    findings = [finding for result in results for finding in result.findings]
    found = [claim for finding in findings for claim in _of_finding(finding, by_key)]
    texts = [Text(claim.claim_text, detect_language(claim.claim_text)) for claim in found]
    nearest = [found[place] for place in order_by_nearness(query, texts, meaning)[:_NEAREST]]
    offered = [claim for candidate in candidates for claim in _of_candidate(candidate, by_key)] or nearest
    chosen: dict[str, Claim] = {}
    evidence = [_ClaimText.of(claim) for claim in found]
    for claim in sorted(offered, key=lambda claim: -weight(claim.claim_text)):
        if weight(claim.claim_text):
            chosen.setdefault(claim.source_domain, replace(claim, confidence=_confidence(claim, evidence)))
    return [replace(claim, claim_id=f"c_{n}") for n, claim in enumerate([*chosen.values()][:limit], start=1)]


@dataclass(frozen=True)
class _ClaimText:
    """The properties by which claims are compared."""

    domain: str
    stems: frozenset[str]
    figures: frozenset[object]

    @classmethod
    def of(cls, claim: Claim) -> _ClaimText:
        text = claim.claim_text
        stems = frozenset(content_stems(text, detect_language(text)))
        return cls(claim.source_domain, stems, frozenset(one.values for one in quantities_in(text)))


def _confidence(claim: Claim, evidence: Sequence[_ClaimText]) -> str:
    """Return "high" if another publisher agrees with a figure of the claim, "low" if only with other figures."""
    own = _ClaimText.of(claim)
    same = [
        one
        for one in evidence
        if one.domain != own.domain and len(one.stems & own.stems) >= _SAME_STEMS * len(own.stems) and one.figures
    ]
    if not same or not own.figures:
        return "medium"
    return "high" if any(one.figures & own.figures for one in same) else "low"


def weight(text: str) -> int:
    """Score a claim: money and percentages most, then causes, superlatives, numbers; 0 for none."""
    words = _words(text)
    _, causes, superlatives, _ = groups_of("weighty")
    numbers = quantities_in(text)
    score = 3 * is_on_money(text) + 3 * any(number.percent for number in numbers)
    score += 2 * bool(words & causes) + 2 * bool(words & superlatives)
    return score + any(not _YEAR.fullmatch(number.text) for number in numbers)


def is_on_money(text: str) -> bool:
    """Return whether a text names an amount of money or says that something is free."""
    return bool(_MONEY_SIGN.search(text) or _words(text) & groups_of("weighty")[0])


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _of_candidate(candidate: CatalogCandidate, by_key: Mapping[str, SourceEntry]) -> Iterator[Claim]:
    """Yield a claim for the first proven price, proof and other value of a candidate."""
    kinds: dict[str, FieldValue] = {}
    for field, values in candidate.values.items():
        suffix = (
            "search_price" if is_pricing(field) else "search_independent" if is_proof(field) else "search_evidence"
        )
        for value in filter(is_proven, values):
            kinds.setdefault(suffix, value)
    for suffix, value in kinds.items():
        source = by_key.get(value.source_key)
        text = " ".join(value.quote.split())
        named = text if candidate.name.casefold() in text.casefold() else f"{candidate.name}: {text}"
        query = f"{candidate.name} {phrases_for('tasks', detect_language(named))[suffix]}"
        url = value.url or (source.url if source else "")
        domain = entry_domain(source) if source else registrable_domain(url)
        yield Claim(named[:MAX_CLAIM_CHARS].strip(), url, "medium", query, domain)


def _of_finding(finding: Finding, by_key: Mapping[str, SourceEntry]) -> Iterator[Claim]:
    """Yield a claim for each statement of a finding that names its subject; a finding may have several."""
    source = by_key.get(finding.source_key)
    if source is None:
        return
    for start, end in split_sentences(finding.quote, detect_language(finding.quote)):
        text = " ".join(finding.quote[start:end].split())
        first = _WORD.search(text)
        lacks_subject = first is None or first[0].casefold() in groups_of("weighty")[3]
        if not lacks_subject and len(text) <= MAX_CLAIM_CHARS and is_statement(clean_quote(text)):
            yield Claim(text, source.url, "medium", _query(text), entry_domain(source))


def _query(text: str) -> str:
    language = detect_language(text)
    words = [word.strip(".,;:!?()\"'“”«»¿¡") for word in text.split()]
    telling = [word for word in words if content_stems(word, language)][:_MAX_QUERY_WORDS]
    suffix = phrases_for("tasks", language)["search_price" if is_on_money(text) else "search_evidence"]
    return " ".join([*telling, suffix])
