"""Ask a model for the search queries of all tasks of a round in one request, and check them by code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.planning_prompts import QUERIES_OF_KIND, QUERIES_SYSTEM, REQUEST_IS_DATA
from research.readers.protocol import Asked, Queries, QueryTask
from research.readers.query_tidying import distinct, tidy
from research.text import content_stems, detect_language

#: Most words of a query, and most characters of a task's notes.
_MOST_WORDS, _NOTES = 16, 600
#: Words that an engine takes as operators, and words that speak to a reader instead of naming a subject.
_NOT_SUBJECT = re.compile(
    r"\b(?:site|inurl|intitle|filetype):|\b(?:OR|AND|NOT)\b"
    r"|\b(?:word for word|instructions?|ignore|search for|find sources|as told)\b|https?://",
)


class QueriesGiven(Reply):
    """The queries of the task with an id."""

    id: str
    queries: list[str] = Field(default_factory=list)


class QueriesReply(Reply):
    """The queries of the tasks, in any order."""

    tasks: list[QueriesGiven] = Field(default_factory=list)


def queries_of(asking: Asking, asked: Asked, tasks: Sequence[QueryTask], most: int) -> dict[str, Queries]:
    """Return the queries that pass the checks, by task id; a task without any is missing."""
    if not tasks:
        return {}
    by_id = {f"t{number}": task for number, task in enumerate(tasks, start=1)}
    kinds = [line for kind, line in QUERIES_OF_KIND.items() if any(task.kind == kind for task in tasks)]
    system = QUERIES_SYSTEM.format(
        most=most,
        kinds="\n".join(kinds),
        year=asked.year,
        language=LANGUAGE_NAMES[asked.language],
        other=LANGUAGE_NAMES["es" if asked.language == "en" else "en"],
    )
    user = f"Request: {asked.query}\n\nTasks:\n" + "\n".join(_told(short, task) for short, task in by_id.items())
    reply = asking.ask("queries", f"{system}\n\n{REQUEST_IS_DATA}", user, QueriesReply, "research.queries")
    found: dict[str, Queries] = {}
    for given in reply.tasks if reply else ():
        task = by_id.get(given.id)
        if task is not None and (kept := _fitting(given.queries, task, asked)[:most]):
            found[task.task_id] = Queries(tuple(kept))
    return found


def _told(short: str, task: QueryTask) -> str:
    notes = " ".join(task.notes.split())[:_NOTES]
    return f"{short}, {task.kind}: {' '.join(task.question.split())}" + (f"\n  Notes: {notes}" if notes else "")


def _fitting(queries: Sequence[str], task: QueryTask, asked: Asked) -> list[str]:
    """Return the queries that can be about the task's question.

    A query shares a word with question, notes or request; one may share none, being in the other language.
    """
    told = f"{task.question} {task.notes} {asked.query}"
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
