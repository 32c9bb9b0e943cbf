"""Make the search queries of one question for one kind of provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from core.llm import Model
from research.allocation import KINDS
from research.config import Language
from research.meaning import NoMeaning
from research.memo.worker_result import PlannedTask
from research.readers.choice import open_reader
from research.readers.protocol import Asked, GeneratedQueries
from research.report_type import ReportType

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
