"""Check the sentences of a report: locate their quotations in the sources and compare them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from research.citations.quotes import verify_quote
from research.config import Language, ResearchConfig
from research.document import CheckedClaim, Reference, Section, section_key
from research.memo import CatalogMemo, Finding, ResearchMemo, WorkerResult
from research.readers.findings import clean_quote
from research.readers.protocol import (
    Asked,
    DraftSentence,
    Evidence,
    FaultySentence,
    Plan,
    SectionRequest,
    SourceText,
)
from research.readers.reader import Reader
from research.readers.support import faults_of, speaks_of, unsupported_terms
from research.text.language import foreign_words, phrases_for
from research.text.markdown import clean_text
from research.text.meaning import Text, order_by_nearness

Verification = Literal["confirmed", "contradicted", "not_found"]


@dataclass(frozen=True)
class ReportMaterial:
    """Everything that the three rounds collected."""

    asked: Asked
    #: With questions in the order of their sections.
    plan: Plan
    config: ResearchConfig
    #: Of the last round.
    memo: ResearchMemo
    #: Of all rounds, in the order of their tasks.
    results: tuple[WorkerResult, ...]
    #: By citation key.
    sources: Mapping[str, SourceText]
    #: Sentences on problems during the rounds, for the report's limits.
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuotedPlace:
    """A verified quotation: `source text[start:end]`."""

    #: Key of the source that was given for it.
    claimed: str
    key: str
    start: int
    end: int
    quote: str
    page_no: int | None

    def overlaps(self, other: QuotedPlace, apart: int = 0) -> bool:
        """Return whether both share characters of a source, or have fewer than `apart` between them."""
        return self.key == other.key and self.start < other.end + apart and other.start < self.end + apart

    def holds(self, other: QuotedPlace) -> bool:
        """Return whether the other lies within this one."""
        return self.key == other.key and self.start <= other.start and other.end <= self.end


class SourceTexts:
    """The sources of a report, and their texts for verification."""

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self.by_key = sources
        self.texts = {key: source.text for key, source in sources.items()}

    def place(self, quote: str, claimed: str) -> QuotedPlace | None:
        """Return the place of a quotation, in `claimed` or else in another source; None if it is in none."""
        found = verify_quote(quote, claimed, self.texts) if quote.strip() else None
        if found is None or found.source_id is None or found.start is None or found.end is None:
            return None
        return self.at(found.source_id, found.start, found.end, claimed)

    def at(self, key: str, start: int, end: int, claimed: str = "") -> QuotedPlace:
        """Return the place of `text[start:end]` of a source."""
        return QuotedPlace(
            claimed or key, key, start, end, self.texts[key][start:end], self.by_key[key].page_at(start)
        )

    def of(self, one: Evidence) -> QuotedPlace:
        """Return the place of a piece of evidence."""
        return self.at(one.finding.source_key, one.finding.start_char, one.finding.end_char)


class ClaimBook:
    """Assigns claim ids in order, one per sentence and place; also records fabricated quotations."""

    def __init__(self, prefix: str = "c") -> None:
        #: Prefix of the ids, different for each revision of a report.
        self._prefix = prefix
        self._claims: dict[str, CheckedClaim] = {}
        self._ids: dict[tuple[str, QuotedPlace], str] = {}

    def marker(self, sentence: str, place: QuotedPlace) -> str:
        """Return the marker of a sentence supported by a quotation.

        The claim is misattributed if the quotation was attributed to another source than the one that has it.
        """
        if (sentence, place) not in self._ids:
            status: Literal["verified", "misattributed"] = (
                "verified" if place.claimed == place.key else "misattributed"
            )
            found = (place.key, place.start, place.end, place.page_no)
            claim = CheckedClaim("", sentence, place.quote, place.claimed, *found, status)
            self._ids[sentence, place] = self._keep(claim)
        return f"[@{place.key}#{self._ids[sentence, place]}]"

    def fabricated(self, sentence: str, quote: str, claimed: str | None) -> None:
        """Record a sentence whose quotation occurs in no source; it gets no marker."""
        self._keep(CheckedClaim("", sentence, quote, claimed, None, None, None, None, "fabricated"))

    def verified_as(self, place: QuotedPlace, verification: Verification) -> None:
        """Set the result of Round 3's verification on every claim whose quotation overlaps this one."""
        for (_, known), claim_id in self._ids.items():
            if known.overlaps(place):
                self._claims[claim_id] = replace(self._claims[claim_id], verification=verification)

    @property
    def all(self) -> tuple[CheckedClaim, ...]:
        """All claims in order of their ids."""
        return tuple(self._claims.values())

    def _keep(self, claim: CheckedClaim) -> str:
        claim_id = f"{self._prefix}{len(self._claims) + 1}"
        self._claims[claim_id] = replace(claim, claim_id=claim_id)
        return claim_id


