"""Decide whether two references are to the same work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from research.citations.identifiers import collection_ids, isbns_of, normal_doi, numbers_contradict
from research.citations.titles import agreement
from research.citations.urls import canonical_url, is_home_page, page_of, registrable_domain


@dataclass(frozen=True, slots=True)
class Identity:
    """The normalised identifiers of a work."""

    title: str | None
    url: str | None
    doi: str | None
    #: Whether the DOI was given as such, not read from an address.
    doi_given: bool
    isbns: frozenset[str]
    #: Identifiers by collection: "arxiv", "pmid" and others.
    numbers: Mapping[str, str]


def same_reference(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether both are the same work by `title`, `url`, `doi`, `isbn`, any of which may be null or missing.

    The first of these that both have decides: DOI, the number in a collection (arXiv, PubMed, JSTOR …), ISBN
    (another ISBN is another edition, unless the URL is the same), canonical URL, title. References with equal
    titles are the same work unless something contradicts (preprint and article, page and PDF); with a short title,
    only if their URLs are not on different domains.
    """
    return same_work(identity_of(a), identity_of(b))


def identity_of(reference: Mapping[str, Any]) -> Identity:
    """Return the normalised identifiers of a reference."""
    url, doi = _text(reference.get("url")), _text(reference.get("doi"))
    given = normal_doi(doi)
    isbn = reference.get("isbn")
    return Identity(
        title=_text(reference.get("title")),
        url=canonical_url(url),
        doi=given or normal_doi(url),
        doi_given=given is not None,
        isbns=frozenset(isbns_of(isbn if isinstance(isbn, str) else [str(item) for item in isbn or ()])),
        numbers=collection_ids(url, doi),
    )


def same_work(a: Identity, b: Identity) -> bool:
    """Decide as `same_reference` does, for identities already extracted."""
    if a.doi and b.doi:
        return a.doi == b.doi
    shared = a.numbers.keys() & b.numbers.keys()
    if any(a.numbers[collection] == b.numbers[collection] for collection in shared):
        return True
    if any(map(numbers_contradict, shared)):
        return False
    on_one_page = a.url and b.url and page_of(a.url) == page_of(b.url) and not is_home_page(a.url)
    if a.isbns & b.isbns or on_one_page:
        return True
    if a.isbns and b.isbns:
        return False
    return _titles_agree(a, b)


def _titles_agree(a: Identity, b: Identity) -> bool:
    found = agreement(a.title, b.title)
    if found == "none" or not (a.url and b.url):
        return found != "none"
    if registrable_domain(a.url) != registrable_domain(b.url):
        return found == "strong"
    # Numbers distinguish two pages of a site: dates, issues, ids of articles.
    first, second = set(re.findall(r"\d+", a.url)), set(re.findall(r"\d+", b.url))
    return first <= second or second <= first


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
