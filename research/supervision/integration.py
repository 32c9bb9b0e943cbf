"""Close a gap: research it, and insert sentences that quotations support; choose analyst and integrator."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import pairwise

from pydantic import Field

from core.llm.ledger import Model
from core.messages import Message, say
from research.allocation import ResearcherState
from research.citations.claims import claims_something, sentences_of
from research.config import BudgetSpentError, Language, ResearchConfig
from research.document import ReportDocument, Section, section_key
from research.memo import Finding, PlannedTask
from research.node_context import RoundContext
from research.readers.findings import is_statement
from research.readers.model.asking import as_data
from research.readers.model.reading import ModelReader
from research.readers.protocol import Asked, DraftQuote, DraftSentence, SourceText, clean_query, distinct
from research.readers.reader import Reader
from research.readers.support import faults_of
from research.report_type import ReportType
from research.researchers import create_researcher
from research.rounds.joining import source_keys
from research.sources.library import LibrarySource
from research.storage import is_provisional
from research.supervision.analysis import ModelAnalyst, Related, unread
from research.supervision.loop.graph import Analyse, Integrate
from research.supervision.loop.routing import cited_keys
from research.supervision.prompts import (
    INTEGRATE_SYSTEM,
    INTEGRATE_USER,
    REFUSED,
    StrictReply,
    is_in_text,
    plain_of,
    without_markdown,
)
from research.supervision.types import (
    Depth,
    ExaminedCode,
    Expansion,
    Integration,
    Issue,
    SupervisionTier,
    SupervisorDecision,
)
from research.text.language import content_stems, split_sentences, stop_words
from research.text.markdown import as_markdown, markdown_blocks
from research.text.meaning import Meaning, Text, order_by_nearness
from research.writing.checking import Checker, ClaimBook, SourceTexts, plain_sentence

#: Number of researchers per expansion, and their limits.
_DEPTHS: dict[Depth, tuple[int, ResearchConfig]] = {
    "quick": (1, ResearchConfig(hits_per_query=6, sources_per_task=4, max_domain_share=0.5)),
    "standard": (2, ResearchConfig(hits_per_query=8, sources_per_task=6, max_domain_share=0.5)),
    "comprehensive": (3, ResearchConfig(hits_per_query=12, sources_per_task=10, max_domain_share=0.35)),
}
#: Most findings, and most of one source.
_MOST, _MOST_OF_A_SOURCE = 12, 4


@dataclass(frozen=True)
class FocusedResearch:
    """Researches gaps for a report. Finished tasks are not repeated; a source has one key in a report."""

    context: RoundContext

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `SupervisionContext.expand`. Without findings, the remaining kinds of researchers are tried too."""
        researchers, config = _DEPTHS[depth]
        brief, query = self.context.brief, document.query or document.title
        about = replace(brief.asked, query=query, language=document.language)
        context = replace(self.context, brief=replace(brief, asked=about, config=config))
        # A heading alone is too short for a question.
        question = f"{issue.topic} {document.title}" if issue.issue_type == "thin_section" else issue.topic
        is_fact = issue.issue_type in ("thin_section", "unsupported_claim")
        # Search the web first for sections and statements, last for concepts.
        kinds = sorted(brief.kinds, key=lambda kind: ((kind == "web") != is_fact, kind))
        sources, read = context.store.sources, set[str]()
        for sent, kind in enumerate(kinds, start=1):
            queries = tuple(distinct(clean_query(query, kind) for query in issue.suggested_queries))
            task_id = f"s{str(context.store.held.supervision_id)[:8]}_{iteration}_{kind}"
            read |= _researched(context, document, PlannedTask(task_id, kind, question, queries))
            if sent >= min(researchers, len(kinds)):
                texts = sources.texts(row for row in sources.keyed() if row.key in read)
                found = context.reader.findings(about, [question], texts)[question] if texts else []
                if findings := usable(document, found, texts):
                    keys = sorted({one.source_key for one in findings})
                    return Expansion(tuple(findings), {key: texts[key] for key in keys})
        if context.budget.exhausted is not None:
            raise BudgetSpentError(f"no {context.budget.exhausted} left")
        return Expansion()

    def nothing_to_ask(self) -> Message | None:
        """Return why no source could be searched: the library has nothing, and no other is permitted."""
        for kind in self.context.brief.kinds:
            if any(provider.name != LibrarySource.name for provider in self.context.providers(kind)):
                return None
        library = self.context.store.progress.library_state()
        return None if library.ready else unread(library)


