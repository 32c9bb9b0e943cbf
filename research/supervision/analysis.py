"""Analyse a document: collect sources on its subject, and let a model name one gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import Annotated, get_args

from pydantic import Field, WithJsonSchema

from core.errors import ModelReplyError
from core.llm.ledger import Model
from core.messages import LabelledEnum, Message, keys_of
from research.citations.references import CitationRegistry, identity_of, same_work
from research.document import Reference, ReportDocument
from research.readers.findings import is_statement
from research.readers.model.asking import as_data
from research.readers.protocol import SourceText
from research.researchers import hit_domain
from research.sources.base import Hit, NoTextError, SearchScope, SourceKind
from research.sources.library import LibrarySource
from research.storage import LibraryState
from research.supervision.prompts import (
    ANALYZE_SYSTEM,
    ANALYZE_USER,
    LEAST_WORDS,
    StrictReply,
    document_outline,
    is_in_text,
    is_too_short,
    plain_of,
    thin_sections,
)
from research.supervision.types import (
    ExaminedCode,
    InvalidDecisionError,
    Issue,
    IssueSeverity,
    IssueType,
    SupervisionTier,
    SupervisorDecision,
)
from research.text.language import rank_sentences, split_sentences
from research.text.meaning import Meaning, NoMeaning, Text, fused, order_by_nearness

#: Returns the sources that a document cites and the library's on its subject, by citation key.
Related = Callable[[ReportDocument], Mapping[str, SourceText]]
#: Most hits of one kind for one question, and most documents compared with a work by title.
_HITS, _TITLED = 8, 20
#: Most sources of the library that the document does not cite.
_MOST = 12
#: Most headings used as questions; the first ones of a long document show its subject.
_MOST_HEADINGS = 12
#: Least score of a text for the words of the document, as a share of the median score of cited sources.
_NEAR = 0.6


def unread(library: LibraryState) -> Message | None:
    """Return a message if the library is empty, or still being read."""
    if library.waiting:
        return Message.of(ExaminedCode.LIBRARY_BEING_READ, waiting=library.waiting)
    return None if library.ready else Message.of(ExaminedCode.LIBRARY_EMPTY)


@dataclass
class LibrarySearch:
    """Full texts from the library, of every kind, under citation keys; each is fetched once."""

    source: LibrarySource
    #: Works among its references keep their keys.
    document: ReportDocument
    _registry: CitationRegistry = field(init=False)
    _texts: dict[str, SourceText | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._registry = CitationRegistry(self.document.references)

    def __call__(self, question: str) -> list[tuple[str, SourceText]]:
        """Return sources with a text, best first. Raises SourceError if the library does not answer."""
        scopes = [SearchScope(kind, self.document.language) for kind in get_args(SourceKind)]
        hits = [hit for scope in scopes for hit in self.source.search(question, _HITS, scope)]
        ranked = sorted(hits, key=lambda hit: (-hit.score, hit.locator))
        return [(self._registry.add(hit), text) for hit in ranked if (text := self._text(hit)) is not None]

    def works(self, references: Sequence[Reference]) -> dict[str, SourceText]:
        """Return the texts of those references that the library has, under their keys."""
        found: dict[str, SourceText] = {}
        for one in references:
            hits = self.source.titled(one.title or one.as_written or "", _TITLED)
            for hit in (hit for hit in hits if same_work(identity_of(vars(hit)), identity_of(vars(one)))):
                if text := self._text(hit):
                    found.setdefault(one.key, text)
        return found

    def _text(self, hit: Hit) -> SourceText | None:
        if hit.locator not in self._texts:
            self._texts[hit.locator] = None
            with suppress(NoTextError):
                passages, language = self.source.fetch(hit).passages, hit.language or self.document.language
                reference = self._registry.reference(self._registry.add(hit))
                self._texts[hit.locator] = SourceText(reference, hit_domain(hit), passages, language)
        return self._texts[hit.locator]


def related_sources(search: LibrarySearch, read: Mapping[str, SourceText]) -> dict[str, SourceText]:
    """Return the sources of the searched document by citation key. Raises SourceError.

    `read`: the sources already read for it. Other references, and further sources near the document, are looked up
    in the library.
    """
    document = search.document
    cited = {**search.works([one for one in document.references if one.key not in read]), **read}
    headings = [section.heading for section in document.sections if section.body.strip()][:_MOST_HEADINGS]
    asked = [document.title, document.query, *(f"{heading} {document.title}" for heading in headings)]
    hits = [search(question) for question in dict.fromkeys(asked) if question.strip()]
    found = {key: source for of_one in hits for key, source in of_one if key not in cited}
    ranked = [key for key in fused([key for key, _ in of_one] for of_one in hits) if key in found]
    # Keep texts that are about as near to the document as the cited ones.
    texts = [source.text for source in (*cited.values(), *(found[key] for key in ranked))]
    scores = rank_sentences(plain_of(document), texts, document.language)
    usual = median(scores[: len(cited)]) if cited else max(scores, default=0.0)
    near = [key for key, score in zip(ranked, scores[len(cited) :], strict=True) if score >= _NEAR * usual]
    return {**cited, **{key: found[key] for key in near[:_MOST]}}


# Analysis by a model: it gets the document's outline and passages of the library, and names one gap or none.


#: Most passages of sources that are shown, most of one source, and most words of a passage.
_MOST_SHOWN, _MOST_OF_A_SOURCE, _WORDS = 10, 2, 60
#: Most passages, nearest by words, that are compared by meaning.
_COMPARED = 120


def _one_of(title: str, kind: type[LabelledEnum]) -> WithJsonSchema:
    return WithJsonSchema({"enum": [*keys_of(kind)], "title": title, "type": "string"})


class Gap(StrictReply):
    """A gap as a model names it."""

    topic: str = Field(min_length=1, max_length=200)
    #: Key of its section.
    section: str = Field(max_length=200)
    kind: Annotated[IssueType, _one_of("Kind", IssueType)]
    severity: Annotated[IssueSeverity, _one_of("Severity", IssueSeverity)]
    concepts: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(default=[], max_length=4)
    why: str = Field(min_length=1, max_length=1000)
    searches: list[str] = Field(min_length=1, max_length=3)
    guidance: str = Field(default="", max_length=1000)


class Analysis(StrictReply):
    """The reply: one gap, or none."""

    reasoning: str = Field(max_length=2000)
    confidence: float = Field(ge=0.0, le=1.0)
    gap: Gap | None


@dataclass(frozen=True)
class ModelAnalyst:
    """Analyses with a model."""

    model: Model
    related: Related
    meaning: Meaning

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """See `SupervisionContext.analyse`. Thin sections are shown in full first."""
        user = ANALYZE_USER.format(
            title=document.title,
            query=document.query or "(none)",
            language=document.language,
            iteration=iteration,
            max_iterations=tier.max_iterations,
            explored="\n".join(f"- {key.splitlines()[0]}" for key in explored) or "(nothing)",
            outline=document_outline(document, document.query or document.title, thin_sections(document)),
            known="\n".join(_known(document, self.related(document), self.meaning)) or "(nothing)",
        )
        try:
            reply, _ = self.model.ask(ANALYZE_SYSTEM, user, Analysis, purpose="analyze_review")
        except ModelReplyError as error:
            # `ask` has already tried one repair.
            raise InvalidDecisionError(error.detail) from error
        issue, short = _issue(reply.gap, document) if reply.gap else None, is_too_short(document)
        note = Message.of(ExaminedCode.DOCUMENT_TOO_SHORT, least=LEAST_WORDS) if short else None
        return SupervisorDecision(issue, reply.reasoning, reply.confidence, examined=not short, note=note)


def _issue(gap: Gap, document: ReportDocument) -> Issue:
    # A model may give a heading instead of its key.
    keys = {name: section.key for section in document.sections for name in (section.heading, section.key)}
    return Issue(
        topic=gap.topic,
        section=keys.get(gap.section.strip("[] "), ""),
        issue_type=gap.kind,
        severity=gap.severity,
        rationale=gap.why,
        foundational_concepts=tuple(gap.concepts),
        suggested_queries=tuple(gap.searches),
        integration_guidance=gap.guidance,
    )


def _known(document: ReportDocument, sources: Mapping[str, SourceText], meaning: Meaning) -> list[str]:
    """Return the passages nearest to the document's question, without sentences that the document has."""
    every = [(key, passage.text) for key, source in sources.items() for passage in source.passages]
    # Compare by words first, so that few passages are embedded.
    for compared in (NoMeaning(), meaning):
        texts = [Text(text, sources[key].language) for key, text in every]
        near = order_by_nearness(f"{document.title} {document.query}".strip(), texts, compared)
        every = [every[place] for place in near[:_COMPARED]]
    existing, taken, shown = plain_of(document), Counter[str](), list[str]()
    for key, text in every:
        if (
            len(shown) < _MOST_SHOWN
            and taken[key] < _MOST_OF_A_SOURCE
            and (new := _unused(text, sources[key], existing))
        ):
            taken[key] += 1
            reference = sources[key].reference
            about = ", ".join(str(one) for one in (reference.title, reference.year) if one)
            shown.append(as_data(f"- {about}: {new}"))
    return shown


def _unused(text: str, source: SourceText, existing: str) -> str:
    """Return the statements of a passage that the document lacks, up to `_WORDS` words."""
    sentences = [" ".join(text[start:end].split()) for start, end in split_sentences(text, source.language)]
    words = " ".join(one for one in sentences if is_statement(one) and not is_in_text(one, existing)).split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
