"""Providers of sources over the network, one class each, and the choice of the enabled ones."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

import httpx
from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, Field, OnErrorOmit

from core.clock import AttemptLimits
from core.config import Settings
from core.database import Database
from core.file_store import FileStore
from core.llm.embeddings import open_embedder
from core.messages import Message
from research.sources.base import (
    FetchedText,
    Hit,
    NoTextError,
    SearchScope,
    SourceError,
    SourceKind,
    SourceProvider,
    SourceRefusedError,
    domains_of,
    page_passages,
)
from research.sources.exchange import (
    Guard,
    RequestLimits,
    Resolver,
    checked_url,
    direct_transport,
    resolve_host,
    status_error,
)
from research.sources.library import LibrarySource
from research.sources.pages import text_from
from research.sources.remote import (
    AGENT,
    Line,
    Many,
    ProviderOff,
    RemoteSource,
    Said,
    SourceCache,
    Year,
    at,
    page_hit,
    without_markup,
)
from research.text.markdown import paragraphs_of

# Scholarly works from OpenAlex (https://docs.openalex.org): the abstract, or an open copy without one.


_ID = r"^W[0-9]{1,15}$"
#: The requested fields of a work.
_FIELDS = (
    "id,doi,display_name,publication_year,primary_location,best_oa_location,open_access,authorships,is_retracted,"
    "abstract_inverted_index"
)


#: Position of a word; an abstract has hundreds of words.
Position = Annotated[int, Field(strict=True, ge=0, le=20_000)]


class _Author(BaseModel):
    name: Line = Field("", validation_alias=AliasChoices(AliasPath("author", "display_name"), "raw_author_name"))


class _Work(BaseModel):
    #: The last part of the URL that OpenAlex uses as id.
    id: Annotated[str, BeforeValidator(lambda given: str(given).rpartition("/")[2]), Field(pattern=_ID)]
    doi: Line = ""
    title: Line = at("display_name")
    year: Year = at("publication_year", default=None)
    journal: Line = at("primary_location", "source", "display_name")
    page: Said = at("primary_location", "landing_page_url")
    open_pdf: Said = at("best_oa_location", "pdf_url")
    open_page: Said = at("best_oa_location", "landing_page_url")
    open_url: Said = at("open_access", "oa_url")
    authors: tuple[OnErrorOmit[_Author], ...] = at("authorships", default=())
    is_retracted: bool = False
    words: dict[str, list[OnErrorOmit[Position]]] = at("abstract_inverted_index", default={})

    @property
    def text(self) -> FetchedText:
        """The abstract; without passages if the work has none."""
        placed = {place: word for word, places in self.words.items() for place in places}
        abstract = without_markup(" ".join(placed[place] for place in sorted(placed)))
        return FetchedText(page_passages([abstract]), self.url, self.year)

    @property
    def url(self) -> str:
        return self.page or self.doi or f"https://openalex.org/{self.id}"


class _Works(BaseModel):
    results: Many[_Work]


class OpenAlexSource(RemoteSource):
    """Works that have not been retracted."""

    name: ClassVar[str] = "openalex"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"academic"})
    off = ProviderOff.OPENALEX
    url = "https://api.openalex.org"
    longest_query = 500
    operators = re.compile(r"[*?~|!\"()]")

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        limits = {"filter": "is_retracted:false", "per-page": str(k), "select": _FIELDS}
        found = self._ask(_Works, "GET", "/works", params={"search": query, **limits})
        return [self._hit(work) for work in found.results if not work.is_retracted]

    def _hit(self, work: _Work) -> Hit:
        """Return the hit and store its abstract."""
        text = work.text
        if text.passages:
            self._keep(work.id, text)
        return Hit(
            self.name,
            "academic",
            work.title or work.id,
            work.id,
            work.url,
            authors=tuple(author.name for author in work.authors if author.name),
            year=work.year,
            publisher=work.journal or None,
            doi=work.doi.partition("doi.org/")[2] or work.doi or None,
        )

    def _read(self, hit: Hit) -> FetchedText:
        if re.fullmatch(_ID, hit.locator) is None:
            raise NoTextError("openalex: no id of a work")
        work = self._ask(_Work, "GET", f"/works/{hit.locator}")
        if work.is_retracted:
            raise NoTextError("openalex: a retracted work")
        text = work.text
        return text if text.passages else self._open_copy(work, hit)

    def _open_copy(self, work: _Work, hit: Hit) -> FetchedText:
        failure: SourceError = NoTextError("openalex: neither an abstract nor an open copy")
        for url in filter(None, dict.fromkeys((work.open_pdf, work.open_page, work.open_url))):
            try:
                return self._page(url, hit)
            except SourceError as exc:
                failure = exc
        raise failure


# Books from Open Library (openlibrary.org): descriptions of books, not their texts.


_KEY = r"^/works/OL\d{1,15}W$"
_REDIRECT, _DELETED = "/type/redirect", "/type/delete"
#: A merged work redirects to another; chains of these are short.
_MOST_REDIRECTS = 3


def _said(value: object) -> str:
    """Return a text given as a string or in an object; empty otherwise."""
    for name in ("value", "excerpt", "title"):
        if isinstance(value, Mapping) and name in value:
            return _said(value[name])
    return value if isinstance(value, str) else ""


Description = Annotated[str, BeforeValidator(_said)]


class _Book(BaseModel):
    key: Annotated[str, Field(pattern=_KEY)]
    title: Line = ""
    subtitle: Line = ""
    author_name: tuple[Line, ...] = ()
    first_publish_year: Year = None
    publisher: tuple[Line, ...] = ()
    isbn: tuple[Line, ...] = ()


class _Books(BaseModel):
    docs: Many[_Book]


class _WorkPage(BaseModel):
    type: Description = at("type", "key")
    #: The key of the work that it was merged into.
    location: Description = ""
    description: Description = ""
    first_sentence: Description = ""
    excerpts: tuple[Description, ...] = ()
    table_of_contents: tuple[Description, ...] = ()


class OpenLibrarySource(RemoteSource):
    """Works with their description, first sentence and table of contents."""

    name: ClassVar[str] = "openlibrary"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"book"})
    off = ProviderOff.OPENLIBRARY
    url = "https://openlibrary.org"
    longest_query = 300
    #: Solr's operators: `works: yes` would query a field called "works".
    operators = re.compile(r"[-+&|!(){}\[\]^\"~*?:\\/]")

    @classmethod
    def headers(cls, settings: Settings) -> Mapping[str, str] | None:
        contact = settings.openlibrary_contact
        return None if contact is None else {"User-Agent": f"{AGENT} ({contact})"}

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        asked = {"q": query, "fields": ",".join(_Book.model_fields), "limit": k}
        found = self._ask(_Books, "GET", "/search.json", params=asked)
        return [self._hit(book) for book in found.docs[:k]]

    def _hit(self, book: _Book) -> Hit:
        return Hit(
            self.name,
            "book",
            ": ".join(filter(None, (book.title, book.subtitle))) or book.key,
            book.key,
            f"{self.url}{book.key}",
            authors=tuple(filter(None, book.author_name)),
            year=book.first_publish_year,
            publisher=next(filter(None, book.publisher), None),
            isbn=max(book.isbn, key=lambda isbn: len(isbn) == 13, default=None),
        )

    def _read(self, hit: Hit) -> FetchedText:
        work = self._work(hit.locator)
        texts = [*paragraphs_of(work.description), work.first_sentence, *work.excerpts, *work.table_of_contents]
        passages = page_passages(texts)
        if not passages:
            raise NoTextError("openlibrary: a work without a description")
        return FetchedText(passages, f"{self.url}{hit.locator}", hit.year)

    def _work(self, key: str) -> _WorkPage:
        for _ in range(_MOST_REDIRECTS):
            if re.fullmatch(_KEY, key) is None:
                raise NoTextError("openlibrary: no key of a work")
            work = self._ask(_WorkPage, "GET", f"{key}.json")
            if work.type == _DELETED:
                raise NoTextError("openlibrary: a deleted work")
            if work.type != _REDIRECT:
                return work
            key = work.location
        raise NoTextError("openlibrary: merged too often")


# Web search by Tavily (https://docs.tavily.com), without its generated answers.


class _Result(BaseModel):
    url: str
    title: Line = ""
    #: The text of the page, if Tavily could load it.
    raw_content: Said = ""
    published_date: Year = None


class _Results(BaseModel):
    results: Many[_Result]


class TavilySource(RemoteSource):
    """Web pages found by Tavily, with the text that it loaded or one fetched here."""

    name: ClassVar[str] = "tavily"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.TAVILY
    url = "https://api.tavily.com"
    longest_query = 400
    most_hits = 20

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        allowed, denied = domains_of(scope.domains_allowed), domains_of(scope.domains_denied)
        asked = {
            "query": query,
            "search_depth": "basic",
            "max_results": k,
            "include_answer": False,
            "include_raw_content": "text",
            **({"include_domains": allowed} if allowed else {}),
            **({"exclude_domains": denied} if denied else {}),
        }
        return [self._hit(one) for one in self._ask(_Results, "POST", "/search", json=asked).results]

    def _hit(self, found: _Result) -> Hit:
        """Return the hit and store its text; if that is only a notice, `fetch` loads the page."""
        hit = page_hit(self.name, found.url, found.title, found.published_date)
        with suppress(NoTextError):
            self._keep(found.url, text_from(paragraphs_of(found.raw_content), found.url, hit.title, hit.year))
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        return self._page(hit.locator, hit)


# Web search and page loading by Firecrawl (https://docs.firecrawl.dev, API version 2).


#: Firecrawl's time-out in milliseconds per second of ours, so that it reports a time-out before ours.
_OF_A_SECOND = 900
#: The lowest page status that means the page could not be loaded.
_FIRST_FAILURE = 400


class _Answer(BaseModel):
    success: bool = False


class _Page(BaseModel):
    url: str
    title: Line = ""


class _Searched(_Answer):
    results: Many[_Page] = at("data", "web", default=())


class _Scraped(_Answer):
    markdown: Said = at("data", "markdown")
    title: Line = at("data", "metadata", "title")
    url: Said = at("data", "metadata", "url")
    status: int = at("data", "metadata", "statusCode", default=200)
    error: Line = at("data", "metadata", "error")
    year: Year = at("data", "metadata", "publishedTime", default=None)


A = TypeVar("A", bound=_Answer)


class FirecrawlSource(RemoteSource):
    """Web pages found and loaded by Firecrawl."""

    name: ClassVar[str] = "firecrawl"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.FIRECRAWL
    url = "https://api.firecrawl.dev"
    longest_query = 500

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        # Firecrawl accepts only one of the two lists; `RemoteSource.search` applies both to its results.
        allowed, denied = domains_of(scope.domains_allowed), domains_of(scope.domains_denied)
        limits = {"includeDomains": allowed} if allowed else {"excludeDomains": denied} if denied else {}
        found = self._post(_Searched, "/v2/search", query=query, limit=k, **limits)
        return [page_hit(self.name, one.url, one.title) for one in found.results]

    def _read(self, hit: Hit) -> FetchedText:
        checked_url(hit.locator)
        how = {"formats": ["markdown"], "onlyMainContent": True, "skipTlsVerification": False}
        page = self._post(_Scraped, "/v2/scrape", url=hit.locator, **how)
        if page.status >= _FIRST_FAILURE:
            raise status_error("page", page.status, None)
        if page.error:
            raise NoTextError("a page that Firecrawl could not load")
        texts = paragraphs_of(page.markdown)
        return text_from(texts, page.url or hit.url, page.title or hit.title, page.year)

    def _post(self, shape: type[A], path: str, **asked: Any) -> A:
        timeout = int(self._guard.limits.seconds * _OF_A_SECOND)
        answer = self._ask(shape, "POST", path, json={**asked, "timeout": timeout, "origin": AGENT})
        if not answer.success:
            raise SourceRefusedError(f"{self.name}: no success")
        return answer


# The choice of enabled providers.


REMOTE_SOURCES: tuple[type[RemoteSource], ...] = (OpenAlexSource, OpenLibrarySource, TavilySource, FirecrawlSource)
#: The library comes last: other enabled providers are asked before it.
ALL_SOURCES: tuple[type[SourceProvider], ...] = (*REMOTE_SOURCES, LibrarySource)


@dataclass(frozen=True)
class ActiveSources:
    """The enabled providers, in the order of `ALL_SOURCES`, and why the others are disabled."""

    on: tuple[SourceProvider, ...]
    #: Name of each disabled provider, and the message on how to enable it.
    off: list[tuple[str, Message]]

    def for_kind(self, kind: SourceKind) -> list[SourceProvider]:
        """Return the providers for this kind of researcher; the last is the library, which answers every kind."""
        return [source for source in self.on if kind in source.kinds]

    def by_name(self, name: str) -> SourceProvider:
        """Return the provider with this name. Raises SourceRefusedError if it is off or unknown."""
        for source in self.on:
            if source.name == name:
                return source
        raise SourceRefusedError(f"no source {name[:40]} is on")


def open_sources(
    settings: Settings,
    database: Database,
    store: FileStore,
    *,
    resolve: Resolver = resolve_host,
    page_transport: Callable[[], httpx.BaseTransport] = direct_transport,
    sleep: Callable[[float], None] = time.sleep,
) -> ActiveSources:
    """Build every provider that the settings enable, without connecting to any.

    `resolve` and `page_transport` look up and connect to hosts of web pages; the guard checks each one first.
    """
    contact = f"; +{settings.openlibrary_contact}" if settings.openlibrary_contact else ""
    # Some sites reject a user agent that does not begin with "Mozilla/5.0 (compatible".
    browser = f"Mozilla/5.0 (compatible; {AGENT}{contact})"
    most, seconds = settings.source_max_attempts, settings.source_timeout_seconds
    attempts = AttemptLimits(most, most * seconds, sleep)
    limits = RequestLimits(seconds, settings.source_max_bytes, settings.source_requests_per_second, sleep=sleep)
    guard = Guard(limits, browser, resolve, transport=page_transport)
    cache = SourceCache(store, settings.source_cache_hours)
    on = [kind(settings, cache, guard, attempts) for kind in REMOTE_SOURCES if kind.headers(settings) is not None]
    off = [(kind.name, Message.of(kind.off)) for kind in REMOTE_SOURCES if kind.headers(settings) is None]
    return ActiveSources((*on, LibrarySource(database, open_embedder(settings))), off)
