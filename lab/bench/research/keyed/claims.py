"""How many sentences that need a citation have one, and how many cited numbers stand in their sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.citations import claims_something
from research.citations.claims import without_enumeration
from research.citations.markers import cited_sentences
from research.citations.quantities import Quantity, quantities_in
from research.document import CheckedClaim, ReportDocument


@dataclass(frozen=True, slots=True)
class Share:
    """`covered` out of `wanted` items."""

    covered: int
    wanted: int


def claim_coverage(document: ReportDocument) -> Share:
    """Return the share of sentences with a number, date or proper name that have a marker in or right after them.

    Headings, questions and header rows of tables are not counted.
    """
    sentences = cited_sentences(document)
    wanted = [one for one in sentences if claims_something(one.text, document.language)]
    return Share(sum(bool(sentence.markers) for sentence in wanted), len(wanted))


def numeric_support(
    document: ReportDocument, claims: Sequence[CheckedClaim], sources: Mapping[str, str] | None = None
) -> Share:
    """Return the share of numbers in cited sentences that occur in the cited passage.

    The passage is the quotation of the marker's claim. A marker without a claim cites all quotations from its
    source and, if `sources` has it, the source's whole text. The year and title of the reference count too.
    """
    passages = _Passages(document, claims, sources or {})
    covered = wanted = 0
    for sentence in cited_sentences(document):
        if not sentence.markers:
            continue
        known = [quantity for key, claim in sentence.markers for quantity in passages.of(key, claim)]
        numbers = quantities_in(without_enumeration(sentence.text), (document.language,))
        wanted += len(numbers)
        covered += sum(number.is_in(known) for number in numbers)
    return Share(covered, wanted)


class _Passages:
    """Look up the numbers in the passages that markers cite."""

    def __init__(
        self, document: ReportDocument, claims: Sequence[CheckedClaim], sources: Mapping[str, str]
    ) -> None:
        self._sources = sources
        self._references = {reference.key: reference for reference in document.references}
        self._claims = {claim.claim_id: claim for claim in claims}
        self._by_source: dict[str, list[CheckedClaim]] = defaultdict(list)
        for claim in claims:
            if claim.source_key:
                self._by_source[claim.source_key].append(claim)

    def of(self, key: str, claim_id: str | None) -> Iterator[Quantity]:
        """Yield the numbers in the passages and the reference that a marker cites."""
        for text in (*self._quotes(key, claim_id), *self._reference(key)):
            yield from quantities_in(text)

    def _quotes(self, key: str, claim_id: str | None) -> Iterator[str]:
        if claim_id is None:
            yield from (claim.quote for claim in self._by_source[key])
            yield self._sources.get(key, "")
        elif (claim := self._claims.get(claim_id)) and claim.source_key == key:
            yield claim.quote
            yield self._sources.get(key, "")[claim.start_char or 0 : claim.end_char or 0]

    def _reference(self, key: str) -> Iterator[str]:
        if reference := self._references.get(key):
            yield f"{reference.title} {reference.year or ''}"
