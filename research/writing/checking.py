"""Check drafted sentences against their quotations; faulty ones are mended once, all in one call, or left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from research.markdown_text.printable import clean
from research.meaning import Text, order_by_nearness
from research.readers.protocol import Asked, Draft, DraftSentence, FaultySentence, Reader, SectionRequest
from research.readers.shown import shown
from research.writing.claims import ClaimBook
from research.writing.places import Place, Sources
from research.writing.support import faults_of

#: Fewest words of a quotation that counts as support.
_MIN_WORDS = 3
#: Most evidence that a faulty sentence is mended from.
_NEAR = 3
#: What a writer may not put into a sentence: markers and notes in brackets, marks of Markdown.
_BRACKETED = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:\[[^\]\n]{0,80}\]|【[^】\n]{0,80}】)|[*_`#|<>]")


@dataclass(frozen=True)
class Sentence:
    """A sentence that may be published, with the places that carry it."""

    text: str
    places: tuple[Place, ...]
    new_paragraph: bool = False
    #: Verbatim: published in quotation marks.
    verbatim: bool = False


@dataclass
class Checker:
    """Checks the drafts of one report."""

    asked: Asked
    sources: Sources
    book: ClaimBook
    #: Number of sentences left out.
    left_out: int = field(default=0, init=False)

    def checked(self, drafts: Sequence[tuple[SectionRequest, Draft]], reader: Reader) -> list[list[Sentence]]:
        """Return for each draft the sentences that may be published, in order."""
        found: list[list[Sentence | None]] = []
        faulty: list[tuple[int, int, FaultySentence]] = []
        for number, (request, draft) in enumerate(drafts):
            found.append([])
            for place, drafted in enumerate(draft.sentences):
                sentence, faults = self._check(drafted)
                found[number].append(sentence)
                if faults:
                    faulty.append((number, place, self._faulty(drafted, faults, request, reader)))
        mended = reader.mended(self.asked, [one for _, _, one in faulty]) if faulty else []
        for (number, place, _), again in zip(faulty, mended, strict=True):
            found[number][place] = self._check(again)[0] if again else None
        self.left_out = sum(found[number][place] is None for number, place, _ in faulty)
        return [[sentence for sentence in of_one if sentence] for of_one in found]

    def _check(self, drafted: DraftSentence) -> tuple[Sentence | None, tuple[str, ...]]:
        """Return the sentence, or None and its faults; an empty one has neither."""
        text = " ".join(_BRACKETED.sub("", clean(drafted.text)).split())
        if not text:
            return None, ()
        places = self._places(drafted, text)
        if drafted.verbatim:
            # What is published is what stands in the source.
            return (
                (Sentence(shown(places[0].quote), places[:1], drafted.new_paragraph, True), ())
                if places
                else (None, ())
            )
        of_places = [self.sources.by_key[one.key] for one in places]
        same = all(source.language[:2] == self.asked.language for source in of_places)
        told = (
            f"{one.reference.title} {one.reference.publisher or ''} {one.reference.year or ''}"
            for one in of_places
        )
        known = " ".join([self.asked.query, *told])
        faults = faults_of(text, [one.quote for one in places], known, self.asked.language if same else None)
        return (None, tuple(faults)) if faults else (Sentence(text, places, drafted.new_paragraph), ())

    def _places(self, drafted: DraftSentence, text: str) -> tuple[Place, ...]:
        """Return where the sentence's quotations stand; others are recorded as fabricated."""
        found = []
        for given in drafted.quotes:
            place = self.sources.place(given.quote, given.source_key)
            if place is None:
                self.book.fabricated(text, given.quote, given.source_key)
            elif len(given.quote.split()) >= _MIN_WORDS:
                found.append(place)
        return tuple(found)

    def _faulty(
        self, drafted: DraftSentence, faults: tuple[str, ...], request: SectionRequest, reader: Reader
    ) -> FaultySentence:
        texts = [Text(one.finding.quote, one.language) for one in request.evidence]
        order = order_by_nearness(drafted.text, texts, reader.meaning)
        return FaultySentence(drafted, faults, tuple(request.evidence[place] for place in order[:_NEAR]))
