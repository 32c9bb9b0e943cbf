"""Ask a model for the plan of a report, for search queries, and for what the findings of a round do not say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from research.gaps.gap_closing import gap_id
from research.memo import Gap
from research.memo.worker_result import Finding, PlannedTask
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply, UnusableError, or_passages
from research.readers.model.passages import plain
from research.readers.model.planning_prompts import (
    ALLOCATION_GUIDELINES,
    FIELDS_SYSTEM,
    GAPS_SYSTEM,
    PLAN_SYSTEM,
    QUERIES_OF_KIND,
    QUERIES_SYSTEM,
    REQUEST_IS_DATA,
)
from research.readers.model.reading_prompts import DATA
from research.readers.protocol import Asked, GeneratedQueries, Plan
from research.readers.query_tidying import distinct, tidy
from research.text import content_stems, detect_language

#: Most characters of a question, an aspect, a field and the reasoning.
_QUESTION, _ASPECT, _FIELD, _REASONING = 400, 60, 80, 800
_MOST_ASPECTS = 6
#: Most researchers of a kind.
_MOST_RESEARCHERS = 3
_MOST_GAPS = 5
#: Most findings of a question, and most characters of each, of a topic and of another text of a gap.
_FINDINGS, _FINDING, _TOPIC, _TEXT = 8, 400, 80, 300

#: Most words of a query, and most characters of a task's notes.
_MOST_WORDS, _NOTES = 16, 600
#: Words that an engine takes as operators, and words that speak to a reader instead of naming a subject.
_NOT_SUBJECT = re.compile(
    r"\b(?:site|inurl|intitle|filetype):|\b(?:OR|AND|NOT)\b"
    r"|\b(?:word for word|instructions?|ignore|search for|find sources|as told)\b|https?://",
)


class PlanReply(Reply):
    """A plan as a model gives it; the numbers of researchers may be too large together."""

    questions: list[str] = Field(min_length=1)
    aspects: list[str] = Field(default_factory=list)
    reasoning: str = ""
    web_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    academic_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    book_researchers: int = Field(default=0, ge=0, le=_MOST_RESEARCHERS)
    allocation_reasoning: str = ""


class GapGiven(Reply):
    """A gap as a model gives it."""

    topic: str = Field(min_length=1)
    description: str = Field(min_length=1)
    priority: int = Field(ge=1, le=3)
    search_query: str = ""


class GapsGiven(Reply):
    """The gaps, most important first."""

    gaps: list[GapGiven] = Field(default_factory=list)


class QueriesGiven(Reply):
    """The queries of the task with an id."""

    id: str
    queries: list[str] = Field(default_factory=list)


class QueriesReply(Reply):
    """The queries of the tasks, in any order."""

    tasks: list[QueriesGiven] = Field(default_factory=list)


class FieldsReply(Reply):
    """What a request wants to know of each item."""

    fields: list[str] = Field(default_factory=list)


class Planning(Asking):
    """Reads the request, plans, writes queries, and says what is missing."""

    @or_passages
    def fields(self, asked: Asked) -> Sequence[str]:
        """See `Reader.fields`."""
        system = f"{FIELDS_SYSTEM}\n\n{REQUEST_IS_DATA}"
        return _lines(self.ask("fields", system, f"Request: {asked.query}", FieldsReply).fields, _FIELD)

    @or_passages
    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """See `Reader.plan`."""
        guidelines = "\n".join(
            f"- {what}: {', '.join(map(str, counts))}" for what, counts in ALLOCATION_GUIDELINES
        )
        system = PLAN_SYSTEM.format(
            guidelines=guidelines, most=most_questions, language=LANGUAGE_NAMES[asked.language]
        )
        reply = self.ask("plan", f"{system}\n\n{REQUEST_IS_DATA}", _request(asked), PlanReply)
        questions = _lines(reply.questions, _QUESTION)[:most_questions]
        if not questions:
            raise self.unusable("plan", "no_question")
        counts = (reply.web_researchers, reply.academic_researchers, reply.book_researchers)
        return Plan(
            questions,
            _lines(reply.aspects, _ASPECT)[:_MOST_ASPECTS],
            _line(reply.reasoning, _REASONING),
            counts if any(counts) else None,
            _line(reply.allocation_reasoning, _REASONING),
        )

    def queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> Mapping[str, GeneratedQueries]:
        """See `Reader.queries`; from the words of each task of which no query passes the checks."""
        found = self._queries(asked, tasks, most) if tasks else {}
        return {**super().queries(asked, tasks, most), **found}

    def _queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> dict[str, GeneratedQueries]:
        by_id = {f"t{number}": task for number, task in enumerate(tasks, start=1)}
        kinds = [line for kind, line in QUERIES_OF_KIND.items() if any(task.kind == kind for task in tasks)]
        system = QUERIES_SYSTEM.format(
            most=most,
            kinds="\n".join(kinds),
            year=asked.year,
            language=LANGUAGE_NAMES[asked.language],
            other=LANGUAGE_NAMES["es" if asked.language == "en" else "en"],
        )
        told = "\n".join(_told(short, task) for short, task in by_id.items())
        user = f"Request: {asked.query}\n\nTasks:\n{told}"
        try:
            reply = self.ask("queries", f"{system}\n\n{REQUEST_IS_DATA}", user, QueriesReply)
        except UnusableError:
            return {}
        fitting = {
            by_id[given.id].task_id: _fitting(given.queries, by_id[given.id], asked)[:most]
            for given in reply.tasks
            if given.id in by_id
        }
        return {task_id: GeneratedQueries(queries) for task_id, queries in fitting.items() if queries}

    @or_passages
    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """See `Reader.gaps`; each is a missing topic."""
        told = "\n\n".join(_under(question, found) for question, found in findings.items())
        user = f"Request: {asked.query}\nAspects: {'; '.join(plan.aspects)}\n\nFound so far:\n{told}"
        system = f"{GAPS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        return [_gap(given) for given in self.ask("gaps", system, user, GapsGiven).gaps[:_MOST_GAPS]]


def _request(asked: Asked) -> str:
    items = f"\nItems: {asked.count}" if asked.count else ""
    fields = f"\nFields of each: {', '.join(asked.fields)}" if asked.fields else ""
    return f"Request: {asked.query}\nKind of report: {asked.report_type}{items}{fields}"


def _told(short: str, task: PlannedTask) -> str:
    notes = " ".join(task.instructions.split())[:_NOTES]
    return f"{short}, {task.kind}: {' '.join(task.question.split())}" + (f"\n  Notes: {notes}" if notes else "")


def _fitting(queries: Sequence[str], task: PlannedTask, asked: Asked) -> list[str]:
    """Return the queries that can be about the task's question.

    A query shares a word with question, instructions or request; one may share none, being in the other language.
    """
    told = f"{task.question} {task.instructions} {asked.query}"
    known = {language: frozenset(content_stems(told, language)) for language in LANGUAGE_NAMES}
    kept: list[str] = []
    foreign = 0
    for query in distinct(tidy(query, task.kind) for query in queries):
        if len(query.split()) > _MOST_WORDS or _NOT_SUBJECT.search(query):
            continue
        if not any(stems.intersection(content_stems(query, lang)) for lang, stems in known.items()):
            foreign += 1
            if foreign > 1 or detect_language(query) == asked.language:
                continue
        kept.append(query)
    return kept


def _under(question: str, found: Sequence[Finding]) -> str:
    quotes = dict.fromkeys(" ".join(finding.quote.split())[:_FINDING] for finding in found[:_FINDINGS])
    lines = [f"<p{number}>{plain(quote)}</p{number}>" for number, quote in enumerate(quotes, start=1)]
    return "\n".join([f"{' '.join(question.split())}", *(lines or ["nothing"])])


def _gap(given: GapGiven) -> Gap:
    topic = _line(given.topic, _TOPIC)
    return Gap(
        gap_type="missing_topic",
        description=_line(given.description, _TEXT),
        priority=given.priority,
        missing_topic=topic,
        suggested_query=_line(given.search_query, _TEXT) or None,
        id=gap_id("missing_topic", topic=topic),
    )


def _lines(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    told = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(text for text in told if 0 < len(text) <= longest))


def _line(text: str, longest: int) -> str:
    return " ".join(text.split())[:longest]
