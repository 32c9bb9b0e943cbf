"""Which sentences need a citation, and how many have one; whether cited numbers stand in what is cited."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from research.citations.cited_sentences import cited_sentences
from research.citations.names import has_name, names_within
from research.citations.quantities import Quantity, quantities_in
from research.citations.share import Share
from research.document import ReportDocument
from research.material import CheckedClaim

_MONTH = re.compile(
    r"\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b"
)
_ENUMERATED = re.compile(r"\((?:\d|[ivx]+|[a-z])\)")


def claim_coverage(document: ReportDocument) -> Share:
    """Of the sentences with a number, a date or a proper name: how many carry a marker, in or right behind them.

    Headings, questions and head rows of tables claim nothing.
    """
    sentences = cited_sentences(document)
    names = names_within(sentence.text for sentence in sentences)
    wanted = [sentence for sentence in sentences if claims_something(sentence.text, names)]
    return Share(sum(bool(sentence.markers) for sentence in wanted), len(wanted))


def uncited_claims(document: ReportDocument) -> list[str]:
    """The sentences that `claim_coverage` misses a marker at."""
    sentences = cited_sentences(document)
    names = names_within(sentence.text for sentence in sentences)
    return [one.text for one in sentences if not one.markers and claims_something(one.text, names)]


def claims_something(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence holds a number, a date or a proper name. `names`: words known to be names."""
    if sentence.rstrip("\"'\u201d\u2019\u00bb) ").endswith("?"):
        return False
    if quantities_in(_ENUMERATED.sub("", sentence)) or _MONTH.search(sentence):
        return True
    return has_name(sentence, names)


def numeric_support(
    document: ReportDocument, claims: Sequence[CheckedClaim], sources: Mapping[str, str] | None = None
) -> Share:
    """Of the numbers in cited sentences: how many stand in the passage that is cited.

    The passage is the quotation of the marker's claim. A marker without a claim stands for all quotations of its
    source and, where `sources` has it, the source's whole text. The year and the title of the reference itself
    count as known.
    """
    passages = _Passages(document, claims, sources or {})
    covered = wanted = 0
    for sentence in cited_sentences(document):
        if not sentence.markers:
            continue
        known = [quantity for key, claim in sentence.markers for quantity in passages.of(key, claim)]
        numbers = quantities_in(_ENUMERATED.sub("", sentence.text))
        wanted += len(numbers)
        covered += sum(number.is_in(known) for number in numbers)
    return Share(covered, wanted)


class _Passages:
    """Numbers of what markers cite."""

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
        """Numbers that a marker vouches for."""
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
