"""The reader without a model: plans and queries from the words of the question, and passages of sources.

Only `research.readers.model.reading` knows which one is at work. A reader returns only what is in
its
sources: quotations are verified here, not by callers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from research.candidates import merge_candidates
from research.memo import CatalogCandidate, FieldValue, Finding, Gap, Kind, PlannedTask
from research.questions.asking import (
    asking_parts,
    aspects_of,
    fewer_terms,
    search_subject,
    specific,
    subject_of_all,
    terms_of,
)
from research.questions.catalog_fields import named_fields, search_words, without_fields
from research.questions.wording import fold_words
from research.readers.findings import clean_quote, folded_in_place, speaks_to_machines
from research.readers.listing import MOST_OF_AN_ASPECT, Aspect, PassageShelf
from research.readers.protocol import (
    Agreement,
    Asked,
    DraftQuote,
    DraftSentence,
    Evidence,
    FaultySentence,
    GeneratedQueries,
    ItemValue,
    LongCell,
    NarrativeOutline,
    Plan,
    ReaderLog,
    SectionRequest,
    SourceText,
    clean_query,
    distinct,
)
from research.report_type import ReportType
from research.text.language import content_stems, detect_language, word_list
from research.text.meaning import Meaning

# Read the items of sources with any reader, for the rounds of a report and for the benchmark.


def read_items(
    reader: Reader, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
) -> list[CatalogCandidate]:
    """Return one candidate per item, with the values that their quotations prove, in order of first occurrence.

    `known`: candidates of earlier rounds.
    """
    merged = merge_candidates(reader.items(asked, sources, known), asked.fields)
    values = [
        (at, name, value)
        for at, one in enumerate(merged)
        for name, of_one in one.values.items()
        for value in of_one
    ]
    asked_of = [
        ItemValue(merged[at].name, name, value.value, value.quote, value.source_key) for at, name, value in values
    ]
    kept: list[dict[str, list[FieldValue]]] = [{} for _ in merged]
    for (at, name, value), proven in zip(values, reader.proven(asked, asked_of, sources), strict=True):
        if proven:
            kept[at].setdefault(name, []).append(replace(value, value=proven))
    found = [replace(one, values=of_one, fields={}) for one, of_one in zip(merged, kept, strict=True)]
    return merge_candidates(found, asked.fields)


# The methods of a reader, which subclasses implement with a model; without one, plans and queries come from the
# words of the request, and passages of sources are returned unchanged.


#: Most passages that replace a section.
_PASSAGES = 5
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


@dataclass
class Reader:
    """A reader. No method raises an error if the model fails: passages replace its reply, and `log` records it.

    Every method is deterministic for the same input and recorded replies. None raises BudgetSpentError, because an
    exhausted budget counts as a failed model. CancelRequestedError and LeaseLostError pass through.
    """

    #: Whether a model reads; without one a report is a reading list.
    judges: ClassVar[bool] = False

    #: Nearness of texts, also for callers that order them.
    meaning: Meaning
    log: ReaderLog = field(default_factory=ReaderLog)

    def fields(self, asked: Asked) -> Sequence[str]:
        """Return the fields that the request of a catalog asks for each item, in its words and order."""
        return named_fields(asked.query)

    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """Return the questions and aspects of a report."""
        return request_plan(asked, most_questions)

    def queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> Mapping[str, GeneratedQueries]:
        """Return at most `most` queries per task id, in either language."""
        made = {one.task_id: queries_of(one.kind, one.question, year=asked.year, limit=most) for one in tasks}
        return {task_id: GeneratedQueries(queries, fallback=True) for task_id, queries in made.items()}

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """Return for each question the sentences or short passages that answer it, best first, verbatim.

        Without a model, the passages for a reading list.
        """
        shelf, subject = PassageShelf(sources, self.meaning), subject_of_all(asked.query, asked.language)
        # The questions of a catalog concern its items, and a part of a request does not name its subject.
        # Any other question, such as one on a gap in a report, has its own subject.
        own = set() if asked.report_type is ReportType.CATALOG else {*questions} - {*asking_parts(asked.query)}
        return {
            question: shelf.on(Aspect(question, question if question in own else subject), MOST_OF_AN_ASPECT)
            for question in questions
        }

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """Return the items that the sources prove, each value with its quotation; empty without a model.

        `known`: items found before, to be completed. Items that do not answer the question are left out,
        with the reason in `log`.
        """
        return []

    def proven(
        self, asked: Asked, values: Sequence[ItemValue], sources: Mapping[str, SourceText]
    ) -> list[str | None]:
        """Return each value, or the part of it that its quotation supports for that item, or None.

        Without a model's answer, a value is kept only if its quotation has it word for word.
        """
        return [value.value if _is_quoted(value) else None for value in values]

    def cells(self, asked: Asked, long: Sequence[LongCell]) -> list[str]:
        """Return each cell in a few words, in the unit that the request names; "" without a model.

        The result is not verified.
        """
        return [""] * len(long)

    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """Return how the statements of each pair relate; without a model all are unrelated."""
        return ["unrelated"] * len(pairs)

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """Return at most five parts of the question that the findings do not answer.

        Empty without a model: `research.gap_detection` finds the topics that no finding covers.
        """
        return []

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> NarrativeOutline:
        """Return the sections of a narrative, without summary and limits; each has evidence.

        Empty without a model: a reading list replaces the narrative.
        """
        return NarrativeOutline()

    def draft(self, request: SectionRequest) -> list[DraftSentence]:
        """Return the sentences of a section; empty if the evidence does not answer it.

        Without a model, the best passages of its evidence, unchanged.
        """
        quotes = dict.fromkeys(
            (one.finding.source_key, clean_quote(one.finding.quote)) for one in request.evidence
        )
        fit = [(key, text) for key, text in quotes if not speaks_to_machines(text)]
        return [
            DraftSentence(text, (DraftQuote(key, text),), new_paragraph=True, verbatim=True)
            for key, text in fit[:_PASSAGES]
        ]

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """Return each sentence mended, or None to leave it out; all in one call.

        Without a model all are left out.
        """
        return [None] * len(faulty)


def _is_quoted(value: ItemValue) -> bool:
    """Return whether the quotation has every number and word of the value."""
    words, quoted = (set(_WORD.findall(folded_in_place(text))) for text in (value.value, value.quote))
    return bool(words) and words <= quoted


# Plan questions, aspects and search queries from the words of a request.


_SENTENCE = re.compile(r"[^.?!;]+[.?!;]?")
_OF_ASPECT = {"en": "What is known about {aspect}?", "es": "¿Qué se sabe sobre {aspect}?"}
_LEAST_WORDS = 4
#: Most terms per query and kind; an index requires all of them to match.
_MOST_TERMS: dict[Kind, tuple[int, int, int]] = {"web": (12, 8, 6), "academic": (6, 5, 4), "book": (3, 3, 2)}
#: Words added to the terms, one variant per query.
_ADDED: dict[tuple[Kind, str], tuple[str, str, str]] = {
    ("web", "en"): ("", "examples report", "analysis"),
    ("web", "es"): ("", "ejemplos informe", "análisis"),
    ("academic", "en"): ("study", "systematic review", "qualitative research"),
    ("academic", "es"): ("estudio", "revisión sistemática", "investigación cualitativa"),
    ("book", "en"): ("introduction", "handbook", "history"),
    ("book", "es"): ("introducción", "manual", "historia"),
}


def request_plan(asked: Asked, most_questions: int) -> Plan:
    """Return a plan with at most `most_questions` questions from the words of the request.

    First the request, for a catalog also a question on items and fields; then its questions, or without several
    its sentences and a question per aspect, each with the subject.
    """
    language = asked.language
    aspects = aspects_of(asked.query, language)
    whole = " ".join(asked.query.split())
    questions = [whole]
    if asked.report_type == ReportType.CATALOG:
        fields = ", ".join(filter(None, (search_words(field, language) for field in asked.fields)))
        questions.append(f"{search_subject(whole, language)}: {fields}")
    asking = asking_parts(asked.query)
    if not asking:
        sentences = [part.strip() for part in _SENTENCE.findall(without_fields(whole))]
        asking = [one for one in sentences if len(sentences) > 1 and len(one.split()) >= _LEAST_WORDS]
        asking += [_OF_ASPECT[language].format(aspect=aspect) for aspect in aspects if len(aspects) > 1]
    subject = subject_of_all(whole, language)
    asking = [_with_subject(question, subject, language) for question in asking]
    note = f" Aspects: {', '.join(aspects)}." if aspects else ""
    questions = list(dict.fromkeys(filter(None, [*questions, *asking])))[:most_questions]
    return Plan(tuple(questions), tuple(aspects), f"Made from the words of the question.{note}")


def _with_subject(question: str, subject: str, language: str) -> str:
    """Return the question, followed by the subject of the request if it shares no word with it."""
    if set(content_stems(question, language)) & set(content_stems(subject, language)):
        return question
    return f"{question} ({subject})"


def queries_of(kind: Kind, question: str, *, year: int, limit: int) -> list[str]:
    """Return up to three queries in the question's language; empty if it has no words."""
    language = detect_language(question)
    terms = terms_of(question, language) or question.strip(" ¿?¡!.").split()
    if not terms:
        return []
    made = []
    for at, (most, added) in enumerate(zip(_MOST_TERMS[kind], _ADDED[kind, language], strict=True)):
        own = terms if kind == "web" and not at else specific(terms)
        others = [word for word in added.split() if fold_words(word) not in map(fold_words, own)]
        made.append(" ".join([*fewer_terms(own, most), *others]))
    if kind == "web" and _is_current(question):
        made[0] = f"{made[0]} {year}"
    return distinct(clean_query(query, kind) for query in made)[:limit]


def _is_current(question: str) -> bool:
    """Return whether the question is about the present and names no year."""
    words = re.findall(r"\w+", fold_words(question))
    dated = any(len(word) == 4 and word.isdigit() for word in words)
    return not dated and not word_list("search_current").isdisjoint(words)
