"""Plan the tasks of the three rounds, discovery, filling gaps and verification, and their search queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from research.allocation import ResearcherAllocation, assign_questions, counts_of
from research.config import Language, ResearchConfig
from research.gaps.catalog_gaps import field_query
from research.memo import CatalogMemo
from research.memo.context import one_line, shortened
from research.memo.gap_messages import DIVERSE_SOURCES
from research.memo.sources import used_domains
from research.memo.types import Claim, Gap, GapState, ResearchMemo
from research.memo.worker_result import Kind, PlannedTask
from research.plan.claim_choice import is_on_money
from research.questions.catalog_fields import is_pricing, is_proof, search_words
from research.readers.protocol import Asked
from research.readers.query_tidying import distinct, tidy
from research.readers.reader import Reader
from research.text import content_stems
from research.words import phrases_of

#: Kinds of researchers, of which the first that the allocation has searches for prices, or for evidence.
_FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
_FOR_EVIDENCE: tuple[Kind, ...] = ("academic", "web", "book")
#: Most queries of one task.
_MOST_QUERIES = 3
#: Most findings that a task is told, least number of stems that they share with it, and most bytes of each.
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
    `elsewhere`, which too few publishers answer, on domains not yet used.
    """
    remaining = memo.tasks_remaining if memo else config.max_tasks_total
    if round_index == 1:
        assigned = assign_questions(questions, allocation)
        pairs = [(researcher.kind, question) for researcher in assigned for question in researcher.questions]
        return [PlannedTask(f"r1_{n}", *pair) for n, pair in enumerate(pairs[: max(remaining, 0)], start=1)]
    if memo is None or remaining <= 0:
        return []
    later = _Later(memo, allocation, config.language)
    if round_index == 2:
        return later.filling(remaining - min(config.max_claims, remaining // 3))
    most = min(remaining, config.max_claims)
    return [*later.verifying(memo.claims_to_verify[:most]), *later.elsewhere(elsewhere[:most])]


def with_queries(reader: Reader, asked: Asked, tasks: Sequence[PlannedTask]) -> list[PlannedTask]:
    """Return the tasks with their queries: the first that the plan suggests, then the reader's."""
    made = reader.queries(asked, tasks, _MOST_QUERIES)
    found = []
    for task in tasks:
        queries = (*task.queries[:1], *made[task.task_id].queries, *task.queries[1:])
        best = distinct(tidy(query, task.kind) for query in queries)
        found.append(replace(task, queries=tuple(best)[:_MOST_QUERIES]))
    return found


@dataclass(frozen=True)
class _Later:
    """The rounds that a memo is planned from."""

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
        against = phrases_of("tasks", self.language)["search_against"]
        for n, claim in enumerate(claims, start=1):
            kinds = _FOR_PRICES if is_on_money(claim.claim_text) else _FOR_EVIDENCE
            query = claim.verification_query.strip() or claim.claim_text
            told = _VERIFY.format(domain=claim.source_domain, query=self.memo.query)
            avoid = dict.fromkeys(filter(None, [claim.source_domain, *used_domains(self.memo)]))
            queries = (query, f"{query} {against}")
            tasks.append(
                PlannedTask(f"v_{n}", self._kind(kinds), claim.claim_text, queries, None, told, tuple(avoid))
            )
        return tasks

    def elsewhere(self, questions: Sequence[str]) -> list[PlannedTask]:
        """Return a task for each question, for publishers that were not read yet."""
        avoid = tuple(used_domains(self.memo))
        return [
            PlannedTask(f"o_{n}", self._kind(_FOR_PRICES), question, (), None, "", avoid)
            for n, question in enumerate(questions, start=1)
        ]

    def _kind(self, kinds: Sequence[Kind]) -> Kind:
        """Return the first kind that has a researcher."""
        return next((kind for kind in kinds if counts_of(self.allocation)[kind]), kinds[0])

    def _of_gap(self, gap: Gap) -> Iterator[PlannedTask]:
        avoid = tuple(used_domains(self.memo)) if gap.missing_topic == DIVERSE_SOURCES else ()
        for about, question, query, kinds in self._wishes(gap):
            told = self._instructions(about, gap)
            yield PlannedTask("", self._kind(kinds), question, (query,), gap.id, told, avoid)

    def _wishes(self, gap: Gap) -> Iterator[tuple[str, str, str, Sequence[Kind]]]:
        """Yield what is asked for a gap without the words of the request, the question, a query and the kinds.

        Of an item's fields there is a wish for the prices, one for proof and one for the others; for weak evidence
        one for all.
        """
        told, query = phrases_of("tasks", self.language), gap.suggested_query or self.memo.query
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
                    what = ", ".join(search_words(field, self.language) for field in own)
                    searched = query if is_weak else field_query(name, own, self.language)
                    yield f"{name} {what}", told[phrase].format(name=name, what=what), searched, kinds
        elif gap.gap_type == "missing_candidates":
            names = [one.name for one in self.memo.candidates] if isinstance(self.memo, CatalogMemo) else []
            phrase = told["candidates" if names else "first"]
            question = phrase.format(names=", ".join(names[:_MOST_NAMES]), query=self.memo.query)
            yield gap.gap_type, question, query, _FOR_PRICES
        elif gap.missing_topic == DIVERSE_SOURCES:
            yield DIVERSE_SOURCES, told["other_domains"].format(query=self.memo.query), query, _FOR_PRICES
        else:
            topic = (gap.missing_topic or gap.description).replace("_", " ")
            yield topic, told["topic"].format(topic=topic), query, _FOR_PRICES

    def _instructions(self, about: str, gap: Gap) -> str:
        """Return what is missing, where the question does not say it, and the findings that are nearest to it."""
        missing = one_line(gap.description)
        own = frozenset(content_stems(f"{about} {missing}", self.language))
        of_query = frozenset(content_stems(self.memo.query, self.language)) - own
        told = [(frozenset(content_stems(one.text, self.language)), one.text) for one in self.memo.findings]
        rated = [(len(stems & own), len(stems & of_query), text) for stems, text in told if stems & own]
        rated.sort(key=lambda one: (-one[0], -one[1]))
        near = [text for mine, of_all, text in rated if mine + of_all >= _NEAR][:_KNOWN]
        parts = [f"Missing: {shortened(missing, _LONGEST)}"] if missing else []
        parts += [f"Known: {' / '.join(shortened(one_line(text), _LONGEST) for text in near)}"] if near else []
        return " ".join(parts)
