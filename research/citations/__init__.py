"""Citations: locate quotations in sources, recognise references to the same work, list what a document cites."""

from research.citations.claims import claims_something, uncited_claims
from research.citations.diversity import choose_diverse
from research.citations.identifiers import normal_doi, normal_isbn
from research.citations.markers import numbers_of
from research.citations.quotes import QuoteVerdict, verify_quote
from research.citations.registry import CitationRegistry
from research.citations.same_reference import same_reference
from research.citations.urls import canonical_url, registrable_domain

__all__ = [
    "CitationRegistry",
    "QuoteVerdict",
    "canonical_url",
    "choose_diverse",
    "claims_something",
    "normal_doi",
    "normal_isbn",
    "numbers_of",
    "registrable_domain",
    "same_reference",
    "uncited_claims",
    "verify_quote",
]
