"""Citations: locate quotations in sources, recognise references to the same work, list what a document cites."""

from research.citations.claims import claims_something
from research.citations.identifiers import canonical_url, registrable_domain
from research.citations.markers import numbers_of
from research.citations.quotes import verify_quote
from research.citations.same_reference import CitationRegistry, same_reference

__all__ = [
    "CitationRegistry",
    "canonical_url",
    "claims_something",
    "numbers_of",
    "registrable_domain",
    "same_reference",
    "verify_quote",
]