def _researched(context: RoundContext, document: ReportDocument, task: PlannedTask) -> set[str]:
    """Run a task in a researcher's graph, give its sources their keys, and return the keys.

    The graph needs no checkpoints: each step stores its result and finds it after a crash.
    """
    rounds, sources = context.store.rounds, context.store.sources
    rounds.begin_focused(task)
    if rounds.task(task.task_id).result is None:
        researcher = create_researcher().copy({"checkpointer": False})
        state: ResearcherState = {"task_id": task.task_id}
        # Use another thread, because the loop's has a durability that needs checkpoints.
        researcher.invoke(state, {"configurable": {"thread_id": task.task_id}}, context=context)
    stored = rounds.task(task.task_id)
    if stored.result is None:
        return set()
    rows = [row for row in sources.all() if row.task_id == task.task_id or not is_provisional(row.key)]
    keys = source_keys(rows, [stored], {}, document.references)
    result = keys.of(stored.result)
    if keys.final:
        rounds.join(keys.renamed, keys.duplicates, [result])
    return {entry.key for entry in result.sources}


def usable(
    document: ReportDocument, findings: Iterable[Finding], sources: Mapping[str, SourceText]
) -> list[Finding]:
    """Return the statements that the document does not have, in their order; may be empty."""
    existing, taken, chosen = plain_of(document), Counter[str](), list[Finding]()
    for finding in findings:
        quote, language = " ".join(finding.quote.split()), sources[finding.source_key].language
        if len(chosen) == _MOST or taken[finding.source_key] == _MOST_OF_A_SOURCE or is_in_text(quote, existing):
            continue
        sentences = (quote[start:end].strip() for start, end in split_sentences(quote, language))
        if any(map(is_statement, sentences)):
            taken[finding.source_key] += 1
            chosen.append(finding)
            existing = f"{existing}\n{quote}"
    return chosen


# Give the loop its analyst and its integrator, both by the model. Nothing else checks whether there is one.


def actors_of(reader: Reader, related: Related) -> tuple[Analyse, Integrate]:
    """Return analyst and integrator; without a model the decision says that nothing was examined."""
    if isinstance(reader, ModelReader):
        model, meaning = reader.model, reader.meaning
        return ModelAnalyst(model, related, meaning).analyse, ModelIntegrator(model, meaning).integrate
    return _not_examined, _not_changed


def _not_examined(
    document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
) -> SupervisorDecision:
    return SupervisorDecision(examined=False, note=Message.of(ExaminedCode.MODEL_WANTED))


def _not_changed(
    document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
) -> Integration | None:
    return None


# Integration by a model: it inserts sentences into one section, each supported by verified quotations.


#: Characters before an excerpt that are searched for the sentence before it.
_BEFORE = 600
#: Least share of the stems of a sentence without a quotation that the quotations before it have.
_TOLD = 0.75


class Quoted(StrictReply):
    """Words of an excerpt that carry a sentence."""

    excerpt: str
    words: str


class Sentence(StrictReply):
    """A new sentence."""

    text: str
    quotes: list[Quoted] = Field(default_factory=list)


class Insertion(StrictReply):
    """Sentences that follow each other at one place."""

    #: Number of the sentence that they follow; 0 for a new section.
    after: int = Field(ge=0)
    #: Of a new section.
    heading: str = Field(default="", max_length=120)
    sentences: list[Sentence] = Field(min_length=1, max_length=8)


class Revision(StrictReply):
    """The reply: what is inserted; nothing if no excerpt closes the gap."""

    insertions: list[Insertion] = Field(max_length=4)