class Desk:
    """Material, reader, and the claims published so far."""

    def __init__(self, material: ReportMaterial, reader: Reader) -> None:
        self.material = material
        self.reader = reader
        self.sources = SourceTexts(material.sources)
        self.book = ClaimBook()
        self.asked = material.asked
        if isinstance(memo := material.memo, CatalogMemo):
            self.asked = replace(self.asked, count=memo.target_items)
        self.language = self.asked.language
        #: The fixed phrases in that language.
        self.words = phrases_for("wording", self.language)
        self._keys: set[str] = set()

    def section(self, heading: str, body: str, level: int = 1) -> Section:
        """Return a section with a new key."""
        return Section(key=section_key(heading, self._keys), heading=heading, level=level, body=body)


# Check drafted sentences against their quotations; mend faulty ones once, all in one call, or leave them out.


#: Fewest words of a quotation that counts as support.
_MIN_WORDS = 3
#: Pieces with at least this many characters of the source between them are not near each other.
_APART = 4
#: Most evidence for mending a faulty sentence.
_NEAR = 3
#: Not allowed in a writer's sentence: markers and notes in brackets, Markdown syntax.
_BRACKETED = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:\[[^\]\n]{0,80}\]|【[^】\n]{0,80}】)|[*_`#|<>]")


@dataclass(frozen=True)
class SupportedSentence:
    """A sentence that may be published, with the places that support it."""

    text: str
    places: tuple[QuotedPlace, ...]
    new_paragraph: bool = False
    #: Verbatim: published in quotation marks.
    verbatim: bool = False


@dataclass(frozen=True)
class Checker:
    """Checks the drafts of one report."""

    asked: Asked
    sources: SourceTexts
    book: ClaimBook

    def checked(
        self, drafts: Sequence[tuple[SectionRequest, Sequence[DraftSentence]]], reader: Reader
    ) -> tuple[list[list[SupportedSentence]], int]:
        """Return for each draft the publishable sentences in order, and the number of those left out."""
        found = [[self.check(one, _findings(request)) for one in draft] for request, draft in drafts]
        faulty = [
            (number, place, _faulty(drafts[number][1][place], faults, drafts[number][0], reader))
            for number, of_one in enumerate(found)
            for place, (_, faults) in enumerate(of_one)
            if faults
        ]
        mended = reader.mended(self.asked, [one for _, _, one in faulty]) if faulty else []
        for (number, place, _), again in zip(faulty, mended, strict=True):
            evidence = _findings(drafts[number][0])
            found[number][place] = self.check(again, evidence) if again else (None, ())
        left_out = sum(found[number][place][0] is None for number, place, _ in faulty)
        return [[sentence for sentence, _ in of_one if sentence] for of_one in found], left_out

    def check(
        self, drafted: DraftSentence, evidence: Sequence[Finding]
    ) -> tuple[SupportedSentence | None, tuple[str, ...]]:
        """Return the sentence without faults, or None with faults; for an empty one, None without faults."""
        text = plain_sentence(drafted.text)
        pieces = [self.sources.at(f.source_key, f.start_char, f.end_char) for f in evidence]
        places = self._places(drafted, text, pieces) if text else ()
        if drafted.verbatim and places:
            # Publish the text of the source.
            return SupportedSentence(clean_quote(places[0].quote), places[:1], drafted.new_paragraph, True), ()
        if drafted.verbatim or not text:
            return None, ()
        of_places = [self.sources.by_key[one.key] for one in places]
        same = all(source.language[:2] == self.asked.language for source in of_places)
        language = self.asked.language if same else None
        known = " ".join([self.asked.query, *(_reference_words(source.reference) for source in of_places)])
        places = _completed(text, places, pieces, known, language)
        faults = faults_of(text, [one.quote for one in places], known, language)
        if foreign := foreign_words(text, self.asked.language, known):
            faults.append(f"these words are not in the language of the report: {foreign}")
        return (None, tuple(faults)) if faults else (SupportedSentence(text, places, drafted.new_paragraph), ())

    def _places(self, drafted: DraftSentence, text: str, pieces: Sequence[QuotedPlace]) -> tuple[QuotedPlace, ...]:
        """Return the places of the sentence's quotations; those in no source are recorded as fabricated.

        A quotation that is too short to support anything counts as the piece of evidence around it.
        """
        found = []
        for given in drafted.quotes:
            place = self.sources.place(given.quote, given.source_key)
            if place is None:
                self.book.fabricated(text, given.quote, given.source_key)
            elif len(given.quote.split()) >= _MIN_WORDS:
                found.append(place)
            else:
                found += [piece for piece in pieces if place.overlaps(piece)][:1]
        return tuple(dict.fromkeys(found))


def _faulty(
    drafted: DraftSentence, faults: tuple[str, ...], request: SectionRequest, reader: Reader
) -> FaultySentence:
    texts = [Text(one.finding.quote, one.language) for one in request.evidence]
    order = order_by_nearness(drafted.text, texts, reader.meaning)
    return FaultySentence(drafted, faults, tuple(request.evidence[place] for place in order[:_NEAR]))


def plain_sentence(text: str) -> str:
    """Return a writer's text on one line, without markers, notes in brackets and Markdown syntax."""
    return " ".join(_BRACKETED.sub("", clean_text(text)).split())


def _findings(request: SectionRequest) -> list[Finding]:
    return [one.finding for one in request.evidence]


def _reference_words(reference: Reference) -> str:
    """Return the words by which a sentence may name a source."""
    parts = [reference.title, reference.publisher, *reference.authors, reference.year]
    return " ".join(str(part) for part in parts if part)


def _completed(
    text: str, places: Sequence[QuotedPlace], pieces: Sequence[QuotedPlace], known: str, language: Language | None
) -> tuple[QuotedPlace, ...]:
    """Add the pieces of the same sources that say numbers or names of the sentence which no quotation has.

    A piece replaces a quotation inside it. A piece that is not near a quotation must also have enough of the
    sentence's other words.
    """
    kept = list(places)
    rest = text
    for word in itertools.chain(*unsupported_terms(text, [one.quote for one in places], known, language)):
        rest = rest.replace(word, "")
    keys = {one.key for one in places}
    offered = [
        piece
        for piece in pieces
        if any(piece.overlaps(one, _APART) for one in places)
        or (language and piece.key in keys and speaks_of(rest, piece.quote, language))
    ]
    for piece in sorted(offered, key=lambda piece: not any(map(piece.overlaps, places))):
        if _lacking(text, [*kept, piece], known, language) < _lacking(text, kept, known, language):
            kept = [*(one for one in kept if not piece.holds(one)), piece]
    return tuple(kept)


def _lacking(text: str, places: Sequence[QuotedPlace], known: str, language: Language | None) -> int:
    return sum(map(len, unsupported_terms(text, [one.quote for one in places], known, language)))
