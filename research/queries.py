"""Generate search queries for a question: by a model, with a check, or by rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.memo.worker_result import Kind
from research.readers.model.prompts import (
    ACADEMIC_QUERIES_SYSTEM,
    BOOK_QUERIES_SYSTEM,
    CHECK_QUERIES_SYSTEM,
    QUERIES_RULES,
    WEB_QUERIES_SYSTEM,
)
from research.readers.query_tidying import distinct, tidy
from research.readers.rules.queries import fallback_queries

log = get_logger(__name__)

QUERY_PROMPTS: dict[Kind, str] = {
    "web": WEB_QUERIES_SYSTEM,
    "academic": ACADEMIC_QUERIES_SYSTEM,
    "book": BOOK_QUERIES_SYSTEM,
}
LANGUAGE_NAMES = {"en": "English", "es": "Spanish"}
#: Most characters of a task's instructions in a prompt.
_LONGEST_BRIEF = 1500


@dataclass(frozen=True)
class GeneratedQueries:
    """Queries in the order in which to try them."""

    queries: list[str] = field(default_factory=list)
    #: Those without a verdict from the check.
    flagged: list[str] = field(default_factory=list)
    #: Whether they were made by rule.
    fallback: bool = False


class SearchQueries(BaseModel):
    """Queries proposed by a model."""

    queries: list[str]


class QueryVerdict(BaseModel):
    """Whether the query of an index fits the question."""

    index: int
    fits: bool
    reason: str = ""


class QueryVerdicts(BaseModel):
    """Verdicts in any order, possibly not on all queries."""

    verdicts: list[QueryVerdict]


def create_generate_queries(kind: str) -> Callable[..., GeneratedQueries]:
    """Return a stateless function that makes queries for one kind of provider.

    Its signature is `generate(question, *, language="en", brief="", model=None, year, limit=3)`.

    Raises ValueError for an unknown kind.
    """
    known = next((name for name in QUERY_PROMPTS if name == kind), None)
    if known is None:
        raise ValueError(f"There are queries for {', '.join(QUERY_PROMPTS)}; not for {kind!r}.")

    def generate(
        question: str,
        *,
        language: str = "en",
        brief: str = "",
        model: Model | None = None,
        year: int,
        limit: int = 3,
    ) -> GeneratedQueries:
        if language not in LANGUAGE_NAMES:
            raise ValueError(f"Queries are written in {', '.join(LANGUAGE_NAMES)}; not in {language!r}.")
        if model is not None:
            ask = _Ask(known, question, brief[:_LONGEST_BRIEF], model)
            if found := _by_model(ask, LANGUAGE_NAMES[language], year, limit):
                return found
        return GeneratedQueries(fallback_queries(known, question, year=year, limit=limit), fallback=True)

    return generate


@dataclass(frozen=True)
class _Ask:
    kind: Kind
    question: str
    brief: str
    model: Model


def _by_model(ask: _Ask, language: str, year: int, limit: int) -> GeneratedQueries | None:
    """Return the model's queries that pass the check, or None if there are none."""
    rules = QUERIES_RULES.format(limit=limit, language=language, year=year)
    system = f"{QUERY_PROMPTS[ask.kind]}\n\n{rules}"
    user = json.dumps({"question": ask.question, "notes": ask.brief}, ensure_ascii=False)
    try:
        reply, _ = ask.model.ask(system, user, SearchQueries, purpose=f"research.queries.{ask.kind}")
    except ModelError as error:
        log.warning("queries_by_rule", kind=ask.kind, code=error.code)
        return None
    queries = distinct(tidy(query, ask.kind) for query in reply.queries)[:limit]
    if not queries:
        return None
    verdicts = _verdicts(ask, queries)
    kept = [query for at, query in enumerate(queries) if verdicts.get(at) is not False]
    if not kept:
        log.warning("queries_by_rule", kind=ask.kind, code="none_fits")
        return None
    return GeneratedQueries(kept, [query for at, query in enumerate(queries) if at not in verdicts])


def _verdicts(ask: _Ask, queries: Sequence[str]) -> dict[int, bool]:
    """Return verdicts by index, without those that are missing or contradictory."""
    numbered = [{"index": at, "query": query} for at, query in enumerate(queries)]
    user = json.dumps({"question": ask.question, "notes": ask.brief, "queries": numbered}, ensure_ascii=False)
    try:
        reply, _ = ask.model.ask(CHECK_QUERIES_SYSTEM, user, QueryVerdicts, purpose="research.queries.check")
    except ModelError as error:
        log.warning("queries_unchecked", kind=ask.kind, code=error.code)
        return {}
    said: dict[int, set[bool]] = {}
    for verdict in reply.verdicts:
        said.setdefault(verdict.index, set()).add(verdict.fits)
    return {at: fits.pop() for at, fits in said.items() if at in range(len(queries)) and len(fits) == 1}
