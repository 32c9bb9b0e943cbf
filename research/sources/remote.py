"""What remote providers share: requests to their API, types of answers, domain rules, a cache."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from html import unescape
from textwrap import shorten
from typing import Annotated, Any, ClassVar, TypeVar

import httpx
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    OnErrorOmit,
    SecretStr,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from core.clock import AttemptLimits, utcnow
from core.config import Settings
from core.errors import AppError, NotFoundError
from core.file_store import FileStore
from core.messages import MessageCode
from core.tracing.log import get_logger
from research.sources.base import (
    FetchedText,
    Hit,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    SourceUnavailableError,
    check_allowed,
    clean_paragraphs,
    host_of,
)
from research.sources.exchange import Guard, direct_transport, exchange, may_be_opened
from research.sources.pages import ACCEPT, fetched_text, media_type_of

# The base class of remote providers: requests to their API, domain rules and caching.
#
# An error names the provider and the kind of failure, never the content of request or answer.


R = TypeVar("R", bound=BaseModel)

#: The User-Agent header.
AGENT = "second-reader"


class ProviderOff(MessageCode):
    """Instructions for switching a provider on."""

    OPENALEX = ("openalex_off", "Scholarly works from OpenAlex are off. Set OPENALEX_API_KEY to turn them on.")
    OPENLIBRARY = (
        "openlibrary_off",
        "Books from Open Library are off. Set OPENLIBRARY_CONTACT to an e-mail address to turn them on.",
    )
    TAVILY = "tavily_off", "Web search by Tavily is off. Set TAVILY_API_KEY to turn it on."
    FIRECRAWL = "firecrawl_off", "Web search by Firecrawl is off. Set FIRECRAWL_API_KEY to turn it on."


class RemoteSource(ABC):
    """A provider reached over the network, with a new connection per request, so that none is shared by forks."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[SourceKind]]
    #: How a person can switch the provider on.
    off: ClassVar[ProviderOff]
    #: Base URL of its API, unless the setting `{name}_base_url` gives another.
    url: ClassVar[str]
    #: Most characters of a query, and most hits of a search.
    longest_query: ClassVar[int]
    most_hits: ClassVar[int] = 100
    #: Special characters in its queries; they are replaced by spaces.
    operators: ClassVar[re.Pattern[str]] = re.compile("\0")

    def __init__(self, settings: Settings, cache: SourceCache, guard: Guard, attempts: AttemptLimits) -> None:
        """`guard`: opens pages of the web; its limits hold for requests to the API as well."""
        self._at = (getattr(settings, f"{self.name}_base_url") or self.url).rstrip("/")
        #: They have the key, because URLs end up in logs and headers do not.
        self._headers = {"Accept": "application/json", "User-Agent": AGENT, **(self.headers(settings) or {})}
        self._cache = cache
        self._guard = guard
        self._attempts = attempts

    @classmethod
    def headers(cls, settings: Settings) -> Mapping[str, str] | None:
        """Return the headers that the provider requires; None if the settings do not enable it."""
        key: SecretStr | None = getattr(settings, f"{cls.name}_api_key")
        return None if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `SourceProvider.search`."""
        words = shorten(self.operators.sub(" ", query), self.longest_query, placeholder="")
        if k < 1 or not words:
            return []
        # More are requested because the domain limits below remove some.
        wanted = min(self.most_hits, 2 * k if scope.domains_allowed or scope.domains_denied else k)
        limits = {"allowed": sorted(scope.domains_allowed), "denied": sorted(scope.domains_denied)}
        question = self._question("search", query=words, k=wanted, language=scope.language, **limits)
        found = self._cache.get(question, HITS)
        if found is None:
            found = [hit for hit in self._find(words, wanted, scope) if may_be_opened(hit.url)]
            self._cache.keep(question, HITS, found)
        return [replace(hit, scope=scope) for hit in found if scope.allows(hit.url)][:k]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `SourceProvider.fetch`."""
        text = self._cache.get(self._question("fetch", locator=hit.locator), TEXT)
        if text is None:
            text = self._read(hit)
            if not may_be_opened(text.url):
                text = replace(text, url=hit.url)
            self._keep(hit.locator, text)
        if text.url:
            check_allowed(text.url, hit)
        return text

    @abstractmethod
    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """Return at most `k` hits in the order of the provider."""

    @abstractmethod
    def _read(self, hit: Hit) -> FetchedText:
        """Return the text of a hit."""

    def _keep(self, locator: str, text: FetchedText) -> None:
        """Store a text in the cache; also used for texts that came with a search."""
        self._cache.keep(self._question("fetch", locator=locator), TEXT, text)

    def _page(self, url: str, hit: Hit) -> FetchedText:
        """Return the text at `url`; the URL and its redirects must be allowed. Raises SourceError."""
        check_allowed(url, hit)
        answer = self._attempts(lambda: self._guard.get(url, ACCEPT, media_type_of))
        check_allowed(answer.url, hit)
        return fetched_text(answer)

    def _question(self, act: str, **asked: str | int | list[str]) -> Question:
        return {"provider": self.name, "at": self._at, "act": act, **asked}

    def _ask(self, shape: type[R], method: str, path: str, **sent: Any) -> R:
        """Return the answer to a request below the base URL; `sent` is passed to httpx.

        Raises SourceUnavailableError, also for an answer of another shape, or SourceRefusedError.
        """
        return self._attempts(lambda: self._attempt(shape, method, path, **sent))

    def _attempt(self, shape: type[R], method: str, path: str, **sent: Any) -> R:
        url, limits = self._at + path, self._guard.limits
        answer = exchange(self.name, method, url, limits, direct_transport(), headers=self._headers, **sent)
        if answer.status != httpx.codes.OK:
            # Redirects are not followed: they would carry the key to another host.
            raise SourceRefusedError(f"{self.name}: http_{answer.status}")
        # The error is raised outside the handler: its cause would quote the answer.
        with suppress(ValueError, RecursionError):
            return read_answer(shape, answer.body)
        raise SourceUnavailableError(f"{self.name}: an answer of another shape")


