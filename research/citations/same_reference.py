"""Decide whether two references are to the same work, and keep each work of a report once under its key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from research.citations.identifiers import (
    SEVERAL_NUMBERS,
    canonical_url,
    collection_ids,
    isbns_of,
    normal_doi,
    page_of,
    registrable_domain,
)
from research.citations.keys import make_key
from research.citations.titles import agreement
from research.document import Reference
from research.sources.base import Hit

#: Fields that references to the same work may complete for each other.
FIELDS = ("title", "authors", "year", "publisher", "url", "doi", "isbn", "as_written")


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
        isbns=frozenset(isbns_of(isbn if isinstance(isbn, str) else "; ".join(map(str, isbn or ())))),
        numbers=collection_ids(url, doi),
    )


def same_work(a: Identity, b: Identity) -> bool:
    """Decide as `same_reference` does, for identities already extracted."""
    if a.doi and b.doi:
        return a.doi == b.doi
    shared = a.numbers.keys() & b.numbers.keys()
    if any(a.numbers[collection] == b.numbers[collection] for collection in shared):
        return True
    if shared - SEVERAL_NUMBERS:
        return False
    page = page_of(a.url)
    if a.isbns & b.isbns or (page and page == page_of(b.url)):
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


class CitationRegistry:
    """Assigns keys to sources; the same additions in the same order get the same keys."""

    def __init__(self, references: Iterable[Reference] = ()) -> None:
        """Start with references that have keys already."""
        self._references = {one.key: one for one in references}
        #: One of each distinct reference to the work, by key.
        self._identities = {key: [identity_of(vars(one))] for key, one in self._references.items()}

    def add(self, item: Hit | Reference) -> str:
        """Add a source and return its key; a known work keeps its key and gains the fields that it lacked."""
        found = {name: getattr(item, name, None) for name in (*FIELDS, "kind")}
        identity = identity_of(found)
        key = next((key for key, known in self._identities.items() if _is_of(identity, known)), None)
        if key is None:
            key = make_key(item.authors, item.year, item.publisher, item.title, self._references)
            self._references[key] = Reference(key=key, **found)
        known = self._references[key]
        update = {name: found[name] for name in FIELDS if found[name] and not getattr(known, name)}
        if known.kind == "other":
            update["kind"] = found["kind"]
        self._references[key] = known.model_copy(update=update)
        identities = self._identities.setdefault(key, [])
        if identity not in identities:
            identities.append(identity)
        return key

    def reference(self, key: str) -> Reference:
        """Return the source with this key. Raises KeyError."""
        return self._references[key]


def _is_of(identity: Identity, known: Sequence[Identity]) -> bool:
    """Return whether a reference is to the work of the known ones; a work has one DOI that is given as such."""
    given = {one.doi for one in known if one.doi_given}
    if given and identity.doi_given and identity.doi not in given:
        return False
    return any(same_work(one, identity) for one in known)