@dataclass(frozen=True)
class ModelIntegrator:
    """Integrates findings with a model."""

    model: Model
    meaning: Meaning

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        """See `SupervisionContext.integrate`. Sentences without a verified quotation are dropped."""
        section = self._section(document, issue)
        pieces = section_pieces(section.body, document.language)
        excerpts = {f"e{number}": one for number, one in enumerate(expansion.findings, start=1)}
        numbered = enumerate((without_markdown(piece.text).strip() for piece in pieces), start=1)
        others = "; ".join(one.heading for one in document.sections if one.key != section.key)
        problems = as_data("\n".join(f"- {say(problem)}" for problem in refused))
        user = INTEGRATE_USER.format(
            title=as_data(document.title),
            language=document.language,
            topic=issue.topic,
            why=issue.rationale,
            guidance=issue.integration_guidance or "Where it fits best.",
            excerpts="\n".join(_shown(name, finding, expansion) for name, finding in excerpts.items()),
            heading=as_data(section.heading),
            section=as_data("\n".join(f"({number}) {text}" for number, text in numbered)),
            others=as_data(others) or "(none)",
            refused=REFUSED.format(problems=problems) if problems else "",
        )
        revision, _ = self.model.ask(INTEGRATE_SYSTEM, user, Revision, purpose="integrate_content")
        if not revision.insertions:
            return None
        asked = Asked(document.title, ReportType.NARRATIVE, document.language, year=0)
        book = claim_book(revision, expansion.findings)
        checker = Checker(asked, SourceTexts(expansion.sources), book)
        within, after, quoted = dict[int, str](), document, [one.quote for one in expansion.findings]
        for insertion in revision.insertions:
            text, heading = _published(insertion.sentences, checker, excerpts), plain_sentence(insertion.heading)
            place = min(insertion.after, len(pieces))
            is_new = text and place == 0 and heading
            if is_new and not faults_of(heading, [text, *quoted], document.title, document.language):
                after = with_section(after, section.key, heading, text)
            elif text:
                place = place or len(pieces)
                within[place] = f"{within[place]} {text}" if place in within else text
        after = with_insertions(after, section.key, pieces, within)
        return Integration(with_references(after, expansion), book.all)

    def _section(self, document: ReportDocument, issue: Issue) -> Section:
        """Return the issue's section, or the one nearest to it."""
        if own := next((one for one in document.sections if one.key == issue.section), None):
            return own
        sections = [one for one in document.sections if one.body.strip()] or list(document.sections)
        texts = [Text(f"{one.heading} {without_markdown(one.body)}", document.language) for one in sections]
        return sections[order_by_nearness(f"{issue.topic} {issue.rationale}", texts, self.meaning)[0]]


def _published(sentences: Sequence[Sentence], checker: Checker, excerpts: Mapping[str, Finding]) -> str:
    """Return the sentences with their markers; one without quotations stays only if it joins what is quoted."""
    kept, quoted = list[str](), list[str]()
    for sentence in sentences:
        quotes = tuple(
            DraftQuote(excerpts[one.excerpt].source_key, one.words)
            for one in sentence.quotes
            if one.excerpt in excerpts
        )
        text = plain_sentence(sentence.text)
        if sentence.quotes:
            checked, _ = checker.check(DraftSentence(sentence.text, quotes), [*excerpts.values()])
            if checked:
                markers = dict.fromkeys(checker.book.marker(text, place) for place in checked.places)
                kept.append(f"{as_markdown(text)} {' '.join(markers)}")
                quoted += [place.quote for place in checked.places]
        elif _joins(text, quoted, checker.asked.language):
            kept.append(as_markdown(text))
        elif text:
            checker.book.fabricated(text, "", None)
    return " ".join(kept)


def _joins(sentence: str, quotes: Sequence[str], language: Language) -> bool:
    """Return whether a sentence only joins quotations: it says nothing in other words, and asks for nothing.

    It begins with a small word ("It", "So"), as no request does.
    """
    own, known = set(content_stems(sentence, language)), set(content_stems(" ".join(quotes), language))
    is_told = len(own & known) >= _TOLD * len(own) > 0
    begins = sentence.split(maxsplit=1)[0].casefold().strip(",") in stop_words(language) if sentence else False
    is_proven = not faults_of(sentence, quotes, "", language)
    return is_told and begins and is_proven and not claims_something(sentence, language)


