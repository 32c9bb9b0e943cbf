"""Materials of invented reports, and a model that answers from a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from core.llm.ledger import Usage
from research.config import ResearchConfig
from research.document import Reference
from research.memo import CatalogCandidate, CatalogMemo, Claim, FieldValue, Finding, ResearchMemo, WorkerResult
from research.readers.protocol import Asked, Plan, SourceText
from research.report_type import ReportType
from research.sources.base import Passage
from research.text.language import content_stems, rank_sentences, split_sentences
from research.writing.checking import ReportMaterial

QUESTION = "What brings fathers into schools?"
COSTS = "How much do breakfast mornings for fathers cost?"

#: By key: domain and text.
SCHOOLS: Mapping[str, tuple[str, str]] = {
    "ortiz2019": (
        "alpha.example",
        "# Fathers\n\nFather engagement refers to the direct involvement of fathers in schools. "
        "Schools that write to fathers by name bring more of them into classrooms [3]. "
        "The gymnasium was painted blue in 2011 by a local firm.",
    ),
    "lee2021": (
        "beta.example",
        "Breakfast mornings bring fathers into schools before work. They cost about $300 a year for each school. "
        "The cafeteria serves fish on Fridays to all of the pupils.",
    ),
    "diaz2020": (
        "gamma.example",
        "Reading evenings bring fathers into schools in winter. "
        "Subscribe to our newsletter about fathers in schools. "
        "Breakfast mornings for fathers cost a school less when volunteers cook.",
    ),
}


def source(key: str, domain: str, text: str, **more: Any) -> SourceText:
    """A source in one passage."""
    told: dict[str, Any] = {"kind": "web", "title": f"Title of {key}", "url": f"https://{domain}/page"}
    language = more.pop("language", "en")
    return SourceText(Reference(key=key, **told | more), domain, (Passage(text, 0, len(text)),), language)


def material(
    texts: Mapping[str, tuple[str, str]] = SCHOOLS,
    questions: Sequence[str] = (QUESTION, COSTS),
    *,
    language: Any = "en",
    claims: Sequence[Claim] = (),
    candidates: Sequence[CatalogCandidate] | None = None,
    fields: Sequence[str] = ("name", "provider_url", "problem_solved", "cost"),
    target: int = 3,
    troubles: Sequence[str] = (),
) -> ReportMaterial:
    """A report's material, with what a researcher without a model finds. With candidates it is a catalog."""
    kind = ReportType.NARRATIVE if candidates is None else ReportType.CATALOG
    memo = ResearchMemo(questions[0], kind, 3, 1, 0, len(texts), len(texts), len(texts))
    if candidates is not None:
        memo = CatalogMemo(**vars(memo), target_items=target, candidates=[*candidates], required_fields=[*fields])
    memo.claims_to_verify = [*claims]
    sources = {key: source(key, domain, text, language=language) for key, (domain, text) in texts.items()}
    results = tuple(
        WorkerResult(f"t{number}", "web", question, findings=found_by_words(question, sources))
        for number, question in enumerate(questions)
    )
    config = ResearchConfig(language=language)
    asked = Asked(questions[0], kind, language, 2026)
    if candidates is not None:
        asked = replace(asked, fields=tuple(field for field in fields if field != "name"))
    plan = Plan(tuple(questions), (), "")
    return ReportMaterial(asked, plan, config, memo, results, sources, tuple(troubles))


def found_by_words(question: str, sources: Mapping[str, SourceText]) -> list[Finding]:
    """The sentences that share two words with a question or more, best first."""
    found = []
    for key, one in sources.items():
        said = [(start, end) for start, end in split_sentences(one.text, one.language)]
        ranked = rank_sentences(question, [one.text[slice(*span)] for span in said], one.language)
        asked = set(content_stems(question, one.language))
        for (start, end), score in zip(said, ranked, strict=True):
            text = one.text[start:end]
            if len(asked & set(content_stems(text, one.language))) > 1 and len(text.split()) > 5:
                found.append(Finding(key, text, start, end, None, score=round(score, 4)))
    return sorted(found, key=lambda one: -one.score)


def told(value: str, quote: str, key: str) -> FieldValue:
    """A catalog field's value with its quotation."""
    return FieldValue(value, quote, key, verified=True)


class ScriptedModel:
    """Answers each question by a function of its system prompt and request; keeps what it was asked."""

    def __init__(self, answer: Callable[[str, str], Any]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def ask(self, system: str, user: str, schema: type[BaseModel], *, purpose: str, **_: Any) -> tuple[Any, Usage]:
        """See `core.llm.providers.Model.ask`."""
        self.asked.append((purpose, user))
        reply = self.answer(purpose, user)
        if isinstance(reply, Exception):
            raise reply
        return schema.model_validate(reply), Usage("scripted", "scripted")
