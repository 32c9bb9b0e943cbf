"""Material of reports over the keyed corpus: twenty sources each, some of which only sound like the topic."""

from __future__ import annotations

from dataclasses import replace

from lab.bench.research.keyed.corpus import Document, Topic, topics
from research.config import ResearchConfig
from research.document import Reference
from research.memo import ResearchMemo, WorkerResult
from research.readers.listing import MOST_OF_AN_ASPECT, Aspect, PassageShelf
from research.readers.protocol import Asked, Plan, SourceText
from research.report_type import ReportType
from research.sources.base import Passage
from research.text.meaning import Meaning, NoMeaning
from research.writing.checking import ReportMaterial

#: Sources of a report; of the twelve that answer, the last two stand on the domain of the first two.
SOURCES, ANSWERING, DOMAINS = 20, 12, 10


def material_of(topic: Topic, listed_by: Meaning | None = None) -> ReportMaterial:
    """Each question has the passages near it by words, and for a reading list by this meaning (`listed_by`)."""
    strayed = [document for other in topics() if other != topic for document in other.documents[:2]]
    documents = [*topic.documents, *strayed][:SOURCES]
    sources = {f"source{number:02}": _source(number, doc, topic) for number, doc in enumerate(documents)}
    questions = tuple(topic.questions.values())
    shelf = PassageShelf(sources, listed_by or NoMeaning())
    results = tuple(
        WorkerResult(
            f"t{number}",
            "web",
            question,
            findings=[
                replace(one, topics=[question]) for one in shelf.on(Aspect(question, ""), MOST_OF_AN_ASPECT)
            ],
        )
        for number, question in enumerate(questions)
    )
    memo = ResearchMemo(topic.query, ReportType.NARRATIVE, 3, 2, 0, SOURCES, 18, SOURCES)
    config = ResearchConfig(language=topic.language)
    asked = Asked(topic.query, ReportType.NARRATIVE, topic.language, 2026)
    return ReportMaterial(
        asked, Plan(questions, questions if listed_by else (), ""), config, memo, results, sources
    )


def _source(number: int, document: Document, topic: Topic) -> SourceText:
    domain = f"site{number % DOMAINS if number < ANSWERING else number}.example"
    text = document.text
    reference = Reference(
        key=f"source{number:02}", kind="web", title=document.title, url=f"https://{domain}/{number}"
    )
    return SourceText(reference, domain, (Passage(text, 0, len(text)),), topic.language)