def _shown(name: str, finding: Finding, expansion: Expansion) -> str:
    """Return a finding for the prompt, with its source and the sentence before it in the paragraph."""
    source = expansion.sources[finding.source_key]
    paragraph = source.text[max(0, finding.start_char - _BEFORE) : finding.start_char].rpartition("\n\n")[2]
    spans = split_sentences(paragraph, source.language)
    sentence = " ".join(paragraph[slice(*spans[-1])].split()) if spans else ""
    before = f"[before: {as_data(sentence)}] " if sentence else ""
    work = source.reference
    parts = (work.title, work.publisher or source.domain, str(work.year or ""))
    shown = re.sub(r'[<>"]', " ", ", ".join(one for one in parts if one))
    return f'<{name} source="{shown}">{before}{as_data(" ".join(finding.quote.split()))}</{name}>'


# Insert new text into a document without changing the existing text.


@dataclass(frozen=True)
class SectionPiece:
    """A sentence of a paragraph with its markers, or an entire list, table or quotation."""

    #: Unchanged from the body, with the white space after it.
    text: str
    is_sentence: bool


def section_pieces(body: str, language: str) -> list[SectionPiece]:
    """Return the pieces of a section's Markdown; their texts joined are the Markdown."""
    # Not `splitlines`, because a form feed does not end a line of Markdown.
    lines = StringIO(body).readlines()
    blocks = [token for token in markdown_blocks(body) if token.level == 0 and token.map and token.nesting >= 0]
    if not blocks:
        return [SectionPiece(body, False)] if body else []
    starts = [0, *(token.map[0] for token in blocks[1:] if token.map), len(lines)]
    found: list[SectionPiece] = []
    for token, (start, end) in zip(blocks, pairwise(starts), strict=True):
        is_paragraph = token.type == "paragraph_open"
        text = "".join(lines[start:end])
        found += [
            SectionPiece(one, is_paragraph) for one in (sentences_of(text, language) if is_paragraph else [text])
        ]
    return found


def with_insertions(
    document: ReportDocument, key: str, pieces: Sequence[SectionPiece], new: Mapping[int, str]
) -> ReportDocument:
    """Insert texts after pieces of a section, by number from 1; after a list or table, as a paragraph."""
    # A section may consist of only a heading.
    body = "" if pieces else " ".join(new.values())
    for number, piece in enumerate(pieces, start=1):
        stands = piece.text.rstrip()
        between, behind = (" ", piece.text[len(stands) :]) if piece.is_sentence else ("\n\n", "\n\n")
        body += f"{stands}{between}{new[number]}{behind}" if number in new else piece.text
    return _with_body(document, key, body.rstrip())


def with_section(document: ReportDocument, after: str, heading: str, body: str) -> ReportDocument:
    """Add a section after another one and at its level."""
    sections = list(document.sections)
    at = next(at for at, section in enumerate(sections) if section.key == after)
    key = section_key(heading, {section.key for section in sections})
    sections.insert(at + 1, Section(key=key, heading=heading, level=sections[at].level, body=body))
    return document.model_copy(update={"sections": tuple(sections)})


def claim_book(*made_of: object) -> ClaimBook:
    """Return a book with ids that differ between revisions with different findings or replies."""
    return ClaimBook(f"x{hashlib.sha256(repr(made_of).encode()).hexdigest()[:10]}-")


def with_references(document: ReportDocument, expansion: Expansion) -> ReportDocument:
    """Add the newly cited sources of an expansion to the references."""
    listed, cited = {reference.key for reference in document.references}, cited_keys(document)
    new = [one.reference for key, one in sorted(expansion.sources.items()) if key in cited and key not in listed]
    return document.model_copy(update={"references": (*document.references, *new)})


def _with_body(document: ReportDocument, key: str, body: str) -> ReportDocument:
    sections = (
        section.model_copy(update={"body": body}) if section.key == key else section
        for section in document.sections
    )
    return document.model_copy(update={"sections": tuple(sections)})