def page_hit(provider: str, url: str, title: str, year: int | None = None) -> Hit:
    """Return the hit of a web page, whose publisher is its site."""
    site = host_of(url).removeprefix("www.")
    return Hit(provider, "web", title or site or url, url, url, year=year, publisher=site)


# Types of providers' answers that database and JSON can store.


T = TypeVar("T")

_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(\s[^<>]*)?/?>")
_YEAR = re.compile(r"(1[5-9]|20)\d\d")
#: Most characters of a title, name or identifier.
_LONGEST = 500


def read_answer(shape: type[R], body: bytes) -> R:
    """Read an answer; a null in it is the same as a missing field. Raises ValueError or RecursionError."""
    data = json.loads(
        body, object_pairs_hook=lambda fields: {name: value for name, value in fields if value is not None}
    )
    # Lone surrogates, as in texts cut by JavaScript, become question marks.
    return shape.model_validate_json(json.dumps(data, ensure_ascii=False).encode(errors="replace"))


def at(*path: str, default: Any = "") -> Any:
    """Return a field whose value is at this path of names in the answer."""
    return Field(default, validation_alias=AliasPath(*path))


def without_markup(text: str) -> str:
    """Return the text on one line, without markup and entities."""
    return " ".join(clean_paragraphs(_MARKUP.sub("", unescape(text))).split())


def _line(value: object) -> str:
    return without_markup(value[: 2 * _LONGEST])[:_LONGEST] if isinstance(value, str) else ""


def _year(value: object) -> int | None:
    found = _YEAR.match(str(value)) if type(value) in (str, int) else None
    return int(found[0]) if found else None


def _some(given: Any, read: ValidatorFunctionWrapHandler) -> Any:
    found = read(given)
    if given and not found:
        raise ValueError("nothing that could be read")
    return found


#: A text; empty if the value is not a string.
Said = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")]
#: A title or name without markup and entities; empty if the value is not a string.
Line = Annotated[str, BeforeValidator(_line)]
#: The year of a number or at the start of a date, or None.
Year = Annotated[int | None, BeforeValidator(_year)]
#: The items of a list without malformed ones; invalid if all are malformed.
Many = Annotated[tuple[OnErrorOmit[T], ...], WrapValidator(_some)]


# Cache searches and texts in the file store, so that a resumed report reads the same sources again.


FOLDER = "cache/sources"
#: Increase when the meaning of stored entries changes.
VERSION = 2

_log = get_logger(__name__)

#: The cache key: provider, query and limits. It never contains an API key.
Question = Mapping[str, str | int | list[str]]


#: The types of stored values: the time and the content.
HITS = TypeAdapter(tuple[datetime, list[Hit]])
TEXT = TypeAdapter(tuple[datetime, FetchedText])


class SourceCache:
    """Providers' answers by question; errors of the store are logged and count as misses."""

    def __init__(self, store: FileStore, hours: float, now: Callable[[], datetime] = utcnow) -> None:
        self._store = store
        self._life = timedelta(hours=hours)
        self._now = now

    def get(self, question: Question, shape: TypeAdapter[tuple[datetime, T]]) -> T | None:
        """Return the stored answer to a question, or None if it is missing, too old or of another shape."""
        try:
            stored_at, value = shape.validate_json(self._store.get(_place(question)))
        except (NotFoundError, ValidationError):
            return None
        except AppError as exc:
            _log.warning("source_cache_unreadable", code=exc.code)
            return None
        return value if self._now() - self._life <= stored_at <= self._now() else None

    def keep(self, question: Question, shape: TypeAdapter[tuple[datetime, T]], value: T) -> None:
        """Store an answer."""
        if not self._life:
            return
        try:
            self._store.put(_place(question), shape.dump_json((self._now(), value)), "application/json")
        except AppError as exc:
            # An unavailable store costs a repeated request; it must not fail the report.
            _log.warning("source_cache_unwritable", code=exc.code)


def _place(question: Question) -> str:
    words = json.dumps({"version": VERSION, **question}, sort_keys=True, ensure_ascii=True)
    return f"{FOLDER}/{hashlib.sha256(words.encode()).hexdigest()}"
